"""Train the models of claims: cues and scopes, roles of sentences in abstracts, why a work is cited.

    python -m scripts.benchmarks.train_claims BIOSCOPE RHETORIC SCICITE [--out FOLDER] [--measure-only]

BIOSCOPE is a folder with `negation.jsonl.gz` and `hedging.jsonl.gz` (CC BY 2.0), RHETORIC the file of CSAbstruct
(Apache-2.0), SCICITE that of SciCite (Apache-2.0), in the form of `scripts.benchmarks.layers.rows`. Each model is first
trained five times without a fifth of the documents (their fold is a hash of their name), and what it says of that fifth
gives the figures that are printed and go into its card; then it is trained on all and written. No step draws by
chance: the same input gives the same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from kag.layers.claims import scopes as home
from kag.layers.claims.find import intent_features
from kag.layers.claims.roles import abstract_features
from kag.layers.claims.scopes import KINDS, Token, candidates, cue_features, scope_features, tokens
from kag.text import crf
from scripts.benchmarks.layers.bioscope import pairs
from scripts.benchmarks.layers.rows import Row, digest, read_rows
from scripts.benchmarks.models import crf_training
from scripts.benchmarks.models.linear_training import train as fit
from scripts.benchmarks.models.linear_training import write

FOLDS = 5
SCOPES = {"c1": 0.05, "c2": 0.5, "max_iterations": 100, "feature.minfreq": 2, "feature.possible_transitions": False}
ROLES = {"c1": 0.5, "c2": 0.5, "max_iterations": 100, "feature.minfreq": 2, "feature.possible_transitions": True}
CUES: dict[str, Any] = {"bits": 14, "l2": 0.02}
INTENTS: dict[str, Any] = {"bits": 17, "l2": 0.15, "weigh": True}
AGREED = (0.6, 0.7)  # an abstract whose annotators agree more than this is trained on once more


@dataclass(frozen=True, slots=True)
class Source:
    """Where examples come from: what a card says of it, and the digest of the folder that its texts lie in."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Example:
    """One row to learn: what it shows and what it is, of a document; it counts `times` times."""

    doc: str
    shown: Any
    gold: Any
    times: int = 1


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("bioscope", type=Path)
    arguments.add_argument("rhetoric", type=Path)
    arguments.add_argument("scicite", type=Path)
    arguments.add_argument("--out", type=Path, default=home.FOLDER)
    arguments.add_argument("--measure-only", action="store_true", help="write nothing")
    given = arguments.parse_args()
    out = None if given.measure_only else given.out
    bioscope = Source("BioScope (Vincze et al. 2008), CC BY 2.0", digest(given.bioscope))
    rhetoric = Source("CSAbstruct (Cohan et al. 2019), Apache-2.0", digest(given.rhetoric.parent))
    scicite = Source("SciCite (Cohan et al. 2019), Apache-2.0", digest(given.scicite.parent))
    for kind, name in zip(KINDS, ("negation", "hedging"), strict=True):
        rows = read_rows(given.bioscope / f"{name}.jsonl.gz")
        bag(f"{kind}_cues", cue_examples(rows, kind), CUES, bioscope, out)
        row(f"{kind}_scopes", scope_examples(rows), SCOPES, bioscope, out)
    row("abstract_roles", role_examples(read_rows(given.rhetoric)), ROLES, rhetoric, out)
    contexts = [Example(one.doc, intent_features(one.text), one.more["intent"]) for one in read_rows(given.scicite)]
    bag("intents", contexts, INTENTS, scicite, out)


def cue_examples(rows: Sequence[Row], kind: str) -> list[Example]:
    """Each word that may be a cue, and whether it is one."""
    found = []
    for one in rows:
        gold = {(span.parts or ((span.start, span.end),))[0] for span in one.spans if span.type.endswith("_cue")}
        words = tokens(one.text)
        for cue in candidates(one.text, words, kind):
            label = "cue" if (cue.start, cue.end) in gold else "none"
            found.append(Example(one.doc, cue_features(one.text, words, cue), label))
    return found


def scope_examples(rows: Sequence[Row]) -> list[Example]:
    """Each cue's sentence, and where its scope lies in it."""
    found = []
    for one in rows:
        words = tokens(one.text)
        for cue, scope in pairs(one):
            start, end = (cue.parts or ((cue.start, cue.end),))[0]
            own = [at for at, token in enumerate(words) if token.end > start and token.start < end]
            shown = scope_features(words, own[0], own[-1] + 1)
            found.append(Example(one.doc, shown, scope_labels(words, scope.start, scope.end)))
    return found


def role_examples(rows: Sequence[Row]) -> list[Example]:
    """Each abstract, and the roles of its sentences."""
    found = []
    for one in rows:
        shown = abstract_features([one.text[span.start : span.end] for span in one.spans])
        agreed = sum(span.more["agreement"] for span in one.spans) / max(1, len(one.spans))
        times = 1 + sum(agreed > least for least in AGREED)
        found.append(Example(one.doc, shown, [span.type for span in one.spans], times))
    return found


def bag(name: str, examples: Sequence[Example], settings: dict[str, Any], source: Source, out: Path | None) -> None:
    """A model of bags of features: measured, then written."""

    def learn(part: Sequence[Example]) -> Callable[[Any], Any]:
        model = fit([one.shown for one in part], [one.gold for one in part], **settings)
        return lambda shown: max((shares := model.shares(shown)), key=shares.__getitem__)

    said = crossed(examples, learn)
    figures = shares([(one.gold, label) for one, label in zip(examples, said, strict=True)])
    show(name, figures)
    if out:
        card = {**card_of(name, source, settings), "figures": figures}
        model = fit([one.shown for one in examples], [one.gold for one in examples], card=card, **settings)
        write(out / name, model)


def row(name: str, examples: Sequence[Example], settings: dict[str, Any], source: Source, out: Path | None) -> None:
    """A model of rows: measured, then written."""

    def learn(part: Sequence[Example]) -> Callable[[Any], Any]:
        model = crf_training.train(taught(part), settings, least=0.0)
        return lambda shown: [label for label, _ in model.label(shown)]

    said = crossed(examples, learn)
    both = list(zip([one.gold for one in examples], said, strict=True))
    figures = shares([pair for gold, labels in both for pair in zip(gold, labels, strict=True)])
    if name.endswith("_scopes"):
        exact = [inside(one, gold) == inside(one, labels) for one, (gold, labels) in zip(examples, both, strict=True)]
        figures["scope exact"] = round(sum(exact) / len(exact), 3)
    show(name, figures)
    if out:
        card = {**card_of(name, source, settings), "figures": figures}
        crf_training.write(
            crf_training.train(taught(examples), settings, least=0.0), out / f"{name}.crf", card, crf.FINE
        )


def inside(one: Example, labels: Sequence[str]) -> list[int]:
    """The tokens of a scope, the stop at the end of a sentence left out."""
    last = len(labels) - 1
    return [at for at, label in enumerate(labels) if label in "SI" and not (at == last and "w=." in one.shown[at])]


def taught(examples: Sequence[Example]) -> Iterator[tuple[Any, Any]]:
    """What is learned: what each row shows with what it is, as often as it counts."""
    return ((one.shown, one.gold) for one in examples for _ in range(one.times))


def crossed(examples: Sequence[Example], learn: Callable[[Sequence[Example]], Callable[[Any], Any]]) -> list[Any]:
    """What models say of documents that they were not trained on, in the order of the examples."""
    said: list[Any] = [None] * len(examples)
    for number in range(FOLDS):
        model = learn([one for one in examples if fold(one.doc) != number])
        for at, one in enumerate(examples):
            if fold(one.doc) == number:
                said[at] = model(one.shown)
    return said


def fold(doc: str) -> int:
    """The fold of a document, by its name alone."""
    return int.from_bytes(sha256(f"claims {doc}".encode()).digest()[:4], "big") % FOLDS


def shares(both: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Accuracy, and precision, recall and F1 of each label, from gold and said."""
    found: dict[str, Any] = {"accuracy": round(sum(gold == said for gold, said in both) / len(both), 3)}
    for label in sorted({gold for gold, _ in both}):
        right = sum(gold == said == label for gold, said in both)
        found[label] = {
            "precision": round(right / max(1, sum(said == label for _, said in both)), 3),
            "recall": round(right / sum(gold == label for gold, _ in both), 3),
            "of": sum(gold == label for gold, _ in both),
        }
    return found


def card_of(name: str, source: Source, settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "what": name.replace("_", " "),
        "version": 1,
        "licence": "Apache-2.0",
        "trained on": source.name,
        "texts": source.digest,
        "by": "scripts/benchmarks/train_claims.py",
        "settings": settings,
    }


def show(name: str, figures: dict[str, Any]) -> None:
    print(f"{name}:")
    for label, figure in figures.items():
        print(f"  {label}: {figure}")
    print(flush=True)


def scope_labels(row: Sequence[Token], start: int, end: int) -> list[str]:
    """What the model is taught for a scope: before it B, its first token S, then I, the first after it E, then A."""
    inside = [at for at, token in enumerate(row) if token.end > start and token.start < end]
    first, last = inside[0], inside[-1]
    return [
        "B" if at < first else "S" if at == first else "I" if at <= last else "E" if at == last + 1 else "A"
        for at in range(len(row))
    ]


if __name__ == "__main__":
    main()
