"""Features of the tokens of printed references for the labeller.

They describe the word and its form, its neighbours, its piece between two marks, its place, and what rules for names,
quotation marks and styles find (`kag.indexing.references.mending`). A list is described at once: each column holds an
integer for each token, and `Columns.attributes` spells an integer out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from kag.indexing.references.mending import guesses, leading_names
from kag.indexing.references.names import Names
from kag.indexing.references.tokens import EDGES, LETTERS, LISTS, QUOTED, SMALL, UNITS, Token, form_of, pieces, quoted

_BESIDE = (-2, -1, 1, 2)  # the neighbours that are described
_NAMED = ("named", "body", "nobody", *(f"past={n}" for n in range(4)))
_BITS = 20  # of an id within a key that joins several


def features(text: str, row: Sequence[Token]) -> list[list[str]]:
    """For each token of a text its attributes, as the labeller is trained on."""
    if not row:
        return []
    described = Columns()
    parts = [[*map(partial(described.attributes, n), keys)] for n, keys in enumerate(described.of([text], [row]))]
    return [[name for names in of_token for name in names if name] for of_token in zip(*parts, strict=True)]


def vocabulary(names: Iterable[str]) -> frozenset[str]:
    """The words that attributes of neighbours have, of all attributes of a model."""
    parts = [name.partition("=") for name in names]
    beside = {word for head, _, word in parts if head[-1:] == "w"}
    before = {pair.rpartition(" ")[0] for head, _, pair in parts if head == "pair"}
    behind = {pair.partition(" ")[2] for head, _, pair in parts if head == "next"}
    return frozenset(beside | before | behind)


class _Ids(dict[Any, int]):
    """Numbers of values, in the order in which they come."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__((value, n) for n, value in enumerate(values))
        self.names: list[Any] = list(self)

    def __missing__(self, value: Any) -> int:
        self.names.append(value)
        self[value] = number = len(self)
        return number

    def of(self, number: int) -> Any:
        """The value of a number."""
        return self.names[number]


class _Look(NamedTuple):
    """Features of one token: ids of its form, its word, both, and its unit (0: none)."""

    form: int
    shown: int
    pair: int
    unit: int
    is_point: bool
    is_year: bool
    is_number: bool
    small: int


class Columns:
    """Integers that describe the tokens of entries, a column for each kind of attributes.

    Neighbours that are not `known` give only their form. The integers are those of one object.
    """

    def __init__(self, known: frozenset[str] | None = None) -> None:
        self._known = known
        self._texts, self._forms, self._words, self._pairs = _Ids(), _Ids(), _Ids(), _Ids()
        self._facts, self._heads, self._guesses, self._rules = _Ids(), _Ids(), _Ids(), _Ids()
        self._units = ("", *dict.fromkeys(UNITS.values()))
        self._looks = np.zeros((0, len(_Look._fields)), dtype=np.int64)  # of the texts
        self._spelled: list[tuple[str, str]] = []  # their forms and words
        self._spell: tuple[Callable[[int], Sequence[str]], ...] = (
            self._own, *(partial(self._beside, by) for by in _BESIDE), _place, self._piece, _edge, _around,
            self._guess, self._guess_in_piece, self._whole, self._labels, self._pair, self._next, self._glue,
        )  # fmt: skip

    def __len__(self) -> int:
        """Number of distinct tokens."""
        return len(self._texts)

    @property
    def count(self) -> int:
        """The number of columns."""
        return len(self._spell)

    def attributes(self, column: int, key: int) -> Sequence[str]:
        """The attributes that an integer of a column stands for."""
        return self._spell[column](key)

    def of(self, texts: Sequence[str], rows: Sequence[Sequence[Token]]) -> list[list[int]]:
        """For each column an integer for each token of all texts; `rows` are their tokens."""
        row = [*chain.from_iterable(rows)]
        if not row:
            return [[] for _ in range(self.count)]
        ids = self._seen([token.text for token in row])
        looks = self._looks[ids]
        form, shown, pair, unit, is_point = (looks[:, n] for n in range(5))
        span = _Spans(np.array([*map(len, rows)]))
        names = [leading_names(text) for text in texts]
        named, whole = _named(names, rows, span, looks)
        in_pieces, edges, quotes, guessed = self._per_text(texts, names, rows, ids)
        apart = np.array([token.apart for token in row], dtype=np.int64)
        heads = np.array([self._heads[self._facts.of(piece)[:2]] for piece in in_pieces])
        rules = np.array([self._rules[self._guesses.of(guess)[0]] for guess in guessed])
        before = np.where(is_point, span.shifted(unit, -1), unit)
        columns = (
            np.array(ids),
            *(span.shifted(pair + 1, by) for by in _BESIDE),
            span.places(apart),
            np.array(in_pieces),
            np.array(edges),
            (np.array(quotes) * 8 + named) * 24 + _numbers_seen(span, looks),
            np.array(guessed),
            ((heads << _BITS) + rules << _BITS) + form,
            (whole * 8 + named << _BITS) + form,
            (span.shifted(before, -1) << _BITS) + span.shifted(unit, 1),
            np.where(span.place > 0, (span.shifted(shown, -1) + 1 << _BITS) + form, 0),
            np.where(span.left > 1, (form + 1 << _BITS) + span.shifted(shown, 1), 0),
            np.where(span.left > 1, ((form + 1) * 2 + span.shifted(apart, 1) << _BITS) + span.shifted(form, 1), 0),
        )
        return [column.tolist() for column in columns]

    def _seen(self, texts: Sequence[str]) -> list[int]:
        """The ids of tokens; those that are new are looked at."""
        known = len(self._texts)
        ids = [*map(self._texts.__getitem__, texts)]
        if fresh := self._texts.names[known:]:
            self._looks = np.concatenate([self._looks, np.array([*map(self._look, fresh)], dtype=np.int64)])
        return ids

    def _look(self, text: str) -> _Look:
        form = form_of(text)
        word = form if text[0].isdigit() else text.casefold()
        self._spelled.append((form, word))
        shown = word if self._known is None or word in self._known else ""
        unit = self._units.index(UNITS.get(word, ""))
        own, beside = self._forms[form], self._words[shown]
        pair = self._pairs[shown, form]
        return _Look(own, beside, pair, unit, word == ".", form == "year", form[-1] == "d", SMALL.get(form, 0))

    def _per_text(
        self, texts: Sequence[str], names: Sequence[Names], rows: Sequence[Sequence[Token]], ids: Sequence[int]
    ) -> tuple[list[int], list[int], list[int], list[int]]:
        """For each token the ids of its piece, of its edge in that, of its place in quotations, and of its guess."""
        in_pieces, edges, quotes, guessed = list[int](), list[int](), list[int](), list[int]()
        for text, leading, row in zip(texts, names, rows, strict=True):
            spelled = [self._spelled[n] for n in ids[len(in_pieces) : len(in_pieces) + len(row)]]
            for facts, edge, many in pieces(row, [form for form, _ in spelled], [word for _, word in spelled]):
                in_pieces += [self._facts[facts]] * many
                edges += edge
            quotes += quoted(row)
            guessed += self._guessed(text, leading, row)
        return in_pieces, edges, quotes, guessed

    def _guessed(self, text: str, names: Names, row: Sequence[Token]) -> list[int]:
        """For each token the field that rules put it in, how clear that is, and in which style the names are."""
        found = guesses(text, names)
        title = next((f"rules={guess.label} {guess.clear}" for guess in found), "rules=none")

        def about(rule: str, clear: str, edge: str = "") -> int:
            return self._guesses[rule, f"{rule}|{clear}", f"{rule}|{clear}|{names.style}", f"{rule}|{edge}", title]

        starts = [token.start for token in row]
        ids = [about("rule=none", title)] * len(row)
        for guess in reversed(found):  # the first that holds a token counts
            start, end = bisect_left(starts, guess.start), bisect_left(starts, guess.end)
            rule = f"rule={guess.label}"
            ids[start:end] = [about(rule, guess.clear)] * (end - start)
            if start < end and row[end - 1].end >= guess.end:
                ids[end - 1] = about(rule, guess.clear, "last")
            if start < end and starts[start] == guess.start:
                ids[start] = about(rule, guess.clear, "first")
        return ids

    # what an integer of each column stands for ----------------------------------------------------

    def _own(self, key: int) -> Sequence[str]:
        form, word = self._spelled[key]
        names = [f"w={word if form not in LETTERS else form}", f"f={form}"]
        if len(word) > 3 and form[:3] != "han" and word[0].isalpha():
            names += [f"pre={word[:3]}", f"suf={word[-3:]}"]
        names += [name for name, listed in LISTS.items() if word in listed]
        if word in UNITS:
            names.append(f"unit={UNITS[word]}")
        return names

    def _beside(self, by: int, key: int) -> Sequence[str]:
        if not key:
            return (f"{by}none",)
        word, form = self._pairs.of(key - 1)
        return f"{by}w={word}", f"{by}f={form}"

    def _piece(self, key: int) -> Sequence[str]:
        facts: Sequence[str] = self._facts.of(key)
        return facts

    def _guess(self, key: int) -> Sequence[str]:
        guess: Sequence[str] = self._guesses.of(key)
        return guess

    def _guess_in_piece(self, key: int) -> Sequence[str]:
        first, rule, form = _parts(key, 3)
        one, other = self._heads.of(first)
        guess, shape = self._rules.of(rule), self._forms.of(form)
        return f"{one}|{shape}", f"{other}|{shape}", f"{guess}|{shape}"

    def _whole(self, key: int) -> Sequence[str]:
        both, form = _parts(key, 2)
        whole, named = divmod(both, 8)
        return (f"whole={'early' if whole > 4 else 'late'}{whole % 5}|{self._forms.of(form)}|{_NAMED[named]}",)

    def _labels(self, key: int) -> Sequence[str]:
        before, behind = _parts(key, 2)
        return (f"under={self._units[before]}" if before else "", f"over={self._units[behind]}" if behind else "")

    def _pair(self, key: int) -> Sequence[str]:
        word, form = _parts(key, 2)
        return (f"pair={self._words.of(word - 1)} {self._forms.of(form)}",) if word else ()

    def _next(self, key: int) -> Sequence[str]:
        form, word = _parts(key, 2)
        return (f"next={self._forms.of(form - 1)} {self._words.of(word)}",) if form else ()

    def _glue(self, key: int) -> Sequence[str]:
        both, behind = _parts(key, 2)
        form, apart = divmod(both, 2)
        return (f"glue={self._forms.of(form - 1)}{'_' if apart else ''}{self._forms.of(behind)}",) if form else ()


class _Spans:
    """Where in its entry each token of a list stands: `place` from 0, `left` tokens from it to the end."""

    def __init__(self, lengths: Any) -> None:
        self.ends = lengths.cumsum()
        self.starts = self.ends - lengths
        self.count = np.repeat(lengths, lengths)
        self.place = np.arange(len(self.count)) - self.spread(self.starts)
        self.left = self.count - self.place

    def spread(self, values: Any) -> Any:
        """A value of each entry for each of its tokens."""
        return np.repeat(values, self.ends - self.starts)

    def shifted(self, values: Any, by: int) -> Any:
        """The value of the token that stands `by` tokens away; 0 beyond the ends of the entry."""
        inside = (self.place + by >= 0) & (self.left > by)
        return np.where(inside, np.roll(values, -by), 0)

    def places(self, apart: Any) -> Any:
        """Keys of the places of tokens in their entries."""
        share = 8 * self.place // self.count
        return ((apart * 4 + np.minimum(self.place, 3)) * 8 + share) * 5 + np.minimum(self.left, 4)


def _parts(key: int, many: int) -> tuple[int, ...]:
    """The ids that a key joins."""
    return tuple(key >> _BITS * n & (1 << _BITS) - 1 for n in range(many - 1, -1, -1))


def _place(key: int) -> Sequence[str]:
    rest, left = divmod(key, 5)
    rest, share = divmod(rest, 8)
    apart, at = divmod(rest, 4)
    return ("apart" if apart else "glued", f"at={at}", f"share={share}", f"left={left}")


def _edge(key: int) -> Sequence[str]:
    return (EDGES[key],)


def _around(key: int) -> Sequence[str]:
    """Quotation, names, and the numbers that stand before and behind a token."""
    rest, seen = divmod(key, 24)
    quoted, named = divmod(rest, 8)
    before, behind = divmod(seen, 6)
    read = ("y" if before & 2 else "") + ("n" if before & 1 else "")
    return QUOTED[quoted], _NAMED[named], f"seen={read}/{'y' if behind > 2 else ''}{behind % 3}"


def _named(names: Sequence[Names], rows: Sequence[Sequence[Token]], span: _Spans, looks: Any) -> tuple[Any, Any]:
    """For each token whether it is within the names that its text starts with, or how far behind; and of the whole
    text whether a year is near its names, and how many words look like those of a title."""
    ends = [sum(token.start < leading.end for token in row) for leading, row in zip(names, rows, strict=True)]
    behind = np.array(ends)
    inside = span.spread(np.array([_NAMED.index("body" if name.style == "group" else "named") for name in names]))
    read = span.spread(np.array([bool(name.end) for name in names]))
    past = np.where(read, 3 + np.minimum(span.place - span.spread(behind), 3), 2)
    years = np.concatenate([[0], looks[:, 5].cumsum()])
    small = np.concatenate([[0], looks[:, 7].cumsum()])
    free = span.starts + behind
    first = np.where(free < span.ends, free, span.starts)
    early = years[np.minimum(first + 6, span.ends)] > years[first]
    whole = early * 5 + np.minimum(small[span.ends] - small[free], 4)
    return np.where(span.place < span.spread(behind), inside, past), span.spread(whole)


def _numbers_seen(span: _Spans, looks: Any) -> Any:
    """Keys of whether a year and another number stand before each token, and behind it."""
    keys = []
    for column in (5, 6):
        upto = looks[:, column].cumsum()
        before = upto - looks[:, column]
        keys += [before - span.spread(before[span.starts % len(before)]), span.spread(upto[span.ends - 1]) - upto]
    years_before, years_behind, before, behind = keys
    read = (years_before > 0) * 2 + (before > 0)
    return read * 6 + (years_behind > 0) * 3 + np.minimum(behind, 2)
