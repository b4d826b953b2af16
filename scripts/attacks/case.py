"""What became of one case of an attack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its name says what was tried; `failed` what went wrong, empty where kag held."""

    name: str
    failed: str = ""


class Unavailable(Exception):
    """This system lacks what the attack needs; says what that is."""


class Attack(Protocol):
    """A module of this package."""

    KIND: str
    CASES: int

    def attack(self, random: Random, cases: int, work: Path) -> Iterator[Case]:
        """Try `cases` cases drawn with `random` in the empty folder `work`."""
