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
_SHARED = frozenset(("Results", "Evaluation"))  # sections of which what cites nobody is told by the paper itself
_CITED = re.compile(
    r"\[\s?\d[\d\s,;–-]*\]|\\\(\s?\^\{[^{}]{1,60}\}\s?\\\)|\(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\)"
    r"|(?:[a-z]{3}|[.,)\]])[¹²³⁴-⁹]|\bet al\b|\((?:[^()]{0,120}[^\d()])?(?:19|20)\d\d[a-z]?(?:[^()\d][^()]{0,120})?\)"
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|may|might|could|will|would|should|must|cannot|\w{3,}ed)\b"
    r"|\b(?:shows?|we|our)\b",
    re.I,
)
DOUBTFUL = 0.55  # probability below which the role that the model reads in an abstract is none
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

    def holds(self, sentence: str, section: str) -> bool:
        """Whether a sentence of a section has the phrases."""
        if section in self.never or (self.only and section not in self.only):
            return False
        return bool(self.text.search(sentence)) and not (self.unless and self.unless.search(sentence))


def role_of(sentence: str, section: str = "") -> tuple[str, float]:
    """The role of a sentence in running text, and how sure it is.

    >>> role_of("Future work will extend the model to lakes in the tropics.", "Discussion")[0]
    'future work'
    """
    given = _rules()
    if not states(sentence) or (given.others.search(sentence) and not given.own.search(sentence)):
        return UNKNOWN
    found = next(((rule.role, rule.score) for rule in given.rules if rule.holds(sentence, section)), None)
    if found is None:
        return UNKNOWN if section in BY_SECTION and _of_others(sentence) else BY_SECTION.get(section, UNKNOWN)
    if found[0] in OWN_WORK and section not in BY_SECTION and not given.own.search(sentence):
        if _of_others(sentence) or section not in _SHARED | {"Discussion", "Abstract", "Conclusion"}:
            return UNKNOWN
    return found


def roles_of_abstract(sentences: Sequence[str]) -> list[tuple[str, float]]:
    """The roles of an abstract's sentences: phrases where they are plain, else what the model reads."""
    found = []
    for sentence, (role, score) in zip(sentences, abstract_roles(sentences), strict=True):
        told = next((rule for rule in _rules().rules if rule.role in _PLAIN and rule.holds(sentence, "Abstract")), None)
        found.append(
            (told.role, told.score) if told else (role, score) if score >= DOUBTFUL and role != "other" else UNKNOWN
        )
    return found


def concludes(sentence: str) -> bool:
    """Whether phrases of a sentence say that it draws a conclusion."""
    return any(rule.role == "conclusion" and rule.holds(sentence, "Abstract") for rule in _rules().rules)


_PLAIN = frozenset(("funding", "availability", "hypothesis", "future work", "conclusion"))


def states(sentence: str) -> bool:
    """Whether a sentence is whole enough to state something, and asks nothing."""
    return (
        len(sentence.split()) >= LEAST and not sentence.rstrip().endswith(("?", ":")) and bool(_STATES.search(sentence))
    )


def own(sentence: str) -> bool:
    """Whether a sentence speaks of the paper's own work."""
    return bool(_rules().own.search(sentence))


def _of_others(sentence: str) -> bool:
    return bool(_CITED.search(sentence)) and not own(sentence)


@dataclass(frozen=True, slots=True)
class _Given:
    rules: tuple[Rule, ...]
    own: re.Pattern[str]
    others: re.Pattern[str]


@lru_cache(maxsize=1)
def _rules() -> _Given:
    given = tomllib.loads((FOLDER / "roles.toml").read_text(encoding="utf-8"))
    return _Given(tuple(map(_rule, given["rule"])), _pattern(given["own"]), _pattern(given["others"]))


def _rule(row: dict[str, Any]) -> Rule:
    return Rule(
        role=row["role"],
        score=row["score"],
        text=_pattern(row["text"]),
        unless=_pattern(row["unless"]) if "unless" in row else None,
        only=frozenset(row.get("only", ())),
        never=frozenset(row.get("never", ())),
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.I)
