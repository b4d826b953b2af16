"""The same questions put to a SPARQL 1.1 store that the corpus was pushed to, in place of its own files.

A query is judged as ever, and the store gets the text that is written from its tree. The protocol names the graphs of
the corpus as the dataset, so that whatever else the store holds has no say. Time, rows and bytes are bounded here;
memory is the store's own affair. Nodes without a name are called as the store calls them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from kag.core.errors import QueryError
from kag.corpus import graphs
from kag.corpus.sparql import query_worker
from kag.corpus.sparql.query import Limits, Table, Term
from kag.corpus.sparql.text import Reading, read
from kag.corpus.store import open_corpus
from kag.export.stores.sparql import Store, Way

RESULTS, TRIPLES = "application/sparql-results+json", "application/n-triples"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_KINDS = {"uri": "uri", "bnode": "bnode", "literal": "literal", "typed-literal": "literal"}


def ask_at(address: str, root: Path, query: str, limits: Limits | None = None) -> Table:
    """Put a query about a corpus to the store at an address.

    Raises `QueryError` when it is refused or wrong, `CorpusError` without a corpus, `StoreError` for all that goes
    wrong with the store.
    """
    bounds, reading = limits or Limits(), read(query)
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
        return _triples(answer, bounds) if triples else _table(reading, json.loads(answer), bounds)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, SyntaxError) as error:
        hint = "Give the address of the store's queries, of Oxigraph http://127.0.0.1:7878/query."
        raise QueryError(f"{store.name}: no answer to a query: {error!r:.200}", hint=hint) from error


def _require(reading: Reading, names: list[str]) -> None:
    """Raise `QueryError` where a query names a graph that is not the corpus' own."""
    strange = [name for name in reading.graphs if name not in names]
    if strange:
        raise QueryError(f"the corpus has no graph <{strange[0]}>", hint="`kag corpus list --json` shows the graphs.")


def _table(reading: Reading, answer: Any, bounds: Limits) -> Table:
    if reading.form == "ASK":
        rows = answer["results"]["bindings"] if "boolean" not in answer else ()  # so says Virtuoso 7.2: a row is a yes
        return Table(("boolean",), (({"type": "literal", "value": str(bool(answer.get("boolean", rows))).lower()},),))
    columns = reading.columns
    told = [[_term(row.get(name)) for name in columns] for row in answer["results"]["bindings"]]
    rows, ended = query_worker.bounded(told, bounds.rows, bounds.bytes)
    return Table(tuple(columns), tuple(map(tuple, rows)), ended)


def _triples(answer: bytes, bounds: Limits) -> Table:
    import pyoxigraph

    names = ("subject", "predicate", "object")
    found = pyoxigraph.parse(answer, pyoxigraph.RdfFormat.N_TRIPLES)
    told = [[query_worker.term_of(getattr(quad, name)) for name in names] for quad in found]
    rows, ended = query_worker.bounded(told, bounds.rows, bounds.bytes)
    return Table(names, tuple(map(tuple, rows)), ended)


def _term(told: Any) -> Term | None:
    """A term of an answer, as the corpus itself tells it; None where there is none."""
    if told is None:
        return None
    term = {"type": _KINDS[told["type"]], "value": str(told["value"])}
    if told.get("xml:lang"):
        return {**term, "xml:lang": str(told["xml:lang"])}
    kind = told.get("datatype", _STRING)
    return term if kind == _STRING else {**term, "datatype": str(kind)}
