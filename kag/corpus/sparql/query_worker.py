"""One query in a process of its own, which can be killed and has no network; a script that `sparql/query.py` runs.

Reads a request and writes a result, both JSON, on standard input and output. Needs no other module of kag.

The network is taken away by the system: on Linux, on x86-64 and on 64-bit ARM, a seccomp filter refuses (EPERM) every
call that makes, joins or sends to a socket, and io_uring, which could make one without these. It holds for all threads
and processes that are started later, and cannot be undone. Other systems give an ordinary process no such filter:
there, and where a kernel or a container does not allow one, `take_network` returns False, and no query with the letters
of SERVICE, the only part of SPARQL that leads out, is given to the engine.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import struct
import sys
from typing import Any

# For each machine: its number for audits, and those of the calls socket, socketpair, bind, connect, listen, accept,
# accept4, sendto, sendmsg, sendmmsg and io_uring_setup.
_CALLS = {
    "x86_64": (0xC000003E, (41, 53, 49, 42, 50, 43, 288, 44, 46, 307, 425)),
    "aarch64": (0xC00000B7, (198, 199, 200, 203, 201, 202, 242, 206, 211, 269, 425)),
}
_SECOND_TABLE = 0x40000000  # on x86-64, numbers from here on are the same calls once more
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def has_filter() -> bool:
    """Whether this kind of system and machine knows the filter, unless its kernel or a container forbids it."""
    return sys.platform == "linux" and os.uname().machine in _CALLS and sys.maxsize > 2**32


def take_network() -> bool:
    """Refuse this thread, and what it starts from now on, every socket; False where the system has no way to."""
    if not has_filter():
        return False
    steps = _steps(*_CALLS[os.uname().machine])
    program = _Program(len(steps) // 8, steps)
    control = ctypes.CDLL(None, use_errno=True).prctl
    control.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    if control(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    return not control(_SECCOMP, _FILTER, ctypes.addressof(program), 0, 0)


def _steps(machine: int, calls: tuple[int, ...]) -> bytes:
    """The filter: other machines' calls, the second table and the listed calls are refused, all else is allowed."""
    refuse = len(calls) + 5  # its place; the number of a call stands at byte 0 of what is tested, the machine at 4
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 0, refuse - 2, machine), (_LOAD, 0, 0, 0)]
    steps.append((_AT_LEAST, refuse - 4, 0, _SECOND_TABLE))
    steps += [(_EQUAL, refuse - at - 1, 0, call) for at, call in enumerate(calls, len(steps))]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def main() -> None:
    """Answer the one request on standard input."""
    request = json.load(sys.stdin)
    _bound(request["seconds"], request["memory"])
    closed = take_network()  # before there are other threads
    try:
        import pyoxigraph

        if not closed and may_lead_out(request["query"]):
            result = {"error": "a query with the letters of SERVICE is refused on this system", "code": "service"}
        else:
            result = answer(pyoxigraph.Store.read_only(request["store"]), request)
    except (OSError, RuntimeError, ValueError, MemoryError) as error:
        result = _failed(error)
    json.dump(result, sys.stdout, ensure_ascii=False)


def may_lead_out(query: str) -> bool:
    """Whether a text has the letters of SERVICE anywhere, escaped ones among them: without them nothing leads out."""
    return "service" in _ESCAPED.sub(lambda match: chr(int(match[1] or match[2], 16) % 0x110000), query).lower()


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
    """Let the system end this process if its parent is gone."""
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
        names = ["subject", "predicate", "object"]
        return _limited(names, ([getattr(triple, part) for part in names] for triple in found), request)
    names = [variable.value for variable in found.variables]
    return _limited(names, ([solution[name] for name in names] for solution in found), request)


def _limited(names: Any, solutions: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Rows up to the limits, and the limit that ended them."""
    terms = ([None if term is None else term_of(term) for term in solution] for solution in solutions)
    rows, ended = bounded(terms, request["rows"], request["bytes"])
    return {"kind": "rows", "names": list(names), "rows": rows, "ended": ended}


def bounded(given: Any, most: int, most_bytes: int) -> tuple[list[Any], str]:
    """The first rows, and which limit ended them, if one did: "rows" or "bytes"."""
    rows: list[Any] = []
    size = 0
    for row in given:
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
