"""A graph as Turtle that people can read and `git diff` can compare: the same graph, the same bytes.

Subjects are sorted, a subject's class comes first, prefixes are sorted, a blank line parts the subjects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from rdflib import BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kag.core.errors import BadValue
from kag.rdf.namespaces import RDF, XSD
from kag.rdf.ntriples import TextTriple, term, texts

_TYPE = term(RDF.type)
_STRING = str(XSD.string)
_PIECE = 5_000  # triples that are written at a time
_AND = " ;\n    "
_SUBJECTS = ("<x:a>", "<x:b>")
_BEGIN = len("<x:a> a ")


def to_turtle(graph: Graph, prefixes: dict[str, str]) -> str:
    """Turtle of the graph; raises `BadValue` when it holds an IRI that is none.

    Blank nodes keep their labels, so only a graph without them is sure to give the same bytes twice.
    """
    return turtle(texts(graph), prefixes)


def from_turtle(data: bytes) -> Graph:
    """The graph of a Turtle file, several times faster than rdflib's own parser; raises `SyntaxError`."""
    import pyoxigraph  # a compiled library: imported when first needed

    graph, known = Graph(), {}

    def node(found: Any) -> Node:
        if found not in known:
            known[found] = _node(found)
        return known[found]

    parsed = pyoxigraph.parse(data, pyoxigraph.RdfFormat.TURTLE)
    for quad in parsed:
        graph.store.add((node(quad.subject), node(quad.predicate), node(quad.object)), graph)
    for prefix, space in parsed.prefixes.items():
        graph.bind(prefix, space)
    return graph


def _node(found: Any) -> Node:
    """A term of the parser as one of rdflib."""
    language = getattr(found, "language", None)
    datatype = getattr(found, "datatype", None)
    if language:
        return Literal(found.value, lang=language)
    if datatype is not None:
        plain = datatype.value == _STRING
        return Literal(found.value, datatype=None if plain else URIRef(datatype.value))
    return BNode(found.value) if str(found).startswith("_:") else URIRef(found.value)


def turtle(triples: Iterable[TextTriple], prefixes: dict[str, str]) -> str:
    """`to_turtle` from triples in N-Triples syntax."""
    text = "".join(turtle_pieces(sorted(triples), prefixes))
    return (text if prefixes else text.lstrip("\n")) or "\n"


def turtle_pieces(triples: Iterable[TextTriple], prefixes: dict[str, str]) -> Iterator[str]:
    """`turtle` of triples that come subject by subject, these sorted: so that few are held at once."""
    yield "".join(f"@prefix {name}: <{prefixes[name]}> .\n" for name in sorted(prefixes))
    for piece in _pieces(triples):
        yield "".join(_statements(piece, _spelled(set(chain.from_iterable(piece)), prefixes)))


def _pieces(triples: Iterable[TextTriple]) -> Iterator[list[TextTriple]]:
    """Runs of triples that part no subject."""
    piece: list[TextTriple] = []
    for triple in triples:
        if len(piece) >= _PIECE and triple[0] != piece[-1][0]:
            yield piece
            piece = []
        piece.append(triple)
    if piece:
        yield piece


def _statements(piece: list[TextTriple], spelled: Mapping[str, str]) -> Iterator[str]:
    """Yield the statements of each subject: its class, then its properties with their values, sorted as in
    N-Triples."""
    for subject, own in groupby(sorted(piece), key=itemgetter(0)):
        values: dict[str, list[str]] = {_TYPE: []}
        for _, predicate, value in own:
            values.setdefault(predicate, []).append(spelled.get(value, value))
        classes = values.pop(_TYPE)
        statements = [f"a {' , '.join(classes)}"] if classes else []
        statements += [f"{spelled[predicate]} {' , '.join(found)}" for predicate, found in values.items()]
        yield f"\n{spelled[subject]} {_AND.join(statements)} .\n"


def _spelled(terms: set[str], prefixes: dict[str, str]) -> dict[str, str]:
    """Return the Turtle spelling of terms in N-Triples syntax; strings without escapes are identical and left out."""
    import pyoxigraph  # a compiled library: imported when first needed

    others = [one for one in terms if one[0] != '"' or one[-1] != '"' or "\\" in one]
    # A statement a term, each of another subject than the one before: so each is on a line of its own.
    lines = "\n".join([f"{_SUBJECTS[n % 2]} {_TYPE} {one} ." for n, one in enumerate(others)])
    try:
        quads = list(pyoxigraph.parse(lines, pyoxigraph.RdfFormat.N_TRIPLES))
    except SyntaxError as error:  # finer checks of an IRI's parts than `term` makes
        raise BadValue(f"the graph cannot be written: {error}", hint="Remove or rewrite the IRI.") from error
    text = (pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.TURTLE, prefixes=prefixes) or b"").decode()
    rows = [row for row in text.split("\n") if row.startswith(_SUBJECTS)]
    return {one: row[_BEGIN:-2] for one, row in zip(others, rows, strict=True)}
