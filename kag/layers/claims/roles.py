"""What a sentence of a paper does: by its phrases and its section, in an abstract by its place among the others, too.

`roles.toml` has the phrases. A sentence that only tells what others found has no role of its own and is "background".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kag.layers.claims.abstract import abstract_roles

FOLDER = Path(__file__).parent
UNKNOWN = ("background", 0.5)
OWN_WORK = frozenset(("result", "conclusion", "method", "hypothesis"))
BY_SECTION = {
    "Methods": ("method", 0.8),
    "Materials": ("method", 0.8),
    "Conclusion": ("conclusion", 0.75),
    "FutureWork": ("future work", 0.8),
}
# Sections where a sentence that cites nobody is told by the paper itself.
_TOLD_BY_ITSELF = frozenset(("Results", "Evaluation", "Discussion", "Abstract", "Conclusion"))
_INTRODUCES = frozenset(("Introduction", "Background", "RelatedWork", "Motivation", "ProblemStatement"))
_ASIDE = re.compile(r"\s*(?:\([^()]{20,}\)|\[[^\[\]]{20,}\])")  # long words in brackets tell no role
_CITED = re.compile(
    r"\[\s?\d[\d\s,;–-]*\]|\\\(\s?\^\{[^{}]{1,60}\}\s?\\\)|\(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\)"
    r"|(?:[a-z]{3}|[.,)\]])[¹²³⁴-⁹]|\bet al\b|\((?:[^()]{0,120}[^\d()])?(?:19|20)\d\d[a-z]?(?:[^()\d][^()]{0,120})?\)"
)
_DONE = re.compile(r"\b(?:was|were|had|did|we)\b|(?<!is )(?<!are )(?<!be )\b\w{3,}ed\b", re.I)
_DOUBTED = re.compile(r"\b(?:may|might|could|can|will|would|should)\b", re.I)
DOUBTFUL = 0.55  # probability below which the role that the model reads in an abstract is none
_LOWER = re.compile(r"[a-z]{2,}[,;]?|a")  # how the end of a sentence begins whose beginning is elsewhere
# A sentence that ends with one of these goes on elsewhere.
_OPEN = frozenset((
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "than", "that", "the", "to", "was",
    "were", "with",
))  # fmt: skip
LEAST = 4  # words of a sentence that has a role


@dataclass(frozen=True, slots=True)
class Rule:
    """A role with the phrases that tell it, and the sections where they do."""

    role: str
    score: float
    text: re.Pattern[str]
    unless: re.Pattern[str] | None
    only: frozenset[str]
    never: frozenset[str]

    def holds(self, small: str, section: str) -> bool:
        """Whether a sentence of a section, in small letters, has the phrases."""
        if section in self.never or (self.only and section not in self.only):
            return False
        return bool(self.text.search(small)) and not (self.unless and self.unless.search(small))


def role_of(sentence: str, section: str = "") -> tuple[str, float]:
    """The role of a sentence in running text, and how sure it is.

    >>> role_of("Future work will extend the model to lakes in the tropics.", "Discussion")[0]
    'future work'
    """
    given = _rules()
    small = sentence.lower()
    if not whole(sentence) or given.pointing.search(small):
        return UNKNOWN
    ours = own(sentence, section)
    if not ours and given.others.search(small):
        return UNKNOWN
    bare = _ASIDE.sub("", small)
    found = next(((rule.role, rule.score) for rule in given.rules if rule.holds(bare, section)), None)
    of_others = bool(_CITED.search(sentence)) and not ours
    if found is None:
        return BY_SECTION.get(section, UNKNOWN) if not of_others and _plain(bare, section) else UNKNOWN
    if section in _INTRODUCES and found[0] in ("result", "conclusion", "method") and _CITED.search(sentence):
        return UNKNOWN  # "we also reported that" tells of earlier work
    if found[0] not in OWN_WORK or ours or section in BY_SECTION:
        return found
    return found if section in _TOLD_BY_ITSELF and not of_others else UNKNOWN


def _plain(sentence: str, section: str) -> bool:
    """Whether a sentence without a phrase does what its section does: methods tell what was done."""
    return section == "Conclusion" or bool(_DONE.search(sentence) and not _DOUBTED.search(sentence))


def roles_of_abstract(sentences: Sequence[str]) -> list[tuple[str, float]]:
    """The roles of an abstract's sentences: phrases where they are plain, else what the model reads."""
    return [_of_abstract(*both) for both in zip(sentences, abstract_roles(sentences), strict=True)]


def _of_abstract(sentence: str, read: tuple[str, float]) -> tuple[str, float]:
    if not whole(sentence):
        return UNKNOWN
    small = sentence.lower()
    told = next((rule for rule in _rules().rules if rule.role in _PLAIN and rule.holds(small, "Abstract")), None)
    if told:
        return told.role, told.score
    if read[1] < DOUBTFUL:
        return role_of(sentence, "Abstract")
    return read if read[0] != "other" else UNKNOWN


def concludes(sentence: str) -> bool:
    """Whether phrases of a sentence say that it draws a conclusion."""
    small = sentence.lower()
    return any(rule.role == "conclusion" and rule.holds(small, "Abstract") for rule in _rules().rules)


_PLAIN = frozenset(("funding", "availability", "hypothesis", "future work", "conclusion"))


def whole(sentence: str) -> bool:
    """Whether a sentence has enough words to state something, is cut at neither end and asks nothing."""
    words = sentence.split()
    cut = len(words) < LEAST or _LOWER.fullmatch(words[0]) or words[-1] in _OPEN
    return not (cut or words[-1].endswith(("?", ":")))


def own(sentence: str, section: str = "") -> bool:
    """Whether a sentence speaks of the paper's own work."""
    given, small = _rules(), sentence.lower()
    return bool(given.own.search(small) or (section not in _INTRODUCES and given.shown.search(small)))


@dataclass(frozen=True, slots=True)
class _Given:
    rules: tuple[Rule, ...]
    own: re.Pattern[str]
    shown: re.Pattern[str]
    others: re.Pattern[str]
    pointing: re.Pattern[str]


@lru_cache(maxsize=1)
def _rules() -> _Given:
    given = tomllib.loads((FOLDER / "roles.toml").read_text(encoding="utf-8"))
    phrases = [_pattern(given[name]) for name in ("own", "shown", "others", "pointing")]
    return _Given(tuple(map(_rule, given["rule"])), *phrases)


def _rule(row: dict[str, Any]) -> Rule:
    return Rule(
        role=row["role"],
        score=row["score"],
        text=_pattern(row["text"]),
        unless=_pattern(row["unless"]) if "unless" in row else None,
        only=frozenset(row.get("only", ())),
        never=frozenset(row.get("never", ())),
    )


def _pattern(texts: Sequence[str]) -> re.Pattern[str]:
    """Phrases in small letters, as sentences are brought to them: to look past case takes twice as long."""
    return re.compile("|".join(texts))
