"""Rates and gates: who asks too much waits, and the others do not."""

from __future__ import annotations

import asyncio

import pytest

from kag.serve.guard.rates import MOST_CLIENTS, Bucket, Gate
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
