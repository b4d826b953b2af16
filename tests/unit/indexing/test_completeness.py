"""Warnings of papers that look incomplete."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.indexing.pipeline import index_paper
from kag.indexing.run import warnings_of, write_run

PROSE = "The gauges were read by hand at dawn and again at noon, and the loads were compared with those of the year. "
LIST = "\n\n".join(f"[{n}] A. Hill. Banks of brooks, part {n}. Journal of Rivers, 3:1-9, 2001." for n in range(1, 8))
SOUND = f"""# Loads of small streams

Anna Berg, Tomas Field

## Abstract

{PROSE * 3}

## 1. Introduction

Banks move [1-7]. {PROSE * 40}

## References

{LIST}
"""


def codes(tmp_path: Path, text: str) -> list[str]:
    paper = tmp_path / "paper.md"
    paper.write_text(text, encoding="utf-8")
    run = write_run(tmp_path / "runs", "paper", index_paper(paper).files)
    warnings = json.loads((run / "summary.json").read_text(encoding="utf-8"))["warnings"]
    assert warnings == warnings_of(run)
    return [warning["code"] for warning in warnings]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("", "", ""),
        ("Anna Berg, Tomas Field", "", "no-authors"),
        ("## Abstract", f"{PROSE * 3}\n\n" * 4, "no-abstract"),
        (f"## References\n\n{LIST}", "", "no-references"),
        ("[1-7]", "", "uncited-references"),
        ("[1-7]", "[1-7], [8, 9], [10]", "citations-without-entry"),
    ],
)
def test_a_sound_paper_has_no_warning_and_a_damaged_one_has_its_own(
    tmp_path: Path, old: str, new: str, code: str
) -> None:
    assert old in SOUND
    assert codes(tmp_path, SOUND.replace(old, new) if old else SOUND) == ([code] if code else [])
