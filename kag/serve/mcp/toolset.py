"""The two sets of tools that an agent may be offered, described as JSON.

`reader` are ten tools with plain names (`kag.serve.mcp.reader_tools`); `views` are seed 001's `g_*` views, the tools of
the search graph and of whole answers, and three of the ten. Names, descriptions and schemas come from the methods'
signatures and docstrings, never from a paper. All of them only read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_type_hints

from kag.core.tool import marked
from kag.qa.views.search_tools import CorpusTools
from kag.qa.views.view_bounds import printable
from kag.qa.views.views import CorpusViews
from kag.serve.mcp.reader_tools import AnswerTools, ReaderTools

ARGUMENTS = {
    "claim": "A statement in one sentence.",
    "cursor": '"cursor" of the last result, to continue; "" to begin.',
    "node": 'A node, "ex:b_p001_0004", or a label, "Table 2".',
    "offset": '"next_offset" of the last result, to continue.',
    "page": "Page number, from 1.",
    "paper": 'A paper id from list_papers; "" for all papers, or for the only one.',
    "query": 'Words to find; "exact phrase" in quotes.',
    "question": "A question in English.",
    "quote": "Words as printed in a paper.",
    "section": "Number or title of a section.",
}
"""Descriptions of the arguments of the reader's tools; each tool that has one declares it."""

OF_VIEWS = {
    "answer": 'An answer: "answer" of what ask returned.',
    "figure_iri": 'A figure or table: "ex:..." or "Figure 3".',
    "labels": 'Only these relations, separated by blanks; "" for all.',
    "limit": "Hits at most.",
    "node": 'A node, as "ex:b_p001_0004"; in expand_node also "paper/ex:...", a paper, or "chunk" of a search result.',
    "node_iri": 'A node, as "ex:b_p001_0004", or a section by title or number.',
    "offset": "Characters of the text to skip.",
    "only": "Values that hits must have one of, by facet; {} for all hits.",
    "paper": "A paper's id, from list_papers or a search result.",
    "plan": 'How to search: bm25, dense, hybrid, sage, entity, multi_query, paths; "" for the best there is.',
    "references": "Whether entries of reference lists are found too.",
    "section_iri": 'A section: "ex:...", its title or number; "" for the whole paper.',
    "whole": "Whether hits are given with the text of their section around them.",
}
"""The same for the other set, where it differs."""

_LIST = "total:integer items:array cursor:string"
_CHECK = "conforms:boolean quotes:integer quoted:integer verdicts:array issues:array issues_total:integer"

RESULTS = {
    "list_papers": _LIST,
    "ask": "text:string found:boolean conforms:boolean whole:boolean left_out:integer answer:object",
    "verify": _CHECK,
    "verify_claim": "printed:boolean verdict:string issues:array evidence:array",
    "show_page": "paper:string node:string page:integer boxes:array media_type:string width:integer height:integer",
    "search_knowledge_graph": f"query:string plan:string notes:array {_LIST}",
    "search_by_facets": f"query:string plan:string notes:array chosen:object facets:object {_LIST}",
    "expand_node": f"chunk:string paper:string text:string counts:object {_LIST}",
    "graph_statistics": "papers:integer chunks:integer kinds:object vectors:boolean nodes:integer edges:object "
    "waiting:integer",
    "export_json_ld": f"query:string {_LIST}",
    "g_overview": "paper:string title:string",
    "g_search": f"query:string unknown:array {_LIST}",
    "g_section_content": f"section:string title:string {_LIST}",
    "g_node_detail": "node:string kind:string text:string chars:integer next:integer?",
    "g_figure_info": "figure:string kind:string label:string page:integer",
    "g_node_refs": f"node:string counts:object {_LIST}",
}
"""The tools of the set `views`, with the fields of a result that are always there; a result may have more."""


ToolSet = Literal["reader", "views"]
TOOL_SETS: tuple[ToolSet, ...] = ("reader", "views")
_TYPES = {str: "string", int: "integer", bool: "boolean", dict[str, Any]: "object"}


@dataclass(frozen=True, slots=True)
class Described:
    """A tool as clients see it: its description, and the JSON schemas of its arguments and result."""

    name: str
    description: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any] | None

    def problem(self, given: Mapping[str, Any]) -> str:
        """Return the fault of the arguments; "" if they are valid."""
        known = self.arguments["properties"]
        if unknown := sorted(given.keys() - known.keys()):
            return f"unknown argument {printable(unknown[0][:80])!r} of {self.name}; it takes {', '.join(known)}"
        if missing := [name for name in self.arguments["required"] if name not in given]:
            return f"argument {missing[0]!r} of {self.name} is missing"
        wrong = [name for name, value in given.items() if not _is_a(value, known[name]["type"])]
        return f"argument {wrong[0]!r} of {self.name} is not of type {known[wrong[0]]['type']}" if wrong else ""


def offered(which: ToolSet = "reader") -> tuple[Described, ...]:
    """The tools of a set in their order: ten that read papers, or seed 001's views with those of the search graph."""
    kinds = (ReaderTools,) if which == "reader" else (ReaderTools, AnswerTools, CorpusTools, CorpusViews)
    members = {name: member for kind in kinds for name, member in marked(kind).items()}
    names = members if which == "reader" else RESULTS
    return tuple(_described(name, members[name], which) for name in names)


def _described(name: str, member: Callable[..., Any], which: ToolSet) -> Described:
    hints = get_type_hints(member)
    words = ARGUMENTS if which == "reader" else ARGUMENTS | OF_VIEWS
    parameters = [parameter for parameter in inspect.signature(member).parameters.values() if parameter.name != "self"]
    properties = {
        parameter.name: {
            "type": _TYPES[hints[parameter.name]],
            "description": words[parameter.name],
            **({} if parameter.default is parameter.empty else {"default": parameter.default}),
        }
        for parameter in parameters
    }
    required = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    takes = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Described(
        name, inspect.cleandoc(member.__doc__ or ""), takes, _result_schema(RESULTS[name]) if which == "views" else None
    )


def _result_schema(spelled: str) -> dict[str, Any]:
    """`"page:integer label:string?"` as a JSON schema; a field with "?" may be null, all are there."""
    fields = dict(one.split(":") for one in f"ok:boolean {spelled}".split())
    properties = {
        name: {"type": [kind.removesuffix("?"), "null"] if kind.endswith("?") else kind}
        for name, kind in fields.items()
    }
    return {"type": "object", "properties": properties, "required": list(fields)}


def _is_a(value: object, kind: str) -> bool:
    """Whether a value is of a type of JSON schema; a whole number may also be given as digits, as models do."""
    if kind == "integer":
        return (isinstance(value, int) and not isinstance(value, bool)) or (
            isinstance(value, str) and value.isdecimal()
        )
    return isinstance(value, {"string": str, "boolean": bool, "object": dict}[kind])


def as_format(form: str, which: ToolSet = "reader") -> list[dict[str, Any]]:
    """The tools of a set as OpenAI's, Anthropic's or MCP's interface declares them ("openai", "anthropic", "mcp")."""
    return [FORMATS[form](one) for one in offered(which)]


def _openai(one: Described) -> dict[str, Any]:
    function = {"name": one.name, "description": one.description, "parameters": one.arguments}
    return {"type": "function", "function": function}


def _anthropic(one: Described) -> dict[str, Any]:
    return {"name": one.name, "description": one.description, "input_schema": one.arguments}


def as_mcp(one: Described) -> dict[str, Any]:
    """A tool as MCP lists it."""
    result = {} if one.result is None else {"outputSchema": one.result}
    return {
        "name": one.name,
        "description": one.description,
        "inputSchema": one.arguments,
        **result,
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


FORMATS: Mapping[str, Callable[[Described], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": as_mcp,
}
