"""The small faults of `scripts/mutate`: which there are, how they are put in, and where never."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.mutation import rooms
from scripts.mutation.held import held
from scripts.mutation.mutants import is_one, mutants

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


def test_a_fault_is_tried_against_the_tests_that_run_its_line(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(SOURCE)
    lines = {"a": {"seconds": 90.0, "lines": {"m": [14]}}, "b": {"seconds": 10.0, "lines": {"m": [10]}}}
    known = held(path, "m", {**lines, "c": {"seconds": 0.1, "lines": {}}})
    tried = {mutant.function: known.against(mutant)[0] for mutant in mutants(SOURCE)}
    assert tried == {"module": ["b"], "Box": ["b"], "double": ["b"], "fits": ["a"]}


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
