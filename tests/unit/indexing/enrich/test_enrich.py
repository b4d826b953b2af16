"""The passes together; what they reach on real papers is in tests/e2e/test_shared_papers.py."""

from pathlib import Path
from types import SimpleNamespace

from kag.core.tool import toolset
from kag.core.types import Document
from kag.indexing.baseline import build_baseline
from kag.indexing.enrich.passes import PASSES, enrich
from kag.indexing.pipeline import document_validator
from kag.indexing.tools.build_tools import BuildTools
from kag.indexing.tools.judge import JudgeTools
from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document

BUNDLED = Path(__file__).parents[4] / "test_data"


def test_an_empty_graph_stays_empty():
    workspace = Workspace(Document("paper", (), (), (), 0, ""))
    assert enrich(workspace) == {name: 0 for name, _ in PASSES}
    assert len(workspace.graph) == 0


def test_enriching_twice_changes_nothing():
    document = read_document(BUNDLED / "reservoir_sensors")
    workspace = Workspace(document)
    offered = {
        tool.name: tool.call for tool in toolset(BuildTools(workspace), JudgeTools(workspace, document_validator()))
    }
    build_baseline(document, offered)
    assert SimpleNamespace(**offered).finalize_graph("")["status"] == "READY"
    before = set(workspace.graph)
    assert not any(enrich(workspace).values())
    assert set(workspace.graph) == before
