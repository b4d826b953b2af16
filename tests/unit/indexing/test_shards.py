"""Parts of the work: each paper in one, the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kag.core.errors import SourceError
from kag.indexing.over_ray import Shard, read_shard, shard_of


@dataclass(frozen=True)
class Named:
    name: str


PAPERS = [Named(f"paper{number}") for number in range(500)]


@pytest.mark.parametrize("of", [1, 2, 7, 64])
def test_each_paper_is_in_one_part(of: int) -> None:
    parts = [list(Shard(number, of).own(PAPERS)) for number in range(1, of + 1)]
    assert sorted(paper.name for part in parts for paper in part) == sorted(paper.name for paper in PAPERS)
    assert max(map(len, parts)) < 2 * len(PAPERS) / of + 15


def test_a_paper_stays_in_its_part_when_others_come() -> None:
    assert list(Shard(2, 3).own(PAPERS[:50])) == [paper for paper in Shard(2, 3).own(PAPERS) if paper in PAPERS[:50]]


def test_parts_are_the_same_on_every_machine() -> None:
    assert (shard_of("ice", 1_000), shard_of("ice", 100_000)) == (411, 43_411)


@pytest.mark.parametrize(("text", "part"), [("2/8", Shard(2, 8)), (" 1 / 1 ", Shard(1, 1)), ("8/8", Shard(8, 8))])
def test_a_part_is_read(text: str, part: Shard) -> None:
    assert read_shard(text) == part


@pytest.mark.parametrize("text", ["", "0/8", "9/8", "2", "2/0", "-1/8", "a/b", "1/100001", "1/8/2", "٢/٨"])
def test_what_is_no_part_is_told(text: str) -> None:
    with pytest.raises(SourceError, match="is not a part"):
        read_shard(text)
