"""From labels to values: runs, and the rule of each field."""

import pytest

from kag.indexing.references.assembly import (
    Run,
    gather,
    longest,
    named,
    pages_in,
    people_in,
    runs,
    trimmed,
    value,
    year_in,
)
from kag.indexing.references.labeller import Labelled
from kag.indexing.references.parser import parse_reference
from kag.indexing.references.tokens import tokens


def labelled(*parts):
    """A text of parts (words, label), and its labels."""
    text = " ".join(words for words, _ in parts)
    row, labels = tokens(text), []
    for words, label in parts:
        labels += [label] * len(tokens(words))
    return text, Labelled(row, labels, [0.9] * len(row))


def test_marks_do_not_part_a_run_and_words_do():
    _, found = labelled(("Ice", "title"), (",", "O"), ("snow", "title"), ("and", "O"), ("fog", "title"))
    assert [(run.label, run.start, run.end) for run in runs(found)] == [("title", 0, 10), ("title", 15, 18)]


def test_a_run_is_as_sure_as_its_weakest_token():
    found = Labelled(tokens("Ice on lakes"), ["title"] * 3, [0.9, 0.4, 0.8])
    assert [run.sure for run in runs(found)] == [0.4]


def test_a_book_alone_is_the_work_and_beside_a_title_the_container():
    text, found = labelled(("Poe E.", "author"), ("Ice", "book"), ("2001", "date"))
    assert (gather(text, found).title, gather(text, found).container) == ("Ice", "")
    text, found = labelled(("Poe E.", "author"), ("Snow", "title"), ("In", "O"), ("Ice", "book"), ("2001", "date"))
    read = gather(text, found)
    assert (read.title, read.container, read.in_book) == ("Snow", "Ice", True)


def test_a_body_writes_or_publishes():
    text, found = labelled(("River Council.", "body"), ("Ice", "title"), ("2001", "date"))
    assert [name.family for name in gather(text, found).authors.people] == ["River Council"]
    text, found = labelled(
        ("Poe E.", "author"), ("Ice", "title"), (",", "O"), ("River Council", "body"), ("2001", "date")
    )
    read = gather(text, found)
    assert (str(read.authors.people[0]), read.publisher) == ("Poe, E", "River Council")


def test_a_year_without_label_is_the_last_that_stands_alone():
    text, found = labelled(("Poe E.", "author"), ("Ice of 1998", "title"), ("2001", "O"))
    assert gather(text, found).year == "2001"


@pytest.mark.parametrize(("text", "pages"), [
    ("1451–60", ("1451", "1460")), ("198--216", ("198", "216")), ("e17243", ("e17243", "")), ("S1–S16", ("S1", "S16")),
    ("12", ("12", "")), ("", ("", "")),
])  # fmt: skip
def test_pages(text, pages):
    assert pages_in(text) == pages


@pytest.mark.parametrize(("text", "year"), [
    ("2010a", ("2010", "a")), ("3 May 1999", ("1999", "")), ("in press", ("", "")), ("120001", ("", "")),
])  # fmt: skip
def test_years(text, year):
    assert year_in(text, Run("date", 0, len(text), 1.0)) == year


@pytest.mark.parametrize(("text", "words"), [
    (", “Ice on lakes,” ", "Ice on lakes"),
    ("“Ice” on lakes", "“Ice” on lakes"),
    ("Ice (on lakes).", "Ice (on lakes)"),
    (") Ice", "Ice"),
    ("Ice (", "Ice"),
    ("'Ice on lakes'", "Ice on lakes"),
    ("Is it ice?", "Is it ice?"),
    ("...", ""),
])  # fmt: skip
def test_marks_around_a_value(text, words):
    assert trimmed(text) == words


def test_the_other_half_of_a_bracket_is_taken():
    text = "“Ice” on (cold lakes), J"
    assert value(text, Run("title", 1, 20, 1.0)) == "“Ice” on (cold lakes)"
    assert value(text, None) == ""


@pytest.mark.parametrize(("text", "people"), [
    ("Poe E, Roe F.", ["Poe, E", "Roe, F"]),
    ("edited by E. Poe and F. Roe", ["Poe, E.", "Roe, F."]),
    ("River Council", ["River Council"]),
    ("et al.", []),
    ("", []),
    ("x" * 300, []),
])  # fmt: skip
def test_people(text, people):
    assert [str(name) for name in people_in(text).people] == people


def test_one_name_behind_the_year_and_nothing_else_is_the_work_itself() -> None:
    found = parse_reference("Becker, E., & Michonneau, F. (2023). The Carpentries Curriculum Development Handbook.")
    assert (found.title, found.container) == ("The Carpentries Curriculum Development Handbook", "")
    placed = parse_reference("Poe, E. (2001). Journal of Ice, 3, 4-5.")
    assert placed.container == "Journal of Ice"


def test_of_two_dates_the_first_is_the_years():
    text, found = labelled(("Poe E.", "author"), ("2001", "date"), ("Ice", "title"), ("2003", "date"))
    assert gather(text, found).year == "2001"
    text, found = labelled(("Poe E.", "author"), ("in press", "date"), ("Ice", "title"), ("2003b", "date"))
    assert (gather(text, found).year, gather(text, found).suffix) == ("2003", "b")


def test_a_year_within_the_names_is_none_of_the_work():
    text, found = labelled(("Council of 1998", "author"), ("Ice", "title"))
    assert gather(text, found).year == ""


def test_a_half_that_is_taken_is_one_sign():
    assert value("Ice (cold)ish", Run("title", 0, 9, 1.0)) == "Ice (cold)"
    assert value("x(cold) Ice", Run("title", 2, 11, 1.0)) == "(cold) Ice"
    assert value("(Ice", Run("title", 0, 4, 1.0)) == "Ice"


def test_a_group_and_its_members_write():
    text, found = labelled(("River Council:", "body"), ("Poe E, Roe F", "author"), (". Ice", "title"))
    assert [str(name) for name in gather(text, found).authors.people] == ["River Council", "Poe, E", "Roe, F"]
    text, found = labelled(("River Council", "body"), ("of all", "O"), ("Poe E, Roe F", "author"), (". Ice", "title"))
    assert [str(name) for name in gather(text, found).authors.people] == ["Poe, E", "Roe, F"]


def test_marks_part_a_run_where_they_are_more_than_two():
    for marks, parts in (("..", 1), ("...", 2)):
        _, found = labelled(("Ice", "title"), (marks, "O"), ("snow", "title"))
        assert len(runs(found)) == parts


@pytest.mark.parametrize(("parts", "title", "container"), [
    ([("Ice", "journal"), ("2001", "date")], "", "Ice"),  # it stands before its year
    ([("2001", "date"), ("Ice", "journal")], "Ice", ""),
    ([("2001", "date"), ("Ice", "journal"), ("Oslo", "O")], "", "Ice"),  # more stands behind it
    ([("2001", "date"), ("Ice", "journal"), ("3", "volume")], "", "Ice"),
    ([("Ice", "book"), ("Notes", "series")], "Ice", "Notes"),
    ([("In", "O"), ("Ice", "book")], "", "Ice"),
    ([("Ice", "report")], "Ice", ""),
    ([("Ice", "series")], "", ""),
    ([("Snow", "title"), ("Ice", "series")], "Snow", "Ice"),
    ([("Snow", "title"), ("Ice", "book"), ("Lakes", "journal")], "Snow", "Lakes"),
])  # fmt: skip
def test_titles_and_containers(parts, title, container):
    text, found = labelled(*parts)
    read = gather(text, found)
    assert (read.title, read.container) == (title, container)


@pytest.mark.parametrize(("text", "name"), [
    ("Phys. Lett., 3", "Phys. Lett."),
    ("Phys. Lett, 3", "Phys. Lett"),  # no point is printed
    ("Phys. Rev. Lett. 3", "Phys. Rev. Lett."),
    ("Rivers. 3", "Rivers"),
    (f"Phys. {'x' * 48} Lett. 3", f"Phys. {'x' * 48} Lett."),
    (f"Phys. {'x' * 49} Lett. 3", f"Phys. {'x' * 49} Lett"),  # too long for a name in short
])  # fmt: skip
def test_the_last_point_of_an_abbreviated_name(text, name):
    assert named(text, Run("journal", 0, len(name.removesuffix(".")), 1.0)) == name
    assert named(text, None) == ""


def test_a_long_text_names_no_group():
    assert [str(name) for name in people_in("x" * 250).people] == ["x" * 250]
    assert people_in("x" * 251).people == ()


def test_of_equal_runs_the_first_counts():
    assert longest([Run("a", 0, 3, 1.0), Run("b", 5, 8, 1.0)]) == Run("a", 0, 3, 1.0)
    assert longest([Run("a", 0, 3, 1.0), Run("b", 5, 9, 1.0)]) == Run("b", 5, 9, 1.0)
    assert longest([]) is None
