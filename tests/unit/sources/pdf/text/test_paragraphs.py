"""Lines to paragraphs: by spacing, indents, short last lines and type."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kag.sources.pdf.file.content import Font
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.paragraphs import column_of, paragraphs, pitches
from tests.unit.sources.pdf.typeset import BOLD, PLAIN, SLANTED, words


@dataclass(frozen=True)
class Row:
    """A line of words from `left` to `right`, `gap` below the one before."""

    words: str
    left: float = 50
    right: float = 300
    gap: float = 12
    size: float = 10
    font: Font = PLAIN


def column(rows: list[Row]) -> list[Line]:
    """The rows as lines; each is stretched to its right edge."""
    made, base = [], 100.0
    for row in rows:
        base += row.gap
        found = words(row.left, base, row.words, row.size, row.font)
        found[-1] = found[-1]._replace(x1=row.right)
        made.append(Line(tuple(found)))
    return made


def read(*rows: Row) -> list[str]:
    """The paragraphs, each by the first words of its lines."""
    return [" ".join(line.words[0].text for line in one) for one in paragraphs(column(list(rows)), {10: 12.0, 8: 9.5})]


def full(*names: str) -> list[Row]:
    return [Row(f"{name} the river was") for name in names]


def test_lines_below_each_other_are_a_paragraph() -> None:
    assert read(*full("a", "b", "c")) == ["a b c"]
    assert paragraphs([], {}) == []


def test_a_space_between_lines_parts_them() -> None:
    assert read(*full("a", "b"), Row("c ice", gap=15.8), *full("d")) == ["a b c d"]
    assert read(*full("a", "b"), Row("c ice", gap=15.9), *full("d")) == ["a b", "c d"], "1.32 of the usual step"
    assert read(*full("a", "b"), Row("c ice", gap=-200), *full("d")) == ["a b", "c d"], "at the top of the next column"


def test_the_usual_step_is_that_of_most_lines_of_a_size() -> None:
    small = [Row("s ice", size=8, gap=9.4) for _ in range(3)]
    rows = column([*full("a", "b", "c"), Row("d ice", gap=24), *small, Row("t ice", gap=40, size=8)])
    assert pitches([rows]) == {10: 12.0, 8: 9.5}
    assert pitches([rows[:1], rows[1:2]]) == {}, "from column to column is no step"
    double = column([Row("a ice", gap=24) for _ in range(4)])
    assert pitches([double]) == {10: 24.0}
    assert len(paragraphs(double, {10: 24.0})) == 1
    assert len(paragraphs(double, {})) == 4, "a fifth more than the type's size where nothing is known"


def test_a_first_line_is_set_in() -> None:
    assert read(*full("a", "b"), Row("c ice", left=58), *full("d", "e")) == ["a b", "c d e"]
    assert read(*full("a", "b"), Row("c ice", left=56), *full("d", "e")) == ["a b c d e"], "less than 0.7 of its size"
    assert read(*full("a", "b"), Row("c ice", left=120), *full("d", "e")) == ["a b c d e"], "a formula"
    quoted = [Row(f"{name} ice", left=70) for name in "cd"]
    assert read(*full("a", "b"), *quoted, *full("e", "f")) == ["a b", "c d e f"], "nothing tells a quotation's end"


def test_a_short_last_line_ends_a_paragraph() -> None:
    end = Row("b melts.", right=200)
    assert read(*full("a"), end, Row("The ice"), *full("d", "e")) == ["a b", "The d e"]
    assert read(*full("a"), end, Row("the ice"), *full("d", "e")) == ["a b the d e"], "a sentence goes on"
    assert read(*full("a"), Row("b melts", right=200), Row("The ice"), *full("d", "e")) == ["a b The d e"]
    assert read(*full("a"), Row("b melts.", right=275), Row("The ice"), *full("d", "e")) == ["a b The d e"], "an eighth"
    assert read(*full("a"), Row("b melts.”12,", right=200), Row("The ice"), *full("d", "e")) == ["a b", "The d e"]


def test_ragged_lines_have_to_be_much_shorter() -> None:
    ragged = [Row(f"{name} ice", right=right) for name, right in (("a", 300), ("b", 284), ("c", 291), ("d", 270))]
    assert read(*ragged, Row("e melts.", right=240), Row("The ice", right=290)) == ["a b c d e The"]
    assert read(*ragged, Row("e melts.", right=200), Row("The ice", right=290)) == ["a b c d e", "The"]


def test_entries_hang() -> None:
    hung = [Row(f"{name} ice", left=50 if name.isupper() else 65) for name in "AbcDeFgh"]
    assert column_of(column(hung)).hanging
    assert read(*hung) == ["A b c", "D e", "F g h"]
    two = [Row(f"{name} ice", left=50 if name.isupper() else 65) for name in "AbCDe"]
    assert read(*two) == ["A b", "C D e"], "nothing parts two lines at the left"
    short = [Row("A ice"), Row("b ice", left=65), Row("C ice.", right=180), Row("D ice"), Row("e ice", left=65)]
    assert read(*short) == ["A b", "C", "D e"], "but where the first ends short"
    numbered = [Row("1. ice"), Row("b ice", left=65), Row("2. ice"), Row("3. ice"), Row("e ice", left=65)]
    assert read(*numbered) == ["1. b", "2.", "3. e"], "or where the second is numbered"


def test_first_lines_set_in_are_no_hanging_entries() -> None:
    rows = [Row(f"{name} ice", left=58 if name.isupper() else 50) for name in "AbcDefGhij"]
    assert not column_of(column(rows)).hanging
    assert read(*rows) == ["A b c", "D e f", "G h i j"]
    uneven = [Row(f"{name} ice", left=left) for name, left in zip("abcdef", (50, 61, 75, 50, 90, 50), strict=True)]
    assert not column_of(column(uneven)).hanging, "set in by one step"


def test_the_left_edge_is_where_lines_begin_again_and_again() -> None:
    rows = [Row("x out", left=30), *full(*"abcdefgh")]
    assert column_of(column(rows)).left == 50, "one line that reaches out is not the edge"
    assert column_of(column(full(*"abc"))).left == 50
    assert (column_of(column(full(*"abc"))).right, column_of(column(full(*"abc"))).flush) == (300, True)
    assert not column_of(column([Row("a ice", right=300 - 9 * n) for n in range(6)])).flush


@pytest.mark.parametrize("mark", ["•", "–", "(a)", "2.", "iv)", "[12]"])
def test_an_item_of_a_list_is_a_paragraph(mark: str) -> None:
    assert read(*full("a"), Row("b melts."), Row(f"{mark} ice"), *full("d")) == ["a b", f"{mark} d"]
    assert read(*full("a"), Row("b melts"), Row(f"{mark} ice"), *full("d")) == [f"a b {mark} d"], "in a sentence"


def test_an_item_goes_on_under_its_words() -> None:
    assert read(Row("• ice on the"), Row("river went", left=60), *full("d", "e", "f")) == ["• river d e f"]
    assert read(Row("ice on the"), Row("river went", left=60), *full("d", "e", "f")) == ["ice", "river d e f"]
    assert read(Row("• ice on the"), Row("river went", left=60), Row("on", left=72), *full("d", "e", "f")) == [
        "• river on d e f"
    ]


def test_a_change_of_size_parts_paragraphs() -> None:
    assert read(*full("a", "b"), Row("c ice", size=9), *full("d")) == ["a b", "c", "d"]
    assert read(*full("a", "b"), Row("c ice", size=9.5), *full("d")) == ["a b c d"]


def test_bold_lines_stand_apart_from_plain_ones() -> None:
    assert read(Row("Sites", right=90, font=BOLD), *full("a", "b")) == ["Sites", "a b"]
    assert read(*full("a"), Row("12.5", font=BOLD), *full("b")) == ["a 12.5 b"], "numbers have no letters"


def test_slanted_lines_stand_apart_where_the_line_before_ends_short() -> None:
    assert read(Row("Sites of ice", right=120, font=SLANTED), *full("aaa", "b", "c")) == ["Sites", "aaa b c"]
    assert read(Row("xy 12", right=120, font=SLANTED), *full("aaa", "b", "c")) == ["xy aaa b c"], "signs of a formula"
    assert read(*full("aaa"), Row("Salmo trutta and", font=SLANTED), *full("b", "c")) == ["aaa Salmo b c"]
    both = Font("Serif-BoldItalic", bold=True, italic=True, mono=False)
    assert read(Row("Sites of ice", font=BOLD), Row("Tools of ice", font=both)) == ["Sites", "Tools"], "two titles"


def test_a_title_in_capitals_stands_apart() -> None:
    assert read(Row("METHODS OF ICE"), Row("Sites of ice"), gap_row()) == ["METHODS", "Sites", "after"]
    long = "the river was frozen hard in may and june when we came by again"
    assert read(Row(f"ICE {long}".upper()), Row(f"b {long}")) == ["ICE b"], "lines of a text"


def gap_row() -> Row:
    return Row("after it", gap=40)


def test_two_bold_titles_are_two() -> None:
    assert read(Row("Methods", font=BOLD), Row("Study of ice", font=BOLD)) == ["Methods", "Study"], "a standard part"
    assert read(Row("Results of ice", font=BOLD), Row("2.1 Yields", font=BOLD)) == ["Results", "2.1"], "a number"
    plain = [Row("2 Methods", gap=24, size=13), Row("2.1 Sites", gap=24, size=13)]
    assert read(*plain) == ["2", "2.1"], "in plain type, both"
    assert read(Row("The ice is"), Row("2.1 metres deep")) == ["The 2.1"]
    assert read(Row("A study of", font=BOLD), Row("Ice", font=BOLD)) == ["A Ice"]
    assert read(Row("2.1 A study of", font=BOLD), Row("Ice", left=70, font=BOLD)) == ["2.1 Ice"], (
        "set in under its words"
    )


def test_pieces_of_one_line_stay_together() -> None:
    formula = [Row("E = mc", left=130, right=180), Row("(1)", left=280, gap=0)]
    assert read(*full("a"), *formula, *full("b")) == ["a E (1) b"]
    small = [Row("E = mc", left=130, right=180), Row("(1)", left=280, gap=0, size=8)]
    lower = [Row("E = mc", left=130, right=180), Row("(1)", left=280, gap=2.7, size=8)]
    assert read(*full("a"), *lower) == ["a E (1)"], "a little lower"
    assert read(*full("a"), *small) == ["a E (1)"], "in another size, too"


def test_a_title_set_as_the_text_is_stands_alone_by_its_words() -> None:
    ended = Row("b the river was frozen.")
    for title in ("Methods", "2. Methods", "2.1. Sites"):
        rows = [*full("a"), ended, Row(title, right=120), *full("Then", "d")]
        assert read(*rows) == ["a b", title.split()[0], "Then d"]
    for other in ("Methods.", "methods", "Sites"):
        assert read(*full("a"), ended, Row(other, right=290), *full("Then")) == [f"a b {other.split()[0]} Then"]
    assert read(*full("a"), ended, Row("Methods", right=290), *full("then")) == ["a b Methods then"], "a full line"


SANS = Font("Sans", bold=False, italic=False, mono=False)
BOLD_SLANTED = Font("Serif-BoldItalic", bold=True, italic=True, mono=False)


def test_a_short_line_in_another_face_stands_above_its_text() -> None:
    text = full("b", "c", "d")
    assert read(Row("Sites of ice", right=120, font=SANS), *text) == ["Sites", "b c d"]
    assert read(Row("Sites of ice.", right=120, font=SANS), *text) == ["Sites b c d"], "a sentence that ends there"
    assert read(Row("Sites of ice", font=SANS), *text) == ["Sites b c d"], "a line that fills the column"


def test_a_bold_title_goes_on_in_bold_italics_where_the_line_was_full() -> None:
    text = [Row("b the river was", gap=24), *full("c", "d")]
    assert (
        read(Row("Losses of ice", font=BOLD), Row("(Ocimum) on", right=90, font=BOLD_SLANTED), *text)[0]
        == "Losses (Ocimum)"
    )
    assert (
        read(Row("Losses", right=80, font=BOLD), Row("(Ocimum) on", right=90, font=BOLD_SLANTED), *text)[0] == "Losses"
    )


@pytest.mark.parametrize("mark", ["i)", "2)", "(b)"])
def test_a_title_with_a_mark_of_its_own_does_not_go_on_another(mark: str) -> None:
    title = Row("1) Ice on rivers", right=250, font=SLANTED)
    made = [title, Row(f"{mark} Ice in spring", right=200, font=SLANTED), *(Row(f"row {n} of text") for n in range(4))]
    assert read(*made)[:2] == ["1)", mark]
