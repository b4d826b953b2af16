"""Names brought to identifiers: forms in which names meet, parts of names, the species of a paper."""

from __future__ import annotations

import pytest

from kag.layers.entities.forms import compact, loose
from kag.layers.entities.genes import RAT, listed, of_home
from kag.layers.entities.lexicon import lexicon
from kag.layers.entities.linking import HUMAN, MOUSE, Linker, home_of
from kag.layers.entities.tokens import key

MESH = "http://id.nlm.nih.gov/mesh/"
GENE = "https://identifiers.org/ncbigene:"
YEAST = "NCBITaxon:4932"
UNTAUGHT = Linker(lexicon([]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cancer of the kidneys", "Renal Neoplasms"),
        ("anaemias", "anemia"),
        ("leukaemic", "leukemia"),
        ("thrombotic", "thrombosis"),
        ("epileptic", "epilepsy"),
        ("type II diabetes", "diabetes type 2"),
        ("Crohn's disease", "Crohn disease"),
        ("liver metastases", "metastasis liver"),
    ],
)
def test_ways_of_saying_one_disease_meet(one: str, other: str) -> None:
    assert loose(key(one)) == loose(key(other))


@pytest.mark.parametrize(("one", "other"), [("ischemia", "ischium"), ("mucositis", "mucosa"), ("stress", "stres")])
def test_other_words_stay_apart(one: str, other: str) -> None:
    assert loose(key(one)) != loose(key(other))


def test_places_in_names_of_chemicals_keep_their_order() -> None:
    one, other = (loose(key(name), "chemical") for name in ("1,2-dichloro-3-butene", "1,3-dichloro-2-butene"))
    assert one != other


def test_greek_letters_of_genes_meet_their_first_letters() -> None:
    assert compact(key("TGF-β1")) == compact(key("TGF-beta 1")) == compact(key("TGFB1")) == "tgfb1"


@pytest.mark.parametrize(
    ("name", "kind", "number", "match"),
    [
        ("non-small-cell lung cancer", "disease", "D002289", "exact"),
        ("cancer of the colon", "disease", "D003110", "exact"),
        ("opioid-induced hyperalgesia", "disease", "D006930", "close"),
        ("quetiapine", "chemical", "D000069348", "exact"),
    ],
)
def test_names_meet_headings(name: str, kind: str, number: str, match: str) -> None:
    [found] = UNTAUGHT.identify(name, kind)
    assert (found.iri, found.match) == (MESH + number, match)


def test_a_name_of_nothing_has_no_identifier() -> None:
    for kind in ("disease", "chemical", "gene", "species", "term"):
        for name in ("", "of the", "-", "Zwiebelkuchen", "no such thing at all", "β", "细胞", "a" * 5000):
            assert UNTAUGHT.identify(name, kind) == ()


def test_a_gene_is_the_orthologue_of_the_papers_species() -> None:
    assert Linker(lexicon([]), HUMAN).identify("TGF-β1", "gene")[0].iri == GENE + "7040"
    assert Linker(lexicon([]), MOUSE).identify("TGF-β1", "gene")[0].iri == GENE + "21803"
    taught = lexicon([("epo", "gene", "ncbigene:13856", 100)])  # that of mice
    assert Linker(taught, HUMAN).identify("EPO", "gene")[0].iri == GENE + "2056"


def test_no_gene_of_one_species_is_given_for_another() -> None:
    taught = lexicon([("bdnf", "gene", "ncbigene:24225", 100), ("epo", "gene", "ncbigene:2056", 100)])
    rat = Linker(taught, RAT)
    assert rat.identify("BDNF", "gene")[0].iri == GENE + "24225"
    assert rat.identify("EPO", "gene") == ()
    assert Linker(taught, HUMAN).identify("BDNF", "gene")[0].iri == GENE + "627"
    assert listed("epo", RAT) == []
    assert of_home(["ncbigene:24225"], HUMAN) == []


def test_a_paper_is_about_the_animal_not_its_yeast_or_virus() -> None:
    assert home_of([YEAST, YEAST, MOUSE]) == MOUSE
    assert home_of([YEAST]) == YEAST
    assert home_of(["NCBITaxon:10088", "NCBITaxon:10088", HUMAN]) == MOUSE
