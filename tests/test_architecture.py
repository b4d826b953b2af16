"""The shape of the code: who may import whom, how long a module may be, and which names are no names."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "kag").rglob("*.py"))

# A room's modules import only from rooms above it in this list, or from their own.
RANKS = [
    {"core"},
    {"text"},
    {"sources", "rdf"},
    {"indexing"},
    {"layers"},
    {"retrieval"},
    {"qa"},
    {"export", "kgrag"},
    {"evaluate"},
    {"corpus"},
    {"agents"},
    {"paper"},
    {"build", "library"},
    {"serve"},
    {"cli"},
    {"__main__"},
]
FACE = {"__init__", "__main__", "build", "paper", "library"}  # modules before the rooms: who comes in, comes in here
MOST_ROOMS = 15
MOST_MODULES = 30  # in a folder: with more it holds several ideas, and each gets a folder of its own
FENCES = {
    "pyshacl": {"rdf/pyshacl_validator.py"},
    "shacl": {"rdf/shacl.py"},
    "pyoxigraph": {"rdf/turtle.py", "rdf/published.py", "corpus/", "export/rdf_datasets.py"},
    "markdown_it": {"serve/pages/render.py", "sources/ocr/page_markdown.py", "text/plain.py"},
    "lxml": {"sources/tables.py", "sources/xml.py"},
    "snowballstemmer": {"text/words.py"},
    "PIL": {
        "sources/pictures.py",
        "sources/pdf/file/render.py",
        "sources/pdf/file/visibility.py",
        "sources/pdf/scans/ink.py",
        "sources/pdf/floats/crops.py",
        "sources/pdf/scans/lost_numbers.py",
        "sources/pdf/scans/layout_detector.py",
    },
    "pypdfium2": {"sources/pdf/"},
    "liteparse": {"sources/pdf/liteparse.py"},
    "bibtexparser": {"indexing/references/library_file.py"},
    "dspy": {"agents/"},
    "pydantic": {"agents/", "serve/api/"},
    "json_repair": {"agents/"},
    "pydantic_monty": {"agents/"},
    "opentelemetry": {"agents/model/spans.py"},
    "onnxruntime": {"retrieval/embedders.py", "sources/pdf/scans/layout_detector.py"},
    "tokenizers": {"retrieval/embedders.py"},
    "tantivy": {"retrieval/sparse.py"},
    "faiss": {"retrieval/vectors.py"},
    "numpy": {
        "evaluate/statistics.py",
        "retrieval/",
        "layers/",
        "qa/passage_features.py",
        "qa/passage_index.py",
        "qa/passage_ranking.py",
        "text/crf.py",
        "indexing/references/features.py",
        "sources/pdf/scans/layout_detector.py",
    },
    "click": {"cli/"},
    "rich": {"cli/"},
    "ray": {"indexing/over_ray.py"},
    "obstore": {"indexing/objects.py"},
    "yaml": {"kgrag/yaml_with_positions.py"},
    "starlette": {"serve/"},
    "anyio": {"serve/"},
    "uvicorn": {"serve/app.py", "serve/guard/connections.py", "serve/mcp/server.py"},
    "jinja2": {"serve/pages/"},
    "markupsafe": {"serve/pages/"},
    "httpx": {"serve/client.py"},
    "pandas": {"export/parts.py"},
    "psycopg": {"retrieval/engines/postgresql.py", "retrieval/engines/pg_edges.py"},
    "pymilvus": {"retrieval/engines/milvus.py"},
    "qdrant_client": {"retrieval/engines/qdrant.py"},
    "lancedb": {"retrieval/engines/lance.py"},
    "pyarrow": {"retrieval/engines/lance.py"},
    "ladybug": {"export/cypher_databases.py"},
    "neo4j": {"export/cypher_databases.py"},
    "tiktoken": {"kgrag/context/tokens.py"},
    "mcp": {"serve/mcp/"},
    "mcp_types": {"serve/mcp/"},
}
NO_NAMES = {"utils", "helpers", "common", "base", "manager", "misc"}


@dataclass(frozen=True)
class Seen:
    """What is asked of a module: `imports` are modules with the names taken from them, none for `import module`."""

    source: str
    told: bool
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    functions: tuple[tuple[str, int], ...]
    calls: frozenset[str]


@cache
def seen(path: Path) -> Seen:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    imports: list[tuple[str, tuple[str, ...]]] = []
    functions, calls = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports.append((node.module, tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append((node.name, (node.end_lineno or node.lineno) - node.lineno + 1))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
    return Seen(source, bool(ast.get_docstring(tree)), tuple(imports), tuple(functions), frozenset(calls))


def rank(name: str) -> int:
    return next(n for n, names in enumerate(RANKS) if name in names)


def part(path: Path) -> str:
    return path.relative_to(ROOT / "kag").parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found = set()
    for module, names in seen(path).imports:
        found |= {f"kag.{name}" for name in names} if module == "kag" and names else {module}
    return found - {"kag.__version__"}


def test_the_top_level_is_taken_in_at_a_glance() -> None:
    rooms = {part(path) for path in MODULES} - FACE
    assert len(rooms) <= MOST_ROOMS
    assert {path.stem for path in (ROOT / "kag").glob("*.py")} == FACE
    assert rooms <= set().union(*RANKS)


def test_a_folder_is_taken_in_at_a_glance() -> None:
    held = Counter(path.parent.relative_to(ROOT) for path in MODULES if path.name != "__init__.py")
    assert {str(folder): modules for folder, modules in held.items() if modules > MOST_MODULES} == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module(path: Path) -> None:
    module = seen(path)
    lines = module.source.count("\n")
    assert lines <= 400, f"{lines} lines: more than one idea"
    assert path.stem not in NO_NAMES
    assert module.told or not module.source.strip(), "a module says why it exists"
    assert [(name, length) for name, length in module.functions if length > 60] == []
    local = str(path.relative_to(ROOT / "kag"))
    for name in imports(path):
        top = name.partition(".")[0]
        inside = any(local.startswith(place) for place in FENCES.get(top, {local}))
        assert inside, f"{top} belongs in {FENCES.get(top)}"
        if top == "kag" and name != "kag" and part(path) != "__init__":
            other = name.split(".")[1]
            allowed = other == part(path) or rank(other) < rank(part(path))
            assert allowed, f"{part(path)} may not import {other}"


def test_no_module_leads_back_to_itself() -> None:
    known = {module_name(path): path for path in MODULES}
    graph = {name: imported(path, set(known)) - {"kag", name} for name, path in known.items()}
    TopologicalSorter(graph).prepare()  # raises where there is a circle


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, known: set[str]) -> set[str]:
    """The modules that a module imports, wherever in it; of a package the module that is meant."""
    found = set()
    for module, names in seen(path).imports:
        inside = {f"{module}.{name}" for name in names}
        found |= inside if inside and inside <= known else {module} | inside
    return found & known


def test_one_place_prints() -> None:
    printing = {"cli/terminal.py", "agents/offline_policy.py", "agents/sandbox/marshalling.py"}
    for path in MODULES:
        if str(path.relative_to(ROOT / "kag")) not in printing:
            assert "click.echo" not in seen(path).source, f"{path}: say it with kag.cli.terminal"
            assert "print" not in seen(path).calls, f"{path}: say it with kag.cli.terminal"
