"""Fields of one printed reference, for the common styles of print, by rules alone.

Identifiers are cut out first, then names are read from the front and year, volume and pages from the
back; what is left between them is title and container. A field that is not clearly there stays empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kag.enrich.names import UPPER, Name, Names, is_organisation, read_names


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference; fields that were not found are empty. `year` has its letter ("2010a") in `suffix`."""

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


_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+(?:<\d[^\s\"<>]*>[^\s\"<>]*)?")
_LONGEST = 4000  # characters; what an entry prints behind them is no field
_OPENERS = {")": "(", "]": "[", "}": "{"}
_DOI_LEAD = re.compile(
    r"(?:\bhttps?://(?:dx\.)?doi\.org/\s?|\bdoi\.org/|\bdoi\s?[:.]?\s?(?:https?://(?:dx\.)?doi\.org/)?)$", re.IGNORECASE
)
_LINK = re.compile(
    r"\b(?:(?:available|retrieved|accessed)\b(?:\s(?:from|at|online))?\s?:?\s?)?(?:https?://|www\.)\S+|\barXiv:\s?\S+"
    r"|\bPM(?:C?ID)?:?\s?(?:PMC)?\d{5,}\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"[\s(\[]{0,3}\b(?:Available|Accessed|Retrieved|Epub|Published online|Last accessed|Cited)\b.*$", re.DOTALL
)

# Scans print blanks before points and inside brackets: "Nucl .Phys .B ( 2007 )".
_LOOSE = re.compile(r"(?<=[^\s.])\s([.,;])\s?(?=[^\s.])")
_INNER_BLANK = re.compile(r"(?<=[(\[])\s|\s(?=[)\]])")

_Y = r"(?:1[5-9]\d\d|20\d\d)"
_YEAR_AFTER_NAMES = re.compile(
    rf"[\s,.:]*\(?(?P<year>{_Y})(?P<suffix>[a-z]?)(?:[,/;–-][^()]{{0,30}}?)?\)[\s.,:]*"
    rf"|[\s,.]+(?P<year2>{_Y})(?P<suffix2>[a-z]?)[.,:]\s+"
    r"|[\s,.]*\(?(?:n\.\s?d\.|in press|forthcoming|submitted)[a-z]?\)?[\s.,:]+"
)
_UNREAD_NAMES = re.compile(
    rf"[^()\d:]{{0,200}}\((?P<year>{_Y})(?P<suffix>[a-z]?)(?P<year2>)(?P<suffix2>)\)[.,:]?\s+(?=\S+\s\S+)"
)
_YEARS = (
    re.compile(rf"\((?:[A-Z][a-z]+\.?\s)?(?P<year>{_Y})(?P<suffix>[a-z]?)\)"),
    re.compile(rf"(?<=[.,;:] )(?P<year>{_Y})(?P<suffix>[a-z]?)(?=\s*(?:[;:.,(]|$|[A-Z][a-z]{{2}}\b))"),
    re.compile(rf"(?<![\d–\-/.:])(?P<year>{_Y})(?P<suffix>[a-z]?)(?![\d–\-/]|\.\d)\b"),
)

_DASH = r"\s?(?:--?|[–—‐−-])\s?"
_PAGE = r"[A-Za-z]{0,3}\d{1,12}[A-Za-z]?"
_PAGES = rf"(?P<first>{_PAGE})(?:{_DASH}(?P<last>{_PAGE}))?"
_ISSUE = r"(?:\s?\([^()]{1,30}\))?"
_VOLUME = r"(?P<volume>[A-Z]{0,3}\d{1,4}(?:/\d{4})?|[A-Z]-?\d{1,3})"
_TAILS = (
    re.compile(rf"[.,;]?\s*{_Y}[a-z]?(?:\s[A-Z][a-z]{{2}}(?:\s?\d{{1,2}})?)?;\s*{_VOLUME}(?:\s?(?:Suppl|Pt)\.?\s?\w*)?{_ISSUE}(?::\s*{_PAGES})?"),
    re.compile(rf"[.,;]?\s*{_Y}[a-z]?\s?[:;]\s?{_PAGES}(?=[\s.,]|$)"),
    re.compile(rf",?\s(?:[Vv]ol(?:ume|\.)?\s?){_VOLUME}(?:,?\s(?:no|issue|nos)\.?\s?[\w–-]+)?(?:,?\s(?:pp?\.?\s?){_PAGES})?"),
    re.compile(rf",?\s{_Y}[a-z]?,\s{_VOLUME}(?:,\s|{_ISSUE}[,:]\s?){_PAGES}"),
    re.compile(rf",?\s{_Y}[a-z]?,\spp?\.\s?{_PAGES}"),
    re.compile(rf",?\s{_VOLUME}{_ISSUE}\s?:{{1,2}}[\s:]*{_PAGES}"),
    re.compile(rf",?\s{_VOLUME}{_ISSUE},\s(?:pp?\.\s?)?{_PAGES}(?=\s?[.,;(]|\s*$)"),
    re.compile(rf",?\s{_VOLUME}\s\({_Y}\)[,:]?\s?{_PAGES}"),
    re.compile(rf",?\s{_VOLUME}\s?\({_Y}\)"),
    re.compile(rf",\s(?:pp?\.\s?)?{_PAGES}(?=\s*\.?\s*$)"),
    re.compile(rf",?\s\(?pp?\.\s?{_PAGES}\)?"),
    re.compile(rf"[.,]?\s+\(?{_Y}[a-z]?\)?(?=\s*[.,;:]?\s*(?:$|\())"),
)  # fmt: skip

_BOUNDARY = re.compile(r"(?P<mark>[.?!]+)(?P<close>[\"”’')\]]*)\.?\s+(?=\S)")
_SHORT = frozenset(
    word
    for listed in (
        "sp spp nov vs v var subsp ssp cf al e.g i.e st dr mr no vol fig",
        "ca approx pv str gen n u.s ver eds ed",
    )
    for word in listed.split()
)
_ABBREVIATED = re.compile(rf"(?![IVX]+$)[{UPPER}][^\W\d_]{{0,12}}(?:-[^\W\d_]{{1,12}})?")
# A quotation that runs on (": a study", "in small letters") is only the beginning of a title.
_QUOTED = re.compile(
    r"[\s,.:]*(?:(?:“([^”]{3,400})”|\"([^\"]{3,400})\"|``([^']{3,400})'')(?!\s?[:–—-]|\s(?!in\s)[a-z])"
    r"|[‘'](.{3,400}?)(?:[,.?!][’']|[’'](?=[,.]|$)))"
)
_IN_BOOK = re.compile(r"[\s.,]*\b(?:[Ii]n:\s?|in\s+)(?=\S)")
_IN_BOOK_LATER = re.compile(r"\s*(?:[Ii]n:\s?|[Ii]n\s+)(?=\S)")


@lru_cache(maxsize=1024)  # two passes read the list of a paper
def parse_reference(text: str) -> Reference:
    """Read the fields of one entry, printed without its number.

    >>> found = parse_reference("Coffelt SB, de Visser KE. A title. Trends Immunol. 2015;36:198–216.")
    >>> found.title, found.container, found.year, found.volume, found.first_page, found.last_page
    ('A title', 'Trends Immunol', '2015', '36', '198', '216')
    """
    doi, words = _cut_doi(" ".join(text.split())[:_LONGEST])
    words = _LOOSE.sub(r"\1 ", _INNER_BLANK.sub("", words))
    words = _REMARK.sub("", _LINK.sub(" ", words)).strip()
    names = read_names(words)
    names = names if names.people else _group_names(words)
    head, year, suffix = _cut_year(words, names.end)
    head, tail = _cut_tail(head)
    title, container = _title_and_container(head, names, dated=bool(year), placed="volume" in tail or "first" in tail)
    if not year:
        year, suffix = _find_year(words[names.end :])
    return Reference(names.people, names.more, title, year, suffix, doi, container, tail.get("volume", ""),
                     tail.get("first", ""), _full_last_page(tail.get("first", ""), tail.get("last", "")))  # fmt: skip


def find_dois(text: str) -> list[str]:
    """The DOIs printed in a text, in order, without the marks that close a sentence.

    >>> find_dois("(https://doi.org/10.1000/ab(1)2).")
    ['10.1000/ab(1)2']
    """
    return [_whole_doi(found) for found in _DOI.finditer(text)]


def _whole_doi(found: re.Match[str]) -> str:
    """Brackets opened inside a DOI belong to it; a closing bracket alone and closing points do not."""
    doi = found.group().rstrip(".,;:'\"”’")
    while doi[-1:] in _OPENERS and doi.count(doi[-1]) > doi.count(_OPENERS[doi[-1]]):
        doi = doi[:-1].rstrip(".,;:'\"”’")
    return doi


def _cut_doi(text: str) -> tuple[str, str]:
    """The first DOI, and the text without it."""
    found = _DOI.search(text)
    if not found:
        return "", text
    doi = _whole_doi(found)
    before = _DOI_LEAD.sub("", text[max(0, found.start() - 60) : found.start()])
    before = text[: max(0, found.start() - 60)] + before
    return doi, f"{before} {text[found.start() + len(doi) :].lstrip('.,; ')}".strip()


def _group_names(text: str) -> Names:
    """A body that wrote the work: what stands before a year in brackets, or an organisation's name before the title."""
    dated = re.match(rf"(?P<name>[^()]{{2,150}}?)[\s.,]*(?=\((?:{_Y}|n\.d\.))", text)
    if dated and not _BOUNDARY.search(dated["name"]):
        return Names((Name(dated["name"].rstrip(" .,")),), dated.end(), "group")
    first, point, rest = text.partition(". ")
    if point and len(first) < 200 and is_organisation(first) and rest.strip(". "):
        return Names((Name(first),), len(first), "group")
    return Names((), 0)


def _cut_year(words: str, start: int) -> tuple[str, str, str]:
    """What follows the names, with the year that stands directly behind them taken off."""
    found = _YEAR_AFTER_NAMES.match(words, start) or (_UNREAD_NAMES.match(words, start) if start else None)
    if not found:
        return words[start:], "", ""
    return words[found.end() :], found["year"] or found["year2"] or "", found["suffix"] or found["suffix2"] or ""


def _find_year(text: str) -> tuple[str, str]:
    """The year of publication: in brackets, else between points, else any; the last of the first kind found."""
    for pattern in _YEARS:
        found = list(pattern.finditer(text))
        if found:
            return found[-1]["year"], found[-1]["suffix"]
    return "", ""


def _cut_tail(head: str) -> tuple[str, dict[str, str]]:
    """The part before volume, pages and year, and their values."""
    for pattern in _TAILS:
        found = pattern.search(head)
        if found:
            return head[: found.start()], {name: value for name, value in found.groupdict().items() if value}
    return head, {}


def _title_and_container(head: str, names: Names, *, dated: bool, placed: bool) -> tuple[str, str]:
    quoted = _QUOTED.match(head)
    if quoted:
        title = next(group for group in quoted.groups() if group)
        return title.rstrip(" ,."), _container(head[quoted.end() :])
    book = _IN_BOOK.match(head)
    if book:
        return "", _container(head[book.end() :])
    after_comma = bool(names.people) and not dated and head.lstrip().startswith(",")
    body = head.strip(" ,;:")
    body = body if body.startswith("..") else body.removeprefix(".").lstrip()
    if after_comma and (placed or _is_container(body.rpartition(", ")[2])):
        return _after_comma(body, placed)
    return _split_title(body, placed)


def _after_comma(body: str, placed: bool) -> tuple[str, str]:
    """Style "names, [title,] container, year, volume": the container is the last piece, the title may be missing.

    A last piece without a volume that is not abbreviated may be a publisher or a town: it is no container.
    """
    title, comma, container = body.rpartition(", ")
    if not comma:
        return ("", _container(body)) if _is_container(body) else _split_title(body, placed=True)
    if _is_container(body) and len(body.split()) <= 6:
        return "", _container(body)
    return title.strip(" ,."), _container(container) if placed or "." in container else ""


def _split_title(body: str, placed: bool) -> tuple[str, str]:
    """Title and container of "Title. Container" and of "Title? Container"."""
    ends = [end for end in _BOUNDARY.finditer(body) if not _in_brackets(body, end)]
    cut = _last_cut(body, ends) if placed else _first_cut(body, ends)
    if cut is None:
        return body.strip(" ,.;:"), ""
    title, rest = body[: cut.start("close")], body[cut.end() :]
    book = _IN_BOOK_LATER.match(rest)
    return title.strip(" ,.;:"), _container(rest[book.end() :] if book else rest)


def _last_cut(body: str, ends: list[re.Match[str]]) -> re.Match[str] | None:
    """With a volume behind it, the container is the last sentence, with the abbreviated words before it."""
    index = len(ends) - 1
    while index > 0:
        before = body[ends[index - 1].end() : ends[index].start()]
        if not _ABBREVIATED.fullmatch(before) or ends[index]["mark"] != ".":
            break
        index -= 1
    book = next((end for end in ends if _IN_BOOK_LATER.match(body, end.end())), None)
    return book or (ends[index] if ends else None)


def _in_brackets(body: str, end: re.Match[str]) -> bool:
    """True for a point inside brackets, or before a running text in lower case."""
    before = body[: end.start()]
    rest = body[end.end() :]
    return (before.count("(") > before.count(")") and ")" in rest) or (rest[:1].islower() and len(rest.split()) > 3)


def _first_cut(body: str, ends: list[re.Match[str]]) -> re.Match[str] | None:
    """The first end of a sentence that is not the point of an abbreviation."""
    for index, end in enumerate(ends):
        if not _is_soft(body, end, later=index + 1 < len(ends)):
            return end
    return None


def _is_soft(body: str, end: re.Match[str], *, later: bool) -> bool:
    """True for a point inside a title: after an abbreviation, an initial, or before a word in lower case."""
    word = body[: end.start()].rpartition(" ")[2].lstrip("([“\"'").casefold()
    rest = body[end.end() :]
    if end["mark"] == "." and word in _SHORT:
        return True
    if rest[:1].islower():
        return later or len(rest.split()) > 3
    return later and end["mark"] == "." and len(word) == 1 and word.isalpha()


def _is_container(text: str) -> bool:
    """True for words in the way of a journal's name: short, capitals or abbreviations throughout."""
    words = text.split()
    small = {"of", "the", "and", "for", "in", "on", "–", "-", "&", "et", "de", "la", "der", "und", "für"}
    return 0 < len(words) <= 8 and all(
        w[0] in UPPER or w in small or w[0] == "(" or w.endswith((".", ".,")) for w in words
    )


def _container(text: str) -> str:
    """A container's name without the marks around it."""
    name = re.sub(r"[\s,]{0,3}\(?\b(?:[Ee]ds?\.|[Ee]dited by\b|[Ee]ditors?\b).*$", "", text)
    name = re.sub(r"[,.;]?\s*\(?\b(?:vol|pp?)\.?\s*$|\s*\($", "", name).strip(' ,;:“”"')
    name = re.sub(rf"[,.]?\s\(?{_Y}\)?$", "", name).strip(' ,;:“”"')
    name = name.rstrip(".")
    abbreviated = len(name) < 60 and re.search(r"\.\s(?:[^\s]*\s)?[A-Z][a-z]{0,11}$", name)
    return f"{name}." if abbreviated else name


def _full_last_page(first: str, last: str) -> str:
    """ "1451–60" means 1460: a shortened last page in full."""
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        return first[: len(first) - len(last)] + last
    return last
