"""Fields beyond the common journal article, and print that scans have damaged."""

import pytest

from kag.indexing.references.parser import parse_reference


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
