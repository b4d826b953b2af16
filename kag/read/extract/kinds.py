"""The kinds of answer that questions ask for, from `kinds.toml`: cues in the question, places to look, what a sentence
must have.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from kag.text.search_text import search_text

_NAMED = {  # what no phrase can say, in a text as it is printed
    "#": r"(?<![^\W\d_])(?!(?:1[6-9]|20)\d\d(?!\d))\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|forty|fifty|hundreds?"
    r"|thousands?|millions?|half|third|quarter|once|twice)\b",
    "#most": r"\b(?:most|least|fewest|best|worst|(?:high|low|larg|small|great|long|short|bigg|deep|shallow|wid"
    r"|narrow|heavi|light|fast|slow|old|young"
    r"|rich|poor|strong|weak|common|thick|thinn|warm|cold|steep|dens|clos|far|near)est)\b",
    "#percent": r"\d\s?%|\bper ?cent\b|\bhalf\b|\bthirds?\b|\bquarters?\b|\b0?\.\d",
    "#money": r"[$€£¥]|\b(?:usd|eur|gbp|dollars?|euros?|cents?|pounds|francs|yen|rupees|million|billion)\b|\bfree\b",
    "#age": r"\d[\d.–-]*\s?(?:±\s?[\d.]+\s?)?-?(?:years?|yrs?|y|months?|mo|weeks?|days?)\b|\bage[ds]?\b[^.;]{0,40}\d",
    "#degrees": r"\d\s?(?:\\\(\s?)?\^?\{?(?:°|º|\\circ|degrees?\b|K\b)|\broom temperature\b|\bambient\b",
    "#energy": r"\d\s?(?:[kMGmµμ]?J|[kMG]?Wh|k?cal|[kM]?eV|joules?|calories)\b",
    "#mass": r"\d\s?(?:k?Da|kg|g|mg|µg|μg|lbs?|tonnes?|tons?|grams?|kilograms?|pounds)\b",
    "#time": r"\b(?:\d[\d.,]*\s?-?|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|an?|under)[\s-])"
    r"(?:[µμmn]?s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?"
    r"|d|days?|weeks?|months?|years?|y|yr)\b",
    "#maker": r"(?-i:\b(?:Inc|Ltd|GmbH|Corp|Co|AG|LLC|BV|PLC|SA|Company|Corporation|Laborator(?:y|ies)"
    r"|Technologies|Systems|Biosciences?|Scientific"
    r"|Instruments?|Pharma\w*|Life Sciences?|Biotech\w*|Sigma|Invitrogen|Thermo)\b)"
    r"|(?-i:\([A-Z][\w&.-]+(?: [A-Z][\w&.-]+)*,)|®|™",
    "#studied": r"\b(?:conducted|carried out|performed|undertaken|took place|collected|sampled|recruited|enrolled"
    r"|monitored|visited|surveyed|taken"
    r"|ran|obtained|measured|recorded|caught|included)\b[^;]{0,100}\b(?:19|20)\d\d\b(?!\s?[a-z]?[);\]])",
    "#year": r"\b(?:1[6-9]|20)\d\d\b(?!-[a-z])",
    "#name": r"(?-i:\b[A-Z][a-zà-ÿ]+ (?:et al|and colleagues|[A-Z]))|\b(?:teams?|groups?|patients"
    r"|participants|people|children"
    r"|workers|authors|adults|persons|individuals|investigators|we|observers?|raters?|instructors?|operators?|directors?|editors?|donors?"
    r"|[a-z]{3,20}(?:ists|ians)|(?:research|teach|train|interview|work|review|develop|farm|garden|keep|lead|hold|own|play)\w*ers?)\b",
}
_LONGEST = 1000  # characters of a question in which cues are looked for
_GAP = "(?:\\S+ ){0,6}?"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of answer; the fields are those of `kinds.toml`, `words` all words of its cues and spare ones.

    `beside` are places that are looked into where `places` say nothing; `whole` gives a place as a whole, `last` its
    last sentences before its first; `weak` is a kind that a sentence may lack, `must` one that it may not; `back` are
    words that point to the sentence before, `lead` those of one that says that several follow.
    """

    name: str
    way: str
    cues: re.Pattern[str]
    words: re.Pattern[str]
    has: re.Pattern[str] | None
    places: frozenset[str]
    beside: frozenset[str]
    alone: bool
    near: bool
    whole: bool
    last: bool
    weak: bool
    must: bool
    back: re.Pattern[str] | None
    lead: re.Pattern[str] | None

    def has_it(self, text: str) -> bool:
        """Whether a sentence has what this kind needs; every one has where it needs nothing."""
        return self.has is None or bool(self.has.search(text))


@lru_cache(maxsize=1)
def kinds() -> tuple[Kind, ...]:
    """All kinds, read once."""
    text = files("kag.read.extract").joinpath("kinds.toml").read_text(encoding="utf-8")
    return tuple(_kind(name, row) for name, row in tomllib.loads(text).items())


def asked_kinds(question: str) -> Iterator[Kind]:
    """The kinds that a question asks for by its cues, the more telling first.

    >>> [kind.name for kind in asked_kinds("Why did the stations fail?")]
    ['why']
    """
    form = form_of(question[:_LONGEST])
    return (kind for kind in kinds() if kind.cues.search(form))


def form_of(question: str) -> str:
    """A question as cues are looked for in it: in small letters, its blanks and hyphens evened out."""
    return re.sub(r"[\s-]+", " ", search_text(question).text.replace("’", "'")).strip()


def named_in(names: frozenset[str], roles: tuple[str, ...], title: str) -> bool:
    """Whether a section is one of those named: by its type, or its title without a number in front."""
    bare = re.sub(r"^[\W\d_ivx.]+(?=\w{3})", "", title.casefold()).strip(" .:")
    pieces = re.split(r"\s*/\s*|\s+and\s+|\s*&\s*", bare)
    return bare in names or not names.isdisjoint(pieces) or any(role.lower() in names for role in roles)


def _kind(name: str, row: dict[str, Any]) -> Kind:
    cues = listed(row["cues"])
    has = listed(row.get("has", ""))
    words = sorted({word for said in (*cues, *listed(row.get("spare", ""))) for word in said.strip("^").split()})
    return Kind(
        name=name,
        way=row.get("way", "sentence"),
        cues=pattern(cues),
        words=pattern([word for word in words if word != ".."]),
        has=pattern(has) if has else None,
        back=pattern(listed(row["back"])) if "back" in row else None,
        lead=pattern(listed(row["lead"])) if "lead" in row else None,
        places=frozenset(listed(row.get("places", ""))),
        beside=frozenset(listed(row.get("beside", ""))),
        **{key: bool(row.get(key)) for key in ("alone", "near", "whole", "last", "weak", "must")},
    )


def listed(row: str) -> list[str]:
    """The phrases of a row."""
    return [" ".join(said.split()) for said in row.split(",") if said.strip()]


def pattern(phrases: list[str]) -> re.Pattern[str]:
    """One pattern for phrases with "^", "*" and ".." in them, or a named one."""
    return re.compile("|".join(_NAMED.get(said) or _phrase(said) for said in phrases), re.I)


def _phrase(said: str) -> str:
    words = said.removeprefix("^").split()
    parts = [_GAP if word == ".." else re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else "")
             for word in words]  # fmt: skip
    joined = "".join(part if part == _GAP else part + " " for part in parts)[:-1]
    return (r"^" if said.startswith("^") else r"(?<![\w-])") + joined + r"(?!\w)"
