"""The pictures of `zirconium_tracers`: a scheme, labelling kinetics, stability, an image and time courses."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

RATES = {25: 0.42e2, 37: 1.05e2, 50: 2.62e2}
LIGAND = 5e-6


def _scheme(axes: Axes, panel: int) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 4)
    boxes = [(1.2, 3.0, "VNB7-Cys"), (5.6, 3.0, "HX4-VNB7"), (5.6, 0.8, "[Zr]HX4-VNB7")]
    for x, y, words in boxes:
        axes.text(x, y, words, ha="center", va="center", bbox={"boxstyle": "round", "fc": "#e8eef7", "lw": 0.6})
    axes.annotate("", (4.4, 3.0), (2.2, 3.0), arrowprops={"arrowstyle": "->"})
    axes.text(3.3, 3.25, "HX4-maleimide", ha="center", fontsize=6)
    axes.text(3.3, 2.6, "pH 7.2, 2 h", ha="center", fontsize=6)
    axes.annotate("", (5.6, 1.3), (5.6, 2.5), arrowprops={"arrowstyle": "->"})
    axes.text(5.9, 1.9, "Zr-89 oxalate, 37 °C", fontsize=6)
    angle = np.linspace(0, 2 * np.pi, 9)[:-1]
    axes.plot(8.9 + 0.6 * np.cos(angle), 3.0 + 0.6 * np.sin(angle), "o-", color="#7a4b9a", ms=3)
    axes.plot([8.9], [3.0], "o", color="#2c7a5b", ms=7)


def _kinetics(axes: Axes, panel: int) -> None:
    if panel == 0:
        minutes = np.linspace(0, 120, 13)
        noise = np.random.default_rng(11)
        looks = (("#8fbcd9", "o"), ("#2c7a5b", "s"), ("#8a1c0c", "^"))
        for celsius, (colour, mark) in zip(RATES, looks, strict=True):
            exact = 100 * (1 - np.exp(-RATES[celsius] * LIGAND * minutes * 60))
            axes.plot(minutes, exact, color=colour)
            axes.plot(minutes, exact + noise.normal(0, 1.2, minutes.size), mark, ms=3, color=colour,
                      label=f"{celsius} °C")  # fmt: skip
        axes.set_xlabel("Time (min)")
        axes.set_ylabel("Conversion (%)")
        axes.legend(frameon=False)
    else:
        inverse = np.array([1000 / (celsius + 273.15) for celsius in RATES])
        logs = np.log(np.array(list(RATES.values())))
        slope, start = np.polyfit(inverse, logs, 1)
        axes.plot(inverse, slope * inverse + start, color="#555555")
        axes.plot(inverse, logs, "s", color="#b5472e", ms=4)
        axes.set_xlabel("1000 / T (1/K)")
        axes.set_ylabel("ln k")
    axes.set_title("ab"[panel], loc="left", fontweight="bold")


def _stability(axes: Axes, panel: int) -> None:
    days = np.arange(0, 8)
    for last, colour, name in ((98.1, "#2c7a5b", "HX4"), (91.6, "#e09a86", "DFO")):
        rate = -np.log(last / 100) / 7
        axes.errorbar(days, 100 * np.exp(-rate * days), yerr=0.5 + 0.06 * days, fmt="o-", ms=3, color=colour,
                      label=name, lw=1, capsize=2)  # fmt: skip
    axes.set_ylim(85, 101)
    axes.set_xlabel("Time in serum (days)")
    axes.set_ylabel("Intact tracer (%)")
    axes.legend(frameon=False, loc="lower left")


def _imaging(axes: Axes, panel: int) -> None:
    if panel == 0:
        y, x = np.mgrid[0:120, 0:80]
        noise = np.random.default_rng(23).normal(0, 0.03, x.shape)
        body = 0.25 * (((x - 40) / 26) ** 2 + ((y - 60) / 54) ** 2 < 1)
        spots = [(58, 34, 5, 1.0), (31, 78, 4, 0.9), (49, 78, 4, 0.9), (40, 100, 4, 0.7)]
        for column, row, size, height in spots:
            body = body + height * np.exp(-((x - column) ** 2 + (y - row) ** 2) / (2 * size**2))
        axes.imshow(body + noise, cmap="gray_r", aspect="equal")
        axes.set_axis_off()
    else:
        hours = np.array([4, 24, 48, 72])
        curves = {"Tumour": [6.8, 9.4, 9.1, 8.7], "Kidney": [28.5, 17.3, 12.2, 8.9], "Blood": [4.1, 1.2, 0.6, 0.31]}
        for (name, values), colour in zip(curves.items(), ("#8a1c0c", "#8fbcd9", "#555555"), strict=True):
            axes.plot(hours, values, "o-", ms=3, color=colour, label=name)
        axes.set_yscale("log")
        axes.set_xlabel("Time after injection (h)")
        axes.set_ylabel("Uptake (%IA/g)")
        axes.legend(frameon=False)
    axes.set_title("ab"[panel], loc="left", fontweight="bold")


PLOTS = {"scheme": _scheme, "kinetics": _kinetics, "stability": _stability, "imaging": _imaging}
