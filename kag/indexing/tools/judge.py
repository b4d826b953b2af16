"""The judging tools: is the graph right, and is it finished?"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from rdflib import URIRef

from kag.core.errors import Rescued, rescued, wants_memory
from kag.core.report import Issue, Report
from kag.core.tool import tool
from kag.indexing.enrich.passes import enrich, enrich_sparing
from kag.indexing.structure.headings import are_numbered
from kag.indexing.structure.page_layout import reading_positions
from kag.indexing.structure.titles import section_numbers
from kag.rdf.namespaces import CITO, DCTERMS, DOCO, FABIO, KAG, RDF
from kag.rdf.shacl import Validator
from kag.rdf.workspace import Workspace

MAX_ROWS = 25
MAX_NODES = 10

NOT_PLACED = (
    "Block is in no node and not skipped. Fix: op_create_node(block_id, class_iri) and link it into its section, or "
    "op_skip_block(block_id, reason)."
)
NO_DOCUMENT = (
    'The paper has no node. Fix: op_assert_type("ex:document", "doco:Document") and link its sections: '
    'op_add_iri_link("ex:document", "kag:contains", section).'
)


LINKS = {"describes": KAG.describes, "continues": KAG.continues, "refersTo": KAG.refersTo, "cites": CITO.cites}


class JudgeTools:
    """Validation and the final gate over one workspace.

    `enrichment` is the number of facts that each pass added when the graph was last finished, `rescued` what the
    passes had to leave out.
    """

    def __init__(self, workspace: Workspace, validator: Validator) -> None:
        self._workspace = workspace
        self._validator = validator
        self._reported: tuple[int, Report] | None = None  # the workspace's version, and the report on it
        self._positions = reading_positions(workspace.document)
        self.enrichment: dict[str, int] = {}
        self.rescued: list[Rescued] = []
        self._finished = -1  # version of the workspace when finalize_graph last said READY

    @tool
    def validate_graph(self) -> list[dict[str, Any]]:
        """Check the graph against its shapes.

        Returns [] or [{"message": what is wrong and the call that fixes it, "count", "nodes": [first 10]}].
        """
        derive_facts(self._workspace)
        return self._rows(self.report().issues)

    @tool
    def finalize_graph(self, answer: str = "") -> dict[str, Any]:
        """Finish: refused until the graph conforms and every block is placed or skipped.

        Returns {"ok": true, "status": "READY", "links": {"describes", "continues", "refersTo", "cites"}} with the
        number of links of each kind, or {"ok": false, "status": "NOT_READY", "error", "violations"}.
        """
        derive_facts(self._workspace)
        self._renumber()
        if issues := self._before_enrichment():
            return {
                "ok": False,
                "status": "NOT_READY",
                "error": f"{len(issues)} violations",
                "code": "not_conforming",
                "hint": "Repair what the messages say, then call finalize_graph again.",
                "violations": self._rows(issues),
            }
        if self._finished != self._workspace.version:
            self._enrich()
            self._finished = self._workspace.version
        return {"ok": True, "status": "READY", "links": self._links(), "answer": answer}

    def _before_enrichment(self) -> tuple[Issue, ...]:
        """Return the violations to repair before enrichment.

        A graph that was never validated is enriched first, since most conform: one validation then tells both. Where
        that one fails, or enrichment does, the graph is as it was, and is validated by itself.
        """
        lost = missing(self._workspace)
        if not lost and self._reported is None and self._enriched():
            return ()
        return *self.report().issues, *lost

    def _enriched(self) -> bool:
        """Whether all passes run through and the graph conforms; it is as before where not."""
        try:
            self.enrichment, self.rescued = self._workspace.attempt(self._all_passes), []
        except Exception as error:
            if wants_memory(error):
                raise
            return False
        self._finished = self._workspace.version
        return True

    def _links(self) -> dict[str, int]:
        """Count the links of each kind in the finished graph."""
        graph = self._workspace.graph
        return {name: sum(1 for _ in graph.triples((None, prop, None))) for name, prop in LINKS.items()}

    def report(self) -> Report:
        """The full set of violations, as `validate_graph` sees it."""
        version = self._workspace.version
        if self._reported is None or self._reported[0] != version:
            self._reported = version, self._validator.report(self._workspace.texts())
        return self._reported[1]

    def _enrich(self) -> None:
        """Run all passes; when one fails, each by itself, without those that fail."""
        try:
            self.enrichment, self.rescued = self._workspace.attempt(self._all_passes), []
        except Exception as error:
            rescued("", "enrichment", error)
            self.enrichment, self.rescued = enrich_sparing(self._workspace, self._must_conform)

    def _all_passes(self) -> dict[str, int]:
        counts = enrich(self._workspace)
        self._must_conform()
        return counts

    def _must_conform(self) -> None:
        broken = self.report().issues
        if broken:
            raise AssertionError(f"enrichment broke the graph: {broken[0]}")

    def _renumber(self) -> None:
        """Make kag:order run 1, 2, 3, ... in reading order; the parts of one block by where they begin."""
        workspace = self._workspace

        def place(node: URIRef) -> tuple[int, int]:
            start = str(node).rpartition("-")[2]
            first = min(self._positions[block.id] for block in workspace.source_blocks(node))
            return first, int(start) if start.isdigit() else 0

        placed = {node for node in workspace.graph.subjects(KAG.sourceBlock) if isinstance(node, URIRef)}
        for number, node in enumerate(sorted(placed, key=lambda n: (*place(n), n)), start=1):
            if workspace.number(node, KAG.order) != number:
                workspace.put(node, KAG.order, number)

    def _rows(self, issues: tuple[Issue, ...]) -> list[dict[str, Any]]:
        """Issues by message, the most frequent first, bounded in rows and nodes."""
        nodes: dict[str, list[str]] = defaultdict(list)
        for issue in issues:
            nodes[issue.message].append(self._workspace.curie(URIRef(issue.focus.strip("<>"))))
        ranked = sorted(nodes.items(), key=lambda item: (-len(item[1]), item[0]))
        rows = [
            {"message": message, "count": len(names), "nodes": sorted(set(names))[:MAX_NODES]}
            for message, names in ranked[:MAX_ROWS]
        ]
        if len(ranked) > MAX_ROWS:
            rest = ranked[MAX_ROWS:]
            rows.append(
                {
                    "message": f"... and {len(rest)} more kinds of violation",
                    "count": sum(len(names) for _, names in rest),
                    "nodes": [],
                }
            )
        return rows


def missing(workspace: Workspace) -> tuple[Issue, ...]:
    """Return the violations that SHACL cannot express: the paper's own node, and a place for every block."""
    placed = workspace.counts(KAG.sourceBlock)
    lost = [b.id for b in workspace.document.blocks if b.id not in placed and b.id not in workspace.skipped]
    issues = [Issue(f"<{workspace.base}{block}>", "", "Conservation", NOT_PLACED) for block in lost]
    if not workspace.is_a(workspace.paper, DOCO.Document):
        issues.append(Issue(f"<{workspace.paper}>", "", "Document", NO_DOCUMENT))
    return tuple(issues)


# Facts that follow from a builder's statements: it links sections and titles, and this adds the rest ---

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
    """Complete a synthetic title; a section with an empty printed heading contains its own title."""
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
    """Return the position of a section's printed title; None if it is not printed."""
    titles = workspace.links(section, KAG.containsAsHeader)
    return workspace.number(titles[0], KAG.order) if titles else None
