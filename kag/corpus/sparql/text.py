"""Whether a query may be run at all, decided on its parse tree, and the text in which the engine gets it.

The engine has a grammar of its own and reads letter by letter, so it may split a text otherwise than the standard does:
an IRI here can be `<` and a string there. So it never gets the text that was judged, but one that is written from the
tree: blanks between tokens, IRIs whole (prefixes expanded, relative ones resolved as RFC 3986 says), strings escaped
again, keywords from a closed list. That text has one reading, and no SERVICE stands in it outside of strings, IRIs,
language tags and names of variables.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from rdflib import URIRef

from kag.core.errors import QueryError
from kag.corpus.sparql.grammar import Node, Token, Tree, parse, unescaped
from kag.rdf.layer_profiles import PROFILES
from kag.rdf.namespaces import LAYER_PREFIXES
from kag.rdf.ontology import undefined_terms

KNOWN: Mapping[str, str] = LAYER_PREFIXES
"""The prefixes that need no declaration; one that a query declares itself is what it says."""

_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.S)
_NOT_IN_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:")
_ESCAPED = re.compile(r"\\(.)")


def declared_prefixes(tree: Tree) -> set[str]:
    """The prefixes that a query declares, without their colons."""
    return {tree.tokens[node.start + 1].text[:-1] for node in tree.of("Prefix")}


def used_prefixes(tree: Tree) -> set[str]:
    """The prefixes that a query uses behind its declarations, without their colons."""
    body = tree.tokens[next(tree.of("Prologue")).end :]
    return {token.text.partition(":")[0] for token in body if token.kind in ("name", "namespace")}


class Names:
    """The prefixes and the base that a query declares, and the prefixes that are known without that.

    `declared` are the IRIs by their prefixes, which have no colons. Raises `QueryError` on a declared IRI that is none.
    """

    def __init__(self, tree: Tree) -> None:
        self.declared: dict[str, str] = {}
        self._base = ""
        for node in tree.of("Base", "Prefix"):
            iri = self.iri(tree.tokens[node.end - 1])
            if node.rule == "Base":
                self._base = iri
            else:
                self.declared[tree.tokens[node.start + 1].text[:-1]] = iri

    def iri(self, token: Token) -> str:
        """The IRI that a token names, "" for a token that names none; raises `QueryError` where it cannot be known."""
        if token.kind == "iri":
            return self._whole(token.text[1:-1])
        if token.kind not in ("name", "namespace"):
            return ""
        prefix, _, local = token.text.partition(":")
        space = self.declared.get(prefix) or KNOWN.get(prefix)
        if space is None:
            known = ", ".join(sorted(KNOWN))
            hint = f"Declare it (PREFIX {prefix}: <...>), or write the whole IRI in <>. Known are {known}."
            raise QueryError(f"the prefix {prefix}: is not declared", hint=hint)
        return space + _ESCAPED.sub(r"\1", local)

    def _whole(self, text: str) -> str:
        """The IRI between the brackets of a token."""
        iri = unescaped(text) if "\\" in text else text
        if iri is not text and _NOT_IN_IRI.search(iri):
            raise QueryError(
                f"<{iri[:80]}> is not an IRI", hint="Leave its escapes out: they are characters that no IRI has."
            )
        if self._base:
            return resolved(self._base, iri)
        if not _SCHEME.match(iri):
            raise QueryError(
                f"<{iri[:80]}> is not a whole IRI", hint="Write the whole IRI: <http://...>, or declare a BASE."
            )
        return iri


def resolved(base: str, reference: str) -> str:
    """A reference against a base, as RFC 3986 says in section 5.2; a whole IRI stays as it is, dots and all.

    >>> resolved("http://a/b/c/d?q", "../g#s")
    'http://a/b/g#s'
    """
    scheme, authority, path, query, fragment = _parts(reference)
    if scheme is not None:
        return reference
    scheme, around, above, asked, _ = _parts(base)
    path, above = path or "", above or ""
    if authority is None and not path:
        path, query = above, asked if query is None else query
    elif authority is not None or path.startswith("/"):
        path = _without_dots(path)
    else:
        folder = "/" if around is not None and not above else above[: above.rfind("/") + 1]
        path = _without_dots(folder + path)
    authority = around if authority is None else authority
    return (
        f"{scheme}:"
        + ("" if authority is None else f"//{authority}")
        + path
        + ("" if query is None else f"?{query}")
        + ("" if fragment is None else f"#{fragment}")
    )


def _parts(iri: str) -> tuple[str | None, ...]:
    """Scheme, authority, path, query and fragment; None for what is not there."""
    match = _PARTS.fullmatch(iri)
    assert match, "every text has these parts"
    return match.groups()


def _without_dots(path: str) -> str:
    """A path with its `.` and `..` gone."""
    kept: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif part != ".":
            kept.append(part)
    if parts[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)


FORMS = ("SelectQuery", "AskQuery", "ConstructQuery", "DescribeQuery")
TRIPLE = ("subject", "predicate", "object")
# What only tests (FILTER, expressions) or takes away (MINUS) binds nothing; of a query inside, its columns are bound.
_BINDS_NOTHING = ("Filter", "Minus", "Expression", "SubSelect")


def columns(tree: Tree) -> tuple[str, ...]:
    """The names of a query's columns in their order, which for `SELECT *` is that of the alphabet.

    Those of CONSTRUCT and DESCRIBE are subject, predicate and object, that of ASK is boolean.
    """
    form = next(number for number, node in enumerate(tree.nodes) if node.rule in FORMS)
    if tree.nodes[form].rule != "SelectQuery":
        return ("boolean",) if tree.nodes[form].rule == "AskQuery" else TRIPLE
    parts = defaultdict[int, list[int]](list)
    for number, node in enumerate(tree.nodes):
        parts[node.parent].append(number)
    found: dict[int, Sequence[str]] = {}
    for number in reversed(range(len(tree.nodes))):  # queries inside of others come later, and are known before these
        if tree.nodes[number].rule in ("SelectQuery", "SubSelect"):
            clause, *rest = parts[number]
            items = [tree.nodes[part] for part in parts[clause]]
            found[number] = [item_name(tree, item) for item in items] or _bound(tree, rest, parts, found)
    return tuple(found[form])


def item_name(tree: Tree, item: Node) -> str:
    """The variable of a `SelectItem`: the variable itself, or that behind AS."""
    return tree.tokens[item.end - 1 if item.end - item.start == 1 else item.end - 2].text[1:]


def _bound(
    tree: Tree, start: Sequence[int], parts: Mapping[int, list[int]], queries: Mapping[int, Sequence[str]]
) -> list[str]:
    """The variables that the patterns of some nodes bind."""
    names = set[str]()
    left = [number for number in start if tree.nodes[number].rule in ("Where", "Values")]
    while left:
        number = left.pop()
        at = tree.nodes[number].start
        for part in parts.get(number, ()):
            node = tree.nodes[part]
            names |= _variables(tree, at, node.start)
            at = node.end
            names.update(queries.get(part, ()))
            if node.rule not in _BINDS_NOTHING:
                left.append(part)
        names |= _variables(tree, at, tree.nodes[number].end)
    return sorted(names)


def _variables(tree: Tree, start: int, end: int) -> set[str]:
    return {token.text[1:] for token in tree.tokens[start:end] if token.kind == "variable"}


LONGEST = 20_000
"""Characters that a query may have."""
LONGEST_WRITTEN = 1_000_000
"""Characters that it may have with all its names written out."""
READING = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_DECLARED = re.compile(r"(?:\s|#[^\r\n]*+|(?:PREFIX\s*+[^\s<]*+|BASE)\s*+<[^>]*+>)*+(\w*)", re.I)
_XSD = "http://www.w3.org/2001/XMLSchema#"
_ESCAPES = {code: f"\\u{code:04X}" for code in (*range(32), 127)} | str.maketrans({'"': '\\"', "\\": "\\\\"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A query that may be run: its form, its columns, the graphs of FROM and FROM NAMED, and the text for the engine.

    `form` is one of `READING`, `columns` as in `kag.corpus.sparql.text`, `iris` are all that it names, whole.
    """

    form: str
    columns: tuple[str, ...]
    graphs: tuple[str, ...]
    iris: frozenset[str]
    text: str


def read(query: str) -> Reading:
    """Read a query; raises `QueryError` on one that must not run, or that is no query."""
    return judged(syntax(query))


def syntax(query: str) -> Tree:
    """The parse tree of a query of ordinary size that only reads; raises `QueryError` on any other text."""
    if len(query) > LONGEST:
        raise QueryError(f"the query has {len(query)} characters", hint=f"Ask with at most {LONGEST}.")
    try:
        query.encode()
        return parse(query)
    except UnicodeEncodeError as error:
        raise QueryError("the query has half a character", hint="Write it in UTF-8.") from error
    except QueryError:
        declared = _DECLARED.match(query)
        word = declared[1].upper() if declared else ""
        if word in READING or (query.strip() and not word):
            raise
    hint = "Queries only read: begin with SELECT, ASK, CONSTRUCT or DESCRIBE. `kag corpus add` and `remove` change."
    raise QueryError(f"{word[:40] or 'an empty text'} is not a query", hint=hint)


def judged(tree: Tree) -> Reading:
    """What a tree reads, where it may be run; raises `QueryError` where it asks other places, or names what is none."""
    if next(tree.of("Service"), None):
        raise QueryError("SERVICE is refused: nothing outside the corpus is asked", hint="Leave the SERVICE part out.")
    names = Names(tree)
    start = next(tree.of(*FORMS)).start
    iris = [names.iri(token) for token in tree.tokens[start:]]
    graphs = tuple(iris[node.end - 1 - start] for node in tree.of("Dataset"))
    text = _written(tree, start, iris)
    return Reading(tree.tokens[start].kind, columns(tree), graphs, frozenset(iris) - {""}, text)


def _written(tree: Tree, start: int, iris: list[str]) -> str:
    """The query from its form on, each token on the line of the query on which it stands."""
    signed = {node.start for node in tree.of("Signed")}
    labels: dict[str, str] = {}
    parts: list[str] = []
    at, lines, size, function = 0, 0, 0, False
    for number, (token, iri) in enumerate(zip(tree.tokens[start:], iris, strict=True), start):
        lines += tree.query.count("\n", at, token.start)
        at = token.start
        if not (function and token.kind in ("(", "()")):  # the engine wants no blank behind the names of some
            parts.append("\n" * lines or " ")
            lines = 0
        parts.append(f"<{iri}>" if iri else _typed(token.text) if number in signed else _plain(token, labels))
        function = token.kind[0].isupper()
        size += len(parts[-1])
        if size > LONGEST_WRITTEN:
            hint = "Shorten its prefixes, or ask in parts."
            raise QueryError(f"the query has over {LONGEST_WRITTEN} characters with its names written out", hint=hint)
    return "".join(parts)


def _plain(token: Token, labels: dict[str, str]) -> str:
    """Any token but an IRI, in the one way in which it is written; `labels` are the names of blank nodes so far."""
    if token.kind == "string":
        marks = 3 if token.text.startswith(('"""', "'''")) else 1
        return f'"{unescaped(token.text[marks:-marks]).translate(_ESCAPES)}"'
    if token.kind == "variable":
        return f"?{token.text[1:]}"
    if token.kind == "blank":
        return labels.setdefault(token.text, f"_:b{len(labels)}")
    if token.kind in ("TRUE", "FALSE"):
        return token.kind.lower()
    return token.text if token.kind in ("language", "integer", "number", "signed") else token.kind


def _typed(number: str) -> str:
    """A number with a sign as a string with a type: behind a path, the sign is the path's for the engine."""
    kind = "double" if "e" in number.lower() else "decimal" if "." in number else "integer"
    return f'"{number}" ^^ <{_XSD}{kind}>'


_OPEN = ("concept", "rdf", "rdfs", "unit", "work", "xsd")  # prefixes of names that are no terms of ours to list


def unknown_terms(query: str) -> tuple[str, ...]:
    """For each term of a query that no vocabulary of the graphs defines, a line that says so, with the nearest ones.

    Raises `QueryError` where the query is none.
    """
    spaces = {name: space for name, space in LAYER_PREFIXES.items() if name not in _OPEN}
    named = [URIRef(iri) for iri in read(query).iris if iri.startswith(tuple(spaces.values()))]
    terms = (term for layer in PROFILES.values() for term in (*layer.classes, *layer.properties))
    known = sorted({_short(iri, spaces) for iri in terms})
    return tuple(_line(_short(iri, spaces), known) for iri in undefined_terms(named))


def _line(term: str, known: Iterable[str]) -> str:
    near = get_close_matches(term, known, n=3)
    return f"no graph has {term}" + (f"; there is {', '.join(near)}" if near else "")


def _short(iri: str, spaces: dict[str, str]) -> str:
    fitting = (f"{name}:{iri[len(space) :]}" for name, space in spaces.items() if iri.startswith(space))
    return next(fitting, f"<{iri}>")
