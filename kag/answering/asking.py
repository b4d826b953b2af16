"""What a question on the text asks for: the words to look for, the kind of answer, and where such answers stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from kag.search_text import search_text, tokens

Kind = Literal["number", "date", "person", ""]

GLUE, WEAK = 0.1, 0.3  # weights of words that hold a question together, and of words that fit any paper

_GLUE = frozenset(
    """a an the this that these those there here it its they their them he she his her we our us you your i my me of in
    on at to for from by with and or but as than then so if while into over under between among during about per via
    within without upon onto through is are was were be been being has have had do does did can could may might will
    would shall should must what which who whom whose when where why how much many not no nor also any some all each
    both such more most other very only just et al s t""".split()
)
_WEAK = frozenset(
    """study studies paper article authors author research use used using show shows shown report reported find found
    describe described given main different important type types kind kinds role example examples term name called
    does result results purpose reason way ways following mentioned discussed according happen happened known based
    considered cause causes caused effect effects""".split()
)
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


@dataclass(frozen=True, slots=True)
class Asked:
    """`words` are looked for, each with its weight above 0 and up to 1; `pairs` stand side by side in the question.

    `kind` is what an answer must have in it; `places` are section types and titles, in small letters, where answers
    of this kind are likely.
    """

    words: dict[str, float]
    pairs: tuple[tuple[str, str], ...]
    kind: Kind = ""
    places: frozenset[str] = frozenset()

    @property
    def content(self) -> dict[str, float]:
        """The words that are no glue; all of them where there are no others."""
        return {word: weight for word, weight in self.words.items() if weight > GLUE} or self.words


def asked(question: str) -> Asked:
    """Read a question by its words alone."""
    form = " ".join(search_text(question).text.split())
    words = [token.text for token in tokens(question)]
    weights = {word: _weight(word) for word in words}
    telling = [word for word in words if weights[word] > GLUE]
    return Asked(
        words=weights,
        pairs=tuple((one, two) for one, two in zip(telling, telling[1:], strict=False) if one != two),
        kind=next((kind for kind, pattern in _KINDS if pattern.search(form)), ""),
        places=_union(names for pattern, names in _PLACES if pattern.search(form)),
    )


def _weight(word: str) -> float:
    return GLUE if word in _GLUE else WEAK if word in _WEAK else 1.0


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(name for names in sets for name in names)
