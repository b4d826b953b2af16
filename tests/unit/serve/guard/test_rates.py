"""Rates and gates: who asks too much waits, and the others do not."""

from __future__ import annotations

import asyncio

import pytest

from kag.serve.guard.access import MOST_CLIENTS, Bucket, Gate, Guesses
from kag.serve.problems import Refusal


def test_a_client_is_told_when_to_come_again() -> None:
    now = [0.0]
    bucket = Bucket(2, 3, lambda: now[0])
    assert [bucket.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take("b") == 0
    now[0] = 0.5
    assert bucket.take("a") == 0
    assert bucket.take("a") == 0.5


def test_only_so_many_clients_are_remembered() -> None:
    bucket = Bucket(1, 1, lambda: 0.0)
    for number in range(MOST_CLIENTS + 5):
        bucket.take(str(number))
    assert bucket.take("0") == 0
    assert bucket.take(str(MOST_CLIENTS + 4)) == 1


def test_a_gate_lets_some_in_and_sends_some_away() -> None:
    async def through() -> list[str]:
        gate, seen = Gate(1, 1, 5, Bucket(1, 1)), list[str]()

        async def enter(name: str) -> None:
            try:
                async with gate.entered():
                    await asyncio.sleep(0.05)
                    seen.append(name)
            except Refusal as refusal:
                seen.append(f"{name} {refusal.status} {refusal.headers['Retry-After']}")

        first = asyncio.ensure_future(enter("first"))
        await asyncio.sleep(0.01)
        await asyncio.gather(first, enter("second"), enter("third"))
        return seen

    assert asyncio.run(through()) == ["third 429 2", "first", "second"]


def test_a_gate_is_not_waited_for_for_ever() -> None:
    async def through() -> None:
        gate = Gate(1, 5, 0.02, Bucket(1, 1))
        async with gate.entered():
            with pytest.raises(Refusal, match="take too long"):
                async with gate.entered():
                    pass
        async with gate.entered():
            pass

    asyncio.run(through())


def test_wrong_tokens_of_others_keep_no_owner_out() -> None:
    now = [0.0]
    guesses = Guesses(3, 6, lambda: now[0])
    assert [guesses.wrong("198.51.100.1") for _ in range(4)] == [0, 0, 0, 20]
    assert guesses.wait("198.51.100.1") == 20
    assert guesses.wait("192.0.2.1") == 0  # another address
    for number in range(9):
        guesses.wrong(f"198.51.100.{number}")
    assert guesses.wait("192.0.2.1") == 0  # overall there are too many: a new address still has one try
    guesses.wrong("192.0.2.1")
    assert guesses.wait("192.0.2.1") > 0
    guesses.right("192.0.2.1")
    assert guesses.wait("192.0.2.1") == 0  # it has the token: it is never kept waiting
    for _ in range(20):
        guesses.wrong("127.0.0.1")
    assert guesses.wait("127.0.0.1") == 0  # whoever is on the machine itself


def test_a_client_has_a_budget_of_seconds_and_gets_back_what_it_did_not_use() -> None:
    now = [0.0]

    async def through() -> list[object]:
        gate = Gate(2, 9, 5, Bucket(0.5, 30, lambda: now[0]), lambda: now[0])

        async def query(client: str, seconds: float) -> object:
            try:
                async with gate.timed(client, 10.0):
                    now[0] += seconds
            except Refusal as refusal:
                return refusal.headers["Retry-After"]
            return "done"

        short = [await query("a", 0.01) for _ in range(200)]
        long = [await query("a", 10.0) for _ in range(6)]
        return [set(short), long, await query("b", 10.0)]

    short, long, other = asyncio.run(through())
    assert short == {"done"}
    assert long == ["done"] * 4 + ["3"] * 2  # it has 30 s at once, and half of the time after them
    assert other == "done"
