"""How right rankings of chunks are: recall, reciprocal rank and discounted gain of each question, and paired tests.

Anything that ranks chunks is scored alike, by ids: our plans and other programs' rankings. Every figure is at k, of the
first k chunks: recall@k is the mean over what a question needs (`RetrievalQuestion.recall`); mrr@k is 1 / the place of
the first chunk that serves it; ndcg@k is the gain of a chunk, the recall it adds, over log2(place + 1), summed and
divided by the best possible sum (Järvelin and Kekäläinen 2002; a chunk that adds nothing new gains nothing, as in
Clarke et al. 2008).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kag.core.errors import BadValue
from kag.evaluate.statistics import Mean, means
from scripts.benchmarks.paired_tests import Paired, holm, paired
from scripts.benchmarks.retrieval.sets import RetrievalQuestion, RetrievalSet

KS = (2, 5, 10, 20, 50)
HALVES = ("dev", "test")
Scores = Mapping[str, Sequence[float]]
"""By metric, as in "recall@5", "mrr@5", "ndcg@5": a value from 0 to 1 a question, in the order of the set."""


def scored(data: RetrievalSet, rankings: Mapping[str, Sequence[str]], ks: Sequence[int] = KS) -> Scores:
    """The scores of rankings, chunk ids by question id, the best first.

    A question for which nothing was found has an empty ranking. Raises `BadValue` where a question has none, or a
    ranking is of no question of the set.
    """
    if odd := sorted(rankings.keys() ^ {question.id for question in data.questions}):
        raise BadValue(
            f"{data.name}: {len(odd)} questions are asked or ranked, not both, as {odd[0]}",
            hint="Give a ranking for each question of the set, an empty one where nothing was found.",
        )
    if not ks or min(ks) < 1:
        raise BadValue(f"k is {', '.join(map(str, ks)) or 'not given'}", hint="Give numbers from 1.")
    rows = [dict(_scores(question, rankings[question.id], sorted(ks))) for question in data.questions]
    return {metric: tuple(row[metric] for row in rows) for metric in rows[0]} if rows else {}


def _scores(question: RetrievalQuestion, ranking: Sequence[str], ks: Sequence[int]) -> Iterator[tuple[str, float]]:
    gains = _gains(question, ranking[: ks[-1]])
    best = _best_gains(question)
    first = next((place for place, name in enumerate(ranking, start=1) if name in question.gold), math.inf)
    for k in ks:
        yield f"recall@{k}", question.recall(frozenset(ranking[:k]))
        yield f"mrr@{k}", 1 / first if first <= k else 0.0
        yield f"ndcg@{k}", _discounted(gains[:k]) / _discounted(best[:k])


def _gains(question: RetrievalQuestion, ranking: Sequence[str]) -> Sequence[float]:
    """The recall that each chunk adds to those before it."""
    found: set[str] = set()
    gains, had = [], 0.0
    for name in ranking:
        has = had
        if name in question.gold:
            found.add(name)
            has = question.recall(found)
        gains.append(has - had)
        had = has
    return gains


def _best_gains(question: RetrievalQuestion) -> Sequence[float]:
    """The gains of the best order: always the chunk that adds most, until nothing is added."""
    rest, found = sorted(question.gold), set[str]()
    gains, had = [], 0.0
    while rest and had < 1:
        best = max(rest, key=lambda name: question.recall({*found, name}))
        has = question.recall({*found, best})
        if has <= had:
            break
        gains.append(has - had)
        rest.remove(best)
        found.add(best)
        had = has
    return gains


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, start=1))


def part_of(data: RetrievalSet, half: str = "", sample: int = 0) -> RetrievalSet:
    """The set with some of its questions: a half, "dev" or "test", and of it `sample`; the same ones every time.

    Both are drawn by a hash of the question's id, so that what was set on one half can be shown on the other. Raises
    `BadValue` for another half.
    """
    if half not in ("", *HALVES):
        raise BadValue(f"no half {half}", hint=f"Take {' or '.join(HALVES)}.")
    kept = [one for one in data.questions if not half or HALVES[_hash("half", one.id) % 2] == half]
    if sample:
        drawn = {one.id for one in sorted(kept, key=lambda one: _hash("sample", one.id))[:sample]}
        kept = [one for one in kept if one.id in drawn]
    return replace(data, questions=tuple(kept))


def unscoped(data: RetrievalSet) -> RetrievalSet:
    """The set with every question asked of all its documents."""
    return replace(data, questions=tuple(replace(one, scope=frozenset()) for one in data.questions))


def _hash(what: str, name: str) -> int:
    return int(hashlib.sha256(f"{what} {name}".encode("utf-8", "surrogatepass")).hexdigest(), 16)


def averaged(scores: Scores) -> dict[str, Mean]:
    """The mean of each metric with its 95 % interval (bootstrap over questions)."""
    return means(scores)


def compared(plans: Mapping[str, Scores], baseline: str) -> dict[str, dict[str, Paired]]:
    """Each plan but the baseline against it, by metric: plan minus baseline on the same questions.

    `p` is two-sided, by permutation of signs; `holm` is `p` corrected for all of these plans at all k, each kind of
    metric (recall, mrr, ndcg) by itself. Raises `BadValue` where there is no such baseline.
    """
    if baseline not in plans:
        raise BadValue(f"no plan {baseline} to compare with", hint=f"Take one of {', '.join(plans)}.")
    others = {name: scores for name, scores in plans.items() if name != baseline}
    tests = paired(
        {(name, metric): values for name, scores in others.items() for metric, values in scores.items()},
        {(name, metric): values for name in others for metric, values in plans[baseline].items()},
    )
    families: dict[str, dict[tuple[str, str], float]] = {}
    for (name, metric), test in tests.items():
        families.setdefault(metric.partition("@")[0], {})[name, metric] = test.p
    corrected = {key: value for family in families.values() for key, value in holm(family).items()}
    found: dict[str, dict[str, Paired]] = {name: {} for name in others}
    for (name, metric), test in tests.items():
        found[name][metric] = test.corrected(corrected[name, metric])
    return found
