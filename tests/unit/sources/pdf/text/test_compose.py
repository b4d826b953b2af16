"""Lines to text: hyphens, raised and lowered words, how runs are set."""

from __future__ import annotations

import pytest

from kag.core.types import Mark
from kag.sources.pdf.text.compose import compose, words_within
from tests.unit.sources.pdf.typeset import BOLD, MONO, PLAIN, SLANTED, lines, words


def below(*rows: str) -> list:
    return lines([word for n, row in enumerate(rows) for word in words(50, 100 + 12 * n, row)])


def read(*rows: str, known: tuple[str, ...] = ()) -> str:
    return compose(below(*rows), frozenset(known)).text


def test_lines_are_joined_with_a_blank() -> None:
    assert read("the river", "froze") == "the river froze"
    assert compose([], frozenset()).text == ""


def test_lines_of_a_writing_without_blanks_are_joined_without() -> None:
    assert read("水库传感器在", "冰下失效，", "我们测量") == "水库传感器在冰下失效，我们测量"
    assert read("センサーは", "氷の下") == "センサーは氷の下"
    assert read("江河 ice", "冰下") == "江河 ice 冰下"
    assert read("얼음 아래", "센서가") == "얼음 아래 센서가"


@pytest.mark.parametrize(
    ("one", "two", "known", "whole"),
    [
        ("tempera-", "tures fell", (), "temperatures fell"),
        ("long-", "term ice", ("long-term",), "long-term ice"),  # so written elsewhere
        ("long-", "term ice", ("long-term", "longterm"), "longterm ice"),
        ("Long-", "term ice", ("long-term",), "Long-term ice"),
        ("non-", "Gaussian", (), "non-Gaussian"),  # a hyphen that a capital keeps
        ("pre-", "2010 ice", (), "pre-2010 ice"),
        ("3-", "fold", (), "3- fold"),
        ("pages 12–", "14", (), "pages 12–14"),
        ("and/", "7", (), "and/7"),
        ("ice –", "7 days", (), "ice – 7 days"),
        ("ice", "-7 days", (), "ice -7 days"),
        ("état-", "major", ("état-major",), "état-major"),
        ("ice-", "free rivers", ("ice", "free"), "ice-free rivers"),  # two words of the paper
        ("ice-", "free rivers", ("ice", "free", "icefree"), "icefree rivers"),
        ("in-", "flow", ("in", "flow"), "inflow"),
        ("ice-", "berg", ("ice",), "iceberg"),
        ("non-", "melting", ("non-", "melting"), "non-melting"),  # "non-" begins other words
        ("non-", "sense", ("non-",), "nonsense"),
        ("melt-", "based", ("-based",), "melt-based"),
        ("ADT-", "free", (), "ADT-free"),
        ("A-", "ther", (), "Ather"),
    ],
)
def test_a_word_that_the_end_of_a_line_cut_is_healed(one: str, two: str, known: tuple[str, ...], whole: str) -> None:
    assert read(one, two, known=known) == whole


def test_the_words_of_a_paper_are_those_inside_of_its_lines() -> None:
    assert words_within(below("Long-term ice", "and tempera-", "tures 12 fell")) == {
        "long-term",
        "long-",
        "-term",
        "ice",
        "and",
        "fell",
    }


def test_raised_and_lowered_numbers_are_unicode_s() -> None:
    made = [*words(50, 100, "ice"), *words(65, 96, "12,13", size=7.0), *words(86, 100, "and"), *words(104, 100, "CO")]
    made += [*words(114, 102, "2", size=7.0)[:1], *words(122, 100, "fell")]
    tight = [word._replace(spaced=False) if word.text in ("12,13", "2") else word for word in made]
    assert compose(lines(tight), frozenset()).text == "ice¹²,¹³ and CO₂ fell"
    assert compose(lines(made), frozenset()).text == "ice ¹²,¹³ and CO ₂ fell"


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        ("[3,5‑7]", "ice[3,5‑7]"),
        ("[3]", "ice[3]"),
        ("−1", "ice⁻¹"),
        ("3–5", "ice³–⁵"),
        ("*", "ice \\( ^{*} \\)"),
        ("th", "ice \\( ^{th} \\)"),
        ("1,a", "ice \\( ^{1,a} \\)"),
        ("[a]", "ice \\( ^{[a]} \\)"),
        ("३", "ice \\( ^{३} \\)"),
    ],
)
def test_other_raised_words_are_written_as_latex(raised: str, text: str) -> None:
    made = [*words(50, 100, "ice"), *words(65, 96, raised, size=7.0)]
    assert compose(lines([made[0], made[1]._replace(spaced=False)]), frozenset()).text == text


def test_a_raised_word_may_begin_and_end_the_text() -> None:
    made = [*words(50, 96, "a", size=7.0), *words(54, 100, "Department of ice"), *words(141, 96, "b", size=7.0)]
    tight = [word._replace(spaced=False) if word.text == "b" else word for word in made]
    assert compose(lines(tight), frozenset()).text == "\\( ^{a} \\) Department of ice \\( ^{b} \\)"


def test_a_line_goes_on_behind_a_raised_word() -> None:
    made = [*words(50, 100, "ice"), *words(65, 96, "12", size=7.0)[:1], *words(50, 112, "on the river")]
    tight = [word._replace(spaced=False) if word.text == "12" else word for word in made]
    assert compose(lines(tight), frozenset()).text == "ice¹² on the river"


def test_raised_words_beside_each_other_are_one() -> None:
    made = [*words(50, 100, "Hale"), *words(70, 96, "1, 2", size=7.0)]
    tight = [made[0], made[1]._replace(spaced=False), made[2]]
    assert compose(lines(tight), frozenset()).text == "Hale¹, ²"


@pytest.mark.parametrize("sign", ["{", "}", "\\", "$"])
def test_what_would_be_latex_itself_is_not_raised(sign: str) -> None:
    made = [*words(50, 100, "ice"), *words(65, 96, sign, size=7.0)]
    assert compose(lines(made), frozenset()).text == f"ice {sign}"


def test_runs_of_a_type_are_marked_over_blanks() -> None:
    made = [*words(50, 100, "On"), *words(63, 100, "Salmo trutta", font=SLANTED), *words(126, 100, "see", font=BOLD)]
    made += words(144, 100, "code", font=MONO)
    assert compose(lines(made), frozenset()).marks == (
        Mark(3, 15, "italic"),
        Mark(16, 19, "bold"),
        Mark(20, 24, "monospace"),
    )
    apart = [*words(50, 100, "a", font=SLANTED), *words(58, 100, "b"), *words(66, 100, "c", font=SLANTED)]
    assert compose(lines(apart), frozenset()).marks == (Mark(0, 1, "italic"), Mark(4, 5, "italic"))
    both = PLAIN._replace(bold=True, italic=True)
    assert compose(lines(words(50, 100, "ice", font=both)), frozenset()).marks == (
        Mark(0, 3, "bold"),
        Mark(0, 3, "italic"),
    )


def test_a_mark_ends_with_the_word_that_lost_its_hyphen() -> None:
    made = [*words(50, 100, "tempera-", font=SLANTED), *words(50, 112, "tures fell")]
    found = compose(lines(made), frozenset())
    (mark,) = found.marks
    assert found.text[mark.start : mark.end] == "tempera"


def test_words_behind_each_kind_of_join_are_found_in_the_text() -> None:
    tight = [word._replace(spaced=word.text != "12") for word in words(65, 96, "12", size=7.0)]
    made = [
        *words(50, 100, "ice"),
        *tight,
        *words(50, 112, "on pre-"),
        *words(50, 124, "2010 pages"),
        *words(50, 136, "12–"),
    ]
    made += [*words(50, 148, "14 of the"), *words(50, 160, "river", font=BOLD)]
    found = compose(lines(made), frozenset())
    assert found.text == "ice¹² on pre-2010 pages 12–14 of the river"
    for word, at in found.starts:
        assert found.text[at:].startswith({"12": "¹²"}.get(word.text, word.text)), word.text
    assert found.marks == (Mark(len(found.text) - 5, len(found.text), "bold"),)
