"""Entries of many styles, each with all that is read from it: no field is missing, none is invented."""

from dataclasses import asdict

import pytest

from kag.indexing.references.parser import parse_reference


def read(text):
    """The fields that were found; people as one text."""
    found = {name: value for name, value in asdict(parse_reference(text)).items() if name != "confidence"}
    for role in ("authors", "editors"):
        found[role] = "; ".join(f"{one['family']}, {one['given']}" for one in found[role])
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "E. Poe, F. Roe, “Ice on lakes,” J. Cold Sci., vol. 3, no. 2, pp. 61–64, Mar. 2004.",
            {
                "authors": "Poe, E.; Roe, F.",
                "title": "Ice on lakes",
                "year": "2004",
                "container": "J. Cold Sci.",
                "volume": "3",
                "first_page": "61",
                "last_page": "64",
                "issue": "2",
                "kind": "article",
            },
        ),
        (
            "Poe, E., & Roe, F. (2012). Ice on lakes: A review. Journal of Cold Science, 4(2), 33–41. https://doi.org/10.1234/ice.2012.5",
            {
                "authors": "Poe, E.; Roe, F.",
                "title": "Ice on lakes: A review",
                "year": "2012",
                "doi": "10.1234/ice.2012.5",
                "container": "Journal of Cold Science",
                "volume": "4",
                "first_page": "33",
                "last_page": "41",
                "issue": "2",
                "kind": "article",
            },
        ),
        (
            "Poe E, Roe F, Doe G, et al. Sensors under ice in cold rivers. Nat Rivers. 2001 Mar;3(12):e1000123.",
            {
                "authors": "Poe, E; Roe, F; Doe, G",
                "more_authors": True,
                "title": "Sensors under ice in cold rivers",
                "year": "2001",
                "container": "Nat Rivers",
                "volume": "3",
                "first_page": "e1000123",
                "issue": "12",
                "kind": "article",
            },
        ),
        (
            "Poe, E. (1999). Ice and rivers (2nd ed.). Oslo: Example University Press.",
            {
                "authors": "Poe, E.",
                "title": "Ice and rivers",
                "year": "1999",
                "publisher": "Example University Press",
                "place": "Oslo",
                "edition": "2nd",
                "kind": "book",
            },
        ),
        (
            "Poe, E. 1999. On cold lakes. In: Roe, F. and Doe, G. (eds) Lakes. Example Press, Oslo, pp. 12–34.",
            {
                "authors": "Poe, E.",
                "title": "On cold lakes",
                "year": "1999",
                "container": "Lakes",
                "first_page": "12",
                "last_page": "34",
                "editors": "Roe, F.; Doe, G.",
                "publisher": "Example Press",
                "place": "Oslo",
                "kind": "chapter",
            },
        ),
        (
            "E. Poe, F. Roe and G. Doe, Phys. Rev. B, 1998, 61, 053605.",
            {
                "authors": "Poe, E.; Roe, F.; Doe, G.",
                "year": "1998",
                "container": "Phys. Rev. B",
                "volume": "61",
                "first_page": "053605",
                "kind": "article",
            },
        ),
        (
            "[12] E. Poe, F. Roe, Chaotic ice, arXiv:1408.3203 [cond-mat] (2014).",
            {
                "authors": "Poe, E.; Roe, F.",
                "title": "Chaotic ice",
                "year": "2014",
                "arxiv": "1408.3203",
                "kind": "preprint",
            },
        ),
        (
            "Poe, E., Roe, F.: Warm ice on lakes. Lect. Notes Ice 1234, 55–66 (2015)",
            {
                "authors": "Poe, E.; Roe, F.",
                "title": "Warm ice on lakes",
                "year": "2015",
                "container": "Lect. Notes Ice",
                "volume": "1234",
                "first_page": "55",
                "last_page": "66",
                "kind": "article",
            },
        ),
        (
            "Poe E. 2008. Warm ice on lakes. J. Ice 25:408–412.",
            {
                "authors": "Poe, E",
                "title": "Warm ice on lakes",
                "year": "2008",
                "container": "J. Ice",
                "volume": "25",
                "first_page": "408",
                "last_page": "412",
                "kind": "article",
            },
        ),
        (
            "Poe, E. (2003). Warm ice on lakes. PhD thesis, University of Oslo.",
            {
                "authors": "Poe, E.",
                "title": "Warm ice on lakes",
                "year": "2003",
                "publisher": "University of Oslo",
                "kind": "thesis",
            },
        ),
        (
            "Poe E (2011) Warm ice on lakes. PLoS ONE 6(3): e17243. doi:10.1371/journal.pone.0017243 PMID: 21390000",
            {
                "authors": "Poe, E",
                "title": "Warm ice on lakes",
                "year": "2011",
                "doi": "10.1371/journal.pone.0017243",
                "container": "PLoS ONE",
                "volume": "6",
                "first_page": "e17243",
                "issue": "3",
                "pmid": "21390000",
                "kind": "article",
            },
        ),
        (
            "Poe, E. “Warm Ice.” Journal of Ice 25, no. 4 (2008): 408–12.",
            {
                "authors": "Poe, E.",
                "title": "Warm Ice",
                "year": "2008",
                "container": "Journal of Ice",
                "volume": "25",
                "first_page": "408",
                "last_page": "412",
                "issue": "4",
                "kind": "article",
            },
        ),
        (
            "Poe, E., and F. Roe, 2001: Warm ice on lakes. J. Climate, 14, 1234–1250.",
            {
                "authors": "Poe, E.; Roe, F.",
                "title": "Warm ice on lakes",
                "year": "2001",
                "container": "J. Climate",
                "volume": "14",
                "first_page": "1234",
                "last_page": "1250",
                "kind": "article",
            },
        ),
        (
            "R. Poe, SIAM J. Ice 17 (1969) 416.",
            {
                "authors": "Poe, R.",
                "year": "1969",
                "container": "SIAM J. Ice",
                "volume": "17",
                "first_page": "416",
                "kind": "article",
            },
        ),
        (
            "Poe, E. Warm ice on lakes. Nature 456, 53–59 (2008).",
            {
                "authors": "Poe, E.",
                "title": "Warm ice on lakes",
                "year": "2008",
                "container": "Nature",
                "volume": "456",
                "first_page": "53",
                "last_page": "59",
                "kind": "article",
            },
        ),
        (
            "Poe, E. (2010a). Warm ice. J. Ice, 3, 4–5.",
            {
                "authors": "Poe, E.",
                "title": "Warm ice",
                "year": "2010",
                "suffix": "a",
                "container": "J. Ice",
                "volume": "3",
                "first_page": "4",
                "last_page": "5",
                "kind": "article",
            },
        ),
        (
            "Smith et al., Warm ice on lakes. J. Ice 3, 4 (2001).",
            {
                "authors": "Smith, ",
                "more_authors": True,
                "title": "Warm ice on lakes",
                "year": "2001",
                "container": "J. Ice",
                "volume": "3",
                "first_page": "4",
                "kind": "article",
            },
        ),
        (
            "Poe, E., et al. (2019) 'Warm ice on lakes', Journal of Ice, 12(3), pp. 101-110.",
            {
                "authors": "Poe, E.",
                "more_authors": True,
                "title": "Warm ice on lakes",
                "year": "2019",
                "container": "Journal of Ice",
                "volume": "12",
                "first_page": "101",
                "last_page": "110",
                "issue": "3",
                "kind": "article",
            },
        ),
        (
            "Ana Poe, Jon Roe, and Mia Doe. 2017. Attention to ice. In Advances in Ice, pages 5998–6008.",
            {
                "authors": "Poe, Ana; Roe, Jon; Doe, Mia",
                "title": "Attention to ice",
                "year": "2017",
                "container": "Advances in Ice",
                "first_page": "5998",
                "last_page": "6008",
                "kind": "chapter",
            },
        ),
        (
            "Poe, E. Warm ice on lakes. Ph.D. thesis, Univ. of Oslo (1997).",
            {
                "authors": "Poe, E.",
                "title": "Warm ice on lakes",
                "year": "1997",
                "publisher": "Univ. of Oslo",
                "kind": "thesis",
            },
        ),
        (
            "Poe E. Warm ice: what is it? J Ice 2010; 4: 11–12.",
            {
                "authors": "Poe, E",
                "title": "Warm ice: what is it?",
                "year": "2010",
                "container": "J Ice",
                "volume": "4",
                "first_page": "11",
                "last_page": "12",
                "kind": "article",
            },
        ),
        (
            "Poe E, Roe F (2005) Ice of the north, 2nd edn. Example Press, Oslo",
            {
                "authors": "Poe, E; Roe, F",
                "title": "Ice of the north",
                "year": "2005",
                "publisher": "Example Press",
                "place": "Oslo",
                "edition": "2nd",
                "kind": "book",
            },
        ),
        (
            "E. Poe, The theory of ice, 2nd ed. (Example University Press, Cambridge, 1995), p. 12.",
            {
                "authors": "Poe, E.",
                "title": "The theory of ice",
                "year": "1995",
                "first_page": "12",
                "publisher": "Example University Press",
                "place": "Cambridge",
                "edition": "2nd",
                "kind": "book",
            },
        ),
        (
            "Poe E. Warm ice. Ice Rep. 2012 Dec 15;9(4):100-10. doi: 10.1234/ir.2012.9. Epub 2012 Nov 2.",
            {
                "authors": "Poe, E",
                "title": "Warm ice",
                "year": "2012",
                "doi": "10.1234/ir.2012.9",
                "container": "Ice Rep",
                "volume": "9",
                "first_page": "100",
                "last_page": "110",
                "issue": "4",
                "kind": "article",
            },
        ),
        (
            "Poe, E. (n.d.). Ice data. Retrieved May 3, 2020, from https://example.org/data",
            {"authors": "Poe, E.", "title": "Ice data", "url": "https://example.org/data", "kind": "webpage"},
        ),
        (
            "Poe E., Roe F. (in press) Warm ice. J. Ice.",
            {"authors": "Poe, E.; Roe, F.", "title": "Warm ice", "container": "J. Ice.", "kind": "other"},
        ),
        (
            "ICE Consortium, Poe E, Roe F. Ice for all. Nature. 2012;489:57–74.",
            {
                "authors": "ICE Consortium, ; Poe, E; Roe, F",
                "title": "Ice for all",
                "year": "2012",
                "container": "Nature",
                "volume": "489",
                "first_page": "57",
                "last_page": "74",
                "kind": "article",
            },
        ),
    ],
)
def test_all_fields(text, fields):
    assert read(text) == fields


def test_names_that_no_label_finds_are_read_by_their_style() -> None:
    found = parse_reference("Birch B. Mowing and bees. Meadows. 2005;5:10-19.")
    assert [str(name) for name in found.authors] == ["Birch, B"]
    assert found.title == "Mowing and bees"
