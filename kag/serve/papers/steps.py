"""Steps of a trajectory in words, for people who wait for an answer or look at how it came about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_PAGE = re.compile(r"b_p0*(\d+)_")
_LONGEST = 120
_TOOLS = {
    "g_overview": "Reading the overview",
    "g_search": "Searching for “{query}”",
    "search_knowledge_graph": "Searching all papers for “{query}”",
    "query_graph": "Querying the graph",
    "g_section_content": "Reading {place}",
    "g_node_detail": "Reading {place}",
    "g_figure_info": "Looking at {place}",
    "g_node_refs": "Following the references of {place}",
}
_NOTES = {
    "mode": "Looking for an exact answer in the graph",
    "opening": "Choosing passages to begin with",
    "judge": "Checking a claim against its quotes",
    "checker": "Choosing who checks the claims",
    "stopped": "Stopped: {error}",
}


def step_words(step: Mapping[str, Any]) -> str:
    """One step in words; "" for a step that says nothing to people.

    >>> step_words({"kind": "tool", "name": "g_node_detail", "args": ["ex:b_p003_0004"]})
    'Reading page 3'
    """
    kind, name = str(step.get("kind", "")), str(step.get("name", ""))
    if kind == "iteration":
        return "Deciding what to read next" if name == "action" else ""
    if kind == "call":
        return "Asking the model"
    subject = _subject(step)
    page = _PAGE.search(subject)
    place = f"page {page[1]}" if page else subject or "the paper"
    error = " ".join(str(step.get("error", "")).split())[:_LONGEST]
    return (_TOOLS if kind == "tool" else _NOTES).get(name, "").format(query=subject, place=place, error=error)


def _subject(step: Mapping[str, Any]) -> str:
    """What a call of a tool is about: its node or its query, by name or else the last word it was given."""
    named, given = step.get("kwargs", {}), step.get("args", [])
    for key in ("query", "node_iri", "figure_iri", "section_iri"):
        if isinstance(named, Mapping) and isinstance(named.get(key), str):
            return " ".join(named[key].split())[:_LONGEST]
    words = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return " ".join(words[-1].split())[:_LONGEST] if words else ""
