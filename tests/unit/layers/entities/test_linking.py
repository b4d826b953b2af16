"""Names brought to identifiers: forms in which names meet, parts of names, the species of a paper."""

from __future__ import annotations

import pytest

from kag.layers.entities import find_entities
from kag.layers.entities.identifiers import compact, loose
from kag.layers.entities.lexicon import key, lexicon
from kag.layers.entities.linking import HUMAN, MOUSE, RAT, Linker, home_of, listed, of_home, written_out
from kag.layers.values import Passage

MESH = "http://id.nlm.nih.gov/mesh/"
GENE = "https://identifiers.org/ncbigene:"
YEAST, FLY, HAMSTER = "NCBITaxon:4932", "NCBITaxon:7227", "NCBITaxon:10036"
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
    assert rat.identify("EPO", "gene")[0].iri == GENE + "24335"
    assert Linker(taught, HAMSTER).identify("EPO", "gene") == ()
    assert Linker(taught, HUMAN).identify("BDNF", "gene")[0].iri == GENE + "627"
    assert listed("epo", HAMSTER) == []
    assert of_home(["ncbigene:24225"], HUMAN) == ["ncbigene:627"]  # the rat's gene is this one in people
    assert of_home(["ncbigene:29394"], HAMSTER) == []


def test_a_paper_is_about_the_animal_not_its_yeast_or_virus() -> None:
    assert home_of([YEAST, YEAST, MOUSE]) == MOUSE
    assert home_of([YEAST]) == YEAST
    assert home_of(["NCBITaxon:10088", "NCBITaxon:10088", HUMAN]) == MOUSE
    assert home_of(["NCBITaxon:7215", "NCBITaxon:7215", HUMAN]) == FLY  # the genus of flies


@pytest.mark.parametrize(
    ("taxon", "name", "number"),
    [
        ("10116", "TNF-α", "24835"),  # by the name of the human gene
        ("7955", "sonic hedgehog", "30269"),
        ("7227", "hh", "42737"),  # by its own
        ("6239", "daf-2", "175410"),
        ("4932", "CDC28", "852457"),
    ],
)
def test_a_gene_of_other_species_is_known_by_its_own_and_by_the_human_name(taxon: str, name: str, number: str) -> None:
    [found] = Linker(lexicon([]), f"NCBITaxon:{taxon}").identify(name, "gene")[:1]
    assert found.iri == GENE + number


@pytest.mark.parametrize(
    ("name", "kind", "curie"),
    [
        ("toll-like receptor (TLR) 4", "gene", "7099"),
        ("neuregulin-1 beta", "gene", "3084"),
        ("alpha-ENaC", "gene", "6337"),
        ("claudin", "gene", "9076"),
        ("cardiac dysfunction", "disease", "D006331"),
        ("HIV-infected", "disease", "D015658"),
    ],
)
def test_names_that_are_in_no_list_lead_to_what_is_near(name: str, kind: str, curie: str) -> None:
    found = UNTAUGHT.identify(name, kind)[0]
    assert (found.iri, found.match) == ((GENE if kind == "gene" else MESH) + curie, "close")


@pytest.mark.parametrize("name", ["strange syndrome", "some unheard disease", "unnamed drug", "odd injury"])
def test_the_last_word_of_a_name_leads_to_no_wide_heading(name: str) -> None:
    assert UNTAUGHT.identify(name, "disease") == UNTAUGHT.identify(name, "chemical") == ()


def test_short_forms_within_a_name_are_written_out() -> None:
    means = {"TNBC": "triple-negative breast cancer", "GC": "glucocorticoid"}
    assert written_out("metastatic TNBC", means) == "metastatic triple-negative breast cancer"
    assert written_out("GCs", means) == "glucocorticoid"
    assert written_out("cancer", means) == "cancer"
    passages = [Passage("p", "Immune thrombocytopenic purpura (ITP) is rare. Patients with chronic ITP bleed.")]
    known = {match.iri for one in find_entities(passages) if "ITP" in one.aliases for match in one.identifiers}
    assert known == {MESH + "D016553"}
