"""Figures described on the command line, by a vision model of the user's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image
from rdflib import Graph

from kag.cli.main import cli
from kag.indexing.audit import audit
from kag.indexing.run import load_run
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee

Index = Callable[..., tuple[Path, str]]
EYES = '''
from dspy.lm15 import ImagePart, Message, Response, TextPart, Usage

class Engine:
    """Says how large the picture is that it was sent."""

    def complete(self, request):
        (picture,) = [part for part in request.messages[-1].parts if isinstance(part, ImagePart)]
        text = f"A picture of {len(picture.data)} characters."
        usage = Usage(input_tokens=10, output_tokens=5, total_tokens=15)
        said = Message.assistant(TextPart(text))
        return Response(id=None, model="eyes", message=said, finish_reason="stop", usage=usage)

    def close(self):
        pass

def engine():
    return Engine()
'''


@pytest.fixture
def figures(paper: Path) -> Path:
    """The small paper, with a picture of its figure."""
    Image.new("RGB", (1800, 900), "red").save(paper / "fig_page001_01.png")
    return paper


@pytest.fixture
def index(tmp_path: Path, figures: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """Index the paper with options; gives its run and what was printed on the way."""
    (tmp_path / "eyes.py").write_text(EYES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "eyes", raising=False)
    for name in ("KAG_LM", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(*options: str) -> tuple[Path, str]:
        done = CliRunner().invoke(cli, ["index", str(figures), "--out-dir", str(tmp_path / "runs"), *options])
        assert done.exit_code == 0, done.output
        return Path(done.stdout.strip()), done.stderr

    return run


def test_figures_are_described_once_and_never_as_the_authors_words(index: Index) -> None:
    plain, _ = index()
    path, _ = index("--vision", "eyes:engine")
    assert path != plain, "a run without descriptions is not up to date"
    run = load_run(path)
    (figure,) = run.graph.subjects(RDF.type, DOCO.Figure)
    assert str(run.graph.value(figure, KAG.imageDescription)).startswith("A picture of ")
    assert run.graph.value(figure, KAG.fullText) is None
    assert run.summary["vision"]["described"] == 1
    assert {content.kind for content in run.content if content.text.startswith("A picture of ")} == {
        "image_description"
    }
    assert referee(run.graph, load_shapes(DOC)).issues == ()
    assert audit(run).issues == ()
    again, said = index("--vision", "eyes:engine")
    assert again == path
    assert "up to date" in said


def test_what_was_described_before_costs_nothing_and_gives_the_same_graph(index: Index) -> None:
    first, _ = index("--vision", "eyes:engine")
    before = Graph().parse(first / "knowledge_graph.ttl")
    second, _ = index("--vision", "eyes:engine", "--force")
    assert json.loads((second / "summary.json").read_text())["vision"]["cached"] == 1
    assert set(Graph().parse(second / "knowledge_graph.ttl")) == set(before)


def test_a_vision_model_without_a_key_costs_the_descriptions_and_not_the_paper(index: Index) -> None:
    path, notes = index("--vision", "anthropic/claude-haiku-4-5")
    assert "the figures have no descriptions" in notes
    assert "ANTHROPIC_API_KEY" in notes
    summary = json.loads((path / "summary.json").read_text())
    assert "ANTHROPIC_API_KEY" in summary["vision"]["stopped"]
    again, _ = index("--vision", "eyes:engine")
    assert json.loads((again / "summary.json").read_text())["vision"]["described"] == 1
