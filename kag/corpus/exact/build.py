"""From a wish to queries: one for the rows, and for numbers by group one more for what was counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kag.corpus.exact.condition import Filter
from kag.corpus.exact.names import Names
from kag.corpus.exact.patterns import THINGS, Conditions, bounded, is_one_of, matching, person, works_of
from kag.corpus.exact.schema_query import SchemaQuery, literal, term, values, with_prefixes
from kag.corpus.exact.terms import LATEST
from kag.corpus.exact.wish import Wish

GROUPS = 100  # groups that a ranking reads, to see which are level

_MEANING = {
    "paper": "the paper (its graph)",
    "node": "what is asked for",
    "at": "what is printed of it",
    "key": "what tells it apart in its paper",
    "work": "the work",
    "group": "what was counted for",
    "n": "how many",
}


@dataclass(frozen=True, slots=True)
class Built:
    """The query of a wish; with `tally` its rows are groups with numbers, and `counted` asks for what was counted.

    `empty` is what the question names and no paper cites; `unstated` asks how many papers do not state what it rests
    on; `doubt` asks for entries that print the names and years of a question, wherever in their text.
    """

    query: SchemaQuery
    tally: bool = False
    counted: Callable[[Sequence[str]], SchemaQuery] | None = None
    empty: str = ""
    unstated: str = ""
    doubt: str = ""


def build(wish: Wish, names: Names) -> Built:
    """The query that a wish comes to in a corpus; raises `Ambiguous` where a name in it is not clear."""
    conditions = Conditions(names, "reference" if wish.target in ("work", "journal") else wish.target)
    if wish.target in ("work", "journal"):
        return _of_works(wish, conditions, names)
    having = [one for one in wish.filters if one.kind == "having"]
    others = [conditions.pattern(one) for one in _first_papers(wish.filters) if one.kind != "having"]
    if conditions.empty:
        return Built(SchemaQuery("", _asks(wish, names), ()), empty=conditions.empty)
    numbers = [_having(one, number) for number, one in enumerate(having)]
    if wish.ask == "rank" or wish.by == "paper":
        return _tally(wish, others, names, numbers)
    inside = (*_early(others), "?paper a fabio:ResearchPaper .", THINGS[wish.target], *_late(others))
    body = f"GRAPH ?paper {{ {' '.join(inside)} }} {' '.join(numbers)}"
    query = _select(("paper", "node", "at", "key"), conditions.shown, body, _asks(wish, names))
    return Built(
        query, unstated=_unstated(conditions.stated), doubt=_doubt(wish.filters) if wish.target == "paper" else ""
    )


def _doubt(filters: Sequence[Filter]) -> str:
    """Asks for an entry that has a cited author's name and year anywhere in its text; "" without one."""
    parts = []
    for one in (part for each in filters if each.kind == "cites" for works in each.inside for part in works):
        if one.kind == "author":
            parts.append(matching("said", bounded(person(one.words)[0])))
        elif one.kind == "year" and one.low == one.high:
            parts.append(matching("said", bounded(str(one.low))))
    if not parts:
        return ""
    entry = f"?ref a deo:BibliographicReference ; kag:fullText ?said . {' '.join(parts)}"
    return with_prefixes(f"SELECT ?ref WHERE {{ GRAPH ?paper {{ {entry} }} }} LIMIT 1")


def _unstated(properties: Sequence[str]) -> str:
    """Asks how many papers say nothing on a property; "" without one."""
    if not properties:
        return ""
    said = " ".join(f"?paper {one} ?said{number} ." for number, one in enumerate(properties))
    return with_prefixes(
        f"SELECT (COUNT(?paper) AS ?n)"
        f" WHERE {{ GRAPH ?paper {{ ?paper a fabio:ResearchPaper . FILTER NOT EXISTS {{ {said} }} }} }}"
    )


def _first_papers(filters: Sequence[Filter]) -> list[Filter]:
    return sorted(filters, key=lambda one: one.kind != "paper")


def _early(patterns: Sequence[str]) -> list[str]:
    return [one for one in patterns if one.startswith("VALUES")]


def _late(patterns: Sequence[str]) -> list[str]:
    return [one for one in patterns if not one.startswith("VALUES")]


def _select(columns: Sequence[str], shown: Sequence[str], body: str, asks: str, end: str = "") -> SchemaQuery:
    names = [f"?{name}" for name in columns] + list(shown)
    order = end or f"ORDER BY {' '.join(names)}"
    text = with_prefixes(f"SELECT DISTINCT {' '.join(names)} WHERE {{\n  {body}\n}} {order}")
    more = tuple((name[1:], "where it says so") for name in shown)
    return SchemaQuery(text, asks, (*((name, _MEANING[name]) for name in columns), *more))


def _having(one: Filter, number: int) -> str:
    """Papers by how many of something they have."""
    bound = [f"COUNT(DISTINCT ?key) >= {one.low}"] * bool(one.low) + [f"COUNT(DISTINCT ?key) <= {one.high}"] * (
        one.high < LATEST
    )
    return (
        f"{{ SELECT ?paper WHERE {{ GRAPH ?paper {{ ?paper a fabio:ResearchPaper }} "
        f"OPTIONAL {{ GRAPH ?paper {{ {THINGS[one.words]} }} }} }} "
        f"GROUP BY ?paper HAVING ({' && '.join(bound)}) }}"
    )


def _tally(wish: Wish, others: Sequence[str], names: Names, numbers: Sequence[str]) -> Built:
    """Papers with the number of something in each."""
    thing = wish.by if wish.ask == "rank" else wish.target
    of_paper = "?paper a fabio:ResearchPaper ."
    conditions = " ".join(_early(others)) + of_paper + (" ".join(_late(others)) if wish.ask == "rank" else "")
    inner = THINGS[thing] + (" ".join(_late(others)) if wish.ask != "rank" else "")
    order = "?n ?group" if wish.least else "DESC(?n) ?group"
    text = with_prefixes(
        f"SELECT (?paper AS ?group) (COUNT(DISTINCT ?key) AS ?n) WHERE {{\n  GRAPH ?paper {{ {conditions} }} "
        f"OPTIONAL {{ GRAPH ?paper {{ {inner} }} }} {' '.join(numbers)}\n}} GROUP BY ?paper ORDER BY {order}"
        + (f" LIMIT {GROUPS}" if wish.ask == "rank" else "")
    )
    asks = _asks(wish, names)

    def counted(papers: Sequence[str]) -> SchemaQuery:
        body = f"GRAPH ?paper {{ {values('paper', papers)} {inner} }}"
        return _select(("paper", "node", "at", "key"), (), body, asks)

    return Built(SchemaQuery(text, asks, tuple((name, _MEANING[name]) for name in ("group", "n"))), True, counted)


def _of_works(wish: Wish, conditions: Conditions, names: Names) -> Built:
    """Cited works, each under one name, or journals, by the papers that cite them."""
    papers = [values("paper", [names.paper(one.words).iri]) for one in wish.filters if one.kind == "paper"]
    plain = [conditions.pattern(one) for one in wish.filters if one.kind in ("author", "year", "venue", "title")]
    joined = [_beside(one, conditions, names) for one in wish.filters if one.kind == "with"]
    asks = _asks(wish, names)
    if conditions.empty:
        return Built(SchemaQuery("", asks, ()), empty=conditions.empty)
    entries = (
        f"{works_of('?paper', '?node')} "
        + (f"GRAPH ?paper {{ {' '.join(plain)} }} " if plain else "")
        + " ".join(joined)
    )
    if wish.target == "journal":
        entries = (
            f"GRAPH ?paper {{ ?node a deo:BibliographicReference ; prism:publicationName ?work . {' '.join(plain)} }}"
        )
    also = [f"{{ SELECT ?work WHERE {{ {paper} {works_of('?paper', '?entry')} }} }}" for paper in papers[1:]]
    numbers = [_cited_by(one) for one in wish.filters if one.kind == "having"]
    body = " ".join((*papers[:1], entries, *also, *numbers))
    if wish.ask != "rank":
        return Built(_select(("work", "paper", "node"), (), body, asks))
    text = with_prefixes(
        f"SELECT (?work AS ?group) (COUNT(DISTINCT ?paper) AS ?n) WHERE {{\n  {body}\n}} GROUP BY ?work ORDER BY "
        f"{'?n' if wish.least else 'DESC(?n)'} ?group LIMIT {GROUPS}"
    )

    def counted(works: Sequence[str]) -> SchemaQuery:
        found = f"{body} FILTER(?work IN ({', '.join(map(_value, works))}))"
        return _select(("work", "paper", "node"), (), found, asks)

    return Built(SchemaQuery(text, asks, tuple((name, _MEANING[name]) for name in ("group", "n"))), True, counted)


def _cited_by(one: Filter) -> str:
    """Works by how many papers cite them."""
    bound = f"COUNT(DISTINCT ?citing) >= {one.low}"
    if one.high < LATEST:
        bound += f" && COUNT(DISTINCT ?citing) <= {one.high}"
    return f"{{ SELECT ?work WHERE {{ {works_of('?citing', '?entry')} }} GROUP BY ?work HAVING ({bound}) }}"


def _value(value: str) -> str:
    return term(value) if value.startswith("http://la3d.local/") else literal(value)


def _beside(one: Filter, conditions: Conditions, names: Names) -> str:
    """Works that stand in the same reference lists as others, without these."""
    made = conditions.cited("?other", one.inside[0], "w")
    if not made:
        return ""
    named = [part for part in one.inside[0] if part.kind in ("mark", "phrase")]
    works = [names.works(part.words) for part in named]
    without = " ".join(
        f"FILTER NOT EXISTS {{ GRAPH ?paper {{ {is_one_of('?node', found, f'x{n}')} }} }}"
        for n, found in enumerate(works)
    )
    return f"{{ SELECT DISTINCT ?paper WHERE {{ GRAPH ?paper {{ {made} }} }} }} {without}"


def _asks(wish: Wish, names: Names) -> str:
    """A wish in words, for whoever reads the answer."""
    parts = [_said(one, names) for one in wish.filters]
    lead = {"rank": f"{wish.target}s by number of {wish.by}s", "count": f"number of {wish.target}s"}.get(
        wish.ask, f"{wish.target}s"
    )
    return ", ".join((lead.replace("citings", "citing papers"), *parts)) + (
        " for each paper" if wish.by == "paper" else ""
    )


def _said(one: Filter, names: Names) -> str:
    words = names.words(one.words) if one.words else ""
    inside = (" or " if one.either else " and ").join(
        " ".join(_said(part, names) for part in works) for works in one.inside
    )
    to = "or more" if one.high == LATEST else f"to {one.high}"
    span = f" {one.low} {to}" if one.kind in ("year", "having") else ""
    return " ".join(filter(None, ("not" if one.negated else "", one.kind, f"{words}{span}".strip(), inside)))
