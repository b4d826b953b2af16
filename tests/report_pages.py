"""Runs and answers for tests of the report page; the hostile paper's texts try to leave their place."""

from __future__ import annotations

from pathlib import Path

from kag.core.evidence import Answer, Claim
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.qa.page import build_page
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence
from tests.papers import write_paper

HOSTILE = (
    '</script><script>alert(1)</script><img src=x onerror=alert(2)> "quoted" <!-- <script> '
    "{{STYLE}} line\u2028break \u202ereversed ends"
)
HOSTILE_PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Ice <script>alert(3)</script>"),
        ("sub_title", "[[100, 150, 300, 170]]", "## Results <img src=x onerror=alert(4)>"),
        ("text", "[[100, 180, 900, 300]]", f"Words before. {HOSTILE}. Words behind."),
    ),
)


def make_run(folder: Path, **pages: object) -> Path:
    """A run of the small paper, or of the pages given."""
    return write_run(folder / "runs", "paper", index_paper(write_paper(folder / "paper_ocr", **pages)).files)


def host(paper: PaperGraph, words: str) -> str:
    """The node that prints these words."""
    return next(node.iri for node in paper.nodes.values() if words in node.text)


def write_answers(folder: Path, *answers: Answer) -> list[Path]:
    """Answer files, one for each answer."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{answer.id}.json" for answer in answers]
    for path, answer in zip(paths, answers, strict=True):
        path.write_text(answer.to_json(), encoding="utf-8")
    return paths


def answer(paper: PaperGraph, quotes: list[str], text: str, name: str = "q1") -> Answer:
    """An answer of one claim that quotes these words, each where it stands."""
    found = []
    for quote in quotes:
        iri = host(paper, quote)
        start = paper.nodes[iri].text.index(quote)
        found.append(evidence(paper, iri, start, start + len(quote)))
    return Answer(
        name, f"What of {name}?", "extractive", "offline, no model", (Claim(text, tuple(found)),), papers=(paper.id,)
    )


def write_page(folder: Path, run: Path, answers: list[Path]) -> Path:
    """The report page of a run as a file."""
    target = folder / "report.html"
    target.write_text(build_page(run, answers), encoding="utf-8")
    return target
