"""Printed tables of contents are told from headings and from tables."""

from __future__ import annotations

from kag.sources.draft import Draft
from kag.sources.pdf.file.content import Word
from kag.sources.pdf.read import _not_found
from kag.sources.pdf.text.furniture import Contents, find_contents
from kag.sources.pdf.text.typography import OutlineEntry
from tests.unit.sources.pdf.typeset import BOLD, lines, words

TITLES = ("1 Rivers", "1.1 Gauges", "2 Lakes", "3 Ice and what follows")


def row(top: float, title: str, number: str, *, left: float = 50, dots: bool = False) -> list[Word]:
    made = words(left, top, title)
    made += words(made[-1].x1 + 4, top, ". . . . . .") if dots else []
    number_words = words(300, top, number)
    wide = number_words[-1].x1 - 300
    return [*made, *(word._replace(x0=word.x0 - wide, x1=word.x1 - wide) for word in number_words)]


def listed(*titles: str, dots: bool = False, top: float = 130) -> list[Word]:
    return [w for n, title in enumerate(titles) for w in row(top + 14 * n, title, str(2 + 3 * n), dots=dots)]


def test_a_titled_list_is_found_with_its_entries() -> None:
    page = [*words(50, 100, "Contents", 14, BOLD), *listed(*TITLES), *words(50, 230, "The river was frozen in may.")]
    found = find_contents([lines(page)])
    assert [(entry.level, entry.title) for entry in found.entries] == list(zip((1, 2, 1, 1), TITLES, strict=True))
    assert "The river was frozen in may." not in {line.text for line in found.lines}


def test_dots_lead_to_the_numbers_of_a_list_that_goes_on() -> None:
    first = [*words(50, 100, "Inhaltsverzeichnis", 14, BOLD), *listed(*TITLES, dots=True)]
    second = listed("4 Snow", "5 Melt", "6 End", dots=True)
    assert [entry.title for entry in find_contents([lines(first), lines(second)]).entries][-1] == "6 End"


def test_lists_of_figures_are_skipped_but_name_no_sections() -> None:
    page = [*words(50, 100, "List of Figures", 14, BOLD), *listed("1 A map of the river", "2 A view of the lake")]
    found = find_contents([lines(page)])
    assert len(found.lines) >= 3
    assert found.entries == ()


def test_rows_of_a_table_are_no_list() -> None:
    assert find_contents([lines(listed("North", "South", "East", "West"))]).lines == frozenset()
    assert find_contents([lines(words(50, 100, "Contents", 14, BOLD))]).lines == frozenset(), "a title alone"


def test_entries_that_are_no_headings_are_reported() -> None:
    entries = tuple(OutlineEntry(1, title, 0) for title in ("1 Methods", "2 Results", "3 Discussion"))
    drafts = [Draft(2, "sub_title", title, ()) for title in ("1. Methods", "3. Discussion")]
    (repair,) = _not_found(Contents(frozenset(), entries), drafts)
    assert repair.problem == "1 entries of the table of contents are no headings: 2 Results"
    assert not list(_not_found(Contents(frozenset(), entries[:1]), drafts))
