"""Questions answered from the layers: what was measured, what is claimed, which papers; and papers side by side."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

import kag
from kag.layers.runs import Layers
from kag.layers.values import Said
from kag.questions.file import Question
from kag.rdf.layer_profiles import LAYERS
from kag.read.library import open_library
from kag.read.said.answers import answer_said
from kag.read.said.asks import Asked, read_asked
from kag.read.said.compare import _is, as_csv, compare
from kag.read.said.papers import is_about, is_named, measured, measured_beside, named, said_by
from tests.unit.layers.layered import SENTENCE, make_run, said

BY_HAND = Layers(tuple(LAYERS), lambda source, layers: said(source))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    for name in ("ice", "snow"):
        BY_HAND.add_to(make_run(folder, name))
    make_run(folder, "fog")  # which has no layers
    return open_library(folder / "runs")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What was measured for the spleen?", Asked("measured", "spleen")),
        ("what has been reported for half-life in this paper?", Asked("measured", "half-life")),
        ("Which values were measured for PD-1?", Asked("measured", "PD-1")),
        ("List all measurements of sensors", Asked("measured", "sensors")),
        ("Which papers use the dataset ImageNet?", Asked("papers", "ImageNet", "dataset")),
        ("Which studies used cell line HeLa?", Asked("papers", "HeLa", "cell line")),
        ("Which papers mention nivolumab?", Asked("papers", "nivolumab")),
        ("Which claims are made about the liver?", Asked("claims", "liver")),
        ("What is claimed about sensors?", Asked("claims", "sensors")),
        ("Which claims about sensors disagree?", Asked("opposed", "sensors")),
        ("Which species were studied?", Asked("entities", "", "species")),
        ("Which data sets are used?", Asked("entities", "", "dataset")),
    ],
)
def test_questions_on_what_papers_say(text, asked):
    assert read_asked(text) == asked


@pytest.mark.parametrize(
    "text",
    ["What does Table 1 show?", "How was flower cover estimated?", "Which papers cite reference 3?", "Who measured it?",
     "Which sections are there?", "What is the main result?", "Which papers were published in 2019?", "", "?" * 600,
     "Which figures are used in the Methods?"],
)  # fmt: skip
def test_other_questions_are_left_alone(text):
    assert read_asked(text) is None


def test_names_are_met_as_whole_words():
    assert is_named("sensor", ("two sensors",))
    assert is_named("TNFα", ("TNF-alpha",))
    assert not is_named("ice", ("mice", "icing"))
    assert not is_named("", ("x",))


def test_of_a_topic_the_entity_that_is_just_so_called_counts(library):
    known = said_by(library["ice"])
    assert [one.name for one in named(known, "sensor")] == ["sensors"]
    assert [one.value.value for one in measured(known, "sensors")] == [12.5]
    assert [one.value.value for one in measured(known, "survive")] == [12.5]
    assert measured(known, "sensors", "mass") == ()
    assert said_by(library["fog"]) == Said()


def test_what_was_measured_is_told_in_its_sentence(library):
    answer = answer_said(Question("q", "What was measured for sensors?"), {"ice": library["ice"]})
    assert answer is not None
    assert [claim.text for claim in answer.claims] == [SENTENCE]
    assert answer.claims[0].evidence[0].quote == SENTENCE
    assert kag.verify(answer, kag.open(library.path("ice"))).conforms


def test_a_value_of_a_table_is_told_in_its_line(library):
    answer = answer_said(Question("q", "What was measured for Upper?"), {"ice": library["ice"]})
    assert answer is not None
    assert [claim.text for claim in answer.claims] == [SENTENCE, "Upper | 3"]


def test_which_papers(library):
    answer = answer_said(Question("q", "Which papers mention the river?"), library)
    assert answer is not None
    assert answer.papers == ("ice", "snow")
    assert len(answer.claims) == 2
    assert all(claim.text.startswith("Sensors under river ice: ") for claim in answer.claims)
    assert answer_said(Question("q", "Which papers use the gene river?"), library) is None


def test_what_is_claimed(library):
    answer = answer_said(Question("q", "What is claimed about sensors?"), {"ice": library["ice"]})
    assert answer is not None
    assert [claim.text for claim in answer.claims] == [SENTENCE]


def test_nothing_is_said_without_layers_or_of_what_no_paper_names(library):
    for text in ("What was measured for sensors?", "Which devices were used?"):
        assert answer_said(Question("q", text), {"fog": library["fog"]}) is None
    assert answer_said(Question("q", "What was measured for unicorns?"), library) is None


def test_papers_side_by_side(library):
    table = compare(library, ("survive", "Lost"))
    assert [row.paper for row in table.rows] == ["fog", "ice", "snow"]
    assert [[value.text for value in cell] for cell in table.rows[1].cells] == [["12.5 ± 0.5 MPa"], ["3"]]
    rows = list(csv.reader(io.StringIO(as_csv(table))))
    assert rows[0] == ["paper", "title", "survive", "survive: evidence", "Lost", "Lost: evidence"]
    assert rows[1][2:] == ["", "", "", ""]
    assert rows[2][2] == "12.5 ± 0.5 MPa (Upper sensors)"
    assert rows[2][3] == f"p. 2: “{SENTENCE}”"
    assert rows[2][5] == "p. 2: “Upper | 3”"


def test_columns_are_the_properties_that_papers_share(library):
    assert compare(library).columns == ("Lost", "survive")
    assert compare({"fog": library["fog"]}).columns == ()
    assert [len(cell) for cell in compare(library, of="sensors").rows[1].cells] == [0, 1]


def test_a_cell_is_no_formula(library):
    table = compare(library, ("survive",))
    odd = table.rows[1].cells[0][0]

    changed = replace(table, rows=(replace(table.rows[1], title="=1+1", cells=((replace(odd, text="-5 MPa"),),)),))
    row = list(csv.reader(io.StringIO(as_csv(changed))))[1]
    assert row[1] == "'=1+1"
    assert row[2].startswith("-5 MPa")


def test_a_claim_is_about_a_topic_in_whatever_order():
    assert is_about("the sleep of mice", "Aspirin reduced the duration of sleep in mice.")
    assert not is_about("the sleep of men", "Aspirin reduced the duration of sleep in mice.")
    assert not is_about("of the", "the state of the art")


def test_what_no_entity_names_is_found_in_the_papers_own_claims(library):
    answer = answer_said(Question("q", "Which papers mention March?"), library)
    assert answer is not None
    assert answer.papers == ("ice", "snow")
    assert answer_said(Question("q", "Which papers use the software March?"), library) is None


def test_values_that_are_bound_to_nothing_are_told_by_their_sentence(library):
    paper = library["ice"]
    assert [one.mention.text for one in measured_beside(said_by(paper), "March", paper)][1:3] == ["3 and 4 kg"] * 2
    assert list(measured_beside(said_by(paper), "unicorns", paper)) == []


def test_a_value_without_a_property_has_that_shortly_before_it(library):
    from kag.layers.values import Measurement

    paper, known = library["ice"], said_by(library["ice"])
    first = next(one for one in known.measurements if one.measured and one.measured.text == "survive")
    bare = Measurement(first.mention, first.value)
    assert _is(bare, "survive", (), paper)
    assert not _is(bare, "March", (), paper)  # which stands behind it
    kilos = next(one for one in known.measurements if one.mention.text == "3 and 4 kg")
    assert not _is(kilos, "survive", known.measurements, paper)  # it is that of a value between them
