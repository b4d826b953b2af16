"""The small faults of `scripts/mutate`: which there are, how they are put in, and where never."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scripts.mutation import rooms
from scripts.mutation.held import held
from scripts.mutation.mutants import is_one, mutants
from scripts.mutation.swap import swap
from scripts.mutation.touched import Touched

ROOT = Path(__file__).resolve().parents[2]
SOURCE = '''"""Words."""
LIMIT = 3


class Box:
    size = 2

    @property
    def double(self) -> int:
        return self.size * 2


def fits(number: int) -> bool:
    return number <= LIMIT
'''


def news(source: str) -> set[str]:
    return {mutant.new for mutant in mutants(source) if is_one(mutant, source)}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = a < b", {"(a <= b)", "(a >= b)"}),
        ("x = a == b", {"(a != b)"}),
        ("x = a and b", {"(a or b)"}),
        ("x = not a", {"(a)"}),
        ("x = a + b", {"(a - b)"}),
        ("x = a + 'b'", set()),
        ("x = 3", {"(4)", "(2)"}),
        ("x = 160", {"(320)", "(80)"}),
        ("x = True", {"(False)"}),
        ("x = [a for a in b if a]", {"([a for a in b])"}),
        ("x = min(a)", {"(max(a))"}),
        ("a.add(b)", {"pass"}),
        ("def f() -> bool:\n    return a", {"return False", "return True"}),
        ("def f() -> list[int]:\n    return a", {"return ()"}),
        ("x: dict[str, Literal[3]] = a", set()),
        ("raise ValueError(3)", set()),
        ("x = f'{3}'", set()),
        ("zip(strict=True)", {"pass"}),
        ("'''Three.'''", set()),
    ],
)
def test_faults(source: str, found: set[str]) -> None:
    assert news(source) == found


def test_a_fault_changes_its_place_only() -> None:
    source = "é = 'ü'; x = a < b  # why"
    assert [mutant.applied(source) for mutant in mutants(source)] == [
        "é = 'ü'; x = (a <= b)  # why",
        "é = 'ü'; x = (a >= b)  # why",
    ]


@pytest.fixture
def module(tmp_path: Path):
    path = tmp_path / "kag_faulty.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("kag_faulty", path)
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules["kag_faulty"] = made
    spec.loader.exec_module(made)
    yield made
    del sys.modules["kag_faulty"]


def test_a_fault_reaches_what_has_been_imported_already(module: ModuleType) -> None:
    fits, box = module.fits, module.Box()
    swap(module, SOURCE.replace("<=", "<").replace("size * 2", "size + 5"), values=False)
    assert (fits(3), box.double) == (False, 7)
    swap(module, SOURCE.replace("size = 2", "size = 9"), values=True)
    assert (fits(3), box.double, type(box)) == (True, 18, module.Box)


def test_a_fault_is_tried_against_the_tests_that_run_its_line(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(SOURCE)
    lines = {"a": {"seconds": 90.0, "lines": {"m": [14]}}, "b": {"seconds": 10.0, "lines": {"m": [10]}}}
    known = held(path, "m", {**lines, "c": {"seconds": 0.1, "lines": {}}})
    tried = {mutant.function: known.against(mutant)[0] for mutant in mutants(SOURCE)}
    assert tried == {"module": ["b"], "Box": ["b"], "double": ["b"], "fits": ["a"]}


def test_a_line_that_nobody_was_seen_to_run_is_tried_against_all(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(SOURCE)
    known = held(path, "m", {"a": {"seconds": 1.0, "lines": {"m": [10]}}, "b": {"seconds": 1.0, "lines": {"n": [14]}}})
    assert {mutant.function: known.against(mutant)[0] for mutant in mutants(SOURCE)}["fits"] == ["a"]


def test_what_is_remembered_hides_no_line(module: ModuleType, tmp_path: Path) -> None:
    asked = "from functools import cache\n@cache\ndef fits(number: int) -> bool:\n    return number <= 3\n"
    path = tmp_path / "kag_faulty.py"
    path.write_text(asked)
    exec(compile(asked, str(path), "exec"), module.__dict__)
    touched = Touched(tmp_path, ["kag_faulty.py"], tmp_path / "touched.json")

    class Item:
        nodeid = "a"

    with touched.tracing():
        for Item.nodeid in ("a", "b"):
            steps = touched.pytest_runtest_protocol(Item())
            next(steps)
            module.fits(3)
            steps.close()
    told = json.loads((tmp_path / "touched.json").read_text())
    assert {test: said["lines"] for test, said in told.items()} == {t: {"kag_faulty.py": [2, 4]} for t in "ab"}


def test_nothing_that_deletes_is_given_a_fault() -> None:
    for path in (
        "kag/core/files.py",
        "kag/corpus/layout.py",
        "kag/corpus/transaction.py",
        "kag/indexing/run.py",
        "tests/x.py",
    ):
        assert not rooms.is_allowed(path)
    known = rooms.modules(ROOT)
    assert "kag/indexing/audit.py" in known
    assert all(rooms.is_allowed(path) and (ROOT / path).is_file() for path in known)
    assert all((ROOT / tests).exists() for path in known for tests in rooms.tests_of(path))


TRIED = """
import sys
from pathlib import Path
from scripts.mutation.bench import entered, run
from scripts.mutation.mutants import mutants

copy = Path(sys.argv[1])
entered(copy)
name = "kag/one/thing.py"
work = [(name, one) for one in mutants((copy / name).read_text()) if one.new == "(number - 1)"]
print(*(one.outcome for one in run(copy, [name, "tests/test_thing.py"], work, 1)))
"""


def test_a_fault_is_told_in_a_module_that_its_package_imports(tmp_path: Path) -> None:
    """Collecting its doctests must not make a second module of it, which gets the fault, and which no test runs."""
    files = {
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib --doctest-modules"\n',
        "kag/__init__.py": "",
        "kag/one/__init__.py": "from kag.one.thing import more\n",
        "kag/one/thing.py": "def more(number: int) -> int:\n    return number + 1\n",
        "tests/test_thing.py": "from kag.one import more\n\n\ndef test_more():\n    assert more(1) == 2\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    told = subprocess.run(
        [sys.executable, "-c", TRIED, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert told.stdout.split()[-1:] == ["failed"], told.stderr
