"""Search with facets: what is counted, what is chosen, what is refused; over chunks made for it."""

from __future__ import annotations

import pytest

from kag.core.errors import BadValue
from kag.retrieval.chunking import Chunk
from kag.retrieval.facets import (
    CLAIMS,
    DEEP,
    LAYERS,
    THINGS,
    Faceted,
    Thing,
    faceted,
    finder,
    given,
    stated,
    things_in,
    with_things,
    within,
)
from kag.retrieval.index import Index

YEARS = {"ice": "2019", "snow": "2021", "rain": ""}
SEAL = Thing("species", "c1", "ringed seal", ("Pusa hispida",))
HISPIDA = Thing("species", "c1", "Pusa hispida")
WATER = Thing("chemical", "c2", "water")
BOOK = Thing("term", "c3", "water")


def chunk(paper: str, number: int, text: str, things: tuple[Thing, ...] = (), claims: str = "", **more: str) -> Chunk:
    layers = {LAYERS: "claim entity", THINGS: with_things(things), CLAIMS: claims} if paper != "rain" else {}
    return Chunk(f"{paper}/{number}", text, document=paper, metadata={"kind": "paragraph", **layers, **more})


CHUNKS = (
    chunk("ice", 1, "Seals rest on ice.", (SEAL, WATER), "result", roles="Results"),
    chunk("ice", 2, "Ice is thin in May.", (WATER,), "result\nconclusion", roles="Results Discussion"),
    chunk("ice", 3, "Ice was drilled.", (), "method", roles="Methods"),
    chunk("snow", 1, "Seals den under snow on ice.", (HISPIDA, BOOK), "", kind="caption"),
    chunk("rain", 1, "Rain melts ice."),
)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.build(CHUNKS)


def found(index: Index, *words: str, query: str = "ice") -> Faceted:
    return faceted(index, stated(words), YEARS, finder(index, query))


def test_every_value_is_counted_by_hits(index: Index) -> None:
    counts = found(index).counts
    assert counts["paper"] == {"ice": 3, "rain": 1, "snow": 1}
    assert counts["year"] == {"2019": 3, "2021": 1}
    assert counts["section"] == {"Results": 2, "Discussion": 1, "Methods": 1}
    assert counts["role"] == {"result": 2, "conclusion": 1, "method": 1}
    assert counts["entity_kind"] == {"chemical": 2, "species": 2, "term": 1}
    # one thing for its names in two papers; two things of one name stay two
    assert counts["entity"] == {"chemical:water": 2, "species:Pusa hispida": 2, "term:water": 1}


@pytest.mark.parametrize(
    ("words", "hits"),
    [
        (("role=result",), {"ice/1", "ice/2"}),
        (("role=method", "role=conclusion"), {"ice/2", "ice/3"}),
        (("role=result", "entity=species:ringed seal"), {"ice/1"}),
        (("entity=PUSA  hispida",), {"ice/1", "snow/1"}),
        (("entity=water",), {"ice/1", "ice/2", "snow/1"}),
        (("entity=term:water",), {"snow/1"}),
        (("entity_kind=species", "kind=caption"), {"snow/1"}),
        (("year=2021", "year=2019", "section=Methods"), {"ice/3"}),
        (("paper=ice", "entity=whale"), set()),
        (("kind=Caption", "section= methods"), set()),
        (("kind=CAPTION",), {"snow/1"}),
        (("section=methods", "role=Method"), {"ice/3"}),
    ],
)
def test_hits_have_one_value_of_each_facet_that_is_chosen(index: Index, words: tuple[str, ...], hits: set[str]) -> None:
    narrowed = found(index, *words)
    assert {hit.chunk for hit in narrowed.hits} == hits
    for name, values in narrowed.chosen.items():
        assert all(value in narrowed.counts[name] for value in values)


def test_a_facet_does_not_count_itself_out(index: Index) -> None:
    whole = found(index).counts
    for name in whole:
        for value in whole[name]:
            narrowed = found(index, f"{name}={value}")
            assert narrowed.counts[name] == whole[name], (name, value)
            assert len(narrowed.hits) == whole[name][value], (name, value)


def test_what_is_chosen_is_looked_for_beyond_the_first_hits() -> None:
    many = [chunk("ice", n, "Ice and ice and ice.", (), "method") for n in range(3 * DEEP)]
    index = Index.build(
        [*many, chunk("ice", 9999, "Of the many long words here one alone is ice.", (WATER,), "result")]
    )
    assert found(index).counts["role"] == {"method": DEEP}
    assert [hit.chunk for hit in found(index, "role=result").hits] == ["ice/9999"]
    assert len(found(index, "role=method").hits) == DEEP


def test_papers_without_layers_are_told(index: Index) -> None:
    assert found(index).notes[0].startswith("1 of 3 papers found have no layers")
    assert "--layers entity,claim" in found(index, query="melts").notes[0]
    assert found(index, "paper=ice").notes == ()
    with pytest.raises(BadValue, match="none of the papers has the layer 'claim'") as error:
        found(index, "role=result", query="melts")
    assert "--layers entity,claim" in error.value.hint


def test_what_nothing_found_has_is_told_beside_what_there_is(index: Index) -> None:
    """A value that is no kind of text was 0 hits without a word."""
    (note,) = found(index, "kind=figures", "paper=ice").notes
    assert note == "nothing that is found is of the kind figures: there are paragraph"
    (note,) = found(index, "entity=whale", "paper=ice").notes
    assert note == "nothing that is found is of the entity whale: there are chemical:water, species:ringed seal"
    assert found(index, "kind=Caption", "paper=snow").notes == ()


@pytest.mark.parametrize(
    "words",
    ["role", "=", "rol=result", "role=", "role=results", "entity_kind=beast", "paper=nobody", "entity=" + "x" * 401],
)
def test_what_cannot_be_chosen_is_refused(index: Index, words: str) -> None:
    with pytest.raises(BadValue):
        found(index, words)


def test_choices_are_given_in_several_ways() -> None:
    assert given({"year": 2021, "role": ["result", "result"]}) == {"year": ("2021",), "role": ("result",)}
    assert stated(["entity=a=b", "year= 2021 "]) == {"entity": ("a=b",), "year": ("2021",)}
    assert within({"paper": ("ice", "snow")}, ("snow", "rain")) == {"paper": ("snow",)}
    for wrong in ({"role": {"a": 1}}, {"entity": [["x"]]}, {"year": None}, {"year": [str(n) for n in range(101)]}):
        with pytest.raises(BadValue):
            given(wrong)
    with pytest.raises(BadValue):
        within({"paper": ("ice",)}, ("snow",))
    with pytest.raises(BadValue, match="there is no facet") as error:
        stated(["sections=Methods"])
    assert "'section'" in error.value.hint


def test_things_are_kept_as_words() -> None:
    odd = Thing("gene", "c9", "a\tb\nc", ("d\u2028e",))
    kept = things_in(Chunk("c", "", metadata={THINGS: with_things([odd, WATER])}))
    assert kept == (Thing("gene", "c9", "a b c", ("d e",)), WATER)
    assert things_in(Chunk("c", "")) == ()
