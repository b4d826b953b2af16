"""The record of the paper itself: title, authors, DOI, year, journal, address. Nothing is guessed.

The values come from a publisher's file, else from what the first pages print. The metadata written by a typesetting
program only decide which of the printed DOIs is the paper's own. The address is the one given with the paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from rdflib import URIRef

from kag.indexing.enrich.author_list import labelled_authors, listed_authors, split_authors
from kag.indexing.references.parser import find_dois
from kag.rdf.namespaces import DCTERMS, DEO, DOCO, FABIO, PRISM
from kag.rdf.workspace import Workspace, typed_literal
from kag.text.dates import MONTH
from kag.text.plain import plain

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
               PRISM.publicationName: "journal", FABIO.hasURL: "url"}  # fmt: skip
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_MASTHEAD = 250  # characters; a longer block is running text, whose DOIs may be of other works


def own_year(text: str) -> str:
    """The year in which a page says that its paper was published; empty when it does not.

    >>> own_year("Received 3 May 2009; accepted 2 July 2009. © 2010 The Authors")
    '2010'
    """
    years: dict[str, str] = {}
    for found in _OWN_YEAR.finditer(text):
        years.setdefault((found["word"] or "copyright").casefold(), found["year"])
    return next((years[word] for word in _TRUST if word in years), "")


def own_doi(blocks: Sequence[str], told: str = "", cited: Set[str] = frozenset()) -> str:
    """The one DOI that the short blocks of a first page print, or the one that all others only add a part number to.

    What the file itself is `told` to be is taken where any block prints it; a `cited` one (in small letters) is not.
    """
    if told:
        printed = (doi for text in blocks for doi in find_dois(text) if doi.casefold() == told.casefold())
        if doi := next(printed, ""):
            return doi
    printed_short = (doi for text in blocks if len(text) <= _MASTHEAD for doi in find_dois(text))
    dois = {doi for doi in printed_short if doi.casefold() not in cited}
    whole = [doi for doi in dois if all(other.startswith(doi) for other in dois)]
    return whole[0] if whole else ""


def front_matter(workspace: Workspace) -> int:
    """Describe the paper by what its publisher or else its pages say of it; returns the number of values added."""
    paper, told, printed = workspace.paper, _told(workspace), _printed(workspace)
    return sum(
        workspace.add(paper, property_, typed_literal(value, workspace.profile.properties[property_]))
        for property_ in _PROPERTIES
        for value in told.get(property_) or printed.get(property_, ())
        if (property_ == DCTERMS.creator and not stated_authors(workspace))
        or workspace.graph.value(paper, property_) is None
    )


def stated_authors(workspace: Workspace) -> tuple[str, ...]:
    """The authors that were set by hand, as one `dcterms:creator` with semicolons; () where nobody did."""
    return listed_authors(str(workspace.graph.value(workspace.paper, DCTERMS.creator) or ""))


def from_metadata(workspace: Workspace) -> list[str]:
    """The names of what the graph says of the paper because its publisher did, and its pages do not."""
    told, printed = _told(workspace), _printed(workspace)
    return [
        name
        for property_, name in _PROPERTIES.items()
        if (values := told.get(property_))
        and values != printed.get(property_)
        and {*values} <= {*map(str, workspace.graph.objects(workspace.paper, property_))}
    ]


def _told(workspace: Workspace) -> Mapping[URIRef, tuple[str, ...]]:
    """What a publisher's file, or who indexes the paper, says of it apart from its text."""
    known = workspace.document.metadata
    address = {FABIO.hasURL: (known.url,)} if known.url else {}
    if not known.trusted:
        return address
    year = known.year if _YEAR.fullmatch(known.year) else ""
    alone = {DCTERMS.title: known.title, PRISM.doi: known.doi, _YEAR_OF: year, PRISM.publicationName: known.journal}
    return {DCTERMS.creator: known.authors, **{name: (value,) for name, value in alone.items() if value}, **address}


def _printed(workspace: Workspace) -> Mapping[URIRef, tuple[str, ...]]:
    """What the first page prints, and the title page says."""
    titles = [plain(workspace.text(node)) for node in workspace.of_type(DOCO.Title)]
    lists = [workspace.text(node) for node in workspace.of_type(DOCO.ListOfAuthors)]
    labelled = tuple(author.name for author in labelled_authors(workspace.document.blocks))
    first_page = [block.text for block in workspace.document.blocks if block.page == 1]
    entries = [workspace.text(node) for node in workspace.of_type(DEO.BibliographicReference)]
    cited = {doi.casefold() for text in entries for doi in find_dois(text)}
    doi = own_doi(first_page, workspace.document.metadata.doi, cited)
    year = own_year("\n".join(first_page))
    return {
        DCTERMS.title: tuple(title for title in titles[:1] if title),
        DCTERMS.creator: labelled or tuple(name for text in lists for name in split_authors(text)),
        PRISM.doi: (doi,) if doi else (),
        _YEAR_OF: (year,) if year else (),
    }
