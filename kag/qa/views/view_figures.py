"""Information on a figure or table without a model: place, caption, picture or size, mentions; and its tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kag.core.errors import KagError, ModelError, SourceError
from kag.core.tool import tool
from kag.indexing.tools.descriptions import DESCRIBE, Answer, Ask, Find, ask_about, caption_context, picture_file
from kag.qa.paper import REFERS, Node, PaperGraph
from kag.qa.printed_table import stored_cells
from kag.qa.views.view_bounds import MAX_BYTES, Names, excerpt, shrunk, size
from kag.qa.views.view_nodes import lead
from kag.rdf.namespaces import KAG, PROV
from kag.sources.pictures import picture_size
from kag.text.language import require_question

MAX_REFERRING = 5
_CAPTION = 900  # characters
_SENTENCE = 240
_DESCRIPTION = 600
_LEAST = 700  # bytes of a table's text in a result, whatever else is in it


def figure_info(paper: PaperGraph, node: Node, find: Find | None, offset: int = 0) -> dict[str, Any]:
    """The facts of one figure or table; `find` gives picture files out, `offset` is where the table's text begins.

    Nothing is cut without a word: "more" says how to read what is left.
    """
    caption = paper.caption_of(node.iri)
    referring = paper.sources(node.iri, REFERS)
    picture, problem = _picture(paper, node, find) if node.kind == "Figure" else (None, "")
    facts = {
        "ok": True,
        "figure": node.name,
        "kind": node.kind,
        "label": node.label[:80],
        "page": node.page,
        "boxes": [list(box) for box in node.boxes[:8]],
        "caption": caption and _caption(caption),
        "picture": picture,
        "problem": problem,
        "table": None,
        "description": description(paper, node.iri),
        "referred_by": [_referring(paper, iri, node.iri) for iri in referring[:MAX_REFERRING]],
        "referred_by_total": len(referring),
        "more": "",
    }
    if node.kind != "Table":
        return {**shrunk(facts, MAX_BYTES - 200), "more": " ".join(_more(facts, node))}
    facts = shrunk(facts, MAX_BYTES - 300 - _LEAST)
    facts["table"] = _table(paper, node, offset, MAX_BYTES - 300 - size(facts))
    return {**facts, "more": " ".join(_more(facts, node))}


def _more(facts: dict[str, Any], node: Node) -> Iterator[str]:
    """Return how to read the part that is not shown."""
    caption, table = facts["caption"], facts["table"]
    if caption and len(caption["text"]) < caption["chars"]:
        yield f"The caption goes on: g_node_detail({caption['node']!r}, {len(caption['text'])})."
    if table and table["next"] is not None:
        left = table["chars"] - table["next"]
        yield f"{left} characters of the table are left: g_figure_info({node.name!r}, {table['next']})."
    if len(facts["referred_by"]) < facts["referred_by_total"]:
        yield f"All that refer to it: g_node_refs({node.name!r})."


def _caption(caption: Node) -> dict[str, Any]:
    text = lead(caption.text, _CAPTION)
    return {"node": caption.name, "page": caption.page, "text": text, "chars": len(caption.text)}


def _referring(paper: PaperGraph, host: str, target: str) -> dict[str, Any]:
    """A text that refers to a float, with the sentence that does."""
    node = paper.nodes[host]
    spans = (
        excerpt(node, mention.start, mention.end, _SENTENCE)
        for mention in paper.mentions_in(host)
        if target in mention.targets
    )
    start, end = next(spans, (0, len(lead(node.text))))
    return {"node": node.name, "kind": node.kind, "page": node.page, "text": node.text[start:end]}


def description(paper: PaperGraph, figure: str) -> dict[str, Any] | None:
    """A model's words about a figure that the graph holds, with the model's name; never to be quoted."""
    words = paper.graph.value(figure, str(KAG.imageDescription))
    if not words:
        return None
    origin = next(iter(paper.graph.sources(str(PROV.wasDerivedFrom), figure)), "")
    return {"text": words[:_DESCRIPTION], "model": paper.graph.value(origin, str(KAG.model)), "machine": True}


def _table(paper: PaperGraph, node: Node, offset: int, room: int) -> dict[str, Any]:
    """A table's size, and as many of its rows from `offset` on as there is room for, in bytes."""
    rows = stored_cells(paper, node)[0] or []
    text = node.text[offset : offset + room]
    while size(text) > room:
        text = text[: len(text) - max(1, (size(text) - room) // 4)]
    end = offset + len(text)
    if end < len(node.text) and "\n" in text:
        end = offset + text.rindex("\n") + 1
    columns = max(map(len, rows), default=0)
    size_of = {"rows": len(rows) or None, "columns": columns or None}
    following = end if end < len(node.text) else None
    return {**size_of, "text": node.text[offset:end], "chars": len(node.text), "next": following}


def _picture(paper: PaperGraph, figure: Node, find: Find | None) -> tuple[dict[str, Any] | None, str]:
    """The figure's file and its size in pixels, or why there is none."""
    path = paper.graph.value(figure.iri, str(KAG.imagePath))
    if find is None:
        return None, "it is not known where the pictures are" if path else "the figure has no picture file"
    try:
        width, height = picture_size(picture_file(find, path))
    except SourceError as error:
        return None, error.message
    return {"path": path, "width": width, "height": height}, ""


MAX_QUESTION = 1000  # characters

ANSWER = (
    "Answer the question from this figure of a scientific paper alone, in at most 100 words. If the picture does not "
    "show the answer, say so."
)


class FigureTools:
    """The tools over one paper; `find` gives picture files out, `ask` is the vision model, if there is one."""

    def __init__(self, paper: PaperGraph, find: Find, ask: Ask | None = None) -> None:
        self._paper = paper
        self._names = Names(paper)
        self._find = find
        self._ask = ask

    @tool
    def inspect_figure(self, figure_iri: str) -> dict[str, Any]:
        """A vision model's description of a figure: the graph's if it has one, else a new one. Never to be quoted.

        Returns {"ok": true, "figure", "description", "model", "machine": true, "cached": true | false}.
        """
        figure = self._names.float_(figure_iri, ("Figure",))
        if known := description(self._paper, figure.iri):
            words = {"figure": figure.name, "description": known["text"]}
            return {**words, "ok": True, "model": known["model"], "machine": True, "cached": True}
        answer = self._asked(figure, DESCRIBE + self._caption(figure))
        if isinstance(answer, KagError):
            return _failure(answer)
        return {"figure": figure.name, "description": answer.text, **_origin(answer)}

    @tool
    def ask_figure(self, figure_iri: str, question: str) -> dict[str, Any]:
        """Ask the vision model a question about one figure.

        Returns {"ok": true, "figure", "question", "answer", "model", "machine": true, "cached": true | false}.
        """
        figure, asked = self._names.float_(figure_iri, ("Figure",)), question.strip()
        require_question(asked, MAX_QUESTION)
        answer = self._asked(figure, f"{ANSWER}\n\nQuestion: {asked}{self._caption(figure)}")
        if isinstance(answer, KagError):
            return _failure(answer)
        return {"figure": figure.name, "question": asked, "answer": answer.text, **_origin(answer)}

    def _caption(self, figure: Node) -> str:
        caption = self._paper.caption_of(figure.iri)
        return caption_context(caption.plain if caption else "")

    def _asked(self, figure: Node, prompt: str) -> Answer | KagError:
        """The model's answer, or why there is none: an agent gets that back as data."""
        if self._ask is None:
            hint = "g_figure_info returns its size, caption and mentions without one."
            return ModelError("no vision model is configured", hint=hint)
        try:
            return ask_about(self._find, self._paper.graph.value(figure.iri, str(KAG.imagePath)), prompt, self._ask)
        except KagError as error:
            return error


def _origin(answer: Answer) -> dict[str, Any]:
    return {"ok": True, "model": answer.model, "machine": True, "cached": answer.cached}


def _failure(error: KagError) -> dict[str, Any]:
    return {"ok": False, "error": error.message, "code": error.code, "hint": error.hint}
