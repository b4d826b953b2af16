"""Where quantities begin and end: what the labeller cut off or took in too much is put right."""

from __future__ import annotations

import pytest

from kag.layers.measurements.edges import mended
from kag.layers.measurements.find import by_rules
from kag.layers.measurements.sentence import sentence


def ends(text: str, *cut: str) -> list[str]:
    """The quantities of a sentence whose pieces the labeller found as `cut`."""
    form = sentence(text, 0, len(text))
    runs, at = [], 0
    for piece in cut:
        at = text.index(piece, at)
        runs.append(form.within(at, at + len(piece)))
        at += len(piece)
    found = mended(form, tuple(word.lower() for word in form.words), runs, by_rules(form))
    return [text[slice(*form.span(first, last - 1))] for first, last in found]


@pytest.mark.parametrize(
    ("text", "cut", "whole"),
    [
        ("in least 5 hours", ["least 5 hours"], ["least 5 hours"]),
        ("over at least 5 hours", ["least 5 hours"], ["at least 5 hours"]),
        ("to less than 10 times", ["than 10 times"], ["less than 10 times"]),
        ("seen up to around 650 K", ["around 650 K"], ["up to around 650 K"]),
        ("held 43.57% ± 4.35% of it", ["43.57%", "4.35%"], ["43.57% ± 4.35%"]),
        ("of 4.5, 6 and 13 kg", ["4.5, 6", "13 kg"], ["4.5, 6 and 13 kg"]),
        ("at 700 W/m2 and 25 °C", ["700 W/m2", "25 °C"], ["700 W/m2", "25 °C"]),
        ("between 200 and 1000 m", ["between 200", "1000 m"], ["between 200 and 1000 m"]),
        ("rose from 20 ppm to 180 ppm", ["from 20 ppm", "180 ppm"], ["from 20 ppm to 180 ppm"]),
        ("adjusted to 25 °C", ["to 25 °C"], ["25 °C"]),
        ("values of 22 and then", ["22 and"], ["22"]),
        ("1 to 25 per mm of core", ["1 to 25 per"], ["1 to 25 per mm"]),
        ("a loss of 1.3 wt.% was", ["1.3 wt"], ["1.3 wt.%"]),
        ("", [], []),
    ],
)
def test_ends(text: str, cut: list[str], whole: list[str]) -> None:
    assert ends(text, *cut) == whole
