"""Titles in a line with their text, in structured abstracts."""

from __future__ import annotations

import pytest

from kag.sources.pdf.file.content import Font
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.paragraphs import split_labels
from kag.sources.pdf.text.typography import Paragraph
from tests.unit.sources.pdf.typeset import BOLD, PLAIN, SLANTED, words


def made(*rows: list[tuple[str, Font]]) -> Paragraph:
    """A paragraph of rows of words in their faces."""
    lines = []
    for n, row in enumerate(rows):
        at, found = 50.0, []
        for text, font in row:
            found += words(at, 100 + 12 * n, text, font=font)
            at = found[-1].x1 + 3
        lines.append(Line(tuple(found)))
    return Paragraph(1, tuple(lines))


def split(one: Paragraph) -> list[tuple[str, bool]]:
    return [(piece.text, is_title) for piece, is_title in split_labels(one)]


def test_titles_in_bold_type_are_cut_off() -> None:
    one = made([("Objective", BOLD), ("To find ice.", PLAIN)], [("Main results", BOLD), ("We found it.", PLAIN)])
    parts = [("Objective", True), ("To find ice.", False), ("Main results", True), ("We found it.", False)]
    assert split(one) == parts
    slanted = made([("Objective.", SLANTED), ("To find ice.", PLAIN)])
    assert split(slanted) == [("Objective.", True), ("To find ice.", False)]


def test_titles_in_the_text_s_type_have_a_colon() -> None:
    one = made([("Objective: To find ice. Methods: We looked", PLAIN)], [("for ice. Results: Found.", PLAIN)])
    parts = [("Objective:", True), ("To find ice.", False), ("Methods:", True), ("We looked for ice.", False)]
    assert split(one) == [*parts, ("Results:", True), ("Found.", False)]


def test_a_colon_may_be_a_word_of_its_own() -> None:
    assert split(made([("Objective", SLANTED), (": To find ice.", PLAIN)])) == [
        ("Objective :", True),
        ("To find ice.", False),
    ]
    assert split(made([("Methods — We looked for ice.", PLAIN)])) == [
        ("Methods —", True),
        ("We looked for ice.", False),
    ]


def test_a_title_that_a_line_s_end_cuts_is_whole() -> None:
    one = made([("Yes. Main", PLAIN)], [("results: We found it.", PLAIN)])
    assert [(text, is_title) for text, is_title in split(one)] == [
        ("Yes.", False),
        ("Main results:", True),
        ("We found it.", False),
    ]
    assert [len(piece.lines) for piece, _ in split_labels(one)] == [1, 2, 1]


def test_the_longest_title_is_taken() -> None:
    one = made([("Methods and findings", BOLD), ("We looked.", PLAIN)])
    assert split(one)[0] == ("Methods and findings", True)


@pytest.mark.parametrize(
    "row",
    [
        [("Methods", PLAIN), ("of ice are told.", PLAIN)],  # a word of the text
        [("We know", PLAIN), ("Methods", BOLD), ("of ice.", PLAIN)],  # inside of a sentence
        [("methods", BOLD), ("of ice.", PLAIN)],
        [("Icebergs", BOLD), ("of the north.", PLAIN)],  # names no part of an abstract
        [("We looked.", PLAIN), ("Methods:", BOLD)],  # nothing follows
        [("We looked.", PLAIN), ("Methods", SLANTED), (":", PLAIN)],
    ],
)
def test_look_alikes_stay(row: list[tuple[str, Font]]) -> None:
    one = made(row)
    assert split(one) == [(one.text, False)]


def test_a_part_of_a_word_is_no_title() -> None:
    one = made([("Aim", BOLD), ("ing", PLAIN), ("at ice.", PLAIN)])
    words_of = one.lines[0].words
    glued = Paragraph(1, (Line((words_of[0], words_of[1]._replace(spaced=False), *words_of[2:])),))
    assert glued.text == "Aiming at ice."
    assert split(glued) == [("Aiming at ice.", False)]
