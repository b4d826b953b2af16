"""The figure tools, a ladder: what the page and the pixels say (L0), what a model sees (L1), what it answers (L2)."""

from __future__ import annotations

import json
import re
from typing import Any

from rdflib import URIRef

from kag.document.labels import PICTURES
from kag.document.pictures import look_at
from kag.errors import BadValue, KagError, ModelError, SourceError
from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.text import preview
from kag.tools.descriptions import (
    Answer,
    Ask,
    Find,
    ask_about,
    caption_of,
    describe_prompt,
    description_of,
    picture_file,
    told,
    write_description,
)
from kag.tools.names import Names
from kag.tools.tool import tool

MAX_QUESTION = 1000  # characters
MAX_REFERRING = 10

_PANEL_LETTER = re.compile(r"(?:(?<![A-Za-z0-9])\(|(?<![A-Za-z0-9(]))([A-Za-z])\)")

ANSWER = (
    "Answer the question from this figure of a scientific paper alone, in at most 100 words. If the picture does not "
    "show the answer, say so."
)


class FigureTools:
    """The tools over one workspace; `find` gives picture files out, `ask` is the vision model, if there is one."""

    def __init__(self, workspace: Workspace, find: Find, ask: Ask | None = None) -> None:
        self._workspace = workspace
        self._names = Names(workspace)
        self._find = find
        self._ask = ask

    @tool
    def g_figure_info(self, figure_iri: str) -> dict[str, Any]:
        """What is known of a figure without asking a model: place, caption, picture, and who refers to it.

        Returns {"ok": true, "figure", "label": "Fig. 3", "page", "boxes", "caption": {"node", "text"} or null,
        "picture": {"path", "width", "height", "panels", "panels_from": "caption" | "blocks" | "picture",
        "colours": [["white", 0.91], ...]} or null, "problem": why there is no picture,
        "description": {"text", "model", "machine": true} or null, "referred_by": ["ex:...", first 10]}.
        """
        workspace, figure = self._workspace, self._figure(figure_iri)
        caption = caption_of(workspace, figure)
        said = description_of(workspace, figure)
        picture, problem = self._look(figure)
        return {
            "ok": True,
            "figure": workspace.curie(figure),
            "label": workspace.text(figure, KAG.floatLabel),
            "page": workspace.number(figure, KAG.pageNumber),
            "boxes": json.loads(workspace.text(figure, KAG.hasBBox) or "[]"),
            "caption": caption and {"node": workspace.curie(caption), "text": preview(workspace.plain(caption))},
            "picture": picture,
            "problem": problem,
            "description": said
            and {
                "text": workspace.text(figure, KAG.imageDescription),
                "model": workspace.text(said, KAG.model),
                "machine": True,
            },
            "referred_by": self._referring(figure),
        }

    @tool
    def inspect_figure(self, figure_iri: str) -> dict[str, Any]:
        """Have the vision model describe a figure; the description is stored as the model's words, never the authors'.

        Returns {"ok": true, "figure", "description", "model", "machine": true, "cached": true | false}.
        """
        figure = self._figure(figure_iri)
        answer = self._asked(figure, describe_prompt(self._workspace, figure))
        if isinstance(answer, KagError):
            return _failure(answer)
        write_description(self._workspace, figure, answer)
        return {"figure": self._workspace.curie(figure), "description": answer.text, **_origin(answer)}

    @tool
    def ask_figure(self, figure_iri: str, question: str) -> dict[str, Any]:
        """Ask the vision model a question about one figure; nothing is stored in the graph.

        Returns {"ok": true, "figure", "question", "answer", "model", "machine": true, "cached": true | false}.
        """
        figure, asked = self._figure(figure_iri), question.strip()
        if not asked or len(asked) > MAX_QUESTION:
            raise BadValue("a question is needed", hint=f"Ask in 1 to {MAX_QUESTION} characters.")
        answer = self._asked(figure, f"{ANSWER}\n\nQuestion: {asked}{told(self._workspace, figure)}")
        if isinstance(answer, KagError):
            return _failure(answer)
        return {
            "figure": self._workspace.curie(figure),
            "question": asked,
            "answer": answer.text,
            **_origin(answer),
        }

    def _figure(self, name: str) -> URIRef:
        node = self._names.node(name)
        if not self._workspace.is_a(node, DOCO.Figure):
            raise BadValue(f"{name} is not a figure", hint="Name a node of class doco:Figure.")
        return node

    def _referring(self, figure: URIRef) -> list[str]:
        """The texts that refer to a figure, in reading order; not the call-outs in them."""
        workspace = self._workspace
        nodes = [n for n in workspace.sources(KAG.refersTo, figure) if workspace.source_blocks(n)]
        ranked = sorted(nodes, key=lambda node: (workspace.number(node, KAG.order) or 0, node))
        return [workspace.curie(node) for node in ranked[:MAX_REFERRING]]

    def _asked(self, figure: URIRef, prompt: str) -> Answer | KagError:
        """The model's answer, or why there is none: an agent gets that back as data."""
        if self._ask is None:
            hint = "g_figure_info tells size, panels and colours without one."
            return ModelError("no vision model is configured", hint=hint)
        try:
            return ask_about(self._find, self._workspace.text(figure, KAG.imagePath), prompt, self._ask)
        except KagError as error:
            return error

    def _look(self, figure: URIRef) -> tuple[dict[str, Any] | None, str]:
        workspace, path = self._workspace, self._workspace.text(figure, KAG.imagePath)
        try:
            seen = look_at(picture_file(self._find, path))
        except SourceError as error:
            return None, error.message
        printed = sum(block.label in PICTURES for block in workspace.source_blocks(figure))
        caption = caption_of(workspace, figure)
        counts = {
            "caption": panel_letters(workspace.plain(caption)) if caption else 0,
            "blocks": printed,
            "picture": seen.panels,
        }
        best = next((source for source, count in counts.items() if count > 1), "picture")
        colours = [list(colour) for colour in seen.colours]
        sizes = {"path": path, "width": seen.width, "height": seen.height}
        return {**sizes, "panels": counts[best], "panels_from": best, "colours": colours}, ""


def panel_letters(caption: str) -> int:
    """How many panels a caption names in a row from (a) on; 0 when it names none.

    >>> panel_letters("Fig. 2. (a) Map. (b) Depth; (d) no third."), panel_letters("Speed (s)")
    (2, 0)
    """
    named = {letter.lower() for letter in _PANEL_LETTER.findall(caption)}
    return next(n for n in range(27) if n == 26 or chr(ord("a") + n) not in named)


def _origin(answer: Answer) -> dict[str, Any]:
    return {"ok": True, "model": answer.model, "machine": True, "cached": answer.cached}


def _failure(error: KagError) -> dict[str, Any]:
    return {"ok": False, "error": error.message, "code": error.code, "hint": error.hint}
