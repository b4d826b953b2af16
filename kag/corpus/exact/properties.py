"""Properties and relations of things as graph patterns: years, authors, words, numbers; who cites or holds whom.

A relation has both directions; `?m` is the call-out that shows one. All but one hold inside a paper; a work, a journal
and a paper are cited where an entry of a list leads to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kag.corpus.exact.things import FLOATS, Slot, Unfit, literal, phrase_pattern, same_work, slot, term
from kag.indexing.enrich.sections import title_types
from kag.qa.questions.structured_query import MANY, Condition, Kind, Relation

_ENTRIES = ("reference", "work", "journal")
_STATED: Mapping[str, str] = {  # what a paper has to state for a condition on it to be decided
    "year": "fabio:hasPublicationYear",
    "author": "dcterms:creator",
    "first author": "dcterms:creator",
    "venue": "prism:publicationName",
}
_HAS: Mapping[str, str] = {  # name -> property of papers and entries
    "doi": "prism:doi",
    "year": "fabio:hasPublicationYear",
    "title": "dcterms:title",
    "journal": "prism:publicationName",
    "venue": "prism:publicationName",
    "volume": "prism:volume",
    "issue": "prism:number",
    "pages": "prism:startingPage",
}


def bounded(pattern: str) -> str:
    """A regular expression that only matches whole words."""
    return rf"(^|[^\p{{L}}\p{{N}}])({pattern})([^\p{{L}}\p{{N}}]|$)"


def matching(variable: str, pattern: str) -> str:
    """A filter by a regular expression, without regard to case."""
    return f'FILTER(REGEX({variable}, {literal(pattern)}, "i"))'


def phrase(words: str) -> str:
    """The pattern of words that follow each other; raises `Unfit` where there are none."""
    found = phrase_pattern(words)
    if not found:
        raise Unfit(words)
    return found


def dated(node: str, low: int, high: int, tag: str) -> str:
    """The years of a paper or an entry; as texts, so that a graph whose years have no type is read as well."""
    return f"{node} fabio:hasPublicationYear ?y{tag} . {_within(f'STR(?y{tag})', low, high)}"


def person(name: str) -> tuple[str, str]:
    """The patterns of a family name and of the first letter of a given one, empty where none is given."""
    words = name.split()
    at = next((n for n, word in enumerate(words[:-1]) if word.islower()), len(words) - 1)
    return phrase_pattern(" ".join(words[at:])), phrase_pattern(words[0][:1]) if at > 0 else ""


def in_list(node: str, name: str, tag: str, *, first: bool = False) -> str:
    """An author of an entry, whose list is "Family, Given; Family, Given"; or only the first one."""
    family, initial = person(name)
    start = "^" if first else r"(^|;\s*)"
    given = rf"\s*,\s*{initial}" if initial else r"\s*(,|;|$)"
    whole = rf"|{start}{phrase(name)}\s*(,|;|$)"
    return f"{node} kag:authorList ?a{tag} . {matching(f'?a{tag}', f'{start}{family}{given}{whole}')}"


def as_name(variable: str, name: str) -> str:
    """A filter for "Given Family" by a family name, and the first letter of a given one where it is given."""
    family, initial = person(name)
    given = matching(variable, f"^{initial}") if initial else ""
    last = matching(variable, rf"(^|[\s.]){family}$")
    return f"{last} {given}"


def whole(variable: str, words: str) -> str:
    """A filter for a journal by its whole name."""
    return matching(variable, rf"^\W*(the\s+)?{phrase(words.removeprefix('the '))}\W*$")


def role(node: str, types_of: str) -> str:
    """Sections of the types that a usual title names; raises `Unfit` for a title that says nothing about them."""
    types = title_types(types_of)
    if not types:
        raise Unfit(types_of)
    return " ".join(f"{node} a {term(str(kind))} ." for kind in types)


def stated(condition: Condition) -> str:
    """The property that a paper has to state for a condition on it to be decided; "" where none has to be."""
    return _STATED.get(condition.relation, "")


def holds(condition: Condition, of: Slot, tag: str) -> str:
    """The pattern of a condition on what a thing says, inside the graph of its paper; raises `Unfit`."""
    made = _MADE.get(condition.relation)
    if made is None:
        raise Unfit(condition.relation)
    return made(condition, of, tag)


def says_at_all(condition: Condition, of: Slot, tag: str) -> str:
    """The pattern of things that say anything of what a condition is on: what "not from 2009" is decided of."""
    names = {"author": "kag:authorList", "first author": "kag:authorList"} if of.kind in _ENTRIES else {}
    property_ = {**_STATED, **names}.get(condition.relation, "")
    return f"{of.node} {property_} ?v{tag} ." if property_ and of.kind in ("paper", *_ENTRIES) else ""


def _name(condition: Condition) -> str:
    if condition.name is None or not condition.name.text.strip():
        raise Unfit(condition.relation)
    return condition.name.text


def _within(value: str, low: int, high: int) -> str:
    parts = [f"{value} >= {literal(f'{low:04}')}"] * (low > 1) + [f"{value} <= {literal(f'{high:04}')}"] * (high < MANY)
    return f"FILTER({' && '.join(parts)})" if parts else ""


def _needs(of: Slot, *kinds: str) -> None:
    if of.kind not in kinds:
        raise Unfit(of.kind)


def _year(condition: Condition, of: Slot, tag: str) -> str:
    _needs(of, "paper", *_ENTRIES)
    return dated(of.node, condition.low, condition.high, tag)


def _author(condition: Condition, of: Slot, tag: str) -> str:
    _needs(of, "paper", *_ENTRIES)
    first = condition.relation == "first author"
    if of.kind != "paper":
        return in_list(of.node, _name(condition), tag, first=first)
    found = f"{of.node} dcterms:creator ?a{tag} . {as_name(f'?a{tag}', _name(condition))}"
    if not first:
        return found
    names = f"?b{tag} a doco:ListOfAuthors ; kag:fullText ?l{tag} ."
    return f"{found} {names} FILTER(STRSTARTS(LCASE(?l{tag}), LCASE(?a{tag})))"


def _venue(condition: Condition, of: Slot, tag: str) -> str:
    _needs(of, "paper", *_ENTRIES)
    return f"{of.node} prism:publicationName ?v{tag} . {whole(f'?v{tag}', _name(condition))}"


def _title(condition: Condition, of: Slot, tag: str) -> str:
    return f"{titles(of, f'?s{tag}', tag)} {matching(f'?s{tag}', bounded(phrase(_name(condition))))}"


def titles(of: Slot, variable: str, tag: str) -> str:
    """Return a thing's title: of an entry or paper, a section's heading, a float's caption."""
    _needs(of, "paper", "section", "reference", "work", *FLOATS)
    if of.kind == "section":
        return f"{of.node} kag:containsAsHeader ?h{tag} . ?h{tag} kag:fullText {variable} ."
    if of.kind in FLOATS:
        return f"?h{tag} kag:describes {of.node} ; kag:fullText {variable} ."
    return f"{of.node} dcterms:title {variable} ."


def _depth(condition: Condition, of: Slot, tag: str) -> str:
    _needs(of, "section")
    return f"{of.node} kag:depth ?v{tag} . FILTER(?v{tag} >= {condition.low} && ?v{tag} <= {condition.high})"


def _number(condition: Condition, of: Slot, tag: str) -> str:
    """Return a printed number's value; numbers of floats and sections have to be whole."""
    _needs(of, "section", "reference", *FLOATS)
    value = f"?v{tag}"
    if condition.name is not None:
        return numbered(of, condition.name.text, tag)
    bounds = f"<{_INTEGER}>(STR({value})) >= {condition.low} && <{_INTEGER}>(STR({value})) <= {condition.high}"
    whole_number = f'REGEX(STR({value}), "^[0-9]+$")'
    return f"{of.node} {_NUMBERS.get(of.kind, 'kag:floatNumber')} {value} . FILTER({whole_number} && {bounds})"


def numbered(of: Slot, number: str, tag: str) -> str:
    """A thing by the number that is printed for it; raises `Unfit` for a kind that has none."""
    _needs(of, "section", "reference", *FLOATS)
    printed = literal(number.strip().rstrip(".").casefold())
    return f"{of.node} {_NUMBERS.get(of.kind, 'kag:floatNumber')} ?v{tag} . FILTER(LCASE(STR(?v{tag})) = {printed})"


def _has(condition: Condition, of: Slot, tag: str) -> str:
    name = _name(condition).casefold()
    if name in ("caption", "title") and of.kind in (*FLOATS, "section"):
        return titles(of, f"?v{tag}", tag)
    if name == "number" and of.kind in ("section", "reference", *FLOATS):
        return f"{of.node} {_NUMBERS.get(of.kind, 'kag:floatNumber')} ?v{tag} ."
    _needs(of, "paper", *_ENTRIES)
    if name in ("author", "authors"):
        return f"{of.node} {'dcterms:creator' if of.kind == 'paper' else 'kag:authorList'} ?v{tag} ."
    if name in ("keyword", "keywords") and of.kind == "paper":
        return f"{of.node} prism:keyword ?v{tag} ."
    if name not in _HAS:
        raise Unfit(name)
    return f"{of.node} {_HAS[name]} ?v{tag} ."


_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
_NUMBERS = {"section": "kag:sectionNumber", "reference": "kag:citationNumber"}
_MADE: Mapping[str, Callable[[Condition, Slot, str], str]] = {
    "year": _year,
    "author": _author,
    "first author": _author,
    "venue": _venue,
    "title": _title,
    "depth": _depth,
    "number": _number,
    "has": _has,
}


_TEXTS = ("section", "paragraph", *FLOATS)  # what has text in which call-outs stand
_PARTS = ("section", "paragraph", "reference", *FLOATS)  # what stands in a section, or on a page
_OF_PAPERS = (*_PARTS, "mention", "work", "journal", "author", "keyword", "page")
_INVERSE: dict[Relation, Relation] = {"cited in": "cites", "referred to in": "refers to", "holds": "in"}
RELATIONS = ("in", "holds", "cites", "cited in", "refers to", "referred to in", "beside")


def other(relation: Relation, one: Slot, kind: Kind, tag: str) -> Slot:
    """The variables of a thing that stands in a relation to another."""
    if relation in ("cites", "cited in") and "paper" in (one.kind, kind):
        cited = kind if relation == "cites" else one.kind
        return slot(kind, tag, None if cited == "paper" else one)
    found = slot(kind, tag, one)
    if "page" in (one.kind, kind) and relation in ("in", "holds") and "paper" not in (one.kind, kind):
        return replace(found, id=one.node if found.is_node else found.id, node=one.node)  # it is printed there itself
    return found


def related(relation: Relation, one: Slot, two: Slot, *, direct: bool) -> tuple[str, str]:
    """The pattern of two things in a relation, and the variable of what shows it ("" for the things alone).

    Raises `Unfit` for a relation that things of these kinds never stand in.
    """
    if relation in _INVERSE:
        return related(_INVERSE[relation], two, one, direct=direct)
    made = {"cites": _cites, "refers to": _refers, "in": _inside, "beside": _beside}.get(relation)
    if made is None:
        raise Unfit(relation)
    return made(one, two, direct)


def texts(one: Slot, host: str, *, direct: bool) -> str:
    """The pattern of the nodes that hold a thing's text."""
    if one.kind == "section":
        return f"{one.node} {'kag:contains' if direct else 'kag:contains+'} {host} ."
    if one.kind == "paragraph":
        return f"{host} kag:continues* {one.node} ."
    if one.kind in FLOATS:
        return f"{host} kag:describes? {one.node} ."
    if one.kind == "paper":
        return f"{host} kag:fullText ?t{host[1:]} ."
    raise Unfit(one.kind)


def _cites(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    if two.kind == "paper":
        entry = slot("reference", f"{two.tag}r", one)
        found, shown = _cites(one, entry, direct)
        raw, own, work = f"?a{two.tag}", f"?b{two.tag}", f"?x{two.tag}"
        cited = f"{one.says(f'{entry.node} biro:references {raw}')} {same_work(raw, work)}"
        names = f"{two.says(f'{two.node} kag:realizes {own}')} {same_work(own, work + 'o')}"
        return f"{found} {cited} {names} FILTER({work} = {work}o && {one.graph} != {two.graph})", shown or entry.node
    if two.kind not in _ENTRIES:
        raise Unfit(two.kind)
    if one.kind == "paper":
        return one.says(f"{two.node} a deo:BibliographicReference"), two.node
    if one.kind == "mention":
        return one.says(f"{one.node} c4o:denotes {two.node}"), ""
    if one.kind == "page":
        raise Unfit(one.kind)
    host, call = f"?o{one.tag}{two.tag}", f"?m{one.tag}{two.tag}"
    found = f"{texts(one, host, direct=direct)} {host} kag:hasMention {call} . {call} c4o:denotes {two.node} ."
    return one.says(found), call


def _refers(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    if two.kind not in ("section", *FLOATS):
        raise Unfit(two.kind)
    host = f"?o{one.tag}{two.tag}"
    found = f"{texts(one, host, direct=direct)} {host} kag:refersTo {two.node} ."
    own = "" if one.kind == "paragraph" else f"FILTER NOT EXISTS {{ {host} kag:describes {two.node} }}"
    return one.says(f"{found} {own}"), host


def _inside(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    if two.kind == "paper" and one.kind in _OF_PAPERS:
        top = direct and one.kind == "section"
        return one.says(f"{two.node} kag:contains {one.node}") if top else "", ""
    if two.kind == "section" and one.kind in _PARTS:
        step = "kag:contains" if direct else "kag:contains+"
        return one.says(f"{two.node} {step} {one.node}"), ""
    if two.kind in _TEXTS and one.kind == "mention":
        host = f"?o{one.tag}{two.tag}"
        return one.says(f"{texts(two, host, direct=direct)} {host} kag:hasMention {one.node}"), ""
    if two.kind == "page" and one.kind in _PARTS:
        return "", ""  # they share their node
    raise Unfit(f"{one.kind} in {two.kind}")


def _beside(one: Slot, two: Slot, direct: bool) -> tuple[str, str]:
    """Entries of one call-out; works of one list."""
    if one.kind == two.kind == "work":
        return f"FILTER({one.id} != {two.id})", two.node
    if one.kind == two.kind == "reference":
        call = f"?m{one.tag}{two.tag}"
        return one.says(f"{call} c4o:denotes {one.node} , {two.node} . FILTER({one.node} != {two.node})"), call
    raise Unfit("beside")
