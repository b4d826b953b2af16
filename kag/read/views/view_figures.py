"""What is known of a figure or table without asking a model: place, caption, picture or size, who refers to it."""

from __future__ import annotations

import re
from typing import Any

from kag.rdf.namespaces import KAG, PROV
from kag.read.paper import REFERS, Node, PaperGraph
from kag.read.views.view_bounds import MAX_BYTES, shrunk
from kag.read.views.view_nodes import card, lead
from kag.sources.pictures import look_at
from kag.values.content import CELLS
from kag.values.errors import SourceError
from kag.write.tools.descriptions import Find, picture_file

MAX_REFERRING = 10
_CAPTION = 600  # characters
_DESCRIPTION = 800

_PANEL_LETTER = re.compile(r"(?:(?<![A-Za-z0-9])\(|(?<![A-Za-z0-9(]))([A-Za-z])\)")


def figure_info(paper: PaperGraph, node: Node, find: Find | None) -> dict[str, Any]:
    """The facts of one figure or table; `find` gives picture files out."""
    caption = paper.caption_of(node.iri)
    referring = paper.sources(node.iri, REFERS)
    picture, problem = _picture(paper, node, caption, find) if node.kind == "Figure" else (None, "")
    return shrunk(
        {
            "ok": True,
            "figure": node.name,
            "kind": node.kind,
            "label": node.label,
            "page": node.page,
            "boxes": [list(box) for box in node.boxes[:8]],
            "caption": caption
            and {
                "node": caption.name,
                "page": caption.page,
                "text": lead(caption.text, _CAPTION),
                "chars": len(caption.text),
            },
            "picture": picture,
            "problem": problem,
            "table": _table(paper, node) if node.kind == "Table" else None,
            "description": description(paper, node.iri),
            "referred_by": [_short(card(paper, iri)) for iri in referring[:MAX_REFERRING]],
            "referred_by_total": len(referring),
        },
        MAX_BYTES,
    )


def description(paper: PaperGraph, figure: str) -> dict[str, Any] | None:
    """A model's words about a figure that the graph holds, with the model's name; never to be quoted."""
    words = paper.graph.value(figure, str(KAG.imageDescription))
    if not words:
        return None
    origin = next(iter(paper.graph.sources(str(PROV.wasDerivedFrom), figure)), "")
    return {"text": words[:_DESCRIPTION], "model": paper.graph.value(origin, str(KAG.model)), "machine": True}


def panel_letters(caption: str) -> int:
    """How many panels a caption names in a row from (a) on; 0 when it names none.

    >>> panel_letters("Fig. 2. (a) Map. (b) Depth; (d) no third."), panel_letters("Speed (s)")
    (2, 0)
    """
    named = {letter.lower() for letter in _PANEL_LETTER.findall(caption)}
    return next(n for n in range(27) if n == 26 or chr(ord("a") + n) not in named)


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "text": lead(row.get("text", ""), 80)}


def _table(paper: PaperGraph, node: Node) -> dict[str, Any]:
    """A table's size and first rows; the rows after them are read with g_node_detail."""
    ref = paper.graph.value(node.iri, str(KAG.tableCells))
    rows: list[list[Any]] = paper.content.data(ref, CELLS) or []
    return {
        "rows": len(rows) or None,
        "columns": max(map(len, rows), default=0) or None,
        "text": lead(node.text, 500),
        "chars": len(node.text),
    }


def _picture(
    paper: PaperGraph, figure: Node, caption: Node | None, find: Find | None
) -> tuple[dict[str, Any] | None, str]:
    """What the file shows, or why there is none; panels as the caption names them, else as counted."""
    path = paper.graph.value(figure.iri, str(KAG.imagePath))
    if find is None:
        return None, "it is not known where the pictures are" if path else "the figure has no picture file"
    try:
        seen = look_at(picture_file(find, path))
    except SourceError as error:
        return None, error.message
    counts = {
        "caption": panel_letters(caption.plain) if caption else 0,
        "blocks": len(figure.boxes),
        "picture": seen.panels,
    }
    best = next((source for source, count in counts.items() if count > 1), "picture")
    colours = [list(colour) for colour in seen.colours]
    sizes = {"path": path, "width": seen.width, "height": seen.height}
    return {**sizes, "panels": counts[best], "panels_from": best, "colours": colours}, ""
