"""Spans as Web Annotations: a target that can be found again by place and by quote, and what it names as a body."""

from __future__ import annotations

import json

import pytest

import kag
from kag.core.errors import RunError
from kag.layers.pipeline import Layers, source_of
from kag.layers.source import text_of
from kag.rdf.profile import LAYERS
from tests.unit.layers.layered import MESH, make_run, said


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    found = make_run(tmp_path_factory.mktemp("annotated"))
    Layers(tuple(LAYERS), lambda source, layers: said(source)).add_to(found)
    return found


def test_each_span_is_found_again_by_place_and_by_quote(run):
    page = json.loads(kag.open(run).export("annotations"))
    graph = source_of(run).graph
    assert page["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert len(page["items"]) == 19
    for item in page["items"]:
        place, quote = item["target"]["selector"]
        text = text_of(graph, item["target"]["source"])
        assert text[place["start"] : place["end"]] == quote["exact"]
        assert quote["prefix"] + quote["exact"] + quote["suffix"] in text


def test_bodies_name_entities_and_roles(run):
    items = json.loads(kag.open(run).export("annotations"))["items"]
    (sensors,) = {json.dumps(one["body"]) for one in items if one["target"]["selector"][1]["exact"] == "sensors"}
    named = json.loads(sensors)
    assert {"id": MESH, "purpose": "identifying"} in named
    assert {"type": "TextualBody", "value": "sensors", "purpose": "identifying"} in named
    claim = next(one for one in items if "/c-" in one["id"])
    assert {"type": "TextualBody", "value": "result", "purpose": "tagging"} in claim["body"]


def test_a_run_without_layers_has_none(tmp_path):
    assert json.loads(kag.open(make_run(tmp_path)).export("annotations"))["items"] == []


def test_a_damaged_layer_is_named(run, tmp_path):
    import shutil

    copy = shutil.copytree(run, tmp_path / run.name)
    (copy / "claim_graph.ttl").write_text("<", encoding="utf-8")
    with pytest.raises(RunError, match=r"claim_graph\.ttl"):
        kag.open(copy).export("annotations")
