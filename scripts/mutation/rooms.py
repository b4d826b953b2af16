"""Which modules hold rules, and which tests hold those modules.

Left out by rule is whatever deletes or writes outside a run of its own (`kag/core`, `kag/corpus`, the writing of
runs): a fault there could harm what lies beside the copy.
"""

from __future__ import annotations

from pathlib import Path

NEVER = (
    "kag/core/",
    "kag/corpus/",
    "kag/indexing/run.py",
    "kag/indexing/batch.py",
    "kag/indexing/pipeline.py",
    "kag/cli/",
)
HARMLESS = ("kag/core/workers.py", "kag/corpus/exact/")  # of those: they end their own processes, and only read

_ENRICH = ("citations", "numeric_citations", "author_year", "crossref_finder", "crossrefs")
_ENRICH += ("bibliography", "mentions")
_PDF_TEXT = ("lines", "columns", "compose", "furniture", "paragraphs", "headings", "titles", "entries", "flow", "front")
_PDF = ("file/content", "file/links", *(f"text/{name}" for name in _PDF_TEXT), "writer", "read")
_MODULES = (
    "kag/indexing/audit.py",
    "kag/indexing/baseline.py",
    "kag/indexing/build_plan.py",
    "kag/indexing/structure/*.py",
    *(f"kag/indexing/enrich/{name}.py" for name in _ENRICH),
    *(f"kag/sources/pdf/{name}.py" for name in _PDF),
    "kag/indexing/references/*.py",
    "kag/qa/checking/*.py",
    "kag/qa/checking/rules/*.py",
    "kag/qa/modes.py",
    "kag/rdf/workspace.py",
    "kag/retrieval/steps/rank.py",
    *(f"kag/layers/{name}.py" for name in ("passages", "values", "gate")),
    "kag/core/workers.py",
    "kag/retrieval/property_graph/engine.py",
    "kag/qa/questions/*.py",
    "kag/corpus/exact/*.py",
)
SAMPLED = {"kag/indexing/references/": 10}  # faults where fewer are tried: fitted scores and patterns beside rules
_WHOLE_PAPERS = ("tests/integration/test_unheaded_parts.py",)
_AT_PDF = "kag/sources/pdf"
_WHOLE_PDFS = ("tests/unit/sources/pdf/test_read.py",)


def _test(module: str) -> str:
    """
    >>> _test("sources/pdf/file/links")
    'sources/pdf/file/test_links'
    """
    folder, _, name = module.rpartition("/")
    return f"{folder}/test_{name}"


_TESTS = {
    "kag/indexing/audit.py": ("tests/unit/indexing/test_audit.py",),
    **{f"{_AT_PDF}/{name}.py": (f"tests/unit/{_test(f'sources/pdf/{name}')}.py", *_WHOLE_PDFS) for name in _PDF},
    "kag/indexing/": ("tests/unit/indexing", *_WHOLE_PAPERS),
    "kag/indexing/references/": ("tests/unit/indexing/references", "tests/unit/indexing/enrich", *_WHOLE_PAPERS),
    "kag/indexing/references/library_file.py": (
        "tests/e2e/test_import.py",
        "tests/unit/indexing/references/test_library_file.py",
    ),
    "kag/qa/checking/rules/": ("tests/unit/qa/checking/rules", "tests/integration/test_claim_verdicts.py"),
    "kag/qa/checking/": ("tests/unit/qa/checking", "tests/property/test_verify.py"),
    "kag/qa/modes.py": ("tests/unit/qa/test_modes.py",),
    "kag/rdf/workspace.py": ("tests/unit/rdf", "tests/unit/indexing/tools"),
    "kag/retrieval/steps/rank.py": ("tests/unit/retrieval",),
    "kag/layers/": ("tests/unit/layers",),
    "kag/core/workers.py": ("tests/unit/core/test_workers.py",),
    "kag/retrieval/property_graph/": ("tests/unit/retrieval/property_graph",),
    "kag/qa/questions/": ("tests/unit/qa/questions", "tests/unit/qa/exact"),
    "kag/corpus/exact/": ("tests/unit/corpus/exact",),
}


def modules(root: Path) -> list[str]:
    """The modules to put faults into, by their paths from the root."""
    found = [path.relative_to(root).as_posix() for pattern in _MODULES for path in sorted(root.glob(pattern))]
    return [path for path in found if not path.endswith("__init__.py") and is_allowed(path)]


def is_allowed(module: str) -> bool:
    """Whether faults may be put into a module.

    >>> is_allowed("kag/indexing/audit.py"), is_allowed("kag/core/files.py"), is_allowed("kag/core/workers.py")
    (True, False, True)
    """
    return module.startswith("kag/") and (module.startswith(HARMLESS) or not module.startswith(NEVER))


def tests_of(module: str) -> tuple[str, ...]:
    """The tests that hold a module beside its own doctests: those of the longest name in the table that fits."""
    known = max((name for name in _TESTS if module.startswith(name)), key=len)
    return _TESTS[known]


_BESIDE = {  # where rules live, and the tests of that room
    "kag/indexing": ("tests/unit/indexing", "tests/integration/test_unheaded_parts.py"),
    "kag/qa/checking": ("tests/unit/qa/checking", "tests/property/test_verify.py"),
    "kag/indexing/references": ("tests/unit/indexing/references",),
    "kag/sources/pdf": ("tests/unit/sources/pdf",),
    "kag/rdf": ("tests/unit/rdf", "tests/property/test_shacl_engines.py"),
}


def sizes(root: Path) -> dict[str, tuple[int, int]]:
    """Lines of code and of tests of each room where rules live."""
    return {
        room: (_lines(root / room), sum(_lines(root / tests) for tests in beside)) for room, beside in _BESIDE.items()
    }


def _lines(path: Path) -> int:
    files = path.rglob("*.py") if path.is_dir() else (path,)
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
