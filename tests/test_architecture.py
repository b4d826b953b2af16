"""The shape of the code: who may import whom, how long a module may be, and which names are no names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "kag").rglob("*.py"))

# A module imports only from ranks below its own, or from its own package. Rank 0 holds plain values, which may
# know each other.
RANKS = [
    {"errors", "types", "report", "content", "trajectory", "latex", "text", "ledger", "search_text", "works", "workers"}
    | {"trajectory_phases", "quantities", "tables", "markdown_text", "evidence", "questions", "answer_text"}
    | {"checksums", "files", "rescue", "secrets", "sentences", "shapes", "spellings"},
    {"document", "rdf", "graph"},
    {"retrieve"},
    {"enrich"},
    {"structure", "memory", "run", "answer_folder"},
    {"export"},
    {"reading"},
    {"bridge", "found"},
    {"tools", "audit", "trajectory_report", "verify"},
    {"answering", "page"},
    {"across"},
    {"plan"},
    {"baseline"},
    {"completion"},
    {"last_resort"},
    {"write", "read"},
    {"batch", "answer_batch"},
    {"evaluate"},
    {"agents"},
    {"corpus"},
    {"schema_search"},
    {"commands"},
    {"cli"},
    {"__main__"},
]
FENCES = {
    "pyshacl": {"rdf/referee.py"},
    "shacl": {"rdf/shacl.py"},
    "pyoxigraph": {"rdf/turtle.py", "rdf/published.py", "corpus/"},
    "markdown_it": {"document/markdown.py", "text.py"},
    "lxml": {"document/tables.py"},
    "snowballstemmer": {"search_text/"},
    "PIL": {"document/figures.py", "document/pictures.py"},
    "dspy": {"agents/"},
    "pydantic_monty": {"agents/"},
    "anthropic": {"agents/"},
    "opentelemetry": {"agents/spans.py"},
    "matplotlib": {"evaluate/plots.py"},
    "onnxruntime": {"retrieve/minilm.py"},
    "tokenizers": {"retrieve/minilm.py"},
    "tantivy": {"retrieve/sparse.py"},
    "faiss": {"retrieve/vectors.py"},
    "numpy": {"evaluate/statistics.py", "retrieve/", "graph/"},
    "click": {"cli.py", "commands/"},
    "rich": {"cli.py"},
}
NO_NAMES = {"utils", "helpers", "common", "base", "manager", "misc"}


def rank(name: str) -> int:
    return next(n for n, names in enumerate(RANKS) if name in names)


def part(path: Path) -> str:
    return path.relative_to(ROOT / "kag").parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    lines = source.count("\n")
    assert lines <= 400, f"{lines} lines: more than one idea"
    assert path.stem not in NO_NAMES
    assert ast.get_docstring(ast.parse(source)) or not source.strip(), "a module says why it exists"
    local = str(path.relative_to(ROOT / "kag"))
    for module in imports(path):
        top = module.partition(".")[0]
        inside = any(local.startswith(place) for place in FENCES.get(top, {local}))
        assert inside, f"{top} belongs in {FENCES.get(top)}"
        if top == "kag" and module != "kag" and part(path) != "__init__":
            other = module.split(".")[1]
            allowed = other == part(path) or rank(other) < rank(part(path)) or rank(other) == rank(part(path)) == 0
            assert allowed, f"{part(path)} may not import {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            length = node.end_lineno - node.lineno + 1
            assert length <= 60, f"{node.name} has {length} lines"


def test_one_place_prints() -> None:
    printing = {"commands/terminal.py", "agents/offline/cells.py", "agents/offline/reading.py", "agents/border.py"}
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
        named = {call.id for call in calls if isinstance(call, ast.Name)}
        if str(path.relative_to(ROOT / "kag")) not in printing:
            assert "click.echo" not in source, f"{path}: say it with kag.commands.terminal"
            assert "print" not in named, f"{path}: say it with kag.commands.terminal"
