"""The pieces of content answers: sentences, what a question asks for, the order of passages, values."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from kag.read.extract.asking import GLUE, WEAK, asked, parts_of
from kag.read.extract.ranking import WEIGHTS, Weights, passages_of, rank
from kag.read.extract.reckoning.extremes import extreme
from kag.read.extract.values import value_in
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from tests.growth import linear


def test_words_are_weighted_by_what_they_tell() -> None:
    need = asked("What is the role of moss?")
    assert need.words == {"what": GLUE, "is": GLUE, "the": GLUE, "role": WEAK, "of": GLUE, "moss": 1.0}
    assert need.content == {"role": WEAK, "moss": 1.0}
    assert need.pairs == (("role", "moss"),)


@pytest.mark.parametrize("said", ["the main conclusion", "the conclusions", "concluded"])
def test_what_a_conclusion_is_called_is_in_none(said: str) -> None:
    words = asked(f"What is {said} about silt in the harbour?", "").words
    assert {word: weight for word, weight in words.items() if weight > WEAK} == {"silt": 1.0, "harbour": 1.0}


def test_the_rest_of_a_question_counts_little_for_a_part() -> None:
    assert asked("why was it cut?", "What is moss and why was it cut?").words["moss"] == WEAK


KINDS = {
    "When was the first roof laid?": "date",
    "How many roofs are there?": "number",
    "What was the concentration of salt?": "number",
    "Who laid the roof?": "person",
    "Why is slate wet?": "why",
    "What share of the roofs leak?": "percent",
    "Does slate differ from tin?": "compare",
    "List the roofs.": "",
}


@pytest.mark.parametrize(("question", "kind"), KINDS.items())
def test_kind(question: str, kind: str) -> None:
    assert asked(question).kind == kind


@pytest.mark.parametrize(
    ("question", "term"),
    [("What is TMI?", "tmi"), ("What does TMI stand for?", "tmi"), ("Define river ice.", "river ice"), ("Is it?", "")],
)
def test_term(question: str, term: str) -> None:
    assert asked(question).term == term


def test_what_is_counted() -> None:
    assert asked("How many wet roofs are there?").counted == {"wet", "roofs"}
    assert asked("How wet are roofs?").counted == frozenset()


def test_parts() -> None:
    assert parts_of("What is moss, and why was it cut? Who cut it?") == (
        "What is moss",
        "why was it cut?",
        "Who cut it?",
    )
    assert parts_of("What of salt and water?") == ("What of salt and water?",)
    assert parts_of("and what is it and what is that") == ("and what is it and what is that",)


def index(*texts: str, **more: str) -> SearchIndex:
    plain = [Passage(str(number), text) for number, text in enumerate(texts)]
    return SearchIndex([*plain, *(Passage(kind, text, kind=kind) for kind, text in more.items())])


def first(question: str, found: SearchIndex, weights: Weights = WEIGHTS) -> str:
    one = rank(asked(question), found, weights)[0]
    return found.passages[one.number].text[one.start : one.end]


FEATURES = {
    "sentence": ("Which moss splits slate?", ["Moss splits slate.", "Moss is old."]),
    "pairs": ("Is there red moss?", ["Slate is red but roofs carry moss.", "Slate roofs carry a lot of red moss."]),
    "kind": ("How many roofs leak?", ["All the roofs leak.", "The 20 roofs leak."]),
    "early": ("Does moss grow?", ["On some of the walls moss does grow.", "Moss does grow on some of the walls."]),
    "defines": ("What is TMI?", ["TMI maps help.", "This tile moisture index (TMI) helps."]),
    "printed": ("Do cushions dry?", ["Cushion dries here.", "Cushions dry here."]),
}  # fmt: skip


def test_a_sentence_with_more_of_the_question_comes_first() -> None:
    for question, texts in FEATURES.values():
        best = texts[0] if question.startswith("Which") else texts[1]
        for order in (texts, texts[::-1]):
            assert first(question, index(*order, "Other things are here.", "Nothing of it.")) == best


@pytest.mark.parametrize("name", [name for name in FEATURES if name != "sentence"])
def test_each_feature_decides_where_it_alone_differs(name: str) -> None:
    question, texts = FEATURES[name]
    only = Weights(**{field.name: 0.0 for field in fields(Weights)})
    found = index(*texts, "Other things are here.")
    assert first(question, found, replace(only, **{name: 1.0})) == texts[1]
    assert first(question, found, only) == texts[0]  # all are equal: reading order


def test_words_of_the_sentence_before_and_of_the_passage_count() -> None:
    found = index("Slate roofs are wet. They stay so.", "They stay so. Tin is wet.")
    assert first("Do slate roofs stay so?", found) in ("They stay so.", "Slate roofs are wet.")
    ranked = rank(asked("Do slate roofs stay so?"), found)
    after = next(one for one in ranked if (one.number, one.start) == (0, 21))
    alone = next(one for one in ranked if (one.number, one.start) == (1, 0))
    assert after.score > alone.score


def test_references_and_headings_do_not_answer() -> None:
    found = index("Roofs are many.", reference="Poe E. Moss on slate.", sectiontitle="Moss on slate")
    assert passages_of(rank(asked("What of moss on slate roofs?"), found)) == (0,)


def test_a_likely_section_comes_first() -> None:
    texts = "Moss was measured by hand."
    found = SearchIndex([Passage("a", texts, roles=("Discussion",)), Passage("b", texts, roles=("Methods",))])
    assert passages_of(rank(asked("How was moss measured?"), found)) == (1, 0)
    assert passages_of(rank(asked("What was moss?"), found)) == (0, 1)


def test_scores_from_elsewhere_lift_a_passage() -> None:
    found = index("Moss is wet.", "Moss is dry.", "Quite another thing.")
    need = asked("What is moss?")
    assert passages_of(rank(need, found))[:2] == (0, 1)
    assert passages_of(rank(need, found, extra={1: 1.0}))[:2] == (1, 0)
    assert 2 in passages_of(rank(need, found, extra={2: 1.0}))


def test_every_passage_with_a_word_is_ranked_even_behind_the_shortlist() -> None:
    found = index(*(f"Moss number {number}. It is wet." for number in range(60)))
    assert sorted(passages_of(rank(asked("What is moss?"), found))) == list(range(60))


def test_no_word_no_sentence() -> None:
    assert rank(asked("xylophone"), index("Moss is wet.")) == ()
    assert rank(asked(""), index("Moss is wet.")) == ()
    assert rank(asked("moss"), index()) == ()


VALUES = [
    ("How many roofs leak?", "Of all, 20 roofs leak in 3 towns [4].", "20"),
    ("How many roofs leak?", "Of all, 20 roofs leak and 30 roofs do not.", "20"),
    ("How many roofs were seen?", "Of all, 20 roofs leak and 30 roofs do not.", ""),
    ("How many moss species were found?", "We saw 900 cushions of moss and 12 species.", "12"),
    ("How many more roofs leaked?", "There 28% more roofs leaked.", "28%"),
    ("How many roofs leak?", "There were 1,200 of them [12].", "1,200"),
    ("How many roofs leak?", "Leaks were told per 1000 roofs.", ""),
    ("How many roofs leak?", "Of each street 30 roofs leak, which are told per 1000 roofs.", "30"),
    ("How many roofs leak?", "They were seen in 2015 roofs and all.", ""),
    ("How many roofs leak?", "The town has told of them (2015).", ""),
    ("How many roofs leak?", "Of all, 2015 roofs leak.", "2015"),
    ("How many of the 12 roofs leak?", "Of 12 roofs, three did.", "three"),
    ("What was the concentration?", "It was 5.2 mg/L in 2011 (Poe 1999).", "5.2 mg/L"),
    ("What was the concentration?", "It was 5.2 mg/L, later 6.1 mg/L.", ""),
    ("How often did it rain?", "It rained on 5.2 mm.", ""),
    ("When did it rain?", "It rained on 24 January 2020 [2].", "24 January 2020"),
    ("When did it rain?", "It rained in May 2011 and June 2012.", ""),
    ("When did it rain?", "It may rain.", ""),
    ("Why did it rain?", "In 2011 it was 5.2 mg/L.", ""),
]


@pytest.mark.parametrize(("question", "sentence", "value"), VALUES)
def test_value(question: str, sentence: str, value: str) -> None:
    assert value_in(sentence, asked(question)) == value


@pytest.mark.parametrize(
    "text",
    ["1 " * 2_000, "111," * 1_000, "a" * 4_000, "how many " * 400, "what is " * 500, "(" * 4_000, "May " * 1_000],
)
def test_hostile_questions_and_sentences_take_no_time(text: str) -> None:
    def work(text: str) -> None:
        need = asked("How many roofs leak? " + text, text)
        parts_of(text)
        value_in(text, need)
        value_in(text, asked("When did it rain?"))
        rank(need, index(text, "Roofs leak."))

    assert linear(work, text)


def test_an_extreme_needs_values_of_one_unit() -> None:
    def top(question: str, *texts: str) -> str:
        found = index(*texts)
        one = extreme(question, rank(asked(question), found), found)
        return one.quantity.surface if one else ""

    beams = ("The oak beam length is 4.5 m.", "The elm beam length is 7.5 m.", "The fir beam length is 6.5 m.")
    assert top("What is the longest beam length?", *beams) == "7.5 m"
    assert top("What is the shortest beam length?", *beams) == "4.5 m"
    assert top("What is the longest beam length?", *beams, "The longest beam length is 6.8 m.") == "6.8 m"
    assert top("What is the longest beam length?", beams[0], "The elm beam length is 7.5 %.") == ""
    assert top("What is the longest beam length?", beams[0]) == ""
