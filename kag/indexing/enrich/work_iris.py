"""The works that references lead to, and the work that the paper itself is: the same node in every paper's graph."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from rdflib import URIRef

from kag.core.works import doi_iri, is_whole_doi, person_iri, work_iri, work_key
from kag.indexing.enrich.author_list import split_authors
from kag.indexing.enrich.bibliography import read_references
from kag.indexing.references.names import Name
from kag.indexing.references.parser import Reference
from kag.rdf.namespaces import BIRO, DCTERMS, DOCO, FABIO, FOAF, KAG, OWL, PRISM, PRO, RDF
from kag.rdf.workspace import Workspace

_CLASSES = {
    "article": FABIO.JournalArticle,
    "chapter": FABIO.BookChapter,
    "book": FABIO.Book,
    "conference": FABIO.ConferencePaper,
    "thesis": FABIO.Thesis,
    "preprint": FABIO.Preprint,
    "report": FABIO.ReportDocument,
    "webpage": FABIO.WebPage,
    "software": FABIO.ComputerProgram,
    "dataset": FABIO.Dataset,
    "patent": FABIO.PatentDocument,
}


_COPIED = (DCTERMS.title, FABIO.hasPublicationYear, PRISM.doi, KAG.authorList)


def link_works(workspace: Workspace) -> int:
    """Link each reference, and the paper, to its work where that is known; returns the number of links added."""
    added = 0
    for node, _, _, reference in read_references(workspace):
        author = reference.authors[0].family if reference.authors else ""
        key = work_key(doi=reference.doi, title=reference.title, year=reference.year, first_author=author)
        if key:
            added += _link(workspace, node, BIRO.references, key, _class(reference), reference.doi)
            added += _described(workspace, node, BIRO.references)
            added += describe_cited(workspace, URIRef(work_iri(key)), reference.authors)
    key, doi = own_key(workspace), workspace.text(workspace.paper, PRISM.doi)
    if key:
        added += _link(workspace, workspace.paper, KAG.realizes, key, FABIO.Expression, doi)
        added += _described(workspace, workspace.paper, KAG.realizes)
    return added


def _described(workspace: Workspace, node: URIRef, property_: URIRef) -> int:
    """State of the work that a node points to what is known of the node; what one reference stated before stands.

    Of a paper the authors are several values in no order: their list is of its people, in that of their roles.
    """
    added = 0
    for work in workspace.links(node, property_):
        if property_ == KAG.realizes and (names := _ranked_authors(workspace)):
            added += not workspace.text(work, KAG.authorList) and workspace.state(work, KAG.authorList, names)
        added += sum(workspace.copy_value(node, work, name) for name in _COPIED)
    return added


def _ranked_authors(workspace: Workspace) -> str:
    """The paper's authors by rank, family names first."""
    roles = workspace.sources(PRO.relatesToDocument, workspace.paper)
    people = sorted((workspace.number(role, KAG.rank) or 0, role) for role in roles)
    persons = (person for _, role in people for person in workspace.sources(PRO.holdsRoleInTime, role))
    return "; ".join(family_first(workspace.text(person, FOAF.name)) for person in persons)


def own_key(workspace: Workspace) -> str | None:
    """The key of the paper's own work, by what its first pages print."""
    paper = workspace.paper
    names = [name for node in workspace.of_type(DOCO.ListOfAuthors) for name in split_authors(workspace.text(node))]
    return work_key(
        doi=workspace.text(paper, PRISM.doi),
        title=workspace.text(paper, DCTERMS.title),
        year=workspace.text(paper, FABIO.hasPublicationYear),
        first_author=names[0].split()[-1] if names else "",
    )


def _class(reference: Reference) -> URIRef:
    return _CLASSES.get(reference.kind, FABIO.Expression)


def _link(workspace: Workspace, node: URIRef, property_: URIRef, key: str, cls: URIRef, doi: str) -> bool:
    """Make `node` point to one work; a work that is known under another class keeps both, and its DOI leads out."""
    work = URIRef(work_iri(key))
    for older in workspace.links(node, property_):
        if older != work:
            workspace.remove(node, property_, older)
    workspace.add(work, RDF.type, cls)
    if is_whole_doi(doi):
        workspace.add(work, OWL.sameAs, URIRef(doi_iri(doi)))
    return workspace.add(node, property_, work)


# Authors as people, in the order printed: a paper's, with institutions and ORCIDs, and those of the works it cites ---

ORCIDS = "https://orcid.org/"
_ORCID = re.compile(r"(?<![\dX-])(\d{4}-\d{4}-\d{4}-\d{3}[\dX])(?![\dX-])")
_PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "ten", "ter", "zu"}
)
MOST = 500  # names, and ORCIDs of a text, that are compared
_BEFORE = 120  # characters in front of an ORCID in which the name stands that it belongs to


def describe_authors(workspace: Workspace, authors: Sequence[tuple[str, Sequence[str]]], texts: Sequence[str]) -> int:
    """Make a person and a role of each author, given with affiliations, and an organization of each of these.

    ORCIDs are looked for in the texts of the first pages. Returns the number of triples added.
    """
    places = {place: n for n, place in enumerate(dict.fromkeys(p for _, listed in authors for p in listed), start=1)}
    known = orcids([name for name, _ in authors], texts)
    added = 0
    for place, n in places.items():
        organization = workspace.node(f"organization_{n}")
        added += workspace.add(organization, RDF.type, FOAF.Organization)
        added += workspace.state(organization, FOAF.name, place)
    for rank, (name, listed) in enumerate(authors, start=1):
        organizations = [workspace.node(f"organization_{places[place]}") for place in listed]
        added += _author(workspace, rank, name, organizations, known.get(name, ""))
    return added


def _author(workspace: Workspace, rank: int, name: str, organizations: Sequence[URIRef], orcid: str) -> int:
    person, role = workspace.node(f"author_{rank}"), workspace.node(f"author_{rank}_role")
    added = _holds(workspace, person, FOAF.Person, role, workspace.paper, rank)
    added += sum(workspace.add(role, PRO.relatesToOrganization, organization) for organization in organizations)
    if orcid:
        added += workspace.add(person, OWL.sameAs, URIRef(ORCIDS + orcid))
    return added + workspace.state(person, FOAF.name, name)


def describe_cited(workspace: Workspace, work: URIRef, names: Sequence[Name]) -> int:
    """Make an author, a person mostly, and a role of each that an entry prints of a work; returns the triples added.

    Two names are one person only where they are printed alike as authors of one work: what is known of a name in a
    list is too little for more. A name without given names that is more than a word is a body, an organization.
    """
    added = 0
    for rank, name in enumerate(names, start=1):
        printed = f"{name.given} {name.family}".strip()
        kind = FOAF.Person if name.given or len(printed.split()) == 1 else FOAF.Organization
        author = URIRef(person_iri(str(work), printed))
        added += _holds(workspace, author, kind, URIRef(f"{author}-{rank}"), work, rank)
        added += workspace.state(author, FOAF.name, printed)
    return added


def _holds(workspace: Workspace, author: URIRef, kind: URIRef, role: URIRef, written: URIRef, rank: int) -> int:
    """Let a person or an organization hold the role of an author of what is `written`."""
    links = (
        (author, RDF.type, kind),
        (author, PRO.holdsRoleInTime, role),
        (role, RDF.type, PRO.RoleInTime),
        (role, PRO.withRole, PRO.author),
        (role, PRO.relatesToDocument, written),
    )
    return sum(workspace.add(*link) for link in links) + workspace.state(role, KAG.rank, rank)


def family_first(name: str) -> str:
    """A name as `kag:authorList` has it; particles stay with the family name, one word is left as it is.

    >>> family_first("Ada Lovelace"), family_first("Nicole M. van Dam"), family_first("Plato")
    ('Lovelace, Ada', 'van Dam, Nicole M.', 'Plato')
    """
    words = name.split()
    at = next((n for n, word in enumerate(words) if n and word in _PARTICLES), len(words) - 1)
    return ", ".join(part for part in (" ".join(words[at:]), " ".join(words[:at])) if part)


def orcids(names: Sequence[str], texts: Sequence[str]) -> Mapping[str, str]:
    """The ORCID of each name that has one printed: behind the name, or its family name, with no other name between.

    What fails the check digit, or is printed behind two names, is left out.

    >>> dict(orcids(["Ada Lovelace", "Bo Li"], ["Ada Lovelace, Bo Li https://orcid.org/0000-0002-1825-0097"]))
    {'Bo Li': '0000-0002-1825-0097'}
    """
    found: dict[str, str] = {}
    for text in texts:
        for match in islice(_ORCID.finditer(text), MOST):
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            ends = {one: max(_end(before, one), _end(before, one.split()[-1])) for one in names[:MOST] if one.split()}
            name = max(ends, key=lambda one: ends[one], default="")
            if name and ends[name] > 0 and list(ends.values()).count(ends[name]) == 1 and _checks(match[1]):
                found.setdefault(name, match[1])
    return {name: orcid for name, orcid in found.items() if list(found.values()).count(orcid) == 1}


def _end(text: str, name: str) -> int:
    """Return the end of a name's last occurrence in a text, as whole words; 0 if there is none."""
    at = text.rfind(name)
    while at >= 0:
        end = at + len(name)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return end
        at = text.rfind(name, 0, end - 1)
    return 0


def _checks(orcid: str) -> bool:
    """Whether the last sign is the check digit of the others (ISO 7064, MOD 11-2)."""
    total = 0
    for digit in orcid[:-1].replace("-", ""):
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == orcid[-1]
