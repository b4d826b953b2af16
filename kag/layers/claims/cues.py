"""Which words of a sentence deny or hedge: a lexicon says which may, a trained model which do.

The lexicon is `cues.toml`. A word of it is judged by its neighbours: "may" hedges nearly always, "or" rarely. The
models (`negation_cues`, `hedge_cues`) were trained on BioScope by `scripts/benchmarks/train_claims.py`.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kag.layers.claims.tokens import Token, tokens
from kag.layers.models.linear import Linear, read

FOLDER = Path(__file__).parent
KINDS = ("negation", "hedge")
ENOUGH = 0.5  # probability from which on a candidate is taken for a cue
SURE = 0.9  # least probability of a cue that the lexicon calls sure
_AROUND = 3  # words to either side that the model sees
_OWN = 3  # times that the word itself counts
_WEAK = frozenset(["or", "either", "and/or", "if", "can", "could", "would", "should", "potential", "apparent"])


@dataclass(frozen=True, slots=True)
class Cue:
    """`text[start:end]` denies or hedges with probability `score`; `first` and `last` bound its tokens."""

    start: int
    end: int
    first: int
    last: int
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class _Words:
    """What may be a cue of a kind, what looks like one and is none, and what is one without being judged."""

    cues: re.Pattern[str]
    false: re.Pattern[str]
    sure: frozenset[str]


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, _Words]:
    given = tomllib.loads((FOLDER / "cues.toml").read_text(encoding="utf-8"))

    def pattern(words: Sequence[str]) -> re.Pattern[str]:
        joined = "|".join(word.replace(" ?", r"\s?").replace(" ", r"\s+") for word in words)
        return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])", re.I)

    return {
        kind: _Words(pattern([*own["parts"], *own["cues"]]), pattern(own["false"]), frozenset(own["sure"]))
        for kind, own in given.items()
    }


def candidates(text: str, row: Sequence[Token], kind: str) -> list[Cue]:
    """The words of a sentence, with its tokens `row`, that may be cues of a kind."""
    words = _lexicon()[kind]
    found = [match.span() for match in words.cues.finditer(text)]
    if not found:
        return []
    shadows = [match.span() for match in words.false.finditer(text)]
    ends = [token.end for token in row]
    return [
        Cue(start, end, bisect_left(ends, start + 1), bisect_left(ends, end) + 1)
        for start, end in found
        if not any(first <= start and end <= last for first, last in shadows)
    ]


def cue_features(text: str, row: Sequence[Token], cue: Cue) -> list[str]:
    """What a candidate shows: itself (more than once, so that it weighs more), its neighbours and their classes."""
    own = re.sub(r"\w+n['’]t$", "not", re.sub(r"\s+", " ", text[cue.start : cue.end].lower()))
    strength = "weak" if own in _WEAK else "strong"
    found = [f"{name} {n}" for name in (f"c={own}", f"stem={own[:6]}", strength) for n in range(_OWN)]
    for step in range(1, _AROUND + 1):
        for side, at in (("l", cue.first - step), ("r", cue.last - 1 + step)):
            shown, kind = (row[at].text, row[at].kind) if 0 <= at < len(row) else ("^", "^")
            found += [f"{side}{step}={shown}", f"{side}{step}k={kind}", f"c={own} {side}{step}k={kind}"]
            if step == 1:
                found += [f"c={own} {side}={shown}", f"stem={own[:6]} {side}k={kind}"]
    before = {token.text for token in row[: cue.first]}
    return found + [
        f"c={own} before={word}" for word in ("either", "neither", "whether", "not", "we") if word in before
    ]


@lru_cache(maxsize=2)
def _model(kind: str) -> Linear:
    return read(FOLDER / f"{kind}_cues")


def find_cues(text: str, kind: str) -> tuple[list[Token], list[Cue]]:
    """The tokens of a sentence, and its cues of a kind ("negation" or "hedge") in order."""
    if not _lexicon()[kind].cues.search(text):
        return [], []
    row = tokens(text)
    found = []
    for cue in candidates(text, row, kind):
        score = _model(kind).shares(cue_features(text, row, cue))["cue"]
        if text[cue.start : cue.end].lower() in _lexicon()[kind].sure:
            score = max(score, SURE)
        if score >= ENOUGH:
            found.append(Cue(cue.start, cue.end, cue.first, cue.last, round(score, 3)))
    return row, found
