"""What `scripts/bench_peers.py` found, as Markdown: figures and names only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kag.evaluate.text_tables import table

MEGA = 1e6
BESIDE = 10  # the k at which methods are compared


def markdown(report: Mapping[str, Any]) -> str:
    machine = report["machine"]
    parts = [
        "# Retrieval beside other programs",
        f"`{machine['command']}` at commit {machine['commit']}; {machine['cores']} cores, {machine['memory_gib']} GiB, "
        f"Python {machine['python']}; vectors of {report['model']}. "
        + ", ".join(f"{name} {version}" for name, version in report["versions"].items())
        + ".",
        "\n".join(f"* {name}: {setting}." for name, setting in report["settings"].items()),
        *(f"{name} was left out: `{module}` is not installed." for name, module in report["absent"].items()),
        *(f"{what} did not finish; what it had found counts." for what in report["unfinished"]),
    ]
    for name, found in report["sets"].items():
        parts += [f"## {name}: {found['chunks']} chunks, {found['questions']} questions", _right(found), _cost(found)]
    return "\n\n".join(parts) + "\n"


def _right(found: Mapping[str, Any]) -> str:
    """Recall at each k; at one k also its interval, MRR and nDCG, and the differences to kag with their signs."""
    header = ["method", *(f"R@{k}" for k in found["ks"]), f"R@{BESIDE} 95 %", f"MRR@{BESIDE}", f"nDCG@{BESIDE}"]
    rows = []
    for name, row in found["methods"].items():
        scores = row["scores"]
        at = scores[f"recall@{BESIDE}"]
        rows.append(
            [
                name,
                *(f"{100 * scores[f'recall@{k}']['value']:.1f}" for k in found["ks"]),
                f"{100 * at['low']:.1f}-{100 * at['high']:.1f}",
                *(f"{100 * scores[f'{metric}@{BESIDE}']['value']:.1f}" for metric in ("mrr", "ndcg")),
                *(_beside(row, f"kag, {row['like']}"), _beside(row, "kag, sage")),
            ]
        )
    return table([*header, f"R@{BESIDE} - its like", f"R@{BESIDE} - sage"], rows)


def _beside(row: Mapping[str, Any], baseline: str) -> str:
    """A difference in points, with a star where p is below 0.05 after Holm's correction."""
    test = row["against"].get(baseline, {}).get(f"recall@{BESIDE}")
    return f"{100 * test['value']:+.1f}{'*' if test['holm'] < 0.05 else ''}" if test else "-"


def _cost(found: Mapping[str, Any]) -> str:
    header = ["method", "build s", "memory MB", "disk MB", "p50 ms", "p99 ms", "cpu p50 ms", "cpu p99 ms"]
    rows = []
    for name, row in found["methods"].items():
        sizes = [row["memory_bytes"] / MEGA, row["disk_bytes"] / MEGA]
        clocks = [row[f"{clock}_p{q}_ms"] for clock in ("wall", "cpu") for q in (50, 99)]
        disk = f"{sizes[1]:.1f}" if sizes[1] else "-"
        rows.append([name, f"{row['build_s']:.1f}", f"{sizes[0]:.0f}", disk, *(f"{ms:.1f}" for ms in clocks)])
    return table(header, rows)
