"""Where in its series a work was printed, from the numbers behind its title."""

from __future__ import annotations

import pytest

from kag.indexing.references.place import Place, read_place


def told(place: Place) -> tuple[str, str, str, str, str]:
    return place.volume, place.issue, place.first, place.last, place.year


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("J. Cold Phys. 12 (1978), no. 3, 214-216", ("12", "3", "214", "216", "1978")),
        ("vol. 3, no. 5, pp. 61-64, 2010", ("3", "5", "61", "64", "2010")),
        ("65, 044006 (2002)", ("65", "", "044006", "", "2002")),
        ("2015;36:198–216", ("36", "", "198", "216", "2015")),
        ("2015;36(4):198–216.", ("36", "4", "198", "216", "2015")),
        ("Bd. 7, S. 12–19, 1931", ("7", "", "12", "19", "1931")),
        ("33(12): 1764-1766", ("33", "12", "1764", "1766", "")),
        ("第33卷第12期, 1764-1766页, 2017", ("33", "12", "1764", "1766", "2017")),
        ("PLoS ONE 7(3), e12345, 2012", ("7", "3", "e12345", "", "2012")),
        ("Ice 4(2), 33–41 (2012)", ("4", "2", "33", "41", "2012")),
        ("p. 17", ("", "", "17", "", "")),
        ("(2003) 5: 44", ("5", "", "44", "", "2003")),
        ("Art. no. 1234", ("", "", "1234", "", "")),
        ("3, Article 77", ("3", "", "77", "", "")),
        ("12 (Suppl 3):S4-S9. 1999", ("12", "Suppl 3", "S4", "S9", "1999")),
        ("4 May 2001; 5: 6-7", ("5", "", "6", "7", "2001")),
        ("12, 2003, 55-60", ("12", "", "55", "60", "2003")),
        ("Oct 2001, vol 9, 5", ("9", "", "5", "", "2001")),
        ("1999a; 3:1-9", ("3", "", "1", "9", "1999")),
        ("2001:17", ("", "", "17", "", "2001")),
        ("17, 2001", ("17", "", "", "", "2001")),
        ("1998", ("", "", "", "", "1998")),
        # what says nothing: a bare number, years alone, an issue of nothing
        ("in 1990-1995", ("", "", "", "", "")),
        ("7", ("", "", "", "", "")),
        ("44123", ("", "", "", "", "")),
        ("no. 4", ("", "", "", "", "")),
        ("", ("", "", "", "", "")),
    ],
)
def test_a_place(text: str, found: tuple[str, str, str, str, str]) -> None:
    assert told(read_place(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1998", ("", "", "", "", "")),
        ("2001:17", ("2001", "", "17", "", "")),
        ("2001, 5", ("2001", "", "5", "", "")),
        ("17, 2001", ("17", "", "2001", "", "")),
        ("2015;36:198–216", ("36", "", "198", "216", "2015")),
    ],
)
def test_where_the_year_is_known_a_number_like_one_is_a_volume_or_page(text: str, found: tuple[str, ...]) -> None:
    assert told(read_place(text, dated=True)) == found


def test_the_numbers_of_a_title_are_no_place() -> None:
    found = read_place("Losses in 12 lakes of the north. J. Ice 4, 33–41 (2012)")
    assert told(found) == ("4", "", "33", "41", "2012")
    assert "Losses in 12 lakes of the north. J. Ice 4"[: found.start] == "Losses in 12 lakes of the north. J. Ice "


def test_a_place_says_whether_words_or_brackets_name_its_numbers() -> None:
    assert read_place("vol. 3, pp. 1-9").labelled
    assert read_place("3(2):1-9").labelled
    assert not read_place("2015;36:198").labelled
    assert read_place("2015;36:198").placed
    assert not read_place("1998").placed
    assert (read_place("").start, read_place("").end) == (-1, -1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # a number alone says nothing, wherever it stands beside a place
        ("Ice 7 on lakes, pp. 3-4, 2001", ("", "", "3", "4", "2001")),
        ("pp. 3-4, 2001, of the lakes (7)", ("", "", "3", "4", "2001")),
        ("pp. 3-4, 2001, of lakes 7", ("", "", "3", "4", "2001")),
        # two that complete each other are one place
        ("Ice, 3(2), of the lakes 2001", ("3", "2", "", "", "2001")),
        ("pp. 3-4, by it, vol. 5(6)", ("5", "6", "3", "4", "")),
        ("no. 4, pp. 3-4, by it, vol. 5", ("5", "4", "3", "4", "")),
        ("no. 4, pp. 3-4, by it, vol. 5(6)", ("5", "4", "3", "4", "")),
        ("5(6), by it, 77-8", ("5", "6", "77", "8", "")),
        ("5(6), by it, 77", ("5", "6", "", "", "")),
        # ... but not over a sentence, a quotation or many words
        ("3 (4), and. See pp. 6-7", ("", "", "6", "7", "")),
        ("3 (4), “ice”, pp. 6-7", ("", "", "6", "7", "")),
        ('3 (4) "ice" pp. 6-7', ("", "", "6", "7", "")),
        (f"3(4) {'x' * 83} pp. 6-7", ("3", "4", "6", "7", "")),
        (f"3(4) {'x' * 88} pp. 6-7", ("", "", "6", "7", "")),
        # years
        ("in 1999. 2001", ("", "", "", "", "2001")),
        ("1999, 2001", ("2001", "", "", "", "1999")),
        ("45:2001", ("45", "", "2001", "", "")),
        ("2001;45:2001-9", ("45", "", "2001", "9", "2001")),
        ("1998, 12, 1999", ("1998", "", "12", "", "1999")),
        ("1999–03, 12", ("12", "", "1999", "03", "")),
        ("Ice of 1999–03", ("", "", "", "", "")),
        # the order of numbers without a label
        ("3:4:5", ("3", "", "4", "", "")),
        ("12, 13, 3-4", ("12", "13", "3", "4", "")),
        ("12, 3-4, 5-6", ("12", "", "3", "4", "")),
        ("12 (2) (3) 4-5", ("12", "2", "4", "5", "")),
        ("12345, 2001", ("", "", "12345", "", "2001")),
        ("1234, 2001", ("1234", "", "", "", "2001")),
        ("第3卷第4期第5-6页", ("3", "4", "5", "6", "")),
        ("Paper 44, 3 (2001)", ("3", "", "44", "", "2001")),
    ],
)
def test_what_makes_a_place(text: str, found: tuple[str, str, str, str, str]) -> None:
    assert told(read_place(text)) == found


def test_a_place_is_bounded_by_its_numbers() -> None:
    text = "Ice on it, vol. 3, no. 2, pp. 4-5 (2001), Oslo"
    place = read_place(text)
    assert text[place.start : place.end] == "vol. 3, no. 2, pp. 4-5 (2001)"
    far = "Rivers of all the lakes of the north in winter, vol. 3"
    assert far[read_place(far).start :] == "vol. 3"
