"""Facts that follow from what a builder has said: it links sections and titles, and this fills in the rest.

A section's depth is its place in the nesting, its page that of its title or first content, its number what its title
prints. The paper's identifier and class belong to every document. Values that a builder has set stay, except depths,
which would otherwise contradict the nesting.
"""

from __future__ import annotations

from rdflib import URIRef

from kag.indexing.structure.headings import are_numbered
from kag.indexing.structure.titles import section_numbers
from kag.rdf.namespaces import DCTERMS, DOCO, FABIO, KAG, RDF
from kag.rdf.workspace import Workspace

MAX_DEPTH = 50  # of a chain of parents; longer ones are circles, which the shapes report


def derive_facts(workspace: Workspace) -> None:
    """Fill in what follows from the links of a document and its sections; running it again changes nothing."""
    if workspace.is_a(workspace.paper, DOCO.Document):
        workspace.add(workspace.paper, RDF.type, FABIO.ResearchPaper)
        if not workspace.text(workspace.paper, DCTERMS.identifier):
            workspace.put(workspace.paper, DCTERMS.identifier, workspace.document.paper_id)
    sections = workspace.of_type(DOCO.Section)
    for section in sections:
        if workspace.sources(KAG.contains, section):
            depth = _depth(workspace, section)
            if workspace.number(section, KAG.depth) != depth:
                workspace.put(section, KAG.depth, depth)
        _title(workspace, section)
        if workspace.number(section, KAG.pageNumber) is None and (page := _page(workspace, section)):
            workspace.put(section, KAG.pageNumber, page)
    _number(workspace, sections)


def _title(workspace: Workspace, section: URIRef) -> None:
    """Complete a synthetic title; a section under whose printed heading nothing stands contains its own title."""
    for title in workspace.links(section, KAG.containsAsHeader):
        if not workspace.text(title) and (words := workspace.text(title, KAG.mainText)):
            workspace.put(title, KAG.fullText, words)
        content = workspace.links(section, KAG.contains)
        if not content and workspace.source_blocks(title):
            workspace.add(section, KAG.contains, title)
        elif len(content) > 1 and title in content:
            workspace.remove(section, KAG.contains, title)


def _depth(workspace: Workspace, section: URIRef) -> int:
    """The sections above a section, itself included."""
    depth, above = 1, workspace.section_of(section)
    while above is not None and depth < MAX_DEPTH:
        depth, above = depth + 1, workspace.section_of(above)
    return depth


def _page(workspace: Workspace, section: URIRef) -> int | None:
    """The page of a section's title, else of the first that it contains."""
    nodes = [*workspace.links(section, KAG.containsAsHeader), *workspace.links(section, KAG.contains)]
    pages = (workspace.number(node, KAG.pageNumber) for node in nodes)
    return next((page for page in pages if page is not None), None)


def _number(workspace: Workspace, sections: list[URIRef]) -> None:
    """Give sections the numbers that their titles print, in papers whose headings are numbered."""
    order = {section: place for section in sections if (place := _title_order(workspace, section)) is not None}
    printed = sorted(order, key=lambda section: (order[section], section))
    missing = {section for section in printed if not workspace.text(section, KAG.sectionNumber)}
    if not missing:
        return
    numbers = section_numbers([workspace.title_of(section) for section in printed])
    for section, number in zip(printed, numbers, strict=True) if are_numbered(numbers) else ():
        if number and section in missing:
            workspace.put(section, KAG.sectionNumber, number)


def _title_order(workspace: Workspace, section: URIRef) -> int | None:
    """Where a section's printed title stands; None where none is printed."""
    titles = workspace.links(section, KAG.containsAsHeader)
    return workspace.number(titles[0], KAG.order) if titles else None
