"""The pictures of `urban_pollinators`: richness by habitat, richness against flowers, answers of the survey."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

_HABITATS = ("Allotment", "Park", "Verge", "Cemetery")


def _habitats(axes: Axes, panel: int) -> None:
    draw = np.random.default_rng(31)
    samples = [draw.normal(mean, 3.0, 12) for mean in (23.4, 14.1, 9.8, 18.6)]
    axes.boxplot(samples, widths=0.5, medianprops={"color": "#b5472e"})
    axes.set_xticks(range(1, 5), _HABITATS)
    axes.set_ylabel("Bee species per site")


def _flowers(axes: Axes, panel: int) -> None:
    draw = np.random.default_rng(37)
    cover = draw.uniform(2, 40, 48)
    richness = 6.5 * cover**0.36 + draw.normal(0, 2.0, 48)
    line = np.linspace(2, 40, 80)
    axes.plot(cover, richness, "o", ms=3, color="#2c7a5b", alpha=0.8)
    axes.plot(line, 6.5 * line**0.36, color="black")
    axes.fill_between(line, 6.5 * line**0.36 - 1.4, 6.5 * line**0.36 + 1.4, color="#cccccc", lw=0, zorder=0)
    axes.set_xlabel("Flower cover (%)")
    axes.set_ylabel("Bee species per site")


def _survey(axes: Axes, panel: int) -> None:
    shares = {"Leave dead wood": (21, 33, 46), "Mow less often": (48, 29, 23), "Plant native": (57, 27, 16),
              "Avoid pesticides": (66, 22, 12)}  # fmt: skip
    left = np.zeros(len(shares))
    for index, (colour, name) in enumerate((("#2c7a5b", "already do"), ("#a9cfa8", "would do"), ("#dddddd", "no"))):
        values = np.array([share[index] for share in shares.values()])
        axes.barh(list(shares), values, left=left, color=colour, label=name)
        left = left + values
    axes.set_xlabel("Answers (%)")
    axes.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.4, 1.16))


PLOTS = {"habitats": _habitats, "flowers": _flowers, "survey": _survey}
