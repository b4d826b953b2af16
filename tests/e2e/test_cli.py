"""The command line as its users see it."""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from kag.cli.main import main
from kag.qa.library import open_library
from tests.papers import PAGES, write_paper
from tests.unit.sources.forms import FORMS

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder of three papers, the second without pages that can be read."""
    for name in ("ice", "snow"):
        write_paper(tmp_path / "papers" / name)
    broken = tmp_path / "papers" / "fog"
    broken.mkdir()
    (broken / "page_001.md").write_bytes(b"\xff\xfe\x00broken")
    return tmp_path / "papers"


def kag(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str], str]:
    """Exit code, lines of stdout, stderr."""
    with pytest.raises(SystemExit) as done:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(done.value.code or 0), captured.out.splitlines(), captured.err


def test_index_validate_audit(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (run,), _ = kag(capsys, "index", paper, "--out-dir", tmp_path / "runs")
    assert code == 0
    assert kag(capsys, "validate", run)[:2] == (0, [f"{run}: conforms"])
    code, lines, _ = kag(capsys, "audit", run, "--ocr-dir", paper)
    assert code == 0
    assert "20 blocks: 18 in the graph, 2 skipped" in lines[0]


def test_one_failure_does_not_cost_the_others(papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, runs, said = kag(capsys, "index", papers, "--out-dir", tmp_path / "runs", "--workers", 2)
    assert code == 2
    assert [Path(run).name.partition("_")[0] for run in runs] == ["ice", "snow"]
    assert "page_001.md" in said
    assert "1 of 3 papers failed" in said


def test_folders_without_pages_are_named(papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (papers / "notes").mkdir()
    said = kag(capsys, "index", papers, "--out-dir", tmp_path / "runs")[2]
    assert f"note: skipped {papers / 'notes'}: holds no paper" in said


def test_what_is_done_is_not_done_again(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out-dir", tmp_path / "runs")
    first = kag(capsys, "index", paper, *out)[1]
    again = kag(capsys, "index", paper, *out)
    assert again[1] == first
    assert "up to date" in again[2]
    (forced,) = kag(capsys, "index", paper, *out, "--force")[1]
    shown = [path.name for path in (tmp_path / "runs").iterdir() if not path.name.startswith(".")]
    assert shown == [Path(forced).name], "the run before is hidden"
    write_paper(paper, (*PAGES, (("text", "[[1, 2, 3, 4]]", "More."),)))
    assert kag(capsys, "index", paper, *out)[1] != [forced]


def test_a_clock_set_back_changes_nothing(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The newest run is known by its number, and a run of other pages than the source has now says so."""
    runs = tmp_path / "runs"
    (old,) = kag(capsys, "index", paper, "--out-dir", runs)[1]
    future = Path(old).rename(runs / "ice_20991231T000000Z")
    before = (paper / "page_002.md").read_text()
    write_paper(paper, (*PAGES, (("text", "[[1, 2, 3, 4]]", "More words were found."),)))
    (new,) = kag(capsys, "index", paper, "--out-dir", runs)[1]
    assert open_library(runs).path("ice") == Path(new)
    code, lines, _ = kag(capsys, "audit", future, "--ocr-dir", paper)
    assert code == 1
    assert any("other pages than its source has now" in line for line in lines)
    ask = ("qa", "--question", "How many sites were chosen?", "--ocr-dir", paper)
    for graphs, stale in ((future, True), (new, False)):
        said = kag(capsys, *ask, "--graph-dir", graphs, "--out-dir", tmp_path / "qa", "--force")[2]
        assert ("is stale" in said) == stale
        said = kag(capsys, "report", graphs, "--ocr-dir", paper, "--out", tmp_path / "r.html")[2]
        assert ("is stale" in said) == stale
    (paper / "page_003.md").unlink()
    (paper / "page_002.md").write_text(before)
    assert kag(capsys, "index", paper, "--out-dir", runs)[1] == [str(future)]
    assert open_library(runs).path("ice") == future


def test_a_broken_graph_does_not_conform(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, (run,), _ = kag(capsys, "index", paper, "--out-dir", tmp_path / "runs")
    turtle = Path(run) / "knowledge_graph.ttl"
    turtle.write_text(turtle.read_text().replace("kag:pageNumber 2", "kag:pageNumber 0", 1))
    code, lines, _ = kag(capsys, "validate", run)
    assert code == 1
    assert "op_set_single_literal" in lines[1]
    assert kag(capsys, "audit", run)[0] == 1


def test_two_folders_with_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = write_paper(tmp_path / "a" / "ocr"), write_paper(tmp_path / "b" / "ocr")
    code, _, said = kag(capsys, "index", one, two, "--out-dir", tmp_path / "runs")
    assert code == 2
    assert str(one) in said
    assert str(two) in said


def test_the_paper_id_can_be_given(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, (run,), _ = kag(capsys, "index", paper, "--out-dir", tmp_path / "runs", "--paper-id", "lima 2026")
    summary = json.loads((Path(run) / "summary.json").read_text())
    assert summary["paper"] == Path(run).name.rpartition("_")[0]
    assert " " not in summary["paper"]


def test_the_same_bytes_whatever_the_hash_seed(paper: Path, tmp_path: Path) -> None:
    outputs = []
    for seed in ("0", "1", "7"):
        command = [sys.executable, "-m", "kag", "index", str(paper), "--out-dir", str(tmp_path / seed)]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True, cwd=ROOT
        )
        run = ROOT / done.stdout.strip()
        outputs.append({path.name: path.read_bytes() for path in run.iterdir()})
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_paper_without_content_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_paper(tmp_path / "blank", ((("page_number", "[[1, 2, 3, 4]]", "1"),),))
    code, _, said = kag(capsys, "index", folder, "--out-dir", tmp_path / "runs")
    assert code == 2
    assert "nothing on the pages" in said


def test_any_kind_of_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "papers"
    for name, kind in (("frost", "docling"), ("ice", "jats"), ("mist", "markdown")):
        _, file, text = FORMS[kind]
        (folder / name).mkdir(parents=True)
        (folder / name / file.replace("ice", name)).write_text(text, encoding="utf-8")
    write_paper(folder / "snow")
    (folder / "frost" / "frost.md").write_text("# Ice", encoding="utf-8")
    (folder / "notes.docx").write_bytes(b"PK")
    code, runs, said = kag(capsys, "index", folder, "--out-dir", tmp_path / "runs")
    assert code == 0
    assert [Path(run).name.partition("_")[0] for run in runs] == ["frost", "ice", "mist", "snow"]
    assert "note: frost is read from frost.json, not from frost.md" in said
    assert f"skipped {folder / 'notes.docx'}: an archive or office file" in said
    kinds = [json.loads((Path(run) / "summary.json").read_text())["source"]["kind"] for run in runs]
    assert kinds == ["docling", "jats", "markdown", "ocr"]
    again = kag(capsys, "index", folder, "--out-dir", tmp_path / "runs")
    assert again[1] == runs, "all are up to date"
    for run in runs:
        assert kag(capsys, "validate", run)[0] == 0
    assert kag(capsys, "audit", runs[0], "--ocr-dir", folder / "frost")[0] == 0


def test_a_kind_of_source_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = kag(capsys, "index", "--list-sources")
    assert code == 0
    assert lines[0].split()[0] == "jats"
    for name in ("jats", "markdown"):
        (tmp_path / FORMS[name][1]).write_text(FORMS[name][2], encoding="utf-8")
    _, (run,), said = kag(capsys, "index", tmp_path, "--source", "markdown", "--out-dir", tmp_path / "runs")
    assert json.loads((Path(run) / "summary.json").read_text())["source"]["kind"] == "markdown"
    assert "ice.xml: jats, but --source markdown was given" in said
    assert kag(capsys, "audit", run, "--ocr-dir", tmp_path)[0] == 0, "the kind of the run is read, not the richest"
    code, _, said = kag(capsys, "index", tmp_path, "--source", "word")
    assert code == 2
    assert "Use one of jats, docling" in said


def test_where_nothing_is_taken_the_reasons_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.docx").write_bytes(b"PK")
    code, _, said = kag(capsys, "index", tmp_path)
    assert code == 2
    assert "holds no paper; notes.docx: an archive or office file" in said
    code, _, said = kag(capsys, "index", tmp_path / "notes.docx")
    assert code == 2
    assert "an archive or office file" in said


def test_pictures_of_a_converter_are_in_the_run_and_on_its_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(FORMS["docling"][2])
    stream = io.BytesIO()
    Image.new("RGB", (80, 60), "red").save(stream, "PNG")
    coded = base64.b64encode(stream.getvalue()).decode()
    data["pictures"][0]["image"] = {"mimetype": "image/png", "uri": f"data:image/png;base64,{coded}"}
    (tmp_path / "ice.json").write_text(json.dumps(data), encoding="utf-8")
    _, (run,), _ = kag(capsys, "index", tmp_path / "ice.json", "--out-dir", tmp_path / "runs")
    assert (Path(run) / "pictures" / "fig_page001_01.png").read_bytes() == stream.getvalue()
    assert 'kag:imagePath "pictures/fig_page001_01.png"' in (Path(run) / "knowledge_graph.ttl").read_text()
    code, (page,), _ = kag(capsys, "report", run)
    assert code == 0
    assert "data:image/png;base64," in Path(page).read_text()


def test_a_folder_of_runs_is_validated(papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "runs"
    _, runs, said = kag(capsys, "index", papers / "ice", papers / "snow", "--out-dir", out)
    assert "2 papers: 2 indexed; 4 pages and" in said
    code, lines, _ = kag(capsys, "validate", out, "--union")
    assert code == 0
    assert lines == [*(f"{run}: conforms" for run in runs), "union of 2 graphs: conforms"]


def test_nothing_is_read_where_nothing_can_be_written(
    papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    code, lines, said = kag(capsys, "index", papers, "--out-dir", tmp_path / "file")
    assert (code, lines) == (2, [])
    assert said.count("error:") == 1
    assert "Choose another folder with --out-dir." in said
    assert "[1/3]" not in said


def test_adding_papers_tells_how_far_it_is(papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, said = kag(capsys, "corpus", "add", papers / "ice", papers / "snow", "--corpus", tmp_path / "library")
    assert code == 0
    assert sorted(lines) == ["added ice", "added snow"]
    assert [line[:5] for line in said.splitlines() if line.endswith(": indexed")] == ["[1/2]", "[2/2]"]
