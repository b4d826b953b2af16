"""Where a quantity begins and ends, after the labeller: what it cut off is taken in, what is no part of it is left out.

Runs are tokens from the first up to the last, which is not in; they stay in order and apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from kag.layers.measurements.features import LISTS
from kag.layers.measurements.sentence import Sentence
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
    known = [sentence.within(one.start, one.end) for one in ruled if one.unit or one.uncertainty is not None]
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
    """Where a run begins whose first numbers were cut off: of a list ("1, 5 and 20 m"), of sides ("6 × 3 × 2 m")."""
    listed = any(word in ("and", "or", ",") for word in words[first:last])
    joins = ("×", "x", ",") if listed else ("×", "x")
    while first > 1 and _number(words[first]) and words[first - 1] in joins and _number(words[first - 2]):
        first -= 2
    return first


def _ended(words: Sequence[str], first: int, last: int) -> int:
    """Where a run ends whose unit was cut off."""
    if last < len(words) and words[last - 1] == "per" and words[last].isalpha():
        return last + 1
    if words[last - 1] in _PERCENT and words[last : last + 2] == (".", "%"):
        return last + 2
    if last < len(words) and last - first > 2 and words[last - 1] in _SIGNS and words[last - 2].isalpha():
        return last + (words[last] == "1d")
    return next((last + len(one) for one in _UNITS if words[last : last + len(one)] == one), last)


def _together(words: Sequence[str], found: Sequence[Run]) -> Runs:
    """Runs without a border between: a range or a list of one unit that was cut at its "and" or "to"."""
    runs: Runs = []
    for first, last in found:
        if runs and _one(words, runs[-1], (first, last)):
            first = runs.pop()[0]
        runs.append((first, last))
    return runs


def _one(words: Sequence[str], one: Run, two: Run) -> bool:
    between = tuple(words[one[1] : two[0]])
    if not between:
        return words[one[1] - 1] in ("×", "x", "*") and _number(words[two[0]])
    if between[0] == "," and len(between) == 2:
        between = between[1:]
    if len(between) > 1:
        return False
    begin = {*words[max(0, one[0] - 1) : one[0] + 2]}
    if between[0] == "to":
        return "from" in begin or (words[one[1] - 1] == words[two[1] - 1] and _worded(words, one))
    if between[0] not in ("and", "or", ","):
        return False
    bare, unit = not _worded(words, one), _worded(words, two)
    return "between" in begin or (bare and unit and _number(words[two[0]]))


def _number(word: str) -> bool:
    """Whether a token is of digits; such tokens are told by their form."""
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
