"""Display formulas and footnotes: what is one, and what looks like one."""

from __future__ import annotations

import pytest

from kag.sources.pdf.file.content import Font
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.typography import Paragraph, is_footnote, is_formula, is_numbered
from tests.unit.sources.pdf.typeset import BODY, PLAIN, page, paragraph, words

MATH = Font("CMMI10", bold=False, italic=True, mono=False)


@pytest.mark.parametrize("row", ["E = mc + p (3)", "x = y + z = w / 2", "F(x) = a (2.1)"])
def test_a_formula_has_signs_and_hardly_a_word(row: str) -> None:
    assert is_formula(paragraph(1, 100, row))


def test_a_face_of_mathematics_tells_one() -> None:
    assert is_formula(paragraph(1, 100, "dN + rN", font=MATH))
    assert not is_formula(paragraph(1, 100, "dN + rN", font=PLAIN))


@pytest.mark.parametrize(
    "row",
    ["The slope was 0.3 (p = 0.04) in both rivers", "Results (3)", "n = 12 rivers were sampled", "12", "3.1 Sites"],
)
def test_a_sentence_with_signs_is_none(row: str) -> None:
    assert not is_formula(paragraph(1, 100, row))


def test_its_number_stands_behind_it() -> None:
    assert is_numbered(paragraph(1, 100, "a = b (12)"))
    assert is_numbered(paragraph(1, 100, "a = b (A.1)"))
    assert not is_numbered(paragraph(1, 100, "a = b (12) holds"))


def note(mark: str, base: float, size: float = 8.0, raised: float = 3.0) -> Paragraph:
    first = words(50, base - raised, mark, 0.7 * size)
    return Paragraph(1, (Line((*first, *words(56, base, "Supported by the river board.", size))),))


def test_a_note_is_small_low_and_marked() -> None:
    sheet = page([])
    assert is_footnote(note("1", 700), sheet, BODY)
    assert is_footnote(note("*", 700, raised=0.0), sheet, BODY)
    assert not is_footnote(note("1", 200), sheet, BODY), "it stands high on the page"
    assert not is_footnote(note("1", 700, size=10.0), sheet, BODY), "it is as large as the text"
    assert not is_footnote(paragraph(1, 700, "Supported by the board.", size=8), sheet, BODY), "it has no mark"
    assert not is_footnote(paragraph(1, 700, "12 rivers were sampled.", size=8), sheet, BODY), (
        "its number is not raised"
    )
