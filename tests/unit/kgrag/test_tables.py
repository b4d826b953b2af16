"""PrimeKG's and Hetionet's tables: rows of our own in their form."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.kgrag.science import read_hetionet, read_primekg
from kag.retrieval.property_graph.engine import GraphEngine

HEAD = "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source\n"
ROW = "drug_protein,target,0,D1,drug,Aspirin,DrugBank,1,5,gene/protein,PTGS1,NCBI\n"
BACK = "drug_protein,target,1,5,gene/protein,PTGS1,NCBI,0,D1,drug,Aspirin,DrugBank\n"


def test_primekg_has_each_edge_once(tmp_path: Path) -> None:
    (tmp_path / "kg.csv").write_text(HEAD + ROW + BACK, encoding="utf-8")
    graph = GraphEngine(read_primekg(tmp_path / "kg.csv"))
    assert [(edge.source, edge.label, edge.target) for edge in graph.edges] == [
        ("drug::D1", "drug_protein", "gene/protein::5")
    ]
    assert graph.node("gene/protein::5").label == "gene_protein"
    assert graph.find_nodes(props={"name": "Aspirin"}) == ("drug::D1",)


def test_hetionet_may_be_packed(tmp_path: Path) -> None:
    (tmp_path / "nodes.tsv").write_text("id\tname\tkind\nGene::1\tA1BG\tGene\nDisease::2\tgout\tDisease\n")
    edges = "source\tmetaedge\ttarget\nDisease::2\tDaG\tGene::1\n"
    (tmp_path / "edges.sif.gz").write_bytes(gzip.compress(edges.encode()))
    found = read_hetionet(tmp_path / "nodes.tsv", tmp_path / "edges.sif.gz")
    assert GraphEngine(found).neighbors("Disease::2") == ("Gene::1",)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (HEAD + "a,b\n", ":2:"),
        (HEAD + '"' + "x" * 200_000 + '"\n', "kg.csv"),
        ("relation\n\xff\n", "kg.csv"),
        ("\x1f\x8b broken", "kg.csv"),
    ],
)
def test_a_broken_row_is_told_with_its_line(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "kg.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceError, match=where) as caught:
        read_primekg(tmp_path / "kg.csv")
    assert caught.value.hint


def test_an_edge_to_nobody_is_told(tmp_path: Path) -> None:
    (tmp_path / "n.tsv").write_text("id\tname\tkind\nGene::1\tA\tGene\n")
    (tmp_path / "e.sif").write_text("source\tmetaedge\ttarget\nGene::1\tGiG\tGene::9\n")
    with pytest.raises(SourceError, match=r"e\.sif:2: 'Gene::9' is no node"):
        read_hetionet(tmp_path / "n.tsv", tmp_path / "e.sif")
    with pytest.raises(SourceError):
        read_primekg(tmp_path / "nowhere.csv")
