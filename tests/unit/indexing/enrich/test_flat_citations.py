"""Numbers that lost their raising: where they may stand, and when they are believed."""

import pytest

from kag.indexing.enrich.numeric_citations import flat_marks

WORDS = ("rivers", "lakes", "winter", "spring", "sensors", "floods", "storms", "glaciers", "valleys", "forests")


def counted(*numbers):
    """A text that cites numbers at the ends of clauses."""
    return " ".join(f"We saw {word} {number} ." for word, number in zip(WORDS * 3, numbers, strict=False))


def read(*texts, limit=99):
    return [number for _, mark in flat_marks(texts, limit) for number in mark.numbers]


def test_eight_that_count_are_a_proof():
    assert read(counted(*range(1, 9))) == [*range(1, 9)]
    assert read(counted(*range(1, 8))) == []
    assert read(counted("1-4", "5", "6", "7", "8", "9", "10")) == [], "eight references, and eight places too"
    assert read(counted(1, 1, 1, 2, 3, 4, 5, 6, 7)) == []


def test_six_of_ten_of_the_list_must_be_cited():
    assert read(counted(1, 2, 3, 4, 5, 6, 7, 8, 15)) == [1, 2, 3, 4, 5, 6, 7, 8, 15]  # nine of fifteen
    assert read(counted(1, 2, 3, 4, 5, 6, 7, 8, 16)) == []


def test_six_of_ten_places_must_count():
    others = (90, 70, 80, 60, 55)
    assert read(counted(*others, *range(1, 9))) == [*range(1, 9)]  # eight of thirteen
    assert read(counted(95, *others, *range(1, 9))) == []  # of fourteen


@pytest.mark.parametrize(("words", "cites"), [
    ("We saw ice sheets 9 .", True),
    ("We saw ice (of lakes) 9 .", True),
    ("We saw it.9 Later it froze.", True),
    ("We saw it. 9 Later it froze.", True),
    ("We saw mice, 9 rats.", True),
    ("We saw mice 9–10 and rats.", True),
    ("We saw mice 9 and rats.", True),
    ("as in Fig. 9 .", False),
    ("of table 9 .", False),
    ("a total of 9 .", False),
    ("for all days 9 .", False),
    ("of chromosome 9 .", False),
    ("We saw mice, 9 mice.", False),
    ("We saw mice 9 cats.", False),
    ("We saw an X 9 .", False),
    ("We saw sheets 90 .", False),  # beyond the list
    ("We saw sheets 9–31 .", False),  # too many at once
])  # fmt: skip
def test_places(words, cites):
    assert (9 in read(counted(*range(1, 9)), words, limit=40)) == cites


@pytest.mark.parametrize(("last", "cited"), [(28, True), (29, False)])
def test_no_place_cites_more_than_twenty(last, cited):
    assert (9 in read(counted(*range(1, 9)), f"We saw sheets 9-{last} .")) == cited


@pytest.mark.parametrize(("words", "cites"), [
    ("We saw X5 9 .", True),
    ("We saw all derivatives 9 .", True),
    ("It was seen (in 2002).9 A lake froze.", True),
    ("We saw cyanides9a and more.", True),
    ("as in Fig. 9 .", False),
    ("We saw X5 7 .", False),  # cited before: it was not passed over
    ("We saw an X 19 .", False),  # too far ahead
])  # fmt: skip
def test_a_number_that_the_count_passed_over_is_believed_in_a_poorer_place(words, cites):
    text = f"{counted(1, 2, 3, 4, 5, 6, 7, 8)} {words} {counted(10, 11, 12, 13, 14, 15, 16, 17, 18, 20)}"
    before = [1, 2, 3, 4, 5, 6, 7, 8]
    behind = [10, 11, 12, 13, 14, 15, 16, 17, 18, 20]
    assert read(text) == [*before, *([9] if cites else []), *behind]


def test_the_end_of_a_clause_may_cite_out_of_turn():
    assert read(counted(1, 2, 3, 6, 4, 5, 7, 8, 9, 10)) == [1, 2, 3, 6, 4, 5, 7, 8, 9, 10]
