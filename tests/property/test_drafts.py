"""Whatever a model makes of a draft: it is written or refused as data, and the graph can be completed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document
from kag.values.tool import guard, toolset
from kag.values.trajectory import Trajectory
from kag.values.types import Document
from kag.write.completion import complete
from kag.write.story import document_validator
from kag.write.tools.build_tools import BuildTools
from kag.write.tools.draft_tools import DraftTools
from kag.write.tools.judge import JudgeTools
from tests.papers import write_paper

BLOCKS = [f"b_p001_{n:04}" for n in range(1, 10)] + [f"b_p002_{n:04}" for n in range(1, 12)]
NAMES = st.sampled_from([*BLOCKS, "front", "b_p001_0004-0", "b_p001_0004-9", "b_p099_0001", "", "ex:b_p001_0003"])
KEYS = st.sampled_from(
    ["class", "more", "describes", "continues", "number", "label", "in", "start", "end", "depth", "title", "printed"]
)
VALUES = (
    NAMES
    | st.integers(-2, 99)
    | st.booleans()
    | st.none()
    | st.lists(NAMES | st.integers(0, 3), max_size=3)
    | st.sampled_from(
        ["doco:Paragraph", "doco:Figure", "deo:Caption", "doco:Section", "doco:SectionTitle", "2.1", "\ud800"]
    )
)
CHANGES = st.lists(st.tuples(st.sampled_from(["sections", "nodes", "skipped"]), NAMES, KEYS, VALUES), max_size=6)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    folder: Path = tmp_path_factory.mktemp("papers")
    return read_document(write_paper(folder / "ice"))


@given(CHANGES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_draft_changed_at_will_is_written_or_refused(
    document: Document, made: list[tuple[str, str, str, Any]]
) -> None:
    workspace, trajectory = Workspace(document), Trajectory()
    owners = BuildTools(workspace), JudgeTools(workspace, document_validator())
    tools = {tool.name: guard(tool, trajectory).call for tool in toolset(*owners)}
    drafting = DraftTools(workspace, tools, trajectory)
    draft = copy.deepcopy(drafting.draft)
    for part, name, key, value in made:
        if part == "skipped":
            draft[part][name] = value
        else:
            draft[part].setdefault(name, {})[key] = value
    result = drafting.write_graph(draft)
    assert result["ok"] or result["error"]
    drafting.changes()
    complete(document, workspace, tools)
    assert tools["finalize_graph"]("")["ok"]
