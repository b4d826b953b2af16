"""Questions on the cells of tables: where a row and a column meet, the highest value, the unit of a column."""

from __future__ import annotations

from collections.abc import Iterator

from kag.qa.questions.links import Thing, named
from kag.qa.questions.structured_query import Condition, Name, Order, Place, Query
from kag.qa.questions.words import Read, Words, called, lexicon, match_form, rule

_TITLE = 10  # words of a table's title
_NO_HEAD = ("has", "have", "had", "shows", "in", "of", "from", "according")
_MEASURED = "given|measured|reported|expressed?"


@rule
def cell(words: Words, at: int) -> Iterator[Read[Query]]:
    if not words.many:
        yield from _met(words, at)
        yield from _highest(words, at)
        yield from _unit(words, at)
        yield from _row_names(words, at)


@called("table")
@rule
def table(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A table by its number or place, or by its title as it is written: "Table Key resources table,"."""
    end = at + 1
    while words.text(end) and words.low(end) not in (",", "?", "") and end < at + _TITLE:
        end += 1
    if words.low(at) == "table" and words.text(at + 1)[:1].isupper() and words.low(end) == "," and end > at + 2:
        yield Thing(named("table", " ".join(word.text for word in words.words[at + 1 : end]), "title")), end
    yield from (
        (one, last) for (one,), last in match_form(words, at, "<thing>") if one.query.kind == "table" and one.simple
    )


def _met(words: Words, at: int) -> Iterator[Read[Query]]:
    """A table and two phrases in quotation marks; every other word belongs to asking for a cell."""
    size = len(words.words)
    quotes = [place for place in range(at, size) if words.mark(place) == "quote"]
    if len(quotes) != 2:
        return
    known = lexicon().rows["beside", "cell"] | {","}
    for start in range(at, size):
        for one, end in table(words, start):
            rest = {word.low for place, word in enumerate(words.words) if not start <= place < end and not word.mark}
            if rest <= known and not any(start <= place < end for place in quotes):
                column, row = _sides(words, *quotes)
                sides = (Condition("in", named("column", column, "title")), Condition("in", named("row", row, "title")))
                yield Query("cell", (Condition("in", one.query), *sides)), size
                return


def _sides(words: Words, first: int, second: int) -> tuple[str, str]:
    """Decide which of two phrases names the column and which the row, by the words next to them; by default the first
    is the column."""
    columns, rows = (
        [at for at in (first, second) if words.low(at - 1) in names or words.low(at + 1) in names[:2]]
        for names in (("column", "columns", "under"), ("row", "rows", "for"))
    )
    column = columns[0] if columns else second if rows == [first] else first
    return words.text(column), words.text(second if column == first else first)


def _highest(words: Words, at: int) -> Iterator[Read[Query]]:
    """ "Which place has the highest flower cover in Table 1?", "In Table 1, which row has the most bees?"."""
    for form in ("<within> which|what <head> {has} the? {degrees} <topic>",
                 "which|what <head> <within> {has} the? {degrees} <topic>",
                 "which|what <head> {has} the? {degrees} <topic> <within>"):  # fmt: skip
        for handed, end in match_form(words, at, form.replace("{has}", "has|have|had|shows")):
            (query,) = (part for part in handed if isinstance(part, Query))
            (what,) = (part for part in handed if isinstance(part, Name))
            sign, head = (part for part in handed[::-1] if isinstance(part, str))
            where = [Condition("in", query)]
            if head not in ("row", "rows", "entry", "line"):
                where.append(Condition("title", name=Name(head, "words")))
            order = Order("value", Query("column", (Condition("is", name=what),)), descending=sign == "+")
            yield Query("row", tuple(where), order, Place(level=True)), end


def _row_names(words: Words, at: int) -> Iterator[Read[Query]]:
    """ "Which sites appear in Table 1?": the rows, by what the header of their column calls them."""
    stands = "appear|occur|are|is|stand listed|included|shown|named|given|printed|found*"
    for (head, one), end in match_form(words, at, f"which|what <head> {stands} in|of|by <table>"):
        if one.definite and not words.of("kinds", at + 1):
            yield Query("row", (Condition("in", one.query), Condition("title", name=Name(head, "words")))), end


@called("within")
@rule
def _within(words: Words, at: int) -> Iterator[Read[Query]]:
    """ "in Table 1,", "according to the first table"."""
    for form in ("in|of|from <table> ,?", "according to <table> ,?"):
        yield from ((one.query, end) for (one,), end in match_form(words, at, form) if one.definite)


@called("head")
@rule
def _head(words: Words, at: int) -> Iterator[Read[str]]:
    """The one or two words for what rows are of."""
    low = [words.low(at), words.low(at + 1)]
    if low[0].isalpha() and low[0] not in _NO_HEAD:
        if low[1].isalpha() and low[1] not in _NO_HEAD:
            yield " ".join(low), at + 2
        yield low[0], at + 1


def _unit(words: Words, at: int) -> Iterator[Read[Query]]:
    """ "What is the unit of the height?", "In which unit is flower cover given in Table 1?"."""
    lead = "in? what|which|the|give|is|are* unit|units of|for|is|are|was|used* <topic>"
    for form in (f"{lead} {_MEASURED} <within>", f"{lead} {_MEASURED} in?"):
        for (what, *tables), end in match_form(words, at, form):
            if lexicon().rows["kinds", "table"] & set(what.text.lower().split()):
                continue  # "in the table": which?
            where = (*(Condition("in", one) for one in tables), Condition("is", name=what))
            yield Query("column", where, get=("unit",)), end
