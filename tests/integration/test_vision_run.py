"""Figures described on the command line, by a vision model of the user's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from rdflib import Graph

from kag.indexing.audit import audit
from kag.indexing.run import load_run
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee

ROOT = Path(__file__).resolve().parent.parent.parent
PAPER = ROOT / "test_data" / "urban_pollinators"
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


def index(tmp_path: Path, *arguments: str) -> tuple[Path, str]:
    """The run folder and what was said on the way."""
    (tmp_path / "eyes.py").write_text(EYES)
    command = [sys.executable, "-m", "kag", "index", str(PAPER), "--out-dir", str(tmp_path / "runs"), *arguments]
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    hidden = ("KAG_LM", "ANTHROPIC_API_KEY")
    environment = {key: value for key, value in os.environ.items() if key not in hidden} | {"PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()), done.stderr


def test_figures_are_described_once_and_never_as_the_authors_words(tmp_path: Path) -> None:
    plain, _ = index(tmp_path)
    path, _ = index(tmp_path, "--vision", "eyes:engine")
    assert path != plain, "a run without descriptions is not up to date"
    run = load_run(path)
    figures = sorted(run.graph.subjects(RDF.type, DOCO.Figure))
    assert len(figures) == 3
    for figure in figures:
        description = str(run.graph.value(figure, KAG.imageDescription))
        assert description.startswith("A picture of ")
        assert run.graph.value(figure, KAG.fullText) is None
    assert run.summary["vision"]["described"] == 3
    assert {content.kind for content in run.content if content.text.startswith("A picture of ")} == {
        "image_description"
    }
    assert referee(run.graph, load_shapes(DOC)).issues == ()
    assert audit(run).issues == ()
    again, said = index(tmp_path, "--vision", "eyes:engine")
    assert again == path
    assert "up to date" in said


def test_what_was_described_before_costs_nothing_and_gives_the_same_graph(tmp_path: Path) -> None:
    first, _ = index(tmp_path, "--vision", "eyes:engine")
    before = Graph().parse(first / "knowledge_graph.ttl")
    second, _ = index(tmp_path, "--vision", "eyes:engine", "--force")
    assert json.loads((second / "summary.json").read_text())["vision"]["cached"] == 3
    assert set(Graph().parse(second / "knowledge_graph.ttl")) == set(before)


def test_a_vision_model_without_a_key_costs_the_descriptions_and_not_the_paper(tmp_path: Path) -> None:
    path, notes = index(tmp_path, "--vision", "anthropic/claude-haiku-4-5")
    assert "the figures have no descriptions" in notes
    assert "ANTHROPIC_API_KEY" in notes
    summary = json.loads((path / "summary.json").read_text())
    assert "ANTHROPIC_API_KEY" in summary["vision"]["stopped"]
    again, _ = index(tmp_path, "--vision", "eyes:engine")
    assert json.loads((again / "summary.json").read_text())["vision"]["described"] == 3
