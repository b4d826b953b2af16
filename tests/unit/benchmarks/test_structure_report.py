"""Written reports of structure: figures, and no words of papers."""

from __future__ import annotations

from pathlib import Path

from kag.evaluate.structure.report import (
    Summary,
)
from scripts.benchmarks.structure_report import section, write_report


def test_a_written_report_holds_no_words_of_papers(bad: Summary, good: Summary, tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    write_report(file, [bad, good], command="kag evaluate structure A B", notes="My notes.\n")
    text = file.read_text(encoding="utf-8")
    assert "    kag evaluate structure A B" in text
    assert "My notes." in text
    assert section(bad)[:40] in text
    for paper in bad.evaluation.papers:
        assert not [words for words in paper.gold.words.values() if len(words) > 25 and words in text]
