"""Graphs of papers in the formats of other programs, each read back by a library of that format."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pyoxigraph import RdfFormat, Store
from rdflib import Dataset, Graph

import kag
from kag.cli.main import cli
from kag.core.errors import BadValue, RunError, SourceError
from kag.export.folders import write_folder
from kag.export.property_graph import LINKS, NODES, Named, paper_graph, pdfs_at, script
from kag.export.rdf_datasets import NamedGraph, same_triples
from kag.indexing.run import GRAPH
from kag.qa.library import Library, open_library
from kag.retrieval.property_graph.as_cypher import to_tables
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from tests.papers import write_paper
from tests.unit.corpus.runs import indexed

pytestmark = pytest.mark.slow

HOSTILE = "it's \"quoted\", \\' }) DETACH DELETE n; //\n=cmd|x, `tick`, </data>, 漢字 \u2028 \x07"


@pytest.fixture(scope="module")
def library(bundled_runs: Path) -> Library:
    return open_library(bundled_runs)


@pytest.fixture(scope="module")
def corpus(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("exported") / "corpus"
    assert CliRunner().invoke(cli, ["corpus", "add", str(bundled_runs), "--corpus", str(root)]).exit_code == 0
    return root


def export(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["export", *map(str, arguments)])


def hostile() -> GraphSnapshot:
    """Papers whose words would end what they stand in."""
    nodes = (
        Node(HOSTILE[:20], "Paper", {"paperId": HOSTILE[:20], "title": HOSTILE, "year": 2020}),
        Node("c", "Chunk", {"chunkId": "c", "text": HOSTILE, "position": 1}),
    )
    return GraphSnapshot(nodes, (Link("l", "BELONGS_TO", "c", HOSTILE[:20]),))


@pytest.mark.parametrize("form", ["nquads", "jsonld"])
def test_datasets_hold_each_paper_under_its_name(library: Library, bundled_runs: Path, form: str) -> None:
    done = export(bundled_runs, "--format", form)
    assert done.exit_code == 0, done.stderr
    assert export(bundled_runs, "--format", form).stdout == done.stdout
    held = Dataset()
    held.parse(data=done.stdout, format={"jsonld": "json-ld"}.get(form, form))
    for name, paper in library.items():
        assert set(held.graph(paper.document)) == set(Graph().parse(library.path(name) / GRAPH)), name
    assert len(held) == sum(len(Graph().parse(library.path(name) / GRAPH)) for name in library)


def test_a_corpus_gives_what_its_runs_give(bundled_runs: Path, corpus: Path) -> None:
    given = [export(*where, "--format", "nquads").stdout for where in ([bundled_runs], ["--corpus", corpus])]
    assert given[0] == given[1]
    stored = CliRunner().invoke(cli, ["corpus", "export", "--corpus", str(corpus)]).stdout
    held = [Store(), Store()]  # which spells numbers as the corpus does
    for store, text in zip(held, (stored, given[1]), strict=True):
        store.load(text.encode(), RdfFormat.N_QUADS)
    assert set(held[0]) == set(held[1])
    assert isinstance(export("--corpus", corpus, "--format", "bibtex").exception, BadValue)
    assert export("--format", "nquads").exit_code == 2
    assert export(bundled_runs, "--format", "csv").exit_code == 2


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (b'<urn:a> <urn:b> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n', True),
        (b"", False),
        (b"no triples", False),
        (b"\xff", False),
        (b'<urn:a> <urn:b> "1" .\n', False),
    ],
)
def test_graphs_are_compared_by_value(other: bytes, same: bool) -> None:
    line = '<urn:a> <urn:b> "01"^^<http://www.w3.org/2001/XMLSchema#integer>'
    assert same_triples(NamedGraph("p", "urn:p", (line,)), other) is same


def test_the_schema_of_papers_and_chunks(library: Library) -> None:
    graph = paper_graph(library, similar=3)
    nodes = {node.id: node for node in graph.nodes}
    assert {node.label for node in graph.nodes} == {"Paper", "Chunk"}
    for node in graph.nodes:
        assert set(node.props) <= set(NODES[node.label])
    leaving: dict[str, list[float]] = {}
    for link in graph.edges:
        source, target, columns = LINKS[link.label]
        assert (nodes[link.source].label, nodes[link.target].label) == (source, target)
        assert set(link.props) == set(columns)
        if link.label == "SIMILAR":
            leaving.setdefault(link.source, []).append(link.props["score"])
            assert link.source != link.target
    assert leaving
    assert max(map(len, leaving.values())) == 3
    assert all(0 < score <= 1 for scores in leaving.values() for score in scores)
    chunks = [node for node in graph.nodes if node.label == "Chunk"]
    assert sum(link.label == "BELONGS_TO" for link in graph.edges) == len(chunks)
    assert not any(link.label == "SIMILAR" for link in paper_graph(library, similar=0).edges)


def test_chunks_have_vectors_where_they_are_wanted(library: Library) -> None:
    def embed(texts: Sequence[str]) -> np.ndarray:
        rows = np.array([[1.0 + len(text) % 7, 1.0 + text.count("e")] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    graph = paper_graph(library, similar=2, embed=embed)
    chunks = [node for node in graph.nodes if node.label == "Chunk"]
    assert {len(node.props["embedding"]) for node in chunks} == {2}


def test_what_a_paper_names_is_linked_once(library: Library) -> None:
    paper = next(iter(library))
    graph = paper_graph(library, 0, [Named(paper, "Task", "ranking"), Named(paper, "Model", "ranking")] * 2)
    named = [(link.label, link.target) for link in graph.edges if link.source == paper and link.label != "CITES"]
    assert sorted(named) == [("ADDRESSES_TASK", "Task ranking"), ("EXPLAINS_MODEL", "Model ranking")]


def test_models_derive_from_those_that_their_names_hold(library: Library) -> None:
    one, other, *_ = library
    said = {
        "neural network": "n1",
        "convolutional neural network": "n2",
        "BERT": "n3",
        "BERT-large": "n4",
        "network": "",
    }
    named = [Named(one, "Model", name, node) for name, node in said.items()]
    named += [Named(other, "Model", "deep neural network"), Named(one, "Task", "neural network")]
    graph = paper_graph(library, 0, named)
    links = [link for link in graph.edges if link.label == "DERIVED_FROM"]
    assert sorted((link.source, link.target, link.props["node"]) for link in links) == [
        ("Model BERT-large", "Model BERT", "n4"),
        ("Model convolutional neural network", "Model neural network", "n2"),
        ("Model neural network", "Model network", "n1"),
    ]
    assert {link.props["paper"] for link in links} == {one}, "no other paper says what its network derives from"


def test_a_paper_has_its_pdf_and_its_address(tmp_path: Path) -> None:
    pages = ((("title", "[[100, 60, 900, 100]]", "# Ice"), ("text", "[[20, 300, 60, 700]]", "arXiv:2010.12345v2"),
              ("text", "[[100, 180, 900, 260]]", "As in arXiv:1901.00001, ice is cold. " * 4)),)  # fmt: skip
    run = indexed(tmp_path / "ice", write_paper(tmp_path / "pages", pages), "ice")
    summary = json.loads((run / "summary.json").read_text())
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "ice.pdf").write_bytes(b"%PDF-1.7 of the test")
    found = pdfs_at([tmp_path / "pdfs"])
    summary["source"]["sha256"], path = next(iter(found.items()))
    (run / "summary.json").write_text(json.dumps(summary))
    (paper,) = (node for node in paper_graph(open_library(run), 0, pdfs=found).nodes if node.label == "Paper")
    assert (paper.props["pdf_path"], path) == (path, str(tmp_path / "pdfs" / "ice.pdf"))
    assert paper.props["url"] == "https://arxiv.org/abs/2010.12345"
    with pytest.raises(SourceError, match="no PDF"):
        pdfs_at([tmp_path / "ice"])


def test_the_address_given_with_a_paper_comes_before_its_doi(tmp_path: Path) -> None:
    source, runs, address = Path("test_data/urban_pollinators"), tmp_path / "runs", "https://example.org/papers/1.pdf"
    first = kag.index(source, runs)
    paper = kag.index(source, runs, url=address)
    assert (paper.url, kag.open(runs).url) == (address, address)
    assert first.url != address, "nothing was made up"
    assert kag.index(source, runs).path == paper.path, "an address is kept where none is given"
    assert paper.validate().conforms
    (node,) = (one for one in paper_graph(open_library(runs), 0).nodes if one.label == "Paper")
    assert node.props["url"] == address
    with pytest.raises(BadValue, match="not a web address"):
        kag.index(source, runs, url="file:///etc/passwd")


@pytest.mark.parametrize("bad", [False, True])
def test_the_script_is_run_by_ladybug(library: Library, bad: bool) -> None:
    ladybug = pytest.importorskip("ladybug")
    graph = hostile() if bad else paper_graph(library, similar=2)
    connection = ladybug.Connection(ladybug.Database(":memory:"))
    for table in to_tables(graph):
        if table.declaration:
            connection.execute(table.declaration)
    statements = [line for line in script(graph).splitlines() if not line.startswith("CREATE CONSTRAINT")]
    assert len(statements) == len(graph.nodes) + len(graph.edges)
    for statement in statements:
        connection.execute(statement)
    for label in {node.label for node in graph.nodes}:
        key = NODES[label][0]
        rows = connection.execute(f"MATCH (n:{label}) RETURN n.{key}").get_all()
        assert {row[0] for row in rows} == {node.id for node in graph.nodes if node.label == label}
    for label in {link.label for link in graph.edges}:
        (count,) = connection.execute(f"MATCH ()-[r:{label}]->() RETURN count(*)").get_all()
        assert count == [sum(link.label == label for link in graph.edges)]
    if bad:
        assert connection.execute("MATCH (n:Chunk) RETURN n.text").get_all() == [[HOSTILE]]


def test_printed_tables(library: Library, bundled_runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    assert export(bundled_runs, "--format", "csv", "--out", out).exit_code == 0
    listed = list(csv.DictReader((out / "tables.csv").open(newline="")))
    assert {row["file"] for row in listed} | {"tables.csv"} == {
        path.relative_to(out).as_posix() for path in out.rglob("*.csv")
    }
    first = next(row for row in listed if row["paper"] == "reservoir_sensors")
    assert first["label"] == "Table 1"
    rows = list(csv.reader((out / first["file"]).open(newline="")))
    assert rows[int(first["header_rows"])][:2] == ["Arden", "3.8"]


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    write_folder(tmp_path / "new", {"a": "1", "b/c": b"2"})
    write_folder(tmp_path / "new", {"a": "1", "b/c": b"2"})
    with pytest.raises(RunError, match="in the way"):
        write_folder(tmp_path / "new", {"a": "1"})
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match="in the way"):
        write_folder(tmp_path / "file", {})
    with pytest.raises(OSError):
        write_folder(tmp_path / "half", {"a": "1", "a/b": "2"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "new"]


def test_a_run_is_a_crate(library: Library, bundled_runs: Path, tmp_path: Path) -> None:
    crates = pytest.importorskip("rocrate.rocrate")
    run = library.path("reservoir_sensors")
    out = tmp_path / "crate"
    assert export(run, "--format", "ro-crate", "--out", out).exit_code == 0
    crate = crates.ROCrate(out)
    assert {entity.id for entity in crate.data_entities} == {
        path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()
    }
    assert crate.name.endswith(library["reservoir_sensors"].title)
    for entity in crate.data_entities:
        assert hashlib.sha256((out / entity.id).read_bytes()).hexdigest() == entity["sha256"]
    assert crate.get(library["reservoir_sensors"].document)["author"][0] == "Nils Achterberg"
    assert open_library(out)["reservoir_sensors"].title == library["reservoir_sensors"].title
    assert isinstance(export(bundled_runs, "--format", "ro-crate", "--out", tmp_path / "no").exception, BadValue)
