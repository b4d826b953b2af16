"""Draws the pictures of the papers with matplotlib, from data invented with fixed seeds."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from . import plots_pollinators, plots_reservoir, plots_zirconium

Plot = Callable[[Axes, int], None]  # draws panel 0, 1, ... of a figure
_PLOTS: Mapping[str, Mapping[str, Plot]] = {
    "zirconium_tracers": plots_zirconium.PLOTS,
    "reservoir_sensors": plots_reservoir.PLOTS,
    "urban_pollinators": plots_pollinators.PLOTS,
}
_SCALE = 1.6
_DPI = 110 * _SCALE
_SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.1,
}


def draw_panel(paper: str, figure: str, panel: int, width: int, height: int) -> Image.Image:
    """Panel `panel` (from 0) of a figure in colour, for a place of `width` x `height` page pixels."""
    with matplotlib.rc_context(_SETTINGS):
        canvas = Figure(figsize=(width * _SCALE / _DPI, height * _SCALE / _DPI), dpi=_DPI, layout="constrained")
        _PLOTS[paper][figure](canvas.add_subplot(), panel)
        buffer = io.BytesIO()
        canvas.savefig(buffer, format="png", metadata={"Software": None})
    buffer.seek(0)
    return Image.open(buffer).convert("RGB")
