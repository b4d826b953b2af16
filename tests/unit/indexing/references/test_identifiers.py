"""Identifiers and addresses, cut out of an entry."""

import pytest

from kag.indexing.references.identifiers import cut_identifiers, find_dois
from kag.indexing.references.parser import tidy, without_marks


@pytest.mark.parametrize(("text", "name", "value", "rest"), [
    ("Ice. doi: 10.1234/ice.5", "doi", "10.1234/ice.5", "Ice."),
    ("Ice. https://doi.org/10.1234/ice.5. More", "doi", "10.1234/ice.5", "Ice. More"),
    ("Ice. doi:10 .1234 /ice5", "doi", "10.1234/ice5", "Ice."),
    ("Ice of 10 .1234 /ice5 here", "doi", "10.1234/ice5", "Ice of here"),
    ("Ice. doi:10.1234/j.ice- 19-227", "doi", "10.1234/j.ice-19-227", "Ice."),
    ("Ice. doi:10.1234/ice_ 77(19)178.", "doi", "10.1234/ice_77(19)178", "Ice."),
    ("Ice. doi:10.1234/s47374-073 -34462-5", "doi", "10.1234/s47374-073-34462-5", "Ice."),
    ("Ice. doi:10.1234/jx. 2.2021.46850", "doi", "10.1234/jx.2.2021.46850", "Ice."),
    ("Ice. doi:10.1234/jx. 2021", "doi", "10.1234/jx", None),
    ("Ice (2007), https://example.org/a, accessed 9 March 2008", "url", "https://example.org/a", "Ice (2007),"),
    ("Ice. arXiv:1408.3203v2 [hep-th]. More", "arxiv", "1408.3203", "Ice. . More"),
    ("Ice. hep-th/0603001", "arxiv", "hep-th/0603001", "Ice. "),
    ("Ice. arXiv:1408.3203, hep-th/0603001", "arxiv", "1408.3203", None),
    ("Ice. PMID: 1234567", "pmid", "1234567", None),
    ("Ice 12: 3-4. PubMed: 12345678.", "pmid", "12345678", "Ice 12: 3-4. ."),
    ("Ice. PMCID: PMC1234567", "pmcid", "PMC1234567", None),
    ("Ice. https://example.org/a, more", "url", "https://example.org/a", None),
    ("Ice. www.example.org/a.", "url", "www.example.org/a", None),
    ("Ice without any.", "doi", "", "Ice without any."),
])  # fmt: skip
def test_cut(text, name, value, rest):
    found = cut_identifiers(text)
    assert getattr(found, name) == value
    if rest is not None:
        assert " ".join(found.rest.split()) == " ".join(rest.split())


@pytest.mark.parametrize(("text", "dois"), [
    ("(see 10.1000/ab(1)2).", ["10.1000/ab(1)2"]),
    ("10.1000/ab), 10.1000/[cd]]", ["10.1000/ab", "10.1000/[cd]"]),
    ("10.1000/ab.;", ["10.1000/ab"]),
    ("10.1000/ab,url http", ["10.1000/ab"]),
    ("10.1000/ab(2004).", ["10.1000/ab"]),
    ("10.100/ab", []),
])  # fmt: skip
def test_where_a_doi_ends(text, dois):
    assert find_dois(text) == dois


@pytest.mark.parametrize(("text", "tidied"), [
    ("[3] Lee, S. Ice", "Lee, S. Ice"),
    ("Ice ,snow", "Ice, snow"),
    ("Ice .Snow", "Ice. Snow"),
    ("2 .76 m", "2.76 m"),
    ("of ( 2000 )", "of (2000)"),
    ("Ice , snow ( 2 )", "Ice, snow (2)"),
    ("Mu˜noz E", "Munoz E"),
    ("– – , Ice", "Ice"),
    ("Poe*, E", "Poe, E"),
    ("Ice,snow.Fog", "Ice, snow. Fog"),
])  # fmt: skip
def test_blanks_that_scans_lose_and_invent(text, tidied):
    assert tidy(text) == tidied


def test_marks_of_kind():
    assert without_marks("Ice") == ("Ice", "")
    assert without_marks("Ice[M] Oslo") == ("Ice. Oslo", "M")


@pytest.mark.parametrize(("text", "rest"), [
    ("A. doi:10 .1145 /1 .2 B. 10 .1146 /2.", "A. B. 10 .1146 /2."),  # the first one is made whole
    ("10.1234/x 10.1235/y", "10.1235/y"),
    ("10.1234/a)b) c", ") c"),
    ("see http://a.b/c). Available at: www.x.org/y z", "see z"),
    ("Ice. Available from lakes", "Ice."),
    ("Ice (Available from", "Ice"),
    ("Ice.Available now", "Ice.Available now"),
    ("PMID 1234", "PMID 1234"),  # too short for one
    ("Ice [CrossRef] [PubMed] b", "Ice b"),
    ("1408.3203 [x]", "1408.3203 [x]"),
    ("Ice 2009. 2010", "Ice 2009. 2010"),
    ("A" * 70 + " doi:10.1234/a", "A" * 70),
])  # fmt: skip
def test_what_is_left_of_a_text(text, rest):
    assert " ".join(cut_identifiers(text).rest.split()) == rest


def test_the_first_of_several_counts():
    found = cut_identifiers("10.1234/x 10.1235/y PMID 12345 and PMID: 67890 http://a.b/c). www.x.org/y")
    assert (found.doi, found.pmid, found.pmcid, found.url) == ("10.1234/x", "12345", "", "http://a.b/c")
