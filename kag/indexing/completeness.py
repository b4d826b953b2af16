"""What of an indexed paper looks incomplete: the values of `warnings` in its `summary.json`.

A sound paper has none. Each warning says what is suspicious and names the command that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from kag.indexing.enrich.numeric_citations import numeric_marks
from kag.indexing.structure.unheaded import is_introduction
from kag.rdf.namespaces import C4O, CITO, DCTERMS, DEO, DOCO, KAG, PRO
from kag.rdf.workspace import Workspace

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
    """How much of the source was left out or read from pictures."""
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
