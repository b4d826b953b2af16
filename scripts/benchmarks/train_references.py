"""Train the labeller of references, and measure it on sources that it was not trained on.

    python -m scripts.benchmarks.train_references STRINGS PAPERS [--out FOLDER] [--jobs N] [--measure-only]

STRINGS is a `.jsonl` or `.jsonl.gz` file: an object a line with `text`, `fields` (field -> substrings) and `source`.
PAPERS is a folder of annotated papers (`references/papers.py`); what they cite is trained on in drawn styles, never as
printed. The sources are put into groups, the model is trained without each group in turn, and what it reads there
gives the scores by group that are printed and the calibration. Then it is trained on all and written:
`labeller.crf` (weights) and `labeller.json` (their SHA-256, seed, calibration). The same input gives the same
bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from kag.indexing.references import labeller as home
from kag.indexing.references import parser
from kag.indexing.references.features import features
from kag.indexing.references.parser import Reference
from kag.indexing.references.tokens import tokens
from kag.text.crf import FINE, Crf
from scripts.benchmarks.models import crf_training
from scripts.benchmarks.printed_references.labels import labelled, record
from scripts.benchmarks.printed_references.papers import paper_rows
from scripts.benchmarks.printed_references.styles import Labelled, damaged, render, without_field
from scripts.benchmarks.references.labelled import read_strings
from scripts.benchmarks.references.strings import FIELDS, FieldScore, judge, score_references

SEED = 7
GROUPS = 4  # of the sources that are lists of one paper
FAMILIES = ("citations.xml", "kisti")  # sources that are large, or print alike: a group each
SETTINGS = {"c1": 0.2, "c2": 0.02, "max_iterations": 80, "feature.minfreq": 4, "feature.possible_transitions": True}
CARD = {
    "what": "linear-chain CRF over printed references",
    "licence": "Apache-2.0",
    "trained on": [
        "grobid-trainer/resources/dataset/citation of kermitt2/grobid at b8d6bec, Apache-2.0",
        "reference lists of open-access papers, CC BY and CC0, printed in other styles",
    ],
    "by": "scripts/benchmarks/train_references.py",
}
PRINTED, DAMAGED = 0.45, 0.8  # shares: printed in another style, damaged, the rest with a field less
LEAST = 60  # values a step of the calibration stands on
Row = dict[str, Any]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("strings", type=Path)
    arguments.add_argument("papers", type=Path)
    arguments.add_argument("--out", type=Path, default=home.FOLDER)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--measure-only", action="store_true", help="write nothing")
    given = arguments.parse_args()
    strings = [row for row in read_strings(given.strings) if row["text"].strip()]
    rows = strings + paper_rows(given.papers)
    groups = sorted({group(row["source"]) for row in rows})
    with ProcessPoolExecutor(given.jobs) as pool:
        parts = [*pool.map(partial(left_out, rows), groups)]
    for name, part in zip(groups, parts, strict=True):
        show(name, part)
    everything = [pair for part in parts for pair in part if "people" not in pair[0]]
    show("all strings", everything)
    if not given.measure_only:
        write(given.out, train(rows), calibrated(everything))


def group(source: str) -> str:
    """The group of a source that is left out as a whole."""
    name = Path(source).name
    family = next((family for family in FAMILIES if name.startswith(family)), "")
    if source.startswith("paper "):
        return f"papers {_hash(source) % 2 + 1}"
    return family or f"lists {_hash(source) % GROUPS + 1}"


def _hash(source: str) -> int:
    return hashlib.sha256(source.encode()).digest()[0]


def left_out(rows: Sequence[Row], name: str) -> list[tuple[Row, Reference]]:
    """The strings of a group as read by a model that was trained on the others; confidences are bare marginals."""
    weights = train([row for row in rows if group(row["source"]) != name])
    model = home.Labeller(weights, {"any": [[n / 1000, n / 1000] for n in range(1001)]})
    parser.labeller = lambda: model  # type: ignore[assignment]
    mine = [row for row in rows if group(row["source"]) == name]
    return [*zip(mine, parser.parse_references([row["text"] for row in mine]), strict=True)]


def train(rows: Sequence[Row]) -> Crf:
    """The model after training on strings and on what is made of each."""
    draw = random.Random(SEED)
    return crf_training.train(marked(rows, draw), SETTINGS, least=0.0)


def marked(rows: Sequence[Row], draw: random.Random) -> Iterator[tuple[list[list[str]], list[str]]]:
    """The attributes and labels of the tokens of each example."""
    for row in rows:
        for example in examples(row, draw):
            text = "".join(char for char, _ in example)
            if found := tokens(text):
                yield features(text, found), [example[token.start][1] for token in found]


def examples(row: Row, draw: random.Random) -> list[Labelled]:
    """What is trained on for a row: a string as it is and varied, what a paper cites in a drawn style."""
    if "people" not in row:
        base = labelled(row["text"], row["fields"])
        return [base, varied(base, row, draw)]
    printed = render({name: pieces[0] for name, pieces in row["fields"].items()}, row["people"], draw)
    return [damaged(printed, draw) if draw.random() < 0.3 else printed]


def varied(base: Labelled, row: Row, draw: random.Random) -> Labelled:
    """A string printed in another style, damaged, or without one of its fields."""
    chance = draw.random()
    if chance < PRINTED:
        values, people = record(row["fields"])
        printed = render(values, people, draw) if values else []
        return damaged(printed, draw) if draw.random() < 0.3 else printed
    return damaged(base, draw) if chance < DAMAGED else without_field(base, draw)


def calibrated(pairs: Iterable[tuple[Row, Reference]]) -> dict[str, list[list[float]]]:
    """For each field steps of least marginal and share of right values; shares never fall (pool adjacent violators)."""
    met: dict[str, list[tuple[float, bool]]] = {field: [] for field in ("any", "authors", *FIELDS[1:7], "publisher")}
    for row, found in pairs:
        sure = dict(found.confidence)
        for field, asked, value, right in judge(row["fields"], found):
            name = "authors" if field == "first_author" else field
            if value and asked and name in met and name in sure:
                met[name].append((sure[name], right))
                met["any"].append((sure[name], right))
    return {field: steps(values) for field, values in met.items()}


def steps(values: list[tuple[float, bool]]) -> list[list[float]]:
    pools: list[list[float]] = []  # least marginal, right values, values
    for marginal, right in sorted(values):
        if pools and pools[-1][2] < LEAST:
            pools[-1][1:] = [pools[-1][1] + right, pools[-1][2] + 1]
        else:
            pools.append([marginal, right, 1])
    merged: list[list[float]] = []
    for pool in pools:
        merged.append(pool)
        while len(merged) > 1 and merged[-2][1] / merged[-2][2] >= merged[-1][1] / merged[-1][2] - 0.01:
            last = merged.pop()
            merged[-1][1:] = [merged[-1][1] + last[1], merged[-1][2] + last[2]]
    return [[round(least, 3), round(min(right / count, 0.99), 2)] for least, right, count in merged]


def write(folder: Path, model: Crf, calibration: dict[str, list[list[float]]]) -> None:
    card = {**CARD, "seed": SEED, "settings": SETTINGS, "calibration": calibration}
    crf_training.write(model, folder / home.MODEL.name, card, FINE)


def show(name: str, pairs: Sequence[tuple[Row, Reference]]) -> None:
    read = iter([found for _, found in pairs])
    scores = score_references(((row["text"], row["fields"]) for row, _ in pairs), lambda _: next(read))
    print(f"{name}: {len(pairs)} strings, {len(Counter(row['source'] for row, _ in pairs))} sources\n")
    print("| field | asked | precision | recall | F1 |\n|---|---|---|---|---|")
    for score in scores:
        print(f"| {score.field} | {score.asked} | {score.precision:.3f} | {score.recall:.3f} | {f1(score):.3f} |")
    print(flush=True)


def f1(score: FieldScore) -> float:
    total = score.precision + score.recall
    return 2 * score.precision * score.recall / total if total else 0.0


if __name__ == "__main__":
    main()
