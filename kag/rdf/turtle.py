"""A graph as Turtle that people can read and `git diff` can compare: the same graph, the same bytes.

Subjects are sorted, a subject's class comes first, prefixes are sorted, a blank line parts the subjects.
"""

from __future__ import annotations

from rdflib import Graph

from kag.errors import BadValue
from kag.rdf.namespaces import RDF
from kag.rdf.ntriples import lines, term

_TYPE = term(RDF.type)


def to_turtle(graph: Graph, prefixes: dict[str, str]) -> str:
    """Turtle of the graph; raises `BadValue` when it holds an IRI that is none.

    Blank nodes keep their labels, so only a graph without them is sure to give the same bytes twice.
    """
    import pyoxigraph  # a compiled library: imported when first needed

    ordered = "\n".join(sorted(lines(graph), key=_reading_order))
    try:
        triples = list(pyoxigraph.parse(ordered, pyoxigraph.RdfFormat.N_TRIPLES))
    except SyntaxError as error:  # finer checks of an IRI's parts than `term` makes
        raise BadValue(f"the graph cannot be written: {error}", hint="Remove or rewrite the IRI.") from error
    written = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.TURTLE, prefixes=prefixes)
    return _tidy((written or b"").decode(), prefixes)


def _reading_order(line: str) -> tuple[str, bool, str]:
    subject, predicate, _ = line.split(" ", 2)
    return subject, predicate != _TYPE, line


def _tidy(text: str, prefixes: dict[str, str]) -> str:
    # The writer escapes newlines in literals and indents by a tab: a line without one starts a subject.
    out = [f"@prefix {name}: <{prefixes[name]}> ." for name in sorted(prefixes)]
    for row in text.rstrip("\n").split("\n"):
        if row.startswith("\t"):
            out.append("    " + row[1:])
        elif row and not row.startswith("@prefix "):
            out.extend(["", row])
    return "\n".join(out).lstrip("\n") + "\n"
