"""Client of the Token Intelligence API: who is behind a memecoin on Solana."""

from . import types
from .async_client import AsyncClient
from .client import Client
from .errors import ApiError, StreamGap, StreamGapError
from .types import VERSION as __version__

__all__ = ["ApiError", "AsyncClient", "Client", "StreamGap", "StreamGapError", "__version__", "types"]
