"""Roles of sentences: by phrases and section, in an abstract also by a model.

`roles.toml` has the phrases. A sentence that only reports the findings of others is "background". The sentences of an
abstract are labelled together by a conditional random field, trained on CSAbstruct by
`scripts/benchmarks/train_claims.py`; points decide which of them state what the paper claims.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from kag.layers.claims.scopes import well_formed
from kag.text.crf import read

FOLDER = Path(__file__).parent
MOST = 60  # sentences that are read together
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_CUES = tuple(
    (name, re.compile(pattern, re.I))
    for name, pattern in (
        (
            "aim",
            r"\b(?:aims?|goals?|objectives?|purpose|intend\w*|in order to|seeks? to"
            r"|we (?:investigate|study|examine|explore|address|consider|ask))\b",
        ),
        (
            "paper",
            r"\b(?:in this (?:paper|work|study|article|letter|report)|this (?:paper|article|work|study|thesis|report)"
            r"|the (?:present|current) (?:paper|study|work)|here,? we)\b",
        ),
        (
            "propose",
            r"\bwe (?:\w+ )?(?:propose|present|introduce|describe|develop\w*|design\w*|implement\w*|formulate|extend"
            r"|combine|use|apply|employ)\b",
        ),
        (
            "results",
            r"\b(?:results?|experiments?|findings|evaluation|simulations?) (?:\w+ ){0,3}"
            r"(?:shows?|indicates?|demonstrates?|suggests?|reveals?|confirms?)\b",
        ),
        ("show", r"\bwe (?:\w+ )?(?:show|find|found|demonstrate|observe|prove|conclude|achieve|obtain)\w*\b"),
        ("however", r"^(?:however|although|while|despite|unfortunately|nevertheless|yet|but|though)\b"),
        ("number", r"\d+(?:\.\d+)? ?%|\bp ?[<=]|\bn ?="),
        (
            "better",
            r"\b(?:outperform\w*|improv\w+|better|superior|significant\w*|accura\w+|state[- ]of[- ]the[- ]art"
            r"|effective\w*|efficien\w+)\b",
        ),
        (
            "need",
            r"\b(?:challeng\w+|difficult\w*|problem|important|crucial|necessary|need|lack|remains?|unclear"
            r"|little is known|recent\w*|increasing\w*|become|widely|traditional\w*)\b",
        ),
        ("past", r"\b(?:was|were)\b"),
        ("present", r"\b(?:is|are)\b"),
        ("perfect", r"\b(?:has|have) been\b"),
        ("we", r"\b(?:we|our)\b"),
        (
            "so",
            r"\b(?:conclu\w+|in summary|implications?|future (?:work|research)|thus|therefore"
            r"|these (?:results|findings)|overall)\b",
        ),
        (
            "print",
            r"©|copyright|all rights reserved|keywords|doi|e-?mail|received|article history|published|wiley|elsevier",
        ),
    )
)


def abstract_roles(sentences: Sequence[str]) -> list[tuple[str, float]]:
    """The role of each sentence of an abstract, with the model's probability."""
    if not sentences or len(sentences) > MOST:
        return [("other", 0.0)] * len(sentences)
    return read(FOLDER / "abstract_roles.crf").label(abstract_features(sentences))


def abstract_features(sentences: Sequence[str]) -> list[dict[str, float]]:
    """Return the features of each sentence: its words, weighted together as much as its position, and phrases."""
    return [_features(sentence, at, len(sentences)) for at, sentence in enumerate(sentences)]


@lru_cache(maxsize=256)
def _words(sentence: str) -> tuple[str, ...]:
    words = ["0" if word.isdigit() else word.lower() for word in _WORD.findall(well_formed(sentence))]
    found = {f"w={word}" for word in words if word.isalpha() or word in "0%?"}
    found |= {f"b={one} {two}" for one, two in pairwise(words)}
    found |= {f"s={word[:5]}" for word in words if len(word) > 5}
    found |= {f"f{at}={word}" for at, word in enumerate(words[:3])}
    return tuple(sorted(found))


def _features(sentence: str, at: int, of: int) -> dict[str, float]:
    words = _words(sentence)
    weight = 1 / max(1, len(words)) ** 0.5
    found = dict.fromkeys(words, weight)
    place = [f"from start {min(at, 6)}", f"from end {min(of - 1 - at, 4)}", f"eighth {8 * at // of}"]
    place += [f"{at} of {min(of, 12)}", f"long {min(8, len(sentence) // 30)}"]
    for name, pattern in _CUES:
        if pattern.search(sentence):
            place += [name, f"{name} quarter {4 * at // of}"]
    return found | dict.fromkeys(place, 1.0)


UNKNOWN = ("background", 0.5)
OWN_WORK = frozenset(("result", "conclusion", "method", "hypothesis"))
BY_SECTION = {
    "Methods": ("method", 0.8),
    "Materials": ("method", 0.8),
    "Conclusion": ("conclusion", 0.75),
    "FutureWork": ("future work", 0.8),
}
# Sections where a sentence that cites nobody is of the paper itself.
_OWN_SECTIONS = frozenset(("Results", "Evaluation", "Discussion", "Abstract", "Conclusion"))
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
    """A role with its phrases, and the sections in which they count."""

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
        return UNKNOWN  # "we also reported that" reports earlier work
    if found[0] not in OWN_WORK or ours or section in BY_SECTION:
        return found
    return found if section in _OWN_SECTIONS and not of_others else UNKNOWN


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
    plain_rule = next((rule for rule in _rules().rules if rule.role in _PLAIN and rule.holds(small, "Abstract")), None)
    if plain_rule:
        return plain_rule.role, plain_rule.score
    if read[1] < DOUBTFUL:
        return role_of(sentence, "Abstract")
    return read if read[0] != "other" else UNKNOWN


def concludes(sentence: str) -> bool:
    """Whether phrases of a sentence mark a conclusion."""
    small = sentence.lower()
    return any(rule.role == "conclusion" and rule.holds(small, "Abstract") for rule in _rules().rules)


_PLAIN = frozenset(("funding", "availability", "hypothesis", "future work", "conclusion"))


def whole(sentence: str) -> bool:
    """Whether a sentence has enough words to state something, is cut at neither end and asks nothing."""
    words = sentence.split()
    cut = len(words) < LEAST or _LOWER.fullmatch(words[0]) or words[-1] in _OPEN
    return not (cut or words[-1].endswith(("?", ":")))


def own(sentence: str, section: str = "") -> bool:
    """Whether a sentence is about the paper's own work."""
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


ENOUGH = 0.5  # points from which on a sentence is a claim
CONCLUDES = 1.5
FROM_END: tuple[float, ...] = (1.5, 0.0, -0.3, -1.0)  # the last sentence, that before it, the third, all others
BY_ROLE: Mapping[str, float] = {"result": 0.0, "method": -0.5, "objective": -1.0, "background": -1.5, "other": -1.5}
PHRASES: Mapping[str, float] = {
    r"\b(?:we|i|authors?|this (?:study|paper|work|article|report)|our (?:\w+ )?(?:work|study|data|results|findings))"
    r" (?:\w+ ){0,2}(?:show|demonstrate|report|find|found|identif\w+|establish|reveal|provide|describe|propose|present"
    r"|discover|confirm|uncover|argue|highlight|offer|suggest)(?:s|ed|n)?\b": 0.9,
    r"\b(?:show(?:s|ed|n)?|demonstrate[sd]?|reveal(?:s|ed)?|confirm(?:s|ed)?|indicate[sd]?|suggest(?:s|ed)?"
    r"|support(?:s|ed)?) (?:that|a|the|an)\b": 0.4,
    r"\b(?:may|might|could|can|would|should)\b": 0.7,
    r"\b(?:potential\w*|promising|novel|important|implications?|useful|valuable|critical|crucial|key|essential"
    r"|insights?|effective|provides?|new)\b": 0.4,
    r"^(?:this|these|our|the present|such|it)\b": 0.5,
    r"\b(?:was|were|had|did)\b": -1.0,
    r"\d+(?:\.\d+)? ?%|\bp ?[<=>]|\bn ?=|\bCI\b|\bOR\b|±|\d\.\d": -1.0,
    r"\b(?:discussed|article|review|rights reserved)\b": -2.0,
    r"\bwe (?:\w+,? ){0,2}(?:show|demonstrate|report)(?:e?d)? (?:here )?that\b"
    r"|\b(?:provides?|provided|present) (?:\w+ )?evidence\b": 1.0,
    r"\bwe (?:\w+,? ){0,2}(?:propose|suggest|hypothesi[sz]e|argue|postulate|speculate|believe|conclude|infer)d?\b": 0.8,
    r"\b(?:suggesting|indicating|implying|demonstrating|supporting|highlighting)\b": 0.6,
    r"\b(?:mechanism|role|(?:required|essential|necessary|responsible) for|dependent on|due to)\b": 0.4,
    r"\b(?:was|were|is|are|been|being) (?:also |further |then )?(?:evaluated|conducted|performed|investigated"
    r"|analy[sz]ed|examined|discussed|presented|reported|described|tested|compared|included|given|provided"
    r"|recommended)\b": -1.5,
    r"\b(?:we (?:\w+ )?|this paper |it )(?:discuss(?:es)?|describes?|summari[sz]es?|outlines?)\b|\boverview\b": -1.5,
    r"^(?:availability|contact|supplementary)\b": -3.0,
}
_PHRASES = tuple((re.compile(pattern, re.I), points) for pattern, points in PHRASES.items())


def claim_points(sentences: Sequence[str]) -> list[float]:
    """The points of each sentence of an abstract."""
    roles = abstract_roles(sentences)
    return [
        FROM_END[min(len(sentences) - 1 - at, len(FROM_END) - 1)]
        + BY_ROLE[role]
        + CONCLUDES * concludes(sentence)
        + sum(points for pattern, points in _PHRASES if pattern.search(sentence))
        for at, (sentence, (role, _)) in enumerate(zip(sentences, roles, strict=True))
    ]
