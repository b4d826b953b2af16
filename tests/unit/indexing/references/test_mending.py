"""What labels tear and rules make whole; and what they leave alone."""

import pytest

from kag.indexing.references.mending import Run, mend
from kag.indexing.references.parser import parse_reference


def mended(text, *parts, numbered=False):
    """The labels and words after mending runs that are given as (label, words)."""
    runs, at = [], 0
    for label, words in parts:
        at = text.index(words, at)
        runs.append(Run(label, at, at + len(words), 0.9))
        at += len(words)
    return [(run.label, text[run.start : run.end]) for run in mend(text, runs, numbered=numbered)]


@pytest.mark.parametrize(
    ("text", "torn", "whole"),
    [
        (
            "Poe EA. Winter, ice and snow. J Ice. 2001",
            [("author", "Poe EA. Winter"), ("title", "ice and snow"), ("journal", "J Ice")],
            [("author", "Poe EA"), ("title", "Winter, ice and snow"), ("journal", "J Ice")],
        ),
        (
            "Poe E. Warm ice on it. 2001",
            [("author", "Poe E. Warm ice on it"), ("date", "2001")],
            [("author", "Poe E"), ("title", "Warm ice on it"), ("date", "2001")],
        ),
        (
            "Lars V. Poe, Ice, 2001",
            [("author", "Lars V. Poe"), ("book", "Ice")],
            [("author", "Lars V. Poe"), ("book", "Ice")],
        ),
        (
            "Ice for all. Nature. 3",
            [("book", "Ice for all"), ("journal", "Nature")],
            [("title", "Ice for all"), ("journal", "Nature")],
        ),
        (
            "On the cold lakes. Ice Letters 3",
            [("journal", "On the cold lakes. Ice Letters"), ("volume", "3")],
            [("title", "On the cold lakes"), ("journal", "Ice Letters"), ("volume", "3")],
        ),
        (
            "J. Phys. Lett. 3",
            [("journal", "J. Phys. Lett"), ("volume", "3")],
            [("journal", "J. Phys. Lett"), ("volume", "3")],
        ),
        (
            "Poe E. Ice data. 2001",
            [("author", "Poe E"), ("note", "Ice data")],
            [("author", "Poe E"), ("title", "Ice data")],
        ),
        (
            "Ice on lakes 130 035002",
            [("title", "Ice on lakes"), ("pages", "130 035002")],
            [("title", "Ice on lakes"), ("volume", "130"), ("pages", "035002")],
        ),
        (
            "Ice without a PhD. 2011",
            [("title", "Ice without"), ("date", "2011")],
            [("title", "Ice without a PhD"), ("date", "2011")],
        ),
        (
            "Warm ice on lakes. Ice Lett, 3",
            [("title", "Warm ice on lakes. Ice Lett"), ("volume", "3")],
            [("title", "Warm ice on lakes"), ("journal", "Ice Lett"), ("volume", "3")],
        ),
        (
            "Is it ice? Ice Lett, 3",
            [("title", "Is it ice? Ice Lett"), ("volume", "3")],
            [("title", "Is it ice?"), ("journal", "Ice Lett"), ("volume", "3")],
        ),
        (
            "Warm ice. Cold lakes. 2001",
            [("title", "Warm ice. Cold lakes"), ("date", "2001")],
            [("title", "Warm ice. Cold lakes"), ("date", "2001")],
        ),
        ("Proc Ice Acad USA. 3", [("journal", "Proc Ice Acad"), ("place", "USA")], [("journal", "Proc Ice Acad USA")]),
        (
            "Ice Lett, Oslo. 3",
            [("journal", "Ice Lett"), ("place", "Oslo")],
            [("journal", "Ice Lett"), ("place", "Oslo")],
        ),
        (
            "Oslo: Example Press",
            [("publisher", "Oslo: Example Press")],
            [("place", "Oslo"), ("publisher", "Example Press")],
        ),
        (
            "Example Press, Oslo",
            [("publisher", "Example Press"), ("body", "Oslo")],
            [("publisher", "Example Press"), ("place", "Oslo")],
        ),
        (
            "Ice in Roe F (eds) Lakes. Example Press",
            [("title", "Ice"), ("editor", "Roe F"), ("publisher", "Lakes. Example Press")],
            [("title", "Ice"), ("editor", "Roe F"), ("book", "Lakes"), ("publisher", "Example Press")],
        ),
    ],
)
def test_rules(text, torn, whole):
    assert mended(text, *torn) == whole


def test_a_preprint_alone_is_in_no_journal():
    parts = (("author", "E. Poe"), ("journal", "Chaotic ice"))
    assert mended("E. Poe, Chaotic ice", *parts, numbered=True)[1] == ("title", "Chaotic ice")
    assert mended("E. Poe, Chaotic ice", *parts) == [*parts]


def test_nothing_is_mended_of_nothing():
    assert mend("", [], numbered=True) == []


@pytest.mark.parametrize(
    ("text", "torn", "whole"),
    [
        (
            "Poe E. 5th Symposium on Ice, The Ice Institute, Oslo. 1955",
            [
                ("author", "Poe E"),
                ("title", "5th Symposium on Ice, The Ice Institute"),
                ("place", "Oslo"),
                ("date", "1955"),
            ],
            [
                ("author", "Poe E"),
                ("title", "5th Symposium on Ice"),
                ("publisher", "The Ice Institute"),
                ("place", "Oslo"),
                ("date", "1955"),
            ],
        ),
        (
            "Poe E. Ice, snow and rain, Oslo. 1955",
            [("author", "Poe E"), ("title", "Ice, snow and rain"), ("place", "Oslo"), ("date", "1955")],
            [("author", "Poe E"), ("title", "Ice, snow and rain"), ("place", "Oslo"), ("date", "1955")],
        ),
        (
            "Poe E. Ice on lakes. Frost, Oslo (1966)",
            [("author", "Poe E"), ("title", "Ice on lakes"), ("note", "Frost"), ("place", "Oslo"), ("date", "1966")],
            [
                ("author", "Poe E"),
                ("title", "Ice on lakes"),
                ("publisher", "Frost"),
                ("place", "Oslo"),
                ("date", "1966"),
            ],
        ),
        (
            "Poe E. Ice on lakes. 2nd ed, Oslo (1966)",
            [("author", "Poe E"), ("title", "Ice on lakes"), ("note", "2nd ed"), ("place", "Oslo"), ("date", "1966")],
            [("author", "Poe E"), ("title", "Ice on lakes"), ("note", "2nd ed"), ("place", "Oslo"), ("date", "1966")],
        ),
        (
            "Poe E (2002). Ice: the end of winter. London: Frost & Sons",
            [("author", "Poe E"), ("date", "2002"), ("book", "Ice: the end of winter. London: Frost & Sons")],
            [
                ("author", "Poe E"),
                ("date", "2002"),
                ("book", "Ice: the end of winter"),
                ("place", "London"),
                ("publisher", "Frost & Sons"),
            ],
        ),
        (
            "Poe E. Ice on lakes. Part I: General. J Ice, 3",
            [("author", "Poe E"), ("title", "Ice on lakes. Part I: General"), ("journal", "J Ice"), ("volume", "3")],
            [("author", "Poe E"), ("title", "Ice on lakes. Part I: General"), ("journal", "J Ice"), ("volume", "3")],
        ),
        (
            "Poe E. Ice. Frost Press New York, 1999",
            [("author", "Poe E"), ("book", "Ice"), ("publisher", "Frost Press New York"), ("date", "1999")],
            [
                ("author", "Poe E"),
                ("book", "Ice"),
                ("publisher", "Frost Press"),
                ("place", "New York"),
                ("date", "1999"),
            ],
        ),
        (
            "Poe E. Ice. Frost Verlag Wetter und Eis, 1999",
            [("author", "Poe E"), ("book", "Ice"), ("publisher", "Frost Verlag Wetter und Eis"), ("date", "1999")],
            [("author", "Poe E"), ("book", "Ice"), ("publisher", "Frost Verlag Wetter und Eis"), ("date", "1999")],
        ),
        (
            "Poe E. Ice. TR 10, Ice Science Dept., Univ. of Oslo, 1992",
            [
                ("author", "Poe E"),
                ("title", "Ice"),
                ("publisher", "Ice Science Dept"),
                ("place", "Univ. of Oslo"),
                ("date", "1992"),
            ],
            [("author", "Poe E"), ("title", "Ice"), ("body", "Ice Science Dept., Univ. of Oslo"), ("date", "1992")],
        ),
        (
            "Poe E. Ice. Report 14, University of Oslo, Department of Ice, Oslo, 1979",
            [
                ("title", "Ice"),
                ("journal", "Report"),
                ("body", "University of Oslo"),
                ("book", "Department of Ice"),
                ("place", "Oslo"),
            ],
            [
                ("title", "Ice"),
                ("journal", "Report"),
                ("body", "University of Oslo, Department of Ice"),
                ("place", "Oslo"),
            ],
        ),
        (
            "Poe E. Ice, School of Snow, University of Oslo, 1979",
            [("author", "Poe E"), ("title", "Ice, School of Snow"), ("place", "University of Oslo")],
            [("author", "Poe E"), ("title", "Ice, School of Snow"), ("place", "University of Oslo")],
        ),
    ],
)
def test_who_printed_a_work_and_where_it_is_from(text, torn, whole):
    assert mended(text, *torn) == whole


@pytest.mark.parametrize(
    ("text", "torn", "whole"),
    [
        (
            "Poe E. Ice of lakes in 1990-1995, J Ice, 2001",
            [
                ("author", "Poe E"),
                ("title", "Ice of lakes"),
                ("date", "1990-1995"),
                ("journal", "J Ice"),
                ("date", "2001"),
            ],
            [("author", "Poe E"), ("title", "Ice of lakes in 1990-1995"), ("journal", "J Ice"), ("date", "2001")],
        ),
        (
            "Poe E, Ice of lakes in 1990–95, J Ice, 2001",
            [("author", "Poe E"), ("date", "1990"), ("volume", "–95"), ("journal", "J Ice"), ("date", "2001")],
            [("author", "Poe E"), ("title", "Ice of lakes in 1990–95"), ("journal", "J Ice"), ("date", "2001")],
        ),
        (
            "Poe E. Ice in 1990 to 1995, J Ice, 2001",
            [("author", "Poe E. Ice"), ("date", "1990 to 1995"), ("journal", "J Ice"), ("date", "2001")],
            [("author", "Poe E. Ice"), ("journal", "J Ice"), ("date", "2001")],
        ),
        # left alone: nothing else is a date; the other date was before; it is a span, too
        (
            "Poe E. Ice of lakes. J Ice, 1990-1995",
            [("title", "Ice of lakes"), ("journal", "J Ice"), ("date", "1990-1995")],
            [("title", "Ice of lakes"), ("journal", "J Ice"), ("date", "1990-1995")],
        ),
        (
            "Poe E, 1990-1995, Ice of lakes. Report. Oslo, 1988",
            [("date", "1990-1995"), ("title", "Ice of lakes"), ("report", "Report"), ("date", "1988")],
            [("date", "1990-1995"), ("title", "Ice of lakes"), ("report", "Report"), ("date", "1988")],
        ),
        (
            "Poe E. Ice of lakes, 1990-1995, J Ice, 1996-1997",
            [("title", "Ice of lakes"), ("date", "1990-1995"), ("journal", "J Ice"), ("date", "1996-1997")],
            [("title", "Ice of lakes"), ("date", "1990-1995"), ("journal", "J Ice"), ("date", "1996-1997")],
        ),
    ],
)
def test_years_that_a_title_ends_on_are_no_date(text, torn, whole):
    assert mended(text, *torn) == whole


def test_the_year_is_that_behind_the_journal():
    found = parse_reference("Smith J. Income in 1990-1995, Journal of Economics and Statistics, 2001")
    assert (found.year, found.container) == ("2001", "Journal of Economics and Statistics")
    found = parse_reference("J. Smith and R. Roe, Income of households in (1990-1995), Econ. J., 2001, 12, 1")
    assert (found.year, found.title, found.volume) == ("2001", "Income of households in (1990-1995)", "12")
