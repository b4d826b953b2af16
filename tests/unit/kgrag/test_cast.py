"""The cast of a story: which names are persons and places, and which names mean one person."""

from __future__ import annotations

import pytest

from kag.kgrag.story.cast import cast_of, joined


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Then Mr. Darcy smiled. Darcy said that he had a horse.", [("Mr. Darcy", "Darcy")]),
        ("Old Anna Berg sat down. Anna laughed, and Miss Berg wept.", [("Old Anna Berg", "Miss Berg", "Anna")]),
        ("Mr. Bennet spoke. Mrs. Bennet wept.", [("Mr. Bennet",), ("Mrs. Bennet",)]),
        ("It was a Monday in May, and the English were glad.", []),
        ("Never was there such rain. Never!", []),
        ("They dined at the “Three Crowns,” and slept.", []),
        ("", []),
    ],
)
def test_persons_are_named(text: str, names: list[tuple[str, ...]]) -> None:
    assert sorted((person.name, *person.aliases) for person in cast_of(text).characters) == sorted(names)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("She lived in Lindow, and went to Temple Bar.", ("Lindow", "Temple Bar")),
        ("He walked to Lincoln's Inn.", ("Lincoln's Inn",)),
        ("They rode past the village of Rabenau to Lake Leman.", ("Rabenau", "Lake Leman")),
        ("He had seen Norway, Thule and Zembla.", ("Norway", "Thule", "Zembla")),
        ("Florence rose, and Florence said nothing.", ()),
    ],
)
def test_places_are_named(text: str, places: tuple[str, ...]) -> None:
    assert cast_of(text).places() == places


def test_a_name_that_two_may_bear_stays_apart() -> None:
    assert joined({"Tom Hill": 2, "Tom Berg": 2, "Tom": 1}) == (("Tom Berg",), ("Tom Hill",), ("Tom",))


def test_genders_are_those_of_titles_and_given_names() -> None:
    cast = cast_of("Lady Reed said so. Otto said no.")
    assert {person.name: person.gender for person in cast.characters} == {"Lady Reed": "woman", "Otto": "man"}


@pytest.mark.parametrize("text", ["\x00\ud800 “", "'" * 999, "A. B. C. D. " * 50, "安娜说：“来。”", "—" * 50])
def test_odd_texts_do_no_harm(text: str) -> None:
    assert all(0 <= mention.start < mention.end <= len(text) for mention in cast_of(text).mentions)
