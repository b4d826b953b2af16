"""Ingestion without a model: what is found, checked, mended, joined, kept and taken away."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kag.agents.ingest import ingestion
from kag.agents.ingest.checking import validated
from kag.agents.ingest.indexing import check_index, embedder
from kag.agents.ingest.ingestion import Outcome, finish, ingest, remove
from kag.agents.ingest.rules import RuleReader, documents_at, read_document
from kag.agents.ingest.store import Store, audit, in_order, joins_of
from kag.agents.ingest.values import Document, Draft, Drafted, IngestOptions
from kag.core.errors import BUG, KagError, RunError, SourceError
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.kgrag.files import domain_named
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.elements import Link

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
TALE = ROOT / "test_data" / "tale"
NO_VECTORS = IngestOptions(vectors=False)
STORY, SCIENCE = domain_named("story"), domain_named("science")


def read(paths: list[Path], out: Path, domain: str = "story", workers: int = 1, **options: object) -> list[Outcome]:
    chosen = replace(NO_VECTORS, **options)  # type: ignore[arg-type]
    done = sorted(ingest(paths, out, domain, chosen, workers=workers), key=lambda one: one.name)
    if any(one.state != "failed" for one in done):
        finish(out, domain, chosen)
    return done


def written(out: Path) -> dict[str, bytes]:
    """All files but the versions, which remember."""
    return {
        str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file() and p.suffix != ".sqlite"
    }


def text(name: str, words: str, tmp_path: Path) -> Path:
    (tmp_path / name).write_text(words, encoding="utf-8")
    return tmp_path / name


# --- the whole way -------------------------------------------------------------------------------------------------


def test_a_tale_in_chapters_is_one_graph(tmp_path: Path) -> None:
    outcomes = read([TALE], tmp_path)
    assert [one.state for one in outcomes] == ["read"] * 3
    store = Store(tmp_path, STORY)
    graph = store.graph()
    characters = {node.props["name"] for node in graph.nodes if node.label == "Character"}
    assert {"Hans", "Grete", "Count Falk", "Mother Ursel", "Martin"} <= characters
    assert {join.id for join in store.whole().joins} >= {
        "1_the_mill.txt/character-hans",
        "2_the_forest.txt/character-count-falk",
    }
    assert not [one for one in store.whole().issues if one.severity == "error"]
    assert check_index(store, graph).ok


def test_every_element_leads_back_to_its_characters(tmp_path: Path) -> None:
    read([TALE], tmp_path)
    store = Store(tmp_path, STORY)
    for name in store.names():
        kept = store.document(name)
        assert kept is not None
        assert all(
            one.source.fits(store.text(name)) and one.source.end > one.source.start for one in kept.drafted.entries
        )
    contributions = store.whole().contributions
    (first, *_) = audit(contributions, "node", "1_the_mill.txt/character-hans")
    start, end = first["start"], first["end"]
    assert (store.text(first["document"])[start:end], first["author"]) == ("Hans", "rule:story")


@pytest.mark.parametrize("mode", ["rule", "llm", "hybrid"])
def test_side_by_side_gives_the_same_bytes(mode: str, tmp_path: Path) -> None:
    read([TALE], tmp_path / "one", mode=mode, lm="offline")
    read([TALE], tmp_path / "two", workers=3, mode=mode, lm="offline")
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_a_removed_document_has_never_come(tmp_path: Path) -> None:
    read([TALE / "1_the_mill.txt", TALE / "3_the_castle.txt"], tmp_path / "without")
    read([TALE], tmp_path / "with")
    remove(tmp_path / "with", "story", "2_the_forest.txt")
    finish(tmp_path / "with", "story", NO_VECTORS)
    assert written(tmp_path / "with") == written(tmp_path / "without")
    for name in ("2_the_forest.txt", "../documents/1_the_mill.txt", "", "."):
        with pytest.raises(SourceError, match="no document"):
            remove(tmp_path / "with", "story", name)
    assert len(Store(tmp_path / "with", STORY).names()) == 2


def test_what_is_up_to_date_is_left_alone(tmp_path: Path) -> None:
    tale = text("tale.txt", "Anna went to Lindow.", tmp_path)
    assert [one.state for one in read([tale], tmp_path / "out")] == ["read"]
    assert [one.state for one in read([tale], tmp_path / "out")] == ["up to date"]
    assert [one.state for one in read([tale], tmp_path / "out", force=True)] == ["read"]
    text("tale.txt", "Anna went to Rabenau.", tmp_path)
    assert [one.state for one in read([tale], tmp_path / "out")] == ["read"]
    assert [
        node.props["name"] for node in Store(tmp_path / "out", STORY).graph().nodes if node.label == "Location"
    ] == ["Rabenau"]


def test_one_that_fails_takes_only_itself_down(tmp_path: Path) -> None:
    good = text("good.txt", "Anna went to Lindow.", tmp_path)
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe\xff")
    outcomes = read([good, bad], tmp_path / "out")
    assert [(one.state, one.exit_code) for one in outcomes] == [("failed", 2), ("read", 0)]
    assert Store(tmp_path / "out", STORY).names() == ("good.txt",)


def test_versions_say_who_and_why(tmp_path: Path) -> None:
    read([TALE / "1_the_mill.txt"], tmp_path)
    first = finish(tmp_path, "story", NO_VECTORS).version
    read([TALE], tmp_path)
    second = finish(tmp_path, "story", NO_VECTORS).version
    assert first != second
    assert finish(tmp_path, "story", NO_VECTORS).version == second


@pytest.mark.parametrize("name", ["documents/tale.txt.json", "apart.json"])
def test_a_damaged_folder_is_told(name: str, tmp_path: Path) -> None:
    tale = text("tale.txt", "Anna went to Lindow.", tmp_path)
    read([tale], tmp_path / "out")
    for wrong in ("[1]", "{", '{"document": 1}', ""):
        (tmp_path / "out" / name).write_text(wrong)
        with pytest.raises(RunError):
            finish(tmp_path / "out", "story", NO_VECTORS)


def test_a_folder_is_of_one_domain(tmp_path: Path) -> None:
    tale = text("tale.txt", "Anna went to Lindow.", tmp_path)
    read([tale], tmp_path / "out")
    (outcome,) = ingest([tale], tmp_path / "out", "science", NO_VECTORS)
    assert (outcome.state, "domain story" in outcome.message) == ("failed", True)


# --- what rules read -----------------------------------------------------------------------------------------------


def test_a_workflow_is_read_with_its_lines(tmp_path: Path) -> None:
    (outcome,) = read([ROOT / "test_data" / "workflow" / "checks.yml"], tmp_path, "workflow")
    assert dict(outcome.counts)["issues"] == 0
    store = Store(tmp_path, domain_named("workflow"))
    edges = {(e.label, e.source, e.target) for e in store.graph().edges}
    assert ("depends_on", "checks.yml/task:test", "checks.yml/task:build") in edges
    (one,) = audit(store.whole().contributions, "node", "checks.yml/task:build")
    assert store.text("checks.yml")[one["start"] : one["end"]] == "  build:"


def test_a_files_own_faults_are_told_and_not_mended(tmp_path: Path) -> None:
    (outcome,) = read([ROOT / "docs" / "examples" / "release.yml"], tmp_path, "workflow")
    assert dict(outcome.counts) | {"issues": 3, "rejected": 0, "repairs": 0} == dict(outcome.counts)
    issues = json.loads((tmp_path / "issues.json").read_text())
    assert {one["rule"]: one["line"] for one in issues} == {
        "dangling_dependency": 12,
        "missing_producer": 15,
        "invalid_cron": 4,
    }


def test_a_run_of_a_paper_gives_what_it_cites(paper: Path, tmp_path: Path) -> None:
    write_run(tmp_path / "runs", "my_paper", index_paper(paper).files)
    (outcome,) = read([tmp_path / "runs"], tmp_path / "out", "science")
    store = Store(tmp_path / "out", SCIENCE)
    graph = store.graph()
    assert outcome.name == "my_paper"
    assert {edge.label for edge in graph.edges} == {"cites"}
    cited = next(e for e in graph.edges if e.props["number"] == 1)
    (place,) = audit(store.whole().contributions, "edge", cited.id)
    assert "Poe" in store.text("my_paper")[place["start"] : place["end"]]


def test_phrases_of_a_domain_are_read_in_plain_text(tmp_path: Path) -> None:
    words = "Metformin treats diabetes. The chemical Aspirin inhibits PTGS1 protein. "
    words += "Insulin does not treat gout. It treats gout."
    document = read_document("a", text("a.txt", words, tmp_path))
    said = RuleReader("science").read(document, SCIENCE).entries
    edges = [one.element for one in said if isinstance(one.element, Link)]
    assert [(e.label, e.source, e.target) for e in edges] == [
        ("treats", "a/chemical-metformin", "a/disease-diabetes"),
        ("inhibits", "a/chemical-aspirin", "a/protein-ptgs1"),
    ]


def test_a_table_of_primekg_is_put_into_the_words_of_science(tmp_path: Path) -> None:
    head = "relation,display_relation,x_id,x_type,x_name,y_id,y_type,y_name"
    rows = ["indication,indication,1,drug,Metformin,2,disease,diabetes", "anatomy_x,x,1,drug,Metformin,3,anatomy,liver"]
    (outcome,) = read([text("kg.csv", "\n".join([head, *rows]), tmp_path)], tmp_path / "out", "science")
    graph = Store(tmp_path / "out", SCIENCE).graph()
    assert [(e.label, e.source, e.target) for e in graph.edges] == [("treats", "kg.csv/drug::1", "kg.csv/disease::2")]
    rejected = [json.loads(line) for line in (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()]
    assert dict(outcome.counts)["rejected"] == 2
    assert {one["rule"] for one in rejected} == {"unknown_label"}


def test_documents_are_found_and_named(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("b 1.txt", "a.md", "x.png", ".hidden.txt"):
        text(f"in/{name}", "x", tmp_path)
    assert [name for name, _ in documents_at([tmp_path])] == ["in_a.md", "in_b_1.txt"]
    with pytest.raises(SourceError, match="no such"):
        documents_at([tmp_path / "none"])
    (tmp_path / "in" / "deep").mkdir()
    text("in/deep/a.md", "y", tmp_path)
    assert [name for name, _ in documents_at([tmp_path / "in"])] == ["a.md", "b_1.txt", "deep_a.md"]
    with pytest.raises(SourceError, match="both be"):
        documents_at([tmp_path / "in" / "a.md", tmp_path / "in" / "deep" / "a.md"])


# --- checks --------------------------------------------------------------------------------------------------------


def drafted(*rows: tuple[object, ...], author: str = "model:m") -> Drafted:
    """A draft of nodes (label, name, props) and edges (label, source, target, props)."""
    document = Document("d", "Anna met Otto.", "0", "text")
    draft = Draft(document, author)
    for row in rows:
        if len(row) == 3:
            draft.node(str(row[0]), str(row[1]), (0, 4), dict(row[2]))  # type: ignore[call-overload]
        else:
            draft.edge(str(row[0]), f"d/{row[1]}", f"d/{row[2]}", (0, 4), dict(row[3]))  # type: ignore[call-overload]
    return Drafted(draft.entries)


ANNA, MET = ("Character", "Anna", {"name": "Anna"}), ("Event", "met", {"name": "met", "told": 0})


def test_what_needs_no_judgement_is_mended() -> None:
    found = validated(
        STORY,
        drafted(("character", "Anna", {"name": "Anna"}), ("Event", "met", {"name": "met", "told": "3"}),
                ("Participates In", "event-met", "character-anna", {})),
    )  # fmt: skip
    edge = found.entries[-1].element
    assert isinstance(edge, Link)
    assert (edge.label, edge.source, edge.target) == ("participates_in", "d/character-anna", "d/event-met")
    assert found.entries[1].element.props["told"] == 3
    assert [one.rule for one in found.repairs] == ["unknown_label", "wrong_type", "wrong_direction"]
    assert not found.rejected


def test_what_breaks_the_structure_is_rejected_with_its_reason() -> None:
    found = validated(
        STORY,
        drafted(
            ANNA,
            MET,
            ("Ghost", "x", {}),
            ("uses", "character-anna", "ghost-x", {}),
            ("causes", "event-met", "event-no", {}),
        ),
    )
    assert [one.element.id for one in found.entries] == ["d/character-anna", "d/event-met"]
    assert [one.rule for one in found.rejected] == ["unknown_label", "wrong_ends", "dangling_edge"]
    assert all(one.reason and one.by == "model:m" for one in found.rejected)


def test_an_edge_of_a_models_that_breaks_a_rule_goes_and_one_of_a_files_stays() -> None:
    rows = (MET, ("causes", "event-met", "event-met", {}))
    model, rule = validated(STORY, drafted(*rows)), validated(STORY, drafted(*rows, author="rule:story"))
    assert [one.rule for one in model.rejected] == ["self_cause"]
    assert not rule.rejected
    assert "self_cause" in {one.rule for one in rule.issues}


def test_of_two_places_of_one_event_both_stay_and_the_later_is_marked() -> None:
    places = [("Location", name, {"name": name}) for name in ("mill", "wood")]
    ends = [("occurs_at", "event-met", f"location-{name}", {}) for name in ("mill", "wood")]
    found = validated(STORY, drafted(MET, *places, *ends))
    edges = [one.element for one in found.entries if isinstance(one.element, Link)]
    assert [dict(edge.props) for edge in edges] == [{}, {"doubted": "single"}]
    assert not found.rejected
    assert "two_settings" in {one.rule for one in found.issues}


# --- joins ---------------------------------------------------------------------------------------------------------


def said(document: str, *nodes: tuple[str, str, dict[str, object]]) -> tuple[Contribution, ...]:
    draft = Draft(Document(document, "x" * 50, "0", "text"), "rule")
    for label, name, props in nodes:
        draft.node(label, name, (0, 4), {"name": name, **props})
    return draft.entries


def joined(
    domain: str = "story", apart: tuple[str, ...] = (), **documents: tuple[Contribution, ...]
) -> list[tuple[str, ...]]:
    return [join.nodes for join in joins_of(domain_named(domain), documents, (), frozenset(apart))]


DARCY = ("Character", "Mr. Darcy", {"aliases": ["Darcy"]})


def test_names_join_documents() -> None:
    one, two = said("a", DARCY), said("b", ("Character", "Darcy", {}))
    assert joined(a=one, b=two) == [("a/character-mr-darcy", "b/character-darcy")]
    assert joined(a=one, b=two, apart=("b/character-darcy",)) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ([("Character", "Anna", {})], [("Location", "Anna", {})]),
        ([("Character", "Anna", {}), ("Character", "Anna", {})], [("Character", "Anna", {})]),
        ([("Character", "Robin", {"gender": "man"})], [("Character", "Robin", {"gender": "woman"})]),
        ([("Event", "met", {})], [("Event", "met", {})]),
    ],
)
def test_namesakes_stay_apart(
    one: list[tuple[str, str, dict[str, object]]], two: list[tuple[str, str, dict[str, object]]]
) -> None:
    assert joined(a=said("a", *one), b=said("b", *two)) == []


def test_tasks_of_two_workflows_are_two_and_papers_of_one_doi_are_one() -> None:
    task = ("Task", "build", {})
    assert joined("workflow", a=said("a", task), b=said("b", task)) == []
    papers = [said(name, ("Paper", name, {"doi": "10.5555/X"})) for name in "ab"]
    assert len(joined("science", a=papers[0], b=papers[1])) == 1


def test_a_third_that_fits_both_does_not_join_two_of_one_document() -> None:
    two = said("a", ("Character", "Anna Berg", {"aliases": ["Anna"]}), ("Character", "Eva Berg", {"aliases": ["Eva"]}))
    third = said("b", ("Character", "Anna", {"aliases": ["Eva"]}))
    assert joined(a=two, b=third) == [("a/character-anna-berg", "b/character-anna")]


def test_chapters_are_counted_on() -> None:
    chapters = {
        name: said(name, ("Event", "x", {"told": 0, "chronology": -0.5}), ("Event", "y", {"told": 1})) for name in "ba"
    }
    found = in_order(chapters)
    assert [one.element.props.get("told") for name in "ab" for one in found[name]] == [0, 1, 2, 3]
    assert found["b"][0].element.props["chronology"] == 1.5


@pytest.mark.parametrize("words", ["", "   \n\n ", "\x00\x01", "安娜去了米尔。", "{" * 2000, "Anna " * 5000])
def test_odd_documents_do_no_harm(words: str, tmp_path: Path) -> None:
    try:
        outcomes = read([text("odd.txt", words, tmp_path)], tmp_path / "out")
    except KagError:
        return
    assert {one.state for one in outcomes} == {"read"}


# --- the index -----------------------------------------------------------------------------------------------------


def test_graph_and_index_are_checked_together(tmp_path: Path) -> None:
    read([TALE / "1_the_mill.txt"], tmp_path)
    store = Store(tmp_path, STORY)
    graph, path = store.graph(), tmp_path / "index" / "passages.jsonl"
    good = path.read_text(encoding="utf-8")
    for wrong, rule in (
        (good.replace("silver whistle", "golden whistle"), "passage_changed"),
        (good.replace("character-hans", "character-nobody"), "passage_without_node"),
        ("", "node_without_passage"),
        ("{", "no_index"),
    ):
        path.write_text(wrong, encoding="utf-8")
        assert rule in {one.rule for one in check_index(store, graph).errors}
    path.unlink()
    assert [one.rule for one in check_index(store, graph).errors] == ["no_index"]


def test_vectors_are_those_of_the_passages(tmp_path: Path) -> None:
    if embedder() is None:
        pytest.skip("the extra dense is not installed")
    read([TALE / "1_the_mill.txt"], tmp_path, vectors=True)
    store = Store(tmp_path, STORY)
    path = tmp_path / "index" / "vectors.f32"
    about = json.loads((tmp_path / "index" / "vectors.json").read_text())
    assert len(path.read_bytes()) == about["rows"] * about["size"] * 4
    assert check_index(store, store.graph()).ok
    path.write_bytes(path.read_bytes()[:-4])
    assert [one.rule for one in check_index(store, store.graph()).errors] == ["vectors_differ"]


def test_a_fault_of_ours_in_one_document_is_told_and_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a worker, which does the same, it was told as a process that died, and that one should try again."""
    read_one = ingestion.read_document

    def broken(name: str, path: Path) -> Document:
        return read_one(name, path) if "mill" in name else read_one(name, 1 / 0)  # type: ignore[arg-type]

    monkeypatch.setattr(ingestion, "read_document", broken)
    mill, *others = read([TALE], tmp_path)
    assert mill.state == "read"
    assert [(one.state, one.exit_code) for one in others] == [("failed", BUG)] * 2
    assert all("ZeroDivisionError" in one.message and "please report" in one.hint for one in others)
