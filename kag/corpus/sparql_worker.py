"""One query in a process of its own, which can be killed; run as a script by `kag.corpus.sparql`.

Reads a request and writes a result, both JSON, on standard input and output. Needs no other module of kag.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    """Answer the one request on standard input."""
    request = json.load(sys.stdin)
    _bound(request["seconds"], request["memory"])
    try:
        import pyoxigraph

        store = pyoxigraph.Store.read_only(request["store"]) if request["store"] else pyoxigraph.Store()
        result = answer(store, request)
    except (OSError, RuntimeError, ValueError, MemoryError) as error:
        result = _failed(error)
    json.dump(result, sys.stdout, ensure_ascii=False)


def answer(store: Any, request: dict[str, Any]) -> dict[str, Any]:
    """A query's result, or why there is none, as JSON values."""
    try:
        return _run(store, request)
    except SyntaxError as error:
        return {"error": str(error), "code": "syntax"}
    except (OSError, RuntimeError, ValueError, MemoryError) as error:
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
    if isinstance(found, pyoxigraph.QueryBoolean):
        return {"kind": "boolean", "boolean": bool(found)}
    if isinstance(found, pyoxigraph.QueryTriples):
        parts = ("subject", "predicate", "object")
        return _limited(parts, ([getattr(triple, part) for part in parts] for triple in found), request)
    names = [variable.value for variable in found.variables]
    return _limited(names, ([solution[name] for name in names] for solution in found), request)


def _limited(names: Any, solutions: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Rows up to the limits, and the limit that ended them."""
    rows: list[Any] = []
    size, ended = 0, ""
    for solution in solutions:
        row = [None if term is None else _term(term) for term in solution]
        size += len(json.dumps(row, ensure_ascii=False).encode())
        ended = "rows" if len(rows) == request["rows"] else "bytes" if size > request["bytes"] else ""
        if ended:
            break
        rows.append(row)
    return {"kind": "rows", "names": list(names), "rows": rows, "ended": ended}


def _term(term: Any) -> dict[str, Any]:
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
