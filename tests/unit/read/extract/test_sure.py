"""How sure an answer is: what speaks against a sentence, what its neighbours add, how the odds are told."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from kag.read.extract.asking import WEAK, asked
from kag.read.extract.doubts import asks_relation, asks_theirs
from kag.read.extract.leaning import goes_on, leans, with_neighbours
from kag.read.extract.ranking import Scored, rank
from kag.read.extract.reckoning.extremes import asks_which
from kag.read.extract.sure import HIGHEST, INTERCEPT, LEAST, WEIGHTS, WRONG, as_told, features, probability
from kag.read.extract.values import value_in
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage

LAKE = "Reeds were cut in March. This suggests that herons nested late. In addition, the ice stayed. Frogs came in May."


def chosen(question: str, text: str, sentence: str, kind: str = "paragraph") -> str:
    """What of a text is quoted where one of its sentences was chosen."""
    index = SearchIndex([Passage("p", text, kind=kind)])
    start = text.index(sentence)
    one = Scored(0, start, start + len(sentence), 1.0, 1.0)
    whole = with_neighbours(one, asked(question), index)
    return text[whole.start : whole.end]


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ("This suggests that herons nested late.", True),
        ("However, these were cut.", True),
        ("They nested late.", True),
        ("On the same day, the town declared it.", True),
        ("Of the remaining 29, 20 nested.", True),
        ("This study was paid for by the town.", False),
        ("This paper is on lakes.", False),
        ("Thesis work began in May.", False),
        ("Herons nested late.", False),
        ("It is known that herons nest.", False),
        ("", False),
    ],
)
def test_sentences_that_lean_on_the_one_before(sentence: str, so: bool) -> None:
    assert leans(sentence) is so
    assert goes_on(sentence) is so


def test_what_goes_on_need_not_lean() -> None:
    assert (leans("In addition, the ice stayed."), goes_on("In addition, the ice stayed.")) == (False, True)


@pytest.mark.parametrize(
    ("question", "sentence", "quoted"),
    [
        (
            "What suggests that herons nested late?",
            "This suggests that herons nested late.",
            LAKE.partition(" Frogs")[0],
        ),
        ("What was done to reeds?", "Reeds were cut in March.", LAKE.partition(" In addition")[0]),
        ("When were reeds cut?", "Reeds were cut in March.", "Reeds were cut in March."),
        ("How many reeds were cut?", "Reeds were cut in March.", "Reeds were cut in March."),
        ("What of the ice?", "In addition, the ice stayed.", "In addition, the ice stayed."),
        ("What came?", "Frogs came in May.", "Frogs came in May."),
    ],
)
def test_neighbours_are_quoted_where_they_belong_to_it(question: str, sentence: str, quoted: str) -> None:
    assert chosen(question, LAKE, sentence) == quoted


def test_rows_and_captions_have_no_neighbours() -> None:
    assert chosen("What was done?", LAKE, "Reeds were cut in March.", kind="caption") == "Reeds were cut in March."


@pytest.mark.parametrize(
    ("question", "sentence", "value"),
    [
        ("When was the fever declared?", "The town declared 2019-nCoV a danger.", ""),
        ("When was the fever declared?", "The town declared 2019-nCoV a danger in May 2020.", "May 2020"),
        ("How old were the herons?", "Herons differed in age (p < 0.001).", ""),
        ("What was the p value of age?", "Herons differed in age (p < 0.001).", "< 0.001"),
        ("How many herons nested?", "All herons nested except four, all of which left.", ""),
        ("How many herons nested?", "Apart from two cranes, 31 herons nested.", "31"),
        ("How many herons nested?", "Of these, 31 herons nested.", "31"),
        ("How many counts of herons?", "We estimate the flock by counts of herons in a day (prediction 1).", ""),
        ("How many herons nested?", "In this study 31 herons nested.", "31"),
    ],
)
def test_numbers_that_are_no_answer(question: str, sentence: str, value: str) -> None:
    assert value_in(sentence, asked(question)) == value


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("What is their model?", True),
        ("Which data do they use?", True),
        ("What do the authors propose?", True),
        ("Why do herons leave their nests?", False),
        ("What changed the gardeners' mind more than their knowledge of bees?", False),
        ("", False),
    ],
)
def test_their_may_be_of_what_the_question_names(question: str, so: bool) -> None:
    assert asks_theirs(asked(question)) is so


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("What is the role of reeds?", True),
        ("How do herons differ from cranes?", True),
        ("What influenced the herons?", False),
        ("What is a differential equation?", False),
        ("How deep is the lake?", False),
    ],
)
def test_relations(question: str, so: bool) -> None:
    assert asks_relation(asked(question)) is so


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("Which country had the highest rate?", True),
        ("In which lake has the level the lowest value?", True),
        ("country with the highest rate", True),
        ("Which rate was the highest?", False),
        ("What is the highest rate?", False),
        ("highest rate", False),
        ("", False),
    ],
)
def test_which_asks_for_the_thing(question: str, so: bool) -> None:
    assert asks_which(question) is so


def test_how_long_is_no_word_to_look_for() -> None:
    assert asked("How long does moss take?").words["long"] == WEAK
    assert asked("How many long leaves?").words["long"] == 1.0


def test_a_number_says_little_in_a_sentence_on_something_else() -> None:
    index = SearchIndex(
        [Passage("p", "The town kept 31 frogs in jars."), Passage("q", "Herons of the reed beds nested late.")]
    )
    need = asked("How many frogs nested in reed beds late?")
    ranked = rank(need, index)
    frogs = next(one for one in ranked if one.number == 0)
    found = features(ranked, frogs, need, index)
    assert 0 < found.value == found.cover < 0.5
    sure = replace(found, value=1.0)
    assert probability(found, WEIGHTS, INTERCEPT) < probability(sure, WEIGHTS, INTERCEPT)


@pytest.mark.parametrize("odds", [-8.0, -0.4, 0.0, 0.01, 0.7, 9.0])
def test_odds_above_a_half_are_told_without_the_double_weight_of_wrong_answers(odds: float) -> None:
    told = as_told(odds)
    assert told == pytest.approx(odds + math.log(WRONG) if odds > 0 else odds)
    assert (told > 0) is (odds > 0)


def test_confidences_stay_within_what_a_sentence_can_reach() -> None:
    zero = replace(WEIGHTS, **dict.fromkeys(WEIGHTS.__slots__, 0.0))
    assert probability(zero, WEIGHTS, -99.0) == LEAST
    assert probability(zero, WEIGHTS, 99.0) == HIGHEST
