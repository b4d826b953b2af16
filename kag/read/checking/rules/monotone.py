"""Details added to a sentence, or left out of it, where it need not stay true: "all mice died" of "all ill mice died".

Only of a claim that has a sentence of its quotes word for word and in order, but for these. What may be left out or
added is told by `polarity`; "or" is the other way round, since it makes weaker what "and" makes stronger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.lexicon import is_irregular
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.polarity import BORDERS, DOWN, FINITE, FLAT, LINKS, UP, WHO, polarity
from kag.read.checking.rules.words import Word, words

_LONGEST = 60  # words of a sentence that is compared
_DETAIL = 8  # words of a detail
_EVEN = frozenset(("a", "an", "the", "any", "some", "at", "all", "whatsoever", "ever", "of", "or", "and"))
_OPERATORS = frozenset(
    [
        "only",
        "most",
        "every",
        "all",
        "each",
        "few",
        "both",
        "if",
        "exactly",
        "mostly",
        "seldom",
        "rarely",
        "alone",
        "least",
        "more",
        "less",
        "little",
    ]
)
_CLAUSES = frozenset(
    ["while", "whereas", "although", "though", "because", "since", "but"]
)  # what begins one of its own
_QUANTITIES = frozenset(["few", "many", "most", "some", "several", "both", "all", "each"])
_BEHIND = LINKS | WHO | {"where", "when", "after", "before", "during", "as"}  # what begins a phrase behind a noun


@dataclass(frozen=True, slots=True)
class Edit:
    """Words that stand on one side only: those of the claim are `added`, those of a sentence left out."""

    words: tuple[Word, ...]
    polarity: int
    added: bool
    is_first: bool = False  # of its sentence

    @property
    def is_loose(self) -> bool:
        """Whether it has no word that makes a detail: "a", "any", and one that leads in, as "Additionally"."""
        low = [word.text.lower() for word in self.words]
        return all(word in _EVEN for word in low) or (self.is_first and len(low) == 1 and low[0].endswith("ly"))

    @property
    def is_detail(self) -> bool:
        """Whether it has few words, none of which denies or counts: of those other rules speak."""
        plain = not any(word.is_denial or word.is_number or word.text.lower() in _OPERATORS for word in self.words)
        return plain and len(self.words) <= _DETAIL and any(word.carries for word in self.words)

    @property
    def is_or(self) -> bool:
        """Whether it is one of two things that "or" joins."""
        return "or" in (self.words[0].text.lower(), self.words[-1].text.lower())

    def is_said(self, *, is_part: bool) -> bool:
        """Whether it says something of its own, with a verb that the sentence has not; "-ed" may be of a noun, too."""
        low = [word.text.lower() for word in self.words]
        if not self.added or WHO & set(low[:1]):
            return False
        said = (
            low[0] in _CLAUSES or any(word in FINITE or is_irregular(word) for word in low) or low[-1] == "that"
        )  # "They found that"
        return said or (is_part and any(map(_is_verb, self.words)))


def monotone_findings(sides: Sides) -> Iterator[Finding]:
    """Details that the claim adds or leaves out where the sentence that it repeats then does not bear it."""
    texts = [part.words for part in sides.quoted if not part.is_cell and not part.lead and part.words]
    compared = [found for text in texts if text[-1].is_mark and (found := _edits(sides.claim, text))]
    wrong = [next((edit for edit in edits if _is_unborne(edit, sides)), None) for edits in compared]
    edit = wrong[0] if wrong and all(wrong) else None
    if edit:
        shown = " ".join(word.text for word in edit.words)
        verb = "adds a detail that its quotes have not" if edit.added else "leaves out a detail of its quotes"
        yield Finding("scope", f"the claim {verb}: {shown!r}")


def _edits(claim: tuple[Word, ...], text: tuple[Word, ...]) -> list[Edit]:
    """The details that the claim adds to a sentence, or else leaves out of it; none where it tells it in other words.

    What it leaves out at the beginning or end, where a detail may be left out, only makes it a part of the sentence.
    """
    own, theirs = ([at for at, word in enumerate(side) if word.stem] for side in (claim, text))
    if max(len(own), len(theirs)) > _LONGEST:
        return []
    said, shown = [claim[at].stem for at in own], [text[at].stem for at in theirs]
    found, shared, is_part = list[Edit](), 0, not any(map(_is_verb, text))
    for kind, i, j, k, m in SequenceMatcher(None, shown, said, autojunk=False).get_opcodes():
        if kind == "equal":
            shared += sum(text[at].carries for at in theirs[i:j])
            continue
        lost, new = _edit(text, theirs[i:j], added=False), _edit(claim, own[k:m], added=True)
        if lost and not lost.is_or and _is_left_whole(text, theirs, i, j, lost):
            lost, is_part = None, True
        found += [edit for edit in (lost, new) if edit and not edit.is_loose]
    is_one_way = len({edit.added for edit in found}) == 1 or all(edit.polarity == FLAT for edit in found)
    if not is_one_way or not all(edit.is_detail and not edit.is_said(is_part=is_part) for edit in found):
        return []
    return found if shared > sum(w.carries for edit in found if edit.added for w in edit.words) else []


def _is_left_whole(text: tuple[Word, ...], places: Sequence[int], first: int, end: int, lost: Edit) -> bool:
    """Whether a sentence without these words is still what it was: its begin or end, a phrase at a clause's end.

    "It did not lower the level in the tank" mostly says that it did not lower the level.
    """
    if lost.polarity == UP:
        return first == 0 or end == len(places)
    behind = text[places[end - 1] + 1 :][:1]
    return lost.words[0].text.lower() in _BEHIND and (not behind or behind[0].text.lower() in BORDERS)


def _edit(text: tuple[Word, ...], places: Sequence[int], *, added: bool) -> Edit | None:
    """The words at these places as an edit; None where there are none."""
    if not places:
        return None
    if added and len(places) == 1 and _is_counted(text, places[0]):
        return None
    way = min(polarity(text)[at] for at in places)
    return Edit(tuple(text[at] for at in places), way, added, is_first=places[0] == 0)


def _is_counted(text: tuple[Word, ...], at: int) -> bool:
    """Whether a word is what a quantity before it and nothing behind it is of: "all but a few [ponds]."."""
    before, behind = text[at - 1 : at], text[at + 1 : at + 2]
    return any(word.text.lower() in _QUANTITIES for word in before) and all(w.text.lower() in BORDERS for w in behind)


def _is_verb(word: Word) -> bool:
    low = word.text.lower()
    return low in FINITE or is_irregular(low) or (low.endswith("ed") and word.carries)


def _is_unborne(edit: Edit, sides: Sides) -> bool:
    """Whether a sentence need not stay true with this edit."""
    way = -edit.polarity if edit.is_or else edit.polarity
    if edit.added:
        near = sides.known | sides.told(sides.around) | {word.stem for word in words(sides.context.question)}
        return way != DOWN and any(word.carries and word.stem not in near for word in edit.words)
    listed = "and" in (edit.words[0].text.lower(), edit.words[-1].text.lower())  # "no wind and rain" is mostly neither
    return way != UP and not listed and not all(word.text.endswith("ly") for word in edit.words)
