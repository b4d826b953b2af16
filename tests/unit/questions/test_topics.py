"""Questions on a library that are read in part: which papers they name, and what is asked of whom."""

from __future__ import annotations

import pytest

from kag.questions.papers import KnownPaper, named_papers
from kag.questions.topics import read_topic
from tests.growth import linear
from tests.unit.questions import told

ICE = KnownPaper("ice_2019", "Sensors under the thick ice of rivers", "2019", "lima")
FOG = KnownPaper("fog", "Fog over harbours: what sailors see", "2020", "lima")
SNOW = KnownPaper("snow", "Snow on the roofs", "2020", "ostmark")
MOSS = KnownPaper("moss_1", "Moss on the piers of northern bridges", "2018", "holm")
RAIN = KnownPaper("rain_2", "Rain and what becomes of it", "2021", "vik")
DEW = KnownPaper("dew_3", "Dew on the roofs of northern towns", "2018", "holm")
TWINS = tuple(KnownPaper(name, "Wind at the mouths of the great caves") for name in ("a1", "a2"))
ALL = (ICE, FOG, SNOW, MOSS, RAIN, DEW, *TWINS)


def said(question: str) -> tuple[str, str] | None:
    topic = read_topic(question, ALL)
    return (told.wish(topic.wish), topic.text) if topic else None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many figures does ice_2019 have?", [("ice_2019", "ice_2019")]),
        ("Is there fog at sea?", []),
        ("Fog is thick, is it?", []),
        ("İİİ of ice_2019?", [("ice_2019", "ice_2019")]),
        ("What does the paper fog say?", [("fog", "fog")]),
        ("What is in the paper “fog”?", [("fog", "fog")]),
        ("Does snow on the roofs melt?", []),
        (
            "Does “Snow on the roofs” agree with “Fog over harbours”?",
            [("snow", "Snow on the roofs"), ("fog", "Fog over harbours")],
        ),
        (
            "What do Östmark et al. (2020) say of Lima's 2019?",
            [("snow", "Östmark et al. (2020)"), ("ice_2019", "Lima's 2019")],
        ),
        ("What did Lima, Kay and Poe (2019) find?", [("ice_2019", "Lima, Kay and Poe (2019)")]),
        ("What did Kay and Lima (2019) find?", [("ice_2019", "Lima (2019)")]),
        ("What did Lima find in 2019?", []),
        ("What did Holm 2018 find?", []),
        ("How wet is the moss paper?", [("moss_1", "the moss paper")]),
        ("How wet is the northern bridges study?", [("moss_1", "the northern bridges study")]),
        ("How wet is the northern paper?", []),
        ("How wet is the first paper?", []),
        ("ice_2019 is not ICE_2019's wording", [("ice_2019", "ice_2019"), ("ice_2019", "ICE_2019")]),
        ("xice_2019 is no id, nor is ice_2019x", []),
    ],
)
def test_names_with_their_characters(question: str, found: list[tuple[str, str]]) -> None:
    assert [(one.paper, question[one.start : one.end]) for one in named_papers(question, ALL)] == found


@pytest.mark.parametrize(
    ("question", "paper", "text"),
    [
        ("How many figures does ice_2019 have?", "ice_2019", "How many figures does this paper have?"),
        ("How many figures does the paper ICE_2019 have?", "ice_2019", "How many figures does this paper have?"),
        ("What is in the paper “fog”?", "fog", "What is in this paper?"),
        ("In Sensors under the thick ice of rivers, what fails?", "ice_2019", "In this paper, what fails?"),
        ('In the article titled "Snow on the roofs", who fell?', "snow", "In this paper, who fell?"),
        ("What does “Fog over harbours” say?", "fog", "What does this paper say?"),
        ("What do Östmark et al. (2020) say?", "snow", "What do this paper say?"),
        ("What did Lima 2019 find?", "ice_2019", "What did this paper find?"),
        ("How wet is the moss paper?", "moss_1", "How wet is this paper?"),
        (
            "Does ice_2019 say more than ice_2019's title?",
            "ice_2019",
            "Does this paper say more than this paper's title?",
        ),
    ],
)
def test_of_one_paper(question: str, paper: str, text: str) -> None:
    assert said(question) == (f"paper(is '{paper}'/id)", text)


@pytest.mark.parametrize(
    ("question", "relation", "paper", "text"),
    [
        (
            "What do the papers that cite “Snow on the roofs” say about ice?",
            "cites",
            "snow",
            "What do they say about ice?",
        ),
        ("What do studies citing Lima et al. (2019) say of ice?", "cites", "ice_2019", "What do they say of ice?"),
        ("What do the works cited by “Snow on the roofs” say?", "cited in", "snow", "What do they say?"),
        ("What do articles which are cited in the moss paper say?", "cited in", "moss_1", "What do they say?"),
        ("What do papers that “Snow on the roofs” cites say?", "cited in", "snow", "What do they say?"),
    ],
)
def test_of_the_papers_around_one(question: str, relation: str, paper: str, text: str) -> None:
    assert said(question) == (f"paper({relation} [paper(is '{paper}'/id)])", text)


@pytest.mark.parametrize(
    ("question", "wish", "text"),
    [
        ("Which papers study moss on piers?", "paper(text 'moss on piers'/words)", "study moss on piers"),
        ("List all articles that deal with rain.", "paper(text 'rain'/words)", "deal with rain"),
        ("In which papers is rain measured?", "paper(text 'rain measured'/words)", "is rain measured"),
        ("Are there any papers about gulls?", "paper(text 'gulls'/words)", "about gulls"),
        ("Who wrote about gulls?", "paper(text 'gulls'/words)", "about gulls"),
        (
            "What methods do the papers use for drying moss?",
            "paper(text 'use for drying moss'/words) each paper",
            "What methods do use for drying moss",
        ),
        (
            "What does each paper say about rain?",
            "paper(text 'say about rain'/words) each paper",
            "What does say about rain",
        ),
        ("Compare the rain across all the papers.", "paper(text 'the rain'/words) each paper", "Compare the rain"),
        (
            "Compare the rain in moss_1 and rain_2.",
            "paper(any(is 'moss_1'/id | is 'rain_2'/id); text 'the rain in and'/words) each paper",
            "Compare the rain in and",
        ),
        (
            "How do Vik (2021) and the moss paper differ in rain?",
            "paper(any(is 'rain_2'/id | is 'moss_1'/id); text 'How do and in rain'/words) each paper",
            "How do and differ in rain",
        ),
        (
            "What did the work cited for the strength of ice find?",
            "work(cited in [paragraph(text 'the strength of ice'/words)])",
            "What did the work cited for the strength of ice find",
        ),
    ],
)
def test_of_papers_one_by_one(question: str, wish: str, text: str) -> None:
    assert said(question) == (wish, text)


@pytest.mark.parametrize(
    "question",
    [
        "How is rain held on a pier?",
        "What do works of stone weigh?",
        "What did the studies reveal of rain?",
        "Which reports of rain are late?",
        "Compare moss with rain.",
        "Where is “Snow on the roofs” cited?",
        "Which of us cites “Snow on the roofs”?",
        "What is in “Wind at the mouths of the great caves”?",
        "Compare the wind of “Wind at the mouths of the great caves” and rain_2.",
        "What did the work cited for the strength of ice weigh?",
    ],
)
def test_other_questions_are_not_read(question: str) -> None:
    assert said(question) is None


@pytest.mark.parametrize(
    "part",
    [
        "Lima-",
        "“the paper titled ",
        "Lima and ",
        "the paper that cites moss_1 ",
        "moss_1 and rain_2 ",
        "the papers ",
        "the a b c d ",
        "which papers that ",
        "papers mention about ",
        "works cited for ",
    ],
)
def test_reading_takes_time_in_proportion(part: str) -> None:
    assert linear(lambda text: read_topic(f"Which {text}", ALL), (part * 400)[:1900])
    assert read_topic(part * 4000, ALL) is None
