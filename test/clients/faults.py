"""Meets every fault with both clients. Reads the table from stdin, and prints what came of each fault."""

import asyncio
import json
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing

import httpx

from token_intelligence import ApiError, AsyncClient, Client, StreamGapError

asked = json.load(sys.stdin)
FAULTS = list(enumerate(asked["faults"]))
warnings: list[str] = []


class Kept(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())


logging.getLogger("token_intelligence").addHandler(Kept())


def is_alone(fault):
    return "warned" in fault["expected"]


def end_of(error):
    if isinstance(error, ApiError):
        return str(error.status)
    if isinstance(error, StreamGapError):
        return "gap"
    return "lost" if isinstance(error, httpx.TransportError) else "error"


def options_of(face, no, fault, http):
    # only what never ends has a short timeout: nothing else depends on how fast this machine is
    timeout_s = 0.3 if {"hang", "half"} & set(map(str, fault.get("replies", []))) else 60
    own = {"http": http(timeout=timeout_s)} if fault.get("ownHttp") else {"timeout_s": timeout_s}
    key = None if fault.get("key") is False else asked["key"]
    return {"api_key": key, "base_url": f"{asked['url']}/{face}/{no}", "max_wait_s": 0.2, **own}


def stream_of(fault, gaps):
    skipped = {"on_gap": lambda gap: gaps.append([gap.after, gap.seq])} if fault.get("skipGaps") else {}
    return {"after_seq": fault["after"], **skipped}


def outcome(ends, seqs, gaps, late):
    return {"ends": ends, "seqs": seqs, "gaps": gaps, "late": late, "warned": False}


def meet(no, fault):
    seqs, gaps, late, ends = [], [], 0, "left"
    with Client(**options_of("sync", no, fault, httpx.Client)) as client:
        try:
            if "replies" in fault:
                client.new_tokens()
                ends = "ok"
            else:
                frames = client.frames(**stream_of(fault, gaps))
                for frame in frames:
                    late += ends == "cancelled"
                    seqs.append(frame["data"]["seq"])
                    if len(seqs) == fault.get("cancelAfter"):
                        frames.close()
                        ends = "cancelled"
                    if len(seqs) == fault["take"]:
                        break
        except Exception as error:
            ends = end_of(error)
    return outcome(ends, seqs, gaps, late)


async def meet_awaited(no, fault):
    seqs, gaps, late, ends = [], [], 0, "left"
    options = options_of("websocket", no, fault, httpx.AsyncClient)

    async def read(client):
        nonlocal late, ends
        async with aclosing(client.frames(**stream_of(fault, gaps))) as frames:
            async for frame in frames:
                late += ends == "cancelled"
                seqs.append(frame["data"]["seq"])
                if len(seqs) == fault.get("cancelAfter"):
                    ends = "cancelled"
                    asyncio.current_task().cancel()
                if len(seqs) == fault["take"]:
                    break

    async with AsyncClient(**options) as client:
        try:
            if "replies" in fault:
                await client.new_tokens()
                ends = "ok"
            else:
                await asyncio.create_task(read(client))
        except asyncio.CancelledError:
            pass
        except Exception as error:
            ends = end_of(error)
    if fault.get("ownHttp"):
        await options["http"].aclose()
    return outcome(ends, seqs, gaps, late)


def warned(found):
    told = len(warnings) == 1
    warnings.clear()
    return {**found, "warned": told}


async def all_awaited():
    faults = [(no, fault) for no, fault in FAULTS if not fault["ofEvents"]]
    together = [(no, fault) for no, fault in faults if not is_alone(fault)]
    found = dict(zip([no for no, _ in together], await asyncio.gather(*[meet_awaited(*one) for one in together])))
    warnings.clear()
    for no, fault in faults:
        if is_alone(fault):
            found[no] = warned(await meet_awaited(no, fault))
    return found


def all_called():
    together = [(no, fault) for no, fault in FAULTS if not is_alone(fault)]
    with ThreadPoolExecutor(len(together)) as threads:
        found = dict(zip([no for no, _ in together], threads.map(lambda one: meet(*one), together)))
    warnings.clear()
    for no, fault in FAULTS:
        if is_alone(fault):
            found[no] = warned(meet(no, fault))
    return found


print(json.dumps({"sync": all_called(), "websocket": asyncio.run(all_awaited())}))
