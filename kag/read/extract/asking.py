"""What a question on the text asks for: the words to look for, the kind of answer, and where such answers stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from kag.text.search_text import search_text, tokens

Kind = Literal["number", "date", "person", ""]

GLUE, WEAK = 0.1, 0.3  # weights of words that hold a question together, and of words that fit any paper

_GLUE_WORDS = """
    a an the this that these those there here it its they their them he she his her we our us you your i my me of in
    on at to for from by with and or but as than then so if while into over under between among during about per via
    within without upon onto through is are was were be been being has have had do does did can could may might will
    would shall should must what which who whom whose when where why how much many not no nor also any some all each
    both such more most other very only just et al s t
"""
_WEAK_WORDS = """
    study studies paper article authors author research use used using show shows shown report reported find found
    describe described given main different important type types kind kinds role example examples term name called
    does result results purpose reason way ways following mentioned discussed according happen happened known based
    considered cause causes caused effect effects see seen think say said state stated
"""
_GLUE, _WEAK = frozenset(_GLUE_WORDS.split()), frozenset(_WEAK_WORDS.split())
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "date",
        re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|time|season)s?\b"),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|long|often|old|large|big|high|far|fast|common)\b|\b(?:numbers?|percent(?:age)?s?"
            r"|proportions?|rates?|ratios?|prevalence|incidence|sizes?|amounts?|lengths?|duration|age|temperatures?"
            r"|concentrations?|doses?|similarity|frequency|ranges?|period|values?|costs?|weight|probability|yields?)\b"
        ),
    ),
    ("person", re.compile(r"\bwho(?:m|se)?\b|\bwhich (?:person|people|team|group|author)s?\b")),
)
_PLACES = (
    (
        re.compile(r"\bconclu\w+|\bimplications?\b|\btake[- ]home\b|\boverall\b|\bmain (?:finding|result|message)s?\b"),
        frozenset({"conclusion", "abstract"}),
    ),
    (
        re.compile(r"\b(?:aims?|goals?|objectives?|purpose|contributions?|hypothes[ie]s)\b"),
        frozenset({"abstract", "introduction", "motivation"}),
    ),
    (
        re.compile(r"\bhow (?:is|are|was|were)\b.{1,80}\b(?:measured|performed|obtained|prepared|collected|determined"
                   r"|made|analy[sz]ed|assessed|synthesi[sz]ed|recruited|selected|chosen|calculated|computed)\b"
                   r"|\b(?:which|what) (?:methods?|instruments?|software|procedure|protocol|statistical tests?)\b"),
        frozenset({"methods", "materials"}),
    ),
    (re.compile(r"\b(?:limitations?|weakness(?:es)?|drawbacks?|shortcomings?)\b"),
     frozenset({"discussion", "conclusion"})),
)  # fmt: skip


_PART = re.compile(
    r"(?<=[?;])\s+|,?\s+and\s+(?=(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|can)\b)",
    re.I,
)
_COUNTED = re.compile(r"\b(?:how many|number of)\s(?P<what>(?:\S++\s?){1,4})")
_TERM = re.compile(
    r"(?:what (?:is|are|was|were)(?: meant by)?|what do(?:es)?|define|who (?:is|are)) (?:an? |the )?[\"']?"
    r"(?P<term>[^\s?\"',]+(?: [^\s?\"',]+){0,2}?)[\"']?(?: (?:mean|stand for|denote|refer to))?[ ?.]*"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """`words` are looked for, each with its weight above 0 and up to 1; `pairs` stand side by side in the question.

    `term` is what a definition is asked of, in small letters; `counted` are the words for what is counted ("how many
    ..."); `kind` is what an answer must have in it; `places` are section types and titles, in small letters, where
    answers of this kind are likely.
    """

    words: dict[str, float]
    pairs: tuple[tuple[str, str], ...]
    term: str = ""
    counted: frozenset[str] = frozenset()
    kind: Kind = ""
    places: frozenset[str] = frozenset()

    @property
    def content(self) -> dict[str, float]:
        """The words that are no glue; all of them where there are no others."""
        return {word: weight for word, weight in self.words.items() if weight > GLUE} or self.words


def parts_of(question: str) -> tuple[str, ...]:
    """The questions that stand in one, in order.

    >>> parts_of("What is TNT, and who made it?")
    ('What is TNT', 'who made it?')
    """
    found = (part.strip() for part in _PART.split(question))
    return tuple(part for part in found if any(_weight(word) == 1 for word in _texts(part))) or (question,)


def asked(question: str, around: str = "") -> Asked:
    """Read a question by its words alone. `around` is the question it is a part of: its other words count little."""
    form = " ".join(search_text(question).text.split())
    words = _texts(question)
    weights = {word: min(_weight(word), WEAK) for word in _texts(around)}
    weights |= {word: _weight(word) for word in words}
    telling = [word for word in words if weights[word] > GLUE]
    term, counted = _TERM.fullmatch(form), _COUNTED.search(form)
    return Asked(
        words=weights,
        pairs=tuple((one, two) for one, two in pairwise(telling) if one != two),
        term=term["term"].rstrip(".") if term else "",
        counted=frozenset(word for word in _texts(counted["what"] if counted else "") if _weight(word) == 1),
        kind=next((kind for kind, pattern in _KINDS if pattern.search(form)), ""),
        places=_union(names for pattern, names in _PLACES if pattern.search(form)),
    )


def _texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def _weight(word: str) -> float:
    return GLUE if word in _GLUE else WEAK if word in _WEAK else 1.0


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(name for names in sets for name in names)
