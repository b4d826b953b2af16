"""Forms of one word: spelling, endings, longer forms; and those that only begin alike."""

from __future__ import annotations

import pytest

from kag.read.checking.rules.lexicon import is_irregular, lexicon, stem
from kag.read.checking.rules.parts import is_same
from kag.read.checking.rules.words import words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("store", "storag"), ("vegf", "vegfa"), ("abcd", "abcdefgh"), ("tumor", "cancer"), ("ride", "rides"),
        ("grade", "gradient"), ("oakwo", "oakwood"), ("ice", "ice"),
    ],
)  # fmt: skip
def test_what_is_one_word(one: str, other: str) -> None:
    assert is_same(one, other)
    assert is_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("veg", "vegf"),  # three letters are too few
        ("abcd", "abcdefghi"),  # five more are too many
        ("cell", "cell1"), ("p53", "p53a"), ("ab-c", "ab-cd"), ("rate", "ratio"), ("ice", "iceberg"),
        ("stove", "storag"), ("tumor", "owl"),
    ],
)  # fmt: skip
def test_what_only_begins_alike(one: str, other: str) -> None:
    assert not is_same(one, other)
    assert not is_same(other, one)


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("organised", "organized"), ("organisation", "organization"), ("analysed", "analyzed"), ("colour", "color"),
        ("vapour", "vapour"), ("anaemia", "anemia"), ("paediatric", "pediatric"), ("aetiology", "etiology"),
        ("oedema", "edema"), ("oestrogen", "estrogen"), ("foetus", "fetus"), ("centre", "center"), ("fibre", "fiber"),
        ("polarised", "polarizes"), ("paralysing", "paralyzed"), ("leukaemia", "leukemia"), ("litres", "liter"),
    ],
)  # fmt: skip
def test_spellings(british: str, american: str) -> None:
    assert stem(british) == stem(american)


@pytest.mark.parametrize(("word", "kept"), [("dour", "dour"), ("four", "four"), ("rise", "rise"), ("hour", "hour")])
def test_short_words_are_spelt_alike_everywhere(word: str, kept: str) -> None:
    assert stem(word) == kept


def test_forms_of_verbs() -> None:
    assert stem("Lost") == stem("loses") == "lose"
    assert (stem("owl's"), stem("owls'")) == ("owl", "owl")
    assert is_irregular("Fell")
    assert not is_irregular("fall")


def test_words_on_both_sides_of_a_scale_are_on_it_once_each() -> None:
    known = lexicon()
    assert known.opposites[("rise",)] != known.opposites[("fall",)]
    assert all({side for _, side in sides} <= {1, -1} for sides in known.opposites.values())
    assert all(len(set(sides)) == len(sides) for sides in known.opposites.values())


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("45 and 31 days", [(45, "s"), (31, "s")]),
        ("45, 31, and 12 h", [(45, "s"), (31, "s"), (12, "s")]),
        ("45, 31 days", [(45, ""), (31, "s")]),  # commas alone make no list
        ("45 instead of 31 days", [(45, "s"), (31, "s")]),
        ("45 or 31 kg", [(45, "g"), (31, "g")]),
        ("in 2019 and 30 days", [(2019, ""), (30, "s")]),  # no year has a unit
        ("2 and 3 times", [(2, ""), (3, "x")]),
        ("45 and owls 31 kg", [(45, ""), (31, "g")]),
        ("45 to", [(45, "")]),
        ("45 and", [(45, "")]),
        ("-5 °C", [(-5, "°C")]),
        ("were -5 m", [(-5, "m")]),
        ("10 -5 m", [(10, "m"), (5, "m")]),
        ("5-7 m", [(5, "m"), (7, "m")]),
        ("1.5e3 m", [(1500, "m")]),
        ("3 x 10^4 m", [(30000, "m")]),
        ("3(2) m", [(3, "m")]),
        ("5 percent, 6 %, 7 per cent", [(5, "%"), (6, "%"), (7, "%")]),
        ("US$ 30, US$40, US dollars 50", [(30, ""), (40, ""), (50, "")]),
        ("1 in 5 eggs", [(20, "%")]),
        ("5 in 1 eggs", [(5, ""), (1, "")]),
        ("0 in 5 eggs", [(0, ""), (5, "")]),
        ("1 in 5 mm deep", [(1, ""), (5, "m")]),
        ("two thirds of a half of it", [(200 / 3, "%"), (50, "%")]),
        ("twenty-five, thirty and one", [(25, ""), (30, "")]),
        ("one of one day", [(1, ""), (1, "s")]),
        ("89Zr and 5 m", [(5, "m")]),
        ("three hundred thousand eels", [(300, "")]),
        ("2 million eels", [(2e6, "")]),
    ],
)
def test_numbers_and_units(text: str, read: list[tuple[float, str]]) -> None:
    found = [(word.printed or word.value, word.unit) for word in words(text) if word.is_number]
    assert [unit for _, unit in found] == [unit for _, unit in read]
    assert [value for value, _ in found] == pytest.approx([value for value, _ in read])
