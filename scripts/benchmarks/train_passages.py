"""Train the model that ranks passages: weights for what `kag.qa.passage_features` computes.

    python -m scripts.benchmarks.train_passages DATA QUESTIONS RUNS [--networks] [--out FILE] [--measure-only]

DATA holds the shared sets `covidqa` (Apache-2.0, articles CC BY) and `tatqa` (CC BY 4.0); QUESTIONS is
`test_data/natural_questions_shared.jsonl` (our own) and RUNS the runs of the papers that it asks about. The loss makes
the share of the passages with evidence high in a softmax over the passages of their paper; each set weighs the same.
First each set in turn is left out, and the model of the others ranks it: these are the figures. Then all are learnt.
`--networks` also trains the weights for vectors and a cross-encoder, on some questions of each set. No step draws by
chance.
"""

from __future__ import annotations

import argparse
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kag.evaluate.retrieval import holds, read_evidence_questions
from kag.qa.paper import PaperGraph
from kag.qa.passage_features import FEATURES, PassageIndex, Query, index_of, rarities
from kag.qa.passage_index import SearchIndex
from kag.qa.passage_ranking import as_passage
from kag.qa.passages import MAX_ROWS, Part, Passage, Unit

DEPTHS = (1, 3, 5, 10)
PENALTY, STEPS, RATE = 1e-3, 300, 0.05
TOGETHER, OF_EACH = 6, 3  # contexts of tatqa that make one paper, and questions of each context
READ, CANDIDATES = 30, 15  # questions of each set that a cross-encoder reads, and passages of each
HAND = {"bm25": 1.0, "best_sentence": 0.6, "heading": 0.2, "neighbours": 0.3}  # the weights before there was a model

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set, the index that it is asked of, and the numbers of the units that hold its evidence."""

    name: str
    question: str
    index: PassageIndex
    gold: tuple[int, ...]
    rows: Array


def main() -> None:
    """Train, measure and write."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "questions", "runs"):
        arguments.add_argument(name, type=Path)
    arguments.add_argument("--networks", action="store_true")
    arguments.add_argument("--measure-only", action="store_true")
    arguments.add_argument("--out", type=Path, default=Path("kag/qa/passage_ranking.json"))
    given = arguments.parse_args()
    asked = [*_covidqa(given.data), *_tatqa(given.data), *_natural(given.questions, given.runs)]
    found = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else {"weights": {}}
    figures = {"by hand": _measured(asked, lambda train: np.array([HAND.get(name, 0.0) for name in FEATURES]))}
    figures |= {"words": _measured(asked, fitted)}
    weights = {"words": fitted(asked)}
    if given.networks:
        weights |= _with_networks(asked, figures)
    for name, rows in figures.items():
        print(
            name,
            *(f"{one}: {' '.join(f'{recall:.3f}' for recall in recalls)}" for one, recalls in rows.items()),
            sep="\n  ",
        )
    card = {
        "what": "weights of the ranking of passages",
        "version": 1,
        "licence": "Apache-2.0",
        "trained on": "COVID-QA (Apache-2.0; articles CC BY), TAT-QA (CC BY 4.0), our own questions on articles of "
        "PLOS, eLife and JOSE",
        "by": "scripts/benchmarks/train_passages.py",
        "questions": len(asked),
        "recall at 1, 3, 5, 10, each set left out": figures,
        "weights": found["weights"] | {kind: _named(kind, values) for kind, values in weights.items()},
    }
    if not given.measure_only:
        given.out.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _named(kind: str, values: Array) -> dict[str, float]:
    added = [*(["vector_cosine"] if "vectors" in kind else []), *(["reader"] if "reader" in kind else [])]
    names = ["words", *added] if added else FEATURES
    return {name: float(f"{value:.4g}") for name, value in zip(names, values, strict=True)}


# the sets -------------------------------------------------------------------------------------------------------------


def _asked(name: str, question: str, index: PassageIndex, gold: Iterable[int]) -> Iterator[Asked]:
    query = Query.of(question)
    if numbers := tuple(sorted(gold)):
        yield Asked(name, question, index, numbers, index.features(query, rarities([index], query)))


def _of_texts(units: Sequence[Sequence[str]]) -> PassageIndex:
    """An index over texts; one of several is a table of which the first is the head, the others are rows."""
    passages, found = list[Passage](), list[Unit]()
    for texts in units:
        begins, at = [], 0
        for text in texts:
            begins.append((len(passages), at))
            passages.append(Passage(str(len(passages)), text))
            at += len(text) + 1
        text, kind = "\n".join(texts), "Table" if len(texts) > 1 else "Paragraph"
        body = begins[1][1] if len(texts) > 1 else 0
        found.append(Unit(text, kind, ("n",), (Part("n", 0, len(text), 0),), (), 1, body, tuple(begins)))
    return PassageIndex(found, SearchIndex(passages))


def _covidqa(data: Path) -> Iterator[Asked]:
    for paper in _rows(data / "covidqa" / "papers.jsonl.gz"):
        places = [place for place, text in enumerate(paper["paragraphs"]) if len(text.split()) >= 3]
        index = _of_texts([[paper["paragraphs"][place]] for place in places])
        for one in paper["questions"]:
            gold = (places.index(place) for place in one["evidence"] if place in places)
            yield from _asked("covidqa", one["question"], index, gold)


def _tatqa(data: Path) -> Iterator[Asked]:
    """Some tables with their paragraphs make one paper."""
    contexts = list(_rows(data / "tatqa" / "dev.jsonl.gz"))
    for first in range(0, len(contexts), TOGETHER):
        units, where, some = (
            list[list[str]](),
            dict[tuple[str, object], list[int]](),
            contexts[first : first + TOGETHER],
        )
        for number, context in enumerate(some):
            for paragraph in context["paragraphs"]:
                where[f"{number}", paragraph["order"]] = [len(units)]
                units.append([paragraph["text"]])
            rows = [" | ".join(map(str, row)) for row in context["table"]["table"]]
            for at in range(2, max(3, len(rows)), MAX_ROWS):
                where.setdefault((f"{number}", "table"), []).append(len(units))
                units.append(["\n".join(rows[:2]), *rows[at : at + MAX_ROWS]])
        index = _of_texts(units)
        for number, context in enumerate(some):
            for one in sorted(context["questions"], key=lambda row: zlib.crc32(row["uid"].encode()))[:OF_EACH]:
                wanted: list[object] = (
                    [int(order) for order in one["rel_paragraphs"]] if "text" in one["answer_from"] else []
                )
                wanted += ["table"] if "table" in one["answer_from"] else []
                gold = {unit for name in wanted for unit in where.get((f"{number}", name), [])}
                yield from _asked("tatqa", one["question"], index, gold)


def _natural(questions: Path, runs: Path) -> Iterator[Asked]:
    folders = {run.name.rpartition("_")[0]: run for run in sorted(runs.iterdir())}
    indexes: dict[str, PassageIndex] = {}
    for one in read_evidence_questions(questions):
        if one.paper in folders:
            if one.paper not in indexes:
                indexes[one.paper] = index_of(PaperGraph.load(folders[one.paper]))
            index = indexes[one.paper]
            gold = (number for number, unit in enumerate(index.units) if holds(as_passage(unit), one))
            yield from _asked("natural", one.question, index, gold)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


# learning -------------------------------------------------------------------------------------------------------------


def fitted(asked: Sequence[Asked]) -> Array:
    """The weights that give the passages with evidence the highest share, by Adam."""
    rows = np.vstack([one.rows for one in asked])
    sizes = np.array([len(one.rows) for one in asked])
    starts = np.cumsum(sizes) - sizes
    gold = np.zeros(len(rows), dtype=bool)
    for one, start in zip(asked, starts, strict=True):
        gold[start + np.array(one.gold)] = True
    counts = {name: sum(one.name == name for one in asked) for name in {one.name for one in asked}}
    weight = np.repeat([1 / counts[one.name] / len(counts) for one in asked], sizes)
    spread = rows.std(0) + 1e-6
    scaled = (rows - rows.mean(0)) / spread
    found, mean, square = (np.zeros(rows.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = scaled @ found
        shares = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        wanted = np.where(gold, shares, 0)
        shares = shares / np.repeat(np.add.reduceat(shares, starts), sizes)
        wanted = wanted / np.repeat(np.add.reduceat(wanted, starts), sizes)
        slope = scaled.T @ ((shares - wanted) * weight) + PENALTY * found
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        found = found - RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    return found / spread


def _measured(asked: Sequence[Asked], fit: Callable[[Sequence[Asked]], Array]) -> dict[str, list[float]]:
    """Recall at each depth on each set, ranked by a model of the others."""
    found = {}
    for name in sorted({one.name for one in asked}):
        weights = fit([one for one in asked if one.name != name])
        ranks = [_rank(one, weights) for one in asked if one.name == name]
        found[name] = [round(sum(rank <= depth for rank in ranks) / len(ranks), 3) for depth in DEPTHS]
    return found


def _rank(one: Asked, weights: Array) -> int:
    order = np.argsort(-(one.rows @ weights), kind="stable").tolist()
    return min(order.index(number) + 1 for number in one.gold)


def _with_networks(asked: Sequence[Asked], figures: dict[str, Any]) -> Mapping[str, Array]:
    """The weights of the score by words, the cosine by vectors and the score of a cross-encoder, on some questions."""
    from kag.retrieval.embedders import BgeSmall, cross_encoder, question_vector

    embed, read, vectors = BgeSmall(threads=1), cross_encoder(), dict[int, Array]()
    words = fitted(asked)
    rows: list[Asked] = []
    for one in (one for name in sorted({one.name for one in asked}) for one in _some(asked, name)):
        parts = one.index.parts
        if id(one.index) not in vectors:
            vectors[id(one.index)] = embed([text for texts in parts for text in texts])
        starts = np.cumsum([0, *(len(texts) for texts in parts[:-1])])
        cosines = np.maximum.reduceat(vectors[id(one.index)] @ question_vector(one.question), starts)
        by_words = one.rows @ words
        chosen = np.argsort(-by_words, kind="stable")[:CANDIDATES].tolist()
        gold = tuple(place for place, number in enumerate(chosen) if number in one.gold)
        if gold:
            scores = [max(read(one.question, parts[number])) for number in chosen]
            columns = np.column_stack([by_words[chosen], cosines[chosen], scores])
            rows.append(replace(one, rows=columns, gold=gold))
    found = {}
    for kind, columns in {"words": [0], "words_vectors": [0, 1], "reader": [0, 2], "reader_vectors": [0, 1, 2]}.items():
        some = [replace(one, rows=one.rows[:, columns]) for one in rows]
        figures[f"{kind}, of those read"] = _measured(some, fitted)
        found[kind] = fitted(some)
    alone = [replace(one, rows=one.rows[:, 2:]) for one in rows]
    figures["cross-encoder alone, of those read"] = _measured(alone, lambda train: np.ones(1))
    return {kind: weights for kind, weights in found.items() if kind != "words"}


def _some(asked: Sequence[Asked], name: str) -> list[Asked]:
    return sorted((one for one in asked if one.name == name), key=lambda one: zlib.crc32(one.question.encode()))[:READ]


if __name__ == "__main__":
    main()
