"""Pairs compared by several processes, of this machine or of many that see one folder.

What chunks are compared by is written there as columns of numbers, once for each kind of pair. Each process reads it
as it needs it, looks at a part of the pairs, and gives back what is in that; the columns are removed afterwards.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from secrets import token_hex

from kag.safety.files import read_object
from kag.safety.workers import UNLIMITED, Ended, Executor
from kag.search.graph.features import SparseSignal
from kag.search.graph.pairs import Compare, Found, Pairs, Part, look
from kag.search.graph.signals import DenseSignal, Signal
from kag.search.meaning.arrays import Array, np
from kag.values.errors import RunError

PARTS = 32  # of one kind of pairs: more than there are processes as a rule, so that none waits long for the last
_ABOUT = "pairs.json"
_KINDS: Mapping[str, type[DenseSignal] | type[SparseSignal]] = {"dense": DenseSignal, "sparse": SparseSignal}


@dataclass(frozen=True, slots=True)
class _Work:
    folder: Path
    part: Part


def apart(executor: Executor, home: Path) -> Compare:
    """Who compares pairs in processes; `home` is a folder that all of them see. Raises `RunError` where one is lost."""

    def compare(pairs: Pairs, parts: Sequence[Part]) -> Iterator[Found]:
        folder = home / f".partial-pairs-{token_hex(6)}"
        folder.mkdir(parents=True)
        try:
            _save(pairs, folder)
            for _, found in executor(_look, [_Work(folder, part) for part in parts], UNLIMITED):
                if isinstance(found, Ended):
                    raise RunError(f"chunks were not compared: {found}", hint="Give the command again.")
                yield found
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return compare


def _look(work: _Work) -> Found:
    return look(_load(work.folder), work.part)


def _save(pairs: Pairs, folder: Path) -> None:
    """Write pairs as columns, a file each."""
    rows = []
    for number, (signal, weight) in enumerate(pairs.signals):
        rows.append([next(name for name, kind in _KINDS.items() if isinstance(signal, kind)), weight])
        for name, column in signal.columns().items():
            np.save(folder / f"{number}-{name}.npy", column, allow_pickle=False)
    np.save(folder / "ones.npy", pairs.ones, allow_pickle=False)
    np.save(folder / "others.npy", pairs.others, allow_pickle=False)
    (folder / _ABOUT).write_text(json.dumps({"signals": rows}), encoding="utf-8")


@lru_cache(1)
def _load(folder: Path) -> Pairs:
    """Pairs as they were written; a process that looks at several parts reads them once."""
    signals: list[tuple[Signal, float]] = []
    for number, (name, weight) in enumerate(read_object(folder / _ABOUT)["signals"]):
        columns = {path.stem.partition("-")[2]: _column(path) for path in folder.glob(f"{number}-*.npy")}
        signals.append((_KINDS[name].of(columns), float(weight)))
    return Pairs(signals, _column(folder / "ones.npy"), _column(folder / "others.npy"))


def _column(path: Path) -> Array:
    found: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    return found
