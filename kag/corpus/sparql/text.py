"""Whether a query may be run at all, decided on its parse tree, and the text in which the engine gets it.

The engine has a grammar of its own and reads letter by letter, so it may part a text otherwise than the standard does:
an IRI here can be `<` and a string there. So it never gets the text that was judged, but one that is written from the
tree: blanks between tokens, IRIs whole, strings escaped anew, keywords from a closed list. That text has one reading,
and no SERVICE stands in it outside of strings, IRIs, language tags and names of variables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.core.errors import QueryError
from kag.corpus.sparql.columns import FORMS, columns
from kag.corpus.sparql.grammar import Tree, parse
from kag.corpus.sparql.names import Names
from kag.corpus.sparql.tokens import Token, unescaped

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

    `form` is one of `READING`, `columns` as in `kag.corpus.sparql.columns`, `iris` are all that it names, whole.
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
    raise QueryError(f"{word[:40] or 'an empty text'} is no query", hint=hint)


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
