"""What is seen of a query before the engine reads it: its form, the graphs and terms that it names, what is refused.

The tokens here serve messages, hints and FROM; the engine has the last word on what a query means, and it may split a
text otherwise. That no query leads out does not rest on them: a text with the letters of SERVICE only reaches an engine
that has no network (`kag.corpus.sparql.query_worker`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from kag.core.errors import QueryError
from kag.core.works import WORKS
from kag.corpus.shared_works import GRAPH
from kag.rdf.namespaces import LAYER_PREFIXES, PAPERS, RDF
from kag.rdf.profile import PROFILES

KNOWN: Mapping[str, str] = LAYER_PREFIXES
"""The prefixes that need no declaration; one that a query declares itself is what it says."""
LONGEST = 20_000
"""Characters that a query may have."""
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_TOKEN = re.compile(  # a string that is not closed goes on to its end, so that no text is read twice
    r"""\#[^\r\n]*+
    |(?P<string>\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:\"{3})?|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?
        |"(?:[^"\\\r\n]|\\.)*+"?|'(?:[^'\\\r\n]|\\.)*+'?)
    |<(?P<iri>[^<>"{}|^`\\\x00-\x20]*+)>
    |[?$](?P<variable>\w++)
    |(?P<name>(?:_|[^\W\d_][\w.-]{0,60}+)?:(?:[\w:%-]|\\.|\.(?=[\w:%\\-]))*+)
    |(?P<word>@?[^\W\d]\w*+)
    |(?P<mark>[^\s\w])""",
    re.X | re.S,
)
_DATA = (PAPERS, WORKS, GRAPH)


@dataclass(frozen=True, slots=True)
class Token:
    """A string, iri, variable, name, word or mark: its text (of an IRI and a variable without marks) and its place."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """A keyword in capitals; "" for anything else."""
        return self.text.upper() if self.kind == "word" else ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query that may be run: its form, the graphs of FROM and FROM NAMED, all IRIs that it names, and its text with
    the known prefixes declared, on the lines where it had them."""

    form: str
    graphs: tuple[str, ...]
    iris: frozenset[str]
    text: str


def tokens(query: str) -> list[Token]:
    """The tokens of a query without blanks and comments, in linear time."""
    return [
        Token(match.lastgroup, match[match.lastgroup], *match.span())
        for match in _TOKEN.finditer(query)
        if match.lastgroup
    ]


def read(query: str) -> Reading:
    """Read a query; raises `QueryError` for one that is too long, does not only read, or asks other places."""
    found = _tokens_of_reading(query)
    if any(token.word == "SERVICE" for token in found):
        raise QueryError("SERVICE is refused: nothing outside the corpus is asked", hint="Leave the SERVICE part out.")
    declared, start = _prologue(found)
    iris = {at: _iri(token, declared) for at, token in enumerate(found[start:], start)}
    graphs = [
        iris[at + 1 + (found[at + 1].word == "NAMED")]
        for at, token in enumerate(found[:-2])
        if at >= start and token.word == "FROM"
    ]
    named = frozenset(iri for iri in iris.values() if iri)
    return Reading(found[start].word, tuple(filter(None, graphs)), named, with_prefixes(query))


def _tokens_of_reading(query: str) -> list[Token]:
    """The tokens of a query of ordinary size and one of the four forms."""
    if len(query) > LONGEST:
        raise QueryError(f"the query has {len(query)} characters", hint=f"Ask with at most {LONGEST}.")
    try:
        query.encode()
    except UnicodeEncodeError as error:
        raise QueryError("the query has half a character", hint="Write it in UTF-8.") from error
    found = tokens(query)
    start = _prologue(found)[1]
    word = found[start].word if start < len(found) else ""
    if word in FORMS:
        return found
    hint = "Queries only read: begin with SELECT, ASK, CONSTRUCT or DESCRIBE. `kag corpus add` and `remove` change."
    raise QueryError(f"{word[:40] or 'a text without a form'} is not a query", hint=hint)


def _prologue(found: Sequence[Token]) -> tuple[dict[str, str], int]:
    """The declared prefixes, without colons, and the place behind all declarations."""
    declared: dict[str, str] = {}
    at = 0
    while at < len(found) and found[at].word in ("BASE", "PREFIX"):
        if found[at].word == "PREFIX" and [token.kind for token in found[at + 1 : at + 3]] == ["name", "iri"]:
            declared[found[at + 1].text.rstrip(":")] = found[at + 2].text
            at += 1
        at += 2
    return declared, at


def _iri(token: Token, declared: Mapping[str, str]) -> str:
    """Return the IRI of a token, "" if it has none; raises `QueryError` for an undeclared prefix."""
    if token.kind == "iri":
        return token.text
    prefix, _, local = token.text.partition(":")
    if token.kind != "name" or prefix == "_":
        return ""
    space = declared.get(prefix) or KNOWN.get(prefix)
    if space is None:
        near = get_close_matches(prefix, KNOWN, 3, 0.5)
        known = " or ".join(near) or ", ".join(sorted(KNOWN))
        hint = f"Declare it (PREFIX {prefix}: <...>), write the whole IRI in <>, or use {known}."
        raise QueryError(f"the prefix {prefix}: is not declared", hint=hint)
    return space + local.replace("\\", "")


def with_prefixes(query: str) -> str:
    """A query with the known prefixes declared that it uses and does not declare itself, on its first line."""
    found = tokens(query)
    declared, start = _prologue(found)
    used = {token.text.partition(":")[0] for token in found[start:] if token.kind == "name"}
    return "".join(f"PREFIX {name}: <{KNOWN[name]}> " for name in sorted(used - set(declared)) if name in KNOWN) + query


@cache
def known_terms() -> frozenset[str]:
    """The classes and properties that a query may use: those of the layers, and the corpus's own."""
    layers = PROFILES.values()
    return frozenset(str(term) for layer in layers for term in (*layer.classes, *layer.properties)) | {str(RDF.type)}


def unknown_terms(iris: Iterable[str]) -> tuple[str, ...]:
    """For each IRI that is no data and no term of the graphs a line that says so, with the nearest terms."""
    names = {short(term): term for term in sorted(known_terms())}
    found = []
    for iri in sorted(set(iris) - known_terms()):
        if not iri.startswith((*_DATA, KNOWN["xsd"])):
            near = get_close_matches(short(iri), names, 3, 0.6) or get_close_matches(
                _local(iri), [_local(term) for term in names.values()], 3, 0.6
            )
            hint = f"Did you mean {' or '.join(near)}?" if near else "Use the terms of the schema."
            found.append(f"{short(iri)} is not a term of these graphs. {hint}")
    return tuple(found)


def short(iri: str) -> str:
    """An IRI with its prefix, as queries write it."""
    space = max((one for one in KNOWN.values() if iri.startswith(one)), key=len, default="")
    name = next((name for name, one in KNOWN.items() if one == space and space), "")
    return f"{name}:{iri[len(space) :]}" if name else f"<{iri}>"


def _local(iri: str) -> str:
    return re.split(r"[/#]", iri)[-1]


def unbound_columns(query: str) -> list[str]:
    """The columns that a query asks for and names nowhere else."""
    clause, found = _clause(query)
    depths = [sum({"(": 1, ")": -1}.get(token.text, 0) for token in clause[:at]) for at in range(len(clause))]
    plain = [token.text for token, depth in zip(clause, depths, strict=True) if token.kind == "variable" and not depth]
    names = [token.text for token in found if token.kind == "variable"]
    return [name for name in plain if names.count(name) == 1]


def counting(query: str) -> str | None:
    """The query with a last column of the nodes that it counts, joined by blanks; None where it counts none.

    >>> counting("SELECT (COUNT(?x) AS ?n) WHERE { ?x a ?y }")
    'SELECT (COUNT(?x) AS ?n) (GROUP_CONCAT(DISTINCT STR(?x); SEPARATOR=" ") AS ?kag_counted) WHERE { ?x a ?y }'
    """
    clause, _ = _clause(query)
    for at, token in enumerate(clause):
        inside = at + 2 + (at + 2 < len(clause) and clause[at + 2].word == "DISTINCT")
        counted = clause[inside : inside + 2]
        if token.word == "COUNT" and [one.kind for one in counted] == ["variable", "mark"] and counted[1].text == ")":
            end = clause[-1].end
            column = f'(GROUP_CONCAT(DISTINCT STR(?{counted[0].text}); SEPARATOR=" ") AS ?kag_counted)'
            return f"{query[:end]} {column}{query[end:]}"
    return None


def _clause(query: str) -> tuple[list[Token], list[Token]]:
    """The tokens between SELECT and WHERE, FROM or a brace, none for other forms; and all tokens."""
    found = tokens(query)
    start = _prologue(found)[1]
    if start >= len(found) or found[start].word != "SELECT":
        return [], found
    ends = (
        at for at, token in enumerate(found) if at > start and (token.word in ("WHERE", "FROM") or token.text == "{")
    )
    return found[start + 1 : next(ends, len(found))], found
