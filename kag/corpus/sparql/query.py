"""Questions in SPARQL to a corpus: read-only, and bounded in time, rows, bytes and memory.

A query is looked at (`kag.corpus.sparql.text`) and runs in a process of its own on a published state, so a limit really
ends it and nothing gets out. Without FROM it asks all graphs as one; `GRAPH ?paper { ... }` separates the papers.

At an endpoint, a SPARQL 1.1 store that the corpus was pushed to, the protocol names the graphs of the corpus as the
dataset, so whatever else the store holds has no say. Time, rows and bytes are bounded here; memory is the store's own.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from kag.core.errors import QueryError
from kag.corpus import graphs
from kag.corpus.graphs import open_snapshot, snapshot
from kag.corpus.layout import Layout
from kag.corpus.sparql import query_worker
from kag.corpus.sparql.text import Reading, read
from kag.corpus.store import open_corpus
from kag.export.sparql_store import Store, Way

_STRING_OR_IRI = re.compile(
    r"""\"(?:[^"\\\r\n]|\\.)*+\"|<[^<>"'\s{}|^`\\]*+>"""
)  # the engine splits these no other way
WIDEST = 60  # characters of a column for people; longer values push the rest of their line on
Term = Mapping[str, str]
"""A term as in the SPARQL 1.1 query results JSON format: type, value, perhaps datatype or xml:lang."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one query."""

    seconds: float = 10.0
    rows: int = 1000
    bytes: int = 1_000_000
    memory: int = 4_000_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """A query's result; `ended` names the limit ("rows", "bytes") that cut it short.

    ASK gives one row of one column "boolean"; CONSTRUCT and DESCRIBE the columns subject, predicate and object.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    ended: str = ""

    def to_json(self) -> str:
        """Return the result in the SPARQL 1.1 JSON format, with `ended` if rows were left out."""
        bindings = [{name: term for name, term in zip(self.names, row, strict=True) if term} for row in self.rows]
        data: dict[str, Any] = {"head": {"vars": list(self.names)}, "results": {"bindings": bindings}}
        return json.dumps(data | ({"ended": self.ended} if self.ended else {}), ensure_ascii=False, indent=2) + "\n"

    def to_text(self) -> str:
        """As columns below their names, parted by blanks; line breaks in a value become blanks."""
        rows = [self.names, *(tuple(" ".join(value.split()) for value in row) for row in self._values())]
        widths = [min(WIDEST, max(map(len, column))) for column in zip(*rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join(lines) + "\n"

    def to_csv(self) -> str:
        """As SPARQL 1.1 CSV: the names, then the values as they are, in quotes where they need them."""
        out = io.StringIO(newline="")
        csv.writer(out).writerows([self.names, *self._values()])
        return out.getvalue()

    def to_tsv(self) -> str:
        """As lines of values parted by tabs, the names first; tabs and line breaks in a value become blanks."""
        rows = [self.names, *(tuple(" ".join(value.split()) for value in row) for row in self._values())]
        return "".join("\t".join(row) + "\n" for row in rows)

    def _values(self) -> list[tuple[str, ...]]:
        return [tuple(term["value"] if term else "" for term in row) for row in self.rows]


def ask(root: Path, query: str, limits: Limits | None = None) -> Table:
    """Put a query to a corpus; raises `QueryError` when it is refused, wrong or too slow, `CorpusError` without one."""
    bounds = limits or Limits()
    layout = _layout(root)
    request = _request(read(query), bounds) | {"seconds": bounds.seconds, "memory": bounds.memory}
    while True:
        state = snapshot(layout)
        reply = _reply({**request, "store": str(state)}, bounds.seconds)
        if reply.get("code") != "store" or snapshot(layout) == state:  # else the state was replaced meanwhile
            return _table(reply)


def reader(root: Path, limits: Limits | None = None) -> Callable[[str], Table]:
    """A way to put many queries to one published state, in this process: rows and bytes are bounded, time is not.

    For queries of a known shape, which this package's own callers build; anybody else's go through `ask`: the process
    may have its network, so letters of SERVICE may only stand in a string or an IRI. Raises `QueryError` as `ask` does.
    """
    store = open_snapshot(_layout(root))
    bounds = limits or Limits()

    def run(query: str) -> Table:
        bare = _STRING_OR_IRI.sub("", query)
        if "'" in bare or query_worker.may_lead_out(bare):
            raise QueryError("a query of another shape than kag builds", hint="Put it by `ask`.")
        return _table(query_worker.answer(store, _request(read(query), bounds)))

    return run


def _layout(root: Path) -> Layout:
    layout = Layout(root)
    layout.require()
    return layout


def _request(reading: Reading, bounds: Limits) -> dict[str, Any]:
    """The request to the worker."""
    return {"query": reading.text, "graphs": reading.graphs, "rows": bounds.rows, "bytes": bounds.bytes}


def _reply(request: dict[str, Any], seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-P", str(Path(query_worker.__file__))]
    try:
        done = subprocess.run(
            command, input=json.dumps(request), capture_output=True, text=True, encoding="utf-8", timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        hint = "Ask for less: name the paper's graph, or a node; filters on texts read all of them."
        raise QueryError(f"the query was stopped after {seconds:g} s", hint=hint) from error
    if done.returncode or not done.stdout:
        hint = "Ask for less: sorting and grouping keep all rows in memory; deep nesting cannot be read."
        raise QueryError("the query was stopped: it took too much memory or time", hint=hint)
    reply: dict[str, Any] = json.loads(done.stdout)
    return reply


def _table(reply: Mapping[str, Any]) -> Table:
    if "error" in reply:
        hints = {
            "syntax": "Correct the query (SPARQL 1.1): names bound twice or not at all, labels of blank nodes, IRIs.",
            "graph": "`kag corpus list --json` shows the graphs.",
            "service": "Write servi[c]e in a REGEX instead.",
        }
        message = _reason(reply["error"]) if reply["code"] == "syntax" else str(reply["error"])
        raise QueryError(message, hint=hints.get(reply["code"], "Run `kag corpus check`."))
    if reply["kind"] == "boolean":
        return Table(("boolean",), (({"type": "literal", "value": str(reply["boolean"]).lower()},),))
    return Table(tuple(reply["names"]), tuple(tuple(row) for row in reply["rows"]), reply["ended"])


def _reason(message: str) -> str:
    """The line of a query that the engine cannot read, and the sentences among what it expected there."""
    place, _, rest = message.partition(": expected ")
    found = re.findall(r"[A-Z][A-Za-z]+(?: [A-Za-z*]+){2,}", rest)
    line = place.removeprefix("error at ").partition(":")[0]
    return f"the query cannot be read in line {line}" + (f": {'; '.join(found)}" if found else "")


RESULTS, TRIPLES = "application/sparql-results+json", "application/n-triples"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_KINDS = {"uri": "uri", "bnode": "bnode", "literal": "literal", "typed-literal": "literal"}


def ask_at(address: str, root: Path, query: str, limits: Limits | None = None) -> Table:
    """Put a query about a corpus to the store at an address.

    Raises `QueryError` when it is refused or wrong, `CorpusError` without a corpus, `StoreError` for all that goes
    wrong with the store.
    """
    bounds, reading = limits or Limits(), read(query)
    if query_worker.may_lead_out(query):
        raise QueryError("a query to a store may not have the letters of SERVICE", hint="Write servi[c]e in a REGEX.")
    names = sorted(graphs.names(graphs.open_snapshot(open_corpus(root).layout)))
    _require(reading, names)
    asked = [("query", reading.text)]
    if not reading.graphs:  # else the query says itself what it is put to
        asked += [(which, name) for name in names for which in ("default-graph-uri", "named-graph-uri")]
    triples = reading.form in ("CONSTRUCT", "DESCRIBE")
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Accept": TRIPLES if triples else RESULTS,
    }
    store = Store(address, Way(seconds=bounds.seconds, attempts=1))
    answer = store.asked("POST", store.url, urlencode(asked).encode(), headers)
    try:
        return _triples(answer, bounds) if triples else _remote_table(reading, json.loads(answer), bounds)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, SyntaxError) as error:
        hint = "Give the address of the store's queries, of Oxigraph http://127.0.0.1:7878/query."
        raise QueryError(f"{store.name}: no answer to a query: {error!r:.200}", hint=hint) from error


def _require(reading: Reading, names: list[str]) -> None:
    """Raise `QueryError` where a query names a graph that is not the corpus' own."""
    strange = [name for name in reading.graphs if name not in names]
    if strange:
        raise QueryError(f"the corpus has no graph <{strange[0]}>", hint="`kag corpus list --json` shows the graphs.")


def _remote_table(reading: Reading, answer: Any, bounds: Limits) -> Table:
    if reading.form == "ASK":
        rows = answer["results"]["bindings"] if "boolean" not in answer else ()  # so says Virtuoso 7.2: a row is a yes
        return Table(("boolean",), (({"type": "literal", "value": str(bool(answer.get("boolean", rows))).lower()},),))
    columns = [str(name) for name in answer["head"]["vars"]]
    terms = [[_term(row.get(name)) for name in columns] for row in answer["results"]["bindings"]]
    rows, ended = query_worker.bounded(terms, bounds.rows, bounds.bytes)
    return Table(tuple(columns), tuple(map(tuple, rows)), ended)


def _triples(answer: bytes, bounds: Limits) -> Table:
    import pyoxigraph

    names = ("subject", "predicate", "object")
    found = pyoxigraph.parse(answer, pyoxigraph.RdfFormat.N_TRIPLES)
    terms = [[query_worker.term_of(getattr(quad, name)) for name in names] for quad in found]
    rows, ended = query_worker.bounded(terms, bounds.rows, bounds.bytes)
    return Table(names, tuple(map(tuple, rows)), ended)


def _term(binding: Any) -> Term | None:
    """Return a term of an answer in the corpus's own spelling; None for an unbound one."""
    if binding is None:
        return None
    term = {"type": _KINDS[binding["type"]], "value": str(binding["value"])}
    if binding.get("xml:lang"):
        return {**term, "xml:lang": str(binding["xml:lang"])}
    kind = binding.get("datatype", _STRING)
    return term if kind == _STRING else {**term, "datatype": str(kind)}
