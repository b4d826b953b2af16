"""Fields of printed references, style by style."""

import pytest

from kag.indexing.references.parser import Reference, parse_reference, parse_references


def test_access_date_is_no_year():
    assert (
        parse_reference("Smith J (2011) A page. Available: http://a.org/x. Accessed 10 September 2013.").year == "2011"
    )


@pytest.mark.parametrize("text", ["", " ", ".", "()", "12", "et al.", "(2010)", "doi:10.1000/"])
def test_scraps_give_a_reference(text):
    assert isinstance(parse_reference(text), Reference)


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
