# Generated from openapi.json by `npm run clients`. Do not edit.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union
from urllib.parse import quote

from . import types
from ._shared import LEFT_OUT


class Operations:
    """Every operation of the interface. Each raises an `ApiError` if the answer is not 200."""

    def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def snapshot(self, mint: str, *, fields: Optional[Union[str, Sequence[str]]] = None, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.TokenSnapshotAnswer:
        """Snapshot of a token. Everything known about who is behind one token, in ten groups. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.02 (20000 units of USDC).

        mint: token mint address
        fields: Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenSnapshotAnswer = self._call("GET", f"/v1/tokens/{quote(mint, safe='')}", {"fields": fields, "at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    def trades(self, mint: str, *, min_slot: Optional[int] = None) -> types.Trades:
        """Recent trades of a token. The 100 most recent trades, newest first, each with the trader’s record before that trade. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.01 (10000 units of USDC).

        mint: token mint address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.Trades = self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/trades", {"min_slot": min_slot}, {})
        return answer

    def new_tokens(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """New tokens. Tokens of the last minutes that passed the rug filters, newest first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = self._call("GET", "/v1/tokens/new", {"min_slot": min_slot}, {})
        return answer

    def pumps(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Pumping tokens. Tokens currently pumping, strongest 5-minute inflow first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = self._call("GET", "/v1/tokens/pumps", {"min_slot": min_slot}, {})
        return answer

    def graduated(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Graduated tokens. Recently graduated tokens, newest first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = self._call("GET", "/v1/tokens/graduated", {"min_slot": min_slot}, {})
        return answer

    def agents(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Buys of the top agents. The 20 most recent buys by the top trading agents, newest first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = self._call("GET", "/v1/tokens/agents", {"min_slot": min_slot}, {})
        return answer

    def survivors(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Surviving tokens. Tokens still alive 3 to 24 hours after their launch, highest market cap first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = self._call("GET", "/v1/tokens/survivors", {"min_slot": min_slot}, {})
        return answer

    def trader(self, address: str, *, min_slot: Optional[int] = None) -> types.TraderAnswer:
        """Profile of a trader. A wallet’s history over every token it traded. Answers 404 when no trade from the wallet has ever been seen.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TraderAnswer = self._call("GET", f"/v1/traders/{quote(address, safe='')}", {"min_slot": min_slot}, {})
        return answer

    def deployer(self, address: str, *, limit: Optional[int] = None, offset: Optional[int] = None, min_slot: Optional[int] = None) -> types.DeployerAnswer:
        """Launches of a deployer. A page of the wallet’s launches, newest first, and a summary over all of them. Answers 404 when the wallet has never deployed a tracked token.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        limit: Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
        offset: Rows to skip.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.DeployerAnswer = self._call("GET", f"/v1/devs/{quote(address, safe='')}/tokens", {"limit": limit, "offset": offset, "min_slot": min_slot}, {})
        return answer

    def who(self, mint: str, *, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.WhoAnswer:
        """Who is behind a token. The verdict in words and numbers, worst first; people known from other tokens, coordinated groups with members, funders and the transactions their evidence rests on; the deployer’s record; the largest holders with what they paid and made; and what is not known. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.03 (30000 units of USDC).

        mint: token mint address
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.WhoAnswer = self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/who", {"at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    def check(self, mint: str, *, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.CheckAnswer:
        """The verdict on a token, in short. What `who` says in at most 600 characters: verdict and age, then what is worst, and what is not known. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.03 (30000 units of USDC).

        mint: token mint address
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.CheckAnswer = self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/check", {"at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    def explain(self, mint: str, *, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.ExplanationAnswer:
        """Why a token is scored and rated as it is. The exact sum of the score, the reasons for the ratings, the wallets behind each share, the counts behind the outlook, the evidence of each group and the 24 signals. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.03 (30000 units of USDC).

        mint: token mint address
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.ExplanationAnswer = self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/explain", {"at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    def actor(self, id: str, *, min_slot: Optional[int] = None) -> types.ActorAnswer:
        """The same people across tokens. An actor’s wallets, tokens with dates and results, the deployers that serve it, its record, and the evidence that joins its wallets. Answers 404 when there is no such actor.

        Price per call without a key: $0.02 (20000 units of USDC).

        id: actor: its stable id, or its number
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.ActorAnswer = self._call("GET", f"/v1/actors/{quote(id, safe='')}", {"min_slot": min_slot}, {})
        return answer

    def positions(self, wallet: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_slot: Optional[int] = None) -> types.PositionsAnswer:
        """Positions of a wallet. What a wallet holds and what it made, token by token, newest first: the 20 tokens it traded last, the newest it launched and those of groups it was in. Answers 404 when the wallet has never been seen.

        Price per call without a key: $0.02 (20000 units of USDC).

        wallet: wallet address
        limit: Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
        cursor: `meta.page.next_cursor` of the previous page; the first page when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.PositionsAnswer = self._call("GET", f"/v1/wallets/{quote(wallet, safe='')}/positions", {"limit": limit, "cursor": cursor, "min_slot": min_slot}, {})
        return answer

    def trade_history(self, mint: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_slot: Optional[int] = None) -> types.TradeHistory:
        """All trades of a token, page by page. Every trade back to the first one seen, newest first, as in `trades`. A cursor names a trade, so new trades do not shift the pages. Answers 404 when the mint is not tracked, or the cursor is not one of its trades.

        Price per call without a key: $0.01 (10000 units of USDC).

        mint: token mint address
        limit: Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
        cursor: `meta.page.next_cursor` of the previous page; the first page when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TradeHistory = self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/trades/history", {"limit": limit, "cursor": cursor, "min_slot": min_slot}, {})
        return answer

    def trader_windows(self, address: str, *, min_slot: Optional[int] = None) -> types.TraderWindowsAnswer:
        """A trader’s last 7 and 30 days. Buys, SOL spent and profit realised, from the record before the wallet’s first trade in the window to now. Every trade from `covered_from_slot` on is covered; that may not be the whole window for a wallet that trades neither often nor rarely. Answers 404 when no trade from the wallet has ever been seen.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TraderWindowsAnswer = self._call("GET", f"/v1/traders/{quote(address, safe='')}/windows", {"min_slot": min_slot}, {})
        return answer

    def deployer_windows(self, address: str, *, min_slot: Optional[int] = None) -> types.DeployerWindowsAnswer:
        """A deployer’s last 7 and 30 days. The summary over the launches of each window, and how many of them were drained or rugged. Answers 404 when the wallet has never deployed a tracked token.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.DeployerWindowsAnswer = self._call("GET", f"/v1/devs/{quote(address, safe='')}/windows", {"min_slot": min_slot}, {})
        return answer

    def batch(self, *, mints: list[str], fields: str = LEFT_OUT, min_slot: int = LEFT_OUT) -> types.TokenBatchAnswer:
        """Snapshots of up to 50 tokens. The snapshot of each tracked mint with its slot, in the order of the request; a repeated mint counts once. Counted as one call for each token found. Answers 404 when none of the mints is tracked.

        Price per token found without a key: $0.02 (20000 units of USDC).

        mints: Token mint addresses, 1 to 50.
        fields: Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenBatchAnswer = self._call("POST", "/v1/tokens/batch", {}, {"mints": mints, "fields": fields, "min_slot": min_slot})
        return answer

    def accuracy(self, *, min_slot: Optional[int] = None) -> types.AccuracyAnswer:
        """How good the outlook was. For each question about what becomes of a token, by age and band: how often it came true, and what had been predicted.

        Free, with or without a key.

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.AccuracyAnswer = self._call("GET", "/v1/accuracy", {"min_slot": min_slot}, {})
        return answer

    def account(self) -> types.AccountAnswer:
        """Plan, balance, keys, limits, how to subscribe. Plan, balance, keys, limits, how to subscribe."""
        answer: types.AccountAnswer = self._call("GET", "/account/overview", {}, {})
        return answer

    def stream_token(self) -> types.StreamTokenAnswer:
        """A token that opens streams for a minute, for a browser in place of the key. A token that opens streams for a minute, for a browser in place of the key."""
        answer: types.StreamTokenAnswer = self._call("POST", "/account/stream-token", {}, {})
        return answer

    def watches(self) -> types.WatchesAnswer:
        """The watches of the account. The watches of the account."""
        answer: types.WatchesAnswer = self._call("GET", "/account/watches", {}, {})
        return answer

    def add_watch(self, *, kind: Any, target: str, name: str, min_sol: float = LEFT_OUT) -> types.AddWatchAnswer:
        """Watches an address, an actor, or new tokens by a filter. Watches an address, an actor, or new tokens by a filter.

        kind:
        target: an address; for an actor its id or number; for a condition a filter over new tokens
        name:
        min_sol: leaves out smaller trades
        """
        answer: types.AddWatchAnswer = self._call("POST", "/account/watches", {}, {"kind": kind, "target": target, "name": name, "min_sol": min_sol})
        return answer

    def change_watch(self, id: str, *, name: str = LEFT_OUT, paused: bool = LEFT_OUT, target: str = LEFT_OUT, min_sol: float = LEFT_OUT) -> types.ChangeWatchAnswer:
        """Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition. Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition.

        id:
        name:
        paused:
        target: an address; for an actor its id or number; for a condition a filter over new tokens
        min_sol: leaves out smaller trades
        """
        answer: types.ChangeWatchAnswer = self._call("PATCH", f"/account/watches/{quote(id, safe='')}", {}, {"name": name, "paused": paused, "target": target, "min_sol": min_sol})
        return answer

    def remove_watch(self, id: str) -> types.RemoveWatchAnswer:
        """Ends a watch. Ends a watch.

        id:
        """
        answer: types.RemoveWatchAnswer = self._call("DELETE", f"/account/watches/{quote(id, safe='')}", {}, {})
        return answer

    def alerts(self, *, after_seq: Optional[int] = None, before_seq: Optional[int] = None) -> types.AlertsAnswer:
        """The newest alerts. The newest alerts.

        after_seq: those after it, in order
        before_seq: those before it, newest first
        """
        answer: types.AlertsAnswer = self._call("GET", "/account/alerts", {"after_seq": after_seq, "before_seq": before_seq}, {})
        return answer

    def destinations(self) -> types.DestinationsAnswer:
        """Where alerts go. Where alerts go."""
        answer: types.DestinationsAnswer = self._call("GET", "/account/destinations", {}, {})
        return answer

    def add_destination(self, *, kind: Any, name: str, url: str = LEFT_OUT, watches: Union[list[str], None] = LEFT_OUT) -> types.AddDestinationAnswer:
        """Sends alerts there; the secret or code is shown only in this answer. Sends alerts there; the secret or code is shown only in this answer.

        kind:
        name:
        url: of a webhook, or of a webhook of Discord
        watches: ids of the watches whose alerts go there; null or left out: all
        """
        answer: types.AddDestinationAnswer = self._call("POST", "/account/destinations", {}, {"kind": kind, "name": name, "url": url, "watches": watches})
        return answer

    def change_destination(self, id: str, *, name: str = LEFT_OUT, enabled: bool = LEFT_OUT, url: str = LEFT_OUT, watches: Union[list[str], None] = LEFT_OUT) -> types.ChangeDestinationAnswer:
        """Renames, enables or disables a destination, or changes its URL or watches. Renames, enables or disables a destination, or changes its URL or watches.

        id:
        name:
        enabled:
        url: of a webhook, or of a webhook of Discord
        watches: ids of the watches whose alerts go there; null or left out: all
        """
        answer: types.ChangeDestinationAnswer = self._call("PATCH", f"/account/destinations/{quote(id, safe='')}", {}, {"name": name, "enabled": enabled, "url": url, "watches": watches})
        return answer

    def remove_destination(self, id: str) -> types.RemoveDestinationAnswer:
        """Ends a destination. Ends a destination.

        id:
        """
        answer: types.RemoveDestinationAnswer = self._call("DELETE", f"/account/destinations/{quote(id, safe='')}", {}, {})
        return answer

    def test_destination(self, id: str) -> types.TestDestinationAnswer:
        """Sends a test message, or the challenge again. Sends a test message, or the challenge again.

        id:
        """
        answer: types.TestDestinationAnswer = self._call("POST", f"/account/destinations/{quote(id, safe='')}/test", {}, {})
        return answer

    def rotate_secret(self, id: str) -> types.RotateSecretAnswer:
        """A new secret for a webhook; the previous one also signs for 24 hours. A new secret for a webhook; the previous one also signs for 24 hours.

        id:
        """
        answer: types.RotateSecretAnswer = self._call("POST", f"/account/destinations/{quote(id, safe='')}/secret", {}, {})
        return answer

    def link_chat(self, id: str) -> types.LinkChatAnswer:
        """A new code that links a Telegram chat. A new code that links a Telegram chat.

        id:
        """
        answer: types.LinkChatAnswer = self._call("POST", f"/account/destinations/{quote(id, safe='')}/link", {}, {})
        return answer

    def deliveries(self, id: str, *, before: Optional[int] = None) -> types.DeliveriesAnswer:
        """Its deliveries and their outcomes, newest first. Its deliveries and their outcomes, newest first.

        id:
        before: those before it
        """
        answer: types.DeliveriesAnswer = self._call("GET", f"/account/destinations/{quote(id, safe='')}/deliveries", {"before": before}, {})
        return answer

    def replay_delivery(self, id: str, number: str) -> types.ReplayDeliveryAnswer:
        """Sends a finished delivery again. Sends a finished delivery again.

        id:
        number:
        """
        answer: types.ReplayDeliveryAnswer = self._call("POST", f"/account/destinations/{quote(id, safe='')}/deliveries/{quote(number, safe='')}/replay", {}, {})
        return answer


class AsyncOperations:
    """The same operations, asynchronous."""

    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    async def snapshot(self, mint: str, *, fields: Optional[Union[str, Sequence[str]]] = None, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.TokenSnapshotAnswer:
        """Snapshot of a token. Everything known about who is behind one token, in ten groups. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.02 (20000 units of USDC).

        mint: token mint address
        fields: Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenSnapshotAnswer = await self._call("GET", f"/v1/tokens/{quote(mint, safe='')}", {"fields": fields, "at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    async def trades(self, mint: str, *, min_slot: Optional[int] = None) -> types.Trades:
        """Recent trades of a token. The 100 most recent trades, newest first, each with the trader’s record before that trade. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.01 (10000 units of USDC).

        mint: token mint address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.Trades = await self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/trades", {"min_slot": min_slot}, {})
        return answer

    async def new_tokens(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """New tokens. Tokens of the last minutes that passed the rug filters, newest first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = await self._call("GET", "/v1/tokens/new", {"min_slot": min_slot}, {})
        return answer

    async def pumps(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Pumping tokens. Tokens currently pumping, strongest 5-minute inflow first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = await self._call("GET", "/v1/tokens/pumps", {"min_slot": min_slot}, {})
        return answer

    async def graduated(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Graduated tokens. Recently graduated tokens, newest first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = await self._call("GET", "/v1/tokens/graduated", {"min_slot": min_slot}, {})
        return answer

    async def agents(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Buys of the top agents. The 20 most recent buys by the top trading agents, newest first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = await self._call("GET", "/v1/tokens/agents", {"min_slot": min_slot}, {})
        return answer

    async def survivors(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
        """Surviving tokens. Tokens still alive 3 to 24 hours after their launch, highest market cap first.

        Price per call without a key: $0.01 (10000 units of USDC).

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenCards = await self._call("GET", "/v1/tokens/survivors", {"min_slot": min_slot}, {})
        return answer

    async def trader(self, address: str, *, min_slot: Optional[int] = None) -> types.TraderAnswer:
        """Profile of a trader. A wallet’s history over every token it traded. Answers 404 when no trade from the wallet has ever been seen.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TraderAnswer = await self._call("GET", f"/v1/traders/{quote(address, safe='')}", {"min_slot": min_slot}, {})
        return answer

    async def deployer(self, address: str, *, limit: Optional[int] = None, offset: Optional[int] = None, min_slot: Optional[int] = None) -> types.DeployerAnswer:
        """Launches of a deployer. A page of the wallet’s launches, newest first, and a summary over all of them. Answers 404 when the wallet has never deployed a tracked token.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        limit: Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
        offset: Rows to skip.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.DeployerAnswer = await self._call("GET", f"/v1/devs/{quote(address, safe='')}/tokens", {"limit": limit, "offset": offset, "min_slot": min_slot}, {})
        return answer

    async def who(self, mint: str, *, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.WhoAnswer:
        """Who is behind a token. The verdict in words and numbers, worst first; people known from other tokens, coordinated groups with members, funders and the transactions their evidence rests on; the deployer’s record; the largest holders with what they paid and made; and what is not known. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.03 (30000 units of USDC).

        mint: token mint address
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.WhoAnswer = await self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/who", {"at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    async def check(self, mint: str, *, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.CheckAnswer:
        """The verdict on a token, in short. What `who` says in at most 600 characters: verdict and age, then what is worst, and what is not known. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.03 (30000 units of USDC).

        mint: token mint address
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.CheckAnswer = await self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/check", {"at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    async def explain(self, mint: str, *, at_slot: Optional[int] = None, min_slot: Optional[int] = None) -> types.ExplanationAnswer:
        """Why a token is scored and rated as it is. The exact sum of the score, the reasons for the ratings, the wallets behind each share, the counts behind the outlook, the evidence of each group and the 24 signals. Answers 404 when the mint is not tracked.

        Price per call without a key: $0.03 (30000 units of USDC).

        mint: token mint address
        at_slot: Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.ExplanationAnswer = await self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/explain", {"at_slot": at_slot, "min_slot": min_slot}, {})
        return answer

    async def actor(self, id: str, *, min_slot: Optional[int] = None) -> types.ActorAnswer:
        """The same people across tokens. An actor’s wallets, tokens with dates and results, the deployers that serve it, its record, and the evidence that joins its wallets. Answers 404 when there is no such actor.

        Price per call without a key: $0.02 (20000 units of USDC).

        id: actor: its stable id, or its number
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.ActorAnswer = await self._call("GET", f"/v1/actors/{quote(id, safe='')}", {"min_slot": min_slot}, {})
        return answer

    async def positions(self, wallet: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_slot: Optional[int] = None) -> types.PositionsAnswer:
        """Positions of a wallet. What a wallet holds and what it made, token by token, newest first: the 20 tokens it traded last, the newest it launched and those of groups it was in. Answers 404 when the wallet has never been seen.

        Price per call without a key: $0.02 (20000 units of USDC).

        wallet: wallet address
        limit: Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
        cursor: `meta.page.next_cursor` of the previous page; the first page when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.PositionsAnswer = await self._call("GET", f"/v1/wallets/{quote(wallet, safe='')}/positions", {"limit": limit, "cursor": cursor, "min_slot": min_slot}, {})
        return answer

    async def trade_history(self, mint: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_slot: Optional[int] = None) -> types.TradeHistory:
        """All trades of a token, page by page. Every trade back to the first one seen, newest first, as in `trades`. A cursor names a trade, so new trades do not shift the pages. Answers 404 when the mint is not tracked, or the cursor is not one of its trades.

        Price per call without a key: $0.01 (10000 units of USDC).

        mint: token mint address
        limit: Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
        cursor: `meta.page.next_cursor` of the previous page; the first page when omitted.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TradeHistory = await self._call("GET", f"/v1/tokens/{quote(mint, safe='')}/trades/history", {"limit": limit, "cursor": cursor, "min_slot": min_slot}, {})
        return answer

    async def trader_windows(self, address: str, *, min_slot: Optional[int] = None) -> types.TraderWindowsAnswer:
        """A trader’s last 7 and 30 days. Buys, SOL spent and profit realised, from the record before the wallet’s first trade in the window to now. Every trade from `covered_from_slot` on is covered; that may not be the whole window for a wallet that trades neither often nor rarely. Answers 404 when no trade from the wallet has ever been seen.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TraderWindowsAnswer = await self._call("GET", f"/v1/traders/{quote(address, safe='')}/windows", {"min_slot": min_slot}, {})
        return answer

    async def deployer_windows(self, address: str, *, min_slot: Optional[int] = None) -> types.DeployerWindowsAnswer:
        """A deployer’s last 7 and 30 days. The summary over the launches of each window, and how many of them were drained or rugged. Answers 404 when the wallet has never deployed a tracked token.

        Price per call without a key: $0.01 (10000 units of USDC).

        address: wallet address
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.DeployerWindowsAnswer = await self._call("GET", f"/v1/devs/{quote(address, safe='')}/windows", {"min_slot": min_slot}, {})
        return answer

    async def batch(self, *, mints: list[str], fields: str = LEFT_OUT, min_slot: int = LEFT_OUT) -> types.TokenBatchAnswer:
        """Snapshots of up to 50 tokens. The snapshot of each tracked mint with its slot, in the order of the request; a repeated mint counts once. Counted as one call for each token found. Answers 404 when none of the mints is tracked.

        Price per token found without a key: $0.02 (20000 units of USDC).

        mints: Token mint addresses, 1 to 50.
        fields: Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.TokenBatchAnswer = await self._call("POST", "/v1/tokens/batch", {}, {"mints": mints, "fields": fields, "min_slot": min_slot})
        return answer

    async def accuracy(self, *, min_slot: Optional[int] = None) -> types.AccuracyAnswer:
        """How good the outlook was. For each question about what becomes of a token, by age and band: how often it came true, and what had been predicted.

        Free, with or without a key.

        min_slot: The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
        """
        answer: types.AccuracyAnswer = await self._call("GET", "/v1/accuracy", {"min_slot": min_slot}, {})
        return answer

    async def account(self) -> types.AccountAnswer:
        """Plan, balance, keys, limits, how to subscribe. Plan, balance, keys, limits, how to subscribe."""
        answer: types.AccountAnswer = await self._call("GET", "/account/overview", {}, {})
        return answer

    async def stream_token(self) -> types.StreamTokenAnswer:
        """A token that opens streams for a minute, for a browser in place of the key. A token that opens streams for a minute, for a browser in place of the key."""
        answer: types.StreamTokenAnswer = await self._call("POST", "/account/stream-token", {}, {})
        return answer

    async def watches(self) -> types.WatchesAnswer:
        """The watches of the account. The watches of the account."""
        answer: types.WatchesAnswer = await self._call("GET", "/account/watches", {}, {})
        return answer

    async def add_watch(self, *, kind: Any, target: str, name: str, min_sol: float = LEFT_OUT) -> types.AddWatchAnswer:
        """Watches an address, an actor, or new tokens by a filter. Watches an address, an actor, or new tokens by a filter.

        kind:
        target: an address; for an actor its id or number; for a condition a filter over new tokens
        name:
        min_sol: leaves out smaller trades
        """
        answer: types.AddWatchAnswer = await self._call("POST", "/account/watches", {}, {"kind": kind, "target": target, "name": name, "min_sol": min_sol})
        return answer

    async def change_watch(self, id: str, *, name: str = LEFT_OUT, paused: bool = LEFT_OUT, target: str = LEFT_OUT, min_sol: float = LEFT_OUT) -> types.ChangeWatchAnswer:
        """Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition. Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition.

        id:
        name:
        paused:
        target: an address; for an actor its id or number; for a condition a filter over new tokens
        min_sol: leaves out smaller trades
        """
        answer: types.ChangeWatchAnswer = await self._call("PATCH", f"/account/watches/{quote(id, safe='')}", {}, {"name": name, "paused": paused, "target": target, "min_sol": min_sol})
        return answer

    async def remove_watch(self, id: str) -> types.RemoveWatchAnswer:
        """Ends a watch. Ends a watch.

        id:
        """
        answer: types.RemoveWatchAnswer = await self._call("DELETE", f"/account/watches/{quote(id, safe='')}", {}, {})
        return answer

    async def alerts(self, *, after_seq: Optional[int] = None, before_seq: Optional[int] = None) -> types.AlertsAnswer:
        """The newest alerts. The newest alerts.

        after_seq: those after it, in order
        before_seq: those before it, newest first
        """
        answer: types.AlertsAnswer = await self._call("GET", "/account/alerts", {"after_seq": after_seq, "before_seq": before_seq}, {})
        return answer

    async def destinations(self) -> types.DestinationsAnswer:
        """Where alerts go. Where alerts go."""
        answer: types.DestinationsAnswer = await self._call("GET", "/account/destinations", {}, {})
        return answer

    async def add_destination(self, *, kind: Any, name: str, url: str = LEFT_OUT, watches: Union[list[str], None] = LEFT_OUT) -> types.AddDestinationAnswer:
        """Sends alerts there; the secret or code is shown only in this answer. Sends alerts there; the secret or code is shown only in this answer.

        kind:
        name:
        url: of a webhook, or of a webhook of Discord
        watches: ids of the watches whose alerts go there; null or left out: all
        """
        answer: types.AddDestinationAnswer = await self._call("POST", "/account/destinations", {}, {"kind": kind, "name": name, "url": url, "watches": watches})
        return answer

    async def change_destination(self, id: str, *, name: str = LEFT_OUT, enabled: bool = LEFT_OUT, url: str = LEFT_OUT, watches: Union[list[str], None] = LEFT_OUT) -> types.ChangeDestinationAnswer:
        """Renames, enables or disables a destination, or changes its URL or watches. Renames, enables or disables a destination, or changes its URL or watches.

        id:
        name:
        enabled:
        url: of a webhook, or of a webhook of Discord
        watches: ids of the watches whose alerts go there; null or left out: all
        """
        answer: types.ChangeDestinationAnswer = await self._call("PATCH", f"/account/destinations/{quote(id, safe='')}", {}, {"name": name, "enabled": enabled, "url": url, "watches": watches})
        return answer

    async def remove_destination(self, id: str) -> types.RemoveDestinationAnswer:
        """Ends a destination. Ends a destination.

        id:
        """
        answer: types.RemoveDestinationAnswer = await self._call("DELETE", f"/account/destinations/{quote(id, safe='')}", {}, {})
        return answer

    async def test_destination(self, id: str) -> types.TestDestinationAnswer:
        """Sends a test message, or the challenge again. Sends a test message, or the challenge again.

        id:
        """
        answer: types.TestDestinationAnswer = await self._call("POST", f"/account/destinations/{quote(id, safe='')}/test", {}, {})
        return answer

    async def rotate_secret(self, id: str) -> types.RotateSecretAnswer:
        """A new secret for a webhook; the previous one also signs for 24 hours. A new secret for a webhook; the previous one also signs for 24 hours.

        id:
        """
        answer: types.RotateSecretAnswer = await self._call("POST", f"/account/destinations/{quote(id, safe='')}/secret", {}, {})
        return answer

    async def link_chat(self, id: str) -> types.LinkChatAnswer:
        """A new code that links a Telegram chat. A new code that links a Telegram chat.

        id:
        """
        answer: types.LinkChatAnswer = await self._call("POST", f"/account/destinations/{quote(id, safe='')}/link", {}, {})
        return answer

    async def deliveries(self, id: str, *, before: Optional[int] = None) -> types.DeliveriesAnswer:
        """Its deliveries and their outcomes, newest first. Its deliveries and their outcomes, newest first.

        id:
        before: those before it
        """
        answer: types.DeliveriesAnswer = await self._call("GET", f"/account/destinations/{quote(id, safe='')}/deliveries", {"before": before}, {})
        return answer

    async def replay_delivery(self, id: str, number: str) -> types.ReplayDeliveryAnswer:
        """Sends a finished delivery again. Sends a finished delivery again.

        id:
        number:
        """
        answer: types.ReplayDeliveryAnswer = await self._call("POST", f"/account/destinations/{quote(id, safe='')}/deliveries/{quote(number, safe='')}/replay", {}, {})
        return answer
