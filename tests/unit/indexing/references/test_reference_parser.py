"""Fields of printed references, style by style."""

import pytest

from kag.indexing.references.parser import Reference, find_dois, parse_reference, parse_references


def test_year_letter():
    found = parse_reference("Economo, M. N., & Svoboda, K. (2018a). Distinct pathways. Nature, 563(7729), 79–84.")
    assert (found.year, found.suffix) == ("2018", "a")


def test_group_author():
    found = parse_reference("World Health Organization. Growing up unequal in cold rivers. 2016.")
    assert [str(name) for name in found.authors] == ["World Health Organization"]
    assert found.title == "Growing up unequal in cold rivers"


def test_species_and_abbreviations_stay_in_the_title():
    found = parse_reference("Ahmed I, Fujiwara T. C. boritolerans sp. nov., a bacterium. Int J Syst. 2007;57:986–992.")
    assert found.title == "C. boritolerans sp. nov., a bacterium"


def test_missing_is_not_guessed():
    found = parse_reference("Lotfi M. A title. Publisher.")
    assert (found.year, found.volume, found.first_page, found.doi) == ("", "", "", "")


def test_access_date_is_no_year():
    assert (
        parse_reference("Smith J (2011) A page. Available: http://a.org/x. Accessed 10 September 2013.").year == "2011"
    )


@pytest.mark.parametrize("text", ["", " ", ".", "()", "12", "et al.", "(2010)", "doi:10.1000/"])
def test_scraps_give_a_reference(text):
    assert isinstance(parse_reference(text), Reference)


@pytest.mark.parametrize(("text", "dois"), [
    ("doi:10.1000/a.b.", ["10.1000/a.b"]),
    ("(https://doi.org/10.1016/S0092-8674(04)00045-5).", ["10.1016/S0092-8674(04)00045-5"]),
    ("10.1002/(SICI)1097-0061(199807)14:10<953::AID-YEA293>3.0.CO;2-U",
     ["10.1002/(SICI)1097-0061(199807)14:10<953::AID-YEA293>3.0.CO;2-U"]),
    ("see 10.1000/x; and 10.1000/y, too", ["10.1000/x", "10.1000/y"]),
    ("1410.1000 and 10.1/x", []),
])  # fmt: skip
def test_dois(text, dois):
    assert find_dois(text) == dois


def test_a_hostile_entry_ends():
    assert parse_reference("et al. " * 20_000).authors == ()
    assert parse_reference("(" * 50_000).title != "x"


INVERTED = [f"{family} A (2001) Snow on lakes. Rivers 3: 4-5." for family in ("Poe", "Roe", "Berg", "Lima", "Kay")]
BODY = "IMS Health (2001) Leading products by sales. Rivers 3: 4-5."


@pytest.mark.parametrize(
    ("others", "author"),
    [
        (INVERTED, "IMS Health"),
        (INVERTED[:4], "Health, IMS"),  # too few to know the order of the list
        ([text.replace(text.split(" (")[0], "A " + text.split()[0]) for text in INVERTED], "Health, IMS"),
    ],
)
def test_a_lone_author_in_the_order_that_its_list_does_not_use_is_an_organisation(others, author):
    assert [str(name) for name in parse_references([*others, BODY])[-1].authors] == [author]
