"""Nouns of a question that the paper prints nowhere."""

from __future__ import annotations

import pytest

from kag.read.extract.asking import asked
from kag.read.extract.unknown import strange
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage

TEXT = (
    "Nesting cups in old roofs hold water for moss. The cushions were kept at 12 °C, and 40 subjects were asked. "
    "Funding came from the Weir Council. Moss dries quickly in the sun after collection; H is Shannon's index."
)
INDEX = SearchIndex([Passage("1", TEXT)])


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which snails hold water on old roofs?", ("snails",)),
        ("What dose of aspirin was given?", ("aspirin",)),
        ("Who funded the Mars mission?", ("mission", "Mars")),
        ("which roof tortoise was kept?", ("tortoise",)),
        ("how many hedgehogs were asked", ("hedgehogs",)),
        ("Does moss grow on a volcano?", ("volcano",)),
        ("Which cushions were kept?", ()),
        ("How many people were asked?", ()),  # another word for what is printed
        ("At what temperature were the cushions kept?", ()),  # the kind of answer
        ("how warm were the cushions in degrees", ()),  # a unit, printed as its sign
        ("Who counted for the collectors?", ()),  # the root of a printed word
        ("what is H in the Shannon formula", ()),  # what papers are made of
        ("why does moss desiccate speedily?", ()),  # a verb may be another word for what is printed
        ("What happens to moss?", ()),
        ("Which organisation funded the work?", ()),
        ("", ()),
        ("??? <b>", ()),
        ("Какие пчёлы живут в крыше?", ()),
    ],
)
def test_strange(question: str, words: tuple[str, ...]) -> None:
    assert strange(asked(question), INDEX) == words
