"""Tests against a service with 30 frames, of which it keeps 25. Its address, key and mint are in the environment."""

import asyncio
import json
import os

import httpx
import pytest

from token_intelligence import ApiError, AsyncClient, Client, StreamGap, StreamGapError, __version__, types

URL = os.environ["TI_URL"]
KEY = os.environ["TI_KEY"]
MINT = os.environ["TI_MINT"]
TRADER = os.environ["TI_TRADER"]
DEPLOYER = os.environ["TI_DEPLOYER"]
NOBODY = "sk_live_" + "x" * 43


def client(key: str | None = KEY, **more: object) -> Client:
    return Client(key, base_url=URL, **more)


def awaited(run):
    """Runs a coroutine function with an asynchronous client."""

    async def main():
        async with AsyncClient(KEY, base_url=URL) as service:
            return await run(service)

    return asyncio.run(main())


def test_every_operation_called_and_awaited_alike():
    calls = {
        "snapshot": (MINT,),
        "trades": (MINT,),
        "new_tokens": (),
        "pumps": (),
        "graduated": (),
        "agents": (),
        "survivors": (),
        "trader": (TRADER,),
        "deployer": (DEPLOYER,),
        "who": (MINT,),
        "check": (MINT,),
        "explain": (MINT,),
        "positions": (TRADER,),
        "trade_history": (MINT,),
        "trader_windows": (TRADER,),
        "deployer_windows": (DEPLOYER,),
        "accuracy": (),
    }

    async def all_of(service):
        return {name: await getattr(service, name)(*given) for name, given in calls.items()}

    with client() as service:
        mine = {name: getattr(service, name)(*given) for name, given in calls.items()}
    theirs = awaited(all_of)
    for name in calls:
        assert mine[name]["data"] == theirs[name]["data"], name
    assert mine["snapshot"]["data"]["meta"]["mint"] == MINT
    assert __version__ == types.VERSION


def test_parameters_are_passed_on():
    with client() as service:
        some = service.snapshot(MINT, fields=["score", "ratings"])
        assert sorted(some["data"]) == ["ratings", "score"]
        assert service.snapshot(MINT, fields="score")["data"].keys() == {"score"}
        batch = service.batch(mints=[MINT, TRADER], fields="score")
        assert [token["mint"] for token in batch["data"]["tokens"]] == [MINT]
        assert batch["data"]["not_found"] == [TRADER]
        page = service.deployer(DEPLOYER, limit=1, offset=0)
        assert page["meta"]["page"] == {"limit": 1, "offset": 0, "returned": 1}


def test_what_is_no_data_is_an_error():
    with client() as service:
        with pytest.raises(ApiError) as wrong:
            service.snapshot("../../healthz?x")
        assert (wrong.value.status, wrong.value.code) == (400, "bad_request")
        assert wrong.value.request_id.startswith("req_")
    with client(None) as stranger, pytest.raises(ApiError) as unpaid:
        stranger.new_tokens()
    assert (unpaid.value.status, unpaid.value.upgrade_url) == (402, "https://api.example.com/account")
    assert "accepts" in unpaid.value.body


def scripted(*answers):
    """Returns the answers in turn, and the last one for every further request."""
    left = list(answers)

    def answer(request):
        found = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(found, Exception):
            raise found
        status, headers, body = found
        return httpx.Response(status, headers=headers, json=body)

    return httpx.MockTransport(answer)


def test_null_in_a_body_is_not_left_out():
    sent = []

    def answer(request):
        sent.append(json.loads(request.content))
        return httpx.Response(200, json={"data": {}})

    with client(http=httpx.Client(transport=httpx.MockTransport(answer))) as service:
        service.change_destination("one", watches=None)
        service.change_destination("one", name="mine")
    assert sent == [{"watches": None}, {"name": "mine"}]


FULL = (503, {"retry-after": "0"}, {})
FINE = (200, {}, {"data": []})


def test_a_shortage_and_a_lost_connection_are_waited_out_within_bounds():
    lost = httpx.ConnectError("lost")
    with client(retries=2, http=httpx.Client(transport=scripted(lost, FULL, FINE))) as service:
        assert service.new_tokens() == {"data": []}
    paid = client(http=httpx.Client(transport=scripted(lost, FINE)))
    with paid as service, pytest.raises(httpx.ConnectError):
        service.new_tokens()
    with client(retries=2, http=httpx.Client(transport=scripted(lost, FULL, FULL))) as service, pytest.raises(ApiError):
        service.new_tokens()
    late = (429, {"retry-after": "30"}, {})
    with client(retries=2, http=httpx.Client(transport=scripted(late))) as service, pytest.raises(ApiError) as error:
        service.new_tokens()
    assert error.value.retry_after == 30

    async def main():
        http = httpx.AsyncClient(transport=scripted(lost, FULL, FINE))
        async with AsyncClient(KEY, retries=2, http=http) as service:
            return await service.new_tokens()

    assert asyncio.run(main()) == {"data": []}


def test_streams_resume_behind_what_one_has():
    def some(frames):
        return [next(frames)["data"]["seq"] for _ in range(20)]

    async def some_awaited(service):
        frames = service.frames(after_seq=10)
        return [(await anext(frames))["data"]["seq"] for _ in range(20)]

    with client() as service:
        assert some(service.frames(after_seq=10)) == list(range(11, 31))
    assert awaited(some_awaited) == list(range(11, 31))


def test_streams_of_one_token_and_through_a_filter():
    def some(events):
        return [next(events)["data"]["seq"] for _ in range(2)]

    async def some_awaited(service):
        events = service.token(MINT, after_seq=0)
        return [(await anext(events))["data"]["seq"] for _ in range(2)]

    with client() as service:
        assert some(service.token(MINT, after_seq=0)) == [1, 3]
        assert some(service.token_events(after_seq=0, filter=f'mint == "{TRADER}"')) == [2, 4]
    assert awaited(some_awaited) == [1, 3]


def test_what_is_lost_is_an_error_or_is_told():
    gap = StreamGap(after=2, seq=30, oldest_seq=6)

    async def ask(service):
        with pytest.raises(StreamGapError) as error:
            await anext(service.frames(after_seq=2))
        return error.value.gap

    assert awaited(ask) == gap
    with client() as service:
        with pytest.raises(StreamGapError) as error:
            next(service.frames(after_seq=2))
        assert error.value.gap == gap
        with pytest.raises(ApiError) as wrong:
            next(service.frames(after_seq=-1))
        assert wrong.value.status == 400

    told = []

    class Enough(Exception):
        pass

    def on_gap(lost):
        told.append(lost)
        raise Enough

    with client() as service, pytest.raises(Enough):
        next(service.frames(after_seq=2, on_gap=on_gap))
    assert told == [gap]


def test_a_key_that_is_not_accepted_is_an_error():
    with client(NOBODY) as service, pytest.raises(ApiError) as refused:
        next(service.frames())
    assert (refused.value.status, refused.value.code) == (402, "payment_required")

    async def main():
        async with AsyncClient(NOBODY, base_url=URL) as service:
            await anext(service.token_events())

    with pytest.raises(ApiError) as refused:
        asyncio.run(main())
    assert refused.value.status == 402
