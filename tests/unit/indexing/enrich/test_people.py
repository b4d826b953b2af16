"""Authors as people, in their order, with institutions and ORCIDs."""

from __future__ import annotations

import pytest

from kag.core.types import Document
from kag.indexing.enrich.work_iris import describe_authors, family_first, orcids
from kag.rdf.namespaces import FOAF, KAG, OWL, PRO
from kag.rdf.workspace import Workspace

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
