"""Papers side by side, from their layers."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from kag.layers.pipeline import Layers
from kag.qa.compare import _is, as_csv, compare, is_named, layer_findings
from kag.qa.library import open_library
from kag.rdf.profile import LAYERS
from tests.unit.layers.layered import SENTENCE, make_run, said

BY_HAND = Layers(tuple(LAYERS), lambda source, layers: said(source))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    for name in ("ice", "snow"):
        BY_HAND.add_to(make_run(folder, name))
    make_run(folder, "fog")  # which has no layers
    return open_library(folder / "runs")


def test_names_are_met_as_whole_words():
    assert is_named("sensor", ("two sensors",))
    assert is_named("TNFα", ("TNF-alpha",))
    assert not is_named("ice", ("mice", "icing"))
    assert not is_named("", ("x",))


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


def test_a_value_without_a_property_has_that_shortly_before_it(library):
    from kag.layers.values import Measurement

    paper, known = library["ice"], layer_findings(library["ice"])
    first = next(one for one in known.measurements if one.measured and one.measured.text == "survive")
    bare = Measurement(first.mention, first.value)
    assert _is(bare, "survive", (), paper)
    assert not _is(bare, "March", (), paper)  # which stands behind it
    kilos = next(one for one in known.measurements if one.mention.text == "3 and 4 kg")
    assert not _is(kilos, "survive", known.measurements, paper)  # it is that of a value between them
