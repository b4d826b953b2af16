"""Search with facets: hits that have what is chosen, and how many there are of each value.

    choice -> papers and years limit the search -> the rest is looked at in hits, deeper until there are enough
           -> counts: of each facet over the hits that have what is chosen of all the others

A facet does not count itself out: beside what is chosen of it, the rest is still there to be chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kag.core.errors import BadValue
from kag.retrieval.chunking import Hit
from kag.retrieval.facets import FACETS, LAYER_OF, OF_PAPERS, Chosen, Facts, Names, facts_of, things_in
from kag.retrieval.index import Index
from kag.retrieval.retrieve import Found, search

DEEP = 200  # hits that facets are counted over
DEEPEST = 16 * DEEP  # hits that are looked at for those that have what is chosen
SPELLED = ("kind", "section")
LISTED = 8  # values that are listed if the chosen ones are not among them
VALUES = 100  # of a facet that are counted, the most frequent
WITHOUT_LAYERS = "`kag corpus index --corpus DIR --layers entity,claim` makes them; for runs `kag layers RUNS`."

Counts = Mapping[str, Mapping[str, int]]
Find = Callable[[Collection[str], int], Found]
"""What is found in these documents (all where none are named), at most so many hits."""


@dataclass(frozen=True, slots=True)
class Faceted:
    """Hits within a choice of facets: `hits` have the chosen values, at most `DEEP`; `found` is their search. `chosen`
    has the labels of `counts`; chosen values are counted even if the count is 0. `notes` say what facets lack."""

    hits: tuple[Hit, ...]
    found: Found
    chosen: Chosen
    counts: Counts
    notes: tuple[str, ...]


def faceted(index: Index, wanted: Chosen, years: Mapping[str, str], find: Find) -> Faceted:
    """Hits and counts; `years` are those of the papers. Raises `BadValue` where no paper is as it is chosen, or none
    of those that are found has the layer that a chosen facet is of."""
    documents = _documents(index, wanted, years)
    with index.whole():
        found, seen = _deep_enough(index, wanted, years, lambda most: find(documents, most))
        kept = tuple(hit for hit, facts in seen.rows if facts.fit(seen.wanted))[:DEEP]
        if not kept:
            _require_layers(seen)
        counts = {name: _counted(seen, name) for name in FACETS}
        if documents:
            whole = _seen(index, wanted, years, find((), DEEP).hits)
            counts |= {name: _counted(whole, name) for name in OF_PAPERS}
    return Faceted(kept, found, seen.wanted, counts, (*_lacking(seen), *_nowhere(seen)))


def finder(index: Index, query: str, plan: str = "", references: bool = False) -> Find:
    """The search of an index for a query (see `kag.retrieval.retrieve.search`), as facets need it."""
    return lambda documents, most: search(index, query, plan=plan, k=most, documents=documents, references=references)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Hits that were examined, with their values; the choice in their labels."""

    rows: tuple[tuple[Hit, Facts], ...]
    wanted: Chosen


def _documents(index: Index, wanted: Chosen, years: Mapping[str, str]) -> tuple[str, ...]:
    """The documents to search, none for all."""
    limits = {name: wanted[name] for name in OF_PAPERS if name in wanted}
    if not limits:
        return ()
    found = tuple(
        name
        for name in index.documents
        if all({"paper": name, "year": years.get(name, "")}[facet] in some for facet, some in limits.items())
    )
    if not found:
        narrowed = " and ".join(f"{facet} {', '.join(values)[:80]}" for facet, values in limits.items())
        raise BadValue(f"there is nothing of {narrowed}", hint="Choose other papers or years.")
    return found


def _deep_enough(
    index: Index, wanted: Chosen, years: Mapping[str, str], find: Callable[[int], Found]
) -> tuple[Found, _Seen]:
    """A search deep enough for `DEEP` hits that have what is chosen, or as deep as it goes."""
    most = DEEP
    while True:
        found = find(most)
        seen = _seen(index, wanted, years, found.hits)
        enough = sum(facts.fit(seen.wanted) for _, facts in seen.rows) >= DEEP
        if enough or len(found.hits) < most or most >= DEEPEST or not set(wanted).difference(OF_PAPERS):
            return found, seen
        most *= 4


def _seen(index: Index, wanted: Chosen, years: Mapping[str, str], hits: Iterable[Hit]) -> _Seen:
    chunks = [(hit, index.chunks[hit.chunk]) for hit in hits]
    names = Names(thing for _, chunk in chunks for thing in things_in(chunk))
    rows = tuple((hit, facts_of(chunk, years.get(chunk.document, ""), names)) for hit, chunk in chunks)
    return _Seen(rows, _as_spelled(names.meant(wanted), rows))


def _as_spelled(wanted: Chosen, rows: Iterable[tuple[Hit, Facts]]) -> Chosen:
    """The choice with kinds of text and sections in the capitals that they have here: "methods" are "Methods"."""
    spelled = {(name, value.casefold()): value for _, facts in rows for name in SPELLED for value in facts.values[name]}
    return {
        name: tuple(spelled.get((name, value.casefold()), value) for value in some) for name, some in wanted.items()
    }


def _counted(seen: _Seen, name: str) -> Mapping[str, int]:
    """Count the hits by value of a facet, given the choices in the others: the most frequent first."""
    counts = Counter(value for _, facts in seen.rows if facts.fit(seen.wanted, name) for value in facts.values[name])
    ranked = sorted(counts, key=lambda value: (-counts[value], value))[:VALUES]
    return {value: counts[value] for value in dict.fromkeys((*ranked, *seen.wanted.get(name, ())))}


def _papers(seen: _Seen) -> Mapping[str, frozenset[str]]:
    """The layers of each paper that was found."""
    return {paper: facts.layers for _, facts in seen.rows for paper in facts.values["paper"]}


def _require_layers(seen: _Seen) -> None:
    papers = _papers(seen)
    for name in seen.wanted:
        layer = LAYER_OF.get(name)
        if papers and layer and not any(layer in layers for layers in papers.values()):
            raise BadValue(f"no paper that is found has the layer {layer!r}, which tells {name}", hint=WITHOUT_LAYERS)


def _lacking(seen: _Seen) -> tuple[str, ...]:
    """Count the papers found without layers."""
    papers = _papers(seen)
    bare = sum(not layers for layers in papers.values())
    if not bare:
        return ()
    problem = "no paper that is found has" if bare == len(papers) else f"{bare} of {len(papers)} papers found have no"
    return (f"{problem} layers, which hold entities and roles: {WITHOUT_LAYERS}",)


def _nowhere(seen: _Seen) -> Iterator[str]:
    """Return the chosen values without hits, and the available ones."""
    for name in (one for one in seen.wanted if one not in OF_PAPERS):
        there = Counter(value for _, facts in seen.rows for value in facts.values[name])
        strange = [value for value in seen.wanted[name] if value not in there]
        if strange and there:
            values = ", ".join(value for value, _ in there.most_common(LISTED))
            yield f"nothing that is found is of the {name} {', '.join(strange)[:80]}: there are {values}"
