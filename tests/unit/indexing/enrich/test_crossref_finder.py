"""What a call-out names, where it begins and ends, and what is none: lists, ranges, panels, supplements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.indexing.enrich.crossref_finder import between, find_crossrefs
from tests.growth import linear

CASES = [json.loads(line) for line in Path(__file__).with_name("crossrefs.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("text", "found"), CASES)
def test_what_is_named(text: str, found: list[str]) -> None:
    """Kind, numbers, panels and surface of each call-out are those of the line."""
    named = [" | ".join((c.kind, ",".join(c.numbers), *c.panels, c.surface)) for c in find_crossrefs(text)]
    assert named == found
    moved = find_crossrefs(f"Ice: {text}")
    assert [c.surface for c in moved] == [c.surface for c in find_crossrefs(text)]
    assert all(f"Ice: {text}"[c.start : c.end] == c.surface for c in moved)


@pytest.mark.parametrize(
    "hostile", ["Fig. 1, " * 10000, "Fig. 1" + ",2" * 20000, "S1–" * 10000, "Eq. (1" * 8000, "Figs " * 9000]
)
def test_hostile_texts_are_read_quickly(hostile: str) -> None:
    assert linear(find_crossrefs, hostile)


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        ("1", "4", ["2", "3"]),
        ("S1", "S3", ["S2"]),
        ("1", "2", []),
        ("3", "1", []),
        ("S1", "T3", []),
        ("2.1", "2.4", []),
        ("I", "III", ["II"]),
        ("IX", "I", []),
        ("I", "IIX", []),
        ("2", "32", [str(n) for n in range(3, 32)]),
        ("2", "33", []),
    ],
)
def test_numbers_between(first: str, last: str, found: list[str]) -> None:
    assert between(first, last) == found
