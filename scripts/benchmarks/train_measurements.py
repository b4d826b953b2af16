"""Train the labellers of measurements, and measure them on papers that they were not trained on.

    python -m scripts.benchmarks.train_measurements SET [--out FOLDER] [--jobs N] [--measure-only] [--half]

SET is the folder `measeval` (MeasEval, CC BY 4.0). Its papers are put into groups, both labellers are trained without
each group in turn, and the measurements found in it with these are scored as the scorer of MeasEval scores. `--half`
trains on one half of the papers of `measeval.jsonl.gz` and all of the other file, and scores the other half. Then all
is trained on and written: `quantities.crf` and `contexts.crf`, each with its card. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kag.evaluate.statistics import shown
from kag.layers.measurements import features as home
from kag.layers.measurements import find
from kag.layers.measurements.features import (
    CONTEXT,
    QUANTITY,
    Sentence,
    classes,
    contexts,
    quantities,
    sentence,
    token_features,
)
from kag.layers.measurements.spans import Found
from kag.text import crf
from kag.text.sentences import sentences
from scripts.benchmarks.layers.figure import Figure
from scripts.benchmarks.layers.measeval import Annotated, Item, Part, gold_of, score_figures, scored
from scripts.benchmarks.layers.rows import Row, half_of, read_files
from scripts.benchmarks.models import crf_training

GROUPS = 5
DROP, TIMES = 0.3, 2  # the quantities' labeller sees its sentences twice, each time without a share of what is told
WORTH = 0.91  # its weights times this: it was trained with 0.7 of what it is told in use
SETTINGS: dict[str, dict[str, Any]] = {
    home.QUANTITIES: {"c1": 0.1, "c2": 0.1, "feature.minfreq": 1},
    home.CONTEXTS: {"c1": 1.0, "c2": 0.5, "feature.minfreq": 2},
}
ALWAYS = {"max_iterations": 80, "feature.possible_transitions": True}
LETTERS = {"MeasuredEntity": "E", "MeasuredProperty": "P", "Qualifier": "C"}
CARD = {
    "licence": "Apache-2.0",
    "trained on": [
        "MeasEval, trial and train, harperco/MeasEval at 1fa738b, CC BY 4.0 (articles of the OA-STM corpus)"
    ],
    "by": "scripts/benchmarks/train_measurements.py",
    "languages": "English",
    "limits": "articles of Elsevier journals in ten fields; half of the papers also occur in the official test set",
}
WHAT = {home.QUANTITIES: "quantities in sentences", home.CONTEXTS: "property, entity and condition of a quantity"}
Example = tuple[list[list[str]], list[str]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("set", type=Path)
    arguments.add_argument("--out", type=Path, default=home.FOLDER)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--measure-only", action="store_true", help="write nothing")
    arguments.add_argument("--half", action="store_true", help="score half b only, and write nothing")
    given = arguments.parse_args()
    files = read_files(given.set)
    rows = [row for name in sorted(files) for row in files[name]]
    if given.half:
        tested = {row.doc for row in files["measeval"] if half_of(row.doc) == "b"}
        show("half b", left_out(rows, tested))
        return
    folds = [{row.doc for row in rows if _group(row.doc) == n} for n in range(GROUPS)]
    with ProcessPoolExecutor(given.jobs) as pool:
        parts = [*pool.map(partial(left_out, rows), folds)]
    everything = {doc: items for part in parts for doc, items in part.items()}
    clean = {row.doc for row in files["measeval"]}
    show("papers left out", everything)
    show("of measeval alone", {doc: items for doc, items in everything.items() if doc in clean})
    if not given.measure_only:
        write(given.out, train(rows), [*score_figures("papers left out", everything)])


def _group(doc: str) -> int:
    return hashlib.sha256(doc.encode()).digest()[1] % GROUPS


def left_out(rows: Sequence[Row], docs: set[str]) -> dict[str, list[Item]]:
    """What is counted on some papers with models that were trained on the others."""
    models = home.Labellers(train([row for row in rows if row.doc not in docs]), "left out")
    find.labellers = lambda: models  # type: ignore[assignment]
    return scored([row for row in rows if row.doc in docs], lambda passages: find.find_measurements(passages, sure=0.0))


def train(rows: Sequence[Row]) -> dict[str, crf.Crf]:
    """Both models after training on texts."""
    made: dict[str, list[Example]] = {home.QUANTITIES: [], home.CONTEXTS: []}
    for row in rows:
        for line, marked in lines(row):
            made[home.QUANTITIES].append(quantity_example(line, marked))
            made[home.CONTEXTS] += context_examples(row.text, line, marked)
    made[home.QUANTITIES] = [*crf_training.thinned(made[home.QUANTITIES], DROP, TIMES)]
    models = {name: crf_training.train(examples, SETTINGS[name] | ALWAYS, least=0.0) for name, examples in made.items()}
    found = models[home.QUANTITIES]
    return models | {home.QUANTITIES: replace(found, weights=found.weights * WORTH)}


def lines(row: Row) -> Iterator[tuple[Sentence, list[tuple[Annotated, Found]]]]:
    """The sentences of a text that may have quantities, with those annotated there."""
    marked = gold_of(row)
    for start, end in sentences(row.text):
        if find.WORTH.search(row.text, start, end):
            line = sentence(row.text, start, end)
            here = [one for one in marked if start <= one.quantity.start and one.quantity.end <= end]
            found = [(one, place(line, one)) for one in sorted(here, key=lambda one: one.quantity.start)]
            yield line, [(one, at) for one, at in found if at.last > at.first]


def place(line: Sentence, one: Annotated) -> Found:
    """The tokens of a quantity and of its unit, which is the last piece of it printed so."""
    first, last = line.within(one.quantity.start, one.quantity.end)
    at = one.quantity.text.rfind(one.unit) if one.unit else -1
    unit = (first, first)
    if at >= 0:
        begin = one.quantity.start + at
        unit = line.within(begin, begin + len(one.unit))
    return Found(first, last, unit, 1.0)


def quantity_example(line: Sentence, marked: Sequence[tuple[Annotated, Found]]) -> Example:
    labels = ["O"] * len(line.words)
    for _, found in marked:
        for n in range(found.first, found.last):
            unit = found.unit[0] <= n < found.unit[1]
            labels[n] = "U" if unit else "I"
        labels[found.first] = "BU" if labels[found.first] == "U" else "B"
    told = quantities(line, token_features(line), find.by_rules(line))
    words = crf_training.attributes_of(QUANTITY, line.words)
    return [[*one, *more] for one, more in zip(words, told, strict=True)], labels


def context_examples(text: str, line: Sentence, marked: Sequence[tuple[Annotated, Found]]) -> Iterator[Example]:
    look, ruled = token_features(line), find.by_rules(line)
    words = crf_training.attributes_of(CONTEXT, line.words)
    base = [[*one, *more] for one, more in zip(words, classes(look), strict=True)]
    targets = [find.target(look, at, find.values_of(text, line, at, ruled)) for _, at in marked]
    for number, (one, _) in enumerate(marked):
        labels = ["O"] * len(line.words)
        for part in one.parts:
            _mark(labels, line, part)
        told = contexts(look, targets, number)
        yield [[*one, *more] for one, more in zip(base, told, strict=True)], labels


def _mark(labels: list[str], line: Sentence, part: Part) -> None:
    first, last = line.within(part.start, part.end)
    for n in range(first, last):
        labels[n] = f"{'B' if n == first else 'I'}{LETTERS[part.kind]}"


def show(name: str, documents: Mapping[str, Sequence[Item]]) -> None:
    print(f"{name}\n\n{shown([figure.as_row() for figure in score_figures(name, documents)])}\n", flush=True)


def write(folder: Path, models: Mapping[str, crf.Crf], figures: Sequence[Figure]) -> None:
    """The files of both models and their cards; `version` says which belong together."""
    quantities = models[home.QUANTITIES]
    version = hashlib.sha256(quantities.weights.tobytes() + quantities.follow.tobytes()).hexdigest()[:8]
    for name, model in models.items():
        told = {f"{one.what}, {one.metric}": [round(n, 3) for n in (one.value, one.low, one.high)] for one in figures}
        card = {"what": f"linear-chain CRF: {WHAT[name]}", **CARD, "seed": crf_training.SEED, "version": version}
        settings = SETTINGS[name] | ALWAYS
        if name == home.QUANTITIES:
            settings |= {"drop": DROP, "times": TIMES, "worth": WORTH}
        crf_training.write(
            model,
            folder / f"{name}.crf",
            {**card, "settings": settings, "figures of both": told},
            crf.FINE,
        )


if __name__ == "__main__":
    main()
