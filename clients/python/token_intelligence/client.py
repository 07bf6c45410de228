"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any

import httpx

from . import types
from ._operations import Operations
from ._shared import (
    BASE_URL,
    SILENT_S,
    OnGap,
    Place,
    Slots,
    answer_in,
    body_of,
    error_in,
    events_in,
    headers_of,
    lines_in,
    query_of,
    retries_of,
    wait_before_call,
)
from .errors import ApiError


class Client(Operations):
    """All operations, and the streams as server-sent events. Use it in a `with`, or call `close`.

    api_key: `sk_live_…`; without a key calls are paid for (see `http`) or answered 402, and there are no streams
    retries: the number of retries after a busy answer or a lost connection; the default is 2 with a key and no `http`, else 0,
        because a client that pays would pay again
    max_wait_s: the longest wait before a retry, in seconds; if the service asks for a longer one, the call fails
    timeout_s: the longest wait for an answer, in seconds, unless `http` is given, which has its own
    http: the httpx client to use, for example one that pays with x402; the caller closes it
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str = BASE_URL,
        retries: int | None = None,
        max_wait_s: float = 10.0,
        timeout_s: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._retries = (2 if api_key is not None and http is None else 0) if retries is None else retries
        self._slots = Slots()
        self._max_wait_s = max_wait_s
        self._owns_http = http is None
        self._http = httpx.Client(timeout=timeout_s) if http is None else http

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
        attempt, retries = 0, retries_of(method, path, self._retries)
        while True:
            try:
                response = self._http.request(
                    method,
                    self._base_url + path,
                    params=query_of(self._slots.not_before(path, query)),
                    json=body_of(self._slots.not_before(path, body)),
                    headers=headers_of(self._api_key),
                )
                self._slots.read(path, response)
                return answer_in(response)
            except (ApiError, httpx.TransportError) as error:
                time.sleep(wait_before_call(error, attempt, retries, self._max_wait_s))
                attempt += 1

    def frames(
        self, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> Generator[types.Frame, None, None]:
        """Yields the trades of each transaction with each token, as they are confirmed. The stream does not end.

        after_seq: the last message you have processed; everything after it comes first. Without it, only live messages come
        filter: only messages that match, as `sol_amount >= 5 and buy`. The language is that of watches
        on_gap: called when messages were lost; the stream continues after them. Without it, a loss is a StreamGapError
        """
        return self._follow(Place("frames:live", after_seq, filter, on_gap))

    def token_events(
        self, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> Generator[types.TokenEvent, None, None]:
        """Yields the events of tokens, from created to verdict changed. Use it like `frames`."""
        return self._follow(Place("tokens:live", after_seq, filter, on_gap))

    def verdicts(
        self, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> Generator[types.VerdictChanged, None, None]:
        """Yields every change of a token's verdict, with its cause. Use it like `frames`."""
        return self._follow(Place("verdicts:live", after_seq, filter, on_gap))

    def token(
        self, mint: str, *, after_seq: int | None = None, filter: str | None = None, on_gap: OnGap | None = None
    ) -> Generator[types.TokenEvent, None, None]:
        """Yields what happens to one token, its changes of verdict among it. Use it like `frames`."""
        return self._follow(Place(f"token:{mint}", after_seq, filter, on_gap))

    def alert_stream(
        self, *, after_seq: int | None = None, on_gap: OnGap | None = None
    ) -> Generator[types.AlertEvent, None, None]:
        """Yields the alerts of the key's account; the same one may come again with another `seq`."""
        return self._follow(Place("alerts:mine", after_seq, None, on_gap))

    def _follow(self, place: Place) -> Generator[Any, None, None]:
        while True:
            failure: Exception | None = None
            try:
                for name, value in self._connect(place):
                    if name == "joined":
                        place.joined(value)
                    elif name == place.event and place.is_new(value):
                        yield value
                        place.processed(value)
            except (ApiError, httpx.TransportError, ValueError) as error:
                failure = error
            time.sleep(place.wait_after(failure))

    def _connect(self, place: Place) -> Iterator[tuple[str, Any]]:
        with self._http.stream(
            "GET",
            f"{self._base_url}/v1/stream",
            params=query_of({"topic": place.topic, **place.asked()}),
            headers=headers_of(self._api_key),
            timeout=SILENT_S,
        ) as response:
            if response.status_code != 200:
                response.read()
                raise error_in(response)
            yield from events_in(lines_in(response.iter_bytes()))
