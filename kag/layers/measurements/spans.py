"""Quantities in a sentence: their spans, and the words that belong to each.

The labeller's spans are joined, cut, and mended at their ends by what rules read; then the property and the entity are
chosen that the labeller sees for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kag.layers.measurements.features import LISTS, Sentence, Target, TokenFeatures
from kag.text.quantities import Quantity

Run = tuple[int, int]
Runs = list[Run]
_ENDS_NONE = frozenset(
    (*("and", "or", "for", "a", "an", "with", "of", "as", "the", "in", "on", "at", "by", "which", "that", "to"),
     *("than", "between", "from", "over", "when"))
)  # fmt: skip
_BEGINS_NONE = frozenset(("to", "on", "of", "at", "the", "in", "by", "for", "with", "a", "an", "and", "or", "as"))
_WITH = {
    "least": ("at",),
    "most": ("at",),
    "than": ("more", "less", "greater", "fewer", "larger", "higher", "lower", "better"),
}
_NEARLY = ("around", "approximately", "about", "almost", "nearly", "roughly")
_BORDERS = ("before", "above", "below", "within", "until")  # of what has a unit
_UNITS = (("orders", "of", "magnitude"), ("order", "of", "magnitude"), ("percentage", "points"))
_PERCENT = frozenset(("wt", "vol", "mol", "at"))
_FORMS = frozenset(("decimal", "year"))  # of tokens of digits; others are "1d", "2d"
_SHARES = frozenset("%‰°")
_SIGNS = frozenset("-−–+")


def mended(sentence: Sentence, words: Sequence[str], found: Sequence[Run], ruled: Sequence[Quantity]) -> Runs:
    """The runs of a sentence with their right ends; `words` are its tokens in small letters."""
    whole = _with_ruled(sentence, found, ruled)
    return [_trimmed(words, *run) for run in _together(words, [_widened(words, *run) for run in whole])]


def _with_ruled(sentence: Sentence, found: Sequence[Run], ruled: Sequence[Quantity]) -> Runs:
    """Runs that hold all of what the rules read of a number with a unit or an uncertainty where they hold a part."""
    known = [
        sentence.within(quantity.start, quantity.end)
        for quantity in ruled
        if quantity.unit or quantity.uncertainty is not None
    ]
    runs: Runs = []
    for first, last in found:
        for one, two in known:
            if one < last and first < two:
                first, last = min(first, one), max(last, two)
        if runs and first < runs[-1][1]:
            first = runs.pop()[0]
        runs.append((first, last))
    return runs


def _widened(words: Sequence[str], first: int, last: int) -> Run:
    """A run with the word that its first one needs ("at" least), and what its last one needs ("per" mm, "g−" 1)."""
    if first and words[first - 1] in _WITH.get(words[first], ()):
        first -= 1
    if first > 1 and words[first - 2 : first] in (("up", "to"), ("on", "average")):
        first -= 2
    elif first and words[first - 1] in (*_NEARLY, *(_BORDERS if _worded(words, (first, last)) else ())):
        first -= 1
    return _begun(words, first, last), _ended(words, first, last)


def _begun(words: Sequence[str], first: int, last: int) -> int:
    """Extend a run to numbers cut off at its start: of a list ("1, 5 and 20 m"), of sides ("6 × 3 × 2 m")."""
    listed = any(word in ("and", "or", ",") for word in words[first:last])
    joins = ("×", "x", ",") if listed else ("×", "x")
    while first > 1 and _number(words[first]) and words[first - 1] in joins and _number(words[first - 2]):
        first -= 2
    return first


def _ended(words: Sequence[str], first: int, last: int) -> int:
    """Extend a run to a unit cut off at its end."""
    if last < len(words) and words[last - 1] == "per" and words[last].isalpha():
        return last + 1
    if words[last - 1] in _PERCENT and words[last : last + 2] == (".", "%"):
        return last + 2
    if last < len(words) and last - first > 2 and words[last - 1] in _SIGNS and words[last - 2].isalpha():
        return last + (words[last] == "1d")
    return next((last + len(unit) for unit in _UNITS if words[last : last + len(unit)] == unit), last)


def _together(words: Sequence[str], found: Sequence[Run]) -> Runs:
    """Runs without a border between: a range or a list of one unit that was cut at its "and" or "to"."""
    runs: Runs = []
    for first, last in found:
        if runs and _one(words, runs[-1], (first, last)):
            first = runs.pop()[0]
        runs.append((first, last))
    return runs


def _one(words: Sequence[str], run: Run, two: Run) -> bool:
    between = tuple(words[run[1] : two[0]])
    if not between:
        return words[run[1] - 1] in ("×", "x", "*") and _number(words[two[0]])
    if between[0] == "," and len(between) == 2:
        between = between[1:]
    if len(between) > 1:
        return False
    begin = {*words[max(0, run[0] - 1) : run[0] + 2]}
    if between[0] == "to":
        return "from" in begin or (words[run[1] - 1] == words[two[1] - 1] and _worded(words, run))
    if between[0] not in ("and", "or", ","):
        return False
    bare, unit = not _worded(words, run), _worded(words, two)
    return "between" in begin or (bare and unit and _number(words[two[0]]))


def _number(word: str) -> bool:
    """Whether a token is of digits; such tokens are given by their form."""
    return word in _FORMS or word[0].isdigit()


def _worded(words: Sequence[str], run: Run) -> bool:
    """Whether a run has a word or a sign of a share: a unit, often."""
    return any((word[0].isalpha() and word not in _FORMS) or word in _SHARES for word in words[slice(*run)])


def _trimmed(words: Sequence[str], first: int, last: int) -> Run:
    """A run without words at its ends that say nothing of a number."""
    while last - first > 1 and words[last - 1] in _ENDS_NONE:
        last -= 1
    while last - first > 1 and words[first] in _BEGINS_NONE and words[first + 1] not in _AFTER:
        first += 1
    return first, last


_AFTER = LISTS["bound"] - {"about", "approximately"}


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
    sentence: Sentence, tokens: TokenFeatures, ruled: Sequence[Quantity], shares: Sequence[Mapping[str, float]]
) -> list[Found]:
    """The quantities of a sentence in order.

    `ruled` are those of the rules, in characters of the passage; `shares` is what the labeller says of each token.
    """
    labels = [_label(share) for share in shares]
    units = ["I" if label[-1] == "U" else "O" for label in labels]
    found = []
    pieces = [piece for run in runs(labels) for piece in _apart(sentence, tokens.words, run, ruled)]
    for first, last in mended(sentence, tokens.words, pieces, ruled):
        first, last = _balanced(tokens.words, first, last)
        last -= last - first > 1 and tokens.words[last - 1] in (".", ",", ";")
        unit = next((run for run in reversed(runs(units)) if first <= run[0] < last), (first, first))
        if unit[1] > unit[0] and all(word in _OF_UNITS for word in tokens.words[unit[1] : last]):
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
    """Return the spans of runs: a label that begins with B starts one, O is outside.

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


def _apart(
    sentence: Sentence, words: Sequence[str], run: tuple[int, int], ruled: Sequence[Quantity]
) -> list[tuple[int, int]]:
    """A run cut where the rules read quantities of two units in it with a word between: "24 h | under 1 bar"."""
    first, last = run
    start, end = sentence.span(first, last - 1)
    inside = [quantity for quantity in ruled if quantity.start < end and start < quantity.end]
    cuts = []
    for quantity, two in pairwise(inside):
        border = sentence.within(two.start, two.end)[0]
        between = words[sentence.within(quantity.start, quantity.end)[1] : border]
        apart = not between or any(word.isalpha() and word not in _JOINS for word in between)
        if quantity.unit_canonical != two.unit_canonical and apart:
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


ENTITY, PROPERTY = "E", "P"
# For each: the share of a token at which it is worth taking in, and the share that its best token must have.
WORTH: Mapping[str, tuple[float, float]] = {ENTITY: (0.2, 0.0), PROPERTY: (0.15, 0.3)}


_LEAST_WORTH = 0.02
_MARKS = frozenset(",;:.")
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Bound:
    """Tokens from `first` up to `last` that belong to a quantity as `kind`."""

    kind: str
    first: int
    last: int
    score: float


def _stripped(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """A run without marks at its ends, and without a bracket whose other half is outside."""
    while first < last and (words[first] in _MARKS or (words[first] in _OPEN and not _whole(words[first:last]))):
        first += 1
    while first < last and (words[last - 1] in _MARKS or (words[last - 1] in _CLOSE and not _whole(words[first:last]))):
        last -= 1
    return first, last


def _whole(words: Sequence[str]) -> bool:
    depth = 0
    for word in words:
        depth += (word in _OPEN) - (word in _CLOSE)
        if depth < 0:
            return False
    return depth == 0


def chosen(
    shares: Sequence[Mapping[str, float]], words: Sequence[str], targets: Sequence[Target], at: int
) -> tuple[Bound, ...]:
    """Choose the words that belong to a quantity: the best run of each kind outside it, without overlaps.

    `shares` is what the labeller says of each token of its sentence, for the quantity `targets[at]`.
    """
    target = targets[at]
    taken = set(range(target.first, target.last))
    others = {n for one in targets for n in range(one.first, one.last)}
    found: dict[str, Bound] = {}
    for kind, (worth, least) in WORTH.items():
        each = [share.get(f"B{kind}", 0.0) + share.get(f"I{kind}", 0.0) for share in shares]
        barred = taken | others
        run = (0, 0)
        while run[0] == run[1] and worth > _LEAST_WORTH:
            run = _best_run([-1.0 if n in barred else one - worth for n, one in enumerate(each)])
            worth = worth / 2 if kind == ENTITY else 0.0  # a quantity has an entity, be it a doubtful one
        first, last = _stripped(words, *run)
        if last > first and max(each[first:last]) >= least:
            found[kind] = Bound(kind, first, last, sum(each[first:last]) / (last - first))
            taken |= set(range(first, last))
    return tuple(found.values())


def _best_run(values: Sequence[float]) -> tuple[int, int]:
    """The run of the greatest sum; empty where no value is above 0."""
    best, run, total, start = 0.0, (0, 0), 0.0, 0
    for n, value in enumerate(values):
        if total <= 0:
            total, start = 0.0, n
        total += value
        if total > best:
            best, run = total, (start, n + 1)
    return run
