"""A slow reading of wishes over all graphs of a corpus, thing by thing, without SPARQL and with no code of the package
but the wishes and the types of section titles: what the compiled queries are held against."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from kag.indexing.enrich.sections import title_types
from kag.qa.questions.structured_query import AnyOf, Condition, Name, Query

KAG, FLOATS = "http://la3d.local/kag#", ("figure", "table", "formula")
SPO = defaultdict[str, defaultdict[str, list[str]]]
LINE = re.compile(r'<([^>]*)> <([^>]*)> (?:<([^>]*)>|"((?:[^"\\]|\\.)*)"\S*) <([^>]*)> \.')
MERGED = "http://la3d.local/kag/corpus/works"
ORDINARY = ("paper", "section", "paragraph", "reference", "mention", "page")


@dataclass(frozen=True)
class T:
    """A thing: what tells it apart, and its nodes, each with its paper."""

    kind: str
    id: str
    nodes: frozenset[tuple[str, str]]


def words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", plain.casefold())


def has_words(text: str, part: str) -> bool:
    many, few = words(text), words(part)
    return any(many[at : at + len(few)] == few for at in range(len(many)))


class Brute:
    """All triples of a corpus by graph, and wishes read over them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.graphs: dict[str, SPO] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
        for line in lines:
            match = LINE.fullmatch(line.strip())
            assert match, line
            subject, predicate, iri, text, graph = match.groups()
            value = iri if iri is not None else text.encode("latin-1", "backslashreplace").decode("unicode-escape")
            self.graphs[graph][subject][re.split(r"[/#]", predicate)[-1]].append(value)
        self.main = {s: p["sameAs"][0] for s, p in self.graphs.pop(MERGED, {}).items() if p["sameAs"]}
        self.same = {
            one: self.main.get(one, one)
            for g in self.graphs.values()
            for p in g.values()
            for one in p["references"] + p["realizes"]
        }

    # things ---------------------------------------------------------------------------------------

    def one(self, graph: str, node: str, name: str) -> str:
        return next(iter(self.graphs[graph][node][name]), "")

    @cache  # noqa: B019
    def is_a(self, graph: str, node: str, name: str) -> bool:
        return any(kind.endswith(f"/{name}") for kind in self.graphs[graph][node]["type"])

    @cache  # noqa: B019
    def all(self, kind: str) -> list[T]:
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for graph in self.graphs:
            for name, node in self.of(kind, graph):
                found[name].add((graph, node))
        return [T(kind, name, frozenset(nodes)) for name, nodes in found.items()]

    def of(self, kind: str, graph: str) -> Iterable[tuple[str, str]]:  # noqa: C901
        g = self.graphs[graph]
        nodes = list(g)
        if kind == "paper":
            return [(graph, graph)]
        if kind == "float":
            return [pair for part in FLOATS for pair in self.of(part, graph)]
        if kind == "section":
            return [(n, n) for n in nodes if self.is_a(graph, n, "Section") and self.heading(graph, n)]
        if kind == "paragraph":
            return [
                (n, n) for n in nodes if self.is_a(graph, n, "Paragraph") and g[n]["fullText"] and not g[n]["continues"]
            ]
        if kind == "reference":
            return [(n, n) for n in nodes if self.is_a(graph, n, "BibliographicReference")]
        if kind == "work":
            return [(self.same.get(next(iter(g[n]["references"]), n), n), n) for n, _ in self.of("reference", graph)]
        if kind == "journal":
            return [(one, n) for n, _ in self.of("reference", graph) for one in g[n]["publicationName"]]
        if kind == "mention":
            return [(m, m) for n in nodes for m in g[n]["hasMention"] if self.is_a(graph, m, "InTextReferencePointer")]
        if kind in ("author", "keyword"):
            return [(one, graph) for one in g[graph]["creator" if kind == "author" else "keyword"]]
        if kind == "page":
            return [(f"{graph} page {page}", n) for n in nodes for page in g[n]["pageNumber"]]
        return self.floats(kind, graph)

    def floats(self, kind: str, graph: str) -> Iterable[tuple[str, str]]:
        g = self.graphs[graph]
        mine = [n for n in g if self.is_a(graph, n, kind.capitalize())]
        numbered = any(g[n]["floatNumber"] for n in mine)
        for n in mine:
            number, label = self.one(graph, n, "floatNumber"), self.one(graph, n, "floatLabel").lower()
            if kind == "formula" and numbered and not number:
                continue
            if kind != "formula" and not (self.captions(graph, n) or (g[n]["fullText"] and number)):
                continue
            if re.search(r"supplement|\bbox\b", label):
                continue
            yield f"{graph} {kind} {label[:5] if label.startswith('scheme') else ''}{number}" if number else n, n

    @cache  # noqa: B019
    def captions(self, graph: str, node: str) -> list[str]:
        return [n for n, p in self.graphs[graph].items() if node in p["describes"]]

    @cache  # noqa: B019
    def heading(self, graph: str, node: str) -> str:
        for head in self.graphs[graph][node]["containsAsHeader"]:
            if not self.graphs[graph][head]["isSynthetic"]:
                return self.one(graph, head, "fullText")
        return ""

    # what stands where ----------------------------------------------------------------------------

    @cache  # noqa: B019
    def inside(self, graph: str, section: str, *, direct: bool) -> set[str]:
        found, left = set(), list(self.graphs[graph][section]["contains"])
        while left:
            node = left.pop()
            if node not in found:
                found.add(node)
                left += [] if direct else self.graphs[graph][node]["contains"]
        return found

    @cache  # noqa: B019
    def hosts(self, graph: str, node: str, kind: str, *, direct: bool) -> set[str]:
        g = self.graphs[graph]
        if kind == "section":
            return self.inside(graph, node, direct=direct)
        if kind in (*FLOATS, "float"):
            return {node, *self.captions(graph, node)}
        if kind == "paper":
            return set(g)
        found = {node}
        while more := {n for n, p in g.items() if found.intersection(p["continues"])} - found:
            found |= more
        return found

    @cache  # noqa: B019
    def linked(self, relation: str, x: T, y: T, *, direct: bool) -> bool:
        flip = {"cited in": "cites", "referred to in": "refers to", "holds": "in"}
        if relation in flip:
            return self.linked(flip[relation], y, x, direct=direct)
        return any(
            getattr(self, f"_{relation.split()[0]}")(x, y, gx, nx, ny, direct)
            for gx, nx in x.nodes
            for gy, ny in y.nodes
            if gx == gy or (relation == "cites" and y.kind == "paper")
        )

    def _cites(self, x: T, y: T, graph: str, node: str, other: str, direct: bool) -> bool:
        g = self.graphs[graph]
        if y.kind == "paper":
            own = {self.same[one] for one in self.graphs[other][other]["realizes"]}
            return graph != other and any(
                self._cites(x, T("reference", n, frozenset()), graph, node, n, direct)
                for n, _ in self.of("reference", graph)
                if own & {self.same[one] for one in g[n]["references"]}
            )
        if x.kind == "paper":
            return True
        if x.kind == "mention":
            return other in g[node]["denotes"]
        return any(
            other in g[m]["denotes"] for h in self.hosts(graph, node, x.kind, direct=direct) for m in g[h]["hasMention"]
        )

    def _refers(self, x: T, y: T, graph: str, node: str, other: str, direct: bool) -> bool:
        hosts = self.hosts(graph, node, x.kind, direct=direct)
        return any(
            other in self.graphs[graph][h]["refersTo"] and other not in self.graphs[graph][h]["describes"]
            for h in hosts
        )

    def _in(self, x: T, y: T, graph: str, node: str, other: str, direct: bool) -> bool:
        if y.kind == "paper":
            return not (direct and x.kind == "section") or node in self.graphs[graph][other]["contains"]
        if y.kind == "page":
            return y.id.rpartition(" ")[2] in self.graphs[graph][node]["pageNumber"]
        if x.kind == "mention":
            hosts = self.hosts(graph, other, y.kind, direct=direct)
            return any(node in self.graphs[graph][h]["hasMention"] for h in hosts)
        return node in self.inside(graph, other, direct=direct)

    def _beside(self, x: T, y: T, graph: str, node: str, other: str, direct: bool) -> bool:
        if x.id == y.id or x.kind == "work":
            return x.id != y.id
        return any({node, other} <= set(p["denotes"]) for p in self.graphs[graph].values())

    # conditions -----------------------------------------------------------------------------------

    @cache  # noqa: B019
    def holds(self, x: T, one: Condition | AnyOf, *, deep: bool) -> bool:
        if isinstance(one, AnyOf):
            return any(self.holds(x, part, deep=deep) for part in one.conditions)
        if one.of is None:
            said = [self.says(x, g, n, one) for g, n in x.nodes]
            if one.negated and one.relation in ("year", "author", "first author", "venue", "keyword"):
                return True not in said and False in said
            return (True in said) != one.negated
        section = [deep] * (x.kind == "section") + [named(one.of)] * (one.of.kind == "section")
        whole = one.relation in ("in", "holds") and (x.kind == one.of.kind or "paper" in (x.kind, one.of.kind))
        if x.kind == one.of.kind == "section" and not whole:
            section = [deep] if one.relation == "refers to" else [named(one.of)]
        direct = one.direct or (bool(section) and not whole and not section[0])
        among = self.things(one.of)
        others = [y for y in among if self.linked(one.relation, x, y, direct=direct)]
        good = one.low <= len(others) <= one.high
        if good and one.only:
            good = not self.outside(x, one, among, direct=direct)
        return good != one.negated

    def outside(self, x: T, one: Condition, among: list[T], *, direct: bool) -> bool:
        """Whether a thing stands in a relation to more than these."""
        assert one.of is not None
        if one.relation == "in":
            return False
        if one.relation in ("cited in", "referred to in") and one.of.kind in ("section", "paragraph", *FLOATS):
            allowed = {h for y in among for g, n in y.nodes for h in self.hosts(g, n, y.kind, direct=one.direct)}
            for graph, node in x.nodes:
                for host, p in self.graphs[graph].items():
                    cited = any(node in self.graphs[graph][m]["denotes"] for m in p["hasMention"])
                    points = (
                        cited if one.relation == "cited in" else node in p["refersTo"] and node not in p["describes"]
                    )
                    if points and host not in allowed:
                        return True
            return False
        return any(self.linked(one.relation, x, y, direct=direct) for y in self.all(one.of.kind) if y not in among)

    def says(self, x: T, graph: str, node: str, one: Condition) -> bool | None:  # noqa: C901
        """Whether a node says it; None where it says nothing on it."""
        g, said = self.graphs[graph], one.name.text if one.name else ""
        p = g[node]
        match one.relation:
            case "year":
                return (
                    any(one.low <= int(y) <= one.high for y in p["hasPublicationYear"])
                    if p["hasPublicationYear"]
                    else None
                )
            case "author" | "first author" if x.kind == "paper":
                lines = [self.one(graph, n, "fullText") for n in g if self.is_a(graph, n, "ListOfAuthors")]
                first = [a for a in p["creator"] if any(line.startswith(a) for line in lines)]
                mine = p["creator"] if one.relation == "author" else first
                return any(words(a)[-1:] == words(said) for a in mine) if p["creator"] else None
            case "author" | "first author":
                people = [a.split(",")[0] for line in p["authorList"] for a in line.split(";")]
                mine = people if one.relation == "author" else people[:1]
                return any(words(a) == words(said) for a in mine) if people else None
            case "venue":
                return any(words(v) == words(said) for v in p["publicationName"]) if p["publicationName"] else None
            case "keyword":
                return any(has_words(k, said) for k in p["keyword"]) if p["keyword"] else None
            case "role":
                return {str(kind) for kind in title_types(said)} <= set(p["type"])
            case "depth":
                return one.low <= int(self.one(graph, node, "depth")) <= one.high
            case "number":
                number = self.number(x, graph, node)
                return number.isdigit() and one.low <= int(number) <= one.high
            case "title":
                return any(has_words(t, said) for t in self.titles(x, graph, node))
            case "text":
                hosts = [node] if x.kind in ("reference", "work") else self.hosts(graph, node, x.kind, direct=False)
                return any(has_words(t, said) for h in hosts for t in g[h]["fullText"])
            case "has":
                names = {"doi": "doi", "year": "hasPublicationYear", "title": "title", "journal": "publicationName"}
                return bool(self.captions(graph, node)) if said == "caption" else bool(p[names[said]])
        assert one.relation == "is"
        return self.called(x, graph, node, Name(said, one.name.way)) if one.name else None

    def called(self, x: T, graph: str, node: str, name: Name) -> bool:
        if x.kind == "page":
            return x.id.endswith(f" page {name.text}")
        if x.kind in ("author", "keyword", "journal"):
            return words(x.id) == words(name.text) or (x.kind == "author" and words(x.id)[-1] == name.text.casefold())
        if name.way == "number":
            return self.number(x, graph, node).casefold() == name.text.casefold()
        if name.way == "id":
            return self.one(graph, node, "identifier") == name.text
        if x.kind == "section":
            head = words(self.heading(graph, node))
            types = {str(kind) for kind in title_types(name.text)}
            while head and (head[0].isdigit() or len(head[0]) == 1):
                head = head[1:]
            return head == words(name.text) or (bool(types) and types <= set(self.graphs[graph][node]["type"]))
        return any(words(t) == words(name.text) for t in self.titles(x, graph, node))

    def number(self, x: T, graph: str, node: str) -> str:
        name = {"section": "sectionNumber", "reference": "citationNumber"}.get(x.kind, "floatNumber")
        return self.one(graph, node, name)

    def titles(self, x: T, graph: str, node: str) -> list[str]:
        if x.kind == "section":
            return [self.heading(graph, node)]
        if x.kind in (*FLOATS, "float"):
            return [t for c in self.captions(graph, node) for t in self.graphs[graph][c]["fullText"]]
        return self.graphs[graph][node]["title"]

    # wishes ---------------------------------------------------------------------------------------

    @cache  # noqa: B019
    def things(self, query: Query) -> list[T]:
        """The things of a wish, in their order where it has one."""
        deep = named(query)
        found = [x for x in self.all(query.kind) if all(self.holds(x, one, deep=deep) for one in query.where)]
        order, place = query.order, query.place
        found.sort(key=self.position)
        if order and order.of:
            counted = Condition(order.by, order.of)  # type: ignore[arg-type]
            among = self.things(order.of)
            number = {
                x: sum(self.linked(order.by, x, y, direct=self.is_direct(x, counted, deep)) for y in among)
                for x in found
            }
            found.sort(key=lambda x: (number[x], x.id), reverse=order.descending)
            if place and found:
                kept = found[place.at - 1 : place.to]
                return [x for x in found if x in kept or (place.level and kept and number[x] == number[kept[-1]])]
        if place and place.way == "at":
            start = place.at - 1 if place.at > 0 else max(len(found) + place.at, 0)
            return found[start : place.to if place.to > 0 else len(found) + place.to + 1]
        if place and place.of:
            mark = self.things(place.of)
            if not mark:
                return []
            here = [x for x in found if self.position(x)[0] == self.position(mark[0])[0] and x != mark[0]]
            if place.way == "after":
                return [x for x in here if self.position(x) > self.position(mark[0])][place.at - 1 : place.to]
            before = [x for x in here if self.position(x) < self.position(mark[0])][::-1]
            return before[place.at - 1 : place.to][::-1]
        return found

    def is_direct(self, x: T, one: Condition, deep: bool) -> bool:
        assert one.of is not None
        if one.relation in ("in", "holds") and (x.kind == one.of.kind or "paper" in (x.kind, one.of.kind)):
            return False
        if x.kind == "section" and one.of.kind == "section":
            return not (deep if one.relation == "refers to" else named(one.of))
        return (x.kind == "section" and not deep) or (one.of.kind == "section" and not named(one.of))

    @cache  # noqa: B019
    def position(self, x: T) -> tuple[str, float, float, list[str]]:
        return min(self._position(x, graph, node) for graph, node in x.nodes)

    def _position(self, x: T, graph: str, node: str) -> tuple[str, float, float, list[str]]:
        g = self.graphs[graph]
        host = next((n for n in g if node in g[n]["hasMention"]), node) if x.kind == "mention" else node
        host = g[node]["containsAsHeader"][0] if x.kind == "section" else host
        order = x.id.rpartition(" ")[2] if x.kind == "page" else self.one(graph, host, "order")
        within = self.one(graph, node, "startOffset") or self.one(graph, node, "citationNumber")
        return self.one(graph, graph, "identifier"), float(order or "inf"), float(within or "inf"), self.natural(node)

    def natural(self, node: str) -> list[str]:
        return [part.zfill(9) if part.isdigit() else part for part in re.split(r"(\d+)", node)]


def named(query: Query) -> bool:
    """Whether a wish says which things it means."""
    flat = [c for one in query.where for c in (one.conditions if isinstance(one, AnyOf) else (one,))]
    return query.place is not None or any(
        isinstance(c, Condition) and c.relation in ("is", "role", "depth") for c in flat
    )
