"""Values in a console and in a notebook: one line, or a few lines of escaped HTML."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

import kag
from kag.core.errors import MissingExtra
from kag.core.evidence import Answer, Claim, Evidence, Passage
from kag.export.parts import Table

HOSTILE = "<script>alert(1)</script>\n\x1b[31m & more words than any line of a console would take at once"
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def paper() -> kag.Paper:
    return kag.index(ROOT / "test_data" / "reservoir_sensors")


def values(paper: kag.Paper) -> list[object]:
    answer = paper.ask("How many tables are there?")
    proof = answer.claims[0].evidence[0]
    parts = [*paper.sections, *paper.figures, *paper.tables, *paper.references, *paper.citations]
    places = [*paper.search("temperature"), *paper.ask("How was temperature reconstructed?").passages]
    return [paper, answer, *answer.claims, proof, *parts, *places, paper.validate(), paper.run]


def test_every_value_is_one_short_line(paper: kag.Paper) -> None:
    for value in values(paper):
        line = repr(value)
        assert "\n" not in line
        assert len(line) <= 130, line
        assert not line.startswith("<") or line.startswith("<kag."), line


def test_a_line_names_what_a_reader_looks_for(paper: kag.Paper) -> None:
    assert repr(paper.section("4.1")) == (
        "Section(number='4.1', title='Reservoirs', page=2, text='Table 1 describes the three reservoirs.…')"
    )
    assert repr(paper.validate()) == "Report(conforms=True)"
    assert "bees" not in repr(paper)


def test_titles_and_paths_are_without_numbers(paper: kag.Paper) -> None:
    section = paper.section("4.1. Reservoirs")
    assert (section.number, section.title, section.path) == ("4.1", "Reservoirs", ("Field campaign", "Reservoirs"))
    assert {citation.section[0] for citation in paper.citations} <= {one.title for one in paper.sections}


def hostile(value: object) -> object:
    """The value with hostile text in all fields that are text."""
    texts = {one.name: HOSTILE for one in fields(value) if isinstance(getattr(value, one.name), str)}  # type: ignore[arg-type]
    return replace(value, **texts)  # type: ignore[type-var]


def test_text_of_papers_is_data_in_a_notebook(paper: kag.Paper) -> None:
    proof = hostile(Evidence("p", "n", 1, (), "q", 0, 1, "h"))
    passage = hostile(Passage("p", ("n",), "Paragraph", "s", 1, "t", 0, 1))
    answers = (
        Answer("q", HOSTILE, "agent", "model", claims=(Claim(HOSTILE, (proof,)),)),  # type: ignore[arg-type]
        Answer("q", HOSTILE, "passages", "", passages=(passage,)),  # type: ignore[arg-type]
    )
    table = replace(hostile(paper.tables[0]), columns=(HOSTILE,), grid=((HOSTILE,), (HOSTILE,)), header_rows=1)  # type: ignore[type-var]
    for value in (*answers, table):
        html = value._repr_html_()  # type: ignore[attr-defined]
        assert "<script" not in html
        assert "&lt;script" in html
        assert "\n" not in repr(value)
        assert "\x1b" not in repr(value)


def test_a_paper_and_a_table_in_a_notebook(paper: kag.Paper) -> None:
    html = paper._repr_html_()
    assert "<caption>Few stations, placed well" in html
    assert "<tr><td>references</td><td>28</td></tr>" in html
    (row, *_) = paper.tables[0].rows
    table = paper.tables[0]._repr_html_()
    assert "<caption>Table 1 The reservoirs and their candidate sites.</caption>" in table
    assert f"<td>{row['Reservoir']}</td>" in table


def test_a_table_becomes_a_data_frame(paper: kag.Paper) -> None:
    pandas = pytest.importorskip("pandas")
    frame = paper.tables[0].to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(paper.tables[0].columns)
    assert frame["Candidates"].tolist() == ["60", "44", "36"]


def test_without_pandas_the_error_says_how_to_get_it(paper: kag.Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    table: Table = paper.tables[0]
    with pytest.raises(MissingExtra, match="pandas is not installed") as caught:
        table.to_pandas()
    assert caught.value.hint == "Run: pip install pandas"
