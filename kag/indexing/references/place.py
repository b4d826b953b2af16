"""Where a work appeared: volume, issue, pages, year, publisher, place, edition, editors.

Numbers, and what labels them, stand in clusters ("vol. 3, no. 5, pp. 61-64, 2010", "65, 044006 (2002)"). The
cluster that says most is taken; each of its numbers gets a role from its label, its brackets, or its order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kag.indexing.references.names import UPPER, Name, read_names

YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_MONTH = (
    r"(?=[JFMASONDWjfmad])(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October"
    r"|November|December|Spring|Summer|Autumn|Fall|Winter|janv|févr|mars|avril|mai|juin|juil|août|déc|März|Mai|Okt|Dez)"
)
_DASH = r"\s?(?:--?|[–—‐−‑])\s?"
_PAGE = r"(?:[A-Za-z]{0,2}\d{1,12}(?:\.\d{1,4})?(?:[A-Za-z]\d{0,4})?|[ivxl]{1,6})"
_NUM = (
    r"(?:[A-Z]{0,4}\d{1,12}(?:/\d{1,4})?(?:\s?[A-Za-z](?![A-Za-z]))?(?:-[AB]\b)?(?:\((?:[RTLBA]|\d{1,2}pp)\))?"
    r"|(?<![^\W_])[A-Z]-?\d{1,3}|(?<!\w)(?:e\d+|[a-z]{1,4}\d{3,}))"
)
_WIDTH = r"(?:第|제|[Tt]h\.)?\s?"
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?:{_DASH}\d{{1,2}})?[\s.]{{1,2}})?"
    rf"{_MONTH}\b\.?(?:\s?[-–/]\s?(?:\d{{1,2}}\s)?{_MONTH}\b\.?)?"
)
_TOKEN = re.compile(
    r"(?:(?<![a-z])|(?![a-z]))(?![\s,.;:])(?:"  # nothing starts within a word or at a mark: tried first, for speed
    rf"(?P<year>(?=[(\[\dJFMASONDWjfmad])(?P<open>[(\[]\s?)?(?:{_DATE}[\s.,]{{0,3}}(?:\d{{1,2}}(?:{_DASH}\d{{1,2}})?[\s.,]{{1,3}})?)?(?<![\d/.–-])(?P<y>{YEAR})"
    rf"(?P<letter>[a-z])?(?![\d/卷期호号號页頁–-]|\.\d|[a-z]|{_DASH}\d)(?:\s(?:{_MONTH}\b\.?(?:\s\d{{1,2}}(?=[;:,.])|\s?[-–/]\s?{_MONTH})?|{_DATE}))?\s?[)\]]?)"
    rf"|(?P<month>(?=[(\[\dJFMASONDWjfmad])[(\[]?{_DATE}(?:\s\d{{1,2}}\b)?[)\]]?)"
    rf"|(?P<volume>\b(?=[VvBTtJ])(?:[Vv]ols?|VOL|[Vv]olumes?|Bd|Band|[Tt]omes?|[Tt]omo|Jg|[Vv](?=\.)|[Tt](?=\.\s?\d))\b[\s.]{{0,2}}(?P<v>{_NUM}))"
    rf"|(?P<issue>(?=[(NnIiH№])\(?\b(?:[Nn][or]s?|NO|№|[Nn][°º]|[Ii]ssues?|[Ii]ss|Heft|H(?=\.)|[Nn]um|[Nn]umber)[\s.]{{0,3}}(?P<i>[A-Z]?\d{{1,5}}(?:{_DASH}\d{{1,5}})?)\)?)"
    rf"|(?P<pages>(?=[(PpSс])\(?\b(?:[Pp]{{1,2}}|[Pp]ages?|[Pp]gs?|S(?=\.\s?\d)|Seiten?|[Pp]ágs?|с)\b[\s.:]{{0,2}}(?P<p1>{_PAGE})(?:{_DASH}(?P<p2>{_PAGE}))?\)?)"
    rf"|(?P<article>(?=[AaPp])\b(?:[Aa]rt(?:icle)?s?\.?\s?(?:[Ii][Dd]|[Nn]o\.?|[Nn]umber)?|[Pp]aper)[\s.:#]{{1,2}}(?P<a>{_PAGE})(?!\w))"
    rf"|(?P<cjk>(?=[第제Tt\d]){_WIDTH}(?P<c>\d{{1,5}}(?:{_DASH}\d{{1,5}})?)\s?(?P<unit>[卷권巻집輯辑期호号號页頁쪽면]))"
    rf"|(?P<bracket>[(\[]\s?(?P<b>\d{{1,4}}(?:\s?[-–/,&]\s?\d{{1,4}})?|[Ss]uppl?\.?(?:ement)?[\s.]{{0,2}}\w{{0,4}}|[Pp]t\.?\s?\w{{1,3}}|"
    r"\d{1,3}\s[Ss]uppl?\.?\s?\w{0,3}|[Ss]pec\.? [Ii]ssue)\s?[)\]])"
    rf"|(?P<range>(?<![\w/.–-])(?P<r1>{_PAGE}){_DASH}(?P<r2>{_PAGE})(?![\w/–-]|\.\d))"
    rf"|(?P<number>(?:(?<![\w/–-])|(?<=[^\W\d_]{{3}})|(?<=[^\W\d_]\.))(?P<n>{_NUM})(?![\w/%°–-]|\.\d(?!\d?\s?[:(])|,\d00\b)))"
)  # fmt: skip
_GLUE = re.compile(
    r"(?:[\s,.;:()\[\]]|\bin\b|\band\b|[Ss]uppl\.?(?:\s\d{1,2})?|[Pp]art|[Pp]t\.?|[Ss]er\.?|年|월|月|:|e?(?=\d)|[–-])*"
)
_DIGIT = re.compile(r"\d")
_A_YEAR = re.compile(YEAR)
_SHORT_YEAR = re.compile(rf"{YEAR}|\d\d?")
_LONG_NUMBER = re.compile(r"\d{5,}|[a-z]{1,4}\d{3,}")
_LABEL_REACH = 24  # characters before the first digit in which its label can start
_REACH = 90  # characters between two clusters of one place
_UNITS = {
    **dict.fromkeys("卷권巻집輯辑", "volume"),
    **dict.fromkeys("期호号號", "issue"),
    **dict.fromkeys("页頁쪽면", "pages"),
}
_WEIGHTS = {
    "volume": 2,
    "issue": 2,
    "pages": 2,
    "article": 2,
    "cjk": 2,
    "bracket": 1,
    "range": 2,
    "number": 1,
    "year": 1,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Volume, issue, pages and year; `start` and `end` bound the text they were read from (-1: nothing read).

    `labelled` is true when words or brackets say what the numbers are; `placed` when there is more than a year.
    """

    start: int = -1
    end: int = -1
    volume: str = ""
    issue: str = ""
    first: str = ""
    last: str = ""
    year: str = ""
    labelled: bool = False

    @property
    def placed(self) -> bool:
        return bool(self.volume or self.first or self.issue)


def read_place(text: str, *, dated: bool = False) -> Place:
    """Return the place printed in a text; `dated` means that the year is known already.

    >>> found = read_place("Phys. Rev. C 65, 044006 (2002).")
    >>> found.volume, found.first, found.year
    ('65', '044006', '2002')
    """
    clusters = _clusters(text)
    if not clusters:
        return Place()
    places = [_read(cluster, text, dated) for cluster in clusters]
    weights = [_weight(cluster, place) for cluster, place in zip(clusters, places, strict=True)]
    best = max(range(len(clusters)), key=lambda n: (weights[n], n))
    if weights[best] < 2 and not (places[best].year and not dated):
        return Place()
    while best and weights[best - 1] >= 1 and places[best - 1].placed and _joined(text, places[best - 1], places[best]):
        best -= 1
    return _filled(
        places[best], [p for p, weight in zip(places[best + 1 :], weights[best + 1 :], strict=True) if weight]
    )


def _joined(text: str, earlier: Place, later: Place) -> bool:
    """Whether two clusters are parts of one place: little text between them, and they complete each other."""
    between = text[earlier.end : later.start]
    both = (earlier.volume and later.volume) or (earlier.first and later.first)
    return len(between) < _REACH and not both and ". " not in between and '"' not in between and "”" not in between


def _clusters(text: str) -> list[list[re.Match[str]]]:
    """Tokens with nothing but marks between them."""
    clusters: list[list[re.Match[str]]] = []
    digit = _DIGIT.search(text)
    if not digit:
        return []
    for token in _TOKEN.finditer(text, max(0, digit.start() - _LABEL_REACH)):
        if clusters and _GLUE.fullmatch(text, clusters[-1][-1].end(), token.start()):
            clusters[-1].append(token)
        else:
            clusters.append([token])
    return [_last_date(cluster, text) for cluster in clusters]


def _last_date(cluster: list[re.Match[str]], text: str) -> list[re.Match[str]]:
    """Return the last of several dates in sentences of their own: the others are words of the title."""
    if len(cluster) < 2 or any(_kind(token) != "year" for token in cluster):
        return cluster
    return cluster[-1:] if "." in text[cluster[-2].end() : cluster[-1].start()] else cluster


def _weight(cluster: Sequence[re.Match[str]], place: Place) -> int:
    """Return the weight of a cluster; single bare numbers and ranges of years have none."""
    kinds = [_kind(token) for token in cluster]
    if kinds == ["number"] or kinds == ["bracket"]:
        return 0
    if all(kind == "range" and _spans_years(token) for kind, token in zip(kinds, cluster, strict=True)):
        return 0
    weight = sum(_WEIGHTS.get(kind, 0) for kind in kinds)
    return weight if place.volume or place.first else min(weight, 1)


def _spans_years(token: re.Match[str]) -> bool:
    return bool(_A_YEAR.fullmatch(token["r1"]) and _SHORT_YEAR.fullmatch(token["r2"]))


def _kind(token: re.Match[str]) -> str:
    return token.lastgroup or ""  # the group that was closed last holds all others


def _read(cluster: Sequence[re.Match[str]], text: str, dated: bool) -> Place:
    """Give each number of a cluster its role."""
    roles = dict.fromkeys(("volume", "issue", "first", "last"), "")
    year = _year(cluster, text, dated)
    labelled = False
    before: re.Match[str] | None = None
    for token in cluster:
        kind = _kind(token)
        labelled |= kind in ("volume", "issue", "pages", "article", "cjk", "bracket")
        if token is not year and kind != "month":
            colon = before is not None and before is year and ":" in text[before.end() : token.start()]
            _assign(roles, token, "number" if kind == "year" else kind, behind_colon=colon)
        before = token
    _repair(roles)
    return Place(cluster[0].start(), cluster[-1].end(), roles["volume"], roles["issue"], roles["first"],
                 roles["last"], year["y"] if year else "", labelled)  # fmt: skip


def _year(cluster: Sequence[re.Match[str]], text: str, dated: bool) -> re.Match[str] | None:
    """The token that is the year: one in brackets, else the last at the end, else the first."""
    years = [
        token
        for number, token in enumerate(cluster)
        if token["year"] is not None and (not number or text[token.start() - 1] != ":")
    ]
    if not years:
        return None
    bracketed = [token for token in years if token["open"]]
    if bracketed:
        return bracketed[-1]
    if dated and len(cluster) > 1 and not any(token["range"] or token["pages"] for token in cluster):
        return None if len(years) == 1 and len(cluster) == 2 else years[-1]
    return years[-1] if cluster[-1] is years[-1] and len(cluster) > 2 else years[0]


def _assign(roles: dict[str, str], token: re.Match[str], kind: str, *, behind_colon: bool) -> None:
    if kind == "cjk":
        kind, value = _UNITS[token["unit"]], token["c"]
        first, _, last = re.sub(r"[–—−‑‐]", "-", value).partition("-")
        _pages(roles, first.strip(), last.strip()) if kind == "pages" else roles.__setitem__(kind, roles[kind] or value)
    elif kind in ("pages", "article", "range"):
        first, last = {"pages": ("p1", "p2"), "article": ("a", "a"), "range": ("r1", "r2")}[kind]
        _pages(roles, token[first], (token[last] or "") if kind != "article" else "")
    elif kind in ("volume", "issue"):
        roles[kind] = roles[kind] or token["v" if kind == "volume" else "i"]
    elif kind == "bracket":
        name = "issue" if roles["volume"] else "volume"
        roles[name] = roles[name] or token["b"].strip()
    else:
        _number(roles, token["n"] or token["y"], behind_colon)


def _pages(roles: dict[str, str], first: str, last: str) -> None:
    """Pages; a number that was taken for them is the issue then."""
    if roles["first"] and not roles["last"] and last and not roles["issue"]:
        roles["issue"] = roles["first"]
        roles["first"] = ""
    if not roles["first"]:
        roles["first"], roles["last"] = first, last


def _number(roles: dict[str, str], value: str, behind_colon: bool) -> None:
    """A bare number is the volume, or the page when the volume is known."""
    if not roles["volume"] and not behind_colon and not roles["first"]:
        roles["volume"] = value
    elif not roles["first"]:
        roles["first"] = value
    elif not roles["volume"]:
        roles["volume"] = value


def _repair(roles: dict[str, str]) -> None:
    """A number too long for a volume, alone, is an article's number."""
    if not roles["first"] and _LONG_NUMBER.fullmatch(roles["volume"]):
        roles["first"], roles["volume"] = roles["volume"], ""


def _filled(place: Place, later: Sequence[Place]) -> Place:
    """A place with what later clusters add to it."""
    for other in later:
        if not place.year and other.year:
            place = replace(place, year=other.year)
        if not place.first and other.first and (other.labelled or other.last):
            place = replace(place, first=other.first, last=other.last)
        if not place.volume and other.volume and other.labelled:
            place = replace(place, volume=other.volume, issue=place.issue or other.issue)
    return place


_HOUSE = re.compile(
    r"\b(?=[A-ZÉ])(?:Press(?=\s*(?:[,.:;)(\]]|$|Inc|Ltd|Syndicate|\d))|Presses|Verlag|Verlags?gesellschaft|Publish(?:ers?|ing)(?:\sCo\w*)?|Publications?|Publ\.|Springer|Wiley|Elsevier|Kluwer"
    r"|Academic(?=\s?[,.:;)(]|\sPress|$)|Birkh(?:ä|a|ae)user|World\s?Scientific|McGraw|Prentice|Addison|Routledge|Sage|SAGE|Macmillan|Palgrave"
    r"|Blackwell|Pergamon|Plenum|Dover|Benjamin|North[- ]Holland|Gordon\s(?:and|&)\sBreach|Taylor\s(?:and|&)\sFrancis"
    r"|Oxford\sUniv\w*|Cambridge\sUniv\w*"
    r"|Morgan\sKaufmann|O['’]Reilly|Éditions|Editions?\sdu|Editorial|Ediciones|Casa\sEditrice|Dekker|Masson|Dunod|Gallimard|Harper|Norton|Penguin"
    r"|Lippincott|Saunders|Mosby|Thieme|Hogrefe|Vieweg|Teubner|Gruyter|Brill|Reidel|Nijhoff|Erlbaum|Earthscan|Interscience|Freeman|Longman"
    r"|CRC|SIAM|Nauka|Mir|Artech|InTech|Éd\.|American\s(?:Mathematical|Chemical|Psychiatric|Psychological)\s(?:Society|Association|Publishing))\b"
)
_SERIAL = re.compile(r"\s(?:J\b|Journal\b|Rev\b|Review\b|Proc\b|Lecture\b)")
_EDGE = re.compile(r"[.,;:()]\s|[():;]|[,.](?=$)")
_LEFT = re.compile(r"[;()“”\"]|(?<!Univ)(?<!Acad)[.,:]\s")
_PLACE = re.compile(
    rf"\s*(?P<place>[{UPPER}][^\W\d]*(?:[\s/–-]{{1,3}}[{UPPER}a-z][^\W\d_]*\.?){{0,3}}(?:,\s(?:[A-Z]{{2,3}}|[A-Z]\.\s?[A-Z]\.|[{UPPER}][^\W\d_]+))?)\s*$"
)
_THESIS = re.compile(
    r"[\s,.;:(\[]{1,3}(?:(?:Ph\.?\s?D|D\.?\s?Phil|Dr|[Dd]octoral|[Mm]aster(?:['’]?s)?|M\.?\s?Sc|M\.?\s?S|[Dd]iploma|[Bb]achelor['’]?s?|Unpublished)\b[.,]{0,2}\s?){0,2}"
    r"(?:[Tt]hesis|[Dd]issertation|[Tt]hèse|[Dd]iplomarbeit|[Hh]abilitationsschrift|[Tt]esis)\b[\s.,:)\]]*(?:[Uu]npublished[\s.,]*)?"
)
_LAST_PIECE = re.compile(rf",\s(?P<piece>[{UPPER}][^\W\d_]+(?:[\s/-][{UPPER}][^\W\d_]+)?)\s*[,.(]{{0,2}}\s*$")
_EDITION = re.compile(
    r"[\s,.(]{1,3}(?P<edition>\d{1,2}(?:st|nd|rd|th|ª|\.)?|[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]ifth|[Rr]ev(?:ised|\.))\s?"
    r"(?:[Ee]d(?:ition|n)?\b\.?|Aufl(?:age)?\b\.?|éd(?:ition)?\b\.?)\)?"
)
_EDITED = re.compile(
    r"[\s,.;(]{0,3}(?:\b(?:[Ee]ds?|EDS?)\b\.?(?:\s?by)?|\b[Ee]dited\sby|\b[Éé]diteurs?\s?:|\bHrsg\b\.?(?:\svon)?)[\s:.,]{0,3}(?=\S)"
)
_EDITORS = re.compile(
    r"[\s,]{0,2}\(?\b(?:[Ee]ds?\b|EDS?\b|[Ee]ditors?\b|Hrsg\b|Éds?\b|[Cc]oords?\b|dir\b)\.?\)?[\s.,:]*"
)


@dataclass(frozen=True, slots=True)
class Imprint:
    """Publisher, place and edition; `rest` is the text without them."""

    rest: str
    publisher: str = ""
    place: str = ""
    edition: str = ""
    named: bool = False  # the publisher is one by its name, not only by where it stands


def cut_imprint(head: str, *, placed: bool, ended: bool = True) -> Imprint:
    """Cut publisher, place and edition off the end of the text before the year.

    >>> cut_imprint("Waves on ice (Example Press, Oslo,", placed=False).publisher
    'Example Press'
    """
    thesis = _THESIS.search(head) if not placed else None
    if thesis and thesis.start() > 2:
        school, _, town = head[thesis.end() :].strip(" ,.;:()").partition(", ")
        return Imprint(f"{head[: thesis.start()]}. ", school, town.strip(" ,.;:()"), named=True)
    edition = _EDITION.search(head)
    words = f"{head[: edition.start()]}. {head[edition.end() :].lstrip(' .,')}" if edition else head
    imprint = _bracketed(words) if not placed else None
    imprint = imprint or _house(words) or (_town(words) if ended and not placed else None)
    rest = imprint.rest if imprint else words
    return Imprint(rest, imprint.publisher if imprint else "", imprint.place if imprint else "",
                   edition["edition"] if edition else "", bool(imprint and imprint.named))  # fmt: skip


def _bracketed(words: str) -> Imprint | None:
    """ "Title (Publisher, Place," with the year behind it."""
    opened = words.rfind("(")
    if opened < 3 or ")" in words[opened:]:
        return None
    first, comma, rest = words[opened + 1 :].strip(" ,.;").partition(",")
    if not first or not first[0].isupper() or len(first.split()) > 6:
        return None
    town, colon, house = first.partition(":")
    if colon and house.strip():
        return Imprint(words[:opened], house.strip(), town.strip(), named=bool(_HOUSE.search(house)))
    if _HOUSE.search(first) or comma:
        return Imprint(words[:opened], first.strip(), rest.strip(" ,"), named=bool(_HOUSE.search(first)))
    return None


def _town(words: str) -> Imprint | None:
    """ "A title, Oslo" with the year behind it: a town, or a body by its initials."""
    match = _LAST_PIECE.search(words)
    if not match or words[: match.start()].count(" ") < 2:
        return None
    piece = match["piece"]
    house = piece if piece.isupper() else ""
    return Imprint(f"{words[: match.start()]}. ", house, "" if house else piece)


def _house(words: str) -> Imprint | None:
    """The piece between two marks that names a publishing house, with the place on its one or other side."""
    houses = list(_HOUSE.finditer(words))
    if not houses:
        return None
    match = houses[-1]
    lefts = [mark.end() for mark in _LEFT.finditer(words, 0, match.start() + 1) if mark.end() <= match.start()]
    start = lefts[-1] if lefts else 0
    right = _EDGE.search(words, match.end())
    end = right.start() if right else len(words)
    publisher = words[start:end].strip(" ,.;:&")
    if (
        not start
        or _SERIAL.search(publisher)
        or len(publisher.split()) > 7
        or not publisher[:1].isupper()
        or publisher.startswith("In ")
    ):
        return None
    before, behind = words[:start].rstrip(" ,.;("), words[end:].lstrip(" ,.;:")
    return _with_town(before, publisher, behind)


def _with_town(before: str, publisher: str, behind: str) -> Imprint:
    if before.endswith(":"):
        cut = max(before.rfind(mark) for mark in (". ", "(", "? ", ", "))
        town = _PLACE.match(before[cut + 1 : -1]) if cut > 0 else None
        if town:
            return Imprint(f"{before[:cut]}. ", publisher, town["place"], named=True)
    town = _PLACE.match(behind.strip(" ,.;)"))
    rest = "" if town or len(behind.split()) < 4 else behind
    return Imprint(f"{before}. {rest}".rstrip(" "), publisher, town["place"] if town else "", named=True)


def cut_editors(text: str) -> tuple[tuple[Name, ...], str]:
    """The editors printed before or behind a book's title, and the text without them.

    >>> people, rest = cut_editors("Lee S, Poe E (eds) Ice on rivers")
    >>> [str(name) for name in people], rest
    (['Lee, S', 'Poe, E'], 'Ice on rivers')
    """
    if not _EDITED.search(text) and not _EDITORS.search(text):
        return (), text
    first = read_names(text)
    mark = _EDITORS.search(text, max(0, first.end - 12), first.end + 12) if first.people else None
    if mark:
        return first.people, text[mark.end() :].lstrip(" ,.:;)")
    edited = _EDITED.search(text)
    if edited and edited.start() > 3:
        names = read_names(text[edited.end() :])
        behind = text[edited.end() + names.end :].lstrip(" ,.:;)")
        return names.people, text[: edited.start()] + (f". {behind}" if behind and names.people else "")
    return (), text
