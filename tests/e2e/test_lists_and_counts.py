"""A list and its count agree, for every kind of thing, in every paper where both are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.qa.exact.compose import look_up
from kag.qa.library import open_library
from kag.qa.questions.file import Question

KINDS = (
    "figures", "tables", "equations", "references", "sections", "top-level sections", "footnotes",
    "authors", "keywords",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_is_as_long_as_its_count(bundled_runs: Path, kind: str) -> None:
    compared = 0
    for paper in open_library(bundled_runs).values():
        counted = look_up(Question("q", f"How many {kind} are there?"), paper)
        listed = look_up(Question("q", f"List all {kind}."), paper)
        if counted is not None and listed is not None:
            compared += 1
            assert isinstance(listed.value, list)
            assert counted.value == len(listed.value), paper.id
    assert compared
