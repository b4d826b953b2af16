"""Questions on the cells of tables: where a row and a column meet, the highest value, the unit of a column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kag.questions import naming, nouns
from kag.questions.lexicon import lexicon
from kag.questions.links import Thing, named
from kag.questions.wish import Condition, Name, Order, Place, Wish
from kag.questions.words import Read, Words, rule


@rule
def cell(words: Words, at: int) -> Iterator[Read[Wish]]:
    if not words.many:
        yield from _met(words, at)
        yield from _highest(words, at)
        yield from _unit(words, at)


@rule
def table(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A table by its number or place, or by its title as it is written: "Table Key resources table,"."""
    if words.low(at) == "table" and words.text(at + 1)[:1].isupper():
        end = at + 1
        while end < len(words.words) and words.low(end) not in (",", "?", "") and end < at + naming.NAMES:
            end += 1
        if words.low(end) == "," and end > at + 2:
            text = " ".join(word.text for word in words.words[at + 1 : end])
            yield Thing(named("table", text, "title")), end
    yield from ((one, end) for one, end in nouns.thing(words, at) if one.wish.kind == "table" and not one.each)


def _met(words: Words, at: int) -> Iterator[Read[Wish]]:
    """A table and two phrases in quotation marks; every other word belongs to asking for a cell."""
    size = len(words.words)
    quotes = [place for place in range(at, size) if words.mark(place) == "quote"]
    if len(quotes) != 2:
        return
    known = lexicon().words("beside", "cell")
    for start in range(at, size):
        for one, end in table(words, start):
            rest = {word.low for place, word in enumerate(words.words) if not start <= place < end and not word.mark} - {","}
            if rest <= known and not any(start <= place < end for place in quotes):
                column, row = _sides(words, quotes)
                sides = (Condition("in", named("column", column, "title")), Condition("in", named("row", row, "title")))
                yield Wish("cell", (Condition("in", one.wish), *sides)), size
                return


def _sides(words: Words, quotes: list[int]) -> tuple[str, str]:
    """Which of two phrases names the column, and which the row: the words beside them tell, else the first is the column."""
    first, second = quotes
    columns = [place for place in quotes if _beside(words, place, "column", "columns") or words.low(place - 1) == "under"]
    rows = [place for place in quotes if _beside(words, place, "row", "rows") or words.low(place - 1) == "for"]
    column = columns[0] if columns else second if rows == [first] else first
    other = second if column == first else first
    return words.text(column), words.text(other)


def _beside(words: Words, at: int, *names: str) -> bool:
    return words.low(at - 1) in names or words.low(at + 1) in names


def _highest(words: Words, at: int) -> Iterator[Read[Wish]]:
    """ "Which place has the highest flower cover in Table 1?", "In Table 1, which row has the most bees?"."""
    for before, start in _context(words, at):
        if words.low(start) not in ("which", "what"):
            continue
        head = _head(words, start + 1)
        end = start + 1 + len(head)
        for inner, last in _context(words, end):
            if words.low(last) not in ("has", "have", "had", "shows") or not head:
                continue
            for sign, degree in words.of("degrees", words.skip(last + 1, "the")):
                for what, behind in naming.topic(words, degree):
                    for after, final in _context(words, behind):
                        tables = [one for one in (before, inner, after) if one]
                        if len(tables) == 1:
                            yield _row(tables[0], " ".join(head), what, sign), final


def _context(words: Words, at: int) -> Iterator[Read[Wish | None]]:
    """ "in Table 1,", "according to the first table"."""
    for phrase in (("in",), ("of",), ("from",), ("according", "to")):
        if words.says(phrase, at):
            yield from ((one.wish, words.skip(end, ",")) for one, end in table(words, at + len(phrase)))
    yield None, at


def _head(words: Words, at: int) -> list[str]:
    """The one or two words for what rows are of."""
    said = [words.low(place) for place in range(at, at + 2) if words.low(place).isalpha()]
    verbs = ("has", "have", "had", "shows", "in", "of", "from", "according")
    return said[:1] if len(said) > 1 and said[1] in verbs else said


def _row(one: Wish, head: str, what: Name, sign: str) -> Wish:
    where = [Condition("in", one)]
    if head not in ("row", "rows", "entry", "line"):
        where.append(Condition("title", name=Name(head, "words")))
    order = Order("value", Wish("column", (Condition("is", name=what),)), descending=sign == "+")
    return Wish("row", tuple(where), order, Place(level=True))


def _unit(words: Words, at: int) -> Iterator[Read[Wish]]:
    """ "What is the unit of the height?", "In which unit is flower cover given in Table 1?"."""
    start = words.skip(at, "what", "which", "in", "is", "are", "the", "give")
    if words.low(start) not in ("unit", "units") or start == at:
        return
    end = words.skip(start + 1, "of", "for", "is", "are", "used", "was")
    for what, last in naming.topic(words, end):
        behind = words.skip(last, "given", "measured", "reported", "expressed", "in")
        for one, final in [*_context(words, last), *_context(words, words.skip(last, "given", "measured", "reported", "expressed")),
                           (None, behind)]:  # fmt: skip
            wish = Wish("column", (Condition("is", name=what),), get=("unit",))
            yield replace(wish, where=(Condition("in", one), *wish.where)) if one else wish, final
