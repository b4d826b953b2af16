"""The documents say what the code does: commands, scripts, files, figures are there; examples print what is shown."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

import kag
from kag.cli.main import cli
from kag.indexing.pipeline import index_paper
from kag.indexing.run import FILES, write_run
from tests.shown import PAGES, ROOT, blocks, command_lines, options_of, parse, run, sessions

TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in PAGES}
ALL = "\n".join(TEXTS.values())
PYTHON = TEXTS["docs/python.md"]
FORMATS = TEXTS["docs/formats.md"]
MARKDOWN = [
    path
    for path in ROOT.rglob("*.md")
    if not {".venv", "runs", "test_data", "tests"} & set(path.relative_to(ROOT).parts)
]
COMMANDS = [(page, tuple(words)) for page, text in TEXTS.items() for words in command_lines(text)]
INLINE = [(page, span) for page, text in TEXTS.items() for span in re.findall(r"`kag ([a-z][^`\n]*)`", text)]


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_help_and_is_told(name: str) -> None:
    command = cli.commands[name]
    assert command.help
    assert f"kag {name}" in ALL
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"kag {name} {parameter.opts[0]}"


@pytest.mark.parametrize(
    "script", sorted(path.name for path in (ROOT / "scripts").iterdir() if path.suffix == "" and path.is_file())
)
def test_every_command_script_is_told(script: str) -> None:
    assert re.search(rf"scripts/{script}\b", ALL)


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_a_run_is_told(name: str) -> None:
    assert f"| `{name}` |" in FORMATS


@pytest.mark.parametrize("path", sorted(MARKDOWN), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


@pytest.mark.parametrize("page", TEXTS)
def test_modules_and_files_that_are_named_exist(page: str) -> None:
    named = r"`((?:kag|scripts|tests|reports|ontology|test_data)/[\w/]*(?:\.(?:py|toml|md|txt)|/))"
    for name in re.findall(named, TEXTS[page]):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", TEXTS)
def test_scripts_that_are_named_exist(page: str) -> None:
    for name in re.findall(r"\bscripts/[\w.]+\w", TEXTS[page]):
        assert (ROOT / name).exists(), name


def test_there_are_commands_on_the_pages() -> None:
    assert len(COMMANDS) > 50
    assert len(INLINE) > 20


@pytest.mark.parametrize(("page", "words"), COMMANDS, ids=lambda value: " ".join(value)[:60])
def test_every_command_shown_is_one(page: str, words: tuple[str, ...]) -> None:
    parse(words)


@pytest.mark.parametrize(("page", "span"), INLINE, ids=lambda value: value[:60])
def test_commands_in_sentences_exist_with_their_options(page: str, span: str) -> None:
    words = span.split()
    given, known = options_of(words)
    assert words[0] in cli.commands
    assert given <= known | {"-k"}


def test_a_wrong_command_is_told() -> None:
    for wrong in (["qa", "--graph-dirs", "runs"], ["corpora"], ["export", "RUN", "--format", "word"]):
        with pytest.raises(click.UsageError):
            parse(wrong)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the project's, where examples may write."""
    shutil.copytree(ROOT / "test_data", tmp_path / "test_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "docs/settings.md"])
def test_what_a_page_shows_is_what_comes_out(page: str, checkout: Path) -> None:
    shown = sessions(TEXTS[page])
    assert len(shown) >= 4
    for one in shown:
        assert run(one.command, checkout) == one.printed, one.command


def rows(page: str, below: str, until: str = "\x00") -> list[tuple[str, str]]:
    """The rows of the tables of two columns between two headings, without their heads."""
    part = page.partition(below)[2].partition(until)[0]
    found = re.findall(r"^\| (.*\?|List .*\.) \| (.*) \|$", part, re.M)
    assert found
    return [(question, answer.replace("\\|", "|")) for question, answer in found]


ASKED = rows(TEXTS["docs/questions.md"], "## What is answered exactly", "## Over a library")
ASKED_OF_MANY = rows(TEXTS["docs/questions.md"], "## Over a library")


@pytest.fixture(scope="module")
def reservoir() -> kag.Paper:
    return kag.index(ROOT / "test_data" / "reservoir_sensors")


@pytest.mark.parametrize(("question", "text"), ASKED)
def test_questions_are_answered_as_the_page_says(reservoir: kag.Paper, question: str, text: str) -> None:
    answer = reservoir.ask(question)
    assert " ".join(answer.text.split()) == text
    assert kag.verify(answer, reservoir).conforms
    assert answer.claims[0].confidence >= 0.7


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with kag.Corpus(folder / "library") as corpus:
        corpus.add(ROOT / "test_data")
    return folder


@pytest.mark.parametrize(("question", "text"), ASKED_OF_MANY)
def test_questions_of_many_papers_are_answered_as_the_page_says(library: Path, question: str, text: str) -> None:
    printed = run(f"kag corpus ask {question!r} --corpus library", library)
    told = re.findall(r"^\*\*(.*)\*\* \(quoted, not judged\)$", printed, re.M)
    assert " / ".join(told) == text


def test_the_figures_of_the_evaluation_page_are_those_of_the_report() -> None:
    report = (ROOT / "reports" / "structure.md").read_text(encoding="utf-8").partition("## jats_gold\n")[2]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in report.splitlines()[:24] if "|" in line]
    head, *lines = (line for line in cells if not line[0].startswith("-"))
    shown = re.findall(r"^\| (\w+) \| (\d\S+) \| (\S+) \| (\d+) \|$", TEXTS["docs/evaluation.md"], re.M)
    wanted = [head.index(name) for name in ("metric", "F1", "95 % interval", "papers")]
    told = {tuple(line[place] for place in wanted) for line in lines}
    assert len(shown) > 5
    assert set(shown) <= told


def test_the_graph_is_read_as_the_page_of_formats_says(
    paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = blocks(FORMATS, "python")
    run = write_run(tmp_path, "my_paper_ocr", index_paper(paper).files)
    exec(re.sub(r'"runs/[^"]*"', repr(str(run / "knowledge_graph.ttl")), example), {})
    printed = capsys.readouterr().out.splitlines()
    assert any("Poe E. Ice on rivers" in line for line in printed)


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize("page", ["docs/python.md", "docs/how-to.md"])
def test_python_prints_what_the_page_shows(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    (lines,) = blocks(TEXTS[page], "python")
    (shown,) = blocks(TEXTS[page], "text")
    exec(lines, {})
    assert capsys.readouterr().out == shown


def test_ten_lines_of_python_are_ten() -> None:
    (lines,) = blocks(PYTHON, "python")
    assert len([line for line in lines.splitlines() if line and not line.startswith("import")]) <= 10


@pytest.mark.usefixtures("checkout")
def test_the_examples_of_the_python_page_do_as_they_say() -> None:
    source = "\n".join(blocks(PYTHON, "pycon"))
    assert source.count(">>>") == PYTHON.count(">>>") > 20
    test = doctest.DocTestParser().get_doctest(source, {}, "python.md", "docs/python.md", 0)
    wrong: list[str] = []
    doctest.DocTestRunner().run(test, out=wrong.append)
    assert not wrong, "".join(wrong)


def test_the_python_page_names_all_public_names_and_fields() -> None:
    for name in kag.__all__:
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`|kag\.{name}\b", PYTHON), name
    for part in (kag.Section, kag.Figure, kag.Table, kag.Reference, kag.Citation):
        (row,) = re.findall(rf"\| `paper\.{part.__name__.lower()}s` \| (.*) \|", PYTHON)
        told = set(re.findall(r"`(\w+)`", row))
        assert told - {"rows"} == {field.name for field in fields(part)}, part


def test_the_pages_build_as_a_site(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material, of the docs extra, is not installed")
    subprocess.run([sys.executable, ROOT / "scripts" / "build_docs.py", tmp_path / "site"], check=True)
    assert "Tutorial" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "site" / "docs" / "evidence.png").is_file()
