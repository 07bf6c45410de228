# Generated from openapi.json by `npm run clients`. Do not edit.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union
from urllib.parse import quote

from . import types


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

    def new(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
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

    def history(self, mint: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_slot: Optional[int] = None) -> types.TradeHistory:
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

    def batch(self, *, mints: list[str], fields: Optional[str] = None, min_slot: Optional[int] = None) -> types.TokenBatchAnswer:
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

    async def new(self, *, min_slot: Optional[int] = None) -> types.TokenCards:
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

    async def history(self, mint: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, min_slot: Optional[int] = None) -> types.TradeHistory:
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

    async def batch(self, *, mints: list[str], fields: Optional[str] = None, min_slot: Optional[int] = None) -> types.TokenBatchAnswer:
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
