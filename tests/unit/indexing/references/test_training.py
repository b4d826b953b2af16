"""What the labeller is trained on: labels on the right characters, other styles that keep them, the same weights."""

import random

from kag.indexing.references.labeller import labeller
from scripts.benchmarks.printed_references.labels import labelled, record
from scripts.benchmarks.printed_references.styles import damaged, names, render, without_field
from scripts.benchmarks.train_references import calibrated, group, steps, train

TEXT = "[3] Poe, E., Roe, F. Ice on lakes ,J .Ice 12 ,45 -67( 2001 ). doi:10.1234/ice"
FIELDS = {
    "author": ["Poe, E., Roe, F."], "title": ["Ice on lakes"], "journal": ["J .Ice"], "volume": ["12"],
    "pages": ["45 -67"], "date": ["2001"], "doi": ["10.1234/ice"],
}  # fmt: skip


def piece(printed, label):
    return "".join(char for char, named in printed if named == label)


def test_labels_are_found_in_the_cleaned_string():
    found = labelled(TEXT, FIELDS)
    assert piece(found, "title").replace(" ", "") == "Iceonlakes"
    assert (piece(found, "volume"), piece(found, "date")) == ("12", "2001")
    assert piece(found, "pages").replace(" ", "") == "45-67"


def test_a_number_is_not_found_within_a_longer_one():
    found = labelled("Ice 121 (1), 12, 2001", {"volume": ["12"], "issue": ["1"], "date": ["2001"]})
    assert [n for n, (_, label) in enumerate(found) if label == "volume"] == [13, 14]


def test_a_record_is_printed_in_many_styles_with_all_that_they_print():
    values, people = record(FIELDS)
    assert people == [("Poe", "E."), ("Roe", "F.")]
    draw = random.Random(1)
    printed = [found for _ in range(60) if (found := render(values, people, draw))]
    assert len({"".join(char for char, _ in found) for found in printed}) > 40
    latin = [found for found in printed if piece(found, "journal") == "J. Ice"]
    assert latin
    assert all(piece(found, "date") == "2001" for found in latin)


def test_no_year_is_no_record():
    assert record({"title": ["Ice"]}) == ({}, [])


def test_damage_keeps_labels_and_a_lost_field_is_lost():
    draw = random.Random(2)
    found = labelled(TEXT, FIELDS)
    for _ in range(20):
        assert len(piece(damaged(found, draw), "title").replace(" ", "")) == len("Iceonlakes")
    lost = without_field(found, draw)
    assert {label for _, label in found} - {label for _, label in lost}


def test_names_in_many_forms():
    draw = random.Random(3)
    forms = {names([("Poe", "Edgar"), ("Roe", "F.")], draw) for _ in range(80)}
    assert {"Poe E, Roe F", "E. Poe and F. Roe"} & forms
    assert len(forms) > 15


def test_the_same_strings_make_the_same_weights():
    rows = [{"text": TEXT.replace("12", str(n)), "fields": FIELDS | {"volume": [str(n)]}} for n in range(10, 40)]
    one, other = train(rows), train(rows)
    assert (one.labels, one.rows) == (other.labels, other.rows)
    assert (one.weights == other.weights).all()
    assert (one.follow == other.follow).all()


def test_sources_of_a_kind_are_left_out_together():
    assert group("a/kisti_test_en.xml") == group("b/kisti_valid_kr.xml") == "kisti"
    assert group("paper x") in ("papers 1", "papers 2")
    assert group("a/list.xml") == group("a/list.xml")


def test_steps_of_calibration_never_fall():
    values = [(n / 1000, n % 10 < n / 100) for n in range(1000)]
    found = steps(values)
    assert [share for _, share in found] == sorted(share for _, share in found)
    assert found[0][1] < 0.3
    assert found[-1][1] > 0.8
    assert calibrated([])["title"] == []
    assert labeller().share("place", 0.5) <= labeller().share("place", 0.99)
