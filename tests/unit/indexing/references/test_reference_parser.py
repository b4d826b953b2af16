"""Fields of printed references, style by style."""

import pytest

from kag.indexing.references.mending import Run, mend
from kag.indexing.references.parser import KINDS, Reference, kind_of, parse_reference, parse_references


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


@pytest.mark.parametrize(("text", "field", "value"), [
    ("Poe, E., Roe, F. Waves in shallow ice ,Phys .Rev .D61 , 053605( 2000 ).", "volume", "61"),
    ("Poe, E., Roe, F. Waves in shallow ice ,Phys .Rev .D61 , 053605( 2000 ).", "title", "Waves in shallow ice"),
    ("E. Poe, F. Roe, Chaotic ice, J. Cold Phys. 12 (1978), no. 3, 214-216.", "issue", "3"),
    ("E. Poe, F. Roe, Chaotic ice, J. Cold Phys. 12 (1978), no. 3, 214-216.", "first_page", "214"),
    ("Poe, E., Roe, F.: Ice on lakes. J. Cold Sci. 4(2), 33–41 (2012)", "issue", "2"),
    ("E. Poe, On warm ice, arXiv :1408.3203 [hep -th] (2014).", "arxiv", "1408.3203"),
    ("Poe E. A title. J Ice. 2001;3:4-5. PMID: 1234567; PMCID: PMC7654321.", "pmid", "1234567"),
    ("Poe E. A title. J Ice. 2001;3:4-5. PMID: 1234567; PMCID: PMC7654321.", "pmcid", "PMC7654321"),
    ("E. Poe, Theory of ice (Example Press, Oslo, 1995).", "place", "Oslo"),
    ("Poe E. On warm ice. PhD thesis, University of Oslo, 1999.", "kind", "thesis"),
    ("E. Poe, “Ice on lakes,” in Proceedings of the 3rd Workshop on Ice, 2004, pp. 1–4.", "kind", "conference"),
    ("王小明, 李华. 湖泊冰层研究[J]. 冰川学报, 2017, 33(12): 1764-1766.", "title", "湖泊冰层研究"),
    ("王小明, 李华. 湖泊冰层研究[J]. 冰川学报, 2017, 33(12): 1764-1766.", "kind", "article"),
    ("ICE Collaboration, Search for warm ice, J. Cold Phys. 3 (2008) S08004", "first_page", "S08004"),
    ("Poe E. A title. J Ice. 2005;307:1598.", "year", "2005"),
    ("Poe E. A title. J Ice. 2005;3:4. doi: 10.1234/ j.ice.2005. 05.001.", "doi", "10.1234/j.ice.2005.05.001"),
    ("E. Poe, A title, Ice Lett. 49 (1994) 55.doi :10.1234 /IceLett.49.55.", "doi", "10.1234/IceLett.49.55"),
    ("E. Poe, A title, Ice Lett .100 (2008) 2.doi :10.1234/IceLett .100.22.", "doi", "10.1234/IceLett.100.22"),
    ("E. Poe, A title, J. Ice 19 (2012) 227.doi: 10.1234/ice- 19-227-2012.", "doi", "10.1234/ice-19-227-2012"),
    ("E. Poe, A title, J. Ice 9 (2006) 1, doi :10.1234/Ice.96.18,hep -th/0603001.", "doi", "10.1234/Ice.96.18"),
    ("Poe E. A title. J Ice. 2005;3:4. doi: 10.1234/ice. 2006 reprint.", "doi", "10.1234/ice"),
    ("Poe E. Losses of sensors under ice: 1991 to 2010. 2010.", "year", "2010"),
    ("Poe E. Losses of sensors under ice: 1991 to 2010. 2010.", "title", "Losses of sensors under ice: 1991 to 2010"),
    ("Poe E. Losses of sensors under ice: 1991 to 2010. 2010.", "arxiv", ""),
    ("Poe E. Ice in the winters of 2008–9 and 2009–10. J Ice. 2012;51:100–114.", "volume", "51"),
    ("Poe E. Are rivers under ice yet?. Glaciol. Lett. 2008;25:408–412.", "title", "Are rivers under ice yet?"),
    ("Poe E. Frozen lakes of the north. preprints. 2016.", "title", "Frozen lakes of the north"),
    ("Lars Poe, 'Frozen rivers of lakes', Example University Press, Vol. 9 No. 5, October 2001.", "title",
     "Frozen rivers of lakes"),
    ("Poe, E., Roe, F. Maps of cold lakes 1993 Journal of Ice 6 441-445", "title", "Maps of cold lakes"),
    ("R. Poe. Bounds on river anomalies. SIAM Journal of Ice, 17 (1969) 416-429.", "container", "SIAM Journal of Ice"),
])  # fmt: skip
def test_field(text, field, value):
    assert getattr(parse_reference(text), field) == value


def test_a_body_may_end_with_a_comma_before_its_title():
    found = parse_reference("Joint Committee of River Boards, Guideline for sensors in cold water, Oslo 2004.")
    assert [name.family for name in found.authors] == ["Joint Committee of River Boards"]
    assert found.title.startswith("Guideline for sensors")


def test_a_title_with_a_body_in_it_is_no_author():
    assert not parse_reference("The work of the river committee, Ice on lakes and rivers. 2004.").authors


def test_a_collaboration_stands_before_its_members():
    found = parse_reference("ICE Collaboration, E. Poe et al., Search for warm ice, J. Cold Phys. 3 (2008) 4.")
    assert [name.family for name in found.authors] == ["ICE Collaboration", "Poe"]
    assert found.more_authors


def test_confidence_names_what_was_found_and_quotes_are_surer_than_leftovers():
    quoted = dict(parse_reference("E. Poe, “Ice on lakes,” J. Ice, vol. 3, pp. 1–4, 2004.").confidence)
    left = dict(parse_reference("Poe E, Roe F. Ice on lakes and rivers").confidence)
    assert {"authors", "title", "year", "container", "volume", "pages", "kind"} <= set(quoted)
    assert "doi" not in quoted
    assert left["title"] < quoted["title"] <= 1


@pytest.mark.parametrize("piece", ["(", "a. ", "1-", "A. ", "12 (3), ", '"', "Springer, ", "Ph.D. ", "arXiv:", ". -"])
def test_hostile_entries_end(piece):
    assert parse_reference(piece * 5_000).doi == ""


@pytest.mark.parametrize(("text", "torn", "whole"), [
    ("Ice on lakes 130 035002", [("title", "Ice on lakes"), ("pages", "130 035002")],
     [("title", "Ice on lakes"), ("volume", "130"), ("pages", "035002")]),
    ("Ice 3, 130 035002", [("volume", "3"), ("pages", "130 035002")], [("volume", "3"), ("pages", "130 035002")]),
    ("Proc Ice Acad USA. 3", [("journal", "Proc Ice Acad"), ("place", "USA"), ("volume", "3")],
     [("journal", "Proc Ice Acad USA"), ("volume", "3")]),
    ("Ice Lett, Oslo. 3", [("journal", "Ice Lett"), ("place", "Oslo")], [("journal", "Ice Lett"), ("place", "Oslo")]),
    ("", [], []),
])  # fmt: skip
def test_rules(text, torn, whole):
    runs, at = [], 0
    for label, words in torn:
        at = text.index(words, at)
        runs.append(Run(label, at, at + len(words), 0.9))
        at += len(words)
    assert [(run.label, text[run.start : run.end]) for run in mend(text, runs)] == whole


@pytest.mark.parametrize(("text", "fields", "given", "kind"), [
    ("Ice.", {}, {}, "other"),
    # a mark of Chinese lists says it
    ("PhD thesis", {}, {"mark": "J"}, "article"),
    ("Ice.", {"volume": "3", "container": "J Ice"}, {"mark": "M"}, "book"),
    ("Ice.", {}, {"mark": "Z"}, "other"),
    # a volume of a series goes before words
    ("PhD thesis", {"volume": "3", "container": "J Ice"}, {}, "article"),
    ("Ice.", {"volume": "3", "container": "J Ice", "publisher": "Press"}, {}, "article"),
    ("Ice.", {"volume": "3", "container": "Notes", "publisher": "Press"}, {"in_book": True}, "chapter"),
    ("Ice.", {"volume": "3", "container": "Notes", "editors": ("Poe",)}, {"in_book": True}, "chapter"),
    ("Ice.", {"volume": "3", "container": "J Ice"}, {"in_book": True}, "article"),
    ("Ice.", {"volume": "3", "container": "Conference on Ice"}, {}, "conference"),
    # words
    ("PhD thesis, Oslo.", {"publisher": "University"}, {}, "thesis"),
    ("US Patent 12.", {}, {}, "patent"),
    ("Technical report 3.", {"publisher": "Press"}, {}, "report"),
    ("Data from Dryad.", {"url": "https://example.org"}, {}, "dataset"),
    ("R package.", {"url": "https://example.org"}, {}, "software"),
    ("PhD thesis.", {"container": "Conference on Ice"}, {}, "thesis"),
    # the container
    ("Ice.", {"container": "Conference on Ice"}, {}, "conference"),
    ("Ice.", {"container": "Proceedings of Ice"}, {}, "conference"),
    ("Ice.", {"container": "Proceedings of Ice", "volume": "3"}, {}, "article"),
    ("Ice.", {"container": "Conference on Ice"}, {"in_book": True}, "conference"),
    ("Ice.", {"container": "Lakes"}, {"in_book": True}, "chapter"),
    ("Ice.", {"container": "bioRxiv"}, {}, "preprint"),
    ("Ice.", {"arxiv": "1408.3203"}, {}, "preprint"),
    ("Ice.", {"arxiv": "1408.3203", "container": "J Ice", "first_page": "3"}, {}, "article"),
    # the fields
    ("Ice.", {"publisher": "Press"}, {}, "book"),
    ("Ice.", {"publisher": "Press", "container": "Lakes", "first_page": "3"}, {}, "chapter"),
    ("Ice.", {"publisher": "Press", "container": "Lakes"}, {}, "book"),
    ("Ice.", {"publisher": "Press", "first_page": "3"}, {}, "book"),
    ("Ice.", {"container": "J Ice", "first_page": "3"}, {}, "article"),
    ("Ice.", {"container": "J Ice", "doi": "10.1234/ice"}, {}, "article"),
    ("Ice.", {"container": "J Ice", "pmid": "123"}, {}, "article"),
    ("Ice.", {"container": "J Ice"}, {}, "other"),
    ("Ice.", {"first_page": "3"}, {}, "other"),
    ("Ice.", {"url": "https://example.org"}, {}, "webpage"),
    ("Ice.", {"url": "https://example.org", "doi": "10.1234/ice"}, {}, "other"),
    ("Ice.", {"doi": "10.1234/ice"}, {}, "other"),
])  # fmt: skip
def test_kinds(text, fields, given, kind):
    assert kind in KINDS
    assert kind_of(text, Reference(**fields), **given) == kind
