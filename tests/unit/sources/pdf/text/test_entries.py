"""Where the entries of a reference list begin."""

from __future__ import annotations

import pytest

from kag.sources.pdf.text.entries import Column, cut_at, find_starts
from kag.sources.pdf.text.lines import Line
from tests.unit.sources.pdf.typeset import words


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
