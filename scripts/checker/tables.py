"""Pairs of tables: what a cell says by its row and column, which of two rows has more, which has most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from kag.values.verdict import Quote
from scripts.checker.pairs import Pair, evidence_of

_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")
_SAYS = (
    "The {head} of {row} is {cell}.",
    "{row} has a {head} of {cell}.",
    "{head} was {cell} for {row}.",
    "For {row}, {head} is {cell}.",
    "{row} reached {cell} in {head}.",
)
_MORE = (
    "{one} has a {way} {head} than {two}.",
    "{head} is {way} for {one} than for {two}.",
    "{one} is {way} than {two} in {head}.",
)
_MOST = ("The {way} {head} is that of {one}.", "{one} has the {way} {head}.", "{head} is {way} for {one}.")


def of_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], caption: str, doc: str, most: int, random: Random
) -> Iterator[Pair]:
    """Pairs of one table, as many true as false ones."""
    body = [row for row in rows if len(row) == len(header) and row[0].strip() and not _NUMBER.fullmatch(row[0].strip())]
    if len(body) < 2 or len(header) < 2 or len({row[0] for row in body}) < len(body):
        return
    quote = Quote("", "table", caption=caption[:160], headers=tuple(header), rows=tuple(map(tuple, body)))
    for _ in range(most):
        at = random.randrange(1, len(header))
        if not header[at].strip() or len(header[at]) > 40:
            continue
        for claim, right in random.choice((_cell, _cell, _more, _most))(header[at], at, body, random):
            yield Pair(
                evidence_of(claim, (quote,)), claim, supported=right, how="table" if right else "table wrong", doc=doc
            )


def _cell(head: str, at: int, body: Sequence[Sequence[str]], random: Random) -> Iterator[tuple[str, bool]]:
    row = random.choice(body)
    others = {other[at] for other in body} | set(row[1:])
    wrong = sorted(one for one in others if one.strip() and one != row[at] and len(one) < 40)
    if row[at].strip() and wrong and len(row[at]) < 40:
        say = random.choice(_SAYS)
        yield say.format(head=head, row=row[0], cell=row[at]), True
        yield say.format(head=head, row=row[0], cell=random.choice(wrong)), False


def _value(text: str) -> float | None:
    found = _NUMBER.match(text.strip().replace(",", ""))
    return float(found[0].replace("−", "-")) if found else None


def _more(head: str, at: int, body: Sequence[Sequence[str]], random: Random) -> Iterator[tuple[str, bool]]:
    one, two = random.sample(list(body), 2)
    first, second = _value(one[at]), _value(two[at])
    if first is not None and second is not None and first != second:
        say, ways = random.choice(_MORE), ("higher", "lower") if first > second else ("lower", "higher")
        yield say.format(one=one[0], two=two[0], head=head, way=ways[0]), True
        if random.random() < 0.5:
            yield say.format(one=one[0], two=two[0], head=head, way=ways[1]), False
        else:
            yield say.format(one=two[0], two=one[0], head=head, way=ways[0]), False


def _most(head: str, at: int, body: Sequence[Sequence[str]], random: Random) -> Iterator[tuple[str, bool]]:
    known = [(value, row[0]) for row in body if (value := _value(row[at])) is not None]
    if len({value for value, _ in known}) < 2 or len(body) > 6 or len(known) < len(body):
        return
    way, pick = random.choice((("highest", max), ("lowest", min)))
    best = pick(known)
    say = random.choice(_MOST)
    yield say.format(way=way, head=head, one=best[1]), True
    yield say.format(way=way, head=head, one=random.choice([name for value, name in known if value != best[0]])), False
