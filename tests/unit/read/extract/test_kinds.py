"""The kinds of answer that questions ask for, and what each is found by."""

from __future__ import annotations

import pytest

from kag.read.extract.asking import asked, own_words
from kag.read.extract.expand import expand
from kag.read.extract.fragments import whole_sentences
from kag.read.extract.kin import kin_of
from kag.read.extract.kinds import asked_kinds, kinds, named_in
from kag.read.extract.parts import overview, part, section
from kag.read.extract.premise import false_number, without_strange_numbers
from kag.read.extract.ranking import rank
from kag.read.extract.spelling import distance, mended
from kag.read.extract.sure import confidence
from kag.read.extract.whether import is_hedged, verdict
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from tests.growth import linear

FIRST = {
    "What is the DOI of this paper?": "doi",
    "Which paper should I cite for the hot-spot effect?": "cite",
    "Give me the abstract.": "abstract",
    "Summarise the paper.": "summary",
    "What are the limitations of the study?": "limitations",
    "Who funded the work?": "funding",
    "Is the code available?": "data",
    "What do the authors conclude?": "conclusion",
    "What is section 2.8 about?": "section",
    "What does TMI stand for?": "expand",
    "Which lake is the deepest?": "extreme",
    "Did the ice melt?": "whether",
    "why did the ice melt": "why",
    "How does moss differ from lichen?": "compare",
    "What percentage melted?": "percent",
    "How many lakes froze?": "number",
    "When did it freeze?": "date",
    "Who measured it?": "person",
}


@pytest.mark.parametrize(("question", "kind"), FIRST.items())
def test_the_first_kind(question: str, kind: str) -> None:
    assert next(asked_kinds(question)).name == kind


def test_a_question_of_no_kind() -> None:
    assert list(asked_kinds("moss on roofs")) == []
    assert list(asked_kinds("")) == []


def test_own_words_say_more_than_the_kind() -> None:
    (limits,) = [kind for kind in kinds() if kind.name == "limitations"]
    assert own_words("What are the main limitations of the study?", limits) == []
    assert own_words("What limits the growth of moss?", limits) == ["growth", "moss"]


def test_sections_are_named_by_type_or_title() -> None:
    names = frozenset({"discussion"})
    assert named_in(names, (), "4. Discussion")
    assert named_in(names, (), "Results and Discussion")
    assert named_in(names, ("Discussion",), "What it means")
    assert not named_in(names, (), "Methods")


VERDICTS = [
    ("Did the exponent influence the sites?", "The exponent had no influence on the sites.", "no"),
    ("Were stations without panels?", "The stations had no panels.", "yes"),
    ("Do meadows have more species than parks?", "Meadows had 23.4 species, graves 18.6, parks 14.1.", "yes"),
    ("Do parks have more species than meadows?", "Meadows had 23.4 species, graves 18.6, parks 14.1.", "no"),
    ("Were honeybees included?", "Honeybees were counted but not included.", "no"),
    ("Does Rhee admit that moss grows?", "Rhee denies that moss grows.", "no"),
    ("Is moss a proven cure?", "Moss is far from being a proven cure.", "no"),
    (
        "Was cover associated with failure?",
        "Cover was not associated with failure, likely due to the lack of data.",
        "no",
    ),
    ("Do all roofs leak?", "Most roofs leak.", "no"),
    ("Do only slate roofs leak?", "Slate roofs leak, and tin roofs also leak.", "no"),
    ("Did the yield increase?", "The yield decreased.", "no"),
    ("Did the yield increase?", "We tested whether the yield increased.", ""),
    ("Did the yield increase?", "The river rose.", ""),
    ("Is moss useful on roofs?", "This paper assesses the usefulness of moss on roofs.", ""),
    ("Does moss cool roofs?", "To report whether moss cools roofs.", ""),
    ("Do ponds and lakes differ?", "Ponds in the place of lakes of the same size would freeze.", ""),
    ("Do ponds and lakes differ?", "Ponds and lakes are the same.", "no"),
    ("Is there a difference between ponds and lakes?", "Ponds and lakes of the same depth freeze alike.", ""),
    ("Does moss cool roofs?", "Cooling of roofs by moss was explored in 40 towns.", ""),
    ("Does moss cool roofs?", "Studies of roofs that moss cools are lacking.", ""),
    ("Does oak compute grades?", "Oak helps to sort, whereas elm is used to compute grades.", ""),
]


@pytest.mark.parametrize(("question", "sentence", "said"), VERDICTS)
def test_yes_or_no(question: str, sentence: str, said: str) -> None:
    assert verdict(question, sentence) == said


def test_hedges() -> None:
    assert is_hedged("Moss may grow.")
    assert not is_hedged("Moss grows.")


def test_a_false_number_is_told_with_the_one_in_its_place() -> None:
    assert false_number("Did it live for 300 days?", "It lived for 211 days.") == ("300", "211 days")
    assert false_number("Why 40%?", "It was 14% of all.") == ("40%", "14%")
    assert false_number("Did it live for 211 days?", "It lived for 211 days.") == ("", "")
    assert false_number("What does Figure 3 show?", "It shows 211 days.") == ("", "")


def test_numbers_that_are_nowhere_are_not_looked_for() -> None:
    index = SearchIndex([Passage("1", "It lived for 211 days.")])
    assert "300" not in without_strange_numbers(asked("Did it live for 300 days?"), index).words
    assert "211" in without_strange_numbers(asked("Did it live for 211 days?"), index).words


SPELT = {
    "What was the lifetme of the nettwork?": "What was the lifetime of the network?",
    "Which allotmnets?": "Which allotments?",
    "What did they conclude?": "What did they conclude?",  # a word of asking
    "What is the medal?": "What is the medal?",  # another word
    "Was WMAP used?": "Was WMAP used?",  # letters of a name
}


@pytest.mark.parametrize(("question", "read"), SPELT.items())
def test_slips_of_the_pen(question: str, read: str) -> None:
    index = SearchIndex(
        [Passage("1", "The lifetime of a metal network on allotments, as they concede. Wmaps are used.")]
    )
    assert mended(question, index) == read


def test_distance_counts_letters_turned_round_once() -> None:
    assert [distance(one, "ocean", 2) for one in ("ocean", "ocaen", "ocan", "oceans", "oaken")] == [0, 1, 1, 1, 3]


def test_kin() -> None:
    assert "participants" in kin_of("patients")
    assert kin_of("moss") == ()


LONG = SearchIndex(
    [
        Passage(
            "1", "We model a tile moisture index (TMI) here.", path=("1 Methods",), kind="paragraph", sections=("m",)
        ),
        Passage("2", "The TMI (not tile) is used. PET (positron emission tomography) too.", kind="paragraph"),
    ]
)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does TMI stand for?", "tile moisture index"),
        ("PET = ?", "positron emission tomography"),
        ("What does ABC mean?", ""),
    ],
)
def test_what_letters_stand_for(question: str, words: str) -> None:
    (kind,) = [one for one in kinds() if one.name == "expand"]
    found = expand(question, kind, LONG)
    assert (found.words if found else "") == words


PAPER = SearchIndex(
    [
        Passage(
            "1", "Moss is wet. We ask why.", path=("Abstract",), roles=("Abstract",), sections=("a",), kind="paragraph"
        ),
        Passage(
            "2",
            "Roofs leak much. Roofs of moss leak most. It rains.",
            path=("2 Roofs",),
            sections=("r",),
            kind="paragraph",
        ),
        Passage(
            "3",
            "Moss won. Some limits should be named. We had no tin. Data are few.",
            path=("3 Discussion",),
            roles=("Discussion",),
            sections=("d",),
            kind="paragraph",
        ),
        Passage(
            "4",
            "Ada Lund paid. We thank the rain.",
            path=("Thanks",),
            roles=("Acknowledgements",),
            sections=("t",),
            kind="paragraph",
        ),
        Passage(
            "5",
            "This work was funded by the Rain Board.",
            path=("Thanks",),
            roles=("Acknowledgements",),
            sections=("t",),
            kind="paragraph",
        ),
    ]
)


def test_a_sentence_that_a_page_end_cuts_is_none() -> None:
    index = SearchIndex(
        [
            Passage("1", "All came. Of these 12 died, and of the 268 among the", kind="paragraph", pages=(1,)),
            Passage("2", "others died later. Few lived.", kind="paragraph", pages=(2,)),
            Passage("3", "others died later", kind="paragraph", pages=(3,)),
            Passage("4", "mRNA is short. It is", kind="paragraph", pages=(4,)),
        ]
    )
    texts = [[one.text[slice(*span)] for span in whole_sentences(at, index)] for at, one in enumerate(index.passages)]
    assert texts == [["All came."], ["Few lived."], ["others died later"], ["mRNA is short."]]


def told(question: str) -> list[str]:
    (kind, *_) = asked_kinds(question)
    ways = {"part": part, "overview": overview, "section": section}
    found = ways[kind.way](question, kind, PAPER)
    return [PAPER.passages[one.number].text[one.start : one.end] for one in found]


def test_parts_of_the_paper() -> None:
    assert told("Give me the abstract.") == ["Moss is wet. We ask why."]
    assert told("Who funded the work?") == ["This work was funded by the Rain Board."]
    assert told("What are the limitations?") == ["Some limits should be named.", "We had no tin.", "Data are few."]
    assert told("What is section 2 about?") == ["Roofs leak much.", "Roofs of moss leak most."]
    assert told("What is the Roofs section about?") == ["Roofs leak much.", "Roofs of moss leak most."]
    assert told("What is section 9 about?") == []
    assert told("What limits the growth of ferns?") == []  # says more than the kind


def test_an_overview_goes_through_the_sections() -> None:
    assert told("Summarise the paper.")[0] == "Moss is wet."
    assert "Ada Lund paid." not in told("Summarise the paper.")


def test_a_sentence_with_all_of_a_question_is_surer() -> None:
    index = SearchIndex(
        [Passage("1", "Red moss splits slate."), Passage("2", "Tin is light."), Passage("3", "Rain falls.")]
    )

    def sure(question: str) -> float:
        ranked = rank(asked(question), index)
        return confidence(ranked, ranked[0], asked(question), index)

    assert sure("Does red moss split slate?") > sure("Does red moss split granite in winter nights?")
    assert 0 < sure("Is tin heavy in Norway on Sundays?") < 0.5


@pytest.mark.parametrize("text", ["which is the most ", "does it not ", "12% of 5 days ", "TMI (", "why, "])
def test_hostile_questions_take_no_time(text: str) -> None:
    def work(text: str) -> None:
        need = asked(text)
        verdict(text, text)
        false_number(text, text)
        mended(text, PAPER)
        for kind in need.kinds:
            own_words(text, kind)
            expand(text, kind, PAPER)

    assert linear(work, text * 200)
