"""Where quantities begin and end: what the labeller cut off or took in too much is put right."""

from __future__ import annotations

import pytest

from kag.layers.measurements.features import sentence, token_features
from kag.layers.measurements.find import by_rules
from kag.layers.measurements.spans import mended


def ends(text: str, *cut: str) -> list[str]:
    """The quantities of a sentence whose pieces the labeller found as `cut`."""
    form = sentence(text, 0, len(text))
    runs, at = [], 0
    for piece in cut:
        at = text.index(piece, at)
        runs.append(form.within(at, at + len(piece)))
        at += len(piece)
    found = mended(form, token_features(form).words, runs, by_rules(form))
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
        ("at 2614.7 and 2619.6 m", ["2614.7", "2619.6 m"], ["2614.7 and 2619.6 m"]),
        ("levels of 1, 5, 10, 20 and 50 mg", ["20 and 50 mg"], ["1, 5, 10, 20 and 50 mg"]),
        ("plates of 60 × 10 × 3 mm", ["3 mm"], ["60 × 10 × 3 mm"]),
        ("see 4, 20 mg", ["20 mg"], ["20 mg"]),
        ("rose 5% to 9% then", ["5%", "9%"], ["5% to 9%"]),
        ("from 3 to 4 of it", ["3", "4"], ["3 to 4"]),
        ("set 3 to 4 of it", ["3", "4"], ["3", "4"]),
        ("by around six orders of magnitude", ["six"], ["around six orders of magnitude"]),
        ("held below 40 °C here", ["40 °C"], ["below 40 °C"]),
        ("as shown above 40 of", ["40"], ["40"]),
        ("on average 5% of it", ["5%"], ["on average 5%"]),
        ("about 3 percentage points more", ["3"], ["about 3 percentage points"]),
        ("", [], []),
    ],
)
def test_ends(text: str, cut: list[str], whole: list[str]) -> None:
    assert ends(text, *cut) == whole
