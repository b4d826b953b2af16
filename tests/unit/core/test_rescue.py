"""What a step fails on is kept as a paragraph and told; the rest of the paper is as it would have been."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kag.indexing.baseline
import kag.indexing.build_plan
import kag.indexing.enrich.passes
from kag.cli.main import cli
from kag.core import workers
from kag.core.errors import BUG, STRICT, BadValue, rescued
from kag.core.types import Block
from kag.indexing.audit import audit
from kag.indexing.pipeline import document_validator, index_document
from kag.indexing.run import Run, load_run, write_run
from kag.indexing.tools import build_tools
from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.sources.ocr import folder as ocr
from kag.sources.ocr.folder import read_document

SITES = "Twelve sites were chosen"
BLOCK = "b_p002_0004"  # the paragraph that begins with these words


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers have the faults that a test plants here, whatever threads other tests left."""
    monkeypatch.setattr(workers, "forks", lambda: sys.platform == "linux")


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STRICT)


def made(paper: Path, out: Path) -> Run:
    """The run of a paper, which conforms and is conserved."""
    document = read_document(paper)
    run = load_run(write_run(out, "ice", index_document(document).files))
    assert document_validator().full(run.graph).issues == ()
    assert audit(run, document).issues == ()
    return run


def classes(run: Run, block: str) -> set[str]:
    nodes = [node for node, value in run.graph.subject_objects(KAG.sourceBlock) if str(value) == block]
    return {str(cls).rpartition("/")[2] for node in nodes for cls in run.graph.objects(node)} & {"Paragraph", "Table"}


def failing_on(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, is_bad: Callable[..., bool]) -> None:
    """Let a function of a module raise on some arguments."""
    real = getattr(module, name)

    def fails(*args: Any, **kwargs: Any) -> Any:
        if is_bad(*args):
            raise RecursionError("too deep")
        return real(*args, **kwargs)

    monkeypatch.setattr(module, name, fails)


@pytest.mark.usefixtures("lenient")
def test_want_of_memory_is_no_fault_of_an_element(paper: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """It is told as such, whatever a library makes of it; nothing is left out of a graph for it."""

    def starved(*args: Any, **kwargs: Any) -> Any:
        try:
            raise MemoryError
        except MemoryError:
            raise AttributeError("'str' object has no attribute 'read'")  # noqa: B904  # as rdflib's parser does

    monkeypatch.setattr(kag.indexing.enrich.passes, "PASSES", (("bibliography", starved),))
    done = CliRunner().invoke(cli, ["index", str(paper), "--out-dir", str(tmp_path / "runs")])
    assert (done.exit_code, "needs more memory than 4096 MB" in done.output) == (2, True), done.output
    with pytest.raises(MemoryError):
        rescued("b_p001_0001", "write", MemoryError())


def test_an_unforeseen_error_tells_where_it_was(paper: Path, tmp_path: Path, monkeypatch: Any) -> None:
    failing_on(monkeypatch, ocr, "read_text", lambda raw, *_: SITES in raw)
    done = CliRunner().invoke(cli, ["index", str(paper), "--out-dir", str(tmp_path / "runs")])
    assert done.exit_code == BUG
    assert re.search(r"RecursionError: too deep \(kag/sources/ocr/folder\.py, line \d+\)", done.output), done.output


def test_faults_are_raised_where_nothing_is_to_be_rescued(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_on(monkeypatch, ocr, "read_text", lambda raw, label: SITES in raw)
    with pytest.raises(RecursionError):
        read_document(paper)


@pytest.mark.usefixtures("lenient")
def test_a_block_that_cannot_be_read_is_kept_as_printed(paper: Path, tmp_path: Path, monkeypatch: Any) -> None:
    failing_on(monkeypatch, ocr, "read_text", lambda raw, label: SITES in raw)
    run = made(paper, tmp_path / "runs")
    assert [row["problem"] for row in run.summary["repairs"]] == ["a block that kag failed to read (RecursionError)"]
    assert classes(run, BLOCK) == {"Paragraph"}


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize("label", ["table", "text", "image", "sub_title"])
def test_a_node_that_cannot_be_written_is_paragraphs(
    label: str, paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caption, which would describe nothing then, is one too; only a title that fails costs the sections."""

    def is_bad(_workspace: Any, _node: Any, cls: Any, blocks: list[Block], *_: Any) -> bool:
        return blocks[0].label == label and cls != DOCO.Paragraph

    failing_on(monkeypatch, build_tools, "describe", is_bad)
    run = made(paper, tmp_path / "runs")
    assert {row["step"] for row in run.summary["rescued"]} <= {"write", "link", "shapes", "build"}
    captions = [] if label in ("table", "image") else list(run.graph.objects(None, KAG.describes))
    assert len(captions) == {"table": 0, "image": 0, "text": 2, "sub_title": 0}[label]
    assert classes(run, BLOCK) == {"Paragraph"}


@pytest.mark.usefixtures("lenient")
def test_a_block_of_which_no_node_can_be_made_is_left_out_aloud(paper: Path, tmp_path: Path, monkeypatch: Any) -> None:
    failing_on(monkeypatch, build_tools, "preview", lambda words: words.startswith(SITES))
    run = made(paper, tmp_path / "runs")
    assert run.skipped[BLOCK] == "could not be written"
    assert run.summary["rescued"][0]["element"] == BLOCK


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize("breaks_shapes", [False, True])
def test_a_pass_that_fails_adds_nothing_and_the_others_run(
    breaks_shapes: bool, paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def marks(workspace: Workspace) -> int:
        node, *_ = workspace.of_type(DOCO.Paragraph)
        workspace.put(node, KAG.textKind, "NO KIND" if breaks_shapes else "code")
        if not breaks_shapes:
            raise BadValue("no", hint="none")
        return 1

    whole = made(paper, tmp_path / "whole")
    monkeypatch.setattr(kag.indexing.enrich.passes, "PASSES", (("marks", marks), *kag.indexing.enrich.passes.PASSES))
    run = made(paper, tmp_path / "runs")
    problem = "AssertionError" if breaks_shapes else "BadValue"
    assert run.summary["rescued"] == [{"element": "", "step": "marks", "problem": problem}]
    assert not list(run.graph.objects(None, KAG.textKind))
    assert run.summary["enrichment"] == {"marks": 0, **whole.summary["enrichment"]}


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize(("module", "name"), [("build_plan", "find_floats"), ("baseline", "begin_section")])
def test_where_the_rules_fail_altogether_all_blocks_are_paragraphs(
    module: str, name: str, paper: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    failing_on(monkeypatch, getattr(kag.indexing, module), name, lambda given, *_: getattr(given, "heading", given))
    run = made(paper, tmp_path / "runs")
    assert run.summary["rescued"][0] == {"element": "", "step": "build", "problem": "RecursionError"}
    assert run.summary["graph"]["classes"]["doco:Section"] == 1


@pytest.mark.usefixtures("lenient")
def test_the_command_says_what_was_rescued(paper: Path, tmp_path: Path, monkeypatch: Any) -> None:
    failing_on(monkeypatch, build_tools, "describe", lambda w, n, cls, *_: cls == DOCO.Formula)
    done = CliRunner().invoke(cli, ["index", str(paper), "--out-dir", str(tmp_path / "runs")])
    assert done.exit_code == 0
    assert "note: ice: kag failed on 1 element, kept as printed" in done.stderr
    summary = json.loads(next((tmp_path / "runs").glob("ice_*/summary.json")).read_text())
    assert [row["step"] for row in summary["rescued"]] == ["write"]
