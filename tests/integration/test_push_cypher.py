"""`kag push` to databases that speak Cypher: ladybug, and the driver of Neo4j against a stand-in over ladybug."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kag.cli.main import cli
from kag.core.errors import BadValue, StoreError
from kag.export.cypher_databases import database_at
from kag.export.cypher_push import Database, parts, push
from kag.export.property_graph import LINKS, NODES, Named, paper_graph
from kag.export.sparql_store import PASSWORD, TOKEN, USER
from kag.qa.library import open_library
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node

pytest.importorskip("numpy")
pytest.importorskip("ladybug", reason="ladybug is not installed")

from tests.bolt_server import BoltServer, bolt

HOSTILE = "it's \"quoted\", \\' }) DETACH DELETE n; //\n=cmd|x, `tick`, $rows, {id: 1}, 漢字 \u2028 \x07"
SECRET = "s3cr3t-of-the-database"


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TOKEN, USER, PASSWORD):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def papers(bundled_runs: Path) -> GraphSnapshot:
    return paper_graph(open_library(bundled_runs))


@pytest.fixture
def file(tmp_path: Path) -> str:
    return f"ladybug:{tmp_path / 'papers.lbug'}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BoltServer]:
    pytest.importorskip("neo4j", reason="the driver of Neo4j is not installed")
    with bolt(tmp_path / "served.lbug") as server:
        yield server


@pytest.fixture(params=["ladybug", "neo4j"])
def url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("file") if request.param == "ladybug" else request.getfixturevalue("server").url


def pushed(graph: GraphSnapshot, url: str) -> dict[str, str]:
    with database_at(url) as database:
        return {put.paper: put.state for put in push(graph, database)}


def command(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["push", *map(str, arguments)])


def held(database: Database) -> GraphSnapshot:
    """All that a database has, but for digests."""
    nodes: list[Node] = []
    links: list[Link] = []
    for label, names in NODES.items():
        for name, *values in database.ask(f"MATCH (n:{label}) RETURN n.id, {', '.join(f'n.{one}' for one in names)}"):
            props = {key: value for key, value in zip(names, values, strict=True) if value is not None}
            nodes.append(Node(name, label, props))
    for label, (source, target, names) in LINKS.items():
        told = "".join(f", r.{name}" for name in names)
        rows = database.ask(f"MATCH (a:{source})-[r:{label}]->(b:{target}) RETURN a.id, b.id{told}")
        for a, b, *rest in rows:
            props = dict(zip(names, rest, strict=True))
            links.append(
                Link(" ".join((label, *([props["paper"]] if "paper" in props else []), a, b)), label, a, b, props)
            )
    return GraphSnapshot(tuple(nodes), tuple(links)).canonical()


def at(url: str) -> GraphSnapshot:
    with database_at(url) as database:
        return held(database)


def paper(name: str, *chunks: str, text: str = "words", **props: Any) -> tuple[list[Node], list[Link]]:
    """A paper with chunks."""
    nodes = [Node(name, "Paper", {"paperId": name, **props})]
    nodes += [Node(f"{name}/{one}", "Chunk", {"chunkId": f"{name}/{one}", "text": text}) for one in chunks]
    links = [Link(f"BELONGS_TO {node.id} {name}", "BELONGS_TO", node.id, name) for node in nodes[1:]]
    return nodes, links


def similar(one: str, other: str, score: float = 0.5) -> Link:
    return Link(f"SIMILAR {one} {other}", "SIMILAR", one, other, {"score": score})


def graph(*papers: tuple[list[Node], list[Link]], links: tuple[Link, ...] = ()) -> GraphSnapshot:
    nodes = tuple(node for nodes, _ in papers for node in nodes)
    return GraphSnapshot(nodes, (*(link for _, own in papers for link in own), *links)).canonical()


def test_a_database_holds_the_graph_however_often_it_is_pushed(papers: GraphSnapshot, url: str) -> None:
    assert set(pushed(papers, url).values()) == {"pushed"}
    assert at(url) == papers
    assert set(pushed(papers, url).values()) == {"unchanged"}
    assert at(url) == papers


def test_the_command_tells_what_is_there(bundled_runs: Path, papers: GraphSnapshot, url: str) -> None:
    once = command(url, bundled_runs)
    assert once.exit_code == 0, once.stderr
    told = [line.split(": ")[1].split()[::2] for line in once.stdout.splitlines()]
    nodes, links = (sum(int(counts[place]) for counts in told) for place in (0, 1))
    assert (nodes, links) == (len(papers.nodes), len(papers.edges))
    again = command(url, bundled_runs)
    assert {line.split()[0] for line in again.stdout.splitlines()} == {"unchanged"}
    none = command(url, bundled_runs, "--similar", "0")
    assert none.exit_code == 0
    assert Counter(link.label for link in at(url).edges)["SIMILAR"] == 0


def test_hostile_texts_are_texts(url: str) -> None:
    hostile = graph(paper(HOSTILE[:20], "c", "d", text=HOSTILE, title=HOSTILE, year=2020))
    pushed(hostile, url)
    assert at(url) == hostile


def test_a_changed_paper_is_replaced_and_the_others_left_alone(url: str) -> None:
    first = graph(
        paper("a", "1", "2", title="Ice", year=2020),
        paper("b", "1"),
        paper("c", "1"),
        links=(similar("b/1", "a/2"), similar("a/1", "a/2")),
    )
    pushed(first, url)
    second = graph(paper("a", "1", "3", title="Snow"), paper("b", "1"), paper("c", "1"), links=(similar("a/3", "b/1"),))
    assert pushed(second, url) == {"a": "pushed", "b": "pushed", "c": "unchanged"}
    assert at(url) == second
    assert pushed(first, url)["c"] == "unchanged"
    assert at(url) == first


def test_a_paper_whose_links_were_lost_with_another_gets_them_again(url: str) -> None:
    both = graph(paper("a", "1"), paper("b", "1", "2"), links=(similar("a/1", "b/2"),))
    pushed(both, url)
    pushed(graph(paper("b", "1")), url)
    assert pushed(both, url) == {"a": "pushed", "b": "pushed"}
    assert at(url) == both


def test_papers_that_are_not_given_stay(url: str) -> None:
    pushed(graph(paper("a", "1")), url)
    pushed(graph(paper("b", "1")), url)
    assert at(url) == graph(paper("a", "1"), paper("b", "1"))


def test_what_a_paper_names_goes_with_its_last_name(url: str) -> None:
    def naming(paper_name: str, task: str) -> tuple[Node, Link]:
        name = f"Task {task}"
        return Node(name, "Task", {"name": task}), Link(
            f"ADDRESSES_TASK {paper_name} {name}", "ADDRESSES_TASK", paper_name, name, {"node": f"{paper_name}/1"}
        )

    def both(one: str, other: str) -> GraphSnapshot:
        named = [naming("a", one), naming("b", other)]
        whole = graph(paper("a", "1"), paper("b", "1"), links=tuple(link for _, link in named))
        nodes = {node.id: node for node in (*whole.nodes, *(node for node, _ in named))}
        return replace(whole, nodes=tuple(nodes.values())).canonical()

    for one, other in (("ranking", "ranking"), ("parsing", "ranking"), ("parsing", "parsing")):
        pushed(both(one, other), url)
        assert at(url) == both(one, other)


def test_what_models_derive_from_is_kept_by_the_paper_that_says_so(url: str) -> None:
    def naming(*models: tuple[str, str]) -> GraphSnapshot:
        nodes, links = list[Node](), list[Link]()
        for name, model in models:
            for kind in (model, f"deep {model}"):
                nodes.append(Node(f"Model {kind}", "Model", {"name": kind}))
                props = {"node": f"{name}/1"}
                links.append(
                    Link(f"EXPLAINS_MODEL {name} Model {kind}", "EXPLAINS_MODEL", name, f"Model {kind}", props)
                )
            ends = f"Model deep {model}", f"Model {model}"
            props = {"paper": name, "node": f"{name}/1"}
            links.append(Link(f"DERIVED_FROM {name} {' '.join(ends)}", "DERIVED_FROM", *ends, props))
        whole = graph(paper("a", "1"), paper("b", "1"), links=tuple(links))
        return replace(whole, nodes=tuple({one.id: one for one in (*whole.nodes, *nodes)}.values())).canonical()

    for both in ((("a", "net"), ("b", "net")), (("a", "forest"), ("b", "net")), (("a", "forest"), ("b", "forest"))):
        pushed(naming(*both), url)
        assert at(url) == naming(*both)


def test_the_parts_are_the_whole(bundled_runs: Path) -> None:
    library = open_library(bundled_runs)
    whole = paper_graph(library, 2, [Named(name, "Dataset", "ImageNet") for name in library])
    found = parts(whole)
    assert {node.id for part in found for node in part.nodes} == {node.id for node in whole.nodes}
    assert sorted(link.id for part in found for link in part.links) == sorted(link.id for link in whole.edges)
    assert len({part.digest for part in found}) == len(library)


@pytest.mark.parametrize("statements", [0, 3, 12, 25, 40, 60])
def test_a_push_that_ended_halfway_is_given_again(papers: GraphSnapshot, server: BoltServer, statements: int) -> None:
    """The connection is cut after so many statements, and nobody is there any more."""
    server.left = statements
    with pytest.raises(StoreError), database_at(server.url, 0.5) as database:
        list(push(papers, database))
    server.left = None
    assert "pushed" in pushed(papers, server.url).values()
    assert at(server.url) == papers
    assert set(pushed(papers, server.url).values()) == {"unchanged"}


def test_credentials_are_of_the_environment(
    server: BoltServer, bundled_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.user = f"neo4j:{SECRET}"
    nobody = command(server.url, bundled_runs)
    assert nobody.exit_code == 3
    assert USER in nobody.stderr
    monkeypatch.setenv(USER, "neo4j")
    monkeypatch.setenv(PASSWORD, "wrong" + SECRET)
    wrong = command(server.url, bundled_runs)  # the stand-in repeats what it was given
    assert wrong.exit_code == 3
    assert SECRET not in wrong.output
    monkeypatch.setenv(PASSWORD, SECRET)
    assert command(server.url, bundled_runs).exit_code == 0
    with pytest.raises(BadValue, match="unencrypted"), database_at("bolt://db.example"):
        pass


def test_what_a_database_refuses_is_told(server: BoltServer) -> None:
    with database_at(server.url) as database, pytest.raises(StoreError, match="Parser"):
        database.ask("no cypher")


def test_links_lead_to_what_is_there(file: str) -> None:
    both = graph(paper("a", "1"), paper("b", "1"))
    pushed(both, file)
    with database_at(file) as database:
        database.ask("MATCH (c:Chunk {id: 'b/1'}) DETACH DELETE c")
        more = graph(paper("a", "1"), paper("b", "1"), links=(similar("a/1", "b/1"),))
        with pytest.raises(StoreError, match="are missing"):
            list(push(more, database))


@pytest.mark.parametrize(
    "url",
    ["bolt://", "neo4j+s://[", "bolt://h:x/", "bolt://h/a b", "bolt://u:p@h", "bolt://h?x=1", "ladybug:/no/folder/x"],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(BadValue), database_at(url):
        pass


def test_nobody_is_there_or_another_is(bundled_runs: Path, tmp_path: Path) -> None:
    done = command("bolt://127.0.0.1:9", bundled_runs, "--timeout", "0.2")
    assert done.exit_code == 3
    assert "Bolt address" in done.stderr
    (tmp_path / "x").write_text("no database")
    other = command(f"ladybug:{tmp_path / 'x'}", bundled_runs)
    assert other.exit_code == 3
    assert (tmp_path / "x").read_text() == "no database"
    assert command(f"ladybug:{tmp_path / 'y'}", bundled_runs, "--update").exit_code == 2


def test_what_was_pushed_is_searched_in_the_database(bundled_runs: Path, url: str) -> None:
    assert command(url, bundled_runs, "--embed", "--similar", "2").exit_code == 0
    how = ["--plan", "multi_query", "--hops", "2", "--json"]
    words = ["search", "How was flower cover estimated?", "--database", url, *how]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.stderr
    hits = json.loads(done.stdout)["hits"]
    assert any("Flower cover was estimated in ten squares" in hit["chunk_text"] for hit in hits)
    assert any(hit["via"].startswith("doc_doc from ") for hit in hits)
    assert "no vector" not in done.stderr
