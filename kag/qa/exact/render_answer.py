"""`tell`: the result of a query in one paper, as claims with evidence, a value, or the places searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kag.core.evidence import Claim
from kag.qa.exact import front, tables
from kag.qa.exact.evaluate import Evaluator, Selection
from kag.qa.exact.facts import Found, Item, counting, listing, nothing, sentence, stating
from kag.qa.exact.labels import bare, item_of, unnumbered
from kag.qa.exact.layer_answers import properties_answer
from kag.qa.exact.properties import CUT
from kag.qa.exact.resolve import Absent, Undecided
from kag.qa.exact.showing import Lead, Showing, is_of_paper, lead_of, name_of, pivot_of
from kag.qa.exact.things import FLOATS, Thing
from kag.qa.exact.whether import tell_whether
from kag.qa.questions.structured_query import Condition, Name, Query
from kag.qa.quote import beginning, evidence

_ANY = Query("section")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def tell(query: Query, evaluator: Evaluator, words: str = "") -> Found | None:
    """What a query comes to; None where it makes no sense for this paper or the paper cannot say.

    `words` are those of the question: where it has a superlative, the answer uses the same one.
    """
    try:
        if query.kind in ("column", "row", "cell"):
            return tables.tell_table(query, evaluator, words)
        if front.is_front(query):
            return front.tell_front(query, evaluator.paper)
        if query.each is not None:
            return _each(query, evaluator)
        return _TELLERS[query.ask](query, evaluator)
    except Absent as absent:
        return nothing(str(absent))
    except Undecided:
        return None


def _listed(query: Query, evaluator: Evaluator) -> Found | None:
    selection = evaluator.select(query)
    if not selection.things and selection.maybe:
        return None
    numbered_titles = query.kind == "reference" and len(selection.things) > 1 and set(query.get) == {"number", "title"}
    if query.get and not numbered_titles:
        return properties_answer(query, evaluator, selection)
    special = _neighbour(query, evaluator, selection) or _extent(query, evaluator, selection)
    special = special or _popular(query, evaluator, selection) or _standing(query, evaluator, selection)
    special = special or _person(query, evaluator, selection) or _captioned(query, evaluator, selection)
    if special:
        return special
    if query.kind == "paragraph":
        return _paragraphs(query, evaluator, selection)
    lead, showing = lead_of(query, evaluator), Showing(evaluator, query, selection)
    if query.kind == "reference" and (is_of_paper(query) or numbered_titles):
        items = [item_of(evaluator.paper, evaluator.things.node(thing)) for thing in selection.things]
        return listing(lead.list, items, lead.searched, confidence=selection.sure)
    items = [item for thing in selection.things if (item := showing.item(thing)).evidence]
    values = [showing.value(thing) for thing in selection.things if showing.places(thing)]
    sure = selection.sure if len(items) == len(selection.things) else 0.5
    return listing(_one(lead, items), items, lead.searched, confidence=sure, values=values, own=lead.own,
                   joint=lead.joint)  # fmt: skip


def _one(lead: Lead, items: list[Item]) -> str:
    """The first words of a list, for one thing where it has one."""
    if len(items) == 1 and lead.list in ("Found: references", "Found: pages"):
        return lead.list.removesuffix("s")
    return lead.list


def _counted(query: Query, evaluator: Evaluator) -> Found | None:
    selection = evaluator.select(query)
    if selection.maybe and not selection.things:
        return None
    if query.get == ("author",) and query.kind == "paper":
        return _counted(Query("author", ask="count"), evaluator)
    if query.get:
        raise Undecided("count of properties")
    lead, showing = lead_of(query, evaluator), Showing(evaluator, query, selection)
    if query.kind == "author" and pivot_of(query):
        return nothing(f"number of authors of {lead.searched}")
    if (
        query.kind == "page"
        and len(selection.things) < max(evaluator.things.first_of_page, default=0)
        and not query.where
    ):
        return None
    if query.kind == "mention":
        _whole(query, evaluator)
    places = [place for thing in selection.things if (place := showing.mark(thing))]
    sure = selection.sure if len(set(places)) == len(selection.things) else 0.5
    if not places and selection.things:
        return None
    return counting(lead.count, lead.noun, places, lead.searched, confidence=sure)


def _whole(query: Query, evaluator: Evaluator) -> None:
    """Raise `Undecided` where a text that points to what is counted keeps no call-out."""
    for one in query.where:
        if isinstance(one, Condition) and one.of is not None and one.relation in ("cites", "refers to"):
            inverse = "cited in" if one.relation == "cites" else "referred to in"
            if not all(evaluator.links.are_called_out(inverse, thing) for thing in evaluator.others(one.of).things):
                raise Undecided("call-outs")


# answers with words of their own ------------------------------------------------------------------


def _neighbour(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    place = query.place
    if query.kind != "section" or place is None or place.way == "at" or place.of is None:
        return None
    (section,) = evaluator.select(place.of).things
    title = name_of(evaluator.things, section)
    if len(selection.things) != 1:
        return None if selection.things else Found(searches=(f"section {place.way} {title}",))
    showing = Showing(evaluator, query, selection)
    other = showing.called(selection.things[0])
    places = (*showing.base(section), *showing.base(selection.things[0]))
    return stating(f"The section {place.way} {title} is {other}.", other, places, confidence=selection.sure)


def _extent(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    order = query.order
    if query.kind != "section" or order is None or order.by != "length" or len(selection.things) != 1:
        return None
    title = name_of(evaluator.things, selection.things[0])
    places = Showing(evaluator, query, selection).base(selection.things[0])
    size = "longest" if order.descending == (query.place is None or query.place.at > 0) else "shortest"
    if query.place is None or abs(query.place.at) != 1 or any(not _is_depth(one) for one in query.where):
        return None
    return stating(f"The {size} section is {title}.", title, places, confidence=selection.sure)


def _is_depth(one: object) -> bool:
    return isinstance(one, Condition) and one.relation == "depth" and one.high == 1


def _popular(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    """The reference with most call-outs in the running text; several where they have as many."""
    order, place = query.order, query.place
    if query.kind == "journal" and order and order.of and selection.things:
        calls = evaluator.others(order.of).things
        if len(evaluator.links.links(order.by, selection.things[0], calls, selection.beside)) < 2:
            raise Undecided("cited most often")
    if query.kind != "reference" or order is None or order.of is None or place is None or place.way != "at":
        return None
    if not (order.by == "cited in" and order.of == Query("mention") and order.descending and place.at == place.to == 1):
        return None
    showing = Showing(evaluator, query, selection)
    every = Condition("cited in", Query("mention"), low=2)
    called = [Item(showing.called(thing), tuple(showing.shown(every, thing))) for thing in selection.things]
    if not called or len(called[0].evidence) < 2:
        raise Undecided("cited most often")
    if query.where:
        return None
    if len(called) == 1:
        (thing,) = selection.things
        entry = Query("reference", (Condition("is", name=Name(thing.iri, "id")),))
        times = _counted(Query("mention", (Condition("cites", entry),), ask="count"), evaluator)
        if times is None or not times.claims:
            raise Undecided("cited most often")
        lead = f"{name_of(evaluator.things, thing)} is cited most often, namely"
        claims = counting(lead, "time", times.claims[0].evidence, "citations", confidence=selection.sure).claims
        return Found(claims, called[0].text)
    return listing("Cited most often are references", called, "citations", joint=", ", confidence=selection.sure)


def _standing(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    """The section that holds a float or a section."""
    pivot = pivot_of(query)
    if query.kind != "section" or pivot is None or pivot.of is None or pivot.relation != "holds":
        return None
    others = evaluator.others(pivot.of)
    held = min(others.things, key=evaluator.things.order, default=None)
    if held is None:
        return None
    name, showing = name_of(evaluator.things, held), Showing(evaluator, query, selection)
    if not selection.things and held.kind == "section":
        return nothing(f"section that contains {name}")
    if not selection.things:
        return nothing(f"section of {name}")
    section = selection.things[-1]
    places = (*showing.base(section), *showing.base(held))
    if held.kind == "section":
        title = showing.called(section)
        return stating(f"{name} is in the section {title}.", title, places, confidence=selection.sure)
    title, page = evaluator.things.section(section).title, evaluator.links.page(held)
    value = unnumbered(evaluator.things.section(section))
    return stating(f"{name} is in the section {title}, on page {page}.", value, places, confidence=selection.sure)


def _person(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    """Return the author at a position; a list that ends in "et al." does not decide the last one, or who is missing."""
    place, pivot = query.place, pivot_of(query)
    if query.kind != "author" or (query.where and pivot is None):
        return None
    name, entry = "the paper", None
    if pivot is not None and pivot.of is not None:
        entry = min(evaluator.others(pivot.of).things, key=evaluator.things.order, default=None)
        if entry is None:
            return None
        name = name_of(evaluator.things, entry)
        if not selection.things and place is None:
            return nothing(f"authors of {name}")
    if not selection.things and place is None:
        return None
    if place is None or place.at != place.to or place.way != "at" or not -1 <= place.at <= len(ORDINALS):
        return None
    which = "last" if place.at == -1 else ORDINALS[place.at - 1]
    cut = entry is not None and place.at < 0 and CUT.search(evaluator.things.node(entry).text)
    if not selection.things or cut:
        return nothing(f"{which} author of {name}")
    item = Showing(evaluator, replace(query, where=()), selection).item(selection.things[0])
    text = sentence(f"The {which} author of {name} is {item.text}")
    return stating(text, item.text, item.evidence, confidence=selection.sure)


def _captioned(query: Query, evaluator: Evaluator, selection: Selection) -> Found | None:
    """Return the figure or table that shows something, with its caption."""
    if query.kind not in FLOATS or len(query.where) != 1 or query.order or query.place or len(selection.things) != 1:
        return None
    one = query.where[0]
    if not isinstance(one, Condition) or one.relation not in ("is", "title") or one.negated:
        return None
    caption = evaluator.paper.caption_of(selection.things[0].iri)
    if caption is None:
        return None
    name, place = name_of(evaluator.things, selection.things[0]), evidence(evaluator.paper, caption.iri)
    return stating(f"{name}: {caption.plain}", name, (place,), confidence=selection.sure)


def _paragraphs(query: Query, evaluator: Evaluator, selection: Selection) -> Found:
    """Paragraphs, each by its page and first words."""
    lead, showing = lead_of(query, evaluator), Showing(evaluator, query, selection)
    words = lead.list.removesuffix(":") if lead.list and not lead.list.startswith("Found") else "Found"
    claims: list[Claim] = []
    for thing in selection.things:
        places = showing.places(thing)
        first = beginning(evaluator.paper, places[1].node) if places[1:] else places[0]
        places = tuple(dict.fromkeys((first, *places[1:])))
        text = f"{words} the paragraph on page {first.page} that begins: {first.quote}"
        claims.append(Claim(text, places, selection.sure))
    values = [claim.evidence[0].quote for claim in claims]
    return Found(tuple(claims), values) if claims else Found(value=[], searches=(lead.searched,))


# several answers in one ---------------------------------------------------------------------------


def _each(query: Query, evaluator: Evaluator) -> Found | None:
    """One count for each thing of a kind, by its name."""
    condition = next(
        (one for one in query.where if isinstance(one, Condition) and one.of and one.of.kind == query.each), None
    )
    if query.ask != "count":
        raise Undecided("each")
    if condition is None and query.each == "paper":
        return _counted(replace(query, each=None), evaluator)
    condition = condition or Condition("in", Query(query.each or "section"))
    assert condition.of is not None
    counts: dict[str, int] = {}
    claims: list[Claim] = []
    searches: list[str] = []
    for thing in evaluator.select(condition.of).things:
        single = replace(condition, of=Query(condition.of.kind, (Condition("is", name=Name(thing.iri, "id")),)))
        rest = tuple(each for each in query.where if each != condition)
        found = _counted(replace(query, each=None, where=(*rest, single)), evaluator)
        title = name_of(evaluator.things, thing)
        name = title if bare(title) in counts else bare(title)
        if found is None or name in counts or not isinstance(found.value, int):
            raise Undecided("each")
        counts[name] = found.value
        claims += _about(evaluator, thing, found)
        searches += [f"{search}: {name}" for search in found.searches]
    return Found(tuple(claims), counts if len(counts) > 1 else None, tuple(searches)) if counts else None


def _about(evaluator: Evaluator, thing: Thing, found: Found) -> tuple[Claim, ...]:
    """Return the text of a thing that is counted besides its name."""
    title = name_of(evaluator.things, thing)
    places = Showing(evaluator, _ANY, Selection((thing,))).base(thing)
    if not found.claims or not places or thing.kind == "reference":
        return found.claims
    own = Claim(sentence(title), places)
    claims = (replace(claim, text=claim.text.replace(bare(title), "It", 1)) for claim in found.claims)
    return own, *claims


def _compared(query: Query, evaluator: Evaluator) -> Found | None:
    """Return which of several things has more, by the count or the property of each."""
    order = query.order
    if order is None or len(query.among) < 2:
        raise Undecided("compare")
    ranked: list[tuple[int, str, Found]] = []
    for one in query.among:
        chosen = evaluator.select(one)
        inverse = {"cites": "cited in", "cited in": "cites", "refers to": "referred to in", "holds": "in",
                   "referred to in": "refers to"}.get(order.by)  # fmt: skip
        if len(chosen.things) != 1 or (inverse is None and order.of is not None):
            raise Undecided("compare")
        if order.of is None:
            found = tell(replace(one, get=(order.by,)), evaluator)
        else:
            counted = replace(order.of, ask="count", where=(*order.of.where, Condition(inverse, one)))  # type: ignore[arg-type]
            found = _counted(counted, evaluator)
        if found is None or not str(found.value).isdecimal():
            raise Undecided("compare")
        title = name_of(evaluator.things, chosen.things[0])
        title = bare(title) if chosen.things[0].kind == "section" else title
        about = _about(evaluator, chosen.things[0], found) if order.of is not None else found.claims
        ranked.append((int(str(found.value)), title, replace(found, claims=about)))
    ranked.sort(key=lambda row: row[0], reverse=order.descending)
    if ranked[0][0] == ranked[1][0] or not ranked[0][2].claims:
        raise Undecided("compare")
    claims = tuple(claim for _, _, answer in ranked for claim in answer.claims)
    return Found(claims, ranked[0][1], tuple(search for _, _, found in ranked for search in found.searches))


_TELLERS: dict[str, Callable[[Query, Evaluator], Found | None]] = {
    "list": _listed,
    "count": _counted,
    "whether": tell_whether,
    "compare": _compared,
}
