"""Where the entries of a reference list begin."""

from __future__ import annotations

import pytest

from kag.sources.pdf.text.entries import Column, cut_at, find_starts
from kag.sources.pdf.text.flow import Flow
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.reference_lists import ReferenceList, find_reference_lists
from kag.sources.pdf.text.typography import Paragraph
from tests.unit.sources.pdf.typeset import BOLD, PLAIN, words


def column(*rows: str, top: float = 100) -> list[Line]:
    """Lines of a column; two blanks before one set it in."""
    return [Line(tuple(words(70 if row.startswith("  ") else 50, top + 12 * n, row))) for n, row in enumerate(rows)]


def cut(*columns: list[Line], pages: tuple[int, ...] = ()) -> list[str] | None:
    """The entries by the first words of their lines, "+" before what goes on the one before."""
    whole = [Column(pages[n] if pages else 1, tuple(one)) for n, one in enumerate(columns)]
    starts = find_starts(whole)
    if starts is None:
        return None
    pieces = cut_at(whole, starts)
    return [("" if one.begins else "+ ") + " ".join(line.words[0].text for line in one.lines) for one in pieces]


@pytest.mark.parametrize("mark", ["{}.", "[{}]", "({})", "{})", "{}", "{}:", "[{}].", "{} ."])
def test_numbers_that_count_begin_entries(mark: str) -> None:
    rows = [row for n in range(1, 5) for row in (f"{mark.format(n)} Hale J. Ice.", "more of it here")]
    first = [mark.format(n).split()[0] for n in range(1, 5)]
    assert cut(column(*rows)) == [f"{one} more" for one in first]


def test_a_number_and_its_name_may_touch() -> None:
    assert cut(column("99.Mishra", "1998 ice", "100.Hale", "101.Ode")) is None, "the list begins elsewhere"
    assert cut(column("1.Mishra A. Ice", "12 pages", "2.Hale", "3.Ode", "4.Ito")) == [
        "1.Mishra 12",
        "2.Hale",
        "3.Ode",
        "4.Ito",
    ]
    assert cut(column("1.5 m of ice", "2.5 m of ice", "3.5 m of ice")) is None, "a number with a fraction"


def test_other_numbers_at_the_beginning_of_lines_stay_inside() -> None:
    found = cut(
        column("1. Hale J. Ice", "14. Snow 3", "2. Ode K. Sites", "2014. Snow", "3. Ito L. Ice", "7 pages", "4. Moe")
    )
    assert found == ["1. 14.", "2. 2014.", "3. 7", "4."]


def test_a_number_that_is_lost_does_not_end_the_count() -> None:
    assert cut(column("1. Hale", "2. Ode", "x. Ito", "4. Moe", "5. Lee")) == ["1.", "2. x.", "4.", "5."]
    assert cut(column("1. Hale", "2. Ode", "x. Ito", "y. Ito", "z. Ito", "6. Moe", "7. Lee")) is None, "not of four"


def test_the_longest_count_is_the_list_s() -> None:
    assert cut(column("2 tools", "1. Hale", "2. Ode", "3. Ito", "4. Moe")) == ["+ 2", "1.", "2.", "3.", "4."]


def test_too_few_numbers_are_none() -> None:
    assert cut(column("1. Hale", "2. Ode")) is None
    assert cut(column("1. Hale", "2. Ode", "3. Ito", *["more of it"] * 22)) == ["1.", "2.", "3." + " more" * 22]
    assert cut(column("1. Hale", "2. Ode", "3. Ito", *["more of it"] * 23)) is None, "fewer than 12 of 100 lines"


def test_keys_in_brackets_begin_entries() -> None:
    assert cut(column("[Knu97] Knuth", "The Art", "[HO08a] Hale", "[Ito2010] Ito")) == [
        "[Knu97] The",
        "[HO08a]",
        "[Ito2010]",
    ]
    assert cut(column("[Knuth] Knuth", "[1997a] Hale", "[Ito:10] Ito")) is None


def test_entries_hang() -> None:
    assert cut(column("Hale J.", "  of ice", "Ode K.", "Ito L.", "  of it", "  and more")) == [
        "Hale of",
        "Ode",
        "Ito of and",
    ]
    assert cut(column("Hale J.", "  of ice", "Ode K.", "Ito L.", "  of it")) is None, "two lines set in"
    slightly = [line for n in range(4) for line in (*column(f"Hale{n} J."), Line(tuple(words(54, 112, "of ice"))))]
    assert cut(slightly) is None, "less than half of a size"


def test_in_a_short_list_names_begin_entries_but_for_lines_that_are_set_in() -> None:
    rows = (
        "Hale, J., 2001. Ice on lakes.",
        "  Geomorph. Lett. 12, 8.",
        "Ode, K., 2002. Ice. J Ice 3, 1.",
        "Ito, L., 2003.",
    )
    assert cut(column(*rows)) == ["Hale, Geomorph.", "Ode,", "Ito,"]


def test_an_entry_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    one = column("Hale J.", "  of ice", "Ode K.", "  of it")
    two = column("  and more", "Ito L.", "  of snow", "Lee M.")
    assert cut(one, two, pages=(1, 2)) == ["Hale of", "Ode of", "+ and", "Ito of", "Lee"]
    numbered = [column("1. Hale", "2. Ode"), column("more of it", "3. Ito", "4. Moe")]
    assert cut(*numbered) == ["1.", "2.", "+ more", "3.", "4."]
    columns = [Column(n, tuple(one)) for n, one in enumerate(numbered, start=1)]
    starts = find_starts(columns)
    assert starts is not None
    assert [piece.page for piece in cut_at(columns, starts)] == [1, 1, 2, 2, 2]


def test_each_column_has_an_edge_of_its_own() -> None:
    left = column("Hale J.", "  of ice", "Ode K.", "  of it")
    right = [Line(tuple(word._replace(x0=word.x0 + 250, x1=word.x1 + 250) for word in line.words)) for line in left]
    assert cut(left, right) == ["Hale of", "Ode of"] * 2


def test_a_list_may_begin_at_two_and_the_first_of_two_lists_is_taken() -> None:
    assert cut(column("2. Hale", "3. Ode", "4. Ito")) == ["2.", "3.", "4."]
    assert cut(column("3. Hale", "4. Ode", "5. Ito")) is None
    assert cut(column("1. Hale", "2. Ode", "3. Ito", "1. Ice", "2. Snow", "3. Sites")) == ["1.", "2.", "3. 1. 2. 3."]


def test_an_eighth_of_the_lines_is_set_in_where_entries_hang() -> None:
    inner = ["Hale J.", "  of ice"] * 3
    assert cut(column(*inner, *["Ode K."] * 19)) is not None
    assert cut(column(*inner, *["Ode K."] * 20)) is None


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
