"""What a paper prints about itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kag.core.types import NO_METADATA, Block, Document, Metadata
from kag.indexing.enrich.front_record import from_metadata, front_matter, own_doi, own_year, split_authors
from kag.indexing.enrich.work_iris import describe_authors, family_first, orcids
from kag.rdf.namespaces import DCTERMS, DOCO, FABIO, FOAF, KAG, OWL, PRISM, PRO, RDF
from kag.rdf.workspace import Workspace


@pytest.mark.parametrize(("text", "names"), [
    (r"Florian Uhl \( ^{1} \) , Max Ringler \( ^{2,3} \)  and Ann Lee \( ^{a,*} \) ",
     ("Florian Uhl", "Max Ringler", "Ann Lee")),
    ("Ann Lee¹*, Bo Roe²,³ & Cy Poe", ("Ann Lee", "Bo Roe", "Cy Poe")),
    ("Ann Lee und Bo Roe", ("Ann Lee", "Bo Roe")),
    ("Ann Lee et Bo Roe", ("Ann Lee", "Bo Roe")),
    ("Etta Lee, Ann Etand", ("Etta Lee", "Ann Etand")),
    ("Ann Lee1,2, Bo Roe3", ("Ann Lee", "Bo Roe")),
    ("By Ann Lee PhD, Bo Roe, MD", ("Ann Lee", "Bo Roe")),
    ("Ann Lee, Samuel Roe, Jr.", ("Ann Lee", "Samuel Roe Jr.")),
    ("Ann Lee \\( ^{1} \\) , Bo Roe\n\n \\( ^{1} \\) Department of Biology, Rome", ("Ann Lee", "Bo Roe")),
    ("Ann Lee, on behalf of the Task Force", ("Ann Lee",)),
    ("Department of Biology, 12 High Street", ()),
    ("ann@lee.org", ()),
    ("", ()),
])  # fmt: skip
def test_split_authors(text, names):
    assert split_authors(text) == names


@pytest.mark.parametrize(("text", "year"), [
    ("Received 9 April 2016\nAccepted 31 July 2017\nAvailable online 4 August 2017", "2017"),
    ("Accepted 31 July 2017. Published: January 3, 2018", "2018"),
    ("© 2015 The Authors", "2015"),
    ("Copyright: © 2009 Lee", "2009"),
    ("The act was published in 1998.", ""),
    ("Received 9 April 2016", ""),
    ("", ""),
])  # fmt: skip
def test_own_year(text, year):
    assert own_year(text) == year


@pytest.mark.parametrize(("blocks", "doi"), [
    (["eLife | 10.7554/eLife.00007 1"], "10.7554/eLife.00007"),
    (["doi:10.1/1", "DOI: 10.1000/x.001", "10.1000/x"], "10.1000/x"),
    (["10.1000/x", "10.2000/y"], ""),
    (["words " * 60 + "10.1000/x"], ""),
    ([], ""),
])  # fmt: skip
def test_own_doi(blocks, doi):
    assert own_doi(blocks) == doi


@pytest.mark.parametrize(("blocks", "told", "doi"), [
    (["10.1000/x", "10.2000/y"], "10.2000/y", "10.2000/y"),
    (["10.1000/X"], "10.1000/x", "10.1000/X"),  # as printed
    (["words " * 60 + "10.1000/x"], "10.1000/x", "10.1000/x"),
    (["10.1000/x"], "10.2000/y", "10.1000/x"),  # not printed
    (["words"], "10.2000/y", ""),
])  # fmt: skip
def test_what_a_file_says_helps_to_choose(blocks, told, doi):
    assert own_doi(blocks, told) == doi


def printing(*texts, metadata=NO_METADATA):
    """A paper with these blocks, the first of which is its title, the second its authors."""
    blocks = tuple(Block(f"b_p001_000{n}", 1, n, "text", (), t, t, t) for n, t in enumerate(texts, 1))
    ws = Workspace(Document("paper", blocks, (), (), 1, "", metadata=metadata))
    for name, cls, text in (("t", DOCO.Title, texts[0]), ("a", DOCO.ListOfAuthors, texts[1])):
        ws.add(ws.node(name), RDF.type, cls)
        ws.put(ws.node(name), KAG.fullText, text)
    return ws


def said(ws):
    values = (DCTERMS.title, FABIO.hasPublicationYear, PRISM.doi, PRISM.publicationName)
    return (
        *(ws.text(ws.paper, value) for value in values),
        sorted(map(str, ws.graph.objects(ws.paper, DCTERMS.creator))),
    )


TOLD = Metadata("Ice", ("Ann Lee", "The Ice Group"), "2014", "10.1000/y", "", "Rivers", "en", trusted=True)


def test_a_publisher_is_believed():
    ws = printing("Ice", "Ann Lee", "10.1000/x © 2015 The Authors", metadata=TOLD)
    assert front_matter(ws) == 6
    assert said(ws) == ("Ice", "2014", "10.1000/y", "Rivers", ["Ann Lee", "The Ice Group"])
    assert from_metadata(ws) == ["authors", "doi", "year", "journal"]
    assert front_matter(ws) == 0


def test_what_a_publisher_leaves_out_is_read():
    ws = printing("Ice", "Ann Lee", "10.1000/x © 2015 The Authors", metadata=Metadata(year="forthcoming", trusted=True))
    front_matter(ws)
    assert said(ws) == ("Ice", "2015", "10.1000/x", "", ["Ann Lee"])
    assert from_metadata(ws) == []


def test_a_program_is_not_believed():
    ws = printing("Ice", "Ann Lee", "10.1000/x © 2015 The Authors; 10.1000/y", metadata=replace(TOLD, trusted=False))
    front_matter(ws)
    assert said(ws) == ("Ice", "2015", "10.1000/y", "", ["Ann Lee"])
    assert from_metadata(ws) == []


def test_front_matter():
    ws = printing("A study of  \\( ^{89} \\) Zr", "Ann Lee, Bo Roe", "doi:10.1000/x © 2015 The Authors")
    assert front_matter(ws) == 5
    assert ws.text(ws.paper, DCTERMS.title) == "A study of ⁸⁹Zr"
    assert sorted(map(str, ws.graph.objects(ws.paper, DCTERMS.creator))) == ["Ann Lee", "Bo Roe"]
    assert ws.text(ws.paper, PRISM.doi) == "10.1000/x"
    assert ws.text(ws.paper, FABIO.hasPublicationYear) == "2015"
    assert front_matter(ws) == 0


ADA, BO = "0000-0002-1825-0097", "0000-0001-5109-3700"


def empty() -> Workspace:
    return Workspace(Document("p", (), (), (), 1, ""))


def test_people_keep_their_order_institutions_and_orcids() -> None:
    ws = empty()
    authors = [("Ada Lovelace", ["Ice Lab"]), ("Bo Li", ["Ice Lab", "Snow Hall"]), ("Cy Poe", [])]
    assert describe_authors(ws, authors, [f"Ada Lovelace (ORCID {ADA}), Bo Li"]) > 0
    roles = [ws.node(f"author_{rank}_role") for rank in (1, 2, 3)]
    assert [ws.number(role, KAG.rank) for role in roles] == [1, 2, 3]
    places = [[ws.text(one, FOAF.name) for one in ws.links(role, PRO.relatesToOrganization)] for role in roles]
    assert places == [["Ice Lab"], ["Ice Lab", "Snow Hall"], []]
    assert [ws.links(ws.node(f"author_{rank}"), OWL.sameAs) != [] for rank in (1, 2)] == [True, False]
    assert describe_authors(ws, authors, []) == 0, "what is there is not said again"


def test_nobody_makes_nothing() -> None:
    assert describe_authors(empty(), [], [ADA]) == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"Ada Lovelace https://orcid.org/{ADA}; Bo Li https://orcid.org/{BO}", {"Ada Lovelace": ADA, "Bo Li": BO}),
        (f"ORCID: Lovelace, {ADA}", {"Ada Lovelace": ADA}),
        (f"https://orcid.org/{ADA} Ada Lovelace", {}),  # in front of any name
        ("Ada Lovelace 0000-0002-1825-0098", {}),  # the check digit is wrong
        (f"Adam Lovelaces {ADA}", {}),
        (f"Ada Lovelace {ADA} Bo Li {ADA}", {}),  # one ORCID is not two people's
        (f"Ada Lovelace 1{ADA}", {}),
    ],
)
def test_orcids_belong_to_the_name_before_them(text: str, found: dict[str, str]) -> None:
    assert dict(orcids(["Ada Lovelace", "Bo Li"], [text])) == found


def test_two_of_one_family_need_their_given_names() -> None:
    assert dict(orcids(["Ada Li", "Bo Li"], [f"Li {ADA}"])) == {}
    assert dict(orcids(["Ada Li", "Bo Li"], [f"Ada Li {ADA}"])) == {}, "both end there by their family names"


@pytest.mark.parametrize(
    ("name", "listed"),
    [("Ada Lovelace", "Lovelace, Ada"), ("Jan van der Berg", "van der Berg, Jan"), ("Plato", "Plato"), ("", "")],
)
def test_names_in_lists_begin_with_the_family(name: str, listed: str) -> None:
    assert family_first(name) == listed
