"""The build tools: the only way a graph is written, by the baseline and by an agent alike.

Seed 001 names six (`op_create_node`, `op_assert_type`, `op_set_single_literal`, `op_add_iri_link`,
`op_set_single_iri_link`, `validate_graph`/`finalize_graph`). `op_remove_node` takes a mistake back,
and `op_skip_block` says aloud that a block is left out, so that nothing is lost silently.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Any

from rdflib import Literal, URIRef

from kag.enrich import enrich
from kag.errors import BadValue, UnknownBlock, UnknownNode, UnknownTerm
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.profile import LINK
from kag.rdf.shacl import Session, Validator
from kag.rdf.workspace import Workspace, typed_literal
from kag.report import Issue, Report
from kag.structure.layout import reading_order
from kag.text import plain, preview
from kag.tools.tool import tool
from kag.types import Block, Skipped

MAX_ROWS = 25
MAX_NODES = 10
MAX_WINDOW = 4000


class BuildTools:
    """The tools over one workspace.

    Names are written `ex:b_p001_0004` for nodes of this paper and `doco:Section`, `kag:contains`,
    ... for terms. Each successful operation returns `{"ok": true, ...}`.
    """

    def __init__(self, workspace: Workspace, validator: Validator) -> None:
        self._workspace = workspace
        self._session = Session(validator, workspace)
        self._order = {block.id: n for n, block in enumerate(reading_order(workspace.document.blocks), start=1)}
        self._enrichment: dict[str, int] = {}
        self._finished = -1  # version of the workspace when finalize_graph last said READY

    # writing ----------------------------------------------------------------------------------

    @tool
    def op_create_node(
        self,
        block_id: str,
        class_iri: str,
        start: int | None = None,
        end: int | None = None,
        more_blocks: list[str] | None = None,
    ) -> dict[str, Any]:
        """Create the node of a block: type, page, box, order, text and content ref are set from the block.

        With `start` and `end` the node is made from a part of the block's text (several references
        printed in one block). With `more_blocks` the node is made from several blocks (the panels of one
        figure, a caption split in two).
        Returns {"ok": true, "node": "ex:b_p001_0004", "type": "doco:Paragraph"}.
        """
        workspace = self._workspace
        cls = self._class(class_iri)
        if cls not in workspace.profile.content and cls != DOCO.SectionTitle:
            raise UnknownTerm(
                f"{class_iri} is not a class of blocks",
                hint="Blocks become "
                + ", ".join(sorted(workspace.curie(c) for c in workspace.profile.content))
                + " or doco:SectionTitle; use op_assert_type for other nodes.",
            )
        blocks = [self._block(name) for name in (block_id, *(more_blocks or []))]
        span = _span(blocks, start, end)
        node = workspace.node(block_id if span is None else f"{block_id}-{span[0]}")
        if (node, RDF.type, None) in workspace.graph:
            raise BadValue(f"{workspace.curie(node)} exists already", hint="Use op_remove_node first to replace it.")
        for block in blocks:
            workspace.skipped.pop(block.id, None)
        workspace.add(node, RDF.type, cls)
        self._describe(node, cls, blocks, span)
        return {"ok": True, "node": workspace.curie(node), "type": workspace.curie(cls)}

    @tool
    def op_assert_type(self, node_iri: str, class_iri: str) -> dict[str, Any]:
        """Add a type to a node, or begin a node that no block prints (the Document, Sections, synthetic titles).

        Returns {"ok": true, "node": "ex:section_1", "type": "doco:Section"}.
        """
        node, cls = self._own(node_iri), self._class(class_iri)
        added = self._workspace.add(node, RDF.type, cls)
        return {"ok": True, "node": self._workspace.curie(node), "type": self._workspace.curie(cls), "added": added}

    @tool
    def op_set_single_literal(self, node_iri: str, property_iri: str, value: str | int | bool) -> dict[str, Any]:
        """Set a literal property to one value, replacing what was there.

        Returns {"ok": true, "node": ..., "property": ..., "value": ...}.
        """
        node, predicate = self._node(node_iri), self._property(property_iri)
        datatype = self._workspace.profile.properties[predicate]
        if datatype == LINK:
            raise BadValue(f"{property_iri} links nodes", hint="Use op_add_iri_link or op_set_single_iri_link.")
        literal = typed_literal(value, datatype)
        self._workspace.set(node, predicate, literal)
        return {
            "ok": True,
            "node": self._workspace.curie(node),
            "property": self._workspace.curie(predicate),
            "value": literal.toPython(),
        }

    @tool
    def op_add_iri_link(self, subject_iri: str, predicate_iri: str, object_iri: str) -> dict[str, Any]:
        """Add a link between two nodes. A predicate may be written inverse: "^kag:contains".

        Returns {"ok": true, "subject": ..., "predicate": ..., "object": ..., "added": true}.
        """
        subject, predicate, target = self._link(subject_iri, predicate_iri, object_iri)
        added = self._workspace.add(subject, predicate, target)
        return self._linked(subject, predicate, target, added)

    @tool
    def op_set_single_iri_link(self, subject_iri: str, predicate_iri: str, object_iri: str) -> dict[str, Any]:
        """Make a link the only one of its kind: all other values of (subject, predicate) are removed.

        op_set_single_iri_link("ex:b_p002_0003", "^kag:contains", "ex:section_2") makes section_2 the only
        parent of the block.
        Returns {"ok": true, "subject": ..., "predicate": ..., "object": ..., "added": true}.
        """
        workspace = self._workspace
        subject, predicate, target = self._link(subject_iri, predicate_iri, object_iri)
        inverse = predicate_iri.strip().startswith("^")
        if inverse:
            for other in workspace.sources(predicate, target):
                if other != subject:
                    workspace.remove(other, predicate, target)
        else:
            for old in workspace.links(subject, predicate):
                if old != target:
                    workspace.remove(subject, predicate, old)
        return self._linked(subject, predicate, target, workspace.add(subject, predicate, target))

    @tool
    def op_remove_node(self, node_iri: str) -> dict[str, Any]:
        """Remove a node with all its properties and links; what it contained is then outside of any section.

        Returns {"ok": true, "node": ..., "removed": <triples>, "orphans": ["ex:...", first 10]}.
        """
        workspace, node = self._workspace, self._node(node_iri)
        orphans = workspace.links(node, KAG.contains) + workspace.links(node, KAG.containsAsHeader)
        triples = [*workspace.graph.triples((node, None, None)), *workspace.graph.triples((None, None, node))]
        for subject, predicate, value in triples:
            workspace.remove(URIRef(str(subject)), URIRef(str(predicate)), value)
        names = sorted(workspace.curie(orphan) for orphan in orphans)
        return {"ok": True, "node": workspace.curie(node), "removed": len(triples), "orphans": names[:MAX_NODES]}

    @tool
    def op_skip_block(self, block_id: str, reason: str) -> dict[str, Any]:
        """Leave a block out of the graph, with the reason (running head, page number, logo, ...).

        Returns {"ok": true, "block": ..., "reason": ...}.
        """
        block = self._block(block_id)
        if not reason.strip():
            raise BadValue("a reason is needed", hint='Say why, e.g. "running head".')
        if (None, KAG.sourceBlock, Literal(block.id)) in self._workspace.graph:
            raise BadValue(f"{block.id} is in the graph", hint="Use op_remove_node first.")
        self._workspace.skipped[block.id] = Skipped(block.id, reason.strip())
        return {"ok": True, "block": block.id, "reason": reason.strip()}

    # reading ----------------------------------------------------------------------------------

    @tool
    def read_window(self, handle: str, start: int = 0, length: int = 1000) -> dict[str, Any]:
        """Read a part of a text by its handle: a block id (b_p001_0004) or a content ref (paragraph:16hex).

        Returns {"ok": true, "handle": ..., "start": 0, "text": ..., "total": <characters>}; at most 4000
        characters a call.
        """
        store = self._workspace.content
        if handle in self._workspace.blocks:
            text = self._workspace.blocks[handle].text
        elif handle in store:
            text = store[handle].text
        else:
            raise UnknownNode(f"no text has the handle {handle!r}", hint="Use a block id or a kag:hasContentRef value.")
        first = max(0, start)
        window = text[first : first + max(0, min(length, MAX_WINDOW))]
        return {"ok": True, "handle": handle, "start": first, "text": window, "total": len(text)}

    # judging ----------------------------------------------------------------------------------

    @tool
    def validate_graph(self) -> list[dict[str, Any]]:
        """Check the graph against its SHACL shapes; cheap, so call it after every few changes.

        Returns one row a kind of violation, [] when the graph conforms:
        [{"message": what is wrong and the call that fixes it, "count": 12, "nodes": ["ex:...", first 10]}].
        """
        return self._rows(self.report().issues)

    @tool
    def finalize_graph(self, answer: str = "") -> dict[str, Any]:
        """Finish: refused until the graph conforms and every block is placed or skipped; then enriches it.

        Returns {"ok": true, "status": "READY", "enrichment": {pass: changes}, "answer": ...} or
        {"ok": false, "status": "NOT_READY", "error": ..., "violations": [rows as validate_graph returns]}.
        Calling it again changes nothing.
        """
        self._renumber()
        issues = (*self.report().issues, *unplaced(self._workspace))
        if issues:
            return {
                "ok": False,
                "status": "NOT_READY",
                "error": f"{len(issues)} violations",
                "code": "not_conforming",
                "hint": "Repair what the messages say, then call finalize_graph again.",
                "violations": self._rows(issues),
            }
        if self._finished != self._workspace.version:
            self._enrichment = enrich(self._workspace)
            broken = self.report().issues
            if broken:
                raise AssertionError(f"enrichment broke the graph: {broken[0]}")
            self._finished = self._workspace.version
        return {"ok": True, "status": "READY", "enrichment": self._enrichment, "answer": answer}

    def report(self) -> Report:
        """The full set of violations, as `validate_graph` sees it."""
        return self._session.report()

    # inside -----------------------------------------------------------------------------------

    def _describe(self, node: URIRef, cls: URIRef, blocks: list[Block], span: tuple[int, int] | None) -> None:
        """Set what a block knows of itself on its node."""
        workspace = self._workspace
        boxes = [list(box) for block in blocks for box in block.boxes]
        text = " ".join(b.text for b in blocks if b.text) if span is None else blocks[0].text[span[0] : span[1]]
        words = " ".join(b.plain for b in blocks) if span is None else plain(text)
        kind = re.sub(r"(?<!^)(?=[A-Z])", "_", workspace.curie(cls).partition(":")[2]).lower()
        for block in blocks:
            workspace.add(node, KAG.sourceBlock, Literal(block.id))
        workspace.state(node, KAG.pageNumber, blocks[0].page)
        workspace.state(node, KAG.order, self._order[blocks[0].id])
        if boxes:
            workspace.state(node, KAG.hasBBox, json.dumps(boxes))
        if text.strip() or cls != DOCO.Figure:
            workspace.state(node, KAG.fullText, text)
            workspace.state(node, KAG.mainText, preview(words))
        if cls == DOCO.Figure:
            self._picture(node, blocks)
        table = next((block.table for block in blocks if block.table), None)
        if cls == DOCO.Table and table:
            cells = json.dumps([list(row) for row in table.grid()], ensure_ascii=False)
            workspace.state(node, KAG.tableCells, workspace.content.put("cells", cells))
        place = {
            "node": workspace.curie(node),
            "blocks": [{"block": b.id, "page": b.page, "boxes": [list(box) for box in b.boxes]} for b in blocks],
        }
        stored = text if text.strip() else json.dumps(place["blocks"])
        ref = workspace.content.put(kind, stored)
        seen = workspace.content[ref].details.get("nodes", [])
        raw = "\n\n".join(b.raw for b in blocks)
        more = {"raw": raw} if span is None and raw != text else {}
        workspace.content.put(kind, stored, nodes=[*seen, place], **more)
        workspace.state(node, KAG.hasContentRef, ref)

    def _picture(self, node: URIRef, blocks: list[Block]) -> None:
        """Link a figure to the file that shows the most of its boxes."""
        boxes = {(block.page, box) for block in blocks for box in block.boxes}
        shown = [
            (len(boxes & {(file.page, box) for box in file.boxes}), file.path)
            for file in self._workspace.document.figures
        ]
        overlap, path = max(shown, default=(0, ""), key=lambda pair: (pair[0], pair[1]))
        if overlap:
            self._workspace.state(node, KAG.imagePath, path)

    def _renumber(self) -> None:
        """Make kag:order run 1, 2, 3, ...: parts of one block share its place until here."""
        workspace = self._workspace

        def place(node: URIRef) -> tuple[int, int]:
            start = str(node).rpartition("-")[2]
            return workspace.number(node, KAG.order) or 0, int(start) if start.isdigit() else 0

        placed = {s for s in workspace.graph.subjects(KAG.order) if isinstance(s, URIRef)}
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

    def _block(self, block_id: str) -> Block:
        block = self._workspace.blocks.get(block_id)
        if block is None:
            raise UnknownBlock(
                f"no block {block_id!r}", hint="Block ids look like b_p001_0004 (page, order on the page)."
            )
        return block

    def _own(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name)
        if not iri.startswith(self._workspace.base):
            raise BadValue(f"{name} is not a node of this paper", hint="Write ex:<name> for nodes of this paper.")
        return iri

    def _node(self, name: str) -> URIRef:
        iri = self._own(name)
        if (iri, RDF.type, None) not in self._workspace.graph:
            raise UnknownNode(
                f"{name} does not exist",
                hint="Create it with op_create_node(block_id, class_iri) or op_assert_type(node_iri, class_iri).",
            )
        return iri

    def _class(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name)
        if iri not in self._workspace.profile.classes:
            allowed = ", ".join(sorted(self._workspace.curie(c) for c in self._workspace.profile.classes))
            raise UnknownTerm(f"{name} is not a class of this graph", hint=f"Classes: {allowed}.")
        return iri

    def _property(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name.strip().removeprefix("^"))
        if iri not in self._workspace.profile.properties or iri == RDF.type:
            allowed = ", ".join(sorted(self._workspace.curie(p) for p in self._workspace.profile.properties))
            raise UnknownTerm(f"{name} is not a property of this graph", hint=f"Properties: {allowed}.")
        return iri

    def _link(self, subject: str, predicate: str, target: str) -> tuple[URIRef, URIRef, URIRef]:
        iri = self._property(predicate)
        if self._workspace.profile.properties[iri] != LINK:
            raise BadValue(f"{predicate} takes a literal", hint="Use op_set_single_literal.")
        ends = self._node(subject), self._node(target)
        first, second = reversed(ends) if predicate.strip().startswith("^") else ends
        return first, iri, second

    def _linked(self, subject: URIRef, predicate: URIRef, target: URIRef, added: bool) -> dict[str, Any]:
        curie = self._workspace.curie
        return {
            "ok": True,
            "subject": curie(subject),
            "predicate": curie(predicate),
            "object": curie(target),
            "added": added,
        }


def unplaced(workspace: Workspace) -> tuple[Issue, ...]:
    """Blocks that are neither in the graph nor skipped: what conservation forbids."""
    placed = {str(value) for value in workspace.graph.objects(None, KAG.sourceBlock)}
    return tuple(
        Issue(
            f"<{workspace.base}{block.id}>",
            "",
            "Conservation",
            "Block is in no node and not skipped. Fix: op_create_node(block_id, class_iri) and link it into its "
            "section, or op_skip_block(block_id, reason).",
        )
        for block in workspace.document.blocks
        if block.id not in placed and block.id not in workspace.skipped
    )


def _span(blocks: list[Block], start: int | None, end: int | None) -> tuple[int, int] | None:
    """The part of the text asked for, None for all of it; raises `BadValue`."""
    if start is None and end is None:
        return None
    length = len(blocks[0].text)
    first, last = start or 0, length if end is None else end
    if len(blocks) > 1 or not 0 <= first < last <= length:
        raise BadValue(
            f"[{first}:{last}] is not a part of {blocks[0].id}",
            hint=f"Give 0 <= start < end <= {length}, and no more_blocks with a part.",
        )
    return first, last
