"""The documents say what the code does: commands, scripts, tools, files and examples are all there."""

from __future__ import annotations

import doctest
import re
import shutil
from dataclasses import fields
from pathlib import Path

import click
import pytest

import kag
from kag.cli.main import cli
from kag.write.run import FILES, write_run
from kag.write.story import index_paper

ROOT = Path(__file__).resolve().parent.parent
PYTHON = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
MARKDOWN = [
    path
    for path in ROOT.rglob("*.md")
    if not {".venv", "runs", "test_data", "tests"} & set(path.relative_to(ROOT).parts)
]


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_help_and_is_in_the_readme(name: str) -> None:
    command = cli.commands[name]
    assert command.help
    assert f"kag {name}" in README
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"kag {name} {parameter.opts[0]}"


@pytest.mark.parametrize(
    "script", sorted(path.name for path in (ROOT / "scripts").iterdir() if path.suffix == "" and path.is_file())
)
def test_every_command_script_is_in_the_readme(script: str) -> None:
    assert f"scripts/{script}" in README


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_a_run_is_in_the_readme(name: str) -> None:
    assert f"`{name}`" in README


@pytest.mark.parametrize("path", sorted(MARKDOWN), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


def test_modules_named_in_the_readme_exist() -> None:
    for name in re.findall(r"`(kag/[\w/]+(?:\.py|/))`", README):
        assert (ROOT / name).exists(), name


def test_the_example_of_the_readme_runs(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.S)
    run = write_run(tmp_path, "my_paper_ocr", index_paper(paper).files)
    exec(re.sub(r'"runs/[^"]*"', repr(str(run / "knowledge_graph.ttl")), example), {})
    printed = capsys.readouterr().out.splitlines()
    assert any("Poe E. Ice on rivers" in line for line in printed)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that looks like the project's, where examples may write."""
    shutil.copytree(ROOT / "test_data", tmp_path / "test_data")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("checkout")
def test_the_examples_of_the_python_page_do_as_they_say() -> None:
    source = "\n".join(re.findall(r"```pycon\n(.*?)```", PYTHON, re.S))
    assert source.count(">>>") == PYTHON.count(">>>") > 20
    test = doctest.DocTestParser().get_doctest(source, {}, "python.md", "docs/python.md", 0)
    wrong: list[str] = []
    doctest.DocTestRunner().run(test, out=wrong.append)
    assert not wrong, "".join(wrong)


@pytest.mark.usefixtures("checkout")
def test_the_ten_lines_of_the_python_page_print_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", PYTHON, re.S)
    (shown,) = re.findall(r"```text\n(.*?)```", PYTHON, re.S)
    assert len([line for line in lines.splitlines() if line and not line.startswith("import")]) <= 10
    exec(lines, {})
    assert capsys.readouterr().out == shown


def test_the_python_page_names_all_public_names_and_fields() -> None:
    for name in kag.__all__:
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`|kag\.{name}\b", PYTHON), name
    for part in (kag.Section, kag.Figure, kag.Table, kag.Reference, kag.Citation):
        (row,) = re.findall(rf"\| `paper\.{part.__name__.lower()}s` \| (.*) \|", PYTHON)
        told = set(re.findall(r"`(\w+)`", row))
        assert told - {"rows"} == {field.name for field in fields(part)}, part
