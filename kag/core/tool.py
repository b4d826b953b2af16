"""One way to offer a function to an agent: `@tool` marks it, `toolset` gathers, `guard` makes it safe.

A tool is a plain typed method whose docstring is what the agent reads. Nothing is registered
globally: a toolset is the tuple of an object's marked methods.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kag.core.errors import InvalidOperation, KagError
from kag.core.trajectory import Step, Trajectory

Function = TypeVar("Function", bound=Callable[..., Any])

Approval = Callable[[str, Mapping[str, Any]], "bool | Mapping[str, Any]"]
"""A person, or a rule, in the loop: the name and the arguments of a call to True (run it), False (refuse it), or the
arguments to run it with instead."""

_MARK = "__kag_tool__"  # holds the other keyword names that the tool accepts
REPORTING = frozenset({"validate_graph", "finalize_graph"})  # their steps keep what they reported
READING = ("g_", "search_")  # how the names of tools begin whose steps keep which nodes they have shown


@dataclass(frozen=True, slots=True)
class Tool:
    """A callable offered to an agent, with the name and the text it is offered under.

    `keywords` maps other keyword names that `guard` accepts to the parameters they stand for.
    """

    name: str
    doc: str
    call: Callable[..., Any]
    keywords: Mapping[str, str] = field(default_factory=dict)


def tool(function: Function) -> Function:
    """Mark a method as something an agent may call; its docstring becomes part of the prompt."""
    return keyword_names()(function)


def keyword_names(**keywords: str) -> Callable[[Function], Function]:
    """`tool` with other keyword names: `@keyword_names(subject_iri="s")` accepts `subject_iri=` for `s`."""

    def mark(method: Function) -> Function:
        setattr(method, _MARK, keywords)
        return method

    return mark


def marked(kind: type) -> dict[str, Callable[..., Any]]:
    """The marked methods of a class by name, in the order in which it defines them."""
    return {name: member for name, member in vars(kind).items() if hasattr(member, _MARK)}


def toolset(*owners: object) -> tuple[Tool, ...]:
    """The marked methods of the objects, in the order their classes define them."""
    return tuple(
        Tool(name, (member.__doc__ or "").strip(), getattr(owner, name), getattr(member, _MARK))
        for owner in owners
        for name, member in marked(type(owner)).items()
    )


def error_data(error: KagError) -> dict[str, Any]:
    """An error as data: what an agent gets back instead of an exception."""
    return {"ok": False, "error": error.message, "code": error.code, "hint": error.hint}


def guard(offered: Tool, trajectory: Trajectory, approve: Approval | None = None) -> Tool:
    """The same tool, with errors as data and each call written to the trajectory, as it was run.

    `approve` decides before each call; what it refuses is an error with the code "denied". An `InvalidOperation` or a
    call with wrong arguments returns `{"ok": false, "error", "code", "hint"}`. Anything else is a bug, is recorded and
    raised.
    """

    @functools.wraps(offered.call)
    def call(*args: Any, **kwargs: Any) -> Any:
        kwargs = {offered.keywords.get(name, name): value for name, value in kwargs.items()}
        allowed: bool | Mapping[str, Any] = True
        if approve is not None and (named := _named(offered, args, kwargs)) is not None:
            allowed = approve(offered.name, named)
            args, kwargs = (), dict(allowed if isinstance(allowed, Mapping) else named)
        given: dict[str, Any] = {"args": list(args), **({"kwargs": kwargs} if kwargs else {})}
        try:
            result = offered.call(*args, **kwargs) if allowed is not False else dict(DENIED)
        except InvalidOperation as error:
            result = error_data(error)
        except Exception as error:
            if not _wrong_arguments(error):
                trajectory.append(Step("tool", offered.name, ok=False, data={**given, "error": repr(error)}))
                raise
            hint = f"Call {offered.name} as its description says."
            result = {"ok": False, "error": str(error), "code": "bad_call", "hint": hint}
        trajectory.append(_step(offered.name, given, result))
        return result

    return Tool(offered.name, offered.doc, call, offered.keywords)


DENIED = {
    "ok": False, "error": "this call was refused", "code": "denied", "hint": "Answer without it, or call another tool."
}  # fmt: skip


def _named(offered: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a call by name; None if the call does not fit the tool, which then reports that
    itself."""
    try:
        return dict(inspect.signature(offered.call).bind(*args, **kwargs).arguments)
    except TypeError:
        return None


def _wrong_arguments(error: Exception) -> bool:
    """Whether the call itself failed, not something inside the tool."""
    inside = error.__traceback__.tb_next if error.__traceback__ else None
    return isinstance(error, TypeError) and inside is None


def _nodes(result: Mapping[str, Any]) -> list[str]:
    """The nodes that a reading tool has shown: the one asked for, or those of its items."""
    rows = [result, *(row for row in result.get("items", ()) if isinstance(row, Mapping))]
    return [str(name) for row in rows if (name := row.get("node") or row.get("figure") or row.get("section"))]


def _step(name: str, given: dict[str, Any], result: Any) -> Step:
    """A call as a step: its arguments, why it failed, the violations it reported, and the nodes it has shown."""
    failed = isinstance(result, dict) and result.get("ok") is False
    data = {**given, "error": result["error"], "code": result.get("code", "")} if failed else dict(given)
    if name in REPORTING:
        data["violations"] = result if isinstance(result, list) else result.get("violations", [])
    if name.startswith(READING) and (nodes := _nodes(result)):
        data["nodes"] = nodes
    return Step("tool", name, ok=not failed, data=data)
