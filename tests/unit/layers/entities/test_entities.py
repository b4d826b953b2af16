"""Entities of papers: what is found, that it stands where it is said to stand, one entity for all its mentions."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.layers.entities import find_entities, warm
from kag.layers.entities.identifiers import kinds
from kag.layers.entities.lexicon import FOLDER as NAMES
from kag.layers.entities.lexicon import key, lexicon, read_lexicon, tokens, written
from kag.layers.entities.linking import HUMAN, MOUSE, Linker, home_of
from kag.layers.entities.relations import find_relations
from kag.layers.entities.trained import Spotted, fields_of, whole
from kag.layers.values import Entity, Passage

LIFE = (
    "Patients with cystic fibrosis (CF) carry mutations of the CFTR gene. In CF, ivacaftor improves lung function, and"
    " p.Phe508del is frequent. Mice that lack Cftr were treated with ibuprofen for cystic fibrosis."
)
COMPUTING = (
    "We train BERT and a convolutional neural network for image segmentation. The Adam optimizer converges, and"
    " accuracy on the CoNLL-2003 dataset grows. Our PyTorch v1.7 code runs on a GPU in Norway."
)


def found(*texts: str) -> dict[str, Entity]:
    return {one.name: one for one in find_entities([Passage(f"n{n}", text) for n, text in enumerate(texts)])}


def test_spellings_and_short_forms_are_one_entity() -> None:
    disease = found(LIFE)["cystic fibrosis"]
    assert disease.kind == "disease"
    assert disease.aliases == ("CF",)
    assert [one.text for one in disease.mentions] == ["cystic fibrosis", "CF", "CF", "cystic fibrosis"]
    assert disease.identifiers[0].iri == "http://id.nlm.nih.gov/mesh/D003550"
    assert disease.identifiers[0].match == "exact"


def test_a_short_form_is_known_in_other_passages() -> None:
    disease = found(LIFE, "Treatment of CF in patients is costly.")["cystic fibrosis"]
    assert disease.mentions[-1].node == "n1"


@pytest.mark.parametrize(
    ("text", "span", "right"),
    [
        ("(La0.8Sr0.2)MnO3 powder", "La0.8Sr0.2", "La0.8Sr0.2"),
        ("a La(Sr0.2)3 powder", "La(Sr0.2", "La(Sr0.2)"),
        ("the (Y0.1)TiO3 powder", "Y0.1)TiO3", "(Y0.1)TiO3"),
        ("some ceria) here", "ceria)", "ceria"),
    ],
)
def test_a_name_has_both_of_its_brackets(text: str, span: str, right: str) -> None:
    row, at = tokens(text), text.index(span)
    inside = [n for n, start in enumerate(row.starts) if at <= start < at + len(span)]
    one = whole(row, Spotted(inside[0], inside[-1] + 1, "material", 1.0))
    assert text[row.starts[one.start] : row.ends[one.end - 1]] == right


def test_each_mention_stands_where_it_says() -> None:
    texts = {"n0": LIFE, "n1": COMPUTING}
    for entity in find_entities([Passage(node, text) for node, text in texts.items()]):
        assert entity.mentions
        for one in entity.mentions:
            assert texts[one.node][one.start : one.end] == one.text
            assert one.kind == entity.kind
            assert 0 < one.score <= 1
        assert entity.kind in kinds()


def test_no_genes_in_computing() -> None:
    entities = found(COMPUTING)
    assert {"gene", "disease", "chemical", "species"}.isdisjoint(one.kind for one in entities.values())
    assert entities["PyTorch"].kind == "software"
    assert entities["CoNLL-2003"].kind == "dataset"
    assert entities["Norway"].kind == "place"
    assert entities["image segmentation"].kind == "task"
    assert entities["convolutional neural network"].kind == "method"


def test_numbers_of_databases_and_grants() -> None:
    entities = found("Data are at GEO (GSE12345) and under PDB ID 1ABC; funded by NSF grant DMS-1234567.")
    assert entities["GSE12345"].identifiers[0].iri == "https://identifiers.org/geo:GSE12345"
    assert entities["1ABC"].kind == "accession"
    assert entities["DMS-1234567"].kind == "grant"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "\x00\x01",
        "(" * 500,
        "Die Patienten wurden mit dem Medikament behandelt und die Zellen waren rot.",
        "本文提出了一种新的方法,用于图像分割。",
        "<script>alert(1)</script> {{7*7}} ${x} ' OR 1=1",
        "𝒳" * 50,
        "a" * 20_000,
    ],
)
def test_odd_texts_end_well(text: str) -> None:
    for entity in find_entities([Passage("n", text)]):
        assert all(text[one.start : one.end] == one.text for one in entity.mentions)


def test_other_languages_ask_no_model() -> None:
    text = "Die Patienten wurden mit dem Medikament behandelt und die Mäuse waren gesund."
    assert fields_of(tokens(text).words) == frozenset()


def test_nothing_is_found_in_nothing() -> None:
    assert find_entities([]) == ()


def test_the_same_text_gives_the_same_entities() -> None:
    passages = [Passage("n0", LIFE), Passage("n1", COMPUTING)]
    assert find_entities(passages) == find_entities(passages)


def test_relations_join_mentions_of_abstracts() -> None:
    passages = [
        Passage("t", "Ivacaftor for cystic fibrosis.", "title"),
        Passage("a", LIFE, "abstract"),
        Passage("p", LIFE),
    ]
    relations = find_relations(passages, find_entities(passages))
    assert relations
    for one in relations:
        assert {one.head.node, one.tail.node} <= {"t", "a"}
        assert 0.4 <= one.score <= 1
    assert find_relations([], []) == ()


def test_a_gene_is_that_of_the_species() -> None:
    names = read_lexicon("biored")
    assert Linker(names, HUMAN).identify("CFTR", "gene")[0].iri == "https://identifiers.org/ncbigene:1080"
    assert Linker(lexicon([]), MOUSE).identify("Cftr", "gene")[0].iri == "https://identifiers.org/ncbigene:12638"
    assert home_of([MOUSE, MOUSE, HUMAN]) == MOUSE
    assert home_of([]) == HUMAN
    assert Linker(names).identify("no such thing at all", "gene") == ()


def test_names_are_found_however_printed() -> None:
    known = lexicon(
        [("il 2 r alpha", "gene", "x:1", 100), ("stem cell", "cell", "x:2", 100), ("ice", "solid", "", 100)]
    )
    row = tokens("IL-2Rα and IL2R alpha in stem cells on ice.")
    assert [" ".join(row.words[one.start : one.end]) for one in known.find(row)] == [
        "IL - 2Rα",
        "IL2R alpha",
        "stem cells",
        "ice",
    ]
    assert key("IL-2Rα") == "il 2 r alpha"
    assert written([("b", "k", "", 1), ("a", "k", "", 2)]) == {"a": "k/2/", "b": "k/1/"}


@pytest.mark.parametrize("name", ["biored.tsv.gz", "names.json"])
def test_lists_that_are_not_whole_are_refused(tmp_path: Path, name: str) -> None:
    for file in ("biored.tsv.gz", "names.json"):
        shutil.copy(NAMES / file, tmp_path)
    (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(SourceError):
        read_lexicon.__wrapped__("biored", tmp_path)


def test_each_list_says_where_it_is_from() -> None:
    for one in json.loads((NAMES / "names.json").read_text())["lists"].values():
        assert one["source"]
        assert one["licence"]
        assert one["version"]
        assert len(one["sha256"]) == 64


def test_kinds_are_classes_of_sio() -> None:
    assert {one.iri.rpartition("/")[0] for one in kinds().values()} == {"http://semanticscience.org/resource"}
    table = Path(__file__).parents[4].parent / "shared/data/ontology_terms/sio.tsv"
    if not table.is_file():
        pytest.skip("the table of SIO's terms is not beside the project")
    known = {line.split("\t")[0] for line in table.read_text().splitlines()}
    assert {one.iri for one in kinds().values()} <= known


def test_a_short_form_does_not_lend_its_usual_meaning() -> None:
    text = (
        "In these patients the correction factor (CF) of serum proteins was high. CF was then used for tumors of mice."
    )
    for entity in find_entities([Passage("n", text)]):
        if "CF" in (entity.name, *entity.aliases):
            assert entity.identifiers == ()
            assert entity.name == "correction factor"


def test_figures_are_no_genes() -> None:
    assert not {"Fig 4", "Fig. 4"} & {
        one.name for one in find_entities([Passage("n", f"{LIFE} See Fig 4 of the mice.")])
    }


def test_what_is_warm_reads_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    warm()
    find_entities([Passage("n", LIFE)])  # the species of genes are counted out once
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail(f"{self} is read"))
    assert find_entities([Passage("n", LIFE)])


@pytest.mark.parametrize("text", ["A-" * 3000, "A" * 9000, "x" * 6000 + " (XX)", "H2" * 3000, "Of University " * 500])
def test_hostile_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    find_entities([Passage("n", text)])
    assert time.process_time() - start < 3
