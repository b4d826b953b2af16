"""One query in a process of its own, which can be killed and has no network; a script that `sparql/query.py` runs.

Reads a request and writes a result, both JSON, on standard input and output. Needs no other module of kag but the file
beside it.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any


def main() -> None:
    """Answer the one request on standard input."""
    request = json.load(sys.stdin)
    _bound(request["seconds"], request["memory"])
    _beside("no_network").take_network()  # before there are other threads
    try:
        import pyoxigraph

        result = answer(pyoxigraph.Store.read_only(request["store"]), request)
    except (OSError, RuntimeError, ValueError, MemoryError) as error:
        result = _failed(error)
    json.dump(result, sys.stdout, ensure_ascii=False)


def _beside(name: str) -> Any:
    """A module from the folder of this file, which is on no path: its other names would hide modules of Python."""
    spec = spec_from_file_location(name, os.path.join(os.path.dirname(__file__), f"{name}.py"))
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(store: Any, request: dict[str, Any]) -> dict[str, Any]:
    """A query's result, or why there is none, as JSON values."""
    try:
        return _run(store, request)
    except SyntaxError as error:
        return {"error": str(error), "code": "syntax"}
    except ValueError as error:  # of the IRI of a graph
        return {"error": str(error), "code": "graph"}
    except (OSError, RuntimeError, MemoryError) as error:
        return _failed(error)


def _failed(error: Exception) -> dict[str, Any]:
    return {"error": str(error) or type(error).__name__, "code": "store"}


def _bound(seconds: float, memory: int) -> None:
    """Let the system end this process too, should its parent be gone."""
    try:
        import resource
    except ImportError:  # only on POSIX systems; the parent's clock holds everywhere
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 2, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _run(store: Any, request: dict[str, Any]) -> dict[str, Any]:
    import pyoxigraph

    for name in request["graphs"]:
        if not store.contains_named_graph(pyoxigraph.NamedNode(name)):
            return {"error": f"the corpus has no graph <{name}>", "code": "graph"}
    found: Any = store.query(request["query"], use_default_graph_as_union=not request["graphs"])
    forms, names = _read_as(found)
    if request["form"] not in forms or names != list(request["columns"]):  # never seen; nothing more is read of it
        return {"error": "the engine reads the query in another way than its grammar says", "code": "reading"}
    if isinstance(found, pyoxigraph.QueryBoolean):
        return {"kind": "boolean", "boolean": bool(found)}
    if isinstance(found, pyoxigraph.QueryTriples):
        return _limited(names, ([getattr(triple, part) for part in names] for triple in found), request)
    return _limited(names, ([solution[name] for name in names] for solution in found), request)


def _read_as(found: Any) -> tuple[tuple[str, ...], list[str]]:
    """The forms of query that have such a result, and its columns."""
    import pyoxigraph

    if isinstance(found, pyoxigraph.QueryBoolean):
        return ("ASK",), ["boolean"]
    if isinstance(found, pyoxigraph.QueryTriples):
        return ("CONSTRUCT", "DESCRIBE"), ["subject", "predicate", "object"]
    return ("SELECT",), [variable.value for variable in found.variables]


def _limited(names: Any, solutions: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Rows up to the limits, and the limit that ended them."""
    told = ([None if term is None else term_of(term) for term in solution] for solution in solutions)
    rows, ended = bounded(told, request["rows"], request["bytes"])
    return {"kind": "rows", "names": list(names), "rows": rows, "ended": ended}


def bounded(told: Any, most: int, most_bytes: int) -> tuple[list[Any], str]:
    """The first rows, and which limit ended them, if one did: "rows" or "bytes"."""
    rows: list[Any] = []
    size = 0
    for row in told:
        size += len(json.dumps(row, ensure_ascii=False).encode())
        ended = "rows" if len(rows) == most else "bytes" if size > most_bytes else ""
        if ended:
            return rows, ended
        rows.append(row)
    return rows, ""


def term_of(term: Any) -> dict[str, Any]:
    """A term as in the SPARQL 1.1 query results JSON format."""
    import pyoxigraph

    if isinstance(term, pyoxigraph.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, pyoxigraph.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, pyoxigraph.Literal):
        found = {"type": "literal", "value": term.value}
        if term.language:
            return {**found, "xml:lang": term.language}
        kind = term.datatype.value
        return found if kind == "http://www.w3.org/2001/XMLSchema#string" else {**found, "datatype": kind}
    return {"type": "triple", "value": str(term)}


if __name__ == "__main__":
    main()
