"""What a text denies, and of which statement that is said."""

from __future__ import annotations

import pytest

from kag.qa.paper import Node
from kag.qa.quote import denials, first_denial, statement


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It did not melt.", 1),
        ("It didn't melt, and won’t.", 2),
        ("Neither ice nor snow, none, never, nothing, nobody, nowhere.", 7),
        ("It cannot melt without sun.", 2),
        ("No sensor failed.", 1),
        ("See No. 5 and No.7.", 0),
        ("Not only ice, but snow.", 0),
        ("A notable knot of noise.", 0),
        ("NOT SO", 1),
    ],
)
def test_denials(text: str, number: int) -> None:
    assert denials(text) == number


def test_where_the_first_one_begins() -> None:
    assert first_denial("It did not melt, never.") == 7
    assert first_denial("It melted.") == 10


def node(kind: str, text: str) -> Node:
    return Node("ex:b", "b", kind, (), 1, 1, (), text)


@pytest.mark.parametrize(
    ("kind", "text", "quote", "stated"),
    [
        ("Paragraph", "It froze. It did not melt. It broke.", "melt", " It did not melt."),
        ("Paragraph", "It froze. It did not melt. It broke.", "froze. It", "It froze. It did not melt."),
        ("Paragraph", "It froze. It did not melt. It broke.", "It broke.", " It broke."),
        ("Paragraph", "It froze. It did not melt. It broke.", "It froze.", "It froze."),
        ("Paragraph", "Ice did not melt, but snow did.", "snow", "but snow did."),
        ("Paragraph", "Ice did not melt, whereas snow did; fog came.", "snow", "whereas snow did; "),
        ("Paragraph", "Ice did not melt, and snow did.", "snow", "Ice did not melt, and snow did."),
        ("Table", "Ice | not melted\nSnow | melted", "melted\nSnow", "not melted\nSnow | "),
        ("Table", "Ice | not\nSnow | melted", "Snow", "Snow | "),
        ("SectionTitle", "Why not? Ice melts", "Ice", "Why not? Ice melts"),
        ("Title", "Why not? Ice melts", "Ice", "Why not? Ice melts"),
    ],
)
def test_the_statement_that_a_quote_is_cut_from(kind: str, text: str, quote: str, stated: str) -> None:
    at = text.index(quote)
    assert text[slice(*statement(node(kind, text), at, at + len(quote)))] == stated
