"""Claims that only repeat: words of a quote, one behind the other, with a few before them that say whose they are."""

from __future__ import annotations

from collections.abc import Sequence

from kag.read.checking.rules.directions import turns
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.reach import denials_of
from kag.read.checking.rules.words import Word, words
from kag.values.verdict import Quote

_FEWEST = 4  # words that are repeated, where the claim does not say all of the quote


def repeats(sides: Sides) -> bool:
    """Whether a claim is words of its quotes in their order, behind a lead that takes nothing else from them.

    "The median stay was 4 days" repeats "Among men, the median stay was 4 days"; with "In women," before it, where the
    quote speaks of women, it does not.
    """
    if any(denial.at < len(part.lead) for part in sides.quoted for denial in denials_of(part.all)):
        return False  # the quote was cut from a denial
    if _denies_all(sides.claim) < max((_denies_all(part.all) for part in sides.quoted), default=False):
        return False  # "no bat flew" is not that all of them did
    claim = [word for word in sides.claim if word.stem]
    quoted = [word for word in sides.verbatim if word.stem]
    length = _tail(claim, quoted)
    if length == len(claim):
        return True
    lead = tuple(claim[: len(claim) - length])
    if length < _FEWEST or any(word.is_number for word in lead) or denials_of(lead) or _turns(sides, lead):
        return False
    if claim[len(lead)].text.lower() == "than":
        return False  # "More than 4" does not repeat "less than 4"
    repeated = {word.stem for word in claim[len(lead) :]}
    known = sides.told(quoted)
    return not any(word.carries and word.stem in known and word.stem not in repeated for word in lead)


def _denies_all(text: tuple[Word, ...]) -> bool:
    return any(denial.whole for denial in denials_of(text))


def lists_titles(sides: Sides, quotes: Sequence[Quote]) -> bool:
    """Whether a claim only lists headings, each whole and in order, with no number, denial or scale between them."""
    claim = [word for word in sides.claim if word.stem]
    forms = [_form(word) for word in claim]
    at, between = 0, list[Word]()
    for quote in quotes:
        title = [_form(word) for word in words(quote.text) if word.stem]
        first = next((i for i in range(at, len(forms)) if forms[i : i + len(title)] == title), None)
        if quote.kind != "heading" or not title or first is None:
            return False
        between += claim[at:first]
        at = first + len(title)
    rest = (*between, *claim[at:])
    return bool(quotes) and not (any(word.is_number for word in rest) or denials_of(rest) or any(turns(rest)))


def _turns(sides: Sides, lead: tuple[Word, ...]) -> bool:
    """Whether a lead has a word on a scale that the quotes speak of, too."""
    scales = {turn.scale for part in sides.quoted for turn in turns(part.words)}
    return any(turn.scale in scales for turn in turns(lead))


def _tail(claim: list[Word], quoted: list[Word]) -> int:
    """How many of the claim's last words stand in the quotes one behind the other."""
    wanted, given = [[_form(word) for word in text] for text in (claim, quoted)]
    best = 0
    for end in range(1, len(given) + 1):
        if _goes_on(quoted, end):
            continue
        length = 0
        while length < min(end, len(wanted)) and given[end - 1 - length] == wanted[-1 - length]:
            length += 1
        if length == len(wanted) < end and quoted[end - length - 1].is_denial:
            continue  # "less than 3" says another thing than "no less than 3"
        best = max(best, length)
    return best


def _goes_on(text: Sequence[Word], end: int) -> bool:
    """Whether a list of numbers is cut: of "owls and bats weighed 3 and 5 g" nothing ends behind the 3."""
    behind = [word for word in text[end : end + 2] if word.text.lower() not in ("and", "or", "to")]
    return text[end - 1].is_number and bool(behind) and behind[0].is_number


def _form(word: Word) -> tuple[str, str, float | None]:
    return word.stem, word.printed_unit, word.spread
