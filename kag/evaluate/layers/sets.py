"""The sets of annotated texts that are known, and a folder put to the one it is named after.

>>> "biored" in SETS
True
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from kag.evaluate.layers.figure import Figure
from kag.evaluate.layers.rows import HINT, read_files
from kag.safety.files import shown
from kag.values.errors import SourceError

SETS = (
    "abbreviations",
    "biored",
    "bioscope",
    "citation_intent",
    "claims",
    "craft",
    "measeval",
    "scierc",
    "sofc_exp",
)


def evaluate_layers(folder: Path, half: str = "") -> tuple[Figure, ...]:
    """The figures of a set, on all of its documents or on one half ("a" or "b"); raises `SourceError`."""
    name = folder.resolve().name
    if name not in SETS:
        raise SourceError(f"{shown(folder)} is no set of layers", hint=f"Name a folder of: {', '.join(SETS)}.")
    files = read_files(folder, half)
    module = import_module(f"kag.evaluate.layers.{name}")
    try:
        found: Iterable[Figure] = module.figures(files)
        return tuple(found)
    except (KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{shown(folder)}: {error!r}", hint=HINT) from error
