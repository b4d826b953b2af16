"""Facets: criteria that divide hits, the chosen values, the values of chunks; and search with facets.

`paper`, `year`, `kind` (of text) and `section` (its type) are known of every chunk; `entity_kind`, `entity` and `role`
(of claims) where its paper has layers. A chunk carries what its layers say in its metadata, so that nothing of a paper
is read to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from kag.core.errors import BadValue
from kag.rdf.profile import KIND_CLASSES, ROLES
from kag.retrieval.chunking import Chunk, Hit
from kag.retrieval.index import Index
from kag.retrieval.retrieve import Found, search
from kag.text.search_text import search_text

FACETS = ("paper", "year", "kind", "section", "entity_kind", "entity", "role")
OF_PAPERS = ("paper", "year")
LAYER_OF = {"entity_kind": "entity", "entity": "entity", "role": "claim"}
"""The layer of a paper that tells a facet."""

HEADINGS = {
    "paper": "Paper",
    "year": "Year",
    "kind": "Kind of text",
    "section": "Type of section",
    "entity_kind": "Kind of entity",
    "entity": "Entity",
    "role": "Role of claims",
}

LAYERS, THINGS, CLAIMS = "layers", "things", "claims"
"""Keys of a chunk's metadata: the layers of its paper, what it names, the roles of claims that stand in it."""

_MOST = 100  # values that one facet may have chosen
_LONGEST = 400  # characters of a value

Chosen = Mapping[str, tuple[str, ...]]
"""The values that hits must have one of, by facet; a facet that is not there is not looked at."""


class Thing(NamedTuple):
    """An entity as a chunk names it: `concept` is the same in every paper, `printed` are its names in this chunk."""

    kind: str
    concept: str
    name: str
    printed: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Return the name as a value of the facet "entity"."""
        return f"{self.kind}:{self.name}"


def with_things(things: Iterable[Thing]) -> str:
    """Things as a value of metadata, a line each."""
    return "\n".join(
        "\t".join(" ".join(part.split()) for part in (thing.kind, thing.concept, thing.name, *thing.printed))
        for thing in things
    )


def things_in(chunk: Chunk) -> tuple[Thing, ...]:
    """Return the things that a chunk names, by its metadata."""
    lines = (line.split("\t") for line in chunk.metadata.get(THINGS, "").split("\n") if line)
    return tuple(Thing(kind, concept, name, tuple(printed)) for kind, concept, name, *printed in lines)


def chosen(given: Iterable[tuple[str, str]]) -> Chosen:
    """Return the choice as (facet, value); raises `BadValue` for an unknown facet or an empty value.

    >>> chosen([("year", "2021"), ("entity", "species:people"), ("year", "2022")])
    {'year': ('2021', '2022'), 'entity': ('species:people',)}
    """
    found: dict[str, dict[str, None]] = {}
    for name, value in given:
        if name not in FACETS:
            near = get_close_matches(name[:40], FACETS, 1)
            meant = f"Did you mean {near[0]!r}? " if near else ""
            raise BadValue(f"there is no facet {name[:40]!r}", hint=f"{meant}There are {', '.join(FACETS)}.")
        words = " ".join(value.encode("utf-8", "replace").decode().split())
        if not words or len(words) > _LONGEST:
            raise BadValue(f"{name} is to be a value", hint=f"Give 1 to {_LONGEST} characters, as {_EXAMPLES[name]!r}.")
        if name in _KNOWN:
            words = words.casefold()
        if name in _KNOWN and words not in _KNOWN[name]:
            raise BadValue(f"there is no {name} {words[:40]!r}", hint=f"There are {', '.join(_KNOWN[name])}.")
        found.setdefault(name, {})[words] = None
    if crowd := next((name for name, values in found.items() if len(values) > _MOST), ""):
        raise BadValue(f"{len(found[crowd])} values of {crowd} are too many", hint=f"Choose {_MOST} at most.")
    return {name: tuple(values) for name, values in found.items()}


_EXAMPLES = {
    "paper": "smith2020",
    "year": "2021",
    "kind": "paragraph",
    "section": "Methods",
    "entity_kind": "chemical",
    "entity": "chemical:water",
    "role": "result",
}

_KNOWN = {"entity_kind": tuple(KIND_CLASSES), "role": ROLES}


def stated(words: Iterable[str]) -> Chosen:
    """Parse choices in words, each as "entity=species:people"; raises `BadValue`."""
    pairs = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadValue(f"{word[:60]!r} chooses nothing", hint='Give FACET=VALUE, as "role=result".')
        pairs.append((name.strip(), value))
    return chosen(pairs)


def given(facets: Mapping[str, Any]) -> Chosen:
    """Parse choices given as a mapping of facets to a value or a list of them; raises `BadValue`."""
    if not isinstance(facets, Mapping):
        raise BadValue("facets are not an object", hint='Give values by facet, as {"role": "result"}.')
    lists = {name: some if isinstance(some, list | tuple) else [some] for name, some in facets.items()}
    if odd := next((name for name, some in lists.items() if not all(isinstance(one, str | int) for one in some)), ""):
        raise BadValue(f"{odd[:40]} is given no words", hint="Give a value or a list of values for each facet.")
    return chosen((name, str(value)) for name, some in lists.items() for value in some)


def within(wanted: Chosen, papers: Sequence[str]) -> Chosen:
    """The choice within some papers, all where none are named; raises `BadValue` where it names others."""
    if not papers:
        return wanted
    both = tuple(name for name in papers if name in wanted.get("paper", papers))
    if not both:
        raise BadValue("the papers that are chosen are none of those that are searched", hint="Name them once.")
    return {**wanted, "paper": both}


@dataclass(frozen=True, slots=True)
class Facts:
    """A chunk's values by facet; `layers` are those that its paper has."""

    values: Mapping[str, frozenset[str]]
    layers: frozenset[str]

    def fit(self, wanted: Chosen, but: str = "") -> bool:
        """Whether it has one of the values of each facet; `but` names one that is not looked at."""
        return all(name == but or not self.values[name].isdisjoint(some) for name, some in wanted.items())


class Names:
    """Labels of things over the chunks seen: one label for a thing, however papers name it."""

    def __init__(self, things: Iterable[Thing]) -> None:
        called: dict[str, Counter[str]] = {}
        self._concepts: dict[tuple[str, str], set[str]] = {}
        for thing in things:
            called.setdefault(thing.concept, Counter())[thing.label] += 1
            for form in map(_form, dict.fromkeys((thing.name, *thing.printed))):
                for kind in ("", thing.kind):
                    self._concepts.setdefault((kind, form), set()).add(thing.concept)
        self._labels = {concept: min(labels, key=lambda one: (-labels[one], one)) for concept, labels in called.items()}

    def label(self, thing: Thing) -> str:
        """Return a thing's label: the one that most chunks use."""
        return self._labels[thing.concept]

    def labels(self, value: str) -> tuple[str, ...]:
        """The labels a chosen value means: "species:people", or "people" of any kind; else the value itself."""
        kind, colon, name = value.partition(":")
        asked = (kind, name) if colon and kind in KIND_CLASSES else ("", value)
        concepts = self._concepts.get((asked[0], _form(asked[1])), ())
        return tuple(sorted({self._labels[concept] for concept in concepts})) or (value,)

    def meant(self, wanted: Chosen) -> Chosen:
        """The choice with things called as they are here."""
        things = tuple(dict.fromkeys(label for value in wanted.get("entity", ()) for label in self.labels(value)))
        return {**wanted, "entity": things} if things else wanted


def _form(name: str) -> str:
    """A name as names are compared: however it is printed."""
    return " ".join(search_text(name).text.split())


def facts_of(chunk: Chunk, year: str, names: Names) -> Facts:
    """Return a chunk's values by facet."""
    things = things_in(chunk)
    values: Mapping[str, Sequence[str]] = {
        "paper": (chunk.document,),
        "year": (year,),
        "kind": (chunk.metadata.get("kind", str(chunk.kind)),),
        "section": chunk.metadata.get("roles", "").split(),
        "entity_kind": [thing.kind for thing in things],
        "entity": [names.label(thing) for thing in things],
        "role": chunk.metadata.get(CLAIMS, "").split("\n"),
    }
    facts = {name: frozenset(filter(None, some)) for name, some in values.items()}
    return Facts(facts, frozenset(chunk.metadata.get(LAYERS, "").split()))


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
            raise BadValue(f"none of the papers has the layer {layer!r}, which {name} needs", hint=WITHOUT_LAYERS)


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
