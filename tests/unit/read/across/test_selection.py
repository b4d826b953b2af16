"""Which sentences say the same, and which of the ranked ones are taken."""

from __future__ import annotations

import pytest
from kag.read.across.alike import grouped
from kag.read.across.choose import spread
from kag.read.across.pool import Pool, held, whole
from kag.read.extract.asking import asked
from kag.read.extract.ranking import Scored
from kag.read.router import FIXED_TOKENS, WINDOW_TOKENS, choose

from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.search.chunk import Chunk
from kag.search.index import Index
from kag.values.evidence import Answer


def groups(*texts: str) -> list[list[int]]:
    pool = Pool(SearchIndex(Passage(str(number), text) for number, text in enumerate(texts)))
    ranked = [Scored(number, 0, len(text), 1.0, 1.0) for number, text in enumerate(texts)]
    return [[one.number for one in group] for group in grouped(ranked, pool)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Moss grew on all nine of the roofs [1].", "Moss grew on all nine of the roofs [7, 8].", True),
        ("Moss grew on 12 of 30 roofs in May.", "Moss grew on 14 of 30 roofs in May.", False),
        ("Moss grew on all of the old roofs.", "Ice hid all of the sensors in the river.", False),
        ("No moss.", "No moss here.", False),
    ],
)
def test_the_same_but_for_callouts(one: str, other: str, same: bool) -> None:
    assert groups(one, "Fog is over the harbour in the morning.", other) == ([[0, 2], [1]] if same else [[0], [1], [2]])


def test_one_sentence_of_a_passage_while_they_are_near_the_best() -> None:
    ranked = [Scored(4, 0, 1, 10.0, 1), Scored(4, 2, 3, 9.9, 1), Scored(2, 0, 1, 9.0, 1), Scored(7, 0, 1, 7.4, 1)]
    assert [(one.number, one.start) for one in spread(ranked)] == [(4, 0), (2, 0)]
    assert [one.number for one in spread(ranked, most=1)] == [4]


def test_running_text_in_the_front_matter_is_read() -> None:
    """An abstract that was taken for a list of institutions says something; a list of institutions does not."""
    prose = "The moss on a pier holds forty litres of rain and gives it back slowly over the days that follow. " * 2
    names = "Institute of Bridges, University of Fjordgata, Fjordgata, Norway; Department of Moss, Holm College. " * 3
    printed = {"a": [Passage("p", prose, kind="listoforganizations"), Passage("n", names, kind="listoforganizations")]}
    pool = whole(["a"], printed.__getitem__)
    assert [passage.kind for passage in pool.index.passages] == ["paragraph", "listoforganizations"]


def test_a_paper_has_a_share_of_the_words() -> None:
    texts = {"one": "Moss on a pier.", "two": "Rain on a bridge with moss."}
    index = Index.build(Chunk(name, text, document=name) for name, text in texts.items())
    need = asked("How is rain held by moss on saffron?")
    assert held(need, "two", index) > held(need, "one", index) > 0.0
    assert held(asked("Rain on a bridge"), "two", index) == 1.0
    assert held(need, "three", index) == 0.0


def test_many_papers_are_never_read_in_one_call() -> None:
    nothing = Answer("q", "What?", "extractive", "")
    for mode in ("auto", "single"):
        rung = choose(mode, nothing, None)  # type: ignore[arg-type]
        assert (rung.name, rung.tokens) == ("agent", WINDOW_TOKENS + FIXED_TOKENS)
    assert choose("extractive", nothing, None).name == "extractive"
