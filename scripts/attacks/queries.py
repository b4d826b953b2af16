"""Hostile SPARQL: nothing may get out, reading ends soon, and every refusal is a `QueryError`.

The tricks that are known against readers of SPARQL, most with some of their characters or pieces changed. A server on
the loopback counts who connects. What the check lets through is put to the engine as on a system without a filter of
sockets; some queries go to the process of queries unjudged.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pyoxigraph

from kag.core.errors import QueryError
from kag.corpus.sparql import query_worker
from kag.corpus.sparql.text import read
from scripts.attacks.case import Case
from scripts.attacks.listening import Heard, listening

KIND = "SPARQL: queries that hide what they ask"
CASES = 2000
_UNJUDGED = 50  # one case of so many goes to the process of queries as it is
_SLOW = 2.0  # seconds that reading may take
_PIECES = [
    *(
        "<'>",
        '<">',
        "<",
        ">",
        "'",
        '"',
        "'''",
        '"""',
        "\\",
        "\\u0053",
        "\\u0027",
        "#",
        "\n",
        "\r",
        "\t",
        " ",
        "\x00",
        "\x0b",
    ),
    *(
        "\ufeff",
        "\u200b",
        "\u00a0",
        "\u2028",
        "\u0131",
        "\u017f",
        "\ud800",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ".",
        ";",
        ",",
        "^^",
    ),
    *(
        "@",
        ":",
        "_:",
        "?",
        "$",
        "/",
        "|",
        "!",
        "*",
        "+",
        "-",
        "&&",
        "||",
        "<<",
        ">>",
        "{|",
        "|}",
        "SERVICE",
        "service",
        "SILENT",
    ),
    *(
        "UNION",
        "FILTER",
        "EXISTS",
        "SELECT",
        "ASK",
        "a",
        "true",
        "VALUES",
        "UNDEF",
        "FROM",
        "LATERAL",
        "\ud83d",
        "\U0001f600",
    ),
]
_TRICKS = [  # @@ is the clause, with a server that listens
    "SELECT * { FILTER(1 <'>' || true) @@ FILTER('x'='x') }",
    "SELECT * { FILTER(1 <\">\" || true) @@ FILTER('x'='x') }",
    "SELECT * { FILTER(?a <'''> ''' || true) @@ FILTER('x'='x') }",
    "SELECT * { BIND(1 <'>' AS ?x) @@ BIND('x' AS ?y) }",
    "SELECT * { ?s ?p '''a''' . # '\n@@ }",
    "SELECT * { ?s ?p 'a' . # '\r@@ }",
    "SELECT * { ?s ?p <a:b#> . @@ }",
    "SELECT * { ?s ?p <a:\\u003E> . @@ . ?s ?p <a:> }",
    "SELECT * { ?s ?p 'a\\u0027 . @@ ?s ?p \\u0027' }",
    'SELECT * { ?s ?p "\\" . @@ #" }',
    "SELECT * { ?s ?p 1.@@ }",
    "PREFIX e: <a:> SELECT * { ?s ?p e:.@@ }",
    "PREFIX e: <a:> SELECT * { ?s ?p e:\\'. @@ ?s ?p ' }",
    "SELECT * { ?s ?p true.@@ }",
    'SELECT * { ?s ?p "x"@en.@@ }',
    "SELECT (EXISTS { @@ } AS ?x) { } HAVING (EXISTS { @@ })",
    "SELECT * { { SELECT * { @@ } } } ORDER BY (EXISTS { @@ })",
    "CONSTRUCT { ?s ?p ?o } WHERE { { { OPTIONAL { @@ } } } }",
    "DESCRIBE ?s { MINUS { @@ } }",
    "ASK { GRAPH ?g { @@ } } VALUES ?g { <a:b> }",
    "SELECT * { ?s <a:b>/<a:c>* ?o FILTER(?o IN ('SERVICE', <a:SERVICE>)) @@ }",
    "INSERT { ?s ?p ?o } WHERE { @@ }",
]
_CLAUSES = [
    "SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o }",
    "service silent <http://127.0.0.1:PORT/>{?s ?p ?o}",
    "SerVice#'\n<http://127.0.0.1:PORT/>{}",
    "SERVICE ?where { ?s ?p ?o } VALUES ?where { <http://127.0.0.1:PORT/> }",
    "\\u0053ERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o }",
    "S\u200bERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o }",
    "\u017fERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o }",
    "?s ?p ?o . FILTER(STR(?o) != 'SERVICE <http://127.0.0.1:PORT/>')",
]


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Try `cases` queries, a small store beside them."""
    path = work / "store"
    path.mkdir()
    store = pyoxigraph.Store(str(path))
    store.update("INSERT DATA { GRAPH <a:g> { <a:b> <a:c> 1 } GRAPH <a:h> { <a:b> a 'x'@en } }")
    store.flush()
    with listening() as heard:
        for number in range(cases):
            query = _query(random, heard.port)
            unjudged = number % _UNJUDGED == 7 and query_worker.has_filter()
            failed = _unjudged(path, query) if unjudged else _judged(store, query)
            yield Case(query[:300], failed or _reached(heard))


def _reached(heard: Heard) -> str:
    count, heard.count = heard.count, 0
    return f"{count} connections" if count else ""


def _judged(store: pyoxigraph.Store, query: str) -> str:
    """What is wrong with how a query is read, and run where it may be."""
    start = time.monotonic()
    try:
        reading = read(query)
    except QueryError as error:
        return "" if error.message and error.hint else "a refusal without a reason or a way out"
    except Exception as error:
        return f"no refusal but {error!r}"
    if time.monotonic() - start > _SLOW:
        return "reading took too long"
    if query_worker.may_lead_out(query):
        return ""
    reply = query_worker.answer(store, {"query": reading.text, "graphs": reading.graphs, "rows": 3, "bytes": 10_000})
    return "" if {"kind", "error"} & reply.keys() else "no result and no error"


def _unjudged(path: Path, query: str) -> str:
    """What gets out of the process of queries when nothing judged the query before."""
    request = {"store": str(path), "query": query, "graphs": [], "rows": 3, "bytes": 10_000}
    request |= {"seconds": 5, "memory": 4_000_000_000}
    command = [sys.executable, "-P", query_worker.__file__]
    done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, timeout=30)
    return f"a traceback: {done.stderr[-200:]}" if done.returncode == 1 else ""


def _query(random: Random, port: int) -> str:
    text = random.choice(_TRICKS).replace("@@", random.choice(_CLAUSES))
    if random.random() < 0.7:
        text = _changed(random, text, 1 + int(random.expovariate(0.5)))
    if random.random() < 0.1:
        text = "".join(char.swapcase() if random.random() < 0.3 else char for char in text)
    return text.replace("PORT", str(port)).replace("port", str(port))


def _changed(random: Random, text: str, times: int) -> str:
    """A text with some pieces put in, taken out, doubled or moved."""
    for _ in range(times):
        at = random.randrange(len(text) + 1)
        to = min(len(text), at + random.choice((0, 0, 1, 1, 2, 5, 20)))
        piece = random.choice(
            (random.choice(_PIECES), random.choice(_PIECES), text[at:to] * 2, "", chr(random.randrange(128)))
        )
        text = text[:at] + piece + text[to:]
    return text
