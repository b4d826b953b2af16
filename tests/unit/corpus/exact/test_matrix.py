"""Every condition with every kind in every position of a wish: the compiled query and a slow reading find the same.

A sample of the matrix runs always; all of it with KAG_MATRIX=all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kag.corpus.exact.answer import answer_query
from kag.corpus.exact.find import Finder, Item
from kag.corpus.exact.named import Ambiguous, Names
from kag.corpus.graphs import nquads, open_snapshot
from kag.corpus.sparql.query import Limits, reader
from kag.corpus.store import Corpus, open_corpus
from kag.qa.checking.verify import verify
from kag.qa.questions.file import Question
from kag.qa.questions.structured_query import AnyOf, Condition, Name, Order, Place, Query
from tests.unit.corpus.exact.brute import ORDINARY, Brute, T
from tests.unit.corpus.runs import indexed, make_run, put

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[4] / "test_data"
EVERY = 1 if os.environ.get("KAG_MATRIX") == "all" else 11
C, W, N = Condition, Query, Name

PAPER = W("paper", (C("is", name=N("reservoir_sensors", "id")),))
INTRO, METHODS = (W("section", (C("is", name=N(title)),)) for title in ("Introduction", "Methods"))
OLD = W("reference", (C("year", low=1, high=2005),))
RELATED: dict[str, list[Condition]] = {
    "paper": [
        C("cites", OLD),
        C("cites", W("work", (C("title", name=N("ice", "words")),))),
        C("holds", W("figure")),
        C("holds", W("table", (C("title", name=N("site", "words")),))),
        C("cites", W("paper")),
        C("cited in", W("paper")),
        C("holds", W("section", (C("role", name=N("discussion")),))),
        C("cites", W("journal", (C("is", name=N("Rivers")),))),
    ],
    "section": [
        C("cites", OLD),
        C("holds", W("table")),
        C("holds", W("paragraph")),
        C("refers to", W("figure")),
        C("in", METHODS),
        C("in", W("section")),
        C("holds", W("section")),
        C("referred to in", W("paragraph")),
        C("cites", W("work")),
        C("in", W("page", (C("is", name=N("2", "number")),))),
        C("refers to", W("section")),
        C("in", PAPER, direct=True),
    ],
    "paragraph": [
        C("cites", OLD),
        C("refers to", W("table")),
        C("in", INTRO),
        C("holds", W("mention")),
        C("in", W("section"), direct=True),
        C("refers to", W("section", (C("depth", low=2, high=9),))),
        C("in", W("page", (C("is", name=N("1", "number")),))),
    ],
    "figure": [
        C("referred to in", W("paragraph")),
        C("in", W("section")),
        C("cites", W("reference")),
        C("in", METHODS),
    ],
    "table": [C("referred to in", INTRO), C("in", W("page")), C("cites", OLD), C("referred to in", W("section"))],
    "formula": [
        C("referred to in", W("paragraph")),
        C("in", METHODS),
        C("in", W("section", (C("depth", low=2, high=2),))),
    ],
    "float": [C("in", METHODS), C("referred to in", W("section")), C("cites", W("reference"))],
    "reference": [
        C("cited in", INTRO),
        C("cited in", W("section")),
        C("cited in", W("mention")),
        C("cited in", W("table")),
        C("beside", W("reference", (C("year", low=2015, high=2030),))),
        C("in", W("page", (C("is", name=N("2", "number")),))),
        C("cited in", W("paragraph", (C("text", name=N("ice", "words")),))),
        C("in", W("section")),
    ],
    "work": [
        C("cited in", W("paper")),
        C("cited in", INTRO),
        C("beside", W("work", (C("year", low=2000, high=2000),))),
    ],
    "mention": [C("cites", OLD), C("in", INTRO), C("in", W("paragraph")), C("in", W("table")), C("cites", W("work"))],
    "author": [C("in", W("paper", (C("holds", W("table"), low=2),)))],
    "keyword": [C("in", W("paper", (C("cites", OLD),)))],
    "journal": [C("cited in", W("paper")), C("cited in", INTRO)],
    "page": [C("holds", W("figure")), C("holds", W("section")), C("holds", W("reference"))],
}
ENTRY = [
    C("year", low=2000, high=2014),
    C("author", name=N("Poe", "label")),
    C("first author", name=N("Brannigan", "label")),
    C("venue", name=N("Rivers")),
    C("title", name=N("reservoir", "words")),
    C("has", name=N("doi")),
    C("has", name=N("year")),
]
LAYER: dict[str, list[Condition]] = {
    "paper": [
        C("year", low=2015, high=2030),
        C("author", name=N("Lima", "label")),
        C("first author", name=N("Achterberg", "label")),
        C("keyword", name=N("battery", "words")),
        C("title", name=N("sensors", "words")),
        C("has", name=N("doi")),
        C("text", name=N("river ice", "words")),
        C("is", name=N("ice", "id")),
        C("has", name=N("title")),
    ],
    "section": [
        C("role", name=N("methods")),
        C("depth", low=2, high=3),
        C("title", name=N("energy", "words")),
        C("number", low=2, high=4),
        C("is", name=N("Results")),
        C("is", name=N("2.1", "number")),
        C("text", name=N("sites", "words")),
    ],
    "paragraph": [C("text", name=N("sites", "words")), C("text", name=N("of the", "words"))],
    "figure": [
        C("is", name=N("2", "number")),
        C("title", name=N("month", "words")),
        C("number", low=2, high=9),
        C("has", name=N("caption")),
    ],
    "table": [C("is", name=N("A1", "number")), C("number", low=1, high=1), C("text", name=N("site", "words"))],
    "formula": [C("is", name=N("1", "number")), C("number", low=2, high=3)],
    "float": [C("is", name=N("1", "number")), C("number", low=2, high=9)],
    "reference": [
        *ENTRY,
        C("is", name=N("3", "number")),
        C("is", name=N("Ice on rivers")),
        C("number", low=2, high=4),
        C("text", name=N("ice", "words")),
    ],
    "work": [*ENTRY, C("is", name=N("Ice on rivers"))],
    "author": [C("is", name=N("Lima", "label"))],
    "keyword": [C("is", name=N("Battery lifetime"))],
    "journal": [C("is", name=N("Rivers"))],
    "page": [C("is", name=N("3", "number"))],
}
AROUND: dict[str, list[tuple[str, str]]] = {  # kind -> (another kind, its relation to the first)
    "paper": [("reference", "in"), ("work", "cited in"), ("author", "in"), ("figure", "in"), ("paper", "cites")],
    "section": [
        ("reference", "cited in"),
        ("paragraph", "in"),
        ("table", "referred to in"),
        ("paper", "holds"),
        ("section", "holds"),
    ],
    "paragraph": [("reference", "cited in"), ("mention", "in"), ("section", "holds"), ("figure", "referred to in")],
    "figure": [("paragraph", "refers to"), ("section", "holds"), ("page", "holds"), ("paper", "holds")],
    "table": [("section", "refers to"), ("paper", "holds")],
    "formula": [("paragraph", "refers to"), ("paper", "holds")],
    "float": [("paper", "holds"), ("section", "holds")],
    "reference": [
        ("section", "cites"),
        ("paragraph", "cites"),
        ("mention", "cites"),
        ("paper", "cites"),
        ("reference", "beside"),
    ],
    "work": [("paper", "cites"), ("section", "cites"), ("mention", "cites"), ("work", "beside")],
    "mention": [("reference", "cited in"), ("paragraph", "holds"), ("section", "holds")],
    "author": [("paper", "holds")],
    "keyword": [("paper", "holds")],
    "journal": [("paper", "cites"), ("section", "cites")],
    "page": [("figure", "in"), ("section", "in")],
}


def alone(kind: str, one: Condition) -> Iterator[Query]:
    """A condition of its own, turned, beside another, in a choice, counted, exclusive."""
    other = (LAYER.get(kind) or RELATED[kind])[-1]
    scope = C("in", PAPER)
    made: list[tuple[Condition | AnyOf, ...]] = [
        (one,),
        (replace(one, negated=True),),
        (one, other),
        (AnyOf((one, other)),),
    ]
    made += [(AnyOf((replace(one, negated=True), other)),), (one, replace(other, negated=True))]
    if kind != "paper":
        made += [(scope, one), (scope, replace(one, negated=True))]
    if one.of is not None:
        for low, high in ((2, 1_000_000), (0, 1), (1, 1), (0, 0)):
            made += [(replace(one, low=low, high=high),), (replace(one, low=low, high=high, negated=True),)]
        made += [
            (replace(one, only=True),),
            (replace(one, only=True, negated=True),),
            (replace(one, low=0, only=True),),
        ]
    for where in made:
        yield W(kind, where)  # type: ignore[arg-type]


def inside(kind: str, one: Condition) -> Iterator[Query]:
    """A condition on things that others stand in a relation to; in an order, at a place, and these in others."""
    for other, relation in AROUND[kind]:
        of = W(kind, (one,))  # type: ignore[arg-type]
        for condition in (
            C(relation, of),
            C(relation, of, negated=True),
            C(relation, of, low=2),
            C(relation, of, only=True),  # type: ignore[arg-type]
            C(relation, W(kind, (replace(one, negated=True),))),  # type: ignore[arg-type]
        ):
            yield W(other, (condition,))  # type: ignore[arg-type]
        yield W(
            other,
            order=Order(relation, of, descending=True),
            place=Place(level=True),
        )  # type: ignore[arg-type]
        if kind in ("section", "reference", "paragraph", "table"):
            first = W(kind, (C("in", PAPER), one), place=Place())  # type: ignore[arg-type]
            yield W(other, (C(relation, first),))  # type: ignore[arg-type]
    if kind in ORDINARY[1:]:
        here = W(kind, (C("in", PAPER), one))  # type: ignore[arg-type]
        first = W(kind, (C("in", PAPER),), place=Place(at=3, to=3))  # type: ignore[arg-type]
        for place in (
            Place(at=1, to=3),
            Place(at=-2, to=-1),
            Place("after", of=first),
            Place("before", at=1, to=2, of=first),
        ):
            yield replace(here, place=place)


def matrix() -> list[Query]:
    found = [
        query
        for kind in RELATED
        for one in (*RELATED[kind], *LAYER.get(kind, ()))
        for query in (*alone(kind, one), *inside(kind, one))
    ]
    return list(dict.fromkeys(found))


MATRIX = matrix()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The bundled papers, and three small ones that cite the same works and each other."""
    folder = tmp_path_factory.mktemp("matrix")
    names = ("reservoir_sensors", "urban_pollinators", "zirconium_tracers")
    doi = "10.5555/ice.2019.7"
    runs = [
        *(indexed(folder / name, DATA / name, name) for name in names),
        make_run(folder, "ice", doi=doi),
        make_run(folder, "snow", cites=f"Lima A, Berg J. Sensors under river ice. Rivers. 2019;9:1-12. doi:{doi}."),
        make_run(folder, "fog", cites="Müller K. Frost on lakes. Lakes. 1978;2:5-9."),
    ]
    put(folder / "corpus", *runs)
    return open_corpus(folder / "corpus")


@pytest.fixture(scope="module")
def brute(corpus: Corpus) -> Brute:
    return Brute(nquads(open_snapshot(corpus.layout)))


@pytest.fixture(scope="module")
def finder(corpus: Corpus) -> Finder:
    return Finder(Names(reader(corpus.layout.root, Limits(rows=50_000, bytes=50_000_000)), corpus.papers()))


def test_the_matrix_is_large() -> None:
    assert len(MATRIX) > 3000


@pytest.mark.parametrize("part", range(12))
def test_the_query_finds_what_a_slow_reading_finds(part: int, finder: Finder, brute: Brute) -> None:
    wrong = []
    for query in MATRIX[part :: 12 * EVERY]:
        expected = brute.things(query)
        try:
            found = finder.things(query)
        except Ambiguous:
            assert len(expected) >= 100  # so many are level that none stands out
            continue
        if not same(expected, found, ordered=query.place is not None and query.order is None):
            wrong.append((query, [one.id for one in expected], [one.id for one in found]))
    assert not wrong, f"{len(wrong)} differ, first: {wrong[0]}"


def test_answers_to_a_sample_conform(corpus: Corpus) -> None:
    """What is found is told with evidence that holds, as a list, as a number, and as yes or no."""
    library, told = corpus.library(), 0
    for query in MATRIX[:: 20 * EVERY]:
        for ask in ("list", "count", "whether") if query.place is None else ("list",):
            words = Question("q", f"Which {query.kind} is it, and how many {query.kind}s are there?")
            answer = answer_query(words, replace(query, ask=ask), corpus)  # type: ignore[arg-type]
            if answer is not None:
                report = verify(answer, library)
                assert report.conforms, (query, report.issues[0])
                told += bool(answer.claims)
    assert told > 15


def test_a_keyword_is_shown_where_it_is_printed_whole(corpus: Corpus) -> None:
    """Each of a line of keywords is a thing of its own, and "tetrahydroxamate" is none of them."""
    of = W("paper", (C("is", name=N("zirconium_tracers", "id")),))
    keywords = answer_query(Question("q", "?"), W("keyword", (C("in", of),)), corpus)
    number = answer_query(Question("q", "?"), W("keyword", (C("in", of),), ask="count"), corpus)
    assert keywords
    assert number
    assert [claim.text for claim in keywords.claims][:2] == ["VNAR.", "hydroxamate."]
    assert {claim.evidence[0].node for claim in keywords.claims} == {one.node for one in number.claims[0].evidence}
    assert verify(keywords, corpus.library()).conforms
    assert verify(number, corpus.library()).conforms
    assert number.value == len(keywords.claims)


def same(expected: list[T], found: tuple[Item, ...], *, ordered: bool) -> bool:
    """By identity; of a float that has no name of its own here, by its nodes."""
    left = [
        frozenset(node for _, node in one.nodes) if one.kind in ("figure", "table", "formula", "float") else one.id
        for one in expected
    ]
    floats = bool(expected) and isinstance(left[0], frozenset)
    right = [frozenset(node for _, node in item.nodes) if floats else item.id for item in found]
    return left == right if ordered else sorted(map(str, left)) == sorted(map(str, right))
