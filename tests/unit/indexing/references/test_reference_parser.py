"""Fields of printed references, style by style."""

import pytest

from kag.indexing.references.parser import Reference, find_dois, parse_reference, parse_references

STYLES = {
    "vancouver": (
        "Coffelt SB, de Visser KE. Immune mechanisms. Trends Immunol. 2015;36:198–216. doi:10.1016/j.it.2015.02.006",
        ("Immune mechanisms", "2015", "Trends Immunol", "36", "198", "216", "10.1016/j.it.2015.02.006"),
    ),
    "points in the container": (
        "Blaner WS, Obunike JC. Hydrolysis of ester. Possible implications. J. Biol. Chem. 1994;269:16559–16565.",
        ("Hydrolysis of ester. Possible implications", "1994", "J. Biol. Chem.", "269", "16559", "16565", ""),
    ),
    "apa": (
        "Casertano, S. (1983). Rotation curve: disc and halo. Monthly Notices, 203(3), 735–747. "
        "https://doi.org/10.1093/mnras/203.3.735",
        ("Rotation curve: disc and halo", "1983", "Monthly Notices", "203", "735", "747", "10.1093/mnras/203.3.735"),
    ),
    "acs": (
        "P. J. Boul, P. Reutenauer and J.-M. Lehn, Org. Lett., 2005, 7, 15–18.",
        ("", "2005", "Org. Lett.", "7", "15", "18", ""),
    ),
    "plos": (
        "Keeling MJ, Eames KTD (2005) Networks and models. J R Soc Interface 2: 295–307. doi: 10.1098/rsif.2005.0051",
        ("Networks and models", "2005", "J R Soc Interface", "2", "295", "307", "10.1098/rsif.2005.0051"),
    ),
    "ieee": (
        "R. Yu and X. Qi, “Quantized effects in insulators,” Science, vol. 329, no. 5987, pp. 61–64, 2010.",
        ("Quantized effects in insulators", "2010", "Science", "329", "61", "64", ""),
    ),
    "elsevier": (
        "M. Bauer, T. Klein, A study of long things, J. Phys. 12 (2004) 34–56.",
        ("A study of long things", "2004", "J. Phys.", "12", "34", "56", ""),
    ),
    "book part": (
        "D. K. Mandal, in Pericyclic Chemistry, ed. D. K. Mandal, Elsevier, 2018, pp. 107–190.",
        ("", "2018", "Pericyclic Chemistry", "", "107", "190", ""),
    ),
    "question as title": (
        "Kapitein L, Hoogenraad C. Which way to go? Transport in neurons. Mol Cell Neurosci. 2011;46:9–20.",
        ("Which way to go? Transport in neurons", "2011", "Mol Cell Neurosci", "46", "9", "20", ""),
    ),
    "short pages": (
        "Frank L, DeMoss R. On pyocyanine. J Bacteriol. 1959;77:776–82.",
        ("On pyocyanine", "1959", "J Bacteriol", "77", "776", "782", ""),
    ),
    "straight quotation marks": (
        "L. Park, 'Systems for control,' J. Semiconductors, vol. 31, no. 10, pp. 1-5, 2010.",
        ("Systems for control", "2010", "J. Semiconductors", "31", "1", "5", ""),
    ),
    "title that starts with a quotation": (
        "Wood JP, Maly MR. “Holding me back”: living with arthritis. Arch Phys Med. 2009;90:494–500.",
        ("“Holding me back”: living with arthritis", "2009", "Arch Phys Med", "90", "494", "500", ""),
    ),
    "blanks before points": (
        "Randoux, S., Suret, P. & El, G. Waves in turbulence .Phys .Rev .Lett .118 ,233901( 2017 ).",
        ("Waves in turbulence", "2017", "Phys. Rev. Lett.", "118", "233901", "", ""),
    ),
    "title with year range": (
        "Delate T, Simmons VA. Use in insured adults: 1998–2002. Int J Impot Res. 2004;16:313–318.",
        ("Use in insured adults: 1998–2002", "2004", "Int J Impot Res", "16", "313", "318", ""),
    ),
}


@pytest.mark.parametrize("style", sorted(STYLES))
def test_style(style):
    text, expected = STYLES[style]
    r = parse_reference(text)
    assert (r.title, r.year, r.container, r.volume, r.first_page, r.last_page, r.doi) == expected


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
