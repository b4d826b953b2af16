"""The pictures of `reservoir_sensors`: a map with stations, error and lifetime curves, a temperature section."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes


def _map(axes: Axes, panel: int) -> None:
    angle = np.linspace(0, 2 * np.pi, 200)
    radius = 1 + 0.22 * np.sin(3 * angle) + 0.12 * np.cos(5 * angle + 1)
    for scale, shade in ((1.0, "#dce9f5"), (0.72, "#b7d3ea"), (0.42, "#86b3d8")):
        axes.fill(2.2 * scale * radius * np.cos(angle), scale * radius * np.sin(angle), color=shade, lw=0)
    points = np.random.default_rng(5).uniform([-1.5, -0.7], [1.5, 0.7], (60, 2))
    axes.plot(points[:, 0], points[:, 1], ".", color="#777777", ms=2, label="candidate")
    axes.plot(points[:8, 0], points[:8, 1], "^", color="#b5472e", ms=5, label="chosen")
    axes.plot([1.9], [0.95], "s", color="black", ms=5, label="gateway")
    axes.set_aspect("equal")
    axes.set_xlabel("Easting (km)")
    axes.set_ylabel("Northing (km)")
    axes.legend(frameon=False, loc="lower left", ncols=3)


def _curves(axes: Axes, panel: int) -> None:
    count = np.arange(2, 17)
    if panel == 0:
        for floor, start, colour, name in ((0.734, 1.9, "#555555", "Uniform"), (0.455, 1.9, "#8fbcd9", "MI"),
                                           (0.425, 1.8, "#8a1c0c", "LEAP")):  # fmt: skip
            axes.plot(count, floor + start * np.exp(-count / 3.6), "o-", ms=2.5, color=colour, label=name)
        axes.set_ylabel("RMSE (°C)")
    else:
        for days, slope, colour, name in ((171, 3.4, "#8fbcd9", "MI"), (232, 2.6, "#8a1c0c", "LEAP")):
            axes.plot(count, days - slope * count, "s-", ms=2.5, color=colour, label=name)
        axes.set_ylabel("Lifetime (days)")
    axes.set_xlabel("Number of stations")
    axes.legend(frameon=False)
    axes.set_title("ab"[panel], loc="left", fontweight="bold")


def _section(axes: Axes, panel: int) -> None:
    day, depth = np.meshgrid(np.arange(0, 180), np.linspace(0, 30, 61))
    mixing = 8 + 6 * np.sin(np.pi * day / 180)
    field = 7 + (8 + 9 * np.sin(np.pi * day / 180)) / (1 + np.exp((depth - mixing) / 1.6))
    drawn = axes.pcolormesh(day, depth, field, cmap="viridis", shading="auto", rasterized=True)
    axes.invert_yaxis()
    axes.set_xlabel("Day since 1 April")
    axes.set_ylabel("Depth (m)")
    axes.figure.colorbar(drawn, ax=axes, label="°C")


PLOTS = {"map": _map, "curves": _curves, "section": _section}
