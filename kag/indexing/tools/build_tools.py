"""The build tools: the only way a graph is written, by the baseline and by an agent alike.

Those of the KAG design document, `op_remove_node` to undo a mistake, and `op_skip_block` to leave a block out with its
reason. Longer parameter names of earlier versions are accepted as keywords.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from rdflib import Literal, URIRef

from kag.core.errors import BadValue, UnknownBlock, UnknownNode, UnknownTerm
from kag.core.tool import keyword_names, tool
from kag.core.types import Block, Skipped, Table
from kag.indexing.structure.floats import float_label
from kag.indexing.structure.page_layout import reading_positions
from kag.rdf.namespaces import DEO, DOCO, KAG, RDF
from kag.rdf.profile import LINK
from kag.rdf.workspace import Workspace, typed_literal
from kag.text.plain import plain, preview

MAX_ORPHANS = 10
MAX_WINDOW = 4000


class BuildTools:
    """The tools over one workspace.

    Names are written `ex:b_p001_0004` for nodes of this paper and `doco:Section`, `kag:contains`,
    ... for terms. Each successful operation returns `{"ok": true, ...}`.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._names = Names(workspace)
        self._order = reading_positions(workspace.document)

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
        """Create the node of a block with its text, page and boxes; a caption also gets the number that it prints.

        `start` and `end` take a part of the block's text (characters), `more_blocks` adds blocks of the same node.
        Returns {"ok": true, "node": "ex:b_p001_0004", "type": "doco:Paragraph"}.
        """
        workspace = self._workspace
        cls = self._names.class_(class_iri)
        if cls not in workspace.profile.content and cls != DOCO.SectionTitle:
            raise UnknownTerm(
                f"{class_iri} is not a class of blocks",
                hint="Blocks become "
                + ", ".join(sorted(workspace.curie(c) for c in workspace.profile.content))
                + " or doco:SectionTitle; use op_assert_type for other nodes.",
            )
        blocks = [self._names.block(name) for name in (block_id, *(more_blocks or []))]
        span = _span(blocks, start, end)
        node = workspace.node(block_id if span is None else f"{block_id}-{span[0]}")
        if workspace.exists(node):
            raise BadValue(f"{workspace.curie(node)} exists already", hint="Use op_remove_node first to replace it.")
        for block in blocks:
            workspace.skipped.pop(block.id, None)
        workspace.add(node, RDF.type, cls)
        describe(workspace, node, cls, blocks, span, self._order[blocks[0].id])
        if cls == DEO.Caption and (label := float_label(workspace.plain(node))):
            workspace.put(node, KAG.floatNumber, label.number)
            workspace.put(node, KAG.floatLabel, label.label)
        return {"ok": True, "node": workspace.curie(node), "type": workspace.curie(cls)}

    @keyword_names(node_iri="node")
    def op_assert_type(self, node: str, class_iri: str) -> dict[str, Any]:
        """Add a type to a node, or begin a node that no block prints (the document, sections).

        Returns {"ok": true, "node": ..., "type": ...}.
        """
        iri, cls = self._names.own(node), self._names.class_(class_iri)
        added = self._workspace.add(iri, RDF.type, cls)
        return {"ok": True, "node": self._workspace.curie(iri), "type": self._workspace.curie(cls), "added": added}

    @keyword_names(node_iri="node", property_iri="prop")
    def op_set_single_literal(self, node: str, prop: str, value: str | int | bool) -> dict[str, Any]:
        """Set a property to one value.

        Returns {"ok": true, "node": ..., "property": ..., "value": ...}.
        """
        iri, predicate = self._names.node(node), self._names.property_(prop)
        datatype = self._workspace.profile.properties[predicate]
        if datatype == LINK:
            raise BadValue(f"{prop} links nodes", hint="Use op_add_iri_link or op_set_single_iri_link.")
        literal = typed_literal(value, datatype)
        self._workspace.set(iri, predicate, literal)
        return {
            "ok": True,
            "node": self._workspace.curie(iri),
            "property": self._workspace.curie(predicate),
            "value": literal.toPython(),
        }

    @keyword_names(subject_iri="s", predicate_iri="p", object_iri="o")
    def op_add_iri_link(self, s: str, p: str, o: str) -> dict[str, Any]:
        """Link two nodes; "^kag:contains" is the link the other way.

        A float and its captions share the number that one of them has.
        Returns {"ok": true, "subject": ..., "predicate": ..., "object": ..., "added": true}.
        """
        subject, predicate, target = self._names.link(s, p, o)
        return self._linked(subject, predicate, target)

    @keyword_names(subject_iri="s", predicate_iri="p", object_iri="o")
    def op_set_single_iri_link(self, s: str, p: str, o: str) -> dict[str, Any]:
        """Link two nodes and remove all other links of (s, p); "^kag:contains" sets the only parent.

        Returns as op_add_iri_link.
        """
        workspace = self._workspace
        subject, predicate, target = self._names.link(s, p, o)
        if p.strip().startswith("^"):
            for source in workspace.sources(predicate, target):
                if source != subject:
                    workspace.remove(source, predicate, target)
        else:
            for old in workspace.links(subject, predicate):
                if old != target:
                    workspace.remove(subject, predicate, old)
        return self._linked(subject, predicate, target)

    @keyword_names(node_iri="node")
    def op_remove_node(self, node: str) -> dict[str, Any]:
        """Remove a node with its links; what it contained is then in no section.

        Returns {"ok": true, "node": ..., "removed": <triples>, "orphans": ["ex:...", first 10]}.
        """
        workspace, iri = self._workspace, self._names.node(node)
        orphans = workspace.links(iri, KAG.contains) + workspace.links(iri, KAG.containsAsHeader)
        triples = [*workspace.graph.triples((iri, None, None)), *workspace.graph.triples((None, None, iri))]
        for subject, predicate, value in triples:
            workspace.remove(URIRef(str(subject)), URIRef(str(predicate)), value)
        names = sorted(workspace.curie(orphan) for orphan in orphans)
        return {"ok": True, "node": workspace.curie(iri), "removed": len(triples), "orphans": names[:MAX_ORPHANS]}

    @tool
    def op_skip_block(self, block_id: str, reason: str) -> dict[str, Any]:
        """Leave a block out of the graph, with the reason.

        Returns {"ok": true, "block": ..., "reason": ...}.
        """
        block = self._names.block(block_id)
        if not reason.strip():
            raise BadValue("a reason is needed", hint='Say why, e.g. "running head".')
        if (None, KAG.sourceBlock, Literal(block.id)) in self._workspace.graph:
            raise BadValue(f"{block.id} is in the graph", hint="Use op_remove_node first.")
        self._workspace.skipped[block.id] = Skipped(block.id, reason.strip())
        return {"ok": True, "block": block.id, "reason": reason.strip()}

    # reading ----------------------------------------------------------------------------------

    @tool
    def read_window(self, handle: str, start: int = 0, length: int = 1000) -> dict[str, Any]:
        """Read a text by its handle, a block id or a content ref; 4000 characters at most.

        Returns {"ok": true, "handle": ..., "start": 0, "text": ..., "total": <characters>}.
        """
        store = self._workspace.content
        if handle in self._workspace.blocks:
            text = self._workspace.blocks[handle].text
        elif handle in store:
            text = store[handle].text
        else:
            raise UnknownNode(f"no text has the handle {handle!r}", hint="Use a block id or a kag:hasContentRef value.")
        if start < 0 or length < 0:
            raise BadValue(
                f"no window from {start} of {length} characters", hint=f"Give 0 <= start <= {len(text)} and a length."
            )
        window = text[start : start + min(length, MAX_WINDOW)]
        return {"ok": True, "handle": handle, "start": start, "text": window, "total": len(text)}

    # inside -----------------------------------------------------------------------------------

    def _linked(self, subject: URIRef, predicate: URIRef, target: URIRef) -> dict[str, Any]:
        workspace = self._workspace
        added, curie = workspace.add(subject, predicate, target), workspace.curie
        if predicate == KAG.describes and (workspace.is_a(target, DOCO.Figure) or workspace.is_a(target, DOCO.Table)):
            self._share_number(target)
        return {
            "ok": True,
            "subject": curie(subject),
            "predicate": curie(predicate),
            "object": curie(target),
            "added": added,
        }

    def _share_number(self, target: URIRef) -> None:
        """Give the number of a float or of one of its captions to those that print none, such as a legend below."""
        workspace = self._workspace
        alike = [target, *workspace.sources(KAG.describes, target)]
        numbered = next((node for node in alike if workspace.text(node, KAG.floatNumber)), None)
        for node in alike:
            if numbered is not None and not workspace.text(node, KAG.floatNumber):
                for prop in (KAG.floatNumber, KAG.floatLabel):
                    if printed := workspace.text(numbered, prop):
                        workspace.put(node, prop, printed)


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


# What a caller names, found or refused: blocks, nodes, classes, properties and links by their short names ---

_TYPE = RDF.type


class Names:
    """Names of one workspace. Every refusal is an `InvalidOperation` whose hint lists what there is."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def block(self, block_id: str) -> Block:
        block = self._workspace.blocks.get(block_id)
        if block is None:
            raise UnknownBlock(
                f"unknown block {block_id!r}", hint="Block ids look like b_p001_0004 (page, order on the page)."
            )
        return block

    def own(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name)
        if not iri.startswith(self._workspace.base):
            raise BadValue(f"{name} is not a node of this paper", hint="Write ex:<name> for nodes of this paper.")
        return iri

    def node(self, name: str) -> URIRef:
        iri = self.own(name)
        if not self._workspace.exists(iri):
            raise UnknownNode(
                f"{name} does not exist",
                hint="Create it with op_create_node(block_id, class_iri) or op_assert_type(node_iri, class_iri).",
            )
        return iri

    def class_(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name)
        if iri not in self._workspace.profile.classes:
            allowed = ", ".join(sorted(self._workspace.curie(c) for c in self._workspace.profile.classes))
            raise UnknownTerm(f"{name} is not a class of this graph", hint=f"Classes: {allowed}.")
        return iri

    def property_(self, name: str) -> URIRef:
        iri = self._workspace.resolve(name.strip().removeprefix("^"))
        if iri not in self._workspace.profile.properties or iri == _TYPE:
            allowed = ", ".join(sorted(self._workspace.curie(p) for p in self._workspace.profile.properties))
            raise UnknownTerm(f"{name} is not a property of this graph", hint=f"Properties: {allowed}.")
        return iri

    def link(self, subject: str, predicate: str, target: str) -> tuple[URIRef, URIRef, URIRef]:
        iri = self.property_(predicate)
        if self._workspace.profile.properties[iri] != LINK:
            raise BadValue(f"{predicate} takes a literal", hint="Use op_set_single_literal.")
        ends = self.node(subject), self.node(target)
        first, second = reversed(ends) if predicate.strip().startswith("^") else ends
        return first, iri, second


# Properties of a node made from blocks: place, boxes, order, text, and the ref under which it is stored ---

_FIGURE, _TABLE = DOCO.Figure, DOCO.Table  # a namespace makes a new term at each look


def describe(
    workspace: Workspace, node: URIRef, cls: URIRef, blocks: list[Block], span: tuple[int, int] | None, order: int
) -> None:
    """Set what blocks, or a part of one, know of themselves on their new node."""
    boxes = [list(box) for block in blocks for box in block.boxes]
    text = " ".join(b.text for b in blocks if b.text) if span is None else blocks[0].text[span[0] : span[1]]
    words = " ".join(b.plain for b in blocks) if span is None else plain(text)
    kind = _kind(workspace.curie(cls))
    for block in blocks:
        workspace.state(node, KAG.sourceBlock, block.id)
    workspace.state(node, KAG.pageNumber, blocks[0].page)
    workspace.state(node, KAG.order, order)
    if boxes or cls == _FIGURE:  # a source without pages says that a figure is printed nowhere: []
        workspace.state(node, KAG.hasBBox, json.dumps(boxes))
    if text.strip() or cls != _FIGURE:
        workspace.state(node, KAG.fullText, text)
        workspace.state(node, KAG.mainText, preview(words))
    if cls == _FIGURE or (cls == _TABLE and not any(block.table for block in blocks)):
        _picture(workspace, node, blocks)
    table = next((block.table for block in blocks if block.table), None)
    if cls == _TABLE and table:
        cells = json.dumps([list(row) for row in table.grid()], ensure_ascii=False)
        workspace.state(node, KAG.tableCells, workspace.content.put("cells", cells, **_spans(table)))
    workspace.state(node, KAG.hasContentRef, _store(workspace, node, kind, blocks, text, span))


@cache
def _kind(cls: str) -> str:
    """The kind under which texts of a class are stored: "section_title" for doco:SectionTitle."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.partition(":")[2]).lower()


def _store(
    workspace: Workspace, node: URIRef, kind: str, blocks: list[Block], text: str, span: tuple[int, int] | None
) -> str:
    """Store the node's text with the places it is printed in; returns its content ref."""
    printed = [{"block": b.id, "page": b.page, "boxes": [list(box) for box in b.boxes]} for b in blocks]
    stored = text if text.strip() else json.dumps(printed)
    raw = "\n\n".join(b.raw for b in blocks)
    more = {"raw": raw} if span is None and raw != text else {}
    ref = workspace.content.put(kind, stored, **more)
    workspace.content.append(ref, "nodes", {"node": workspace.curie(node), "blocks": printed})
    return ref


def _spans(table: Table) -> dict[str, list[list[int]]]:
    """Row, column, rows and columns of each cell that covers more than one place; nothing where none does."""
    wide = [
        [cell.row, cell.column, cell.row_span, cell.column_span]
        for cell in table.cells
        if cell.row_span > 1 or cell.column_span > 1
    ]
    return {"spans": wide} if wide else {}


def _picture(workspace: Workspace, node: URIRef, blocks: list[Block]) -> None:
    """Link a figure, or a table that is a picture, to the file that shows the most of its boxes."""
    boxes = {(block.page, box) for block in blocks for box in block.boxes}
    shown = Counter(path for place in boxes for path in workspace.pictures.get(place, ()))
    if shown:
        workspace.state(node, KAG.imagePath, max(shown, key=lambda path: (shown[path], path)))
