"""Reference lists: with and without a heading, in columns that are read across, and what stands around them."""

from __future__ import annotations

from kag.sources.pdf.text.flow import Flow
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.reference_lists import ReferenceList, find_reference_lists
from kag.sources.pdf.text.typography import Paragraph
from tests.unit.sources.pdf.typeset import BOLD, PLAIN, words

NAMES = ("Hale", "Ode", "Ito", "Moe", "Lee", "Poe")


def line(x: float, base: float, text: str, size: float = 9.0, *, bold: bool = False) -> Line:
    return Line(tuple(words(x, base, text, size, BOLD if bold else PLAIN)))


def flow(*parts: tuple[int, int, list[Line]]) -> Flow:
    """A flow of paragraphs: page, column and lines of each."""
    made = tuple(Paragraph(page, tuple(lines)) for page, _, lines in parts)
    return Flow(made, {}, frozenset(), tuple(column for _, column, _ in parts))


def entry(number: int, base: float, x: float = 50) -> list[Line]:
    return [
        line(x, base, f"[{number}] J. {NAMES[number - 1]}, Ice on"),
        line(x + 15, base + 11, "lakes, J. Ice 3 (2001)."),
    ]


def hanging(count: int, words: str) -> list[Line]:
    """Entries without labels, their second lines set in."""
    pairs = ((n, 100.0 + 30 * n) for n in range(count))
    return [one for n, y in pairs for one in (line(50, y, f"{NAMES[n]}, {words}"), line(60, y + 11, "3:1-2."))]


def starts(found: ReferenceList) -> list[str]:
    """The entries by their first words and their number of lines; "+" before what goes on an entry."""
    return [f"{'' if one.begins else '+'}{one.lines[0].words[0].text} {len(one.lines)}" for one in found.pieces]


def test_a_list_without_a_heading_is_found_by_labels_that_count_through_dated_entries() -> None:
    text = (1, 0, [line(50, 100, "The river froze.", 10.0), line(50, 112, "As in [1] it thawed.", 10.0)])
    entries = [(1, 0, entry(n, 150 + 30 * n)) for n in range(1, 5)]
    (found,) = find_reference_lists(flow(text, *entries), set())
    assert found.places == (1, 2, 3, 4)
    assert starts(found) == ["[1] 2", "[2] 2", "[3] 2", "[4] 2"]
    undated = [(1, 0, [line(50, 150 + 30 * n, f"[{n}] a step of the method")]) for n in range(1, 6)]
    assert find_reference_lists(flow(text, *undated), set()) == []


def test_a_paper_may_have_two_lists_without_a_heading() -> None:
    text = [line(50, 300 + 12 * n, "the river froze in spring and thawed", 10.0) for n in range(20)]
    first = [(1, 0, entry(n, 100 + 30 * n)) for n in range(1, 5)]
    second = [(2, 1, entry(n, 100 + 30 * n)) for n in range(1, 5)]
    lists = find_reference_lists(flow(*first, (2, 1, text), *second), set())
    assert [one.places for one in lists] == [(0, 1, 2, 3), (5, 6, 7, 8)]
    assert [starts(one) for one in lists] == [[f"[{n}] 2" for n in range(1, 5)]] * 2


def test_labels_in_a_column_of_their_own_belong_to_the_texts_beside_them() -> None:
    heading = (1, 1, [line(50, 80, "References", 12.0, bold=True)])
    keys = (1, 0, [line(50, 100 + 30 * n, f"[{name}01]") for n, name in enumerate(NAMES)])
    texts = (1, 1, [line(110, 100 + 30 * n + 11 * m, "words of it 2001") for n in range(6) for m in range(2)])
    (found,) = find_reference_lists(flow(keys, heading, texts), {1})
    assert found.places == (0, 2)
    assert starts(found) == [f"[{name}01] 3" for name in NAMES]


def test_two_columns_that_were_read_across_are_read_one_after_the_other() -> None:
    rows = [row for left, right in ((1, 4), (2, 5), (3, 6)) for row in
            zip(entry(left, 100 + 30 * left), entry(right, 100 + 30 * left, 320), strict=True)]  # fmt: skip
    heading = (1, 0, [line(50, 80, "References", 12.0, bold=True)])
    (found,) = find_reference_lists(flow(heading, (1, 1, [one for row in rows for one in row])), {0})
    assert starts(found) == [f"[{n}] 2" for n in range(1, 7)]


def test_footnotes_page_numbers_and_biographies_are_no_entries() -> None:
    heading = (1, 0, [line(50, 80, "References", 12.0, bold=True)])
    entries = [(1, 0, entry(n, 100 + 30 * n)) for n in range(1, 5)]
    note = (1, 0, [line(50, 700, "¹ The term is used here in its narrow sense.", 7.0)])
    number = (1, 0, [line(300, 730, "12")])
    person = (1, 0, [line(50, 300, "Anna", bold=True), line(50, 311, "is a keeper of gauges.")])
    (found,) = find_reference_lists(flow(heading, *entries, person, note, number), {0})
    assert starts(found) == ["[1] 2", "[2] 2", "[3] 2", "[4] 2"]
    assert [part.lines[0].words[0].text for part in found.rest] == ["Anna", "¹", "12"]


def test_a_column_that_only_holds_the_rest_of_an_entry_begins_none() -> None:
    heading = (1, 0, [line(50, 80, "References", 12.0, bold=True)])
    first = hanging(4, "A. Ice on lakes. J Ice 2001,")
    rest = (2, 2, [line(60, 100, "2010. URL"), line(60, 111, "http://example.org/ice")])
    (found,) = find_reference_lists(flow(heading, (1, 1, first), rest), {0})
    assert starts(found)[-2:] == ["Moe, 2", "+2010. 2"]


def test_text_without_a_year_behind_unnumbered_entries_ends_the_list() -> None:
    heading = (1, 0, [line(50, 80, "References", 12.0, bold=True)])
    first = hanging(5, "A. 2001, Ice on lakes,")
    behind = [line(50, 260, "This paper has been typeset by the author.")]
    (found,) = find_reference_lists(flow(heading, (1, 1, [*first, *behind])), {0})
    assert len([one for one in found.pieces if one.begins]) == 5
    assert [part.text for part in found.rest] == ["This paper has been typeset by the author."]
