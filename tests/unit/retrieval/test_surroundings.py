"""A hit with its section around it."""

from __future__ import annotations

import pytest

from kag.retrieval.chunking import Chunk
from kag.retrieval.index import Index
from kag.retrieval.retrieve import surroundings


def words(text: str) -> int:
    return len(text.split())


def chunk(name: str, size: int, topic: str = "", kind: str = "paragraph") -> Chunk:
    return Chunk(name, " ".join([name] * size), document="d", topic=topic, metadata={"kind": kind})


@pytest.fixture(scope="module")
def index() -> Index:
    texts = [chunk("a", 10, "Introduction")]
    texts += [chunk(f"m{n}", 10, "Methods > Sites") for n in range(4)] + [chunk("s", 10, "Methods > Samples")]
    texts += [chunk("r", 90, "Results"), chunk("x", 10, "References", "reference"), chunk("n", 10)]
    return Index.build(texts)


@pytest.mark.parametrize(
    ("name", "least", "most", "chunks"),
    [
        ("m1", 30, 100, ("m0", "m1", "m2")),  # the nearest first, no more than are needed
        ("m1", 35, 100, ("m0", "m1", "m2", "m3")),
        ("m1", 50, 100, ("m0", "m1", "m2", "m3", "s")),  # the section is short: the one around it
        ("m1", 80, 100, ("m0", "m1", "m2", "m3", "s")),  # and no further
        ("m1", 80, 25, ("m1", "m2")),
        ("a", 80, 100, ("a",)),
        ("r", 20, 40, ("r",)),  # longer than it may be, and whole
        ("x", 80, 100, ("x",)),
        ("n", 80, 100, ("n",)),
    ],
)
def test_a_hit_is_widened_within_its_section(index: Index, name: str, least: int, most: int, chunks: tuple) -> None:
    found = surroundings(index, name, words, least, most)
    assert found.chunks == chunks
    assert found.text.split("\n\n") == [index.chunks[one].text for one in chunks]
