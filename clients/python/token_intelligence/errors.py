"""What a call or a stream can end with, beside the errors of httpx."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class ApiError(Exception):
    """What the service answered instead of data."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {}
        super().__init__(f"{status}: {error.get('message', 'no explanation')}")
        self.status = status
        self.code: str = error.get("code", "unknown")
        """stable; `unknown` where the answer came from something in between"""
        self.request_id: str | None = error.get("request_id") or headers.get("x-request-id")
        """finds the call in the service's log"""
        asked = headers.get("retry-after", "")
        self.retry_after: int | None = int(asked) if asked.isdecimal() else error.get("retry_after")
        """seconds to wait"""
        self.upgrade_url: str | None = error.get("upgrade_url")
        """where to subscribe"""
        self.body = body
        """the parsed body: of a 402 with the offers of x402 version 1"""


@dataclass(frozen=True)
class StreamGap:
    """Missing are `after` + 1 to `seq`; where `seq` is smaller the numbers have begun anew."""

    after: int
    """the last message that was received"""
    seq: int
    """the newest there is; the stream can go on after it"""
    oldest_seq: int


class StreamGapError(Exception):
    """A stream cannot go on where it was: messages are no longer kept, or the service's data was rebuilt."""

    def __init__(self, gap: StreamGap) -> None:
        super().__init__(
            f"the stream does not go on after {gap.after}: "
            f"the service is at {gap.seq} and keeps {gap.oldest_seq} and newer"
        )
        self.gap = gap
