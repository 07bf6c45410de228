"""The errors of calls and streams, beside those of httpx."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class ApiError(Exception):
    """An answer of the service other than 200."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {}
        super().__init__(f"{status}: {error.get('message', 'no explanation')}")
        self.status = status
        self.code: str = error.get("code", "unknown")
        """Stable. `unknown` if the answer came from a proxy in between."""
        self.request_id: str | None = error.get("request_id") or headers.get("x-request-id")
        """The request's id in the service's log."""
        asked = headers.get("retry-after", "")
        self.retry_after: int | None = int(asked) if asked.isdecimal() else error.get("retry_after")
        """Seconds to wait."""
        self.upgrade_url: str | None = error.get("upgrade_url")
        """The page to subscribe on."""
        self.body = body
        """The parsed body. In a 402 it contains the offers of x402 version 1."""


@dataclass(frozen=True)
class StreamGap:
    """The messages `after` + 1 to `seq` are missing. If `seq` is smaller, the numbers have started again."""

    after: int
    """The last message received."""
    seq: int
    """The newest message. The stream can continue after it."""
    oldest_seq: int


class StreamGapError(Exception):
    """The stream cannot continue: messages in between are no longer kept, or the service's data was rebuilt."""

    def __init__(self, gap: StreamGap) -> None:
        super().__init__(
            f"the stream does not go on after {gap.after}: "
            f"the service is at {gap.seq} and keeps {gap.oldest_seq} and newer"
        )
        self.gap = gap
