"""The sets of annotated texts that are known, and a folder put to the one it is named after.

>>> "biored" in SETS
True
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.resources import files as packaged
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import shown
from scripts.benchmarks.layers.figure import Figure
from scripts.benchmarks.layers.rows import HINT, digest, read_files

SETS = (
    "abbreviations",
    "biored",
    "bioscope",
    "citation_intent",
    "claims",
    "craft",
    "measeval",
    "sofc_exp",
)


def evaluate_layers(folder: Path, half: str = "") -> tuple[Figure, ...]:
    """The figures of a set, on all of its documents or on one half ("a" or "b"); raises `SourceError`."""
    name = folder.resolve().name
    if name not in SETS:
        raise SourceError(f"{shown(folder)} is no set of layers", hint=f"Name a folder of: {', '.join(SETS)}.")
    files = read_files(folder, half)
    module = import_module(f"scripts.benchmarks.layers.{name}")
    try:
        found: Iterable[Figure] = module.figures(files)
        return tuple(found)
    except (KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{shown(folder)}: {error!r}", hint=HINT) from error


def learned_from(folder: Path) -> list[str]:
    """The cards of models and lists that were made from these very texts: their figures on them flatter."""
    known = digest(folder)
    home = packaged("kag.layers")
    cards = [card for part in ("models", "entities/names", "claims") for card in home.joinpath(part).iterdir()]
    told = {card.name: card.read_text(encoding="utf-8") for card in cards if card.name.endswith(".json")}
    return sorted(name for name, text in told.items() if known in text)
