"""The asynchronous client."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

import httpx
import websockets
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from . import types
from ._operations import AsyncOperations
from ._shared import (
    BASE_URL,
    SILENT_S,
    OnGap,
    Place,
    Slots,
    answer_in,
    body_of,
    headers_of,
    query_of,
    retries_of,
    wait_before_call,
)
from .errors import ApiError

# The package loads `connect` lazily, and types it differently in each version.
connect: Any = getattr(websockets, "connect")

BEAT_S = 25.0
CLOSE_S = 1.0
LARGEST_MESSAGE = 1 << 24
"""Bytes. The largest messages are transactions with dozens of trades, some tens of kB."""


class AsyncClient(AsyncOperations):
    """All operations, and the streams over a WebSocket. Use it in an `async with`, or await `close`.

    The parameters are those of `Client`; `http` is an `httpx.AsyncClient`. A stream buffers a few unread messages and then
    stops reading. If the service cuts it off in between, it resumes at its cursor.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str = BASE_URL,
        retries: int | None = None,
        max_wait_s: float = 10.0,
        timeout_s: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._retries = (2 if api_key is not None and http is None else 0) if retries is None else retries
        self._slots = Slots()
        self._max_wait_s = max_wait_s
        self._owns_http = http is None
        self._http = httpx.AsyncClient(timeout=timeout_s) if http is None else http

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
        attempt, retries = 0, retries_of(method, path, self._retries)
        while True:
            try:
                response = await self._http.request(
                    method,
                    self._base_url + path,
                    params=query_of(self._slots.not_before(path, query)),
                    json=body_of(self._slots.not_before(path, body)),
                    headers=headers_of(self._api_key),
                )
                self._slots.read(path, response)
                return answer_in(response)
            except (ApiError, httpx.TransportError) as error:
                await asyncio.sleep(wait_before_call(error, attempt, retries, self._max_wait_s))
                attempt += 1

    def frames(
        self, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> AsyncGenerator[types.Frame, None]:
        """Yields the trades of each transaction with each token, as they are confirmed. The stream does not end.

        after_seq: the last message you have processed; everything after it comes first. Without it, only live messages come
        filter: only messages that match, as `sol_amount >= 5 and buy`. The language is that of watches
        on_gap: called when messages were lost; the stream continues after them. Without it, a loss is a StreamGapError
        """
        return self._follow(Place("frames:live", after_seq, filter, on_gap))

    def token_events(
        self, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> AsyncGenerator[types.TokenEvent, None]:
        """Yields the events of tokens, from created to verdict changed. Use it like `frames`."""
        return self._follow(Place("tokens:live", after_seq, filter, on_gap))

    def verdicts(
        self, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> AsyncGenerator[types.VerdictChanged, None]:
        """Yields every change of a token's verdict, with its cause. Use it like `frames`."""
        return self._follow(Place("verdicts:live", after_seq, filter, on_gap))

    def token(
        self, mint: str, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> AsyncGenerator[types.TokenEvent, None]:
        """Yields what happens to one token, its changes of verdict among it. Use it like `frames`."""
        return self._follow(Place(f"token:{mint}", after_seq, filter, on_gap))

    def alert_stream(
        self, *, after_seq: int | None = None, on_gap: OnGap | None = None
    ) -> AsyncGenerator[types.AlertEvent, None]:
        """Yields the alerts of the key's account; the same one may come again with another `seq`."""
        return self._follow(Place("alerts:mine", after_seq, None, on_gap))

    async def _follow(self, place: Place) -> AsyncGenerator[Any, None]:
        while True:
            failure: Exception | None = None
            try:
                async with aclosing(self._connect(place)) as arrivals:
                    async for name, value in arrivals:
                        # a message that waits already comes without a pause in which a cancellation could
                        await asyncio.sleep(0)
                        if name == "joined":
                            place.joined(value)
                        elif name == place.event and place.is_new(value):
                            yield value
                            place.processed(value)
            except InvalidHandshake as error:
                failure = await self._explain(place.topic) or error
            except (ApiError, OSError, TimeoutError, ConnectionClosed, ValueError) as error:
                failure = error
            await asyncio.sleep(place.wait_after(failure))

    async def _connect(self, place: Place) -> AsyncGenerator[tuple[str, Any], None]:
        url = self._base_url.replace("http", "ws", 1) + "/socket/websocket?vsn=2.0.0"
        # With unread messages, a close would wait for an answer that comes behind them.
        how = {"max_size": LARGEST_MESSAGE, "close_timeout": CLOSE_S}
        async with connect(url, subprotocols=self._subprotocols(), **how) as socket:
            await socket.send(json.dumps(["1", "1", place.topic, "phx_join", place.asked()]))
            beating = asyncio.create_task(beat(socket))
            try:
                while True:
                    async with asyncio.timeout(SILENT_S):
                        received = await socket.recv()
                    _, ref, to, event, payload = message_in(received)
                    if to != place.topic:
                        continue
                    if event == "phx_reply" and ref == "1":
                        yield "joined", response_of(payload)
                    elif event in ("phx_error", "phx_close"):
                        return
                    else:
                        yield event, payload
            finally:
                beating.cancel()

    def _subprotocols(self) -> Any:
        """A key among the subprotocols does not appear in the logs of proxies."""
        if self._api_key is None:
            return None
        key = base64.urlsafe_b64encode(self._api_key.encode()).decode().rstrip("=")
        return ["phoenix", f"base64url.bearer.phx.{key}"]

    async def _explain(self, topic: str) -> ApiError | None:
        """Asks over HTTP why a WebSocket was refused. None means it no longer is, or the reason is unknown."""
        try:
            response = await self._http.head(
                f"{self._base_url}/v1/stream", params={"topic": topic}, headers=headers_of(self._api_key)
            )
        except httpx.TransportError:
            return None
        if response.status_code in (200, 404):
            return None
        codes = {402: "payment_required", 429: "rate_limited"}
        code = codes.get(response.status_code, "internal_error")
        body = {"error": {"code": code, "message": "the stream was refused"}}
        return ApiError(response.status_code, response.headers, body)


def message_in(text: str | bytes) -> list[Any]:
    """Raises a ValueError for what is no message of the protocol: the connection cannot be trusted any more."""
    message = json.loads(text)
    if not isinstance(message, list) or len(message) != 5 or not isinstance(message[4], dict):
        raise ValueError("a message of the protocol is a list of five")
    return message


async def beat(socket: Any) -> None:
    while True:
        await asyncio.sleep(BEAT_S)
        await socket.send(json.dumps([None, "beat", "phoenix", "heartbeat", {}]))


def response_of(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    response: Mapping[str, Any] = payload["response"]
    if payload["status"] == "ok":
        return response
    raise ApiError(400, {}, {"error": {"code": "bad_request", "message": response.get("reason", "refused")}})
