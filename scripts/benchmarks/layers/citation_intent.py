"""Why a work is cited: SciCite (three classes) by the model, ACL-ARC (six) by the CiTO properties that are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kag.layers.claims.find import FOLDER, citation_intent, intent_features
from kag.layers.models.linear import read
from scripts.benchmarks.layers.figure import Figure, by_class, by_label, by_values, wrong_ones
from scripts.benchmarks.layers.rows import Files, Row

_ACL_ARC = {
    "extends": "Extends",
    "citesAsPotentialSolution": "Future",
    "obtainsSupportFrom": "Motivation",
    "disagreesWith": "CompareOrContrast",
    "agreesWith": "CompareOrContrast",
    "discusses": "CompareOrContrast",
    "usesDataFrom": "Uses",
    "usesMethodIn": "Uses",
    "obtainsBackgroundFrom": "Background",
}


def figures(files: Files) -> Iterator[Figure]:
    """Macro F1 of both sets, and how often the property is one that agrees with the gold class."""
    if rows := files.get("citation_scicite"):
        yield from _figures("SciCite", rows, _model_kind)
    if rows := files.get("citation_acl_arc"):
        yield from _figures("ACL-ARC", rows, lambda text: _ACL_ARC[citation_intent(text).property])


def _model_kind(sentence: str) -> str:
    """The class by the model alone: "background", "method" or "result"."""
    shares = read(FOLDER / "intents").shares(intent_features(sentence))
    return max(shares, key=shares.__getitem__)


def _figures(name: str, rows: Sequence[Row], classify: Callable[[str], str]) -> Iterator[Figure]:
    said = [(row, row.more["intent"], classify(row.text)) for row in rows]
    yield by_class(name, by_label((row.doc, gold, label) for row, gold, label in said), wrong_ones(said))
    fits = {row.doc: [float(citation_intent(row.text).property in row.more["cito"])] for row in rows}
    yield by_values(f"{name}, CiTO property", "agrees", fits)
