"""Questions read as walks: what is asked, which words say steps, which are names, and what is left unread."""

from __future__ import annotations

import pytest

from kag.kgrag.asking.answers import whether
from kag.kgrag.asking.cues import Cues
from kag.kgrag.domain import domain_of
from kag.kgrag.facade import DomainGraph
from kag.kgrag.names import Names, spelled
from kag.kgrag.science import ScienceGraph
from kag.kgrag.workflow.facade import WorkflowGraph
from tests.unit.kgrag.worlds import drugs


@pytest.fixture(scope="module")
def graph() -> ScienceGraph:
    return drugs()


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which proteins does Aspirin inhibit?", "protein:PTGS1 protein:PTGS2"),
        ("What does aspirin inhibit?", "protein:PTGS1 protein:PTGS2"),
        ("Aspirin inhibits which proteins?", "protein:PTGS1 protein:PTGS2"),
        ("Which proteins are inhibited by Ibuprofen?", "protein:PTGS2"),
        ("Which chemicals inhibit PTGS1 protein?", "aspirin"),
        ("Which genes encode the proteins that Ibuprofen inhibits?", "gene:PTGS2"),
        ("Genes of the proteins inhibited by Ibuprofen", "gene:PTGS2"),
        ("Which chemicals inhibit the protein that the gene PTGS2 encodes?", "aspirin ibuprofen"),
        ("Which diseases are treated by chemicals that inhibit PTGS1 protein?", "migraine stroke"),
        ("Which chemicals treat both migraine and gout?", "ibuprofen"),
        ("Which chemicals treat migraine and inhibit PTGS1 protein?", "aspirin"),
        ("Which drugs that treat migraine inhibit PTGS1 protein?", "aspirin"),
        ("Which chemicals treat gout or stroke?", "ibuprofen aspirin"),
        ("Which chemicals treat migraine but not gout?", "aspirin"),
        ("Which proteins do Aspirin and Ibuprofen inhibit?", "protein:PTGS2"),
        ("WHICH DRUGS ARE USED TO TREAT GOUT", "ibuprofen"),
        ("Which chemicals inhibit a protein encoded by a gene associated with gout?", "aspirin ibuprofen"),
    ],
)
def test_a_question_that_is_read_whole_is_answered_for_sure(graph: ScienceGraph, question: str, answers: str) -> None:
    found = graph.ask(question)
    assert found is not None
    assert (found.nodes, found.sure) == (tuple(answers.split()), True)


@pytest.mark.parametrize(
    "question",
    [
        "Which proteins does Aspirin barely inhibit?",
        "Which proteins does Aspirin not inhibit?",
        "Welche Proteine hemmt Aspirin?",
        "Which genes encode the targets of Aspirin?",  # inhibits, activates or interacts with
    ],
)
def test_what_is_not_read_whole_is_not_sure(graph: ScienceGraph, question: str) -> None:
    found = graph.ask(question)
    assert found is None or not found.sure


@pytest.mark.parametrize(
    "question", ["", "?", "Which proteins?", "Tell me about Aspirin", "\x00", "a " * 5000, "ＡＳＰＩＲＩＮ"]
)
def test_what_is_no_walk_is_not_answered(graph: ScienceGraph, question: str) -> None:
    assert graph.ask(question) is None


def test_all_ways_that_are_said_equally_well_are_walked(graph: ScienceGraph) -> None:
    found = graph.ask("targets of Aspirin")
    assert found is not None
    assert set(found.nodes) == {"protein:PTGS1", "protein:PTGS2"}
    assert not found.sure


def test_the_edges_of_a_way_are_the_evidence(graph: ScienceGraph) -> None:
    found = graph.ask("Which genes encode the proteins that Ibuprofen inhibits?")
    assert found is not None
    assert [[(e.label, e.source, e.target) for e in way] for way in found.ways] == [
        [("inhibits", "ibuprofen", "protein:PTGS2"), ("encodes", "gene:PTGS2", "protein:PTGS2")]
    ]


def test_the_voice_of_a_verb_tells_the_direction() -> None:
    flow = WorkflowGraph()
    fetch, sort, plot = (flow.add_task(name, id=name) for name in ("fetch", "sort", "plot"))
    flow.add_dependency(sort, fetch), flow.add_dependency(plot, sort)
    for question, answers in (
        ("Which tasks does sort depend on?", ("fetch",)),
        ("Which tasks depend on sort?", ("plot",)),
        ("Which tasks are needed by sort?", ("fetch",)),
        ("By which tasks is sort needed?", ("plot",)),
        ("What are the dependencies of sort?", ("fetch",)),
        ("Which tasks depend on tasks that depend on fetch?", ("plot",)),
    ):
        found = flow.ask(question)
        assert found is not None, question
        assert (found.nodes, found.sure) == (answers, True), question


FILMS = {
    "name": "films",
    "nodes": {
        "Film": {"names": ["name"], "words": ["movie"]},
        "Person": {"names": ["name"], "words": ["who", "director", "actor"]},
        "Year": {"names": ["name"], "words": ["when", "year"]},
    },
    "edges": {
        "directed_by": {"from": "Film", "to": "Person", "phrases": ["directed", "director"]},
        "starred": {"from": "Film", "to": "Person", "phrases": ["acted", "actor", "in"]},
        "release_year": {"from": "Film", "to": "Year", "phrases": ["released", "release date"]},
    },
}


@pytest.fixture(scope="module")
def films() -> DomainGraph:
    one = DomainGraph(domain=domain_of(FILMS))
    for film in ("Tin Moon", "Who", "The Movie", "Actors"):
        one.add("Film", {"name": film}, film)
    for person in ("Ada Berg", "Bo Cole"):
        one.add("Person", {"name": person}, person)
    one.add("Year", {"name": "1999"}, "1999")
    for film, label, end in (
        ("Tin Moon", "directed_by", "Ada Berg"), ("Who", "directed_by", "Ada Berg"), ("Who", "starred", "Bo Cole"),
        ("Tin Moon", "starred", "Ada Berg"), ("The Movie", "starred", "Bo Cole"), ("Actors", "directed_by", "Bo Cole"),
        ("Who", "release_year", "1999"),
    ):  # fmt: skip
        one.link(label, film, end)
    return one


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who directed Tin Moon", "Ada Berg"),
        ("who is the director of Tin Moon", "Ada Berg"),
        ("which person is the director who directed Tin Moon", "Ada Berg"),
        ("which movies share the director of Tin Moon", "Who"),
        ("the movies directed by the director of Tin Moon starred which actors", "Bo Cole"),
        ("who acted in the movies directed by the Tin Moon director", "Bo Cole"),
        ("the movies that share directors with the movie Tin Moon were released when", "1999"),
        ("what were the release dates of movies directed by Ada Berg", "1999"),
        ("who acted together with Ada Berg", ""),
        ("who directed Who", "Ada Berg"),
        ("who directed The Movie", ""),
        ("who directed the movie Actors", "Bo Cole"),
    ],
)
def test_roles_chains_and_names_that_are_words(films: DomainGraph, question: str, answers: str) -> None:
    found = films.ask(question)
    assert found is not None
    assert found.nodes == tuple(filter(None, answers.split(";")))


def test_a_preposition_alone_says_an_edge_and_is_never_sure(films: DomainGraph) -> None:
    faint = films.ask("in Tin Moon")
    assert faint is not None
    assert (faint.nodes, faint.sure) == (("Ada Berg",), False)
    whole = films.ask("in which year was Who released")
    assert whole is not None
    assert (whole.nodes, whole.sure) == (("1999",), True)


def test_who_is_the_kind_of_asks_for_that_kind(films: DomainGraph) -> None:
    found = films.ask("who is the year of Who")
    assert found is not None
    assert found.nodes == ("1999",)


def test_nodes_may_be_given_instead_of_named(graph: ScienceGraph) -> None:
    found = graph.asking.answer("Which proteins does it inhibit?", ("ibuprofen",))
    assert found is not None
    assert found.nodes == ("protein:PTGS2",)


def test_questions_see_edits() -> None:
    one = drugs()
    assert one.ask("Which chemicals treat stroke?").nodes == ("aspirin",)  # type: ignore[union-attr]
    one.link("treats", "warfarin", "stroke")
    assert one.ask("Which chemicals treat stroke?").nodes == ("aspirin", "warfarin")  # type: ignore[union-attr]
    one.graph.update_node("stroke", {"name": "apoplexy"})
    assert one.ask("Which chemicals treat stroke?") is None
    assert one.ask("Which chemicals treat apoplexy?").nodes == ("aspirin", "warfarin")  # type: ignore[union-attr]


def test_a_name_spelled_so_comes_before_one_that_is_not() -> None:
    one = DomainGraph(domain=domain_of(FILMS))
    one.add("Film", {"name": "Solaris"}, "film"), one.add("Person", {"name": "solaris"}, "person")
    names = Names(one.domain, one.graph)
    assert [m.nodes for m in names.mentions("Solaris")] == [("film",)]
    assert [m.nodes for m in names.mentions("SOLARIS")] == [("film", "person")]


def test_signs_that_cannot_be_seen_are_no_part_of_a_name() -> None:
    one = DomainGraph(domain=domain_of(FILMS))
    one.add("Film", {"name": "Tin\u202e Moon\u200b"}, "film")
    assert [m.nodes for m in one.asking.mentions("the ｔｉｎ moon")] == [("film",)]


def test_phrases_do_not_reach_over_other_words() -> None:
    cues = Cues(domain_of(FILMS))
    said, _ = cues.read(tuple(spelled("release date")))
    assert [(cue.edges, cue.start, cue.end) for cue in said] == [(frozenset(["release_year"]), 0, 2)]
    said, unread = cues.read(tuple(spelled("release some date")))
    assert [cue.end for cue in said] == [1]
    assert unread == (2,)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Aspirin inhibit PTGS1 protein?", "supported"),
        ("Is PTGS1 protein inhibited by Aspirin?", "supported"),
        ("Is Aspirin a treatment for migraine?", "supported"),
        ("Does Warfarin inhibit PTGS1 protein?", "contradicted"),
        ("Does Warfarin treat gout?", "not known"),
        ("Does Aspirin barely inhibit PTGS1 protein?", None),
        ("Does Aspirin not inhibit PTGS1 protein?", None),
        ("Does Aspirin inhibit?", None),
        ("Aspirin inhibits PTGS1 protein", None),
        ("", None),
    ],
)
def test_whether_an_edge_is_there(graph: ScienceGraph, question: str, answer: str | None) -> None:
    found = whether(graph.asking, question)
    assert (found.answer if found else None) == answer
    decided = graph.answer(question)
    assert (decided.text if decided else None) == {
        "supported": "yes", "contradicted": "no, by the rule sign_conflict"
    }.get(answer or "")  # fmt: skip


def test_whether_minds_the_direction() -> None:
    flow = WorkflowGraph()
    for name in ("fetch", "sort"):
        flow.add_task(name, id=name)
    flow.add_dependency("sort", "fetch")
    for question, answer in (
        ("Does sort depend on fetch?", "supported"),
        ("Does fetch depend on sort?", "contradicted"),
        ("Is fetch needed by sort?", "supported"),
    ):
        found = whether(flow.asking, question)
        assert found is not None, question
        assert found.answer == answer, question
