"""RDF terms and graphs as N-Triples text, the one syntax all our engines read.

The validation loop writes a few hundred lines after each change, so this writer is small and fast. It also
makes terms canonical: two literals that RDF calls the same term come out as the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

from rdflib import BNode, Literal, URIRef
from rdflib.term import Node

from kag.core.errors import BadValue
from kag.rdf.namespaces import XSD

TextTriple = tuple[str, str, str]
"""A triple as three terms in N-Triples syntax."""

# What an absolute IRI may hold in N-Triples (RFC 3987 without the checks of the single parts).
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:[^\x00-\x20<>\"{}|^`\\%\ud800-\udfff]|%[0-9A-Fa-f]{2})*\Z")
_LABEL = re.compile(r"[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*\Z")
_UNSAFE = re.compile(r"[\x00-\x1f\"\\\x7f\ud800-\udfff]")
_STRING = str(XSD.string)
_ESCAPED = re.compile(r"\\(?:u([0-9A-F]{4})|.)")
_NAMED = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}
_MEANT = {escape: character for character, escape in _NAMED.items()}


def term(node: Node) -> str:
    """A term in N-Triples syntax; raises `BadValue` on an IRI that is none.

    `xsd:string` is left out and language tags are lower case (RDF 1.1, section 3.3). A lone surrogate, which
    no RDF syntax can carry, becomes U+FFFD.

    >>> term(Literal('say "hi"', lang="EN"))
    '"say \\\\"hi\\\\""@en'
    """
    kind = type(node)  # isinstance is slow on rdflib's abstract terms, and this is called for each of them
    if kind is URIRef or (kind is not Literal and isinstance(node, URIRef)):
        return _iri(str(node))
    if kind is Literal or isinstance(node, Literal):
        value = cast(Literal, node)
        return literal(value, value.datatype, value.language)
    if isinstance(node, BNode) and _LABEL.match(node):
        return f"_:{node}"
    raise BadValue(f"{node!r} is not an RDF term", hint="Use an IRI, a blank node or a literal.")


def node(text: str) -> Node:
    """The term that `term` wrote.

    >>> node('"3"^^<http://www.w3.org/2001/XMLSchema#integer>') == Literal(3), node(term(Literal('say "hi"')))
    (True, rdflib.term.Literal('say "hi"'))
    """
    if text[0] == "<":
        return _node(text)
    if text[0] == "_":
        return BNode(text[2:])
    end = text.rindex('"')
    if end == len(text) - 1:
        return Literal(lexical(text), normalize=False)
    if text[end + 1] == "@":
        return Literal(lexical(text), lang=text[end + 2 :])
    return Literal(lexical(text), datatype=_node(text[end + 3 :]), normalize=False)


@lru_cache(maxsize=65536)
def _node(text: str) -> URIRef:
    return URIRef(text[1:-1])


def lexical(text: str) -> str:
    """The characters of a literal, an IRI or a blank node that `term` wrote."""
    if text[0] != '"':
        return text[1:-1] if text[0] == "<" else text[2:]
    inner = text[1 : text.rindex('"')]
    return _ESCAPED.sub(_unescape, inner) if "\\" in inner else inner


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _MEANT[match[0]]


def iri(text: str) -> str:
    """An IRI in N-Triples syntax; raises `BadValue` on one that is none."""
    return _iri(str(text))


def literal(text: str, datatype: URIRef | None = None, language: str | None = None) -> str:
    """A literal in N-Triples syntax, a string without a datatype.

    >>> literal('say "hi"')
    '"say \\\\"hi\\\\""'
    """
    if not text.isprintable() or '"' in text or "\\" in text:  # most texts need no look at each character
        text = _UNSAFE.sub(_escape, text)
    if language:
        return f'"{text}"@{language.lower()}'
    kind = _STRING if datatype is None else str(datatype)  # two terms of rdflib are compared in Python
    return f'"{text}"' if kind == _STRING else f'"{text}"^^{_iri(kind)}'


def is_iri(text: str) -> bool:
    """Whether a text is an absolute IRI as N-Triples can carry it."""
    return _IRI.match(text) is not None


@lru_cache(maxsize=65536)
def _iri(iri: str) -> str:
    if not is_iri(iri):
        raise BadValue(f"{iri!r} is not an absolute IRI", hint='Percent-encode spaces and <>"{}|\\^` in it.')
    return f"<{iri}>"


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    return _NAMED.get(character) or f"\\u{ord(character):04X}"


def lines(triples: Iterable[tuple[Node, Node, Node]]) -> list[str]:
    """Each triple as an N-Triples line without its newline, in the order given."""
    return [f"{subject} {predicate} {value} ." for subject, predicate, value in texts(triples)]


def texts(triples: Iterable[tuple[Node, Node, Node]]) -> Iterator[TextTriple]:
    """Each triple as three terms in N-Triples syntax, in the order given."""
    for subject, predicate, value in triples:
        yield term(subject), term(predicate), term(value)
