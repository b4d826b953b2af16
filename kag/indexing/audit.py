"""Conservation: each input block is in the graph once, or skipped with a reason, and its text is unchanged.

The audit trusts nothing but the run's files: the ledger says what was read, the graph and
`skipped.jsonl` what became of it. With the source folder at hand the ledger is checked as well.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rdflib import Literal
from rdflib.term import Node

from kag.core.content import content_ref
from kag.core.errors import RunError
from kag.core.evidence import text_hash
from kag.core.files import shown
from kag.core.report import Issue, Report
from kag.core.types import Block, Document
from kag.indexing.enrich.numeric_citations import numeric_marks
from kag.indexing.run import LEDGER, Run, digest_of, read_ledger
from kag.indexing.structure.unheaded import is_introduction
from kag.rdf.namespaces import C4O, CITO, DCTERMS, DEO, DOCO, KAG, PRO, RDF
from kag.rdf.workspace import Workspace


def ledger_row(block: Block) -> dict[str, Any]:
    """Return a block's ledger row: place, length in characters and hash of its text."""
    return {
        "block": block.id,
        "page": block.page,
        "label": block.label,
        "boxes": [list(box) for box in block.boxes],
        "characters": len(block.text),
        "sha256": text_hash(block.text),
    }


def audit(run: Run, source: Document | None = None) -> Report:
    """Check a run against its ledger, and the ledger against its source when that is given.

    Issues carry the block id or node as focus; none means that nothing was lost, doubled or changed.
    """
    nodes = _nodes_by_block(run)
    ledger = {row["block"]: row for row in run.ledger}
    return Report.of(
        [
            *_placement(run, nodes, ledger),
            *_texts(run, ledger),
            *_order(run),
            *_contents(run),
            *(_ledger(run, source) if source else ()),
        ]
    )


def is_stale(run: Path, source: Document) -> bool:
    """Whether a run was made from other pages than its source has now; raises `RunError` where it cannot be read."""
    if digest_of(run) == source.sha256:
        return False
    try:
        listed = read_ledger(run)
    except (OSError, ValueError) as error:
        raise RunError(f"{shown(run / LEDGER)}: {error}", hint="Index the paper again.") from error
    return listed != [ledger_row(block) for block in source.blocks]


def _issue(focus: str, check: str, message: str) -> Issue:
    return Issue(focus, "", check, message)


def _nodes_by_block(run: Run) -> Mapping[str, list[Node]]:
    nodes: dict[str, list[Node]] = defaultdict(list)
    for node, block in run.graph.subject_objects(KAG.sourceBlock):
        nodes[str(block)].append(node)
    return nodes


def _placement(run: Run, nodes: Mapping[str, list[Node]], ledger: Mapping[str, Any]) -> Iterator[Issue]:
    """Each block in one node (or the parts of one block), or skipped; never both, nothing else."""
    for block in ledger:
        places = nodes.get(block, [])
        if not places and block not in run.skipped:
            yield _issue(block, "Lost", "block is neither in the graph nor skipped")
        if places and block in run.skipped:
            yield _issue(block, "Doubled", "block is in the graph and skipped")
        if len(places) > 1 and not all(_part_start(node) is not None for node in places):
            yield _issue(block, "Doubled", "block is in more than one node")
    for block in sorted({*nodes, *run.skipped} - set(ledger)):
        yield _issue(block, "Invented", "block was never read from the source")
    for block, reason in run.skipped.items():
        if not reason.strip():
            yield _issue(block, "NoReason", "block is skipped without a reason")


def _part_start(node: Node) -> int | None:
    """Return the offset of a part in its block; None for a node made from whole blocks."""
    start = str(node).rpartition("/")[2].partition("-")[2]
    return int(start) if start.isdigit() else None


def _texts(run: Run, ledger: Mapping[str, Any]) -> Iterator[Issue]:
    """The texts, pages and boxes of nodes are those of their blocks."""
    parts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    places = _places(run)
    for node in sorted(set(run.graph.subjects(KAG.sourceBlock)), key=str):
        blocks = _blocks_of(run, node, places)
        rows = [ledger[block] for block in blocks if block in ledger]
        text = str(run.graph.value(node, KAG.fullText) or "")
        start = _part_start(node)
        if start is not None and len(rows) == 1:
            parts[blocks[0]].append((start, text))
        elif not _same_texts(text, rows):
            yield _issue(str(node), "TextChanged", "text differs from its blocks")
        if rows and not _same_place(run, node, rows):
            yield _issue(str(node), "PlaceChanged", "page or boxes differ from its blocks")
    for block, pieces in parts.items():
        if not _same_texts("".join(text for _, text in sorted(pieces)), [ledger[block]]):
            yield _issue(block, "TextChanged", "the parts together differ from the block")


def _places(run: Run) -> Mapping[tuple[str, str], list[str]]:
    """The blocks of each node by its content ref and local name, in the reading order that the content store keeps."""
    return {
        (content.ref, place["node"].removeprefix("ex:")): [row["block"] for row in place["blocks"]]
        for content in run.content
        for place in content.details.get("nodes", [])
        if isinstance(place, dict)  # what a model wrote of figures has the figures alone
    }


def _blocks_of(run: Run, node: Node, places: Mapping[tuple[str, str], list[str]]) -> list[str]:
    """A node's blocks, in reading order (the graph's values have none)."""
    blocks = sorted(str(block) for block in run.graph.objects(node, KAG.sourceBlock))
    kept = places.get((str(run.graph.value(node, KAG.hasContentRef)), str(node).rpartition("/")[2]), [])
    return kept if sorted(kept) == blocks else blocks


def _same_texts(text: str, rows: list[Mapping[str, Any]]) -> bool:
    """Whether a text is the rows' texts joined by single spaces, by length and hash; pictures have none."""
    at = 0
    rows = [row for row in rows if row["characters"]]
    for row in rows:
        piece = text[at : at + row["characters"]]
        if text_hash(piece) != row["sha256"]:
            return False
        at += row["characters"] + 1
    return at - 1 == len(text) if rows else not text


def _same_place(run: Run, node: Node, rows: list[Mapping[str, Any]]) -> bool:
    boxes = [box for row in rows for box in row["boxes"]]
    printed = run.graph.value(node, KAG.hasBBox)
    page = run.graph.value(node, KAG.pageNumber)
    return _boxes(str(printed) if printed else "[]") == boxes and page == Literal(rows[0]["page"])


def _boxes(printed: str) -> Any:
    try:
        return json.loads(printed)
    except (ValueError, RecursionError):
        return None


def _order(run: Run) -> Iterator[Issue]:
    """kag:order numbers the nodes 1, 2, 3, ... without gap or tie."""
    numbers = [str(value) for value in run.graph.objects(None, KAG.order)]
    if sorted(numbers) != sorted(map(str, range(1, len(numbers) + 1))):
        yield _issue(str(run.path.name), "Order", "kag:order does not run from 1 without gap or tie")


def _contents(run: Run) -> Iterator[Issue]:
    """Check that each content ref is in the store, and is the hash of its text."""
    for predicate in (KAG.hasContentRef, KAG.tableCells, KAG.hasQuantities):
        for node, ref in run.graph.subject_objects(predicate):
            if str(ref) not in run.content:
                yield _issue(str(node), "NoContent", f"{ref} is not in the content store")
    for content in run.content:
        if content_ref(content.kind, content.text) != content.ref:
            yield _issue(content.ref, "ContentChanged", "text does not have this hash")
    for node, ref in run.graph.subject_objects(KAG.hasContentRef):
        text = str(run.graph.value(node, KAG.fullText) or "")
        stored = run.content[str(ref)].text if str(ref) in run.content else text
        if text and stored != text and (node, RDF.type, DOCO.Document) not in run.graph:
            yield _issue(str(node), "TextChanged", "text differs from the content store")


def _ledger(run: Run, source: Document) -> Iterator[Issue]:
    """The ledger lists exactly the blocks of the source."""
    read = {block.id: ledger_row(block) for block in source.blocks}
    listed = {row["block"]: dict(row) for row in run.ledger}
    if read != listed:
        yield _issue(
            run.path.name, "Stale", "the run was made from other pages than its source has now; index it again"
        )
    for block in sorted({*read, *listed}):
        if read.get(block) != listed.get(block):
            yield _issue(block, "SourceChanged", "block differs between the source folder and the ledger")


# What of an indexed paper looks incomplete: the values of `warnings` in its `summary.json` ---

_REPORT, _AUDIT = "kag report", "kag audit"
_PROSE = 3000  # characters of a text that has authors, an abstract and references
_ABSTRACT = 400  # characters of text before the introduction that may well be an abstract
_LISTED = 5  # entries of a list that something cites
_CITED = 0.25  # of the entries are cited at least
_BEYOND = 3  # numbers in brackets beyond the list that are no coincidence
_MISSING = 10  # entries that a list may lack at its end
_SKIPPED = 0.1  # of the characters that may be left out for other reasons than these:
_EXPECTED = re.compile(
    r"running head|page number|line number|empty|logo|download notice|printed before|picture|contents|watermark|aside",
    re.I,
)
_BY_OCR = re.compile(r"tesseract")


@dataclass(frozen=True, slots=True)
class PaperWarning:
    """Something suspicious about a paper: a short name, a sentence, and the command that shows it (the run follows)."""

    code: str
    message: str
    command: str = _REPORT


def find_warnings(workspace: Workspace) -> list[dict[str, str]]:
    """The warnings of a finished graph, as JSON values."""
    return [asdict(warning) for warning in (*_front(workspace), *_citations(workspace), *_source(workspace))]


def _front(workspace: Workspace) -> Iterator[PaperWarning]:
    """Title, authors and abstract; a page or two of text may lack them."""
    long = _letters(workspace) > _PROSE
    if not workspace.text(workspace.paper, DCTERMS.title):
        yield PaperWarning("no-title", "no title was found")
    if long and not workspace.sources(PRO.relatesToDocument, workspace.paper):
        yield PaperWarning("no-authors", "no authors were found")
    if long and not workspace.of_type(DOCO.Abstract) and _prose_in_front(workspace) > _ABSTRACT:
        yield PaperWarning("no-abstract", "no abstract was found, but text stands before the introduction")


def _prose_in_front(workspace: Workspace) -> int:
    """The characters of text before the introduction, where one opens the paper."""
    found = 0
    for section in workspace.of_type(DOCO.Section):
        titles = workspace.links(section, KAG.containsAsHeader)
        if not any(workspace.text(title, KAG.isSynthetic) for title in titles):
            opens = workspace.text(section, KAG.sectionNumber) in ("1", "I")
            return found if opens or is_introduction(workspace.title_of(section)) else 0
        texts = (node for node in workspace.links(section, KAG.contains) if workspace.is_a(node, DOCO.Paragraph))
        found += sum(len(workspace.text(node)) for node in texts)
    return 0


def _letters(workspace: Workspace) -> int:
    return sum(len(workspace.text(node)) for node in workspace.of_type(DOCO.Paragraph))


def _citations(workspace: Workspace) -> Iterator[PaperWarning]:
    """The reference list, and the call-outs that should lead to it."""
    entries = workspace.of_type(DEO.BibliographicReference)
    pointers = workspace.instances(C4O.InTextReferencePointer)
    if not entries:
        if pointers:
            yield PaperWarning("no-references", f"{len(pointers)} citations, but no reference list was found")
        elif _letters(workspace) > _PROSE:
            yield PaperWarning("no-references", "no reference list and no citations were found")
        return
    cited = {entry for entry in entries if workspace.sources(CITO.cites, entry)}
    if len(entries) >= _LISTED and len(cited) < _CITED * len(entries):
        yield PaperWarning("uncited-references", f"{len(cited)} of {len(entries)} references are cited in the text")
    beyond = _beyond(workspace, max(workspace.number(entry, KAG.citationNumber) or 0 for entry in entries))
    if len(beyond) >= _BEYOND:
        numbers = ", ".join(map(str, sorted(beyond)[:_BEYOND]))
        yield PaperWarning("citations-without-entry", f"{len(beyond)} cited numbers have no reference: {numbers}, ...")


def _beyond(workspace: Workspace, last: int) -> set[int]:
    """Numbers in brackets right behind the last of the list: the list was read only in part."""
    found: set[int] = set()
    for node in workspace.of_type(DOCO.Paragraph):
        marks = numeric_marks(workspace.text(node), last + _MISSING)
        found.update(
            n for mark in marks if mark.style == "bracket" and not mark.doubtful for n in mark.numbers if n > last
        )
    return found if last + 1 in found else set()


def _source(workspace: Workspace) -> Iterator[PaperWarning]:
    """Return how much of the source was left out or read from pictures."""
    document = workspace.document
    whole = sum(len(block.text) for block in document.blocks)
    left = sum(
        len(workspace.blocks[skipped.block].text)
        for skipped in workspace.skipped.values()
        if not _EXPECTED.search(skipped.reason)
    )
    if left > _SKIPPED * whole:
        yield PaperWarning("skipped-text", f"{left / whole:.0%} of the text was left out", _AUDIT)
    pages = {repair.page for repair in document.repairs if repair.page and _BY_OCR.search(repair.action)}
    if pages:
        yield PaperWarning("read-by-ocr", f"{len(pages)} of {document.pages} pages were read by OCR")
    lost = {repair.page for repair in document.repairs if repair.page and repair.action == "page left out"}
    if lost:
        yield PaperWarning("lost-pages", f"{len(lost)} of {document.pages} pages could not be read", _AUDIT)
