"""SPARQL 1.1 queries of every kind, and a few graphs to put them to."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph

_HERE = Path(__file__).parent
_PREFIXES = (
    "PREFIX : <http://example.org/>\nPREFIX foaf: <http://xmlns.com/foaf/0.1/>\n"
    "PREFIX dc: <http://purl.org/dc/terms/>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
)


def queries() -> list[str]:
    """All of `queries.txt`, one a line; a line that begins with a blank goes on with the one before."""
    text = (_HERE / "queries.txt").read_text(encoding="utf-8").strip()
    return [_PREFIXES + query for query in re.split(r"\n(?! )", text)]


def graphs() -> pyoxigraph.Store:
    """The graphs of `queries.trig`."""
    store = pyoxigraph.Store()
    store.load((_HERE / "queries.trig").read_bytes(), pyoxigraph.RdfFormat.TRIG)
    return store
