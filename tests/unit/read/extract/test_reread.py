"""Sentences read a second time: which goes first, and what that does to how sure an answer is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from kag.read.extract.asking import asked
from kag.read.extract.ranking import rank
from kag.read.extract.reread import AHEAD, heard, reread
from kag.read.extract.sure import confidence
from kag.read.passage_index import Reader, SearchIndex
from kag.read.passages import Passage

TEXTS = (
    "Herons near the dam nest in reeds by the lake.",
    "Reeds by the lake hide the nests, which herons like.",
    "Boats on the lake were built of oak.",
)
QUESTION = "What do herons do in the reeds by the lake?"


@dataclass(frozen=True)
class Saying:
    """A reader that says of each text what is written down here, by a word of it."""

    said: Mapping[str, float]
    name: str = "written down"

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [next((score for word, score in self.said.items() if word in text), -10.0) for text in texts]


def index_of(reader: Reader | None) -> SearchIndex:
    return SearchIndex([Passage(str(number), text) for number, text in enumerate(TEXTS)], reader=reader)


def first(reader: Reader | None) -> int:
    index = index_of(reader)
    need = asked(QUESTION)
    return reread(rank(need, index), need, index)[0].number


@pytest.mark.parametrize(
    ("said", "goes_first"),
    [
        (None, 0),
        ({"dam": 0.0, "hide": AHEAD + 0.5}, 1),
        ({"dam": 0.0, "hide": AHEAD - 0.5}, 0),
        ({"dam": 9.0, "hide": 9.0}, 0),
        ({"dam": -9.0, "hide": -9.5, "oak": 11.0}, 0),  # far behind by words: not near enough to be first
    ],
)
def test_only_what_is_near_and_far_surer_goes_first(said: Mapping[str, float] | None, goes_first: int) -> None:
    assert first(None) == 0
    assert first(Saying(said) if said else None) == goes_first


def test_all_sentences_are_kept() -> None:
    index, need = index_of(Saying({"dam": 0.0, "hide": 9.0})), asked(QUESTION)
    ranked = rank(need, index)
    again = reread(ranked, need, index)
    assert sorted(one.number for one in again) == sorted(one.number for one in ranked)
    assert [one.score for one in again] == sorted((one.score for one in again), reverse=True)


def test_what_the_reader_says_is_told_in_tens_of_log_odds() -> None:
    index, need = index_of(Saying({"dam": 2.0, "hide": 7.0})), asked(QUESTION)
    ranked = rank(need, index)
    assert [heard(ranked, one, need, index) for one in ranked[:2]] == [(0.2, -0.5), (0.7, 0.5)]
    bare = index_of(None)
    assert heard(rank(need, bare), rank(need, bare)[0], need, bare) == (0.0, 0.0)


def test_a_sentence_is_surer_the_better_it_is_read() -> None:
    need = asked(QUESTION)

    def sure(score: float) -> float:
        index = index_of(Saying({"dam": 0.0, "hide": score}))
        ranked = reread(rank(need, index), need, index)
        return confidence(ranked, next(one for one in ranked if one.number == 1), need, index)

    told = [sure(score) for score in (-8.0, 0.0, 8.0)]
    assert told == sorted(told)
    assert told[0] < 0.35 < 0.5 < told[2]


def test_nothing_ranked_is_nothing_read() -> None:
    index, need = index_of(Saying({})), asked("Who paid the ferryman?")
    assert list(reread((), need, index)) == []
