"""Every condition with every kind, order, place and ask: the evaluator against a brute-force reading of the graph.

Some hundreds of wishes are drawn for each paper; KAG_WISHES says how many instead (thousands take minutes).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from kag.indexing.batch import find_papers, index_all
from kag.qa.checking.claim_check import claim_issues
from kag.qa.exact.evaluate import Evaluator
from kag.qa.exact.render_answer import tell
from kag.qa.exact.resolve import Undecided
from kag.qa.paper import PaperGraph
from kag.qa.questions.structured_query import MANY, AnyOf, Condition, Name, Order, Place, Query
from tests.conftest import BUNDLED, SHARED
from tests.property.printed import Printed, crowded, fitting

WISHES = int(os.environ.get("KAG_WISHES", "250"))  # for each paper
PAPERS = [*sorted(path.name for path in BUNDLED.iterdir() if (path / "gold.json").exists()), "shared"]
KINDS = "Which sections, paragraphs, figures, tables, equations, floats, entries?"  # a question names its kind
TEXTS = ("section", "paragraph", "mention")
FLOATS = ("figure", "table", "formula", "float")


@dataclass(frozen=True)
class Case:
    """A paper twice: as the code reads it, and by brute force; `names` are the things that names mean."""

    paper: PaperGraph
    printed: Printed
    names: dict[str, object]


@pytest.fixture(scope="module", params=PAPERS)
def case(request: pytest.FixtureRequest, bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Case:
    if request.param != "shared":
        return _case(next(bundled_runs.glob(f"{request.param}_*")))
    folder = SHARED / "data" / "jats_gold" / "journal.pone.0117014"
    if not folder.is_dir():
        pytest.skip("the shared papers are not on this machine")
    (outcome,) = index_all(find_papers([folder], tmp_path_factory.mktemp("queries")), workers=1)
    assert outcome.run is not None
    return _case(Path(outcome.run))


def _case(run: Path) -> Case:
    printed = Printed(run)
    named = [one for kind in ("section", "reference", "float") for one in printed.all(kind)]
    return Case(PaperGraph.load(run), printed, {str(one): one for one in named})


class Draw:
    """Wishes drawn at random, each of which makes sense for some paper."""

    def __init__(self, case: Case, seed: int) -> None:
        self.case, self.chance = case, random.Random(seed)

    def query(self) -> Query:
        kind = self.chance.choice(["reference"] * 4 + ["section"] * 3 + ["paragraph", "mention", *FLOATS])
        where = [self.condition(kind, 0) for _ in range(self.chance.choice([0, 1, 1, 1, 2, 2]))]
        if len(where) > 1 and self.chance.random() < 0.3:
            where = [AnyOf(tuple(where))]
        order, place = self.order(kind), self.place(kind)
        return Query(kind, tuple(where), order, place, self.chance.choice(["list", "count", "whether"]))

    def named(self, kind: str) -> Query:
        return Query(kind, (Condition("is", name=Name(str(self.chance.choice(self.case.printed.all(kind))), "id")),))

    def condition(self, kind: str, depth: int) -> Condition:
        makers = {
            "reference": (self.cited, self.cited, self.year, self.has, self.author, self.title, self.number),
            "section": (self.cites, self.cites, self.depth, self.title, self.within, self.holds),
            "paragraph": (self.cites, self.within),
            "mention": (self.points, self.within),
            **{one: (self.cited, self.within, self.title if one != "formula" else self.within) for one in FLOATS},
        }[kind]
        made = self.chance.choice(makers)(kind, depth)
        return replace(made, negated=self.chance.random() < 0.15)

    def cited(self, kind: str, depth: int) -> Condition:
        relation = "cited in" if kind == "reference" else "referred to in"
        if self.chance.random() < 0.15:
            return Condition(relation)
        return self._bounded(relation, self._of(self.chance.choice(TEXTS), depth))

    def cites(self, kind: str, depth: int) -> Condition:
        relation, of = self.chance.choice([("cites", "reference"), ("cites", "reference"), ("refers to", "figure"),
                                           ("refers to", "table"), ("refers to", "float")])  # fmt: skip
        return self._bounded(relation, self._of(of, depth))

    def points(self, kind: str, depth: int) -> Condition:
        relation, of = self.chance.choice([("cites", "reference"), ("refers to", "float")])
        return Condition(relation, self._of(of, depth))

    def _of(self, kind: str, depth: int) -> Query:
        if kind in ("section", "reference", *FLOATS) and (depth or self.chance.random() < 0.5):
            known = self.case.printed.all(kind)
            return self.named(kind) if known else Query(kind)
        where = (self.condition(kind, depth + 1),) if not depth and self.chance.random() < 0.5 else ()
        return Query(kind, where)

    def _bounded(self, relation: str, of: Query) -> Condition:
        low, high = self.chance.choice([(1, MANY)] * 5 + [(2, MANY), (3, MANY), (1, 1), (0, 0), (2, 4)])
        only = low > 0 and self.chance.random() < 0.2
        direct = of.kind == "section" and self.chance.random() < 0.2
        return Condition(relation, of, low=low, high=high, only=only, direct=direct)  # type: ignore[arg-type]

    def year(self, kind: str, depth: int) -> Condition:
        year = self.chance.randint(1995, 2021)
        low, high = self.chance.choice([(1, year), (year, MANY), (year, year), (year - 4, year)])
        return Condition("year", low=low, high=high)

    def has(self, kind: str, depth: int) -> Condition:
        return Condition("has", name=Name(self.chance.choice(["doi", "title", "year"])))

    def author(self, kind: str, depth: int) -> Condition:
        entry = self.chance.choice(self.case.printed.all("reference"))
        families = [each.split(",")[0].strip() for each in self.case.printed.authors(entry)] or ["Nobody"]
        relation, family = self.chance.choice([("author", self.chance.choice(families)), ("first author", families[0])])
        return Condition(relation, name=Name(family))

    def title(self, kind: str, depth: int) -> Condition:
        words = self.case.printed.title(self.chance.choice(self.case.printed.all(kind))).split() or ["nothing"]
        at = self.chance.randrange(len(words))
        chosen = " ".join(word for word in words[at : at + 2] if word.isalpha()) or "nothing"
        return Condition("title", name=Name(chosen))

    def number(self, kind: str, depth: int) -> Condition:
        low = self.chance.randint(1, 20)
        return Condition("number", low=low, high=low + self.chance.randint(0, 8))

    def depth(self, kind: str, depth: int) -> Condition:
        return self.chance.choice([Condition("depth", low=1, high=1), Condition("depth", low=2)])

    def within(self, kind: str, depth: int) -> Condition:
        return Condition("in", self.named("section"), direct=self.chance.random() < 0.3)

    def holds(self, kind: str, depth: int) -> Condition:
        low = self.chance.choice([1, 1, 2])
        return Condition("holds", Query(self.chance.choice(["figure", "table", "paragraph"])), low=low)

    def order(self, kind: str) -> Order | None:
        if kind == "reference" and self.chance.random() < 0.35:
            by_count = Order("cited in", Query(self.chance.choice(["mention", "section"])), descending=True)
            return self.chance.choice([Order("year"), Order("year", descending=True), by_count])
        return None

    def place(self, kind: str) -> Place | None:
        if self.chance.random() < 0.6:
            return None
        if kind in ("section", "reference") and self.chance.random() < 0.25:
            return Place(self.chance.choice(["after", "before"]), of=self.named(kind))
        return self.chance.choice([Place("at", 1, 1), Place("at", 1, 3), Place("at", -1, -1), Place("at", 2, 2)])


def drawn(case: Case) -> Iterator[Query]:
    draw = Draw(case, 20)
    for _ in range(WISHES):
        query = draw.query()
        yield replace(query, order=None) if query.place and query.place.way != "at" else query


def test_each_wish_comes_to_what_the_graph_says(case: Case) -> None:
    evaluator, decided = Evaluator(case.paper), 0
    for query in drawn(case):
        wanted, maybe = fitting(case.printed, query, case.names)
        try:
            found = evaluator.select(query)
        except Undecided:
            continue
        decided += 1
        if maybe or crowded(case.printed, query, case.names):
            assert found.sure <= 0.5, query
        elif found.sure == 1:
            assert [key(case, one) for one in found.things] == [str(one) for one in wanted], query
    assert decided > 0.9 * WISHES


def key(case: Case, thing: object) -> str:
    """The IRI that brute force has for a thing."""
    iri, part = thing.iri, thing.part  # type: ignore[attr-defined]
    return case.printed.mention(iri, part) if thing.kind == "mention" else str(iri)  # type: ignore[attr-defined]


def test_each_answer_says_no_more_than_its_evidence(case: Case) -> None:
    evaluator, papers, answered = Evaluator(case.paper), {case.paper.id: case.paper}, 0
    asked = " ".join([KINDS, *(section.title for section in case.paper.sections.values())])
    for query in drawn(case):
        told = tell(query, evaluator)
        if told is None:
            continue
        answered += 1
        for claim in told.claims:
            assert claim_issues(claim, papers, asked) == [], (query, claim.text)
        wanted, maybe = fitting(case.printed, query, case.names)
        if maybe or crowded(case.printed, query, case.names) or not told.claims:
            continue
        if all(claim.confidence == 1 for claim in told.claims):
            assert right(query, told.value, len(wanted)), (query, told)
    assert answered > 0.8 * WISHES


def right(query: Query, value: object, number: int) -> bool:
    """Whether an answer as data goes with the number of things that fit."""
    if query.ask == "count":
        return value == number
    if query.ask == "whether":
        return value == ("yes" if number else "no")
    return len(value) <= number if isinstance(value, list) else bool(value) == bool(number)
