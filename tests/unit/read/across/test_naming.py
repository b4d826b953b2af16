"""Which paper a question names."""

from __future__ import annotations

import pytest

from kag.read.across.naming import find, named
from kag.read.across.shelf import Shelf, Volume
from kag.search.index import Index
from tests.growth import linear

ICE = Volume("ice_2019", "Sensors under the thick ice of rivers", "2019", "lima")
FOG = Volume("fog", "Fog over harbours: what sailors see", "2020", "lima")
SNOW = Volume("snow", "Snow on the roofs", "2020", "ostmark")
TWINS = (Volume("a1", "Wind at the mouths of the great caves"), Volume("a2", "Wind at the mouths of the great caves"))
ALL = (ICE, FOG, SNOW, *TWINS)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many figures does ice_2019 have?", ("ice_2019", "How many figures does this paper have?")),
        ("How many figures does the paper ICE_2019 have?", ("ice_2019", "How many figures does this paper have?")),
        ("Is there fog at sea?", None),
        ("What is in the paper “fog”?", ("fog", "What is in this paper?")),
        ("In Sensors under the thick ice of rivers, what fails?", ("ice_2019", "In this paper, what fails?")),
        ('In the article titled "Snow on the roofs", who fell?', ("snow", "In this paper, who fell?")),
        ("Does snow on the roofs melt?", None),
        ("What does “Fog over harbours” say?", ("fog", "What does this paper say?")),
        ("What do Östmark et al. (2020) say?", ("snow", "What do this paper say?")),
        ("What did Lima 2019 find?", ("ice_2019", "What did this paper find?")),
        ("What did Lima find?", None),
        ("What did Lima et al. (2018) find?", None),
        ("What is in “Wind at the mouths of the great caves”?", None),
        ("Does “Snow on the roofs” agree with “Fog over harbours”?", None),
        ("xice_2019 is no id, nor is ice_2019x", None),
    ],
)
def test_find(question: str, found: tuple[str, str] | None) -> None:
    assert find(question, ALL) == found


@pytest.mark.parametrize(
    ("question", "relation", "rest"),
    [
        ("What do the papers that cite “Snow on the roofs” say about ice?", "citing", "What do they say about ice?"),
        ("What do studies citing Lima et al. (2019) say of ice?", "citing", "What do they say of ice?"),
        ("What do the works cited by “Snow on the roofs” say?", "cited", "What do they say?"),
        ("What do papers that “Snow on the roofs” cites say?", "cited", "What do they say?"),
        ("What is said in “Snow on the roofs”?", "itself", "What is said in this paper?"),
    ],
)
def test_relation(question: str, relation: str, rest: str) -> None:
    naming = named(question, Shelf(ALL, {}, Index.build(())))
    assert naming is not None
    assert (naming.relation, naming.question) == (relation, rest)


def test_who_cites_it_is_not_asked_of_the_paper() -> None:
    shelf = Shelf(ALL, {}, Index.build(()))
    assert named("Where is “Snow on the roofs” cited?", shelf) is None


@pytest.mark.parametrize("piece", ["Lima-", "“the paper titled ", "Lima and ", "the paper that cites this paper "])
def test_hostile_questions_take_no_longer_than_their_length(piece: str) -> None:
    assert linear(lambda text: find(text, ALL), (piece * 4000)[:20_000])
