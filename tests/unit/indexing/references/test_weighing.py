"""Who is believed where rules and labels differ."""

import pytest

from kag.indexing.references.mending import Run, weigh


def weighed(text, *parts):
    """The labels and words after weighing runs that are given as (label, words)."""
    runs, at = [], 0
    for label, words in parts:
        at = text.index(words, at)
        runs.append(Run(label, at, at + len(words), 0.9))
        at += len(words)
    return [(run.label, text[run.start : run.end]) for run in weigh(text, runs)]


@pytest.mark.parametrize(
    ("text", "labelled", "wanted"),
    [
        (
            "Poe E, Roe F. Ice on a cold lake. Ice Archive. 2001.",
            [("author", "Poe E, Roe F"), ("book", "Ice on a cold lake. Ice Archive"), ("date", "2001")],
            [("author", "Poe E, Roe F"), ("title", "Ice on a cold lake"), ("journal", "Ice Archive"), ("date", "2001")],
        ),
        (  # the labels know the section of the journal, the rules do not
            "Poe E, Roe F. Ice on a cold lake. Ice Rev. C92, 45.",
            [("title", "Ice on a cold lake"), ("journal", "Ice Rev. C"), ("volume", "92"), ("pages", "45")],
            [("title", "Ice on a cold lake"), ("journal", "Ice Rev. C"), ("volume", "92"), ("pages", "45")],
        ),
        (  # a style of names that lists without titles have, too
            "E. Poe and F. Roe, Ice Rev. C 92, 45 (2001)",
            [("author", "E. Poe and F. Roe"), ("journal", "Ice Rev. C"), ("volume", "92"), ("pages", "45")],
            [("author", "E. Poe and F. Roe"), ("journal", "Ice Rev. C"), ("volume", "92"), ("pages", "45")],
        ),
        (
            "Poe E, Roe F. Ice on a cold lake. J Ice Res. 2014;2014:847-482.",
            [("title", "Ice on a cold lake"), ("journal", "J Ice Res"), ("date", "2014;2014"), ("pages", "847-482")],
            [
                ("title", "Ice on a cold lake"),
                ("journal", "J Ice Res"),
                ("volume", "2014"),
                ("date", ";2014"),
                ("pages", "847-482"),
            ],
        ),
    ],
)
def test_who_is_believed(text, labelled, wanted):
    assert weighed(text, *labelled) == wanted


def test_a_labelled_number_stands():
    text = "Poe E. Ice on a cold lake. J Ice Res. 2001;3:45."
    assert ("volume", "45") in weighed(text, ("journal", "J Ice Res"), ("volume", "45"))


def test_nothing_is_weighed_of_nothing():
    assert weigh("", []) == []


def test_a_label_within_what_the_rules_read_is_cut_off_and_leaves_nothing() -> None:
    text = "Poe E, Roe F. Ice on a cold lake. Ice Archive. 2001."
    title, journal = ("title", "Ice on a cold lake"), ("journal", "Ice Archive")
    assert weighed(text, ("note", "cold lake")) == [title, journal]
    assert weighed(text, ("note", "Ice on")) == [title, journal]
    assert weighed(text, ("note", "Ice on a cold lake")) == [title, journal]
    assert weighed(text, ("note", "cold lake. Ice")) == [title, ("note", ". "), journal]
    assert weighed(text, ("author", "Poe E, Roe F. Ice")) == [("author", "Poe E, Roe F. "), title, journal]


def test_what_the_rules_read_is_as_sure_as_it_is_clear() -> None:
    text = "Poe E, Roe F. Ice on a cold lake. Ice Archive. 2001."
    assert [run.sure for run in weigh(text, [])] == [0.9, 0.9]
    assert [run.sure for run in weigh(text, [Run("date", 47, 51, 0.3)])] == [0.9, 0.9, 0.3]
