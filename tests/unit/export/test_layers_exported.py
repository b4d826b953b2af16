"""Layers in exports: their graphs in datasets, and what papers are about in the property graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyoxigraph import RdfFormat, Store

from kag.cli.export import count_graphs, graphs_of
from kag.cli.main import cli
from kag.core.errors import RunError
from kag.export.property_graph import Named, paper_graph, plain_name, subjects
from kag.layers.pipeline import Layers
from kag.layers.source import Source, passages
from kag.layers.values import Entity, Findings
from kag.qa.library import open_library
from kag.rdf.profile import LAYERS, layer_graph
from tests.unit.layers.layered import SENTENCE, make_run, said, words


def told(source: Source, layers: object) -> Findings:
    """What the small paper says, with datasets, methods and tasks in its abstract and its claim."""
    texts = passages(source.graph)
    site = next(one for one in texts if SENTENCE in one.text)
    abstract = next(one for one in texts if one.kind == "abstract")
    given = said(source)
    upper, kilos = words(site, "Upper sensors", "method"), words(site, "kg", "task")
    more = (
        Entity("River Ice", "dataset", (words(abstract, "River ice", "dataset"),)),
        Entity("Sky", "dataset", (words(abstract, "sky", "dataset"),)),  # no name of a dataset
        Entity(
            "Upper Sensors", "method", (words(abstract, "sensors", "method"), upper, words(site, "Twelve", "method"))
        ),
        Entity("Kilo Weighing", "task", (kilos, kilos, kilos)),  # not in the abstract
        Entity("Siting", "task", (words(abstract, "many", "task"),)),  # once
    )
    claim = replace(given.claims[0], about=(*given.claims[0].about, upper, kilos))
    return replace(given, entities=(*given.entities, *more), claims=(claim,))


@pytest.fixture(scope="module")
def layered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = make_run(tmp_path_factory.mktemp("layered"))
    Layers(tuple(LAYERS), told).add_to(run)
    return run


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("plain"), "snow")


def test_a_paper_is_about_what_its_abstract_or_its_claims_say(layered: Path) -> None:
    (paper,) = open_library(layered).values()
    assert list(subjects(paper)) == [Named("ice", "Dataset", "River Ice"), Named("ice", "Model", "upper sensor")]


def test_methods_of_a_laboratory_are_no_models(tmp_path: Path) -> None:
    def with_genes(source: Source, layers: object) -> Findings:
        given = told(source, layers)
        abstract = next(one for one in passages(source.graph) if one.kind == "abstract")
        printed = ("hides", "from", "the", "We", "measured", "how", "of", "them", "fail")
        genes = Entity("kg1", "gene", tuple(words(abstract, word, "gene") for word in printed))
        return replace(given, entities=(*given.entities, genes))

    run = make_run(tmp_path)
    Layers(tuple(LAYERS), with_genes).add_to(run)
    (paper,) = open_library(run).values()
    assert list(subjects(paper)) == [Named("ice", "Dataset", "River Ice")]


def test_the_property_graph_has_them_and_a_run_without_layers_none(layered: Path, plain: Path) -> None:
    graph = paper_graph(open_library(layered, plain), 0)
    links = {(one.label, one.source, one.target) for one in graph.edges if one.source in ("ice", "snow")}
    printed = next(iter(open_library(layered).values())).nodes
    assert all(one.props["node"] in printed for one in graph.edges if one.source == "ice")
    assert links == {("USES_DATASET", "ice", "Dataset River Ice"), ("EXPLAINS_MODEL", "ice", "Model upper sensor")}
    assert {node.label for node in graph.nodes} == {"Paper", "Chunk", "Dataset", "Model"}


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Hate Speech Detection", "hate speech detection"),
        ("BERT Transformers", "BERT transformer"),
        ("ResNets", "ResNet"),
        ("CoNLL", "CoNLL"),
        ("Latent Semantic Analysis", "latent semantic analysis"),
        ("naive Bayes", "naive bayes"),
        ("GANs", "GANs"),
        ("class  loss", "class loss"),
        ("Été", "Été"),
        ("", ""),
    ],
)
def test_names_are_the_same_in_all_papers(printed: str, name: str) -> None:
    assert plain_name(printed) == name


@pytest.mark.parametrize("form", ["nquads", "jsonld"])
def test_datasets_hold_the_layers_under_their_names(layered: Path, form: str) -> None:
    done = CliRunner().invoke(cli, ["export", str(layered), "--format", form])
    assert done.exit_code == 0, done.stderr
    kinds = {"nquads": RdfFormat.N_QUADS, "jsonld": RdfFormat.JSON_LD}
    held = Store()
    held.load(done.stdout.encode(), kinds[form])
    (paper,) = open_library(layered).values()
    names = [paper.document, *(layer_graph(paper.document, layer) for layer in LAYERS)]
    assert {graph.value for graph in held.named_graphs()} == set(names)
    for name, file in zip(names, ("knowledge_graph.ttl", "entity_graph.ttl", "claim_graph.ttl"), strict=True):
        own = Store()
        own.load((layered / file).read_bytes(), RdfFormat.TURTLE)
        here = {quad.triple for quad in held if quad.graph_name.value == name}
        assert here == {quad.triple for quad in own}


def test_what_is_pushed_is_counted(layered: Path, plain: Path) -> None:
    library = open_library(layered, plain)
    graphs = list(graphs_of(library))
    assert count_graphs(library) == len(graphs) == 4
    assert [one.name.rpartition("/")[2] for one in graphs] == ["document", "layer-claim", "layer-entity", "document"]


def test_a_damaged_layer_is_named(layered: Path, tmp_path: Path) -> None:
    run = make_run(tmp_path)
    (run / "claim_graph.ttl").write_text("<broken", encoding="utf-8")
    with pytest.raises(RunError, match=r"claim_graph\.ttl"):
        list(graphs_of(open_library(run)))
