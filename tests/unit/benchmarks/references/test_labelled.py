"""Labelled texts: what is read from a file is what is scored, and a broken line is named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.core.errors import SourceError
from scripts.benchmarks.__main__ import benchmarks
from scripts.benchmarks.references.labelled import evaluate_callouts, evaluate_references

REFERENCES = [
    {
        "text": "Poe E. Ice on rivers. Rivers. 1999;3:1-9.",
        "fields": {"author": ["Poe E"], "title": ["Ice on rivers"], "date": ["1999"]},
    },
    {
        "text": "Roe E. Snow on rivers. Rivers. 2000;4:10-19.",
        "fields": {"title": ["Something else"], "date": ["2000"]},
    },
]
BODY = [f"Sensors fail under ice [{n}], as Fig. {n} shows." for n in range(1, 6)]


def paper(texts: list[str], kind: str = "p") -> dict[str, object]:
    refs = []
    for text in texts:
        cite, figure = text.index("["), text.index("Fig.")
        refs.append(
            [
                {"type": "biblio", "start": cite, "end": cite + 3, "surface": ""},
                {"type": "figure", "start": figure, "end": figure + 6, "surface": ""},
            ]
        )
    items = [{"kind": kind, "text": text, "refs": found} for text, found in zip(texts, refs, strict=True)]
    return {"paper": "a", "items": items}


def write(path: Path, rows: list[object]) -> Path:
    raw = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_references(tmp_path: Path, name: str) -> None:
    scores = {score.field: score for score in evaluate_references(write(tmp_path / name, REFERENCES))}
    assert (scores["year"].asked, scores["year"].right) == (2, 2)
    assert (scores["title"].asked, scores["title"].given, scores["title"].right) == (2, 2, 1)
    assert scores["first_author"].asked == 1


def test_callouts(tmp_path: Path) -> None:
    rows = [paper(BODY)]
    scores = {score.kind: score for score in evaluate_callouts(write(tmp_path / "a.jsonl", rows))}
    assert (scores["citation"].asked, scores["citation"].recall, scores["citation"].exact_recall) == (5, 1.0, 1.0)
    assert (scores["figure"].asked, scores["figure"].given, scores["figure"].precision) == (5, 5, 1.0)
    assert scores["table"].asked == scores["table"].given == 0
    unlabelled = [{"paper": "b", "items": [{**item, "refs": []} for item in rows[0]["items"]]}]
    assert evaluate_callouts(write(tmp_path / "b.jsonl", unlabelled))[0].precision == 0.0


def test_captions_are_not_scored(tmp_path: Path) -> None:
    both = {"paper": "a", "items": [*paper(BODY)["items"], *paper(BODY, "figure")["items"]]}
    assert evaluate_callouts(write(tmp_path / "a.jsonl", [both]))[0].asked == 5


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"text": "a"}'])
@pytest.mark.parametrize("read", [evaluate_references, evaluate_callouts])
def test_a_broken_line_is_named(tmp_path: Path, line: str, read) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"a\.jsonl, line 2"):
        read(file)
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8bx")
    with pytest.raises(SourceError, match=r"b\.gz"):
        read(tmp_path / "b.gz")


def test_the_commands_tell_a_table_and_write_it(tmp_path: Path) -> None:
    for name, rows, column in (("references", REFERENCES, "field"), ("callouts", [paper(BODY)], "kind")):
        file, out = write(tmp_path / f"{name}.jsonl", rows), tmp_path / f"{name}.json"
        done = CliRunner().invoke(benchmarks, [name, str(file), "--json", str(out)])
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith(f"| {column} ")
        found = json.loads(out.read_text(encoding="utf-8"))
        assert len(found) == len(done.stdout.splitlines()) - 2
        assert f"{found[0]['recall']:.4f}" in done.stdout
