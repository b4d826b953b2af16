"""The names of a query as whole IRIs: prefixes put in, relative ones resolved as RFC 3986 says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kag.core.errors import QueryError
from kag.corpus.sparql.grammar import Tree
from kag.corpus.sparql.tokens import Token, unescaped
from kag.rdf.namespaces import LAYER_PREFIXES

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
                f"<{iri[:80]}> is no IRI", hint="Leave its escapes out: they are characters that no IRI has."
            )
        if self._base:
            return resolved(self._base, iri)
        if not _SCHEME.match(iri):
            raise QueryError(
                f"<{iri[:80]}> is no whole IRI", hint="Write the whole IRI: <http://...>, or declare a BASE."
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
