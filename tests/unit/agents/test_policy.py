"""`offline-policy/1`: it reads the prompt and nothing else, and writes the rules' plan through the tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.agents.offline_policy import OfflinePolicy, next_cell
from kag.core.errors import ModelError
from kag.indexing.pipeline import index_paper
from tests.papers import PAGES, write_paper
from tests.unit.agents.runs import run

ROOT = Path(__file__).parents[3]
INDEX, REVIEW = "- op_create_node(block_id, class_iri): Create", "Inputs are variables: `outline` (the headings)."


def history(*outputs: str) -> str:
    steps = [
        f"=== Step {n} ===\nReasoning: r\nCode:\n```python\nx\n```\nOutput ({len(output):,} chars):\n{output}"
        for n, output in enumerate(outputs, start=1)
    ]
    return "[[ ## repl_history ## ]]\n" + "\n".join(steps) + "\n\n[[ ## iteration ## ]]\n2/20\n"


def graph(files) -> str:
    return files["knowledge_graph.ttl"]


def test_the_graph_is_the_baseline_s_and_comes_out_of_the_sandbox() -> None:
    paper = ROOT / "test_data" / "urban_pollinators"
    done = run(paper, OfflinePolicy())
    assert done.indexed.facts["iterations"] == 3
    assert "stopped" not in done.indexed.facts
    assert graph(done.indexed.files) == graph(index_paper(paper).files)
    assert done.indexed.files["skipped.jsonl"] == index_paper(paper).files["skipped.jsonl"]


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(PAGES[1:], id="no title"),
        pytest.param(((("text", "[[100, 100, 900, 200]]", "Only one paragraph here."),),), id="no heading"),
        pytest.param(((("sub_title", "[[100, 100, 900, 120]]", "## Introduction"),),), id="a heading alone"),
        pytest.param((*PAGES, (("image", "[[100, 100, 500, 500]]", ""),)), id="a picture at the end"),
        pytest.param((*PAGES, (("text", "[[100, 100, 900, 120]]", ""),)), id="an empty block"),
    ],
)
def test_odd_papers_are_built_as_the_baseline_builds_them(tmp_path: Path, pages) -> None:
    paper = write_paper(tmp_path / "odd", pages)
    done = run(paper, OfflinePolicy())
    assert "stopped" not in done.indexed.facts
    assert graph(done.indexed.files) == graph(index_paper(paper).files)


@pytest.mark.parametrize(
    "outputs",
    [
        ["[Error] KeyError: 'text'"],
        ["no word of what comes next"],
        ["next: dance\n"],
        ["next: repair\n"] * 4,
    ],
)
def test_it_gives_up_aloud_where_its_rules_end(outputs: list[str]) -> None:
    with pytest.raises(ModelError, match=r"offline-policy/1 gives up"):
        next_cell(INDEX, history(*outputs))


def test_giving_up_is_a_labelled_stop_with_a_whole_graph(paper: Path) -> None:
    class Blind(OfflinePolicy):
        def complete(self, request):
            if "=== Step 2 ===" in "".join(part.text for message in request.messages for part in message.parts):
                raise ModelError("offline-policy/1 gives up: it is blind", hint="Use a model.")
            return super().complete(request)

    done = run(paper, Blind())
    assert done.indexed.facts["cause"] == "model"
    assert graph(done.indexed.files) == graph(index_paper(paper).files)


def test_the_repair_cell_places_what_was_forgotten(paper: Path) -> None:
    class Forgetful(OfflinePolicy):
        def complete(self, request):
            response = super().complete(request)
            text = response.message.parts[0].text
            if 'finalize_graph("built by rules")' in text and "for name in sorted(plan" in text:
                forget = 'op_remove_node("ex:b_p002_0004")\nresult = finalize_graph'
                text = text.replace("result = finalize_graph", forget)
                part = type(response.message.parts[0])(text)
                return type(response)(
                    id=None,
                    model=response.model,
                    message=type(response.message).assistant([part]),
                    finish_reason="stop",
                    usage=response.usage,
                )
            return response

    done = run(paper, Forgetful())
    assert "Block is in no node" in done.outputs[1]
    assert done.indexed.facts["iterations"] == 4
    assert "stopped" not in done.indexed.facts
