"""What is told of a thing instead of the thing itself: its title, year, journal, page, text; where it is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kag.core.evidence import Evidence
from kag.corpus.exact.find import Finder, Item
from kag.corpus.exact.named import Ambiguous
from kag.corpus.exact.printed import Printed, find_printed
from kag.corpus.exact.schema_query import literal, term, values
from kag.corpus.exact.things import FLOATS, Unfit
from kag.qa.questions.structured_query import Kind
from kag.qa.quote import find_quote

_ENTRY: Mapping[str, str] = {
    "title": "dcterms:title",
    "year": "fabio:hasPublicationYear",
    "doi": "prism:doi",
    "journal": "prism:publicationName",
    "venue": "prism:publicationName",
    "volume": "prism:volume",
    "issue": "prism:number",
    "author": "kag:authorList",
    "authors": "kag:authorList",
    "number": "kag:citationNumber",
}
_PAPER = {**_ENTRY, "author": "dcterms:creator", "authors": "dcterms:creator", "keyword": "prism:keyword"}
_PRINTED = ("text", "page")


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a thing, and where it is printed."""

    text: str
    evidence: Evidence


def fields(
    finder: Finder, kind: Kind, items: Sequence[Item], name: str, ids: Mapping[str, str]
) -> dict[str, list[Field]]:
    """The values of a property by the things' identities; raises `Unfit` for one that such things do not have.

    Raises `Ambiguous` where a value is stated and printed nowhere.
    """
    printed = find_printed(finder.names.run, [node for item in items for node in (*item.captions, item.node)], ids)
    if name in ("caption", "title") and kind in FLOATS:  # a table's own text is its cells
        named = ((item, next((one for one in (*item.captions, item.node) if one in printed), "")) for item in items)
        return {item.id: [_of_print(printed[node], name)] for item, node in named if node}
    if name in _PRINTED or (name == "title" and kind == "section"):
        return {item.id: [_of_print(printed[item.node], name)] for item in items if item.node in printed}
    known = _PAPER if kind == "paper" else _ENTRY if kind in ("reference", "work") else {}
    if name not in known:
        raise Unfit(name)
    found: dict[str, list[Field]] = {}
    for item in items:
        block = values("n", [node for _, node in item.nodes])
        rows = finder.rows(
            f"SELECT DISTINCT ?g ?n ?value WHERE {{ GRAPH ?g {{ {block} ?n {known[name]} ?value }} }} ORDER BY ?value"
        )
        said = {_folded(row["value"]): row for row in rows}
        found[item.id] = [_stated(finder, row["value"], row["g"], printed.get(row["n"]), ids) for row in said.values()]
    return found


def _of_print(one: Printed, name: str) -> Field:
    if name == "page":
        return Field(f"page {one.page}", one.place())
    return Field(" ".join(one.text.split()), one.evidence())


def _stated(finder: Finder, value: str, paper: str, own: Printed | None, ids: Mapping[str, str]) -> Field:
    """A value where its thing prints it, else where its paper does first."""
    if own is not None:
        span = find_quote(own.text, value)
        if span or ";" in value:  # a list of names is printed in another order
            return Field(value, own.evidence(*span) if span else own.place())
    has = f"?n kag:fullText ?text ; kag:order ?order . FILTER(CONTAINS(?text, {literal(value)}))"
    says = f"GRAPH {term(paper)} {{ {has} }}"
    rows = finder.rows(f"SELECT ?n WHERE {{ {says} }} ORDER BY ?order LIMIT 1")
    found = find_printed(finder.names.run, [row["n"] for row in rows], ids)
    for one in found.values():
        span = find_quote(one.text, value)
        if span:
            return Field(value, one.evidence(*span))
    raise Ambiguous(f"{value} is printed nowhere")


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
