"""The draft as an agent sees it: an outline in which what may be wrong is shown, and the rest counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from kag.agents.build.view import ends_of
from kag.text.plain import preview
from kag.values.types import Block, Document
from kag.write.draft import FRONT_KEY, block_of
from kag.write.structure.page_layout import reading_positions

TITLE = 90  # characters of a heading
WORDS = 60  # of a caption's beginning, of a front matter's, of what is left out
CUT = 40  # on each side of a cut
SHORT = 60  # a paragraph this short may be a heading, a running head or a label
MAX_SHOWN = 40  # rows of one kind left out

_OPEN = re.compile(r"[^.!?:;\"”’)\]\s]\s*$")

Row = Mapping[str, Any]


def draft_view(document: Document, draft: Mapping[str, Any]) -> str:
    """Headings by depth, and under each what is printed there in reading order."""
    view = _View(document, draft)
    lines = [f"{document.paper_id}: {document.pages} pages, {len(document.blocks)} blocks"]
    for key, row in draft["sections"].items():
        lines += [view.heading(key, row), *view.content(key)]
    return "\n".join([*lines, *view.left_out()])


class _View:
    def __init__(self, document: Document, draft: Mapping[str, Any]) -> None:
        self._blocks = {block.id: block for block in document.blocks}
        self._draft = draft
        self._continued = {row.get("continues") for row in draft["nodes"].values()}
        self._under = _by_section(document, draft)

    def heading(self, key: str, row: Row) -> str:
        marks = "#" * int(row["depth"])
        if row.get("printed") is False:
            return f"{marks} {key} ({row['title']}; no printed heading)"
        block = self._blocks[key]
        told = f" [type: {block.ground} {block.heading_level}]" if block.ground in ("size", "outline") else ""
        return f"{marks} {key} {preview(row['title'], TITLE)}{told}"

    def content(self, section: str) -> Iterator[str]:
        """What stands under a heading: a line for what may be wrong, one for each run of the rest."""
        rows = [(name, self._row(section, name)) for name in self._under.get(section, ())]
        for line, run in groupby(rows, key=lambda one: one[1]):
            names = [name for name, _ in run]
            if line in _COUNTED:
                many = f"{len(names)} {line}, {names[0]} to {names[-1]}"
                yield "  " + (many if len(names) > 1 else f"{line[:-1]} {names[0]}")
            else:
                yield from ("  " + line for _ in names)

    def _row(self, section: str, name: str) -> str:
        """The line of a node, or what it is counted among."""
        row = self._draft["nodes"][name]
        block, kind = self._blocks[block_of(name)], str(row["class"]).partition(":")[2]
        more = f" +{len(row['more'])}" if row.get("more") else ""
        if kind == "Caption":
            return f"{name}{more} Caption of {row['describes']}: {preview(block.plain, WORDS)}"
        if kind in ("Figure", "Table"):
            return f"{name}{more} {kind} {row.get('number') or 'without caption'}"
        if row.get("continues"):
            earlier = self._blocks.get(block_of(row["continues"]))
            return f"{name} goes on with {row['continues']}: {_end(earlier)} / {preview(block.plain, CUT)}"
        if section == FRONT_KEY or kind in ("Footnote", "FigureLabel") or 0 < len(block.plain) <= SHORT:
            return f"{name}{more} {kind}: {preview(block.plain, WORDS)}" if kind in _SPOKEN else _COUNT[kind]
        if kind == "Paragraph" and _OPEN.search(block.plain) and name not in self._continued:
            return f"{name} {kind} with an open end: {ends_of(block, CUT, CUT).partition(': ')[2]}"
        return _COUNT.get(kind, kind)

    def left_out(self) -> Iterator[str]:
        """What is left out, by reason."""
        skipped: Mapping[str, str] = self._draft["skipped"]
        if skipped:
            yield "left out:"
        for reason in dict.fromkeys(skipped.values()):
            names = [name for name, why in skipped.items() if why == reason]
            texts = [f"{name} {preview(self._blocks[name].plain, WORDS // 2)}".strip() for name in names]
            more = f"; and {len(texts) - MAX_SHOWN} more" if len(texts) > MAX_SHOWN else ""
            yield f"  {reason}: {'; '.join(texts[:MAX_SHOWN])}{more}"


_SPOKEN = frozenset(("Title", "ListOfAuthors", "ListOfOrganizations", "Paragraph", "Footnote", "FigureLabel"))
_COUNT = {"Paragraph": "paragraphs", "BibliographicReference": "references", "Formula": "formulas"}
_COUNTED = frozenset(_COUNT.values())


def _end(block: Block | None) -> str:
    return f"...{block.plain[-CUT:]}" if block else ""


def _by_section(document: Document, draft: Mapping[str, Any]) -> dict[str, list[str]]:
    """The nodes of each section, in reading order."""
    places = reading_positions(document)
    headed = {key: places[key] for key, row in draft["sections"].items() if row.get("printed", True) and key in places}
    rows = [(place, -1, key) for key, place in headed.items()]
    rows += [(places[block_of(name)], number, name) for number, name in enumerate(draft["nodes"])]
    found: dict[str, list[str]] = {}
    open_ = FRONT_KEY
    for _, number, name in sorted(rows):
        if number < 0:
            open_ = name
        else:
            found.setdefault(draft["nodes"][name].get("in", open_), []).append(name)
    return found
