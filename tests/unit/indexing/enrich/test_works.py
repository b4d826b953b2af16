"""One node for one work, whoever cites it."""

import pytest
from rdflib import Literal, URIRef

from kag.core.types import Document
from kag.core.works import WORKS, doi_iri, is_whole_doi, work_iri, work_key
from kag.indexing.enrich import bibliography
from kag.indexing.enrich.work_iris import describe_authors, link_works
from kag.rdf.namespaces import BIRO, DCTERMS, DEO, DOCO, FABIO, FOAF, KAG, OWL, PRISM, PRO, RDF
from kag.rdf.ntriples import term
from kag.rdf.workspace import Workspace


def make(name, *texts):
    ws = Workspace(Document(name, (), (), (), 1, ""))
    for order, text in enumerate(texts, 1):
        ws.add(ws.node(f"r{order}"), RDF.type, DEO.BibliographicReference)
        ws.put(ws.node(f"r{order}"), KAG.order, order)
        ws.put(ws.node(f"r{order}"), KAG.fullText, text)
    return ws


def work(ws, node="r1"):
    return ws.graph.value(ws.node(node), BIRO.references)


def test_a_doi_is_the_work_whatever_else_is_printed():
    one = work_key(doi="10.1000/Ab", title="One title of a paper", year="1999", first_author="Poe")
    assert one == work_key(doi="10.1000/aB", title="Another title", year="2001", first_author="Roe")
    assert one != work_key(doi="10.1000/ac", title="One title of a paper", year="1999", first_author="Poe")


def test_dois_that_differ_in_marks_only_are_two_works():
    assert work_iri(work_key(doi="10.1000/a-b")) != work_iri(work_key(doi="10.1000/a_b"))


def test_without_a_doi_title_year_and_first_author_are_needed():
    known = {"title": "Ice on the rivers", "year": "1999", "first_author": "Poë"}
    assert work_key(**known) == work_key(title="ICE ON THE RIVERS.", year="1999", first_author="Poe")
    assert all(work_key(**{**known, name: ""}) is None for name in known)
    assert work_key(title="Editorial", year="1999", first_author="Poe") is None


def test_two_styles_of_one_reference_in_two_papers_lead_to_one_work():
    one = make("a", "Poe E, Roe F. Ice on the northern rivers. J Ice Res. 1999;3:1-9.")
    two = make("b", "Poe, E., & Roe, F. (1999). Ice on the northern rivers. Journal of Ice Research, 3(1), 1–9.")
    assert link_works(one) == link_works(two) > 0
    assert work(one) == work(two)
    assert str(work(one)).startswith(WORKS)
    assert one.is_a(work(one), FABIO.JournalArticle)


def test_a_paper_is_the_work_that_others_cite():
    citing = make("a", "Lima A, Berg J. Sensors under river ice. Rivers. 2020;3:1-9.")
    paper = make("b")
    paper.add(paper.paper, DCTERMS.title, Literal("Sensors under River Ice"))
    paper.add(paper.paper, FABIO.hasPublicationYear, Literal("2020"))
    paper.add(paper.node("names"), RDF.type, DOCO.ListOfAuthors)
    paper.put(paper.node("names"), KAG.fullText, r"Ana Lima \( ^{1} \), Jon Berg \( ^{2} \)")
    link_works(citing)
    link_works(paper)
    assert paper.graph.value(paper.paper, KAG.realizes) == work(citing)


def test_a_corrected_reference_leads_to_its_work_only():
    ws = make("a", "Poe E. Ice on rivers. Rivers. 1999;3:1-9. doi:10.1000/new")
    ws.add(ws.node("r1"), BIRO.references, URIRef(work_iri("doi:10.1000/old")))
    link_works(ws)
    assert list(ws.graph.objects(ws.node("r1"), BIRO.references)) == [URIRef(work_iri("doi:10.1000/new"))]
    assert link_works(ws) == 0


@pytest.mark.parametrize(
    ("printed", "iri"),
    [
        ("10.1000/New", "https://doi.org/10.1000/new"),
        ("10.1002/(SICI)1097-0258(1998)17:15<1661::AID-SIM968>3.0.CO;2-2",
         "https://doi.org/10.1002/(sici)1097-0258(1998)17:15%3C1661::aid-sim968%3E3.0.co;2-2"),
        ("10.1000/a#b?c[1]{2}|^`\\\"é%", "https://doi.org/10.1000/a%23b%3Fc%5B1%5D%7B2%7D%7C%5E%60%5C%22%C3%A9%25"),
        ("10.1000/\ud800", "https://doi.org/10.1000/%3F"),
    ],
)  # fmt: skip
def test_a_doi_is_an_iri_whatever_is_in_it(printed, iri):
    assert doi_iri(printed) == iri
    assert term(URIRef(iri)) == f"<{iri}>"


def test_a_work_with_a_doi_leads_out_to_it_and_no_other_does():
    ws = make("a", "Poe E. Ice on rivers. Rivers. 1999;3:1-9. doi:10.1000/New")
    other = make("b", "Poe E. Ice on the northern rivers. J Ice Res. 1999;3:1-9.")
    ws.add(ws.paper, PRISM.doi, Literal("10.1000/own"))
    link_works(ws)
    link_works(other)
    assert set(ws.graph.subject_objects(OWL.sameAs)) == {
        (work(ws), URIRef("https://doi.org/10.1000/new")),
        (ws.graph.value(ws.paper, KAG.realizes), URIRef("https://doi.org/10.1000/own")),
    }
    assert (None, OWL.sameAs, None) not in other.graph


def test_nothing_known_is_no_work():
    ws = make("a", "Poe E. Personal notes.")
    ws.add(ws.paper, PRISM.publicationName, Literal("Rivers"))
    assert link_works(ws) == 0


def test_a_work_is_told_what_its_first_reference_prints():
    ws = make(
        "p", "Poe E. Ice on northern rivers. Rivers. 1999;3:1-9. doi:10.1000/ice", "Poe E. Ice. 2001. doi:10.1000/ice"
    )
    bibliography.apply(ws)
    link_works(ws)
    node = work(ws)
    assert ws.text(node, DCTERMS.title) == "Ice on northern rivers"
    assert ws.text(node, FABIO.hasPublicationYear) == "1999"
    assert ws.text(node, PRISM.doi) == "10.1000/ice"
    assert ws.text(node, KAG.authorList) == "Poe, E"
    assert link_works(ws) == 0


def people(ws, node="r1"):
    """Rank, name and IRI of each author of the work of an entry."""
    roles = ws.sources(PRO.relatesToDocument, work(ws, node))
    holders = [
        (ws.number(role, KAG.rank), person) for role in roles for person in ws.sources(PRO.holdsRoleInTime, role)
    ]
    assert all(ws.is_a(role, PRO.RoleInTime) and ws.links(role, PRO.withRole) == [PRO.author] for role in roles)
    return [(rank, ws.text(person, FOAF.name), person) for rank, person in sorted(holders)]


def test_authors_of_a_cited_work_are_people_in_order():
    ws = make("a", "Poe EA, van der Berg F, Roe F. Ice on the northern rivers. J Ice Res. 1999;3:1-9.")
    link_works(ws)
    assert [(rank, name) for rank, name, _ in people(ws)] == [(1, "EA Poe"), (2, "F van der Berg"), (3, "F Roe")]
    assert all(ws.is_a(person, FOAF.Person) for _, _, person in people(ws))


def test_a_name_is_one_person_within_one_work_and_never_beyond_it():
    first, again = (
        "Poe E, Roe F. Ice on the northern rivers. J. 1999;3:1-9.",
        "Poe E. Ice on the northern rivers. 1999.",
    )
    otherwise = "Poë E. Ice on the northern rivers. 1999."
    other = "Poe E, Roe F. Snow on the northern rivers. J. 2001;3:1-9."
    one, two, three = make("a", first, other, again), make("b", again), make("c", otherwise)
    link_works(one)
    link_works(two)
    link_works(three)
    assert people(two)[0][2] == people(one)[0][2], "one name in two papers"
    assert people(one)[0][1] == "E Poe"
    assert people(three)[0][2] != people(one)[0][2], "a person has one name, as it is printed"
    assert not {person for _, _, person in people(one)} & {person for _, _, person in people(one, "r2")}


def test_a_body_is_an_organization_and_keeps_its_place_in_the_order():
    ws = make("a", "Ice Working Group, Poe E, Roe F. Ice on the northern rivers. J Ice Res. 1999;3:1-9.")
    link_works(ws)
    assert [(rank, name) for rank, name, _ in people(ws)] == [(1, "Ice Working Group"), (2, "E Poe"), (3, "F Roe")]
    kinds = [ws.is_a(author, FOAF.Organization) for _, _, author in people(ws)]
    assert kinds == [True, False, False]
    assert [ws.is_a(author, FOAF.Person) for _, _, author in people(ws)] == [not kind for kind in kinds]


def test_people_of_works_are_not_the_papers():
    ws = make("a", "Poe E. Ice on the northern rivers. J Ice Res. 1999;3:1-9.")
    ws.add(ws.paper, PRISM.doi, Literal("10.1000/own"))
    describe_authors(ws, [("Ada Lovelace", ())], ())
    link_works(ws)
    assert ws.text(ws.graph.value(ws.paper, KAG.realizes), KAG.authorList) == "Lovelace, Ada"
    before = set(ws.graph)
    assert link_works(ws) == 0
    assert set(ws.graph) == before


@pytest.mark.parametrize(
    ("doi", "whole"),
    [
        ("10.1016/j.jriver.2005.01.006", True),
        ("10.1000/xyz", True),
        ("10.1002/(SICI)1097<1661::AID>3.0.CO;2-2", True),
        ("10.1016/j.jriver", False),
        ("10.5555/jx_", False),
        ("10.5555/jx.", False),
        ("10.1002/(SICI)1099-0001(1999", False),
        ("10.5555", False),
        ("10.5555/", False),
    ],
)
def test_a_doi_that_is_not_whole_names_no_work(doi: str, whole: bool) -> None:
    assert is_whole_doi(doi) == whole
    assert (work_key(doi=doi) is not None) == whole
    named = work_key(doi=doi, title="Ice on the rivers", year="1999", first_author="Poe")
    assert (named == work_key(title="Ice on the rivers", year="1999", first_author="Poe")) == (not whole)
