"""Prints COUNT frames of a service, one a line: follow.py called|awaited COUNT."""

import asyncio
import json
import os
import sys

from token_intelligence import AsyncClient, Client

URL, KEY = os.environ["TI_URL"], os.environ["TI_KEY"]


def tell(frame):
    print(json.dumps(frame, ensure_ascii=False, separators=(",", ":")), flush=True)


def called(count):
    with Client(KEY, base_url=URL) as client:
        for heard, frame in enumerate(client.frames(after_seq=0), 1):
            tell(frame)
            if heard == count:
                return


async def awaited(count):
    heard = 0
    async with AsyncClient(KEY, base_url=URL) as client:
        async for frame in client.frames(after_seq=0):
            tell(frame)
            heard += 1
            if heard == count:
                return


if sys.argv[1] == "called":
    called(int(sys.argv[2]))
else:
    asyncio.run(awaited(int(sys.argv[2])))
