"""The works that references lead to, and the work that the paper itself is: the same node in every paper's graph."""

from __future__ import annotations

from rdflib import Literal, URIRef

from kag.core.works import doi_iri, is_whole_doi, work_iri, work_key
from kag.indexing.enrich.author_list import split_authors
from kag.indexing.enrich.bibliography import read_references
from kag.indexing.enrich.people import describe_cited, family_first
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


_TOLD = (DCTERMS.title, FABIO.hasPublicationYear, PRISM.doi, KAG.authorList)


def apply(workspace: Workspace) -> int:
    """Link each reference, and the paper, to its work where that is known; returns the number of links added."""
    added = 0
    for node, _, _, found in read_references(workspace):
        author = found.authors[0].family if found.authors else ""
        key = work_key(doi=found.doi, title=found.title, year=found.year, first_author=author)
        if key:
            added += _link(workspace, node, BIRO.references, key, _class(found), found.doi)
            added += _described(workspace, node, BIRO.references)
            added += describe_cited(workspace, URIRef(work_iri(key)), found.authors)
    key, doi = own_key(workspace), workspace.text(workspace.paper, PRISM.doi)
    if key:
        added += _link(workspace, workspace.paper, KAG.realizes, key, FABIO.Expression, doi)
        added += _described(workspace, workspace.paper, KAG.realizes)
    return added


def _described(workspace: Workspace, node: URIRef, property_: URIRef) -> int:
    """Say of the work that a node points to what is said of the node; what one reference said of it before stands.

    Of a paper the authors are several values in no order: their list is of its people, in that of their roles.
    """
    values = {name: workspace.graph.value(node, name) for name in _TOLD}
    if property_ == KAG.realizes:
        roles = workspace.sources(PRO.relatesToDocument, workspace.paper)
        people = sorted((workspace.number(role, KAG.rank) or 0, role) for role in roles)
        persons = (person for _, role in people for person in workspace.sources(PRO.holdsRoleInTime, role))
        names = "; ".join(family_first(workspace.text(person, FOAF.name)) for person in persons)
        values[KAG.authorList] = Literal(names) if names else None
    return sum(
        workspace.add(work, name, value)
        for work in workspace.links(node, property_)
        for name, value in values.items()
        if value is not None and workspace.graph.value(work, name) is None
    )


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


def _class(found: Reference) -> URIRef:
    return _CLASSES.get(found.kind, FABIO.Expression)


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
