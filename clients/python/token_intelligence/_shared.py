"""Helpers of calls and streams for both clients. They do no input or output."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import httpx

from .errors import ApiError, StreamGap, StreamGapError

BASE_URL = "http://127.0.0.1:4000"
EVENTS = {"frames:live": "frame", "tokens:live": "token_event"}
SILENT_S = 60.0
"""A connection without any message for this many seconds counts as lost. The service sends one every 15 s."""
MOST_BACKOFF_S = 5.0

OnGap = Callable[[StreamGap], None]


def headers_of(api_key: str | None) -> dict[str, str]:
    return {} if api_key is None else {"authorization": f"Bearer {api_key}"}


def query_of(asked: Mapping[str, Any]) -> dict[str, str]:
    """Lists become comma-separated strings. Values that are None are left out."""
    return {
        name: value if isinstance(value, str) else ",".join(value) if isinstance(value, (list, tuple)) else str(value)
        for name, value in asked.items()
        if value is not None
    }


def body_of(asked: Mapping[str, Any]) -> dict[str, Any] | None:
    return {name: value for name, value in asked.items() if value is not None} if asked else None


def answer_in(response: httpx.Response) -> Any:
    """Returns the parsed body of a 200, and raises an ApiError otherwise."""
    if response.status_code == 200:
        return response.json()
    raise error_in(response)


def error_in(response: httpx.Response) -> ApiError:
    try:
        body = response.json()
    except ValueError:
        body = None
    return ApiError(response.status_code, response.headers, body)


def backoff_s(attempt: int, most_s: float = MOST_BACKOFF_S) -> float:
    """Seconds before a retry. They double each time, and are random so that clients do not retry together."""
    return min(most_s, 0.25 * 2.0 ** min(attempt, 10)) * random.uniform(0.5, 1)


def wait_before_call(error: Exception, attempt: int, retries: int, max_wait_s: float) -> float:
    """Returns the seconds before a failed call is retried. It raises the error if a retry would not help."""
    if attempt >= retries:
        raise error
    if isinstance(error, ApiError):
        if error.status not in (429, 502, 503, 504) or (error.retry_after or 0) > max_wait_s:
            raise error
        if error.retry_after is not None:
            return error.retry_after
    return backoff_s(attempt, max_wait_s)


class Place:
    """The cursor of a stream, with its rules for gaps, repeated messages and failed connections."""

    def __init__(self, after_seq: int | None, on_gap: OnGap | None) -> None:
        self.after = after_seq
        self._on_gap = on_gap
        self._failures = 0

    def joined(self, reply: Mapping[str, Any]) -> None:
        """Handles the first message of a connection. It raises a StreamGapError if messages are missing."""
        seq = reply.get("seq")
        if seq is None or self.after is None or reply.get("resumed"):
            if self.after is None:
                self.after = seq
            return
        gap = StreamGap(self.after, seq, reply.get("oldest_seq", seq))
        if self._on_gap is None:
            raise StreamGapError(gap)
        self._on_gap(gap)
        self.after = seq

    def is_new(self, payload: Mapping[str, Any]) -> bool:
        seq = seq_of(payload)
        return seq is None or self.after is None or seq > self.after

    def processed(self, payload: Mapping[str, Any]) -> None:
        self.after = seq_of(payload)
        self._failures = 0

    def wait_after(self, error: Exception | None) -> float:
        """Returns the seconds until the next connection. It raises errors that a retry would not change."""
        if isinstance(error, ApiError):
            if error.status < 500 and error.status != 429:
                raise error
            if error.retry_after is not None:
                return error.retry_after
        self._failures += 1
        return backoff_s(self._failures - 1)


def seq_of(payload: Mapping[str, Any]) -> int | None:
    data = payload.get("data")
    return data.get("seq") if isinstance(data, dict) else None


def lines_in(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yields complete lines. httpx also splits at characters that a token's name may contain, so it cannot be used."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode()


def events_in(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yields the name and value of each server-sent event."""
    name, data = "", None
    for line in lines:
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            data = line[6:]
        elif line == "" and data is not None:
            yield name, json.loads(data)
            name, data = "", None


def stream_query(topic: str, after: int | None) -> dict[str, str]:
    return query_of({"topic": topic, "after_seq": after})
