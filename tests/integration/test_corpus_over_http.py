"""Retrieval's model-backed steps and the corpus agent over the providers' wire formats, whatever a server replies."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kag.agents.model.budget import Cassette
from kag.agents.read.answerer import open_agent
from kag.agents.read.read_options import ReadOptions
from kag.agents.retrieval_stages import open_stages
from kag.cli.main import cli
from kag.core.errors import ModelError
from kag.core.evidence import Answer
from kag.core.trajectory import Trajectory
from kag.corpus.search_index import open_index
from kag.qa.checking.verify import verify
from kag.qa.library import Shelf
from kag.qa.pipeline import Reading
from kag.qa.questions.file import Question
from kag.retrieval.chunking import Bundle, Query
from kag.retrieval.graph.entities import entities
from kag.retrieval.plan import retrieve
from kag.retrieval.presets import preset
from kag.retrieval.steps.rank import clause_variants
from tests.integration.provider_servers import (
    ProviderServer,
    Reply,
    anthropic,
    anthropic_error,
    openai,
    serve,
)
from tests.unit.agents.readings import TRUE, action
from tests.unit.agents.shelves import ICE, shelf
from tests.unit.corpus.runs import make_run, put

CLAUDE, GPT = "anthropic/claude-sonnet-4-5", "openai/gpt-4o"
ASKED = "How much charge did lithium cells lose, and what did they recover?"
TEXT = "Lithium cells of Oslo were stored in Bergen."


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return shelf(tmp_path_factory.mktemp("shelf"))


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-test")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")


def at(server: ProviderServer | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")


def test_a_plan_with_a_model_is_recorded_and_replayed_without_a_network(
    papers: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(server: ProviderServer | None, mode: str) -> tuple[Bundle, dict[str, float]]:
        at(server, monkeypatch)
        with open_stages(ReadOptions(lm=CLAUDE), Cassette(tmp_path / "calls", mode)) as model:  # type: ignore[arg-type]
            plan = preset("multi_query", papers.index, 3, model.stages)
            bundle = retrieve(Query(ASKED), papers.index, plan)
            return bundle, dict(model.usage())

    with serve(
        anthropic('["loss of charge in lithium cells"]'), anthropic('["Lithium cells lost 31 % of their charge."]')
    ) as server:
        bundle, usage = search(server, "record")
        asked = len(server.asked)
    assert list(bundle.notes.values()).count("Lithium cells lost 31 % of their charge.") == 1
    assert usage["calls"] == asked > 2
    assert usage["usd"] > 0
    again, spent = search(None, "replay")
    assert (again.hits, dict(again.notes)) == (bundle.hits, dict(bundle.notes))
    assert spent["usd"] == usage["usd"], "as it was recorded"


FAULTS = {
    "refusal": (anthropic("", stop="refusal"), 1),
    "garbage": (anthropic("Names? <b>none</b> {[}"), 2),
}
FOR_GOOD = {
    "wrong key": anthropic_error(401, "authentication_error", "invalid x-api-key"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_rule_stands_in_for_one_text_and_the_next_is_asked(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    fault, calls = FAULTS[name]
    trajectory = Trajectory()
    with serve(*[fault] * calls, anthropic('["Bergen"]')) as server:
        at(server, monkeypatch)
        with open_stages(ReadOptions(lm=CLAUDE), trajectory=trajectory) as model:
            assert model.stages.extract(TEXT) == entities(TEXT)
            assert model.stages.extract(TEXT) == ("Bergen",)
        assert len(server.asked) == calls + 1
    assert [step.name for step in trajectory] == ["rule_stood_in", "extract"]


@pytest.mark.parametrize("name", FOR_GOOD)
def test_a_provider_that_fails_for_good_is_asked_once(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with serve(FOR_GOOD[name]) as server:
        at(server, monkeypatch)
        with open_stages(ReadOptions(lm=CLAUDE)) as model:
            assert model.stages.extract(TEXT) == entities(TEXT)
            assert model.stages.variants(ASKED) == clause_variants(ASKED)
            assert model.stopped().startswith("model: ")
        assert len(server.asked) == 1


def test_limits_hold_for_all_steps_together(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(anthropic('["Bergen"]', usage={"input_tokens": 900, "output_tokens": 200})) as server:
        at(server, monkeypatch)
        with open_stages(ReadOptions(lm=CLAUDE, max_tokens=1_000)) as model:
            assert model.stages.extract(TEXT) == ("Bergen",)
            assert model.stages.extract(TEXT) == entities(TEXT)
            assert model.stopped().startswith("budget: ")
        assert len(server.asked) == 1


def test_who_cannot_be_asked_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    for lm, said in ((CLAUDE, "needs a key"), ("offline", "no rules for retrieval")):
        with pytest.raises(ModelError, match=said), open_stages(ReadOptions(lm=lm)):
            pass


def test_the_command_searches_with_a_model_and_says_what_it_took(
    papers: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, tape = str(papers.library.path("ice").parent), str(tmp_path / "calls")  # type: ignore[attr-defined]
    command = ["search", "How did buoys fare?", "--graph-dir", runs, "--plan", "entity", "-k", "2", "--lm", CLAUDE]
    with serve(anthropic('["buoys"]')) as server:
        at(server, monkeypatch)
        first = CliRunner().invoke(cli, [*command, "--record", tape])
    assert first.exit_code == 0, first.output
    assert "note: 2 calls, 30 tokens, 0.0002 USD" in first.stderr
    again = CliRunner().invoke(cli, [*command, "--replay", tape])
    assert again.stdout == first.stdout
    assert "batteries/b_p001_" in first.stdout
    idle = CliRunner().invoke(cli, [*command[:4], "--plan", "bm25", "--lm", CLAUDE])
    assert "the plan bm25 asks no model" in idle.stderr
    with serve(FOR_GOOD["wrong key"]) as server:
        at(server, monkeypatch)
        failed = CliRunner().invoke(cli, command)
    assert failed.exit_code == 0
    assert "the model was stopped, rules did the rest: model: " in failed.stderr
    assert "hits by entity" in failed.stderr


def test_the_agent_over_a_corpus_asks_its_graphs_and_quotes_the_texts(
    papers: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ice = papers.library.path("ice")  # type: ignore[attr-defined]
    put(tmp_path / "corpus", ice, make_run(tmp_path / "runs", "fog"))
    query = 'SELECT ?node { GRAPH ?paper { ?node a doco:Paragraph ; kag:fullText ?text FILTER(REGEX(?text, "moor")) } }'
    look = action(f"print(query_graph({query!r})['items'])")
    command = ["ask", "Where did they lose moorings, roughly speaking?", str(tmp_path / "corpus"), "--lm", CLAUDE]
    answer = draft(("ice", ("Two moorings were lost.", "ex:b_p001_0004", "Two moorings were lost")))
    with serve(anthropic(look), anthropic(answer)) as server:
        at(server, monkeypatch)
        CliRunner().invoke(cli, ["corpus", "index", "--corpus", str(tmp_path / "corpus")])
        result = CliRunner().invoke(cli, [*command, "--json", "--no-judge"])
        assert "ice/ex:b_p001_0004" in server.asked[1].body.decode()
        assert "2 papers" in server.asked[0].body.decode()
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["mode"], found["papers"]) == ("agent", ["ice"])


def test_a_model_names_what_passages_are_about_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "corpus"
    put(root, make_run(tmp_path / "runs", "fog"))
    command = ["corpus", "index", "--corpus", str(root), "--graph", "--lm", CLAUDE]
    names = ["sensors", "river", "rivers", "losses", "n", "Atlantis"]
    reply = json.dumps({"topic": "Losses", "title": "At sea", "entities": names})

    def indexed(*more: str, asks: int) -> Any:
        with serve((anthropic if command[-1] == CLAUDE else openai)(reply)) as server:
            at(server, monkeypatch)
            done = CliRunner().invoke(cli, [*command, *more])
            assert done.exit_code == 0, done.output
            assert len(server.asked) == asks
        assert ("the model was stopped" in done.stderr) == bool(more)
        assert (root / "search" / "replies.jsonl").exists() == bool(more)
        return open_index(root)

    first = indexed("--max-calls", "3", asks=3)
    assert not any("described" in chunk.metadata for chunk in first.chunks.values()), "the rules' until all is done"
    references = [chunk for chunk in first.chunks.values() if chunk.metadata["kind"] == "reference"]
    assert len(references) == 3
    whole = indexed(asks=len(first.chunks) - len(references) - 3)
    assert {chunk.metadata["described"] for chunk in whole.chunks.values()} == {CLAUDE}
    by_rule = [chunk for chunk in whole.chunks.values() if not chunk.entities]
    assert {chunk.metadata["kind"] for chunk in by_rule} <= {"reference"}, "a list of references names its own"
    assert "Atlantis" not in {name for chunk in whole.chunks.values() for name in chunk.entities}, "no text says it"
    indexed(asks=0)
    command[-1] = GPT
    assert {chunk.metadata["described"] for chunk in indexed("--max-calls", "1", asks=1).chunks.values()} == {CLAUDE}
    command[-1] = CLAUDE
    (root / "search" / "replies.jsonl").unlink()
    put(root, make_run(tmp_path / "runs", "ice"))
    late = open_index(root)
    by = {chunk.document: chunk.metadata.get("described") for chunk in late.chunks.values()}
    assert by == {"fog": CLAUDE, "ice": None}
    indexed(asks=len(late.of_document("ice")) - len(references))


# the agent --------------------------------------------------------------------------------------


def draft(*rows: tuple[str, tuple[str, str, str]]) -> str:
    found = [
        {"text": text, "evidence": [{"paper": paper, "node": node, "quote": quote}]}
        for paper, (text, node, quote) in rows
    ]
    return action(f"SUBMIT(answer=json.loads({json.dumps({'claims': found})!r}))")


SEARCH = action('print(search_knowledge_graph("lithium charge")["items"][0]["text"])')
BOTH = draft(("batteries", TRUE), ("ice", ICE))
SWAPPED = draft(("ice", TRUE), ("batteries", ICE))


def ask(
    papers: Shelf, server: ProviderServer | None, monkeypatch: pytest.MonkeyPatch, tape: Cassette, **more: object
) -> Reading:
    at(server, monkeypatch)
    options = ReadOptions(mode="agent", lm=str(more.pop("lm", CLAUDE)), judge=False, **more)  # type: ignore[arg-type]
    with open_agent(options, tape) as asked:
        reading = asked(Question("q", ASKED), papers, Trajectory())
    quoted = tuple({one.paper for claim in reading.claims for one in claim.evidence})
    answer = Answer("q", ASKED, "agent", "m", reading.claims, searches=("x",), papers=quoted)
    assert verify(answer, papers.library).issues == ()
    return reading


def test_the_agent_answers_from_two_papers_and_replays(
    papers: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calls"
    with serve(anthropic(SEARCH), anthropic(SWAPPED), anthropic(BOTH)) as server:
        reading = ask(papers, server, monkeypatch, Cassette(path, "record"))
        assert len(server.asked) == 3
        assert "is not in ex:b_p001_0003" in server.asked[2].body.decode(), "what is wrong is told"
    assert [claim.evidence[0].paper for claim in reading.claims] == ["batteries", "ice"]
    assert reading.usage["calls"] == 3
    assert ask(papers, None, monkeypatch, Cassette(path)) == reading


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (anthropic(SWAPPED), "unverified"),
        (anthropic("", stop="refusal"), "model"),
        (anthropic(SEARCH), "iterations"),
    ],
)
def test_what_goes_wrong_is_named_and_nothing_is_claimed(
    papers: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: Reply, cause: str
) -> None:
    with serve(reply) as server:
        reading = ask(papers, server, monkeypatch, Cassette(tmp_path / "calls", "record"), max_iters=4)
    assert (reading.claims, reading.cause) == ((), cause)
    assert reading.stopped


# what queries count -------------------------------------------------------------------------------

MANY = (
    "SELECT ?paper (COUNT(?n) AS ?many) WHERE { GRAPH ?paper { ?n a deo:BibliographicReference } } "
    "GROUP BY ?paper HAVING(COUNT(?n) > 2) ORDER BY ?paper"
)


def counted(tool: str, query: str, *texts: str, row: bool = False) -> tuple[Reply, Reply]:
    """A model that asks a query, and claims what it counts: of all rows, or a claim for each."""
    look = action(f"found = {tool}({query!r})\nprint(found)\nkept = found['query']")
    rows = [f'{{"text": {text!r}, "evidence": [{{"query": kept{f", {chr(34)}row{chr(34)}: {n}" if row else ""}}}]}}'
            for n, text in enumerate(texts)]  # fmt: skip
    return anthropic(look), anthropic(action(f"SUBMIT(answer={{'claims': [{', '.join(rows)}]}})"))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    put(root, make_run(tmp_path, "fog"), make_run(tmp_path, "ice"))
    assert CliRunner().invoke(cli, ["corpus", "index", "--corpus", str(root)]).exit_code == 0
    return root


def asked_of(root: Path, question: str, replies: tuple[Reply, ...], monkeypatch: pytest.MonkeyPatch, *more: str) -> Any:
    with serve(*replies) as server:
        at(server, monkeypatch)
        done = CliRunner().invoke(cli, ["ask", question, str(root), "--lm", CLAUDE, "--no-judge", "--json", *more])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    file = root.parent / "answer.json"
    file.write_text(done.stdout)
    checked = CliRunner().invoke(cli, ["verify", str(file), "--corpus", str(root)])
    assert checked.exit_code == 0, checked.output
    return found


QUESTION = "Roughly speaking, how richly do these papers refer to others?"


@pytest.mark.parametrize(
    ("texts", "row", "value", "nodes"),
    [
        (("With more than two entries: 2 papers.",), False, 2, 2),  # the nodes of the rows
        (("In all lists: 6 entries.",), False, 6, 6),  # the nodes that they count
        (("fog: 3 entries.", "ice: 3 entries."), True, {"fog": 3, "ice": 3}, 3),
    ],
)
def test_a_number_that_a_query_counts_rests_on_what_was_counted(
    library: Path, monkeypatch: pytest.MonkeyPatch, texts: tuple[str, ...], row: bool, value: object, nodes: int
) -> None:
    answer = asked_of(library, QUESTION, counted("query_graph", MANY, *texts, row=row), monkeypatch)
    assert [claim["text"] for claim in answer["claims"]] == list(texts)
    assert {len(claim["evidence"]) for claim in answer["claims"]} == {nodes}
    assert {claim["verdict"]["checker"] for claim in answer["claims"]} == {"query"}
    assert answer["value"] == value
    assert " ".join(MANY.split()) in answer["searches"], "the query is kept"


def test_a_number_that_no_query_counted_is_refused(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = asked_of(library, QUESTION, counted("query_graph", MANY, "In all lists: 7 entries."), monkeypatch)
    assert answer["claims"] == []
    assert "no claim of the model holds" in answer["stopped"]


@pytest.mark.parametrize("kind", ["ladybug", "neo4j"])
def test_the_agent_asks_a_database_by_cypher(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    pytest.importorskip("ladybug", reason="ladybug is not installed")
    from tests.bolt_server import bolt

    query = (
        "MATCH (c:Chunk)-[:BELONGS_TO]->(p:Paper) WHERE c.kind = 'caption' RETURN p.id, count(DISTINCT c) ORDER BY p.id"
    )
    replies = counted("query_database", query, "Captions: 2 captions.")
    with ExitStack() as stack:
        if kind == "neo4j":
            pytest.importorskip("neo4j", reason="the driver of Neo4j is not installed")
            url = stack.enter_context(bolt(tmp_path / "served.lbug")).url
        else:
            url = f"ladybug:{tmp_path / 'papers.lbug'}"
        pushed = CliRunner().invoke(cli, ["push", url, "--corpus", str(library)])
        assert pushed.exit_code == 0, pushed.output
        answer = asked_of(library, QUESTION, replies, monkeypatch, "--database", url)
    assert answer["value"] == 2
    assert {one["paper"] for one in answer["claims"][0]["evidence"]} == {"fog", "ice"}
    assert query in answer["searches"]


def test_a_question_is_answered_from_the_notes_of_its_chunks(
    papers: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = str(papers.library.path("ice").parent)  # type: ignore[attr-defined]
    tape, file = str(tmp_path / "calls"), tmp_path / "answer.json"
    question = "What did lithium cells lose under ice?"
    command = ["search", question, "--graph-dir", runs, "--plan", "multi_query", "--answer", "--json", "--lm", CLAUDE]
    wordings = anthropic('["loss of charge in lithium cells"]')
    kept = anthropic(
        '["Under the ice of the lake lithium cells lost 8 % of their charge."]'
    )  # in one chunk: rules keep others
    claims = [
        {"claim": "Lithium cells lost 8 % of their charge.", "notes": [1]},
        {"claim": "They lost 9 %.", "notes": [1]},
    ]

    def asked(replies: list[Reply]) -> Any:
        with serve(*replies) as server:
            at(server, monkeypatch)
            CliRunner().invoke(cli, [*command, "--record", tape])
            return [json.loads(one.body) for one in server.asked]

    calls = len(asked([wordings, kept]))
    Path(tape).unlink()
    bodies = asked([wordings, *[kept] * (calls - 3), anthropic(json.dumps(claims))])
    notes = json.loads(bodies[-1]["messages"][-1]["content"][0]["text"])["notes"]
    assert notes["1"] == "Under the ice of the lake lithium cells lost 8 % of their charge."
    done = CliRunner().invoke(cli, [*command, "--replay", tape])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert [claim["text"] for claim in answer["claims"]] == ["Lithium cells lost 8 % of their charge."]
    assert answer["claims"][0]["evidence"][0]["quote"] == notes["1"]
    assert "9 %" in answer["dropped"][0]["why"]
    file.write_text(done.stdout)
    assert CliRunner().invoke(cli, ["verify", str(file), "--graph-dir", runs]).exit_code == 0
    assert CliRunner().invoke(cli, [*command[:6], "--answer"]).exit_code == 2
