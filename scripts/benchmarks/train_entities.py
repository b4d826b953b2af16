"""Train the models of entities, and measure each on texts that it was not trained on.

    python -m scripts.benchmarks.train_entities DATA [--only NAME] [--folds N] [--measure-only]

DATA is the folder that holds `biored`, `sofc_exp`, `craft`, `measeval` and `claims` (annotated texts, JSON lines). The
documents are put into folds by a hash of their names; what a model finds in a fold that it was not trained on gives
the figures that are printed and kept in its card. Then it is trained on all and written to kag/layers/models. The model
of life science is trained on texts of other fields beside, in which it has nothing to find: abstracts of computing
(CSAbstruct) and, from MeasEval, of computing and astronomy. That of materials leans towards finding (`lean`), for its
recall is low. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kag.layers.entities import trained
from kag.layers.entities.abbreviations import find_abbreviations
from kag.layers.entities.features import AROUND, Extra, of_word
from kag.layers.entities.identifiers import BIORED, SOFC
from kag.layers.entities.lexicon import Tokens, lexicon, tokens
from kag.layers.entities.relations import NONE, pair_attributes
from kag.layers.entities.trained import FOLDER, LEAST, LIFE, MATERIALS, Spotter, seen
from kag.text.crf import Crf, Look
from scripts.benchmarks.layers import biored, craft, sofc_exp
from scripts.benchmarks.layers.figure import Figure
from scripts.benchmarks.layers.rows import Row, digest, read_files
from scripts.benchmarks.models import field_training
from scripts.benchmarks.models.crf_training import SETTINGS, attributes_of, train, write
from scripts.benchmarks.taught_names import of_biored, of_craft, taught_names

ABSTRACTS = 300  # of computing, in which there is nothing to find
FOREIGN = ("Astronomy", "Computer Science")
RELATED = {"c1": 0.3, "c2": 0.3, "max_iterations": 60}
PEOPLE = ("patient", "women", "participant", "mice", "child", "human")  # what BioRED calls a species
COMPUTING = "Cohan et al. 2019, CSAbstruct (Apache-2.0)"
FOR_FIELDS = ("Bada et al. 2012, CRAFT 5 (CC BY 3.0)", "Sohn et al. 2008, MED1250 (public domain)")
MEASURED = "Harper et al. 2021, MeasEval (CC BY 4.0)"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model is trained and measured."""

    name: str
    set: str
    source: str
    licence: str
    kinds: dict[str, str]
    row: Callable[[Row], Tokens]
    measure: Callable[..., Iterator[Figure]]
    least: float
    beside: bool
    lean: float  # taken off the weight of a step to "nothing"


PLANS = (
    Plan(
        LIFE,
        "biored",
        "Luo et al. 2022, BioRED, train and dev (500 abstracts)",
        "public domain (United States Government Work)",
        dict(BIORED),
        lambda row: tokens(row.text),
        biored.entities,
        LEAST,
        True,
        0.0,
    ),
    Plan(
        MATERIALS,
        "sofc_exp",
        "Friedrich et al. 2020, SOFC-Exp, train (34 articles)",
        "CC BY 4.0",
        dict(SOFC),
        sofc_exp.described,
        sofc_exp.entities,
        0.0,
        False,
        0.5,
    ),
)


def attributes(row: Tokens, extra: Extra) -> list[list[list[str]]]:
    """For each sentence of a text the attributes of its tokens, as they are trained on."""
    look = Look(AROUND, of_word)
    return [
        [[*own, *extra[n]] for n, own in enumerate(attributes_of(look, row.words[first:last]), first)]
        for first, last in row.sentences
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--folds", type=int, default=2)
    arguments.add_argument("--measure-only", action="store_true", help="write nothing")
    given = arguments.parse_args()
    for plan in PLANS:
        if given.only in ("", plan.name):
            make(plan, given.data, given.folds, not given.measure_only)
    if given.only in ("", "related"):
        make_related(given.data, not given.measure_only)
    if given.only in ("", "concepts"):
        measure_concepts(given.data)
    if given.only in ("", "fields") and not given.measure_only:
        make_fields(given.data)


def make(plan: Plan, data: Path, folds: int, keep: bool) -> None:
    """Measure a model fold by fold, then train it on all and write it."""
    rows = read(data, plan.set)
    beside = foreign(data) if plan.beside else []
    told = []
    for fold in range(folds):
        start = time.process_time()
        model = fit(plan, [row for row in rows if fold_of(row, folds) != fold], beside)
        figures = list(plan.measure([row for row in rows if fold_of(row, folds) == fold], Spotter(model), plan.least))
        for figure in figures:
            shares = f"P {figure.precision:.3f} R {figure.recall:.3f} F {figure.value:.3f}"
            print(f"{plan.name} fold {fold}: {figure.what}: {shares}", flush=True)
        told.append({one.what: [round(x or 0.0, 4) for x in (one.precision, one.recall, one.value)] for one in figures})
        print(f"{time.process_time() - start:.0f} s")
    if keep:
        card = {
            "what": "linear-chain CRF over sentences of papers",
            "kinds": sorted(plan.kinds.values()),
            "licence": "Apache-2.0",
            "trained on": [f"{plan.source}: {plan.licence}", *([COMPUTING, MEASURED] if beside else [])],
            "data sha256": {plan.set: digest(data / plan.set)},
            "settings": {**SETTINGS, "lean": plan.lean},
            "by": "scripts/benchmarks/train_entities.py",
            "precision, recall, F1 on folds left out": told,
            "not for": "texts of other fields (see fields.json) and other languages than English",
        }
        write(fit(plan, rows, beside), FOLDER / f"{plan.name}.crf", card)


def read(data: Path, name: str) -> list[Row]:
    return [row for rows in read_files(data / name).values() for row in rows]


def fold_of(row: Row, folds: int) -> int:
    return hashlib.sha256(row.doc.encode()).digest()[0] % folds


def foreign(data: Path) -> list[Row]:
    """Texts of other fields, those of people and animals left out."""
    computing = [row for row in read_files(data / "claims")["rhetoric"] if not any(one in row.text for one in PEOPLE)]
    other = [row for row in read(data, "measeval") if row.more["field"] in FOREIGN]
    return [*computing[:ABSTRACTS], *other]


def fit(plan: Plan, rows: Sequence[Row], beside: Sequence[Row]) -> Crf:
    given = chosen(plan, rows, beside)
    model = train(pair for row, text, spans in given for pair in examples(plan, row, text, spans))
    follow = model.follow.copy()
    follow[:, model.labels.index("O")] -= plan.lean
    return replace(model, follow=follow)


def chosen(plan: Plan, rows: Sequence[Row], beside: Sequence[Row]) -> Iterator[tuple[Row, Tokens, list[Any]]]:
    for row in rows:
        yield row, plan.row(row), [(one.start, one.end, plan.kinds[one.type]) for one in row.spans if not one.parts]
    for row in beside:
        yield row, tokens(row.text), []


def examples(plan: Plan, row: Row, text: Tokens, spans: list[Any]) -> Iterator[tuple[list[list[str]], list[str]]]:
    [extra] = seen(plan.name, [text], [find_abbreviations(row.text)])
    given = labels(text, spans)
    for (first, last), sentence in zip(text.sentences, attributes(text, extra), strict=True):
        yield sentence, given[first:last]


def labels(row: Tokens, spans: Sequence[tuple[int, int, str]]) -> list[str]:
    """The labels of a text's tokens from spans of characters; of spans that overlap the first and longest counts."""
    found = ["O"] * len(row.words)
    until = -1
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < until:
            continue
        until = end
        inside = [n for n in range(len(found)) if row.ends[n] > start and row.starts[n] < end]
        for n in inside:
            found[n] = f"{'B' if n == inside[0] else 'I'}-{kind}"
    return found


def make_related(data: Path, keep: bool) -> None:
    """The model of relations between gold entities: a logistic regression, measured on either half."""
    rows = read(data, "biored")
    told = []
    for fold in (0, 1):
        model = train(related_examples([row for row in rows if fold_of(row, 2) != fold]), RELATED)
        figures = list(biored.relations([row for row in rows if fold_of(row, 2) == fold], model))
        for figure in figures:
            shares = f"P {figure.precision:.3f} R {figure.recall:.3f} F {figure.value:.3f}"
            print(f"related fold {fold}: {figure.what}: {shares}", flush=True)
        told.append({one.what: [round(x or 0.0, 4) for x in (one.precision, one.recall, one.value)] for one in figures})
    names = taught_fold(rows)
    if keep:
        card = {
            "what": "multinomial logistic regression over pairs of entities of an abstract",
            "licence": "Apache-2.0",
            "trained on": [f"{PLANS[0].source}: {PLANS[0].licence}"],
            "data sha256": {"biored": digest(data / "biored")},
            "settings": {**SETTINGS, **RELATED},
            "by": "scripts/benchmarks/train_entities.py",
            "precision, recall, F1 on folds left out": told,
            "precision, recall, F1 of identifiers with names of the other fold": names,
        }
        write(train(related_examples(rows), RELATED), FOLDER / "related.crf", card)


def taught_fold(rows: Sequence[Row]) -> list[dict[str, list[float]]]:
    """How right identifiers are on either half with names that only the other half taught."""
    told = []
    for fold in (0, 1):
        names = lexicon(taught_names([row for row in rows if fold_of(row, 2) != fold], of_biored))
        figures = list(biored.identifiers([row for row in rows if fold_of(row, 2) == fold], names))
        for figure in figures:
            shares = f"P {figure.precision:.3f} R {figure.recall:.3f} F {figure.value:.3f}"
            print(f"identifiers fold {fold}: {figure.what}: {shares}", flush=True)
        told.append({one.what: [round(x or 0.0, 4) for x in (one.precision, one.recall, one.value)] for one in figures})
    return told


def measure_concepts(data: Path) -> None:
    """How right concepts are on either half with names that only the other half taught; there is nothing to write."""
    rows = read(data, "craft")
    for fold in (0, 1):
        names = lexicon(taught_names([row for row in rows if fold_of(row, 2) != fold], of_craft))
        for figure in craft.concepts([row for row in rows if fold_of(row, 2) == fold], names):
            shares = f"P {figure.precision:.3f} R {figure.recall:.3f} F {figure.value:.3f}"
            print(f"concepts fold {fold}: {figure.what}: {shares}", flush=True)


def related_examples(rows: Sequence[Row]) -> Iterator[tuple[list[list[str]], list[str]]]:
    for row in rows:
        gold = biored.related_pairs(row)
        for pair, seen_of in sorted(pair_attributes(*biored.mentioned(row)).items()):
            yield [seen_of], [gold.get(pair, NONE)]


def make_fields(data: Path) -> None:
    """Learn which words speak for which field; measured on the texts of even hash, trained on the others."""
    known = (*read(data, "biored"), *read(data, "craft"), *read_files(data / "abbreviations")["abbreviations"])
    texts = [(LIFE, row) for row in pieces(known)]
    texts += [(MATERIALS, row) for row in pieces(read(data, "sofc_exp"))]
    for row in read(data, "measeval"):
        named = {"Biology": LIFE, "Medicine": LIFE, "Materials Science": MATERIALS, "Chemistry": MATERIALS}
        texts.append((named.get(row.more["field"], field_training.OTHER), row))
    texts += [(field_training.OTHER, row) for row in read_files(data / "claims")["rhetoric"]]
    halves = [[(field, tokens(row.text).words) for field, row in texts if fold_of(row, 2) == half] for half in (0, 1)]
    weights = field_training.learn(halves[1], (LIFE, MATERIALS))
    told = {}
    for name in (LIFE, MATERIALS):
        said = [(field == name, name in trained.fields_of(words, weights)) for field, words in halves[0]]
        right = sum(gold and found for gold, found in said)
        shares = right / max(1, sum(found for _, found in said)), right / sum(gold for gold, _ in said)
        told[name] = [round(share, 4) for share in shares]
        print(f"field {name}: P {told[name][0]:.3f} R {told[name][1]:.3f}")
    card = {
        "what": "naive Bayes over the distinct words of a text",
        "licence": "Apache-2.0",
        "trained on": [*(f"{plan.source}: {plan.licence}" for plan in PLANS), COMPUTING, MEASURED, *FOR_FIELDS],
        "by": "scripts/benchmarks/train_entities.py",
        "precision, recall on the half left out": told,
    }  # fmt: skip
    field_training.write_weights(field_training.learn([*halves[0], *halves[1]], (LIFE, MATERIALS)), FOLDER, card)


def pieces(rows: Sequence[Row], size: int = 3000) -> Iterator[Row]:
    """Long texts in pieces as long as an abstract or two."""
    for row in rows:
        for at in range(0, len(row.text), size):
            yield Row(row.id, row.doc, row.text[at : at + size])


if __name__ == "__main__":
    main()
