"""`SchemaQuery`: a question as SPARQL, and how the words of a question get into it: as escaped terms, never as text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kag.core.errors import BadValue
from kag.corpus.sparql.query import Table
from kag.rdf.namespaces import LAYER_PREFIXES

Run = Callable[[str], Table]
"""Puts a query to a corpus, read-only and bounded; raises `QueryError`."""

KNOWN_PREFIXES = LAYER_PREFIXES
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_IN_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_PREFIXED = re.compile(r"(?<![\w<\"])([a-z][a-z0-9]*):(?=[A-Za-z])")
_WORD = re.compile(r"[^\W_]+")
_GAP = r"[^\p{L}\p{N}]+"
_MOST_WORDS = 8  # of a phrase that a pattern looks for; what it finds is compared in full


@dataclass(frozen=True, slots=True)
class SchemaQuery:
    """A query, what it asks in words, and its columns with their meaning."""

    text: str
    asks: str
    columns: tuple[tuple[str, str], ...]


def literal(text: str) -> str:
    """A text as a SPARQL string, whatever it holds.

    >>> print(literal('a "b" c'))
    "a \\"b\\" c"
    """
    return '"' + "".join(_ESCAPES.get(char, char) for char in text if char >= " " or char in "\n\r\t") + '"'


def term(iri: str) -> str:
    """An IRI as a SPARQL term; raises `BadValue` on characters that no IRI has."""
    if _NOT_IN_IRI.search(iri):
        raise BadValue(f"{iri[:80]!r} is no IRI", hint="Give the IRI of a node of the corpus.")
    return f"<{iri}>"


def values(variable: str, iris: Iterable[str]) -> str:
    """A VALUES block over nodes."""
    return f"VALUES ?{variable} {{ {' '.join(term(iri) for iri in iris)} }}"


def with_prefixes(body: str) -> str:
    """A query with the prefixes that it uses declared; names inside its strings and IRIs do no harm."""
    used = sorted({name for name in _PREFIXED.findall(body) if name in KNOWN_PREFIXES})
    return "".join(f"PREFIX {name}: <{KNOWN_PREFIXES[name]}>\n" for name in used) + body.strip() + "\n"


def phrase_pattern(words: str) -> str:
    """A regular expression for words that follow each other, whatever marks and accents they are printed with.

    Only letters and digits of the words get into it. Empty when there are none.
    """
    found = _WORD.findall(unicodedata.normalize("NFKC", words))[:_MOST_WORDS]
    return _GAP.join("".join(map(_letter, word)) for word in found)


def _letter(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char)[0].lower()
    return f"[{plain}{_ACCENTED[plain]}]" if plain in _ACCENTED else plain


def _accented() -> dict[str, str]:
    found: dict[str, str] = {}
    for code in range(0xC0, 0x180):
        base = unicodedata.normalize("NFKD", chr(code).lower())[0]
        if base.isascii() and base.isalpha() and chr(code).islower():
            found[base] = found.get(base, "") + chr(code)
    return found


_ACCENTED = _accented()
