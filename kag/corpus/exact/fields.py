"""Fields of things in an answer, and printed nodes with text, page and boxes, read by SPARQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kag.core.evidence import Evidence, text_hash
from kag.corpus.exact.find import Finder, Item
from kag.corpus.exact.named import Ambiguous
from kag.corpus.exact.things import FLOATS, Run, Unfit, literal, term, values
from kag.corpus.sparql.text import with_prefixes
from kag.qa.exact.facts import mark_end
from kag.qa.paper import Boxes, read_boxes
from kag.qa.questions.structured_query import Kind
from kag.qa.quote import SHORT, find_quote
from kag.text.sentences import sentences

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
        once = {_folded(row["value"]): row for row in rows}
        found[item.id] = [_stated(finder, row["value"], row["g"], printed.get(row["n"]), ids) for row in once.values()]
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


OPENING = 60  # characters that tell a paragraph from others
BATCH = 40  # nodes asked for at once: a query has at most 20,000 characters

# The nodes stand inside GRAPH and inside each alternative: joined from outside, all texts of the corpus would be read.
_DIRECT = """SELECT ?paper ?at ?text ?page ?box WHERE {
  GRAPH ?paper { %s ?at kag:fullText ?text ; kag:pageNumber ?page . OPTIONAL { ?at kag:hasBBox ?box } } }"""
_ALTERNATIVES = (
    "?iri kag:containsAsHeader ?at",
    "?at kag:describes ?iri",
    "?at kag:hasMention ?iri . ?iri kag:startOffset ?start ; kag:endOffset ?end",
    "?iri a fabio:ResearchPaper . ?at a doco:Title",
    "?iri a fabio:ResearchPaper . ?at kag:order ?order . FILTER(?order <= 3) FILTER NOT EXISTS { ?any a doco:Title }",
    "?at biro:references ?iri",
)
_CAPTIONS = "SELECT ?iri ?at WHERE { GRAPH ?paper { %s ?at kag:describes ?iri } }"
_BEHIND = "SELECT ?iri ?at ?start ?end WHERE { GRAPH ?paper { %s } }"


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed node, as in evidence; `start` and `end` are set for a call-out: its characters in the text."""

    paper: str
    iri: str
    page: int
    boxes: Boxes
    text: str
    start: int = 0
    end: int = 0

    def evidence(self, start: int = 0, end: int | None = None) -> Evidence:
        """The evidence for some characters of the text, all of it without any."""
        stop = len(self.text) if end is None else end
        quote = self.text[start:stop]
        return Evidence(self.paper, self.iri, self.page, self.boxes, quote, start, stop, text_hash(self.text))

    def place(self) -> Evidence:
        """The call-out, or the beginning of the text."""
        if self.end:
            return self.evidence(self.start, self.end)
        end = len(self.text) if len(self.text) <= 2 * SHORT else self.text.rfind(" ", 1, SHORT)
        return self.evidence(0, end if end > 0 else SHORT)

    def opening(self) -> Evidence:
        """The first sentences, whole: what is cut off may deny what is left."""
        ends = (end for _, end in sentences(self.text) if end >= OPENING)
        return self.evidence(0, next(ends, None))

    def mark(self) -> Evidence | None:
        """Return the stand-in for a node that is only counted."""
        if self.end:
            return self.place()
        end = mark_end(self.text)
        return self.evidence(0, end) if end else None

    def quoting(self, words: str) -> Evidence:
        """The words where the text has them, else its beginning."""
        span = find_quote(self.text, words)
        return self.evidence(*span) if span else self.place()


def find_printed(
    run: Run, iris: Iterable[str], ids: Mapping[str, str], *, by_caption: bool = False
) -> dict[str, Printed]:
    """The printed node of each node that has one: itself, else its heading, caption, host, title or first entry.

    `ids` are the papers' ids by IRI. Nodes that nothing printed stands for are left out. `by_caption` takes the caption
    of a float in place of its own text, which is axis labels or cells.
    """
    wanted = tuple(dict.fromkeys(iris))
    found = _direct(run, wanted, ids)
    if by_caption:
        pairs = sorted(_rows(run, lambda part: _CAPTIONS % values("iri", part), wanted), reverse=True)
        captions = {pair[0]: pair[1] for pair in pairs}  # the first caption of each
        places = _direct(run, dict.fromkeys(captions.values()), ids)
        found |= {iri: places[at] for iri, at in captions.items() if at in places}
    behind = _behind(run, [iri for iri in wanted if iri not in found])
    places = _direct(run, dict.fromkeys(at for at, _, _ in (row for rows in behind.values() for row in rows)), ids)
    for iri, rows in behind.items():
        known = sorted((places[at].page, at, start, end) for at, start, end in rows if at in places)
        if known:
            _, at, start, end = known[0]
            one = places[at]
            found[iri] = Printed(one.paper, one.iri, one.page, one.boxes, one.text, start, end)
    return found


def _direct(run: Run, iris: Iterable[str], ids: Mapping[str, str]) -> dict[str, Printed]:
    rows: dict[str, list[tuple[str, str, int, str]]] = {}
    for paper, at, text, page, box in _rows(run, lambda part: _DIRECT % values("at", part), tuple(iris)):
        rows.setdefault(at, []).append((paper, text, int(page), box))
    return {
        at: Printed(ids[paper], at, page, read_boxes(tuple(sorted({row[3] for row in many}))), text)
        for at, many in rows.items()
        for paper, text, page, _ in [min(many)]
        if paper in ids
    }


def _behind(run: Run, iris: Sequence[str]) -> dict[str, list[tuple[str, int, int]]]:
    found: dict[str, list[tuple[str, int, int]]] = {}

    def query(part: Sequence[str]) -> str:
        return _BEHIND % " UNION ".join(f"{{ {values('iri', part)} {way} }}" for way in _ALTERNATIVES)

    for iri, at, start, end in _rows(run, query, iris):
        found.setdefault(iri, []).append((at, int(start or 0), int(end or 0)))
    return found


def _rows(run: Run, query: Callable[[Sequence[str]], str], iris: Sequence[str]) -> Iterable[list[str]]:
    for start in range(0, len(iris), BATCH):
        table = run(with_prefixes(query(iris[start : start + BATCH])))
        yield from ([term["value"] if term else "" for term in row] for row in table.rows)
