"""Pages made of lines and drawings, for tests of what is told from them."""

from __future__ import annotations

from collections.abc import Sequence

from kag.sources.pdf.file.content import Drawn, Font, PageContent, Word
from kag.sources.pdf.text.lines import Line, lines_of
from kag.sources.pdf.text.typography import Paragraph, Type

PLAIN = Font("Serif", bold=False, italic=False, mono=False)
BOLD = Font("Serif-Bold", bold=True, italic=False, mono=False)
SLANTED = Font("Serif-Italic", bold=False, italic=True, mono=False)
MONO = Font("Typewriter", bold=False, italic=False, mono=True)
BODY = Type(10.0, False, False, False, "Serif")
WIDE, HIGH = 600.0, 800.0


def words(x: float, base: float, text: str, size: float = 10.0, font: Font = PLAIN) -> list[Word]:
    """The words of a text that begins at x, each letter half as wide as the type's size."""
    found = []
    at = x
    for word in text.split():
        end = at + 0.5 * size * len(word)
        edges = tuple(at + 0.5 * size * k for k in range(len(word)))
        found.append(Word(word, at, base - 0.8 * size, end, base + 0.2 * size, base, size, font, True, edges))
        at = end + 0.3 * size
    return found


def page(
    made: Sequence[Word], drawn: Sequence[tuple[str, float, float, float, float]] = (), number: int = 1
) -> PageContent:
    return PageContent(number, WIDE, HIGH, tuple(made), (), tuple(Drawn(*one) for one in drawn))


def lines(made: Sequence[Word]) -> list[Line]:
    return lines_of(made)


def text(x: float, base: float, count: int, wide: int = 50) -> list[Word]:
    """Lines of a paragraph, 12 points apart, some `wide` letters each."""
    row = "as the river froze the gauges were read by hand at dawn and again at noon by both of us " * 3
    return [word for n in range(count) for word in words(x, base + 12 * n, row[:wide].rsplit(" ", 1)[0])]


def paragraph(number: int, base: float, *rows: str, size: float = 10.0, font: Font = PLAIN, x: float = 50) -> Paragraph:
    """A paragraph on a page: rows of words, 1.2 sizes apart."""
    made = (words(x, base + 1.2 * size * n, row, size, font) for n, row in enumerate(rows))
    return Paragraph(number, tuple(Line(tuple(row)) for row in made))
