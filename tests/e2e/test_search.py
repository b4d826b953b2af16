"""`kag search` from folders of pages to hits, on the bundled papers: as a person, a program and an agent use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rdflib import Graph

from kag.cli.main import cli
from kag.cli.search import PLANS
from kag.core.errors import BadValue, CorpusError
from kag.core.evidence import Answer, Claim, read_evidence
from kag.corpus.search_index import open_index
from kag.corpus.store import open_corpus
from kag.qa.checking.verify import verify
from kag.qa.views.search_tools import CorpusTools
from kag.retrieval.presets import PRESETS

QUERY = "conductivity of the reservoir water"


def kag(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def root(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search") / "corpus"
    assert kag("corpus", "add", bundled_runs, "--corpus", folder).exit_code == 0
    made = kag("corpus", "index", "--graph", "--corpus", folder)
    assert (made.exit_code, "wait" in made.stdout) == (0, False)
    return folder


def test_hits_are_evidence_that_verifies(root: Path) -> None:
    done = kag("search", QUERY, "--corpus", root, "--format", "json", "--explain", "-k", 7)
    assert (done.exit_code, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert (result["format"], result["plan"], len(result["hits"])) == ("kag-search/1", "sage", 7)
    best = result["hits"][0]
    assert best["paper"] == "reservoir_sensors"
    assert best["why"]["words"]["place"] == 1
    walked = [hit for hit in result["hits"] if hit["via"] != "seed"]
    assert walked
    assert all(hit["why"]["edge"]["relation"] == hit["via"].partition(" ")[0] for hit in walked)
    claims = tuple(Claim(hit["text"], (read_evidence(hit["evidence"]),)) for hit in result["hits"])
    papers = tuple({hit["paper"] for hit in result["hits"]})
    answer = Answer("q", QUERY, "extractive", "search", claims, papers=papers)
    assert verify(answer, open_corpus(root).library()).issues == ()


def test_a_person_reads_where_it_is_printed(root: Path) -> None:
    done = kag("search", QUERY, "--corpus", root, "--plan", "dense", "-k", 2, "--explain")
    assert done.exit_code == 0
    assert "no vectors" in done.stderr
    assert "searched by bm25" in done.stderr
    assert "reservoir_sensors/b_p" in done.stdout
    assert ", page " in done.stdout
    assert "words: 1." in done.stdout
    one = kag("search", "sensors bees zirconium", "--corpus", root, "--paper", "urban_pollinators", "--format", "json")
    assert {hit["paper"] for hit in json.loads(one.stdout)["hits"]} == {"urban_pollinators"}


def test_runs_are_searched_without_a_corpus(root: Path, bundled_runs: Path) -> None:
    def hits(*where: object, plan: str = "bm25") -> list[dict[str, object]]:
        done = kag("search", QUERY, *where, "--plan", plan, "--format", "json")
        return json.loads(done.stdout)["hits"]

    run = next(bundled_runs.glob("reservoir_sensors_*"))
    assert hits("--graph-dir", bundled_runs) == hits("--corpus", root)
    assert any(hit["via"] != "seed" for hit in hits("--graph-dir", run, plan="sage"))
    nothing = kag("search", "qqqqzz", "--graph-dir", run, "--format", "json")
    assert (nothing.exit_code, json.loads(nothing.stdout)["hits"]) == (0, [])


def test_json_ld_of_a_search_and_of_all(root: Path) -> None:
    done = kag("search", QUERY, "--corpus", root, "--format", "jsonld", "-k", 3)
    part = Graph().parse(data=done.stdout, format="json-ld")
    exported = kag("corpus", "export", "--format", "jsonld", "--corpus", root).stdout
    whole = Graph().parse(data=exported, format="json-ld")
    (count,) = part.objects(None, next(term for term in part.predicates() if term.endswith("numberOfItems")))
    assert count.toPython() == 3
    chunks = [triple for triple in part if "/kag/chunk/" in triple[0]]
    assert len(chunks) > 15
    assert all(triple in whole for triple in chunks), "a result says the same of its chunks as the whole graph"


def test_an_agent_goes_on_from_hit_to_neighbours(root: Path) -> None:
    tools = CorpusTools(open_index(root), open_corpus(root).library())
    (hit,) = tools.search_knowledge_graph(QUERY, 1)["items"]
    linked = tools.expand_node(hit["chunk"])
    assert linked["paper"] == "reservoir_sensors"
    assert linked["total"] == sum(linked["counts"].values()) > 1
    assert tools.expand_node(linked["items"][0]["chunk"])["ok"]


def test_bad_input_is_named(root: Path, bundled_runs: Path, tmp_path: Path) -> None:
    assert kag("search", QUERY).exit_code == 2
    assert kag("search", QUERY, "--corpus", root, "--graph-dir", bundled_runs).exit_code == 2
    for error, arguments in (
        (CorpusError, (QUERY, "--corpus", tmp_path)),
        (BadValue, (" ", "--corpus", root)),
        (BadValue, (QUERY, "--corpus", root, "--plan", "best")),
        (BadValue, (QUERY, "--corpus", root, "--paper", "reservoir")),
    ):
        told = kag("search", *arguments).exception
        assert isinstance(told, error)
        assert (told.exit_code, bool(told.hint)) == (2, True)


def test_the_help_names_all_plans() -> None:
    assert tuple(PLANS.split(", ")) == PRESETS


def test_hits_are_narrowed_down_by_facets(root: Path) -> None:
    told = kag("search", "water", "--corpus", root, "--facets", "-k", 1)
    assert told.exit_code == 0
    assert "narrow down by:\n  paper: " in told.stdout
    assert "--layers entity,claim" in told.stdout
    narrowed = kag("search", "water", "--corpus", root, "--facet", "kind=caption", "--json")
    result = json.loads(narrowed.stdout)
    assert {hit["kind"] for hit in result["hits"]} == {"caption"}
    assert result["facets"]["kind"]["caption"] >= len(result["hits"])
    assert result["chosen"] == {"kind": ["caption"]}
    for wrong in (("--facet", "role=result"), ("--facet", "kinds=x"), ("--facets", "--format", "jsonld")):
        refused = kag("search", "water", "--corpus", root, *wrong)
        assert (refused.exit_code != 0, refused.stdout) == (True, ""), wrong
