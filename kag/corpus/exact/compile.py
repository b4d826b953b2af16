"""From a `Query` to a graph pattern: the conditions are sets of things that are joined, united or taken away.

Every condition is a query inside of the query that binds the identity of a thing and nothing else; so any of
them can stand with any other, under a negation, in a count, or in the query for another thing. No word of a question
gets into a query but as an escaped term.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from kag.corpus.exact import properties
from kag.corpus.exact.named import Ambiguous, Label, Names, Works, label
from kag.corpus.exact.properties import RELATIONS, other, related, texts
from kag.corpus.exact.things import FLOATS, LITERALS, SHARED, Slot, Unfit, literal, slot, thing, values
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Kind, Name, Query

MOST = 150  # things that are asked for first and stand in a query
Resolve = Callable[[Query], Sequence[str]]
"""The identities of the things of a query that has a place: what no pattern can say is asked for first."""
_NAMING = ("is", "depth")
_DEFAULT: dict[str, Kind] = {"cites": "reference", "refers to": "float", "referred to in": "paragraph"}


@dataclass(frozen=True, slots=True)
class Part:
    """Things that meet a condition, as a pattern that binds them; `inverse` for those that do not."""

    pattern: str
    inverse: bool = False


class Compiler:
    """Queries as patterns, for one query.

    `shown` are the variables of what shows a thing to be one, each a list of nodes; `stated` the properties that papers
    have to state for the conditions on them to be decided; `doubts` are patterns of entries that may be what is named.
    """

    def __init__(self, names: Names, resolve: Resolve) -> None:
        self._names, self._resolve = names, resolve
        self._tags = count(1)
        self.shown: list[str] = []
        self.stated: list[str] = []
        self.doubts: list[str] = []

    def find(self, query: Query, one: Slot, *, top: bool = False) -> tuple[str, Slot]:
        """The pattern of all things that a query's conditions are met by, and its variables as they are there.

        Raises `Unfit` for what the graphs do not state, and `Ambiguous` for names that are not clear.
        """
        if query.place is not None and not top:
            return self._asked_first(query, one), replace(one, deep=True)
        here, where = self._scoped(query, replace(one, deep=_is_named(query)))
        if one.kind in ("reference", "work"):
            self._doubt(query.where)
        parts = [self._part(condition, here, top=top) for condition in where]
        joined = [part.pattern for part in parts if not part.inverse]
        without = [f"MINUS {part.pattern}" for part in parts if part.inverse]
        return " ".join((thing(here), *joined, *without)), here

    def number(self, relation: str, of: Query, one: Slot, as_: str) -> str:
        """The pattern of how many things of a query each thing stands in a relation to; not bound where none."""
        if relation not in RELATIONS:
            raise Unfit(relation)
        pairs, two, _ = self._pairs(Condition(relation, of), replace(one, papers=""))  # type: ignore[arg-type]
        counted = f"SELECT {one.id} (COUNT(DISTINCT {two.id}) AS {as_}) WHERE {{ {pairs} }} GROUP BY {one.id}"
        return f"OPTIONAL {{ {{ {counted} }} }}"

    def together(self, relation: str, of: Query, one: Slot) -> tuple[str, Slot, str]:
        """The pattern of things, each with those of a query that it stands in a relation to, and what shows it."""
        return self._pairs(Condition(relation, of), one)  # type: ignore[arg-type]

    def tag(self) -> str:
        """A name that no variable has yet."""
        return f"{next(self._tags)}_"

    # conditions -----------------------------------------------------------------------------------

    def _part(self, one: Condition | AnyOf, of: Slot, *, top: bool) -> Part:
        if isinstance(one, AnyOf):
            return Part(" UNION ".join(f"{{ {self._alone(part, of, top=top)} }}" for part in one.conditions))
        if one.relation == "is":
            return Part(_set(of, self._called(one, of)), one.negated)
        return self._related(one, of, top=top) if one.relation in RELATIONS else self._saying(one, of)

    def _alone(self, one: Condition | AnyOf, of: Slot, *, top: bool) -> str:
        part = self._part(one, of, top=top)
        return _set(of, f"MINUS {part.pattern}") if part.inverse else part.pattern

    def _saying(self, condition: Condition, of: Slot) -> Part:
        """A condition on what things say; its opposite holds only of things that say something on it."""
        tag = self.tag()
        made = properties.holds(condition, of, tag)
        if of.kind == "paper" and properties.stated(condition):
            self.stated.append(properties.stated(condition))
        if condition.negated:
            exists = properties.says_at_all(condition, of, tag + "n")
            return (
                Part(_set(of, f"{of.says(exists)} MINUS {_set(of, of.says(made))}"))
                if exists
                else Part(_set(of, of.says(made)), True)
            )
        return Part(of.says(made) if of.is_node else _set(of, of.says(made)))

    def _related(self, condition: Condition, of: Slot, *, top: bool) -> Part:
        """A condition on how many others things stand in a relation to, and on whether to any more."""
        if condition.low > condition.high:
            return Part(f"{{ SELECT {of.id} WHERE {{ {thing(of)} FILTER(false) }} }}", condition.negated)
        pairs, two, shows = self._pairs(condition, of)
        outside = self._outside(condition, of) if condition.only else ""
        if condition.low == 0:
            some = Part(_more(of, two, pairs, condition.high), True) if condition.high < MANY else None
        else:
            shown = self._shown(shows) if top and not condition.negated else ""
            some = Part(_between(of, two, pairs, condition.low, condition.high, shown))
        return _both(of, some, outside, negated=condition.negated)

    def _shown(self, variable: str) -> str:
        if not variable:
            return ""
        self.shown.append(f"shown{len(self.shown)}")
        return f'(GROUP_CONCAT(DISTINCT STR({variable}); SEPARATOR = " ") AS ?{self.shown[-1]})'

    def _pairs(self, condition: Condition, of: Slot) -> tuple[str, Slot, str]:
        """The pattern of things with those that stand in a relation to them, these, and what shows it."""
        query = _query(condition, of)
        two = other(condition.relation, of, query.kind, self.tag())
        if query.kind == "paper" and two.graph == of.graph and (papers := self._papers(query)) is not None:
            block = values(of.graph[1:], papers)
            of, two = replace(of, papers=block), replace(two, papers=block)
        made, two = self.find(query, two)
        direct = condition.direct or _is_innermost(condition, of, two)
        pattern, shows = related(condition.relation, of, two, direct=direct)
        return f"{thing(of)} {pattern} {made}", two, shows or two.node

    def _outside(self, condition: Condition, of: Slot) -> str:
        """The things that stand in the relation to any other than those of the condition, as a query inside."""
        query = _query(condition, of)
        if condition.relation == "in":
            return ""  # a thing stands in one place
        two = other(condition.relation, of, query.kind, self.tag())
        if condition.relation in ("cited in", "referred to in") and query.kind in ("section", "paragraph", *FLOATS):
            host = f"?z{two.tag}"
            made, two = self.find(query, two)
            link = f"{host} kag:hasMention ?y{two.tag} . ?y{two.tag} c4o:denotes {of.node}"
            if condition.relation == "referred to in":
                link = f"{host} kag:refersTo {of.node} . FILTER NOT EXISTS {{ {host} kag:describes {of.node} }}"
            within = two.says(texts(two, host, direct=condition.direct))
            return _set(of, f"{of.says(link)} MINUS {{ SELECT DISTINCT {host} WHERE {{ {made} {within} }} }}")
        alike = replace(query, where=(), place=None)
        direct = condition.direct or _is_innermost(condition, of, replace(two, deep=_is_named(query)))
        pattern, _ = related(condition.relation, of, two, direct=direct)
        every, _ = self.find(alike, two)
        made, named = self.find(query, replace(two, tag=self.tag()))
        return _set(of, f"{pattern} {every} MINUS {{ SELECT DISTINCT {named.id} WHERE {{ {made} }} }}")

    # names ----------------------------------------------------------------------------------------

    def _called(self, condition: Condition, of: Slot) -> str:
        """The pattern of what a name means, behind that of all things of the kind."""
        if condition.name is None:
            raise Unfit("is")
        name, tag = condition.name, self.tag()
        if of.kind == "paper":
            return self._paper_called(name, of, tag)
        if of.kind in ("reference", "work"):
            return self._entry_called(name, of, tag, negated=condition.negated)
        if of.kind in ("author", "keyword", "journal"):
            return _word(of, name.text)
        if of.kind == "page":
            return f"FILTER(STRENDS({of.id}, {literal(f' page {name.text.strip()}')}))"
        if name.way == "number":
            return of.says(properties.numbered(of, name.text, tag))
        if of.kind == "section":
            made = _section_called(name, of, tag)
            if name.way == "title" and not self._names.is_any(f"{thing(of)} {made}"):
                raise Ambiguous(name.text)
            return made
        return of.says(properties.holds(Condition("title", name=name), of, tag))

    def _paper_called(self, name: Name, of: Slot, tag: str) -> str:
        if name.way == "label":
            printed_label = label(name.text)
            if printed_label is None or not printed_label.year:
                raise Ambiguous(name.text)
            first = properties.holds(Condition("first author", name=Name(printed_label.people[0])), of, tag)
            return of.says(f"{first} {properties.dated(of.node, printed_label.year, printed_label.year, tag)}")
        found = self._names.papers_called(name)
        if not found:
            raise Ambiguous(name.text)
        return values(of.id[1:], found)

    def _entry_called(self, name: Name, of: Slot, tag: str, *, negated: bool) -> str:
        if name.way == "number":
            return of.says(properties.numbered(of, name.text, tag))
        printed_label = label(name.text) if name.way == "label" else None
        if printed_label is not None:
            return self._labelled(printed_label, of)
        works = self._names.works(name)
        if not works and negated:
            raise Ambiguous(name.text)
        return of.says(is_one_of(of.node, works, tag))

    def _labelled(self, printed_label: Label, of: Slot) -> str:
        """Entries by the names and the year of a label; the first name is that of the first author."""
        parts = [
            Condition("author" if place else "first author", name=Name(person))
            for place, person in enumerate(printed_label.people)
        ]
        parts += [Condition("year", low=printed_label.year, high=printed_label.year)] if printed_label.year else []
        self._doubt(parts)
        return of.says(" ".join(properties.holds(condition, of, self.tag()) for condition in parts))

    def _doubt(self, where: Sequence[Condition | AnyOf]) -> None:
        """Entries that print the people and the year of conditions somewhere, and were read otherwise: maybe meant."""
        parts = [one for one in where if isinstance(one, Condition) and not one.negated and _in_print(one)]
        if not parts:
            return
        entry = slot("reference", self.tag())
        printed_label = f"?said{entry.tag}"
        words = " ".join(
            properties.matching(printed_label, properties.bounded(_in_print(condition))) for condition in parts
        )
        read = " ".join(properties.holds(condition, entry, self.tag()) for condition in parts)
        text = f"{entry.node} a deo:BibliographicReference ; kag:fullText {printed_label} . {words}"
        self.doubts.append(entry.says(f"{text} FILTER NOT EXISTS {{ {read} }}"))

    # scope ----------------------------------------------------------------------------------------

    def _scoped(self, query: Query, one: Slot) -> tuple[Slot, tuple[Condition | AnyOf, ...]]:
        """A thing of one paper's graph, restricted to the paper that its query names, and the conditions left."""
        if one.kind in SHARED:
            return one, query.where
        for condition in query.where:
            if isinstance(condition, Condition) and condition.relation in ("in", "is") and _is_plain(condition):
                of = query if condition.relation == "is" else _query(condition, one)
                papers = self._papers(of) if of.kind == "paper" else None
                if papers is not None:
                    alone = of is query or len(of.where) == 1
                    left = tuple(part for part in query.where if part is not condition) if alone else query.where
                    return replace(one, papers=values(one.graph[1:], papers)), left
        return one, query.where

    def _papers(self, query: Query) -> tuple[str, ...] | None:
        """The papers that a query names outright; None where it does not."""
        for one in query.where:
            named = isinstance(one, Condition) and one.relation == "is" and not one.negated and one.name
            if named and named.way != "label" and (found := self._names.papers_called(named)):
                return found
        return None

    def _asked_first(self, query: Query, one: Slot) -> str:
        return f"{thing(one)} {among(one, self._resolve(query))}"


def among(one: Slot, ids: Sequence[str]) -> str:
    """The pattern of things that are known by their identities, behind that of all things of the kind."""
    if len(ids) > MOST:
        raise Ambiguous("more things than a query can name")
    if one.kind not in LITERALS:
        return values(one.id[1:], ids)
    return f"FILTER({one.id} IN ({', '.join(map(literal, ids))}))"


def is_one_of(node: str, works: Works, tag: str) -> str:
    """An entry that leads to one of some works, or is one of some entries."""
    parts = [f"{{ {values(f'i{tag}', works.works)} {node} biro:references ?i{tag} }}"] if works.works else []
    parts += [f"{{ {values(node[1:], works.entries)} {node} a deo:BibliographicReference }}"] if works.entries else []
    return " UNION ".join(parts) or "FILTER(false)"


def _query(condition: Condition, of: Slot) -> Query:
    """Whom a relation is to; a paper that is cited by name is a work, whether the corpus has it or not."""
    if condition.of is None:
        cited: Kind = "mention" if of.kind == "reference" else "paper"
        kind = _DEFAULT.get(condition.relation, cited if condition.relation == "cited in" else None)
        if kind is None:
            raise Unfit(condition.relation)
        return Query(kind)
    if condition.of.kind == "paper" and condition.relation == "cites" and is_name(condition.of) and _is_any(condition):
        return replace(condition.of, kind="work")
    return condition.of


def is_name(query: Query) -> bool:
    """Whether a query is for what has a name, and no more than that."""
    return bool(query.where) and all(isinstance(one, Condition) and _calls(one) for one in query.where)


def _calls(condition: Condition) -> bool:
    return condition.relation == "is" and not condition.negated


def _is_any(condition: Condition) -> bool:
    """Whether a condition is only on whether there is such a thing."""
    return not condition.only and (condition.low, condition.high) in ((1, MANY), (0, 0))


def _is_named(query: Query) -> bool:
    """Whether a query says which thing it means: of a section that is named, what stands below it is part."""
    return query.place is not None or any(_names_one(one) for one in query.where)


def _in_print(condition: Condition) -> str:
    """The pattern of what a condition on an entry has to print, wherever that stands; "" where nothing."""
    if condition.relation in ("author", "first author") and condition.name:
        return properties.person(condition.name.text)[0]
    return str(condition.low) if condition.relation == "year" and condition.low == condition.high else ""


def _is_plain(condition: Condition) -> bool:
    """Whether a condition says that one such thing is there, and no more than that."""
    return (condition.low, condition.high, condition.only, condition.direct, condition.negated) == (
        1,
        MANY,
        False,
        False,
        False,
    )


def _names_one(one: Condition | AnyOf) -> bool:
    if isinstance(one, AnyOf):
        return any(map(_names_one, one.conditions))
    return one.relation in _NAMING


def _is_innermost(condition: Condition, of: Slot, two: Slot) -> bool:
    """Whether a text counts only for the innermost section that it stands in."""
    if "section" not in (of.kind, two.kind):
        return False
    if condition.relation in ("in", "holds") and (of.kind == two.kind or "paper" in (of.kind, two.kind)):
        return False
    here = condition.relation in ("in", "cited in", "referred to in")
    section = two if (two.kind == "section" and (here or of.kind != "section")) else of
    return not section.deep


def _set(of: Slot, pattern: str) -> str:
    """Things that meet a pattern, as a query inside."""
    return f"{{ SELECT DISTINCT {of.id} WHERE {{ {thing(of)} {pattern} }} }}"


def _between(of: Slot, two: Slot, pairs: str, low: int, high: int, shown: str) -> str:
    bounds = [f"COUNT(DISTINCT {two.id}) >= {low}"] * (low > 1) + [f"COUNT(DISTINCT {two.id}) <= {high}"] * (
        high < MANY
    )
    if not bounds and not shown:
        return f"{{ SELECT DISTINCT {of.id} WHERE {{ {pairs} }} }}"
    having = f" HAVING ({' && '.join(bounds)})" if bounds else ""
    return f"{{ SELECT {of.id} {shown} WHERE {{ {pairs} }} GROUP BY {of.id}{having} }}"


def _more(of: Slot, two: Slot, pairs: str, high: int) -> str:
    """Things that stand in a relation to more than so many."""
    return _between(of, two, pairs, high + 1, MANY, "")


def _both(of: Slot, some: Part | None, outside: str, *, negated: bool) -> Part:
    """Those of which a number holds (None: whatever it is) and that are not `outside`, or all others."""
    if some is None:
        return Part(outside, not negated) if outside else Part(_set(of, ""), negated)
    if not outside:
        return Part(some.pattern, some.inverse != negated)
    if not some.inverse:
        without = f"{{ SELECT * WHERE {{ {some.pattern} MINUS {outside} }} }}"
        return Part(without, negated)
    return Part(f"{{ {some.pattern} UNION {outside} }}", not negated)


def _word(of: Slot, words: str) -> str:
    """A person, a keyword or a journal by name."""
    if of.kind == "author":
        return properties.as_name(of.id, words)
    if of.kind == "journal":
        return properties.whole(of.id, words)
    return properties.matching(of.id, rf"^\W*{properties.phrase(words)}\W*$")


def _section_called(name: Name, of: Slot, tag: str) -> str:
    """Sections of a heading, or of the role that a usual heading stands for."""
    if name.way == "words":
        return of.says(properties.holds(Condition("title", name=name), of, tag))
    heading = f"?s{tag}"
    exact = rf"^\W*(([0-9ivx]+|[a-h])([.]\w+)*[.):]*\s+)?{properties.phrase(name.text)}\W*$"
    titled = f"{properties.titles(of, heading, tag)} {properties.matching(heading, exact)}"
    try:
        role = properties.role(of.node, name.text)
    except Unfit:
        return of.says(titled)
    return of.says(f"{{ {role} }} UNION {{ {titled} }}")
