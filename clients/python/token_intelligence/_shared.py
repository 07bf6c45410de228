"""Helpers of calls and streams for both clients. They do no input or output."""

from __future__ import annotations

import json
import logging
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import httpx

from .errors import ApiError, StreamGap, StreamGapError

BASE_URL = "http://127.0.0.1:4000"
EVENTS = {"frames:live": "frame", "verdicts:live": "verdict_changed", "alerts:mine": "alert"}
SILENT_S = 60.0
"""A connection without any message for this many seconds counts as lost. The service sends one every 15 s."""
MOST_BACKOFF_S = 5.0
WARN_AFTER = 6
"""Connections that failed in a row, about 10 s: what a restart of the service takes passes without a word."""
MOST_SLOTS = 1_000
"""Paths whose slot is remembered. The oldest are forgotten first."""

LEFT_OUT: Any = object()
"""The value of a field that a body does not have: None is null, which means something else."""

logger = logging.getLogger("token_intelligence")

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
    return {name: value for name, value in asked.items() if value is not LEFT_OUT} if asked else None


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


def retries_of(method: str, path: str, retries: int) -> int:
    """A change that was lost on its way back would be made twice."""
    return retries if method == "GET" or path.startswith("/v1/") else 0


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


class Slots:
    """The newest slot read of each path, so that no later answer is older: behind a balancer, nodes are some slots apart."""

    def __init__(self) -> None:
        self._read: dict[str, int] = {}

    def not_before(self, path: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        slot = self._read.get(path)
        if slot is None or asked.get("min_slot", 0) not in (None, LEFT_OUT) or asked.get("at_slot") is not None:
            return asked
        return {**asked, "min_slot": slot}

    def read(self, path: str, response: httpx.Response) -> None:
        slot = response.headers.get("x-slot", "")
        if response.status_code == 200 and slot.isdecimal():
            self._read[path] = max(int(slot), self._read.pop(path, -1))
            if len(self._read) > MOST_SLOTS:
                del self._read[next(iter(self._read))]


class Place:
    """The cursor of a stream, with its rules for gaps, repeated messages and failed connections."""

    def __init__(self, topic: str, after_seq: int | None, filter: str | None, on_gap: OnGap | None) -> None:
        self.topic = topic
        self.event = EVENTS.get(topic, "token_event")
        self.after = after_seq
        self._filter = filter
        self._on_gap = on_gap
        self._failures = 0

    def asked(self) -> dict[str, Any]:
        """What a join asks for."""
        return body_of({"after_seq": self.after, "filter": self._filter}) or {}

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
        if self._failures == WARN_AFTER:
            logger.warning("%s cannot be followed at the moment, retrying: %s", self.topic, error or "closed")
        return backoff_s(self._failures - 1)


def seq_of(payload: Mapping[str, Any]) -> int | None:
    data = payload.get("data")
    return data.get("seq") if isinstance(data, dict) else None


def lines_in(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yields complete lines. httpx also splits at characters that a token's name may contain, so it cannot be used."""
    rest, is_split, is_first = b"", False, True
    for chunk in filter(None, chunks):
        # the LF of a line's end whose CR came before
        *whole, rest = LINE_END.split(rest + (chunk.removeprefix(b"\n") if is_split else chunk))
        is_split = chunk.endswith(b"\r")
        for line in whole:
            yield line.decode().removeprefix("\ufeff" if is_first else "")
            is_first = False


LINE_END = re.compile(rb"\r\n|\n|\r")


def events_in(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yields the name and value of each server-sent event, as the HTML standard has them."""
    name, data = "", list[str]()
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif line == "":
            if data:
                yield name, json.loads("\n".join(data))
            name, data = "", []
