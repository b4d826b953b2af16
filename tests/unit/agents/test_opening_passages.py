"""What an agent is shown before its first step: passages of search, whole and behind the names of their nodes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kag.agents.read.opening_passages import NAMED, ROOM, opening_passages, second_wording
from kag.indexing.pipeline import index_document
from kag.indexing.run import write_run
from kag.qa.library import open_library
from kag.qa.paper import PaperGraph
from kag.qa.quote import find_quote
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper

PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Recurrent networks on river data"),
        ("sub_title", "[[100, 110, 300, 130]]", "## 1 Methods"),
        ("text", "[[100, 140, 900, 200]]", "We train a recurrent neural network (RNN) on gauges, and krige."),
        ("table_title", "[[100, 210, 900, 230]]", "Table 1: Errors by gauge."),
        ("table", "[[100, 240, 900, 500]]", "<table><tr><td>Gauge</td><td>Error (m)</td></tr>"
         + "".join(f"<tr><td>Gauge {n}</td><td>0.{n:03}</td></tr>" for n in range(160)) + "</table>"),
        ("text", "[[100, 900, 900, 960]]", "The sluice of the mill was opened in spring, when ice had gone and the"),
    ),
    (
        ("text", "[[100, 60, 900, 120]]", "meadows were flooded for eleven days."),
        ("sub_title", "[[100, 130, 300, 150]]", "## Funding"),
        ("text", "[[100, 160, 900, 200]]", "This work was paid by the River Board (grant 12)."),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    folder = tmp_path_factory.mktemp("river")
    document = read_document(write_paper(folder / "river", PAGES))
    write_run(folder / "runs", "river", index_document(document).files)
    return open_library(folder / "runs")["river"]


def test_a_paragraph_is_whole_over_a_page_break_behind_both_nodes(paper: PaperGraph) -> None:
    shown = opening_passages([paper], "When was the sluice opened?")
    first, second = shown.splitlines()[1:3]
    assert re.fullmatch(r"\[ex:b_p001_\d+ p1, 1 Methods\] The sluice of .* and the", first)
    assert re.fullmatch(r"\[ex:b_p002_\d+ p2\] meadows were flooded for eleven days\.", second)


def test_rows_of_a_table_stand_below_caption_and_header(paper: PaperGraph) -> None:
    shown = opening_passages([paper], "How large was the error of Gauge 31?")
    caption, header = (next(at for at, line in enumerate(shown.splitlines()) if word in line)
                       for word in ("Table 1: Errors", "Gauge | Error (m)"))  # fmt: skip
    assert header == caption + 1
    assert "Gauge 31 | 0.031" in shown
    assert "rows not shown: g_figure_info)" in shown


@pytest.mark.parametrize(
    ("question", "words"),
    [("What does Table 1 show?", "Gauge 39 | 0.039"), ("Who funded the work?", "River Board (grant 12)")],
)
def test_what_a_question_names_is_shown_first(paper: PaperGraph, question: str, words: str) -> None:
    assert words in opening_passages([paper], question)[: NAMED + 200]


def test_the_papers_own_short_forms_are_searched_in_both_directions(paper: PaperGraph) -> None:
    assert second_wording(paper, "How good is the RNN?").endswith("recurrent neural network")
    assert second_wording(paper, "How good is the recurrent neural network?").endswith(" RNN")
    assert second_wording(paper, "How good is the gauge?") == ""


def test_what_is_nowhere_in_the_paper_is_named_without_noise(paper: PaperGraph) -> None:
    assert (
        opening_passages([paper], "Pls, which telescope vs kriging?").splitlines()[-1] == "Printed nowhere: telescope."
    )


def test_all_that_is_shown_can_be_quoted_and_is_bounded(bundled_runs: Path) -> None:
    papers = open_library(bundled_runs)
    for name, question in (
        ("reservoir_sensors", "How were sensors placed in the reservoir of Arden, by Table 1?"),
        ("urban_pollinators", "How many bees were seen at each site?"),
        ("zirconium_tracers", "Which isotopes were measured, and how?"),
    ):
        paper, node = papers[name], None
        shown = opening_passages([paper], question)
        assert 500 < len(shown) < ROOM * 1.3
        for line in shown.splitlines():
            match = re.fullmatch(r"\[(ex:\S+) p\d+[^\]]*\] (.*)", line)
            node = paper.nodes[str(paper.resolve(match[1]))] if match else node
            words = match[2] if match else line
            noted = words.startswith(("(", "Search finds:", "Printed nowhere:", "The abstract:"))
            assert noted or (node and find_quote(node.text, words)), line


def test_of_several_papers_each_is_shown_with_its_name(bundled_runs: Path) -> None:
    papers = list(open_library(bundled_runs).values())
    shown = opening_passages(papers, "How many sensors, tracers and transects were used?")
    assert {match[1] for match in re.finditer(r"^\[(\S+) ex:", shown, re.M)} == {paper.id for paper in papers}
    of_one = opening_passages(papers, "How deep were the sensors?")
    assert "zirconium_tracers" not in of_one, "a paper that says nothing on it is not shown"
