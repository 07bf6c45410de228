"""The asynchronous client."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import httpx
import websockets
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from . import types
from ._operations import AsyncOperations
from ._shared import (
    BASE_URL,
    EVENTS,
    SILENT_S,
    OnGap,
    Place,
    answer_in,
    body_of,
    headers_of,
    query_of,
    stream_query,
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
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._retries = (0 if api_key is None else 2) if retries is None else retries
        self._max_wait_s = max_wait_s
        self._owns_http = http is None
        self._http = httpx.AsyncClient(timeout=30.0) if http is None else http

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
        attempt = 0
        while True:
            try:
                return answer_in(
                    await self._http.request(
                        method,
                        self._base_url + path,
                        params=query_of(query),
                        json=body_of(body),
                        headers=headers_of(self._api_key),
                    )
                )
            except (ApiError, httpx.TransportError) as error:
                await asyncio.sleep(wait_before_call(error, attempt, self._retries, self._max_wait_s))
                attempt += 1

    def frames(self, *, after_seq: int | None = None, on_gap: OnGap | None = None) -> AsyncIterator[types.Frame]:
        """Yields the trades of each transaction with each token, as they are confirmed. The stream does not end.

        after_seq: the last message you have processed; everything after it comes first. Without it, only live messages come
        on_gap: called when messages were lost; the stream continues after them. Without it, a loss is a StreamGapError
        """
        return cast(AsyncIterator[types.Frame], self._follow("frames:live", after_seq, on_gap))

    def token_events(
        self, *, after_seq: int | None = None, on_gap: OnGap | None = None
    ) -> AsyncIterator[types.TokenEvent]:
        """Yields the events of tokens: created, metadata, duplication, graduated, listing paid. Use it like `frames`."""
        return cast(AsyncIterator[types.TokenEvent], self._follow("tokens:live", after_seq, on_gap))

    async def _follow(self, topic: str, after_seq: int | None, on_gap: OnGap | None) -> AsyncIterator[Any]:
        place = Place(after_seq, on_gap)
        while True:
            failure: Exception | None = None
            try:
                async for name, value in self._connect(topic, place.after):
                    if name == "joined":
                        place.joined(value)
                    elif name == EVENTS[topic] and place.is_new(value):
                        yield value
                        place.processed(value)
            except InvalidHandshake as error:
                failure = await self._explain(topic) or error
            except (ApiError, OSError, asyncio.TimeoutError, ConnectionClosed) as error:
                failure = error
            await asyncio.sleep(place.wait_after(failure))

    async def _connect(self, topic: str, after: int | None) -> AsyncIterator[tuple[str, Any]]:
        url = self._base_url.replace("http", "ws", 1) + "/socket/websocket?vsn=2.0.0"
        # With unread messages, a close would wait for an answer that comes behind them.
        how = {"max_size": LARGEST_MESSAGE, "close_timeout": CLOSE_S}
        async with connect(url, subprotocols=self._subprotocols(), **how) as socket:
            await socket.send(json.dumps(["1", "1", topic, "phx_join", {} if after is None else {"after_seq": after}]))
            beating = asyncio.create_task(beat(socket))
            try:
                while True:
                    _, ref, to, event, payload = json.loads(await asyncio.wait_for(socket.recv(), SILENT_S))
                    if to != topic:
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
                f"{self._base_url}/v1/stream", params=stream_query(topic, None), headers=headers_of(self._api_key)
            )
        except httpx.TransportError:
            return None
        if response.status_code in (200, 404):
            return None
        codes = {402: "payment_required", 429: "rate_limited"}
        code = codes.get(response.status_code, "internal_error")
        body = {"error": {"code": code, "message": "the stream was refused"}}
        return ApiError(response.status_code, response.headers, body)


async def beat(socket: Any) -> None:
    while True:
        await asyncio.sleep(BEAT_S)
        await socket.send(json.dumps([None, "beat", "phoenix", "heartbeat", {}]))


def response_of(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    response: Mapping[str, Any] = payload["response"]
    if payload["status"] == "ok":
        return response
    raise ApiError(400, {}, {"error": {"code": "bad_request", "message": response.get("reason", "refused")}})
