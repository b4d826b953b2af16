"""What a paper says on its report page: rows that lead to nodes of the page, none without layers."""

from __future__ import annotations

from kag.layers.pipeline import Layers
from kag.qa.page.page_answers import layer_rows
from kag.qa.page.page_nodes import index_nodes
from kag.qa.paper import PaperGraph
from kag.rdf.profile import LAYERS
from tests.unit.layers.layered import MESH, SENTENCE, make_run, said


def rows(run):
    paper = PaperGraph.load(run)
    return layer_rows(paper, index_nodes(paper, {})), list(paper.nodes)


def test_entities_values_and_claims_lead_to_their_nodes(tmp_path):
    run = make_run(tmp_path)
    assert rows(run)[0] == {"entities": [], "values": [], "claims": []}
    Layers(tuple(LAYERS), lambda source, layers: said(source)).add_to(run)
    found, nodes = rows(run)
    sensors = next(one for one in found["entities"] if one["name"] == "sensors")
    assert (sensors["kind"], sensors["same"], len(sensors["nodes"])) == ("device", [MESH], 2)
    value = next(one for one in found["values"] if one["text"] == "12.5 ± 0.5 MPa")
    assert (value["property"], value["of"]) == ("survive", "Upper sensors")
    assert nodes[value["node"]].endswith("b_p002_0004")
    (claim,) = found["claims"]
    assert claim == {"text": SENTENCE, "role": "result", "notes": ["negative", "hedged", "less"], "node": value["node"]}


def test_an_identifier_that_is_no_web_address_is_no_link(tmp_path):
    run = make_run(tmp_path)
    Layers(tuple(LAYERS), lambda source, layers: said(source)).add_to(run)
    layer = run / "entity_graph.ttl"
    layer.write_text(layer.read_text("utf-8").replace(f"<{MESH}>", "<javascript:alert(1)>"), encoding="utf-8")
    assert all(not one["same"] for one in rows(run)[0]["entities"])
