"""Whose a predicate is: "A is deep, B is long and narrow" does not say that A is long and narrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.lexicon import is_irregular
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.words import Word

_STRONG = frozenset((";", ":", ".", "|", "but", "whereas", "while", "although", "though"))
_FINITE = frozenset(
    ("is", "are", "was", "were", "has", "have", "had", "did", "does", "do", "can", "could", "may", "might", "will")
)
_POINTING = frozenset(
    ("it", "they", "this", "these", "that", "those", "he", "she", "we", "which", "who", "both", "all")
)
_FEWEST = 2  # words of a predicate that say whose it is


def subject_findings(sides: Sides) -> Iterator[Finding]:
    """A claim whose subject is that of one clause of the quotes, and whose predicate is that of another one."""
    said = _clause(sides.claim)
    if said is None or any(word.is_denial for word in sides.claim):
        return
    subject, predicate = (frozenset(word.stem for word in part if word.carries) for part in said)
    clauses = [clause for part in sides.quoted if not part.is_cell for clause in _clauses(part.words)]
    told = [tuple(sides.told(part) for part in clause) for clause in clauses]
    own = next((at for at, (first, _) in enumerate(told) if subject and subject <= first), None)
    best = max(range(len(told)), key=lambda at: len(told[at][1] & predicate), default=None)
    if own is None or best is None or best == own:
        return
    named, theirs = told[best][0], told[best][1] & predicate - told[own][1] - told[own][0]
    if len(theirs) >= _FEWEST and len(theirs) == len(predicate) and not (named | told[best][1]) & subject:
        whose = next((word.text for word in clauses[best][0] if word.carries), "")
        yield Finding("roles", f"what the claim says is said of {whose!r} in the quotes")


def _clauses(text: Sequence[Word]) -> Iterator[tuple[Sequence[Word], Sequence[Word]]]:
    """The clauses of a sentence that have a subject of their own, each as that and the rest."""
    start = 0
    for at in range(len(text) + 1):
        if at == len(text) or _begins(text, at):
            clause = _clause(text[start:at])
            if clause:
                yield clause
                start = at + 1
            elif at < len(text) and text[at].text.lower() in _STRONG:
                start = at + 1


def _begins(text: Sequence[Word], at: int) -> bool:
    """Whether a new clause may begin behind a mark or word: it does where a subject and a verb follow."""
    return text[at].text.lower() in _STRONG or (text[at].text == "," and _clause(text[at + 1 :]) is not None)


def _clause(text: Sequence[Word]) -> tuple[Sequence[Word], Sequence[Word]] | None:
    """The subject and the rest of a clause; None where no verb stands behind a noun, or a word only points to one."""
    for at, word in enumerate(text):
        low = word.text.lower()
        if word.is_mark or low in _POINTING or word.is_number:
            return None
        if at and (low in _FINITE or is_irregular(low) or (low.endswith("ed") and word.carries)):
            return (text[:at], text[at:]) if any(one.carries for one in text[:at]) else None
    return None
