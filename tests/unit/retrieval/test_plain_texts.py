"""Plain texts as chunks, and searched by the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import SourceError
from kag.retrieval.chunking import text_chunks

ICE = "Sensors freeze when rivers carry ice. " * 12
TEA = "Tea leaves dry slowly on warm stone shelves. " * 12


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "field.md").write_text(f"# Field notes\n\n{ICE}\n\n{TEA}\n", encoding="utf-8")
    (tmp_path / "list.txt").write_text("\ufeffOne plain line.", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    return tmp_path


def test_a_text_is_cut_where_what_it_says_changes(notes: Path) -> None:
    first, ice, tea = text_chunks(notes)
    assert (first.document, first.title, first.text) == ("list.txt", "list.txt", "One plain line.")
    assert (ice.document, ice.title) == (tea.document, tea.title) == ("old/field.md", "Field notes")
    assert "Tea" not in ice.text
    assert tea.text.startswith("Tea leaves")
    assert (ice.sources, tea.sources) == (("old/field.md#L1-L3",), ("old/field.md#L5-L5",))


def test_one_file_whatever_its_name(notes: Path) -> None:
    path = notes / "readme"
    path.write_text("Words.", encoding="utf-8")
    (chunk,) = text_chunks(path)
    assert (chunk.id, chunk.document, chunk.text) == ("readme#0", "readme", "Words.")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("gone", None, "no such file"), ("empty", "", "no text files"), ("bad.txt", b"\xff\xfe\xfa", "bad.txt")],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, content: str | bytes | None, said: str) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        path.mkdir()
    with pytest.raises(SourceError, match=said):
        list(text_chunks(path))


@pytest.mark.parametrize("plan", ["bm25", "sage"])
def test_the_command_finds_lines(notes: Path, plan: str) -> None:
    arguments = ["search", "what dries on stone?", "--texts", str(notes), "--plan", plan, "-k", "1"]
    shown = CliRunner().invoke(cli, arguments)
    assert shown.exit_code == 0, shown.output
    assert "1. Field notes\n   old/field.md#L5-L5 (document)\n" in shown.stdout
    (hit,) = json.loads(CliRunner().invoke(cli, [*arguments, "--format", "json"]).stdout)["hits"]
    assert (hit["paper"], hit["node"], hit["page"], hit["evidence"]) == (
        "old/field.md",
        "old/field.md#L5-L5",
        None,
        None,
    )
    assert hit["text"] in (notes / "old" / "field.md").read_text(encoding="utf-8")


def test_one_source_is_searched(notes: Path) -> None:
    for given in ([], ["--texts", str(notes), "--graph-dir", str(notes)]):
        result = CliRunner().invoke(cli, ["search", "tea", *given])
        assert result.exit_code == 2
        assert "Give one of --corpus DIR, --graph-dir RUNS, --texts PATH and --database URL." in result.stderr
