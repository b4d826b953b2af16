"""The sets about claims, each with two lines of our own: what is counted right, wrong, missing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scripts.benchmarks.layers.figure import Figure, by_label
from scripts.benchmarks.layers.sets import evaluate_layers


def figures(folder: Path, **files: list[dict[str, Any]]) -> dict[str, Figure]:
    folder.mkdir()
    for name, lines in files.items():
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return {f"{figure.what}, {figure.metric}": figure for figure in evaluate_layers(folder)}


def span(name: str, kind: str, text: str, words: str, **more: Any) -> dict[str, Any]:
    start = text.index(words)
    return {"id": name, "type": kind, "start": start, "end": start + len(words), "text": words, **more}


def test_bioscope(tmp_path: Path) -> None:
    text = "Ice did not melt in the lake."
    right = {
        "id": "1",
        "doc": "d",
        "text": text,
        "spans": [
            span("c", "negation_cue", text, "not"),
            span("s", "scope", text, "not melt in the lake."),
        ],
        "relations": [{"type": "has_scope", "head": "c", "tail": "s"}],
    }
    wrong = {"id": "2", "doc": "e", "text": "Salt had no effect.", "spans": [], "relations": []}
    found = figures(tmp_path / "bioscope", negation=[right, wrong])
    cue = found["negation cue, F1"]
    assert (cue.precision, cue.recall) == (0.5, 1.0)
    assert "no in: Salt" in cue.worst[0]
    assert found["negation scope given cue, exact"].value == 1.0


def test_citation_intent(tmp_path: Path) -> None:
    uses = {"id": "1", "text": "We used the method of Doe (2001).", "intent": "Uses", "cito": ["usesMethodIn"]}
    extends = {"id": "2", "text": "We extend the model of Doe (2001).", "intent": "Uses", "cito": ["usesMethodIn"]}
    found = figures(tmp_path / "citation_intent", citation_acl_arc=[uses, extends])
    assert found["ACL-ARC, macro F1"].recall == 0.5
    assert found["ACL-ARC, CiTO property, agrees"].value == 0.5


def test_claims(tmp_path: Path) -> None:
    text = "Lakes are cold. These results suggest that salt melts ice."
    first, second = "Lakes are cold.", "These results suggest that salt melts ice."
    roles = [span("a", "background", text, first), span("b", "result", text, second)]
    claims = [span("a", "other", text, first), span("b", "claim", text, second)]
    more = "Salt increases the rate."
    graph = {"id": "g", "text": more, "spans": [span("a", "association", more, "increases", attributes=["sign+"])]}
    found = figures(
        tmp_path / "claims",
        rhetoric=[{"id": "r", "text": text, "spans": roles}],
        claim_sentences=[{"id": "c", "text": text, "spans": claims}],
        claim_graphs=[graph],
    )
    assert found["role of sentence in abstract, accuracy"].value >= 0.5
    assert found["claim sentence, F1"].value == 1.0
    assert found["direction of a sentence, F1"].value == 1.0


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ([("d", "x", "x")], {"x": {"d": (1, 0, 0)}}),
        ([("d", "x", "y"), ("d", "y", "y")], {"x": {"d": (0, 0, 1)}, "y": {"d": (1, 1, 0)}}),
        ([("d", "x", "strange")], {"x": {"d": (0, 0, 1)}}),
        ([], {}),
    ],
)
def test_counts_by_label(said: list[tuple[str, str, str]], counts: dict[str, Any]) -> None:
    assert by_label(said) == counts
