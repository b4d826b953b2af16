"""PrimeKG's table: rows of our own in their form."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.kgrag.science import read_primekg
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


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_primekg(tmp_path / "nowhere.csv")
