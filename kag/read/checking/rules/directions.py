"""Opposites: what the claim says rose, the evidence does not say fell; of two compared, the same one is the greater."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.lexicon import lexicon
from kag.read.checking.rules.negation import UNTURNED, is_left_out
from kag.read.checking.rules.parts import Part, Sides
from kag.read.checking.rules.reach import denials_of, is_turned
from kag.read.checking.rules.roles import is_swapped, than
from kag.read.checking.rules.words import Word, phrases_at
from kag.read.checking.rules.zones import zones

_KIN = {"change": "amount", "amount": "change"}  # a scale that stands for another where that is not spoken of
_MOVING = frozenset(("change", "amount", "goodness"))
_MAKING = ("maximis", "maximiz", "minimis", "minimiz")  # what is done, and is not yet the greatest
_PRESENT = ("presen", "absen")
_LEAST = 2  # what a claim and its quotes have to share around two words that are compared
_TURNED = frozenset(scale for sides in lexicon().opposites.values() for scale, _ in sides) - UNTURNED
_DEGREES = frozenset(("more", "less", "most", "least"))  # of "less abundant" the first word is the one that turns
_LEFT = 2  # how much more it says that both have a word before it, where who acts stands
_UNLIKE = frozenset(  # whose stems are those of "import" and "comparable"
    ("important", "importantly", "importance", "compared", "comparing", "compare", "comparison", "comparisons")
)
_DONE = ("ed", "ing", "tion")  # how words end that stand behind a hyphen for what is done
_MEASURED = frozenset(("deep", "high", "long", "old", "large", "big", "heavy"))
_ENDS = frozenset((",", ";", ":", ".", "(", "and", "but", "while"))
_PLACED = frozenset(("above", "below", "under", "over"))
_VALUES = frozenset(
    ("that", "those", "average", "mean", "median", "normal", "threshold", "limit", "half", "chance", "range")
)
_BOUNDS = frozenset(("more", "less", "fewer", "greater", "higher", "lower"))
_LIMIT = 3  # words behind "above" where its value stands
_ACTING = frozenset(("action", "time"))  # scales whose words have a doer and what is done to on their two sides


@dataclass(frozen=True, slots=True)
class Turn:
    """A word that stands on one side of a scale: 1 or -1, turned round by a denial."""

    scale: str
    side: int
    at: int
    text: str
    turned: bool = False


def direction_findings(sides: Sides) -> Iterator[Finding]:
    """The words of the claim that say the opposite of what the evidence says of the same."""
    for turn in turns(sides.claim):
        places = _places(sides, turn.scale) or _places(sides, _KIN.get(turn.scale, ""))
        if not places:
            if turn.scale in _MOVING and (still := _still(sides, turn)):
                yield Finding("direction", f"{turn.text!r} is {still!r} in the quotes", contradicts=True)
            continue
        left, right = _zone(sides, turn)
        rated = [
            (
                _LEFT * len(left & before) + len(left & behind) + len(right & (before | behind)),
                _agrees(sides, turn, part, other),
                other,
            )
            for part, other, before, behind in places
        ]
        if _is_degree(sides, turn) or any(_names_same(sides, turn, part, other) for part, other, _, _ in places):
            continue
        best = max(rate for rate, _, _ in rated)
        if best >= min(_LEAST, max(1, len(left | right))) and not any(
            agrees for rate, agrees, _ in rated if rate == best
        ):
            other = next(other for rate, _, other in rated if rate == best)
            yield Finding("direction", _told(turn, other), contradicts=not _is_doubtful(turn, other))


def _is_degree(sides: Sides, turn: Turn) -> bool:
    """Whether "most" or "least" makes a superlative of a word that the quotes have not: "the most accurate"."""
    behind = next(iter(sides.claim[turn.at + 1 : turn.at + 2]), None)
    if turn.text.lower() not in _DEGREES or behind is None or not behind.carries:
        return False
    return not any(behind.stem in sides.told(part.words) for part in sides.quoted)


def _is_doubtful(turn: Turn, other: Turn) -> bool:
    """Whether two words are opposites less than twice in three times: as by who is compared, "contains" and "lacks"."""
    said = turn.text.lower(), other.text.lower()
    by_order = turn.side == other.side and turn.turned == other.turned
    return by_order or (turn.scale == "presence" and not any(word.startswith(_PRESENT) for word in said))


def _told(turn: Turn, other: Turn) -> str:
    if turn.turned == other.turned:
        return f"{turn.text!r} is {other.text!r} in the quotes"
    with_it, without = ("claim", "quotes") if turn.turned else ("quotes", "claim")
    return f"the {with_it} has a negation that the {without} has not: {turn.text!r} against {other.text!r}"


def _still(sides: Sides, turn: Turn) -> str:
    """The word of the quotes that says that nothing changed where the claim has a change."""
    if any(other.scale == "same" for other in turns(sides.claim)):
        return ""
    zone = frozenset().union(*_zone(sides, turn))
    places = [(other, before | behind) for _, other, before, behind in _places(sides, "same")]
    return next((other.text for other, told in places if other.side > 0 and zone & told), "")


def turns(text: tuple[Word, ...]) -> Iterator[Turn]:
    """The words of a text that stand on one side of a scale."""
    table = lexicon().opposites
    at = 0
    while at < len(text):
        found = phrases_at(text, at, table, stems=True)
        if found and not (len(found) == 1 and _is_attribute(text, at)):
            shown = " ".join(word.text for word in text[at : at + len(found)])
            for scale, side in table[found]:
                turned = scale in _TURNED and is_turned(text, at)
                yield Turn(scale, -side if turned else side, at, shown, turned)
        at += max(len(found), 1)


def _is_attribute(text: tuple[Word, ...], at: int) -> bool:
    """Whether a word only looks as if it stood on a scale: "less abundant", "LPS-induced", "important", "4 m deep"."""
    if text[at].text.lower() == "top" and any(word.is_number for word in text[at + 1 : at + 2]):
        return True
    if text[at].text.lower() in _PLACED and not _is_limit(text, at):
        return True
    if _is_bound(text, at):
        return True
    before = text[at - 1].text.lower() if at else ""
    if (before == "at" and text[at].text.lower() in _DEGREES) or text[at].text.lower().startswith(_MAKING):
        return True
    compound = before == "-" and text[at].text.endswith(_DONE)
    return before in _DEGREES or compound or text[at].text.lower() in _UNLIKE or (at > 0 and _is_measured(text, at))


def _is_bound(text: tuple[Word, ...], at: int) -> bool:
    """Whether a word only bounds a number, which is the matter of `numbers`: "less than 4 %", "40 % or more"."""
    if text[at].text.lower() not in _BOUNDS:
        return False
    behind, before = text[at + 1 : at + 3], text[max(0, at - 2) : at]
    if [word.text.lower() for word in before[1:]] == ["or"] and before[0].is_number:
        return True
    return len(behind) == 2 and behind[0].text.lower() == "than" and behind[1].is_number and behind[1].unit != "x"


def _is_limit(text: tuple[Word, ...], at: int) -> bool:
    """Whether "above" or "below" is so of a value: with a number or what stands for one behind it, no ground."""
    behind = text[at + 1 : at + 1 + _LIMIT]
    return not behind or any(word.is_number or word.text.lower() in _VALUES for word in behind)


def _is_measured(text: tuple[Word, ...], at: int) -> bool:
    """Whether a word says of what a number is the measure: "4 m deep", "12 years old"."""
    return text[at - 1].is_number and bool(text[at - 1].unit) and text[at].text.lower() in _MEASURED


def _places(sides: Sides, scale: str) -> list[tuple[Part, Turn, frozenset[str], frozenset[str]]]:
    """Where the quotes speak of a scale, with the claim's words that belong to it there, before it and behind."""
    found = []
    for part in sides.quoted:
        if part.is_cell and scale == "extreme":
            continue  # a column called "greatest depth" says nothing of which of its cells is the greatest
        shift, text = len(part.lead), part.all
        same = [turn for turn in turns(text) if turn.scale == scale and turn.at >= shift]
        for turn, zone in zip(same, zones(text, [turn.at for turn in same]), strict=True):
            before = sides.told(text[index] for index in zone if index < turn.at)
            behind = sides.told(text[index] for index in zone if index > turn.at)
            found.append((part, replace(turn, at=turn.at - shift), before, behind))
    return found


def _zone(sides: Sides, turn: Turn) -> tuple[frozenset[str], frozenset[str]]:
    """The claim's words that belong to one of its own turning words, before it and behind."""
    same = [other for other in turns(sides.claim) if other.scale == turn.scale]
    zone = zones(sides.claim, [other.at for other in same])[same.index(turn)]
    told = [(index, sides.claim[index]) for index in zone if sides.claim[index].carries or sides.claim[index].is_number]
    before = frozenset(word.stem for index, word in told if index < turn.at)
    return before, frozenset(word.stem for index, word in told if index > turn.at)


def _agrees(sides: Sides, turn: Turn, part: Part, other: Turn) -> bool:
    """Whether two words say the same: one side of the scale, or both changed, the sides and who is compared."""
    if _is_turned_name(sides, turn, part, other):
        return True
    if turn.turned and turn.side != other.side and other.text.lower().endswith("est"):
        return True  # "none was longer", "the longest"
    if turn.turned != other.turned and (_is_same_thing(sides, turn, part, other) or is_left_out(sides)):
        return True
    if _is_second(sides, turn, part, other):
        return turn.side != other.side
    swapped = is_swapped(sides, turn.at, part, other.at, acting=turn.scale in _ACTING)
    return (turn.side == other.side) != swapped


def _names_same(sides: Sides, turn: Turn, part: Part, other: Turn) -> bool:
    """Whether a word says in both which thing is meant, by the word behind it: "deep lakes" beside "a deep lake"."""
    behind = sides.claim[turn.at + 1 : turn.at + 2], part.words[other.at + 1 : other.at + 2]
    alike = turn.scale in UNTURNED and sides.claim[turn.at].stem == part.words[other.at].stem
    return alike and all(found and found[0].carries and found[0].stem == behind[0][0].stem for found in behind)


def _is_turned_name(sides: Sides, turn: Turn, part: Part, other: Turn) -> bool:
    """Whether a denied word has its opposite on the other side, which is so of most scales: "not deep", "shallow"."""
    if turn.scale not in UNTURNED or turn.side == other.side:
        return False
    return is_turned(sides.claim, turn.at) != is_turned(part.all, other.at + len(part.lead))


def _is_same_thing(sides: Sides, turn: Turn, part: Part, other: Turn) -> bool:
    """Whether both words only say which thing is meant, before one and the same word: "dead wood"."""
    text, at = (sides.claim, turn.at) if turn.turned else (part.all, other.at + len(part.lead))
    reaching = [denial for denial in denials_of(text) if denial.start <= at < denial.end]
    if any(not any(word.carries for word in text[denial.start : at]) for denial in reaching):
        return False  # "not the lowest error": the word itself is denied
    behind = sides.claim[turn.at + 1 : turn.at + 2], part.words[other.at + 1 : other.at + 2]
    return all(found and found[0].carries for found in behind) and behind[0][0].stem == behind[1][0].stem


def _is_second(sides: Sides, turn: Turn, part: Part, other: Turn) -> bool:
    """Whether the quote rates the second of two that the claim compares: "less on B", of "more on A than B"."""
    border = than(sides.claim)
    other_border = than(part.words)
    if border is None and other_border is not None:
        behind = part.words[other_border + 1 :]
        end = next((at for at, word in enumerate(behind) if word.text in _ENDS), len(behind))
        degree = other.text.lower() in _DEGREES
        own = part.words[other.at + 1 + degree : other_border]  # "better in A than in B", "more common in A than in B"
        first = sides.told(own if any(word.carries for word in own) else part.words[:other_border])
        second = sides.told(behind[:end])
        said = {word.stem for word in sides.claim}
        if any(other.at < turn.at < other_border for turn in turns(part.words)):
            return False  # another word is the one that compares
        stands_for = behind[:1] and behind[0].text.lower() in ("that", "those")
        return other.at < other_border and bool(said & second - first) and bool(stands_for or not said & first - second)
    if border is None or turn.at > border or other_border is not None:
        return False
    degree = turn.text.lower() in _DEGREES  # of "more common than" no side is called common
    first, second = (
        frozenset(word.stem for word in text if word.carries)
        for text in ((*sides.claim[: turn.at], *sides.claim[turn.at + 1 + degree : border]), sides.claim[border:])
    )
    clause = part.words[other.at + 1 :]
    end = next((at for at, word in enumerate(clause) if word.text in _ENDS), len(clause))
    told = sides.told(clause[:end])
    return bool(told & second - first) and not told & first - second
