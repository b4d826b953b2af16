"""Words that the paper prints otherwise, and values that are told whatever the wording."""

from __future__ import annotations

import pytest

from kag.read.extract.asking import asked
from kag.read.extract.compounds import settled
from kag.read.extract.kinds import kinds
from kag.read.extract.ranking import rank
from kag.read.extract.roots import relatives
from kag.read.extract.unknown import strange
from kag.read.extract.values import value_in
from kag.read.extract.whether import verdict
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage

TEXT = (
    "The whistleblower was purified over a stable column. Rafts drift for 24 h. The community communicates by general "
    "stations, and moss reduces runoff."
)
INDEX = SearchIndex([Passage("1", TEXT)])


@pytest.mark.parametrize(
    ("word", "printed"),
    [
        ("purification", ("purified",)),
        ("stability", ("stable",)),
        ("reduction", ("reduces",)),
        ("drifting", ()),  # its stem is printed
        ("communication", ()),  # "communicates" has its stem
        ("state", ()),
        ("generation", ()),
        ("24", ()),
    ],
)
def test_relatives(word: str, printed: tuple[str, ...]) -> None:
    assert relatives(word, INDEX) == printed


@pytest.mark.parametrize(
    ("question", "there", "gone"),
    [
        ("How many whistle-blower reports?", {"whistleblower"}, {"whistle", "blower"}),
        ("Where were rafts after 24 hours?", {"24", "hours"}, {"24hours"}),
        ("Where were rafts after 24 h?", {"24", "h", "24h"}, set()),
        ("Is moss cut by yacht-owners?", {"yachtowners", "yacht", "owners"}, set()),  # printed in no form
    ],
)
def test_compounds_count_once(question: str, there: set[str], gone: set[str]) -> None:
    words = settled(asked(question), INDEX).words.keys()
    assert there <= words
    assert gone.isdisjoint(words)


def test_another_word_weighs_as_what_is_printed_for_it() -> None:
    texts = ("Frogs were caught in May.", "Frogs were seen in June.", "Frogs slept.", "Nets were trapped in ice.")
    index = SearchIndex([Passage(str(at), text) for at, text in enumerate(texts)])
    assert rank(asked("When were frogs netted?"), index)[0].number == 0


def test_a_relative_clause_names_no_strange_thing() -> None:
    assert strange(asked("the column that yields"), INDEX) == ()
    assert strange(asked("the yield of that tortoise"), INDEX) == ("tortoise",)
    assert strange(asked("which factor purified the column"), INDEX) == ()


def test_words_that_hold_a_sentence_together_are_no_time() -> None:
    lasts = next(one for one in kinds() if one.name == "lasts")
    assert not lasts.has_it("Moss and lichens grow as any others.")
    assert lasts.has_it("It took 41 s.")
    assert lasts.has_it("It took an hour.")
    assert lasts.has_it("a five-minute walk")


@pytest.mark.parametrize(
    ("question", "sentence", "value"),
    [
        ("How many kDa has it?", "A domain of 12 kDa was held at 5 mM.", "12 kDa"),
        ("How many grams were fed?", "Ten frogs had 12 g of flies and 3 kg of water.", "12 g"),
        ("How many frogs were fed?", "Twelve frogs and 12 g of flies.", "Twelve"),
        ("How much did it cost?", "The raft cost US$3 million in 2009.", "US$3 million"),
        ("What was the price of one raft?", "The raft trade was worth US$3 million.", ""),
        ("what excess of salt was used", "We took a 50-fold excess of salt.", "50-fold"),
        ("what salt was used", "We took a 50-fold excess of salt.", ""),
        ("what excess of salt was used", "A 50-fold excess and 3 g were used.", ""),
    ],
)
def test_values_by_unit_money_and_what_they_stand_at(question: str, sentence: str, value: str) -> None:
    assert value_in(sentence, asked(question)) == value


def test_energy_is_no_money() -> None:
    need = asked("How much energy does a raft spend on drifting?")
    assert need.kind == "energy"
    assert need.needed is not None
    assert need.needed.has_it("A raft spends 795 J.")
    assert not need.needed.has_it("A raft costs $795.")


def test_all_are_so_where_all_of_a_number_are() -> None:
    assert verdict("Was the order the same in all lakes?", "The order was the same in the three lakes.") == "yes"
    assert verdict("Was the order the same in all lakes?", "The order was the same in three lakes.") == ""


@pytest.mark.parametrize("question", ["what capacity had the raft", "the path exponent", "what diameter had it?"])
def test_measures_ask_for_a_number(question: str) -> None:
    assert asked(question).kind == "number"


def test_what_is_no_measure_asks_for_none() -> None:
    assert asked("what raft had they").kind == ""
