"""Signs that stand in place of joined letters."""

from __future__ import annotations

import pytest

from kag.sources.pdf.file.letters import mended
from tests.unit.sources.pdf.typeset import page, words


def read(text: str) -> tuple[str, int]:
    """The text of a page that prints this, and how many repairs were told."""
    pages, told = mended([page(words(50, 100, text))])
    return " ".join(word.text for word in pages[0].words), len(told)


def test_signs_that_make_common_words_are_joined_letters() -> None:
    assert read("*e ice melts. *is is known. *ese floes (*e old ones) and *erefore all") == (
        "The ice melts. This is known. These floes (The old ones) and Therefore all",
        1,
    )
    assert read("the !rst !eld is speci!c, a signi!cant !nding of !ve con!ned") == (
        "the first field is specific, a significant finding of five confined",
        1,
    )
    assert read("e\ue001ects of di\ue001erent o\ue001er a\ue001ect cliffs e\ue001ect")[0].startswith(
        "effects of different"
    )


@pytest.mark.parametrize(
    "text",
    [
        "*Correspondence to *e Hale *equal work *is",  # too few, and most are no words
        "*e *e *e *e *e *e",  # one word alone
        "wow! first! !important field *a *b",
        "The ice melts. This is known. These floes",
        "5*e 2*is 3*ese a*b c*d e*f g*h i*j k*l m*n o*p q*r",
    ],
)
def test_other_signs_stay(text: str) -> None:
    assert read(text) == (text, 0)


def test_letters_keep_the_edge_of_the_sign() -> None:
    made = [
        word._replace(edges=tuple(word.x0 + n for n in range(len(word.text))))
        for word in words(50, 100, "*e *is *ey *e *e")
    ]
    pages, told = mended([page(made)])
    first = pages[0].words[0]
    assert (first.text, first.edges) == ("The", (50.0, 50.0, 51.0))
    assert told[0].problem == "signs in place of joined letters: “*” for “Th”"
