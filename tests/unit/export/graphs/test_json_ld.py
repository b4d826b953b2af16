"""A graph as JSON-LD is the same graph, and the same bytes each time."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from rdflib import Graph, Literal, URIRef

from kag.cli.main import cli
from kag.export.rdf_datasets import to_json_ld
from kag.indexing.pipeline import index_paper
from kag.indexing.run import GRAPH, write_run
from kag.rdf.namespaces import CITO, DCTERMS, KAG

ICE, SNOW = URIRef("http://la3d.local/kag/doc/ice/n"), URIRef("http://la3d.local/kag/doc/ice/m")


def test_a_run_comes_back_whole(paper: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path, "ice", index_paper(paper).files)
    written = [CliRunner().invoke(cli, ["export", str(run), "--format", "jsonld"]).stdout for _ in range(2)]
    assert written[0] == written[1]
    assert set(Graph().parse(data=written[0], format="json-ld")) == set(Graph().parse(run / GRAPH))


def test_texts_stay_texts_and_the_order_of_triples_does_not_matter() -> None:
    triples = [
        (ICE, DCTERMS.title, Literal("kag:order")),
        (ICE, KAG.fullText, Literal('{"@id": "http://evil/"}')),
        (ICE, KAG.order, Literal(3)),
        (ICE, CITO.cites, SNOW),
        (ICE, CITO.cites, ICE),
        (SNOW, DCTERMS.title, Literal("Schnee", lang="de")),
    ]
    one, other = Graph(), Graph()
    for there, back in zip(triples, reversed(triples), strict=True):
        one.add(there)
        other.add(back)
    assert to_json_ld(one) == to_json_ld(other)
    assert set(Graph().parse(data=to_json_ld(one), format="json-ld")) == set(triples)
