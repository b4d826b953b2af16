"""The two sets of tools that an agent may be offered, described as JSON.

`reader` are ten tools with plain names (`kag.serve.mcp.reader_tools`); `views` are seed 001's `g_*` views and the
tools of the search graph. Names, descriptions and schemas come from the methods' signatures and docstrings, never from
a paper. All of them only read.
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
from kag.serve.mcp.library_tools import LibraryTools
from kag.serve.mcp.reader_tools import ReaderTools
from kag.serve.mcp.words import ARGUMENTS, READER_ARGUMENTS, RESULTS

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
    kinds = (ReaderTools,) if which == "reader" else (LibraryTools, CorpusTools, CorpusViews)
    return tuple(_described(name, member, which) for kind in kinds for name, member in marked(kind).items())


def _described(name: str, member: Callable[..., Any], which: ToolSet) -> Described:
    hints = get_type_hints(member)
    parameters = [parameter for parameter in inspect.signature(member).parameters.values() if parameter.name != "self"]
    properties = {
        parameter.name: {
            "type": _TYPES[hints[parameter.name]],
            "description": (READER_ARGUMENTS if which == "reader" else ARGUMENTS)[parameter.name],
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
