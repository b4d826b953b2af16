"""Yes/no questions: whether the paper has something, and whether a named thing is as stated."""

from __future__ import annotations

import re

from kag.qa.exact.evaluate import Evaluator, Selection, is_link
from kag.qa.exact.facts import Found, answering, mark, plural
from kag.qa.exact.labels import bare, key
from kag.qa.exact.resolve import Absent, Undecided
from kag.qa.exact.showing import Showing, name_of
from kag.qa.exact.things import FLOATS, Thing
from kag.qa.questions.structured_query import Condition, Query
from kag.qa.quote import evidence

# Names of parts that are also things a paper may have without a section of that name.
_ALSO_THINGS = re.compile(
    r"limit|fund|background|result|future|availab|suppl|support|contribut|experiment|related|need"
)
_CITED = {"cited in": "cited", "cites": "cited", "referred to in": "referred to", "refers to": "referred to"}
_NOUNS = {"figure": "figures", "table": "tables", "formula": "equations", "footnote": "footnotes",
          "reference": "a reference list", "paragraph": "paragraphs"}  # fmt: skip


def tell_whether(query: Query, evaluator: Evaluator) -> Found | None:
    """Return yes with its places, or no with the places searched; raises `Undecided` if the paper does not decide
    it."""
    names = [one for one in query.where if isinstance(one, Condition) and one.relation == "is" and one.name]
    if query.kind == "section" and len(names) == len(query.where) == 1 and names[0].name and not names[0].negated:
        return _section(names[0].name.text, names[0].name.way, query, evaluator)
    if query.kind == "paper" and len(query.where) == 1 and isinstance(query.where[0], Condition):
        number = query.where[0]
        if number.relation == "holds" and number.of is not None:
            return _so_many(number, number.of, evaluator)
    try:
        selection = evaluator.select(query)
    except Absent:
        if len(names) == len(query.where):
            return Found(value="no", searches=(f"{query.kind} {names[0].name.text if names[0].name else ''}",))
        raise
    if selection.maybe and not selection.things:
        raise Undecided("whether")
    link = _link(query)
    if names and link is not None:
        return _linked(query, link, evaluator, selection)
    return _there(query, evaluator, selection)


def _so_many(number: Condition, held: Query, evaluator: Evaluator) -> Found | None:
    """Whether the paper has as many of something as is asked, with each of those it has."""
    selection = evaluator.select(held)
    if selection.maybe:
        raise Undecided("how many")
    showing, noun = Showing(evaluator, held, selection), "equation" if held.kind == "formula" else held.kind
    places = [place for thing in selection.things if (place := showing.mark(thing))]
    fits = (number.low <= len(selection.things) <= number.high) != number.negated
    searched = f"{plural(noun, 2)} of {evaluator.paper.id}"
    if fits and len(set(places)) < len(selection.things):
        return None
    statement = f"The paper has such {plural(noun, 2)}"
    return answering(statement, fits, dict.fromkeys(places), searched, confidence=selection.sure)


def _link(query: Query) -> Condition | None:
    """The one link that is asked about, of one thing to another."""
    rest = [one for one in query.where if not (isinstance(one, Condition) and one.relation == "is")]
    one = rest[0] if len(rest) == 1 else None
    plain = isinstance(one, Condition) and is_link(one) and not (one.only or one.negated) and one.low == 1
    return one if plain and isinstance(one, Condition) and (one.relation in _CITED or one.of) else None


def _linked(query: Query, link: Condition, evaluator: Evaluator, selection: Selection) -> Found | None:
    """Whether one thing is cited or referred to, or stands, in another or anywhere."""
    things, showing_of = evaluator.things, Showing(evaluator, query, selection).shown
    named = evaluator.select(Query(query.kind, tuple(one for one in query.where if one != link)))
    others = sorted(evaluator.others(link.of).things, key=things.order) if link.of else []
    if link.of == Query("reference") and link.relation == "cites" and len(named.things) == 1 and named.sure == 1:
        cited = {place: None for one in selection.things for place in showing_of(link, one)}
        statement = f"{name_of(things, named.things[0])} cites references"
        return answering(statement, bool(selection.things), cited, f"call-outs of {name_of(things, named.things[0])}")
    alone = link.of is None or (len(others) == 1 and evaluator.others(link.of).sure == 1)
    if len(named.things) != 1 or named.sure < 1 or not alone:
        raise Undecided("whether")
    thing, other = named.things[0], others[0] if others else None
    if link.relation in ("cites", "refers to", "holds"):
        thing, other = (other, thing) if other else (thing, None)
    assert thing is not None
    if other is not None and other.kind not in ("section", *FLOATS):
        return _there(query, evaluator, selection)
    where = f" in {_bare(evaluator, other)}" if other else ""
    name, holds, showing = name_of(things, thing), bool(selection.things), Showing(evaluator, query, selection)
    if link.relation in ("in", "holds"):
        places = [evidence(evaluator.paper, thing.iri)] if thing.iri in evaluator.paper.nodes else showing.base(thing)
        return answering(f"{name} is{where}", holds, places, f"{name}{where}")
    inward = link if link.relation in ("cited in", "referred to in") else None
    shown = [place for one in selection.things for place in showing.shown(link, one)] if other else []
    if other is None and inward is not None:
        hosts = evaluator.links.everywhere(link.relation, thing)
        shown = [place for host in hosts if (place := showing.call_out(host, thing))]
    if other is not None and inward is not None and holds:
        shown = showing.shown_all(inward, thing)
    statement = f"{name} is {_CITED[link.relation]}{where}"
    return answering(statement, holds, shown, f"call-outs of {name}{where}")


def _bare(evaluator: Evaluator, thing: Thing) -> str:
    name = name_of(evaluator.things, thing)
    return bare(name) if thing.kind == "section" else name


def _section(name: str, way: str, query: Query, evaluator: Evaluator) -> Found | None:
    """Whether there is a section of a name; None if its content may be elsewhere without that name."""
    try:
        selection = evaluator.select(query)
    except Undecided:
        selection = Selection(())
    if any(key(section.title) == key(name) for section in evaluator.paper.sections.values() if section.synthetic):
        raise Undecided("a section without a heading")
    if not selection.things and (way in ("words", "number") or _ALSO_THINGS.search(name.casefold())):
        raise Undecided("a section")
    places = Showing(evaluator, query, selection).base(selection.things[0]) if selection.things else ()
    statement = (
        f"The paper has the section {name_of(evaluator.things, selection.things[0])}" if selection.things else ""
    )
    return answering(statement, bool(selection.things), places, f"sections called {name}")


def _there(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    """Whether there is anything as is asked for."""
    paper, showing = evaluator.paper, Showing(evaluator, query, selection)
    things = list(selection.things)
    anything = not query.where and query.place is None
    if anything and query.kind in ("figure", "table", "formula", "footnote"):
        kind = {"figure": "Figure", "table": "Table", "formula": "Formula", "footnote": "Footnote"}[query.kind]
        things = things or [Thing(query.kind, node.iri) for node in paper.of_kind(kind)]
    noun = _NOUNS.get(query.kind, f"{query.kind}s")
    if query.kind == "section":
        deep = any(isinstance(one, Condition) and one.relation == "depth" and one.low > 1 for one in query.where)
        noun = "subsections" if deep else "sections"
    if query.kind == "keyword":
        raise Undecided("keywords")
    if anything:
        places = [place for thing in things for place in showing.base(thing)]
        first = mark(paper, things[0].iri) if query.kind == "reference" and things else None
        searched = "reference list" if query.kind == "reference" else f"{noun} of {paper.id}"
        return answering(f"The paper has {noun}", bool(things), [first] if first else places[:1], searched)
    shown = (place for thing in things for place in (showing.places(thing) or showing.base(thing)))
    places = list(dict.fromkeys(shown))[:5]
    simple = query.kind == "section" and noun == "subsections" and len(query.where) == 1
    if simple:
        return answering(f"The paper has {noun}", bool(things), places[:1], noun)
    return answering(
        "There are such",
        bool(things),
        places,
        f"{plural(query.kind, 2)} that fit the question",
        confidence=selection.sure,
    )
