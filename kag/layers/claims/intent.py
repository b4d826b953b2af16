"""Citation intent as a CiTO property: a model trained on SciCite gives the kind, phrases (`intents.toml`) refine it.

`scripts/benchmarks/train_claims.py` trains. A phrase counts if the model leaves its kind possible, or it is plain.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from kag.layers.models.linear import Linear, read

FOLDER = Path(__file__).parent
COMMON = {"background": "obtainsBackgroundFrom", "method": "usesMethodIn", "result": "discusses"}
POSSIBLE = 0.05  # least probability of a phrase's kind by the model
SURE = 0.6  # least probability of a method that no phrase shows
PLAIN = frozenset(("extends", "citesAsPotentialSolution", "obtainsSupportFrom"))  # kinds that the model has no name for
_MARK = re.compile(
    r"\[\s?\d[^\[\]]{0,60}\]|\\\(\s?\^\{[^{}]{1,60}\}\s?\\\)"
    r"|\((?:[^()]|\([^()]{0,40}\)){0,200}?(?<!\d)(?:18|19|20)\d\d[a-z]?(?!\d)(?:[^()]|\([^()]{0,40}\)){0,200}?\)"
    r"|[A-Z][\w'’-]+(?: et al\.?,?| (?:and|&) [A-Z][\w'’-]+)?,? ?\(\s?(?:18|19|20)\d\d[a-z]?[^()]{0,40}\)"
    r"|\(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\)"
)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_OWN = re.compile(r"\b(?:we|our|us|i|my|this (?:paper|work|study)|here|was|were)\b", re.I)
LONGEST = 4000  # characters of a sentence that are read
_WINDOW = 3  # words beside a call-out that count on their own


@dataclass(frozen=True, slots=True)
class Intent:
    """`property` is the local name of a CiTO property; `kind` "background", "method" or "result"; `score` in [0, 1]."""

    property: str
    kind: str
    score: float


def citation_intent(sentence: str) -> Intent:
    """Why a sentence cites what it cites.

    >>> citation_intent("We used the method of Doe et al. (2001) with small changes.").property
    'usesMethodIn'
    """
    sentence = sentence[:LONGEST]
    shares = _model().shares(intent_features(sentence))
    marked = _MARK.sub(" mark ", sentence)
    for name, of, pattern in _rules():
        if (name in PLAIN or shares[of] >= POSSIBLE) and pattern.search(marked):
            return Intent(name, of, round(shares[of], 3))
    kind = max(shares, key=lambda one: shares[one])
    if kind == "method" and (shares[kind] < SURE or not _OWN.search(marked)):
        kind = "background"
    return Intent(COMMON[kind], kind, round(shares[kind], 3))


def intent_features(sentence: str) -> list[str]:
    """Return the features of a sentence: words, prefixes, n-grams of two and three, neighbours of in-text citations."""
    marked, marks = _MARK.subn(" mark ", sentence)
    words = ["0" if word.isdigit() else word.lower() for word in _WORD.findall(marked)]
    found = [f"w={word}" for word in words]
    found += [f"s={word[:5]}" for word in words if len(word) > 5]
    found += [f"{one} {two}" for one, two in pairwise(words)]
    found += [f"{one} _ {two}" for one, two in zip(words, words[2:], strict=False)]
    found += [" ".join(three) for three in zip(words, words[1:], words[2:], strict=False)]
    found += [f"f{at}={word}" for at, word in enumerate(words[:3])]
    for at, word in enumerate(words):
        if word == "mark":
            found += [f"l={near}" for near in words[max(0, at - _WINDOW) : at]]
            found += [f"r={near}" for near in words[at + 1 : at + 1 + _WINDOW]]
            found.append(f"p={5 * at // len(words)}")
    found += [f"long={min(8, len(words) // 10)}", f"marks={min(4, marks)}"]
    return found + [f"{name} {n}" for name, _, pattern in _rules() if pattern.search(marked) for n in range(3)]


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    given = tomllib.loads((FOLDER / "intents.toml").read_text(encoding="utf-8"))
    return tuple((rule["property"], rule["class"], re.compile("|".join(rule["text"]), re.I)) for rule in given["rule"])


@lru_cache(maxsize=1)
def _model() -> Linear:
    return read(FOLDER / "intents")
