"""The documents say what the code does: commands, scripts, tools, files and examples are all there."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from kag.cli.main import cli
from kag.write.run import FILES, write_run
from kag.write.story import index_paper

ROOT = Path(__file__).resolve().parent.parent
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
