"""Front matter besides title and authors: keywords, dates, affiliations, licence.

All of it is read as printed; what is not printed is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace

from rdflib import XSD, Literal, URIRef

from kag.indexing.enrich.author_list import (
    Author,
    affiliations,
    authors,
    labelled_authors,
    listed_authors,
    split_authors,
)
from kag.indexing.enrich.work_iris import describe_authors
from kag.indexing.references.parser import find_dois
from kag.rdf.namespaces import DCTERMS, DEO, DOCO, FABIO, KAG, PRISM
from kag.rdf.workspace import Workspace, typed_literal
from kag.sources.labels import FRONT_MATTER
from kag.text.dates import MONTH, month_number
from kag.text.plain import plain

_CUE = (
    r"^\W*(?:\d{4} mathematics subject classification.{0,200}?)?"
    r"(?:(?:additional )?key\s?-?words?(?: and phrases)?|index terms|schlüssel-?wörter|schlagwörter|palabras[- ]claves?"
    r"|mots[- ]clés|parole chiave|palavras-chave|subject headings|unified astronomy thesaurus concepts)"
)
_KEYWORDS = re.compile(_CUE + r"\W*?(?:[:.—–-]|\n)\s*(?P<listed>.+)", re.I | re.S)
_KEYWORD_TITLE = re.compile(_CUE + r"\W*$", re.I)
_BETWEEN = re.compile(r"\s*(?:[;•·|]|\n|\s[–—-]\s)\s*")
MAX_KEYWORD = 80  # characters
MAX_NOTICE = 1500  # characters: a longer block is running text, whose dates and addresses are of something else
_DATE = (
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-])?(?P<month>{MONTH})[\s-](?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s)?(?P<year>(?:19|20)\d\d)"
    r"|(?P<iso>(?:19|20)\d\d-\d\d-\d\d)"
)
_EVENT = re.compile(
    r"\b(?P<event>received|submitted|revised|accepted|published|available)(?:\s(?:online|on|in|date|version|revised|form))*"
    rf"\s?[:,]?\s?(?:{_DATE})\b",
    re.I,
)
_NAMES = {"received": "submitted", "available": "published"}
_STAMP = re.compile(  # in the margin of a first page
    r"arXiv:\s?(?P<id>[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?(?:\s+\[[^\]]{1,40}\])?"
    rf"(?:\s+(?:{_DATE}))?\s*\Z",
    re.I,
)
_DATES = (("submitted", DCTERMS.dateSubmitted), ("accepted", DCTERMS.dateAccepted), ("published", DCTERMS.issued))
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_LICENCE = re.compile(
    r"\bcreativecommons\.org/(?:licenses/(?P<kind>by[a-z-]{0,9})/(?P<version>\d\.\d)|publicdomain/(?P<zero>zero)/1\.0)",
    re.I,
)
_LICENCE_WORDS = re.compile(r"\bCC[\s-](?P<kind>BY(?:-(?:NC|SA|ND)){0,2})\s(?P<version>\d\.\d)\b|\b(?P<zero>CC0)\b")


@dataclass(frozen=True, slots=True)
class FrontRecord:
    """The front matter's values; dates by event ("submitted", "revised", "accepted", "published"), in ISO form."""

    authors: tuple[Author, ...] = ()
    affiliations: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    dates: dict[str, str] = field(default_factory=dict)
    emails: tuple[str, ...] = ()
    licence: str = ""

    def to_json(self) -> str:
        """Return the non-empty fields as JSON."""
        return json.dumps({key: value for key, value in asdict(self).items() if value}, ensure_ascii=False)


def keywords(text: str) -> tuple[str, ...]:
    """The keywords of a block that begins with the word; none when it does not.

    >>> keywords("Keywords: river ice; sensors; winter")
    ('river ice', 'sensors', 'winter')
    """
    match = _KEYWORDS.match(text)
    return _listed(match["listed"]) if match else ()


def printed_keywords(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the keywords behind the word in one of the texts, or in the text behind a title that is the word."""
    for n, text in enumerate(texts):
        found = keywords(text)
        if not found and n and _KEYWORD_TITLE.match(plain(texts[n - 1])) and len(text) <= MAX_NOTICE:
            found = _listed(text)
        if found:
            return found
    return ()


def _listed(text: str) -> tuple[str, ...]:
    listed = plain(text) if "\n" not in text else text
    parts = _BETWEEN.split(listed) if _BETWEEN.search(listed.strip()) else re.split(r",\s+", listed)
    words = [plain(part).strip(" .,*_") for part in parts]
    return tuple(dict.fromkeys(word for word in words if 0 < len(word) <= MAX_KEYWORD))


def dates(text: str) -> dict[str, str]:
    """The dates of the paper's history, the first of each event, as far as they are printed: "2017-04-09", "2017-04".

    >>> dates("Received 9 April 2017; accepted July 31, 2017")
    {'submitted': '2017-04-09', 'accepted': '2017-07-31'}
    """
    found: dict[str, str] = {}
    for match in _EVENT.finditer(text):
        event = "revised" if "revised" in match[0].lower() else match["event"].lower()
        found.setdefault(_NAMES.get(event, event), _iso(match))
    return found


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    month = month_number(match["month"])
    day = match["day"] or match["day2"]
    return f"{match['year']}-{month:02d}" + (f"-{int(day):02d}" if day and 1 <= int(day) <= 31 else "")


def arxiv_stamp(texts: Sequence[str]) -> tuple[str, str]:
    """Return the identifier and the date of the arXiv stamp among the texts of a page, each "" without one.

    >>> arxiv_stamp(["Ice", "arXiv:2103.14781v2 [cs.LG] 9 Mar 2021"])
    ('2103.14781', '2021-03-09')
    """
    match = next(filter(None, (_STAMP.match(text.strip()) for text in texts)), None)
    return (match["id"], _iso(match) if match["year"] or match["iso"] else "") if match else ("", "")


def licence(text: str) -> str:
    """The address of the Creative Commons licence that a text names, empty when it names none."""
    match = _LICENCE.search(text) or _LICENCE_WORDS.search(text)
    if not match:
        return ""
    if match["zero"]:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    return f"https://creativecommons.org/licenses/{match['kind'].lower()}/{match['version']}/"


def read_front(names: str, places: Sequence[str], texts: Sequence[str]) -> FrontRecord:
    """The record of a paper from its printed authors, the blocks of affiliations, and all texts of its first page."""
    lines, *below = re.split(r"\n(?=[ \t]*\\\(\s*(?:\{\})?\^)", names, maxsplit=1)
    found = affiliations("\n".join([*below, *places]))
    page = "\n".join(text for text in texts if len(text) <= MAX_NOTICE)
    stamped = {"published": posted} if (posted := arxiv_stamp(texts)[1]) else {}
    return FrontRecord(
        authors(lines, found),
        tuple(found.values()),
        printed_keywords(texts),
        stamped | dates(page),
        tuple(dict.fromkeys(email.rstrip(".") for email in _EMAIL.findall(page))),
        licence(page),
    )


def front_record(workspace: Workspace) -> int:
    """Keep the record in the content store, and what is asked for most as values of the paper; returns their number.

    It is read from the pages up to that of the title, which may stand behind a cover.
    """
    titles = workspace.of_type(DOCO.Title)
    last = workspace.number(titles[0], KAG.pageNumber) or 1 if titles else 1
    blocks = workspace.document.blocks
    last = max([last, *(block.page for block in blocks if block.label in FRONT_MATTER)])
    texts = [block.text for block in blocks if block.page <= last]
    names = "\n".join(workspace.text(node) for node in workspace.of_type(DOCO.ListOfAuthors))
    places = [workspace.text(node) for node in workspace.of_type(DOCO.ListOfOrganizations)]
    record = read_front(names, places, texts)
    if labelled := labelled_authors(blocks):
        record = replace(record, authors=labelled)
    metadata = workspace.document.metadata
    if metadata.trusted and not record.authors:
        record = replace(record, authors=tuple(map(Author, metadata.authors)))
    if stated := stated_authors(workspace):
        known = {author.name: author for author in record.authors}
        record = replace(record, authors=tuple(known.get(name, Author(name)) for name in stated))
        for value in list(workspace.graph.objects(workspace.paper, DCTERMS.creator)):
            workspace.remove(workspace.paper, DCTERMS.creator, value)
        for name in stated:
            workspace.add(workspace.paper, DCTERMS.creator, Literal(name, datatype=XSD.string))
    paper = workspace.paper
    values: list[tuple[URIRef, str]] = [(PRISM.keyword, word) for word in record.keywords]
    values += [(term, record.dates[event]) for event, term in _DATES if event in record.dates]
    if record.licence:
        values.append((DCTERMS.license, record.licence))
    if record != FrontRecord() and not workspace.text(paper, KAG.hasContentRef):
        values.append((KAG.hasContentRef, workspace.content.put("front_matter", record.to_json())))
    added = describe_authors(workspace, [(one.name, one.affiliations) for one in record.authors], texts)
    return added + sum(workspace.add(paper, property_, Literal(value)) for property_, value in values)


# The record of the paper itself: title, authors, DOI, year, journal, address. Nothing is guessed ---

_OWN_YEAR = re.compile(
    r"(?:\b(?P<word>first published|published|publication date|posted|available|accepted)"
    r"(?:\s(?:online|on|date))*\s?:?\s?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?[\s-])?{MONTH}[\s-](?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?"
    r"|(?:\bcopyright\b|©|\(c\))[^.;\n\d]{0,30})(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_TRUST = ("first published", "published", "publication date", "posted", "available", "copyright", "accepted")
_YEAR_OF = FABIO.hasPublicationYear
_PROPERTIES = {DCTERMS.title: "title", DCTERMS.creator: "authors", PRISM.doi: "doi", _YEAR_OF: "year",
               PRISM.publicationName: "journal", FABIO.hasURL: "url", FABIO.hasArXivId: "arXiv id"}  # fmt: skip
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_MASTHEAD = 250  # characters; a longer block is running text, whose DOIs may be of other works


def own_year(text: str) -> str:
    """Return the printed year of publication; "" without one.

    >>> own_year("Received 3 May 2009; accepted 2 July 2009. © 2010 The Authors")
    '2010'
    """
    years: dict[str, str] = {}
    for match in _OWN_YEAR.finditer(text):
        years.setdefault((match["word"] or "copyright").casefold(), match["year"])
    return next((years[word] for word in _TRUST if word in years), "")


def own_doi(blocks: Sequence[str], known: str = "", cited: Set[str] = frozenset()) -> str:
    """The one DOI that the short blocks of a first page print, or the one that all others only add a part number to.

    What the file itself is `known` to be is taken where any block prints it; a `cited` one (in small letters) is not.
    """
    if known:
        printed = (doi for text in blocks for doi in find_dois(text) if doi.casefold() == known.casefold())
        if doi := next(printed, ""):
            return doi
    printed_short = (doi for text in blocks if len(text) <= _MASTHEAD for doi in find_dois(text))
    dois = {doi for doi in printed_short if doi.casefold() not in cited}
    whole = [doi for doi in dois if all(other.startswith(doi) for other in dois)]
    return whole[0] if whole else ""


def front_matter(workspace: Workspace) -> int:
    """Describe the paper from its publisher's file or else its pages; return the number of values added."""
    paper, known, printed = workspace.paper, _from_file(workspace), _printed(workspace)
    return sum(
        workspace.add(paper, property_, typed_literal(value, workspace.profile.properties[property_]))
        for property_ in _PROPERTIES
        for value in known.get(property_) or printed.get(property_, ())
        if (property_ == DCTERMS.creator and not stated_authors(workspace))
        or workspace.graph.value(paper, property_) is None
    )


def stated_authors(workspace: Workspace) -> tuple[str, ...]:
    """Return the authors set by hand, as one `dcterms:creator` with semicolons; () without any."""
    return listed_authors(str(workspace.graph.value(workspace.paper, DCTERMS.creator) or ""))


def from_metadata(workspace: Workspace) -> list[str]:
    """Return the names of values that come from the publisher and not from the pages."""
    known, printed = _from_file(workspace), _printed(workspace)
    return [
        name
        for property_, name in _PROPERTIES.items()
        if (values := known.get(property_))
        and values != printed.get(property_)
        and {*values} <= {*map(str, workspace.graph.objects(workspace.paper, property_))}
    ]


def _from_file(workspace: Workspace) -> Mapping[URIRef, tuple[str, ...]]:
    """Return the values from a publisher's file, or given with the paper, that are not part of its text."""
    known = workspace.document.metadata
    address = {FABIO.hasURL: (known.url,)} if known.url else {}
    if not known.trusted:
        return address
    year = known.year if _YEAR.fullmatch(known.year) else ""
    alone = {DCTERMS.title: known.title, PRISM.doi: known.doi, _YEAR_OF: year, PRISM.publicationName: known.journal,
             FABIO.hasArXivId: known.arxiv}  # fmt: skip
    return {DCTERMS.creator: known.authors, **{name: (value,) for name, value in alone.items() if value}, **address}


def _printed(workspace: Workspace) -> Mapping[URIRef, tuple[str, ...]]:
    """Return the values printed on the title page."""
    titles = [plain(workspace.text(node)) for node in workspace.of_type(DOCO.Title)]
    lists = [workspace.text(node) for node in workspace.of_type(DOCO.ListOfAuthors)]
    labelled = tuple(author.name for author in labelled_authors(workspace.document.blocks))
    first_page = [block.text for block in workspace.document.blocks if block.page == 1]
    entries = [workspace.text(node) for node in workspace.of_type(DEO.BibliographicReference)]
    cited = {doi.casefold() for text in entries for doi in find_dois(text)}
    doi = own_doi(first_page, workspace.document.metadata.doi, cited)
    year = own_year("\n".join(first_page))
    arxiv = arxiv_stamp(first_page)[0] or workspace.document.metadata.arxiv
    return {
        DCTERMS.title: tuple(title for title in titles[:1] if title),
        DCTERMS.creator: labelled or tuple(name for text in lists for name in split_authors(text)),
        PRISM.doi: (doi,) if doi else (),
        _YEAR_OF: (year,) if year else (),
        FABIO.hasArXivId: (arxiv,) if arxiv else (),
    }
