"""Questions on what papers say, as values: what was measured of something, which papers use it, what is claimed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["measured", "papers", "entities", "claims", "opposed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """`topic` is what it is about, `of` a kind of entity where one is named."""

    kind: Kind
    topic: str = ""
    of: str = ""


_NOUNS = {
    "accession numbers": "accession", "cell lines": "cell line", "cell types": "cell", "chemicals": "chemical",
    "compounds": "chemical", "data sets": "dataset", "datasets": "dataset", "devices": "device",
    "instruments": "device", "diseases": "disease", "genes": "gene", "grants": "grant", "materials": "material",
    "methods": "method", "metrics": "metric", "organisations": "organisation", "organizations": "organisation",
    "places": "place", "proteins": "gene", "software": "software", "programs": "software", "species": "species",
    "organisms": "species", "tasks": "task", "variants": "variant",
}  # fmt: skip
_ONE = {plural.removesuffix("s"): kind for plural, kind in _NOUNS.items()} | {"species": "species"}
_KIND = "|".join(sorted((*_NOUNS, *_ONE), key=len, reverse=True))
_USED = r"(?:uses?|used|using|names?|mentions?|stud(?:y|ies|ied)|works? with|worked with|measures?|measured)"
_END = r"(?:\s+(?:in|by|of)\s+(?:this|the|that)\s+(?:paper|study|work|article))?\s*[?.!]*\s*$"
_WHICH = r"^\s*(?:which|what)\s+"
_THE = r"(?:the\s+)?"
_TOLD = r"(?:was|were|is|are|has been|have been)\s+(?:measured|reported|given|determined)"
_AGAINST = r"(?:disagree|contradict(?:\s+each\s+other)?|conflict|differ)"
_TOPIC = rf"{_THE}(?P<topic>.+?)"
_PAPERS = r"(?:papers?|studies|articles)"


def _form(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts) + _END, re.I)


_FORMS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("opposed", _form(_WHICH, rf"(?:claims?|papers?|findings?)\s+(?:on|about)\s+{_TOPIC}\s+{_AGAINST}")),
    ("measured", _form(r"^\s*what\s+", _TOLD, rf"\s+(?:for|of|on)\s+{_TOPIC}")),
    ("measured", _form(_WHICH, r"(?:values?|properties|quantities)\s+", _TOLD, rf"\s+(?:for|of|on)\s+{_TOPIC}")),
    ("measured", _form(r"^\s*(?:list|show)\s+(?:all\s+)?", _THE, rf"(?:measurements|values)\s+(?:for|of)\s+{_TOPIC}")),
    ("papers", _form(_WHICH, rf"{_PAPERS}\s+{_USED}\s+{_THE}(?:(?P<of>{_KIND})\s+)?(?P<topic>.+?)")),
    ("claims", _form(_WHICH, rf"(?:claims?\s+(?:(?:are|is)\s+)?(?:made\s+)?|is\s+claimed\s+)(?:on|about)\s+{_TOPIC}")),
    ("entities", _form(_WHICH, rf"(?P<of>{_KIND})\s+(?:are|were|is|was|do|does|did)\s*",
                       r"(?:(?:this|the|these)\s+(?:papers?|study|studies|authors?)\s+)?", _USED)),
)  # fmt: skip


def read_asked(text: str) -> Asked | None:
    """The question as one on what papers say; None for any other.

    >>> read_asked("What was measured for the spleen?")
    Asked(kind='measured', topic='spleen', of='')
    >>> read_asked("Which papers use the dataset ImageNet?"), read_asked("Which species were studied?").of
    (Asked(kind='papers', topic='ImageNet', of='dataset'), 'species')
    >>> read_asked("What does Table 1 show?") is None
    True
    """
    for kind, form in _FORMS:
        match = form.match(text[:500])
        if match:
            told = match.groupdict()
            noun = " ".join((told.get("of") or "").lower().split())
            return Asked(kind, (told.get("topic") or "").strip("\"'“” "), _NOUNS.get(noun) or _ONE.get(noun, ""))
    return None
