"""What was read from one printed reference, and which kind of work it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.indexing.references.names import Name


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference; fields that were not found are empty.

    `year` has its letter ("2010a") in `suffix`; `more_authors` says "et al."; `kind` is one of the names in
    `kag.indexing.references.record.KINDS`; `confidence` holds pairs of a field's name and a share in [0, 1].
    """

    authors: tuple[Name, ...] = ()
    more_authors: bool = False
    title: str = ""
    year: str = ""
    suffix: str = ""
    doi: str = ""
    container: str = ""
    volume: str = ""
    first_page: str = ""
    last_page: str = ""
    issue: str = ""
    editors: tuple[Name, ...] = ()
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    kind: str = ""
    confidence: tuple[tuple[str, float], ...] = ()


KINDS = ("article", "chapter", "book", "conference", "thesis", "preprint", "report", "webpage", "software", "dataset",
         "patent", "other")  # fmt: skip

_MARKED = {"J": "article", "M": "book", "C": "conference", "D": "thesis", "P": "patent", "R": "report", "N": "article"}
_WORDS = {  # what is printed of each kind
    "thesis": (
        r"\b(?:(?:Ph\.?\s?D|Dr|[Dd]octoral|[Mm]aster(?:['’]?s)?|M\.?Sc|[Dd]iploma|[Bb]achelor)\.?,?"
        r"\s(?:[Tt]hesis|[Dd]issertation|[Tt]hèse)|[Tt]hesis\b|[Dd]issertation\b|[Hh]abilitation|[Dd]iplomarbeit"
        r"|[Tt]hèse\b|[Tt]esis\b)"
    ),
    "patent": (
        r"\b(?:[Pp]atents?\s(?:[Nn]o|[Aa]pplication|US|EP|WO|\d)|(?:US|EP|WO|JP|DE|GB|FR)\s?[Pp]atent\b"
        r"|(?:U\.S\.|European|German)\s[Pp]at|(?:WO|EP|US)\s?\d{2,4}[/,]\d{3,6})"
    ),
    "report": (
        r"\b(?:[Tt]echnical\s[Rr]eport|[Tt]ech\.\s?[Rr]ep|[Rr]eport\s[Nn]o|[Ww]orking\s[Pp]aper|[Ww]hite\s[Pp]aper"
        r"|[Dd]iscussion\s[Pp]aper|3GPP\sT[RS]|ETSI\s|RFC\s?\d|NASA[\s-](?:TM|CR|TN|TP)|[Rr]esearch\s[Rr]eport)"
    ),
    "dataset": r"\b(?:[Dd]ata\s?set|[Dd]ata\s[Ff]rom|Dryad|Figshare|PANGAEA)\b",
    "software": (
        r"\b(?:R\s[Pp]ackage|[Cc]omputer\s[Pp]rogram|[Cc]omputer\s[Ss]oftware|[Ss]oftware\s[Vv]ersion|GitHub|PyPI|CRAN"
        r"|github\.com)\b"
    ),
}
_SAID = {kind: re.compile(words) for kind, words in _WORDS.items()}
_PREPRINT = re.compile(
    r"\b(?:arXiv|bioRxiv|medRxiv|chemRxiv|SSRN|[Pp]reprint|e-prints?|PsyArXiv|Research Square)\b", re.IGNORECASE
)
_MEETING = re.compile(
    r"\b(?:Conf(?:erence|\.)|Symp(?:osium|osia|\.)|Workshop|Congress|Colloqu(?:ium|e)|Meeting|Proc(?:eedings|\.)?\s(?:of\s)?(?:the\s)?(?:\d|[A-Z]\w*\s"
    r"(?:Int|Ann|Conf|Symp|Work))|Tagung|Congreso|Congrès)"
)
_PROCEEDINGS = re.compile(r"\b(?:Proc(?:eedings|\.)?)\b")


def kind_of(text: str, found: Reference, mark: str = "", *, in_book: bool = False) -> str:
    """One of `KINDS`, for a reference's words and fields; `mark` is what stands in "[J]", `in_book` says "In:"."""
    if mark[:1] in _MARKED and (len(mark) == 1 or mark.endswith("/OL")):
        return _MARKED[mark[:1]]
    if found.volume and found.container and not _MEETING.search(found.container):
        return "chapter" if in_book and (found.publisher or found.editors) else "article"
    said = next((kind for kind, words in _SAID.items() if words.search(f"{text} {mark}")), "")
    if said:
        return said
    if _MEETING.search(found.container) or (_PROCEEDINGS.search(found.container) and not found.volume):
        return "conference"
    if in_book:
        return "chapter"
    if _PREPRINT.search(found.container) or (found.arxiv and not found.container):
        return "preprint"
    return _by_fields(found)


def _by_fields(found: Reference) -> str:
    if found.publisher:
        return "chapter" if found.container and found.first_page else "book"
    if found.container and (found.first_page or found.doi or found.pmid or found.volume):
        return "article"
    if found.url and not found.doi:
        return "webpage"
    return "article" if found.doi and found.container else "other"
