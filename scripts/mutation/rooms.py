"""Which modules hold rules, and which tests hold those modules.

Left out by rule is whatever deletes or writes outside a run of its own (`kag/safety`, `kag/corpus`, the writing of
runs): a fault there could harm what lies beside the copy.
"""

from __future__ import annotations

from pathlib import Path

NEVER = ("kag/safety/", "kag/corpus/", "kag/write/run.py", "kag/write/batch.py", "kag/write/story.py", "kag/cli/")
HARMLESS = ("kag/safety/workers.py", "kag/corpus/exact/")  # of those: they end their own processes, and only read

_ENRICH = ("citations", "numeric_citations", "author_year", "flat_citations", "crossref_finder", "crossrefs")
_ENRICH += ("bibliography", "numbering", "seams")
_PDF_TEXT = ("lines", "columns", "compose", "furniture", "paragraphs", "headings", "titles", "entries", "flow", "front")
_PDF = ("file/content", "file/links", *(f"text/{name}" for name in (*_PDF_TEXT, "run_in")), "writer", "read")
_MODULES = (
    "kag/write/audit.py",
    "kag/write/baseline.py",
    "kag/write/build_plan.py",
    "kag/write/structure/*.py",
    *(f"kag/write/enrich/{name}.py" for name in _ENRICH),
    *(f"kag/sources/pdf/{name}.py" for name in _PDF),
    "kag/references/*.py",
    "kag/read/checking/*.py",
    "kag/read/checking/rules/*.py",
    "kag/read/modes.py",
    "kag/rdf/workspace.py",
    "kag/search/steps/rank.py",
    *(f"kag/layers/{name}.py" for name in ("passages", "values", "gate")),
    "kag/safety/workers.py",
    "kag/graph/engine.py",
    "kag/questions/*.py",
    "kag/corpus/exact/*.py",
)
SAMPLED = {"kag/references/": 10}  # faults where fewer are tried: fitted scores and patterns beside rules
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
    "kag/write/audit.py": ("tests/unit/write/test_audit.py",),
    **{f"{_AT_PDF}/{name}.py": (f"tests/unit/{_test(f'sources/pdf/{name}')}.py", *_WHOLE_PDFS) for name in _PDF},
    "kag/write/": ("tests/unit/write", *_WHOLE_PAPERS),
    "kag/references/": ("tests/unit/references", "tests/unit/write/enrich", *_WHOLE_PAPERS),
    "kag/references/library_file.py": ("tests/e2e/test_import.py", "tests/unit/references/test_library_file.py"),
    "kag/read/checking/rules/": ("tests/unit/read/checking/rules", "tests/integration/test_claim_verdicts.py"),
    "kag/read/checking/": ("tests/unit/read/checking", "tests/property/test_verify.py"),
    "kag/read/modes.py": ("tests/unit/read/test_modes.py",),
    "kag/rdf/workspace.py": ("tests/unit/rdf", "tests/unit/write/tools"),
    "kag/search/steps/rank.py": ("tests/unit/search",),
    "kag/layers/": ("tests/unit/layers",),
    "kag/safety/workers.py": ("tests/unit/safety/test_workers.py",),
    "kag/graph/": ("tests/unit/graph",),
    "kag/questions/": ("tests/unit/questions", "tests/unit/read/exact"),
    "kag/corpus/exact/": ("tests/unit/corpus/exact",),
}


def modules(root: Path) -> list[str]:
    """The modules to put faults into, by their paths from the root."""
    found = [path.relative_to(root).as_posix() for pattern in _MODULES for path in sorted(root.glob(pattern))]
    return [path for path in found if not path.endswith("__init__.py") and is_allowed(path)]


def is_allowed(module: str) -> bool:
    """Whether faults may be put into a module.

    >>> is_allowed("kag/write/audit.py"), is_allowed("kag/safety/files.py"), is_allowed("kag/safety/workers.py")
    (True, False, True)
    """
    return module.startswith("kag/") and (module.startswith(HARMLESS) or not module.startswith(NEVER))


def tests_of(module: str) -> tuple[str, ...]:
    """The tests that hold a module beside its own doctests: those of the longest name in the table that fits."""
    known = max((name for name in _TESTS if module.startswith(name)), key=len)
    return _TESTS[known]


_BESIDE = {  # where rules live, and the tests of that room
    "kag/write": ("tests/unit/write", "tests/integration/test_unheaded_parts.py"),
    "kag/read/checking": ("tests/unit/read/checking", "tests/property/test_verify.py"),
    "kag/references": ("tests/unit/references",),
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
