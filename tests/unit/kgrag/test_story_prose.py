"""Stories in prose: persons and places, who is one, who speaks."""

from __future__ import annotations

import pytest

from kag.kgrag.story.prose.cast import Cast, cast_of, with_speakers
from kag.kgrag.story.prose.people import joined
from kag.kgrag.story.prose.tokens import tokens_of


def people(text: str) -> list[tuple[str, ...]]:
    return [(one.name, *one.aliases) for one in cast_of(text).characters]


def speakers(text: str) -> list[tuple[str, str]]:
    return [(one.speaker, one.by) for one in with_speakers(cast_of(text)).speeches]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Then Mr. Darcy smiled. Darcy had a horse.", [("Mr. Darcy", "Darcy")]),
        ("Old Anna Berg sat down. Anna laughed, and Miss Berg wept.", [("Anna Berg", "Miss Berg", "Anna")]),
        ("Mr. Bennet spoke. Mrs. Bennet wept.", [("Mr. Bennet",), ("Mrs. Bennet",)]),
        ("Mr. and Mrs. Smith came.", [("Mr. Smith",), ("Mrs. Smith",)]),
        ("They sent for Tom. Thomas Hill came.", [("Thomas Hill", "Tom")]),
        ("He met Jane Reed and Eliza Reed. Then Reed rose.", [("Eliza Reed",), ("Jane Reed",), ("Reed",)]),
        ("She saw Lady Reed and Anna Reed.", [("Anna Reed",), ("Lady Reed",)]),
        ("A friend of King George II spoke.", [("King George II",)]),
        ("It was a Monday in May, and the English were glad.", []),
        ("Never was there such rain. Never!", []),
        (
            "It was told of Edward the Second, and of William the Conqueror.",
            [("Edward the Second",), ("William the Conqueror",)],
        ),
        ("Call me Ishmael. The village was small.", [("Ishmael",)]),
        ("He looked at Brandwyn, and at the stove.", [("Brandwyn",)]),
        ("They met Black Michael in a black coat.", [("Black Michael",)]),
        ("The rage of Brandwyn at not seeing his face was great.", [("Brandwyn",)]),
        ("What did Brandwyn want?", [("Brandwyn",)]),
        ("They sailed on the Fuwalda. The Fuwalda was old, and the Fuwalda had no boats.", []),
        ("They dined at the “Three Crowns,” and slept.", []),
        ("He wore a scarlet Navajo, and his hat was grey.", []),
        ("", []),
    ],
)
def test_persons_are_named(text: str, names: list[tuple[str, ...]]) -> None:
    assert sorted(people(text)) == sorted(names)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("She lived in Lindow, and went to Temple Bar.", ("Lindow", "Temple Bar")),
        ("He walked to Lincoln's Inn.", ("Lincoln's Inn",)),
        ("They rode past the village of Rabenau to Lake Leman.", ("Rabenau", "Lake Leman")),
        ("He had seen Norway, Thule and Zembla.", ("Norway", "Thule", "Zembla")),
        ("He looked at Anna, and Anna smiled.", ()),
        ("Florence rose, and Florence said nothing.", ()),
        ("The heir of Charles Berg, Esq. of Uppercross, came.", ("Uppercross",)),
    ],
)
def test_places_are_named(text: str, places: tuple[str, ...]) -> None:
    assert cast_of(text).places() == places


def test_a_name_that_two_may_bear_is_nobody_elses() -> None:
    assert joined({"Tom Hill": 2, "Tom Berg": 2, "Tom": 1}) == (("Tom Berg",), ("Tom Hill",), ("Tom",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"Come," said Anna.', [("Anna", "tag")]),
        ('"Come!" Anna cried. "Now, Otto, now!"', [("Anna", "tag"), ("Anna", "same")]),
        ('Anna said, "Come."', [("Anna", "tag")]),
        ('Anna met Otto. "Come," he said.', [("Otto", "tag")]),
        ('Anna met Otto. "Come," she said.', [("Anna", "tag")]),
        ('"Come," said the old miller.', [("the old miller", "tag")]),
        ('"Come," bellowed Anna.', [("Anna", "tag")]),
        ("“Come,” I answered.", [("I", "tag")]),
        ('Anna smiled. "Come."', [("Anna", "act")]),
        (
            '"Come," said Anna.\n\n"No," said Otto.\n\n"Why?"\n\n"It rains."',
            [("Anna", "tag"), ("Otto", "tag"), ("Anna", "turn"), ("Otto", "turn")],
        ),
        ('"Will you, Otto?" asked Anna. "Yes, Anna."', [("Anna", "tag"), ("Otto", "turn")]),
        ("‘Come,’ said Anna; ‘it rains.’", [("Anna", "tag"), ("Anna", "same")]),
        ('"Come," said little Anna.', [("Anna", "tag")]),
        ('"Come," said a hard-featured dame.', [("the hard-featured dame", "tag")]),
        ('Anna put a hand into Otto\'s pocket, and said, "Come."', [("Anna", "tag")]),
        ('"Come," said another. "Anna is here."', [("", ""), ("", "")]),
        ('A boy stood by Anna. "Boy, take the basket!"', [("", "")]),
        ('"Come," glowed Anna, "it rains."', [("Anna", "tag"), ("Anna", "same")]),
        ('"Come."', [("", "")]),
        ('He wrote "poor" on the wall', [("", "")]),
    ],
)
def test_speeches_have_speakers(text: str, said: list[tuple[str, str]]) -> None:
    known = "Anna and Otto were here. " if "Otto" in text else ""
    assert speakers(known + text) == said


def test_dashes_open_speeches_where_nothing_else_does() -> None:
    """A speech ends at its tag and goes on behind it; what somebody did is told, and a dash within is none."""
    text = (
        "Anna and Otto stood on the tower. — Thanks, old chap, Otto said briskly. That will do. He came down.\n\n"
        "— No! said Anna. I wait — as ever — for you.\n\nIt rained.\n\n— And the boat?\n\n— Gone."
    )
    cast = with_speakers(cast_of(text))
    assert [(text[one.start : one.end], one.speaker) for one in cast.speeches] == [
        ("— Thanks, old chap,", "Otto"),
        ("That will do.", "Otto"),
        ("— No!", "Anna"),
        ("I wait — as ever — for you.", "Anna"),
        ("— And the boat?", "Otto"),
        ("— Gone.", "Anna"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "He sat down. — He rose. — He fell.",  # two are no custom
        '"Come!" — He went. — "No!" — He came. — "Yes."',
        "the inn — the mill — the ford — the tower",
        "",
        "—",
        "— — — — —",
        "— A\n\n— B\n\n— C",
    ],
)
def test_dashes_of_all_kinds_are_survived(text: str) -> None:
    cast = with_speakers(cast_of(text))
    assert all(one.start < one.end <= len(text) for one in cast.speeches)
    assert bool(cast.speeches) == (text.startswith("— A") or '"' in text)


def test_tokens_know_what_begins_a_sentence() -> None:
    found = tokens_of('Mr. Hill came. "Go!" he said.\n\nThen 3.5 Anna\'s came--fast.')
    assert [token.text for token in found if token.begins and token.text[0].isalnum()] == [
        "Mr.",
        "Go",
        "he",
        "Then",
        "fast",
    ]
    assert [token.text for token in found if token.fresh] == ["Then"]
    assert found[-2].text == "fast"


@pytest.mark.parametrize(
    "text",
    [
        "\x00\ud800 “",
        "'" * 999,
        "A. B. C. D. " * 50,
        "Anna said Anna said " * 200,
        "安娜说：“来。”",
        "Анна сказала: «Да».",
        "—" * 50,
    ],
)
def test_odd_texts_do_no_harm(text: str) -> None:
    cast: Cast = with_speakers(cast_of(text))
    assert all(0 <= one.start < one.end <= len(text) for one in (*cast.mentions, *cast.speeches))
