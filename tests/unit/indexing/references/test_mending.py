"""What labels tear and rules make whole; and what they leave alone."""

import pytest

from kag.indexing.references.mending import Run, mend


@pytest.mark.parametrize(("text", "torn", "whole"), [
    ("Ice on lakes 130 035002", [("title", "Ice on lakes"), ("pages", "130 035002")],
     [("title", "Ice on lakes"), ("volume", "130"), ("pages", "035002")]),
    ("Ice 3, 130 035002", [("volume", "3"), ("pages", "130 035002")], [("volume", "3"), ("pages", "130 035002")]),
    ("Proc Ice Acad USA. 3", [("journal", "Proc Ice Acad"), ("place", "USA"), ("volume", "3")],
     [("journal", "Proc Ice Acad USA"), ("volume", "3")]),
    ("Ice Lett, Oslo. 3", [("journal", "Ice Lett"), ("place", "Oslo")], [("journal", "Ice Lett"), ("place", "Oslo")]),
    ("", [], []),
])  # fmt: skip
def test_rules(text, torn, whole):
    runs, at = [], 0
    for label, words in torn:
        at = text.index(words, at)
        runs.append(Run(label, at, at + len(words), 0.9))
        at += len(words)
    assert [(run.label, text[run.start : run.end]) for run in mend(text, runs)] == whole
