"""What the words beside a number, a verb or a denial make of it: by texts that each is for, and others."""

from __future__ import annotations

import pytest

from kag.read.checking.rules.directions import turns
from kag.read.checking.rules.figures import ends, is_each, is_whole
from kag.read.checking.rules.number import bound_of
from kag.read.checking.rules.reach import denials_of
from kag.read.checking.rules.roles import _around, _is_passive, _is_verb, than
from kag.read.checking.rules.stated import stated_cell
from kag.read.checking.rules.tallies import _lists
from kag.read.checking.rules.words import words
from kag.values.verdict import Quote


def place(text: str, word: str) -> int:
    return next(at for at, one in enumerate(words(text)) if one.text == word)


@pytest.mark.parametrize(
    ("text", "number", "found"),
    [
        ("from 4 to 72 m", "4", (4, 72)), ("from 4 to 72 m", "72", (4, 72)), ("between 4 and 72 m", "72", (4, 72)),
        ("of 4 to 72 m", "4", ()), ("from 4 and 72 m", "4", ()), ("4 to 72 m", "4", ()), ("between 4 to 72", "4", ()),
        ("of 1999 to 2004", "1999", (1999, 2004)), ("in 1999 - 2004", "2004", (1999, 2004)), ("of 4 - 72 m", "4", ()),
        ("with 1999 and 2004", "1999", ()),
    ],
)  # fmt: skip
def test_the_ends_of_a_range(text: str, number: str, found: tuple[float, ...]) -> None:
    assert ends(words(text), place(text, number)) == found


@pytest.mark.parametrize(
    ("text", "number", "is_so"),
    [
        ("no two sites", "two", True), ("any two sites", "two", True), ("each of two years", "two", True),
        ("in no two", "two", True), ("of two years", "two", False), ("no the two", "two", False),
        ("one of the owls", "one", True), ("one of 3 owls", "one", False), ("one of the 3 owls", "one", False),
    ],
)  # fmt: skip
def test_numbers_that_only_go_through_things(text: str, number: str, is_so: bool) -> None:
    assert is_each(words(text), place(text, number)) == is_so


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("9 of the 36 owls", True), ("9 of 36", True), ("9 of all 36", True), ("9 in 36", False), ("40 of 36", False),
        ("9 of 36 kg", False), ("owls of 36", False), ("9 of 36 and 50 bats", False), ("9 of 36 m and 1999", False),
        ("9 of 36 in 1999", True),
    ],
)  # fmt: skip
def test_the_whole_of_a_share(text: str, is_so: bool) -> None:
    assert is_whole(words(text), place(text, "36")) == is_so


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("over 3", 1), ("above the 3", 1), ("at least 3", 1), ("least 3", 0), ("more than 3", 1),
        ("not less than 3", 1),
        ("no fewer than 3", 1), ("never below 3", 1), ("more than a 3", 1), ("at most 3", -1), ("fewer than 3", -1),
        ("no more than 3", -1), ("not over 3", -1), ("up to 3", -1), ("nearly 3", -1), ("to 3", 0), ("than 3", 0),
        ("of 3", 0), ("3", 0),
    ],
)  # fmt: skip
def test_bounds(text: str, bound: int) -> None:
    assert bound_of(words(text), len(words(text)) - 1) == bound


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("more than bats", 1), ("less than 3 g", None), ("higher than those of bats", 1), ("above those of bats", 0),
        ("above ground", None), ("compared with bats", 0), ("compared to bats", 0), ("compared bats", None),
        ("relative to bats", 0), ("owls versus bats", 1), ("owls vs bats", 1),
    ],
)  # fmt: skip
def test_where_the_second_of_two_begins(text: str, found: int | None) -> None:
    assert than(words(text)) == found


@pytest.mark.parametrize(
    ("text", "word", "is_verb"),
    [
        ("foxes chase hares", "chase", True), ("a fox chases hares", "chases", True),
        ("foxes quickly chase hares", "chase", True), ("foxes did chase hares", "chase", True),
        ("mice fed oats", "fed", True), ("women see hares", "see", True),
        ("foxes are chased by hares", "chased", True), ("foxes were often chased by hares", "chased", True),
        ("the chase of hares", "chase", False), ("foxes are chased often", "chased", False),
        ("foxes chase", "chase", False), ("foxes chase , hares", "chase", False), ("foxes chase is", "chase", False),
        ("foxes chase of", "chase", False), ("fox chase hares", "chase", False),
        ("foxes 3 chase hares", "chase", False),
        ("foxes chase trained hares", "chase", False), ("men through hares", "through", False),
        ("men Chase hares", "Chase", False), ("Chase foxes hares", "Chase", False), ("owls men hares", "men", False),
        ("mice treated with oats were dead", "treated", False), ("mice treated oats and were dead", "treated", True),
        ("mice treated oats , were dead", "treated", True), ("mice treated oats but were dead", "treated", True),
    ],
)  # fmt: skip
def test_where_a_verb_stands(text: str, word: str, is_verb: bool) -> None:
    assert _is_verb(words(text), place(text, word)) == is_verb


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("foxes chased by hares", True), ("foxes chased often by hares", True),
        ("foxes chased quickly by hares", True),
        ("foxes chased hares by night", False), ("foxes chased at the by hares", True), ("foxes chased hares", False),
        ("foxes chased at the of by hares", False),
    ],
)  # fmt: skip
def test_who_does_it_behind_by(text: str, is_so: bool) -> None:
    assert _is_passive(words(text), place(text, "chased")) == is_so


def test_the_two_sides_of_a_word_end_with_its_clause() -> None:
    text = words("bats fly; foxes often chase hares, but owls sleep")
    left, right = _around(text, place("bats fly; foxes often chase hares, but owls sleep", "chase"))
    assert [word.text for word in left] == ["foxes", "often"]
    assert [word.text for word in right] == ["hares", ","]


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("owls, bats and mice", [3]), ("owls, bats, and mice", [3]), ("owls, bats, mice and rats", [4]),
        ("owls and mice", []), ("owls; bats and mice", []), ("a b c d, e f g h and i", [3]),
        ("a b c d, e f g h i and j", []), ("x, owls or bats", [3]), ("and owls", []),
    ],
)  # fmt: skip
def test_how_many_things_a_sentence_lists(text: str, lengths: list[int]) -> None:
    assert list(_lists(words(text))) == lengths


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("owls did not swim in lakes", ["swim in lakes"]), ("no owl", ["owl"]), ("no more owls", ["more owls"]),
        ("none of it", ["of it"]), ("owls don't swim", ["swim"]), ("neither owls nor bats", ["owls", "bats"]),
        ("owls , but not bats , swim", ["bats"]), ("owls but not bats swim", ["bats swim"]),
        ("owls , but not old bats , swim", ["old bats"]), ("not the owls, and bats", ["the owls"]),
        ("not owls, bats", ["owls , bats"]), ("no owl , no bat", ["owl ,", "bat"]),
        ("owls without bats in lakes", ["bats"]),
        ("without a b c d e f g h", ["a b c d e f"]), ("not that which swims", ["that"]),
        ("not owls of which bats", ["owls of which bats"]), ("never owls yet not bats", ["owls", "bats"]),
        ("not only owls", []), ("no. 7", []), ("no 7", []), ("no more than 3", []), ("no longer than a minute", []),
        ("or not owls", []),
    ],
)  # fmt: skip
def test_how_far_a_denial_reaches(text: str, denied: list[str]) -> None:
    found = denials_of(words(text))
    assert [" ".join(word.text for word in words(text)[one.start : one.end]) for one in found] == denied


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("less abundant", [("amount", -1, "less")]), ("most abundant", [("extreme", 1, "most")]), ("at most 3", []),
        ("top 10", []), ("top speed", [("extreme", 1, "top")]), ("above average", [("amount", 1, "above")]),
        ("above the mean of it", [("amount", 1, "above")]), ("above all the mean", [("amount", 1, "above")]),
        ("above all of the mean", []), ("4 m deep", []), ("deep lake", [("depth", -1, "deep")]), ("important", []),
        ("maximised", []), ("did not rise", [("change", -1, "rise")]), ("rose", [("change", 1, "rose")]),
    ],
)  # fmt: skip
def test_words_on_a_scale(text: str, found: list[tuple[str, int, str]]) -> None:
    assert [(one.scale, one.side, one.text) for one in turns(words(text))] == found


ROW = Quote("LEAP [3] | 0.62 | 5 ± 2", "row", headers=("Method", "Error", "Size"), cells=("LEAP [3]", "0.62", "5 ± 2"))


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("LEAP | Error | 0.62", (True, "0.62")), ("Table 2: LEAP | Error | 0.71", (False, "0.62")),
        (": LEAP | Error | 0.62", (True, "0.62")), ("LEAP | Size | 5 ± 2", (True, "5 ± 2")),
        ("LEAP | Size | 5 ± 3", (False, "5 ± 2")), ("LEAP: x | Error | 0.62", None),
        ("a: b: LEAP | Error | 0.62", None),
        ("LEAP | Error", None), ("LEAP | Error | 0.62 | x", None), ("OWL | Error | 0.62", None),
    ],
)  # fmt: skip
def test_a_cell_as_it_is_stated(claim: str, found: tuple[bool, str] | None) -> None:
    assert stated_cell(claim, [ROW]) == found


def test_a_row_whose_name_has_a_colon() -> None:
    row = Quote("a: b | 1", "row", headers=("Method", "Error"), cells=("a: b", "1"))
    assert stated_cell("T: a: b | Error | 1", [row]) == (True, "1")
    assert stated_cell("a: b | Error | 1", [row]) == (True, "1")
