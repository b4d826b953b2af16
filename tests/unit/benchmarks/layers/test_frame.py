"""Sets of annotated texts: what is read, what is counted, and which line is wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.core.errors import SourceError
from scripts.benchmarks.__main__ import benchmarks
from scripts.benchmarks.layers.figure import by_class, by_counts, by_values
from scripts.benchmarks.layers.rows import half_of, read_files
from scripts.benchmarks.layers.sets import evaluate_layers, learned_from

LINE = {
    "id": "one",
    "doc": "paper",
    "text": "Ice melts.",
    "spans": [{"id": "T1", "type": "thing", "start": 0, "end": 3, "text": "Ice", "parts": [[0, 3]]}],
    "relations": [{"type": "is", "head": "T1", "tail": "T1"}],
    "label": "kept",
}


def write(folder: Path, *lines: object) -> Path:
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "some.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def test_a_line_is_read_whole(tmp_path: Path) -> None:
    [row] = read_files(write(tmp_path / "set", LINE))["some"]
    assert (row.id, row.doc, row.more["label"], row.relations[0]["head"]) == ("one", "paper", "kept", "T1")
    assert row.spans[0].parts == ((0, 3),)
    assert row.spans[0].more["text"] == "Ice"


def test_halves_part_the_documents(tmp_path: Path) -> None:
    lines = [{**LINE, "id": str(n), "doc": f"paper {n % 7}"} for n in range(20)]
    folder = write(tmp_path / "set", *lines)
    a, b = ({row.id for row in read_files(folder, half)["some"]} for half in "ab")
    assert a
    assert b
    assert not a & b
    assert len(a | b) == 20
    assert {half_of(f"paper {n}") for n in range(7)} == {"a", "b"}


@pytest.mark.parametrize(
    "line", ["words", 5, {"text": "no id"}, {"id": "a", "text": "b", "spans": [{"id": "T1", "type": "x"}]}]
)
def test_another_form_is_named_with_its_line(tmp_path: Path, line: object) -> None:
    with pytest.raises(SourceError, match="line 2"):
        read_files(write(tmp_path / "set", LINE, line))


def test_what_is_no_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no set"):
        evaluate_layers(write(tmp_path / "set", LINE))
    with pytest.raises(SourceError, match="no files of sets"):
        evaluate_layers(tmp_path / "biored")


def test_counts_make_f1_with_its_interval() -> None:
    one = by_counts("spans", {"a": (8, 2, 0), "b": (0, 0, 6)})
    assert (one.precision, one.recall, one.asked, one.documents) == (0.8, 8 / 14, 14, 2)
    assert one.value == pytest.approx(16 / 24)
    assert 0 == one.low < one.value < one.high == pytest.approx(16 / 18)


def test_classes_weigh_alike() -> None:
    one = by_class("intent", {"rare": {"a": (0, 0, 1)}, "usual": {"a": (9, 1, 0), "b": (9, 0, 0)}})
    assert one.value == pytest.approx((0 + 36 / 37) / 2)
    assert one.asked == 19


def test_values_are_averaged_over_items() -> None:
    one = by_values("overlap", "token F1", {"a": [1.0, 0.0, 0.5], "b": [1.0]})
    assert one.value == pytest.approx(2.5 / 4)
    assert one.asked == 4


def test_nothing_asked_is_nothing_right() -> None:
    assert by_counts("spans", {}).value == by_values("x", "y", {}).value == by_class("z", {}).value == 0.0


def test_the_command_shows_and_keeps_figures(tmp_path: Path) -> None:
    folder = tmp_path / "abbreviations"
    folder.mkdir()
    text = "Magnetic resonance imaging (MRI)."
    line = {"id": "1", "doc": "1", "text": text, "pairs": [["MRI", "Magnetic resonance imaging"]]}
    (folder / "abbreviations.jsonl.gz").write_bytes(gzip.compress(json.dumps(line).encode()))
    done = CliRunner().invoke(benchmarks, ["layers", str(folder), "--json", str(tmp_path / "f.json")])
    assert done.exit_code == 0, done.output
    assert "definitions" in done.stdout
    [figure] = json.loads((tmp_path / "f.json").read_text())
    assert (figure["set"], figure["value"], figure["asked"]) == ("abbreviations", 1.0, 1)


def test_a_set_that_a_model_learned_from_is_told() -> None:
    shared = Path(__file__).parents[4].parent / "shared/data/biored"
    if not shared.is_dir():
        pytest.skip("the evaluation data is not beside the project")
    assert "life.json" in learned_from(shared)
