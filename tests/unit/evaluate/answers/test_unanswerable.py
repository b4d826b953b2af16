"""Questions that have no answer: what they ask for is not there, and only silence or "no" is right."""

from __future__ import annotations

import pytest

from kag.evaluate.answers.gold import Gold
from kag.evaluate.answers.score import extractive
from kag.evaluate.answers.unanswerable import INVENTED, Item, judged, put, rows, says_nothing, unanswerable
from kag.questions.file import Question
from kag.read.library import Library, open_library
from kag.read.paper import PaperGraph
from kag.values.evidence import Answer, Claim, Value
from kag.write.batch import find_papers, index_all
from tests.papers import PAGES, write_paper

SNOW = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Lamps in snow"),
        ("sub_title", "[[100, 150, 300, 170]]", "## 1 Bulb endurance"),
        (
            "text",
            "[[100, 180, 900, 260]]",
            "Lamps of the Norrland type burned in deep snow for 14 days without a fault.",
        ),
        ("sub_title", "[[100, 280, 300, 300]]", "## 2 Wick trimming"),
        (
            "text",
            "[[100, 310, 900, 360]]",
            "The wicks were trimmed by hand. A longer wick smoked more than a short one.",
        ),
    ),
)
ASKED = (
    (Question("a", "How long did lamps of the Norrland type burn?", "snow", "content"), Gold("14 days")),
    (Question("b", 'Which subsections does the section "Wick trimming" have?', "snow", "structural"), Gold([])),
    (Question("c", "What does Figure 1 show?", "ice", "figure"), Gold("Sensors lost in each month.")),
    (Question("d", "Which sections are there?", "ice", "structural"), Gold([])),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("unanswerable")
    write_paper(folder / "in" / "ice", PAGES)
    write_paper(folder / "in" / "snow", SNOW)
    for name in ("ice", "snow"):
        list(index_all(find_papers([folder / "in" / name], folder / "runs"), workers=1))
    return open_library(folder / "runs")


@pytest.fixture(scope="module")
def items(library: Library) -> tuple[Item, ...]:
    return unanswerable(ASKED, library)


def asked(items: tuple[Item, ...], kind: str) -> list[tuple[str, str, str]]:
    return [(item.question.paper, item.question.text, item.planted) for item in items if item.kind == kind]


def test_a_question_goes_to_a_paper_that_lacks_what_it_names(items: tuple[Item, ...]) -> None:
    found = asked(items, "another paper")
    assert [(paper, planted) for paper, _, planted in found] == [("ice", "Norrland"), ("ice", "Wick trimming")]


def test_what_is_not_there_is_asked_for(items: tuple[Item, ...]) -> None:
    assert ("ice", "What does Figure 99 show?", "99") in asked(items, "float")
    assert asked(items, "float of the other kind") == []  # ice has a Figure 1 and a Table 1
    assert ("ice", "What is the title of reference 8?", "8") in asked(items, "reference")
    assert {paper for paper, _, _ in asked(items, "reference")} == {"ice"}  # snow has no reference list
    titles = {(paper, planted) for paper, _, planted in asked(items, "section")}
    assert titles == {("ice", "Bulb endurance"), ("snow", INVENTED)}  # those of ice are the usual ones
    assert asked(items, "row") == [("ice", f'In Table 1, what is given for "{INVENTED}"?', INVENTED)]


def test_false_numbers_are_in_no_paper(items: tuple[Item, ...]) -> None:
    found = asked(items, "false number")
    assert (
        "snow",
        "Is it right that lamps of the Norrland type burned in deep snow for 21 days without a fault?",
        "21",
    ) in (found)
    assert ("ice", "Are there 4 figures in this paper?", "") in asked(items, "false count")


def test_items_are_the_same_each_time_and_have_names_of_their_own(items: tuple[Item, ...], library: Library) -> None:
    assert unanswerable(ASKED, library) == items
    names = [item.question.id for item in items]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("value", "right"),
    [("no", True), (0, True), ("None", True), ([], True), (None, False), (["1"], False), ("yes", False), (3, False)],
)
def test_only_no_and_none_say_nothing(value: Value, right: bool) -> None:
    claim = Claim("words", ())
    assert says_nothing(Answer("q", "?", "m", "l", claims=(claim,), value=value)) is right
    assert says_nothing(Answer("q", "?", "m", "l"))


def test_a_liar_is_seen(items: tuple[Item, ...], library: Library) -> None:
    def lie(question: Question, paper: PaperGraph) -> Answer:
        return Answer(question.id, question.text, "m", "l", claims=(Claim("Figure 99 shows lamps.", ()),))

    found = put(items, library, lie)
    assert not any(one.right for one in found)
    assert all(one.issues for one in found)
    by_kind = {row["nothing there of"]: row for row in rows(found)}
    assert by_kind["float"]["premise repeated"] == 1.0
    assert by_kind["section"]["premise repeated"] == 0.0
    assert (by_kind["all"]["right"], by_kind["all"]["verified"]) == (0.0, 0.0)


def test_a_number_is_not_repeated_by_a_longer_one(library: Library) -> None:
    item = Item(Question("q", "?", "snow"), "false number", "14")

    def tell(text: str) -> bool:
        claims = (Claim(text, ()),)
        return judged(item, library["snow"], lambda *_: Answer("q", "?", "m", "l", claims=claims)).repeated

    assert tell("It took 14 days.")
    assert not tell("It took 140 days.")


def test_the_rules_keep_silent_where_a_thing_is_not_there(items: tuple[Item, ...], library: Library) -> None:
    kinds = {row["nothing there of"]: row["right"] for row in rows(put(items, library, extractive()))}
    assert {kinds[kind] for kind in ("another paper", "float", "reference", "section")} == {1.0}


def test_one_paper_has_no_other(library: Library) -> None:
    kinds = {item.kind for item in unanswerable(ASKED, {"snow": library["snow"]})}
    assert "another paper" not in kinds
    assert "section" in kinds
