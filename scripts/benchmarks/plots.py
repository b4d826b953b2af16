"""Pictures of an evaluation as SVG, the same bytes for the same figures. Only this module needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from kag.evaluate.statistics import Mean, micro
from kag.evaluate.structure.report import Summary, style_rows
from kag.evaluate.structure.score import SHARES
from kag.values.errors import MissingExtra
from scripts.benchmarks.paired_tests import Paired

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError as error:
    hint = 'Install it with: pip install "kag-papers[evaluate]"'
    raise MissingExtra("matplotlib is not installed", hint=hint) from error

STYLE: Any = {"svg.hashsalt": "kag", "svg.fonttype": "none", "font.size": 9, "axes.axisbelow": True}
COLOURS = ("#1f5f99", "#c8553d", "#588157", "#7b5ea7", "#b08900", "#4a4a4a", "#d481a8", "#2a9d8f", "#8d6e4f")


def scores(summaries: Sequence[Summary]) -> str:
    """The score of each metric with its interval, a colour a set."""
    metrics = list(dict.fromkeys(metric for summary in summaries for metric in summary.scores))
    figure, axes = _figure(0.4 * len(metrics) * max(1.0, len(summaries) / 2))
    for n, summary in enumerate(summaries):
        places = [metrics.index(metric) + 0.7 * ((n + 0.5) / len(summaries) - 0.5) for metric in summary.scores]
        found = list(summary.scores.values())
        spread = _spread(found)
        values = [s.value for s in found]
        axes.errorbar(values, places, xerr=spread, fmt="o", ms=4, color=COLOURS[n % len(COLOURS)], label=summary.name)
    _metric_axis(axes, metrics)
    axes.set_xlabel("F1, or share, with 95 % interval")
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return _svg(figure)


def papers(summary: Summary) -> str:
    """The score of each paper in each metric, a dot a paper; equal scores lie above each other."""
    metrics = list(summary.scores)
    figure, axes = _figure(0.4 * len(metrics))
    for place, metric in enumerate(metrics):
        found = [p.compared[metric].counts for p in summary.evaluation.papers if metric in p.compared]
        values = sorted(micro([counts], share=metric in SHARES) for counts in found if any(counts))
        heights = [place + 0.35 * (n / max(1, len(values) - 1) * 2 - 1) for n in range(len(values))]
        axes.plot(values, heights, "o", ms=3, alpha=0.5, color=COLOURS[0], mew=0)
    _metric_axis(axes, metrics)
    axes.set_xlabel(f"F1, or share, of each paper of {summary.name}")
    return _svg(figure)


def styles(summary: Summary) -> str:
    """The scores by style of the papers as a map, with those below 0.9995 in figures; empty for papers of one style."""
    rows = style_rows(summary)
    if not rows:
        return ""
    metrics = list(summary.scores)
    figure, axes = _figure(0.28 * len(rows) + 1)
    values = [[value for _, value in cells] for _, _, cells in rows]
    axes.imshow(
        [[float("nan") if value is None else value for value in line] for line in values],
        cmap="RdYlGn", vmin=0.8, vmax=1, alpha=0.7, aspect="auto",
    )  # fmt: skip
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            axes.text(
                x, y, "" if value is None or value > 0.9995 else f"{value:.3f}", ha="center", va="center", fontsize=6
            )
    axes.set_xticks(range(len(metrics)), metrics, rotation=45, ha="right")
    axes.set_yticks(range(len(rows)), [f"{name} ({papers})" for name, papers, _ in rows])
    return _svg(figure)


def by_k(plans: Mapping[str, Mapping[int, Mean]], metric: str) -> str:
    """A line a plan: its means over k with their intervals, a little apart at each k."""
    figure, axes = _figure(4.5)
    ks = sorted({k for means in plans.values() for k in means})
    for n, (name, means) in enumerate(plans.items()):
        places = [ks.index(k) + 0.05 * (n - (len(plans) - 1) / 2) for k in means]
        axes.errorbar(
            places, [one.value for one in means.values()], yerr=_spread(list(means.values())),
            fmt="-o", ms=3, lw=1, color=COLOURS[n % len(COLOURS)], label=name,
        )  # fmt: skip
    axes.set_xticks(range(len(ks)), [f"{metric}@{k}" for k in ks])
    axes.grid(axis="y", color="#dddddd", lw=0.6)
    figure.legend(loc="outside lower center", ncols=4, frameon=False)
    return _svg(figure)


def differences(plans: Mapping[str, Mapping[int, Paired]]) -> str:
    """A row a plan: its differences with their intervals, a colour a k."""
    figure, axes = _figure(0.35 * len(plans) + 1)
    ks = sorted({k for tests in plans.values() for k in tests})
    for n, k in enumerate(ks):
        found = [(place, tests[k]) for place, tests in enumerate(plans.values()) if k in tests]
        places = [place + 0.6 * ((n + 0.5) / len(ks) - 0.5) for place, _ in found]
        tests = [one for _, one in found]
        axes.errorbar(
            [one.value for one in tests], places, xerr=_spread(tests),
            fmt="o", ms=3, color=COLOURS[n % len(COLOURS)], label=f"k = {k}",
        )  # fmt: skip
    axes.axvline(0, color="#888888", lw=0.8)
    axes.set_yticks(range(len(plans)), list(plans))
    axes.set_ylim(len(plans) - 0.4, -0.6)
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    axes.set_xlabel("difference of recall, with 95 % interval")
    figure.legend(loc="outside lower center", ncols=len(ks), frameon=False)
    return _svg(figure)


def _spread(found: Sequence[Any]) -> list[list[float]]:
    """How far the intervals reach below and above the values."""
    return [[max(0.0, one.value - one.low) for one in found], [max(0.0, one.high - one.value) for one in found]]


def _figure(height: float) -> tuple[Any, Any]:
    with rc_context(STYLE):
        figure = Figure(figsize=(8, max(2.5, height)), layout="constrained")
        return figure, figure.subplots()


def _metric_axis(axes: Any, metrics: Sequence[str]) -> None:
    axes.set_yticks(range(len(metrics)), metrics)
    axes.set_ylim(len(metrics) - 0.4, -0.6)
    axes.set_xlim(left=min(0.9, axes.get_xlim()[0]), right=1.005)
    axes.grid(axis="x", color="#dddddd", lw=0.6)


def _svg(figure: Any) -> str:
    with rc_context(STYLE):
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
