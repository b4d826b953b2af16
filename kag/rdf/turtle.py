"""A graph as Turtle that people can read and `git diff` can compare: the same graph, the same bytes.

Subjects are sorted, a subject's class comes first, prefixes are sorted, a blank line parts the subjects.
"""

from __future__ import annotations

from rdflib import Graph

from kag.rdf.namespaces import RDF
from kag.rdf.ntriples import lines, term

_TYPE = term(RDF.type)


def to_turtle(graph: Graph, prefixes: dict[str, str]) -> str:
    """Turtle of the graph; raises `BadValue` when it holds an IRI that is none.

    Blank nodes keep their labels, so only a graph without them is sure to give the same bytes twice.
    """
    import pyoxigraph  # a compiled library: imported when first needed

    ordered = "\n".join(sorted(lines(graph), key=_reading_order))
    triples = pyoxigraph.parse(ordered, pyoxigraph.RdfFormat.N_TRIPLES)
    written = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.TURTLE, prefixes=prefixes)
    return _tidy(written.decode(), len(prefixes))


def _reading_order(line: str) -> tuple[str, bool, str]:
    subject, predicate, _ = line.split(" ", 2)
    return subject, predicate != _TYPE, line


def _tidy(text: str, prefix_count: int) -> str:
    # The writer escapes newlines in literals and indents by a tab: a line without one starts a subject.
    rows = text.rstrip("\n").split("\n")
    out = sorted(rows[:prefix_count])
    for row in rows[prefix_count:]:
        out.extend(["    " + row[1:]] if row.startswith("\t") else ["", row])
    return "\n".join(out).strip("\n") + "\n"
