"""Asking a vision model about a figure while reading: a description, or the answer to a question.

Nothing is stored: reading changes no graph. What is known without a model says `g_figure_info`
(`kag.qa.views.views`).
"""

from __future__ import annotations

from typing import Any

from kag.core.errors import KagError, ModelError
from kag.core.tool import tool
from kag.indexing.tools.descriptions import DESCRIBE, Answer, Ask, Find, ask_about, told
from kag.qa.paper import Node, PaperGraph
from kag.qa.views.view_figures import description
from kag.qa.views.view_names import Names
from kag.rdf.namespaces import KAG
from kag.text.asked import require_question

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
        return told(caption.plain if caption else "")

    def _asked(self, figure: Node, prompt: str) -> Answer | KagError:
        """The model's answer, or why there is none: an agent gets that back as data."""
        if self._ask is None:
            hint = "g_figure_info tells size, panels and colours without one."
            return ModelError("no vision model is configured", hint=hint)
        try:
            return ask_about(self._find, self._paper.graph.value(figure.iri, str(KAG.imagePath)), prompt, self._ask)
        except KagError as error:
            return error


def _origin(answer: Answer) -> dict[str, Any]:
    return {"ok": True, "model": answer.model, "machine": True, "cached": answer.cached}


def _failure(error: KagError) -> dict[str, Any]:
    return {"ok": False, "error": error.message, "code": error.code, "hint": error.hint}
