"""Which words of a sentence are quantities: the labeller's, and what the rules read beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kag.layers.measurements.edges import mended
from kag.layers.measurements.features import Seen
from kag.layers.measurements.sentence import Sentence
from kag.text.quantities import Quantity

_JOINS = frozenset(("and", "or", "to", "by"))
_OF_UNITS = frozenset((".", "%", "-", "−", "–", "1", "2", "3"))  # "wt" and ".%", "g" and "− 1"
DOUBT = 0.6  # of no quantity: a token that is none with less than this belongs to one


@dataclass(frozen=True, slots=True)
class Found:
    """A quantity: its tokens from `first` up to `last`, those of its unit (equal: none), and how sure it is."""

    first: int
    last: int
    unit: tuple[int, int]
    score: float


def quantity_spans(
    sentence: Sentence, told: Seen, ruled: Sequence[Quantity], shares: Sequence[Mapping[str, float]]
) -> list[Found]:
    """The quantities of a sentence in order.

    `ruled` are those of the rules, in characters of the passage; `shares` is what the labeller says of each token.
    """
    labels = [_label(share) for share in shares]
    units = ["I" if label[-1] == "U" else "O" for label in labels]
    found = []
    pieces = [piece for run in _joined(told, runs(labels)) for piece in _apart(sentence, told.words, run, ruled)]
    for first, last in mended(sentence, told.words, pieces, ruled):
        first, last = _balanced(told.words, first, last)
        last -= last - first > 1 and told.words[last - 1] in (".", ",", ";")
        unit = next((run for run in reversed(runs(units)) if first <= run[0] < last), (first, first))
        if unit[1] > unit[0] and all(word in _OF_UNITS for word in told.words[unit[1] : last]):
            unit = (unit[0], last)
        score = sum(1 - shares[n].get("O", 0.0) for n in range(first, last)) / (last - first)
        found.append(Found(first, last, (unit[0], min(unit[1], last)), score))
    return found


def _label(share: Mapping[str, float]) -> str:
    if share.get("O", 0.0) >= DOUBT:  # more than a half: most tokens
        return "O"
    best = max(share, key=share.__getitem__)
    if best == "O":
        return max((label for label in share if label != "O"), key=share.__getitem__)
    return best


def runs(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Where runs begin and end: a label that begins with B starts one, O stands outside.

    >>> runs(["O", "B", "U", "B", "O", "I"])
    [(1, 3), (3, 4), (5, 6)]
    """
    found: list[tuple[int, int]] = []
    start = -1
    for n, label in enumerate([*labels, "O"]):
        if start >= 0 and label[0] in "OB":
            found.append((start, n))
            start = -1
        if label != "O" and start < 0:
            start = n
    return found


def _joined(told: Seen, found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs of which none is a bound without a number: "before" goes with "1200 °C" behind it."""
    joined: list[tuple[int, int]] = []
    for first, last in found:
        if (
            joined
            and joined[-1][1] == first
            and all(kind == "preposition" for kind in told.classes[slice(*joined[-1])])
        ):
            first = joined.pop()[0]
        joined.append((first, last))
    return joined


def _apart(
    sentence: Sentence, words: Sequence[str], run: tuple[int, int], ruled: Sequence[Quantity]
) -> list[tuple[int, int]]:
    """A run cut where the rules read quantities of two units in it with a word between: "24 h | under 1 bar"."""
    first, last = run
    start, end = sentence.span(first, last - 1)
    inside = [one for one in ruled if one.start < end and start < one.end]
    cuts = []
    for one, two in pairwise(inside):
        border = sentence.within(two.start, two.end)[0]
        between = words[sentence.within(one.start, one.end)[1] : border]
        apart = not between or any(word.isalpha() and word not in _JOINS for word in between)
        if one.unit_canonical != two.unit_canonical and apart:
            cuts.append(border)
    edges = [first, *cuts, last]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _balanced(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """A run with both of its brackets or none: the one just outside is taken in, else the run ends before it."""
    inside = words[first:last]
    opened, closed = (inside.index("(") if "(" in inside else -1), (inside.index(")") if ")" in inside else -1)
    if closed >= 0 and opened < 0:
        return (first - 1, last) if first and words[first - 1] == "(" else (first, max(first + closed, first + 1))
    if opened > 0 and closed < 0:
        return (first, last + 1) if last < len(words) and words[last] == ")" else (first, first + opened)
    return first, last
