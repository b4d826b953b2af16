"""Would a small trained model nest headings better than the rules? A softmax regression, by publishers left out.

    python scripts/measure_nesting.py GOLD...

GOLD is as for `measure_outlines.py`; papers with numbers in their headings are left out, for those decide. The model
says of each heading whether it lies below the one before, beside it, one above it, or at the top, from plain features
of both; the depths follow one after the other. It is trained on the papers of all other publishers, once without and
once with what the rules say among its features. Printed: headings with the right parent, by set.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from math import log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_outlines import Outline, read, right

from kag.text.section_titles import titles
from kag.write.structure.headings import outline
from kag.write.structure.titles import is_subsection, letters_of, printed_number, series_of

STEPS = ("below", "beside", "above", "top")
GROUPS = ("parts_of_text", "back_matter", "subsections", "abstracts")
RATE, ROUNDS, DECAY = 0.5, 600, 1e-3
Matrix = NDArray[np.float64]


def depths(parents: Sequence[int | None]) -> list[int]:
    """The depth of each heading, 1 at the top."""
    found: list[int] = []
    for parent in parents:
        found.append(1 if parent is None else found[parent] + 1)
    return found


def step(before: int, depth: int) -> int:
    """Which of STEPS leads from a depth to the next one."""
    return 3 if depth == 1 < before else min(max(before - depth + 1, 0), 2)


def features(one: Outline, place: int, before: int, ruled: Sequence[int] | None) -> list[float]:
    """Plain features of a heading behind another that lies at depth `before`."""
    title, last = (letters_of(one.headings[n].block.plain) for n in (place, place - 1))
    words, others = set(title.split()), set(last.split())
    earlier = [letters_of(heading.block.plain) for heading in one.headings[:place]]
    found = [
        1.0, float(before == 1), float(before == 2), float(before > 2), float(one.headings[place].adjacent),
        log1p(len(one.headings[place - 1].text)) / 10, log1p(len(one.headings[place].text)) / 10, len(words) / 10,
        len(others) / 10, float(bool(words & others)), float(title in earlier), float(is_subsection(title)),
        float(bool(series_of(title))), float(bool(series_of(last))), place / len(one.headings),
    ]  # fmt: skip
    found += [float(text in titles(group)) for text in (title, last) for group in GROUPS]  # type: ignore[arg-type]
    if ruled is not None:
        found += [float(step(ruled[place - 1], ruled[place]) == n) for n in range(len(STEPS))]
    return found


def ruled_depths(one: Outline) -> list[int]:
    return [heading.depth for heading in outline(one.headings)]


def train(papers: Sequence[Outline], *, with_rules: bool) -> Matrix:
    """The weights of a softmax regression, features by steps."""
    rows, labels = [], []
    for one in papers:
        true, ruled = depths(one.parents), ruled_depths(one) if with_rules else None
        for place in range(1, len(true)):
            rows.append(features(one, place, true[place - 1], ruled))
            labels.append(step(true[place - 1], true[place]))
    data, wanted = np.array(rows), np.eye(len(STEPS))[labels]
    weights = np.zeros((data.shape[1], len(STEPS)))
    for _ in range(ROUNDS):
        odds = np.exp(data @ weights - (data @ weights).max(axis=1, keepdims=True))
        share = odds / odds.sum(axis=1, keepdims=True)
        weights -= RATE * (data.T @ (share - wanted) / len(data) + DECAY * weights)
    return weights


def read_by(weights: Matrix, one: Outline, *, with_rules: bool) -> int:
    """How many headings of a paper the model gives their right parent."""
    ruled = ruled_depths(one) if with_rules else None
    path, found = [(0, 1)], int(one.parents[0] is None)
    for place in range(1, len(one.headings)):
        before = path[-1][1]
        best = int(np.argmax(np.array(features(one, place, before, ruled)) @ weights))
        depth = 1 if best == 3 else max(1, before + 1 - best)
        while path and path[-1][1] >= depth:
            path.pop()
        found += (path[-1][0] if path else None) == one.parents[place]
        path.append((place, depth))
    return found


def main(roots: Sequence[str]) -> None:
    """Print the headings that are right, by set."""
    papers = [
        (root.name, read(path.parent))
        for root in map(Path, roots)
        for path in sorted(root.glob("*/gold.json"))
        if "__" not in path.parent.name
    ]
    bare = [
        (name, one) for name, one in papers
        if 3 * sum(bool(printed_number(heading.block.plain)) for heading in one.headings) < len(one.headings)
    ]  # fmt: skip
    sums: Counter[tuple[str, str]] = Counter()
    for publisher in sorted({one.publisher for _, one in bare}):
        others = [one for _, one in bare if one.publisher != publisher]
        models = {
            name: train(others, with_rules=name == "model with the rules") for name in ("model", "model with the rules")
        }
        for name, one in bare:
            if one.publisher == publisher:
                sums[name, "headings"] += len(one.headings)
                sums[name, "rules"] += right(one)
                for kind, weights in models.items():
                    sums[name, kind] += read_by(weights, one, with_rules=kind == "model with the rules")
    for name in sorted({name for name, _ in sums}):
        print(name, {kind: sums[name, kind] for kind in ("headings", "rules", "model", "model with the rules")})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
