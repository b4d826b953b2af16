"""Layers made on the way into a corpus, and links between what its papers say: made when asked, gone with a paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import BadValue
from kag.corpus import graphs, shared_entities
from kag.corpus.check import check_corpus, repair
from kag.corpus.search_index import open_index
from kag.corpus.store import open_corpus
from kag.corpus.transaction import open_writer
from kag.layers.values import Entity, Findings, Identifier, Mention
from kag.rdf.namespaces import paper_base

TEXT = """# {title}

## Abstract

We gave aspirin to mice and measured their sleep. Little is known of it.

## Results

We found that aspirin {did} the duration of sleep in mice.
"""
PAPERS = {"one": "reduced", "two": "did not reduce", "three": "reduced"}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    for name, did in PAPERS.items():
        (folder / f"{name}.md").write_text(TEXT.format(title=f"Sleep {name}", did=did), encoding="utf-8")
    return folder


def corpus(*given: object) -> str:
    done = CliRunner().invoke(cli, ["corpus", *map(str, given)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def lines(root: Path) -> tuple[str, ...]:
    return graphs.lines_of(graphs.open_snapshot(open_corpus(root).layout), shared_entities.GRAPH)


def test_papers_get_layers_and_links_that_go_with_them(papers: Path, tmp_path: Path) -> None:
    root = tmp_path / "library"
    corpus("add", papers / "one.md", papers / "two.md", "--layers", "entity,claim", "--corpus", root)
    alone = corpus("export", "--corpus", root)
    assert "/one/layer-claim>" in alone
    assert lines(root) == ()
    corpus("index", "--corpus", root, "--layers", "entity,claim")
    linked = lines(root)
    assert any("exactMatch" in line or "closeMatch" in line for line in linked)
    assert check_corpus(root).issues == ()
    corpus("add", papers / "three.md", "--corpus", root)  # without layers
    assert lines(root) == linked
    corpus("index", "--corpus", root, "--layers", "entity,claim")  # which makes them
    assert any("/three/" in line for line in lines(root))
    corpus("remove", "three", "--corpus", root)
    assert not any("/three/" in line for line in lines(root))
    assert check_corpus(root).issues == ()
    corpus("index", "--corpus", root, "--layers", "entity,claim")
    assert lines(root) == linked  # the same papers, the same links
    corpus("remove", "two", "--corpus", root)
    assert lines(root) == ()
    assert shared_entities.GRAPH not in graphs.names(graphs.open_snapshot(open_corpus(root).layout))
    corpus("add", papers / "two.md", "--layers", "entity,claim", "--corpus", root)
    assert corpus("export", "--corpus", root) == alone


def test_links_to_nothing_are_told_and_mended(papers: Path, tmp_path: Path) -> None:
    root = tmp_path / "library"
    corpus("add", papers / "one.md", "--layers", "entity", "--corpus", root)
    with open_writer(root) as writer:
        strange = f"<urn:x> <urn:y> <{paper_base('ghost')}c-1>"
        graphs.change(writer.store, {shared_entities.GRAPH: [strange]})
        graphs.publish(writer.store, writer.layout)
    assert [issue.component for issue in check_corpus(root).issues] == ["links"]
    assert repair(root).issues == ()


def test_given_runs_stay_as_they_are_and_wrong_names_are_told(papers: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    assert CliRunner().invoke(cli, ["index", str(papers / "one.md"), "--out-dir", str(runs)]).exit_code == 0
    (run,) = runs.iterdir()
    before = sorted(path.name for path in run.iterdir())
    corpus("add", run, "--layers", "claim", "--corpus", tmp_path / "library")
    assert sorted(path.name for path in run.iterdir()) == before
    assert "/one/layer-entity>" in corpus("export", "--corpus", tmp_path / "library")
    wrong = CliRunner().invoke(cli, ["corpus", "add", str(run), "--layers", "x", "--corpus", str(tmp_path / "other")])
    assert isinstance(wrong.exception, BadValue)


def test_passages_are_named_by_layers_where_that_is_wished(papers: Path, tmp_path: Path) -> None:
    root = tmp_path / "library"
    corpus("add", papers / "one.md", "--layers", "entity", "--corpus", root)
    corpus("add", papers / "two.md", "--corpus", root)  # which has no layer
    for more, wanted in (((), False), (("--names", "layers"), True), ((), True)):
        corpus("index", "--corpus", root, *more)
        index = open_index(root)
        named = {chunk.document: set(chunk.entities) for chunk in index.chunks.values() if "duration" in chunk.text}
        assert ({"aspirin", "mice"} <= named["one"]) is wanted
        assert not {"aspirin", "mice"} & named["two"]
    assert check_corpus(root).issues == ()
    both = CliRunner().invoke(cli, ["corpus", "index", "--corpus", str(root), "--names", "layers", "--lm", "offline"])
    assert both.exit_code == 2


def entity(name: str, *identifiers: Identifier) -> Entity:
    return Entity(name, "gene", (Mention("urn:n", 0, 1, name, "gene", 0.9, "r"),), (), identifiers)


def test_entities_meet_by_identifier_or_by_name() -> None:
    exact = Identifier("http://example.org/1", "exact", 1.0)
    told = shared_entities.derived(
        {
            "a": Findings((entity("TNF"), entity("CFTR", exact), entity("lone"))),
            "b": Findings((entity("TNF"), entity("the regulator", exact))),
        }
    )
    assert sorted(line.split(" ")[1].rpartition("#")[2] for line in told) == [
        "closeMatch>", "closeMatch>", "exactMatch>", "exactMatch>",
    ]  # fmt: skip
    assert len({line.split(" ")[2] for line in told}) == 2
    assert shared_entities.without(told, ["b"]) == ()
    assert shared_entities.without(told, []) == told


def test_names_that_begin_alike_are_two_papers() -> None:
    told = shared_entities.derived({"a": Findings((entity("TNF"),)), "ab": Findings((entity("TNF"),))})
    assert told
    assert shared_entities.without(told, ["a"]) == ()
    assert shared_entities.without(told, ["abc"]) == told
