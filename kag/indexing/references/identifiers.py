"""Identifiers and addresses in a reference (DOI, arXiv, PubMed, URL), cut out so that nothing else reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+(?:<\d[^\s\"<>]*>[^\s\"<>]*)?")
_TORN = re.compile(r"10\s?\.\s?\d{4,5}\s?/\s?(?=\S)")  # "doi:10 .1145 /1601966"
_TORN_TAIL = re.compile(  # "10.5194/npg- 19-227", "10.1103/Phys .100", "10.1016/j.x.2004. 05.001"
    r"(?<=[-/_(])\s(?=[\w().-]*\d)|\s(?=[.-]\d)|(?<=\d\.)\s(?=\d\d\.\d{3}(?!\d))|(?<=\.)\s(?=\d{6}|\d{1,4}\.\d{2,4}\.\d)"
)
_MOST_TEARS = 6
_OPENERS = {")": "(", "]": "[", "}": "{"}
_LEAD_REACH = 60
_DOI_LEAD = re.compile(
    r"(?:\bhttps?\s?:\s?/\s?/\s?(?:dx\.)?doi\.org/\s?|\bdoi\.org/|\[?\bdoi\s?[:.]?\s?(?:https?://(?:dx\.)?doi\.org/)?)$",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\[(?=arxiv|inspire|[a-z]{2,5}-)|[.,;](?=(?:(?:hep|astro|cond|quant|nucl|math|gr)$|\(in|arxiv|url|https?:|pmid|doi|[a-z]{2,5}-?[a-z]{2,4}/\d))|https?:|arxiv:|pmid"
    r"|\((?:19|20)\d\d\)[.,;]?$|\(in[a-z]{4,}",
    re.IGNORECASE,
)
_ARCHIVES = (
    r"(?:astro|cond|hep|nucl|gr|math|quant|physics|nlin|chao|solv|patt|alg|cs|stat|dg|q)(?:\s?-\s?"
    r"(?:ph|th|ex|lat|qc|mat|dyn|geom|alg|bio|fin))?(?:\.[A-Za-z]{2})?"
)
_OLD = rf"{_ARCHIVES}\s?/\s?\d{{7}}"
_NEW = r"(?:0[7-9]|[12]\d)(?:0[1-9]|1[0-2])\s?\.\s?\d{4,5}"
_ARXIV = re.compile(
    rf"[\[(]?\s?(?:https?\s?:\s?/\s?/\s?)?(?:(?:available\s)?(?:e-?print|pre-?print)s?,?\s)?(?:at\s)?\bar\s?xiv(?:\.org)?(?:\s(?:e-?print|pre-?print)s?)?[\s:,./]*"
    rf"(?:ar\s?xiv\s?:\s?)?(?:abs\s?/\s?|[a-z-]{{2,8}}\.[A-Z]{{2}}/)?(?P<id>{_NEW}|{_OLD})(?:v\d+)?(?:\s?\[\s?{_ARCHIVES}\s?\])?\s?[\])]?",
    re.IGNORECASE,
)
_NAMES_ARXIV = re.compile(r"[xX]\s?[iI][vV]")
_LIKE_ARXIV = re.compile(r"/\s?\d{7}|\d{4}\s?\.\s?\d{4}")
_BARE_ARXIV = re.compile(
    rf"(?:[\[(]\s?|(?<=[,;.\s]))(?P<id>{_OLD}|(?!(?:19|20)\d\d\.\s(?:19|20)\d\d){_NEW}(?=\s?(?:v\d|\[|\]|[.,;)]?\s*$)))(?:v\d+)?(?:\s?\[\s?{_ARCHIVES}\s?\])?\s?[\])]?",
    re.IGNORECASE,
)
_PUBMED = re.compile(r"\[?\b(?:PM(?P<central>C)?(?:ID)?\s?:?|PubMed:)\s?(?:PMC)?(?P<id>\d{5,9})\b\]?;?", re.IGNORECASE)
_URL = re.compile(
    r"[\[(<]?\b(?:(?:available|retrieved|accessed)\b(?:\s(?:from|at|online))?\s?:?\s?|URL\s?:?\s?)?"
    r"(?P<url>(?:https?\s?:\s?/\s?/\s?|www\.)[^\s<>\"]+)",
    re.IGNORECASE,
)
_NOT_IN_ADDRESSES = re.compile(r"[\x00-\x20<>\"{}|\\^`\ud800-\udfff]|%(?![0-9A-Fa-f]{2})")
_REMARK = re.compile(  # when and where it was found
    r"(?:Available|Accessed|Retrieved|Epub|Published online|Last accessed|Cited)\b"
    r"|(?:last )?(?:accessed|retrieved|visited|checked|abgerufen|zugegriffen|Zugriff|consulté|consultado)\s"
    r"(?:on |am |le |el )?(?=\d|[A-Z][a-z]{2,8}\.? \d)"
)
_BEFORE_REMARK = frozenset(" ([")
_LISTED = re.compile(r"\[\s?(?:INSPIRE|SPIRES?|CrossRef|PubMed|Google Scholar|PMC free article|ADS|MR\d+)\s?\]")


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Identifiers as printed, without labels; `rest` is the text without them."""

    rest: str
    doi: str = ""
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""


def cut_identifiers(text: str) -> Identifiers:
    """Take the identifiers out of a text on one line.

    >>> cut_identifiers("A title. arXiv:1408.3203 [hep-th]. PMID: 1234567. doi: 10.1000/x.").arxiv
    '1408.3203'
    """
    doi, rest = _cut_doi(text)
    arxiv, rest = _cut(_ARXIV, rest) if _NAMES_ARXIV.search(rest) else ("", rest)
    if not arxiv and _LIKE_ARXIV.search(rest):
        arxiv, rest = _cut(_BARE_ARXIV, rest)
    pubmed: dict[bool, str] = {}
    if "PM" in rest or "pm" in rest or "PubMed" in rest:
        pubmed = {bool(match["central"]): match["id"] for match in reversed(list(_PUBMED.finditer(rest)))}
        rest = _PUBMED.sub(" ", rest)
    if "[" in rest:
        rest = _LISTED.sub(" ", rest)
    url = ""
    if "http" in rest or "www." in rest:
        web = _URL.search(rest)
        url = re.sub(r"\s", "", web["url"]).rstrip(".,;)]>") if web else ""
        rest = _URL.sub(" ", rest)
    rest = _before_remark(rest)
    pmcid = f"PMC{pubmed[True]}" if True in pubmed else ""
    return Identifiers(rest, doi, re.sub(r"\s", "", arxiv), pubmed.get(False, ""), pmcid, url)


def find_dois(text: str) -> list[str]:
    """The DOIs printed in a text, in order, without the marks that close a sentence.

    >>> find_dois("(https://doi.org/10.1000/ab(1)2).")
    ['10.1000/ab(1)2']
    """
    return [_whole_doi(match) for match in _DOI.finditer(text)]


def web_address(printed: str) -> str:
    """A printed address as a whole one: with a scheme, and with what no address holds encoded.

    >>> web_address("www.example.org/a|b")
    'http://www.example.org/a%7Cb'
    """
    whole = f"http://{printed}" if printed.lower().startswith("www.") else printed
    return _NOT_IN_ADDRESSES.sub(lambda odd: quote(odd[0], safe="", errors="replace"), whole)


def _before_remark(text: str) -> str:
    """Return the text before the words that say where it was found."""
    for match in _REMARK.finditer(text):
        if text[match.start() - 1 : match.start()] in _BEFORE_REMARK:
            return text[: match.start()].rstrip(" ([")
    return text


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    match = pattern.search(text)
    return (match["id"], f"{text[: match.start()]} {text[match.end() :]}") if match else ("", text)


def _whole_doi(match: re.Match[str]) -> str:
    """Brackets opened inside a DOI belong to it; a closing bracket alone, closing points, and a next field do not."""
    doi = match.group()
    behind = _NEXT.search(doi, 8)
    doi = (doi[: behind.start()] if behind else doi).rstrip(".,;:'\"”’")
    while doi[-1:] in _OPENERS and doi.count(doi[-1]) > doi.count(_OPENERS[doi[-1]]):
        doi = doi[:-1].rstrip(".,;:'\"”’")
    return doi


def _cut_doi(text: str) -> tuple[str, str]:
    """The first DOI, and the text without it."""
    found = _DOI.search(text)
    if not found:
        text = _TORN.sub(_without_blanks, text, count=1)
        found = _DOI.search(text)
        if not found:
            return "", text
    for _ in range(_MOST_TEARS):
        tear = _TORN_TAIL.match(text, found.end())
        if not tear:
            break
        text = text[: tear.start()] + text[tear.end() :]
        found = _DOI.search(text, found.start()) or found
    doi = _whole_doi(found)
    start = max(0, found.start() - _LEAD_REACH)
    before = text[:start] + _DOI_LEAD.sub("", text[start : found.start()].rstrip())
    return doi, f"{before} {text[found.start() + len(doi) :].lstrip('.,; ')}".strip()


def _without_blanks(match: re.Match[str]) -> str:
    alone = not match.start() or match.string[match.start() - 1] in ":/= ("
    return "".join(match.group().split()) if alone else match.group()
