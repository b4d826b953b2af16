"""Field accuracy on labelled strings."""

import pytest

from kag.indexing.references.names import Name
from kag.indexing.references.parser import Reference
from scripts.benchmarks.references.strings import gold_values, is_first_author, normalised, score_references

LABELS = {"author": ["Poe, E., Roe, F."], "title": ["Ice on riv-ers"], "journal": ["J .Ice"], "date": ["May 1999"],
          "volume": ["3"], "pages": ["101-9"]}  # fmt: skip


def scores(found, labels=LABELS):
    return {score.field: score for score in score_references([("text", labels)], lambda _: found)}


def test_right_values_count_whatever_their_marks():
    found = Reference((Name("Poe", "E."),), title="Ice on rivers", year="1999", container="J. Ice", volume="3",
                      first_page="101", last_page="109")  # fmt: skip
    read = scores(found)
    for field in ("first_author", "title", "year", "container", "volume", "pages"):
        assert (read[field].recall, read[field].precision, read[field].asked) == (1, 1, 1)
    assert (read["doi"].asked, read["doi"].given) == (0, 0)


def test_wrong_missing_and_invented_values():
    read = scores(Reference(title="Snow on rivers", doi="10.1000/x"))
    assert (read["title"].recall, read["title"].precision) == (0, 0)
    assert (read["year"].asked, read["year"].given, read["year"].recall) == (1, 0, 0)
    assert (read["doi"].asked, read["doi"].given, read["doi"].precision) == (0, 1, 0)


def test_a_monograph_may_be_a_title_or_a_book():
    read = scores(Reference(title="Ice"), {"book": ["Ice"], "date": ["1999"]})
    assert (read["title"].asked, read["title"].given) == (0, 0)


@pytest.mark.parametrize(("family", "given", "run", "same"), [
    ("Poe", "E.", "Poe, E., Roe, F.", True),
    ("Poe", "E.", "E. Poe and F. Roe", True),
    ("Poe", "", "Poe EA, Roe F", False),
    ("Roe", "F.", "Poe, E., Roe, F.", False),
    ("Poe, E., Roe", "F.", "Poe, E., Roe, F., Doe, G.", False),
    ("Ice Group", "", "Ice Group", True),
])  # fmt: skip
def test_first_author(family, given, run, same):
    assert is_first_author(family, given, run) is same


def test_normal_forms():
    assert normalised("pages", "pp. 101–9") == "101-109"
    assert normalised("doi", "doi:10 .1000/AB") == normalised("doi", "10.1000/ab")
    assert normalised("doi", "doi:10.1000/IceRev.10.2445") == normalised("doi", "10.1000/icerev.10.2445")
    assert normalised("title", "Çirkin-lik") == "cirkinlik"
    assert gold_values({"date": ["12 May 1999"]}, "year") == ("1999",)
