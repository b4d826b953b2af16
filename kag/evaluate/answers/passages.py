"""How right answers to questions on the text are, on whole articles with annotated evidence.

Evidence recall@k is the share of questions with a gold passage among the first k, for our ranking and for plain BM25
over the same passages; answer F1 is that of SQuAD (Rajpurkar et al. 2016): words in common, without case, marks and
articles. Each question is also put to the other articles: to one drawn by its words' hash, and to the one that has
most of its words; both should be left unanswered.

A file is JSON lines, plain or .gz: `{"doc_id", "paragraphs": [text], "questions": [{"question", "answer",
"evidence": [paragraph number]}]}`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kag.evaluate.answers.gold import token_f1
from kag.evaluate.answers.plain_words import plainly
from kag.evaluate.spread import alone, in_order
from kag.evaluate.statistics import Counts, difference
from kag.read.extract.asking import asked
from kag.read.extract.content import best_of
from kag.read.extract.ranking import WEIGHTS, Scored, Weights, passages_of, rank
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.safety.workers import Executor
from kag.text.search_text import tokens
from kag.values.errors import SourceError

DEPTHS = (1, 3, 5, 10)
PLAIN = "without search normalisation"
_TURNED_OFF = [field.name for field in fields(Weights) if field.name not in ("places", "extra")]
RANKINGS = {"all": "", **{f"without {name}": name for name in _TURNED_OFF}, PLAIN: ""}
"""Rankings that are compared, each with the weight that it lacks."""
_HINT = 'Give JSON lines of {"doc_id", "paragraphs", "questions": [{"question", "answer", "evidence"}]}.'


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with its gold answer and the numbers of the passages that hold it."""

    text: str
    answer: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """An article as an index over its paragraphs. `half` is 0 for those that weights may be fitted on, else 1."""

    id: str
    index: SearchIndex
    questions: tuple[Asking, ...]
    half: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: the places of its evidence in our ranking and in BM25 (from 1, 0 for not found), and its answer.

    `f1` is that of the first claim, or 0 when nothing is answered, `f1_forced` that of the best sentence in any case,
    `f1_value` that of the value instead where one is given; `foreign` and `near` are whether other articles, any and
    the nearest, are said not to answer it.
    """

    article: str
    half: int
    ours: int
    plain: int
    found: bool
    right_passage: bool
    f1: float
    f1_forced: float
    f1_value: float
    foreign: bool
    near: bool


class Ranked(Protocol):
    """A question with its article's half, and the places of its evidence in our ranking and in BM25."""

    @property
    def half(self) -> int:
        """0 for articles that weights may be fitted on, else 1."""

    @property
    def ours(self) -> int:
        """From 1; 0 for not found."""

    @property
    def plain(self) -> int:
        """From 1; 0 for not found."""


_R = TypeVar("_R", bound=Ranked)


def read_articles(file: Path) -> tuple[Article, ...]:
    """The articles of a file; raises `SourceError`."""
    try:
        packed = file.read_bytes()
        text = (gzip.decompress(packed) if file.suffix == ".gz" else packed).decode()
        articles = tuple(_article(json.loads(line)) for line in text.split("\n") if line.strip())
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise SourceError(f"{file}: {error}", hint=_HINT) from error
    if not any(article.questions for article in articles):
        raise SourceError(f"{file} asks no question", hint=_HINT)
    return articles


def _article(row: Mapping[str, Any]) -> Article:
    name = str(row["doc_id"])
    index = SearchIndex(Passage(str(number), str(text)) for number, text in enumerate(row["paragraphs"]))
    questions = tuple(
        Asking(str(one["question"]), str(one["answer"]), tuple(map(int, one["evidence"]))) for one in row["questions"]
    )
    return Article(name, index, questions, _hash(name) % 2)


def kept_articles(file: Path) -> tuple[Article, ...]:
    """`read_articles`, once in a process that does several parts of the work, and again where the file has changed."""
    return _kept(file, file.stat().st_mtime_ns if file.is_file() else 0)


@lru_cache(1)
def _kept(file: Path, changed: int) -> tuple[Article, ...]:
    return read_articles(file)


def outcomes(articles: Sequence[Article], weights: Weights = WEIGHTS) -> tuple[Outcome, ...]:
    """All questions put to their own article and to two others."""
    return tuple(one for article in articles for one in _outcomes(article, articles, weights))


def _outcomes(article: Article, articles: Sequence[Article], weights: Weights = WEIGHTS) -> tuple[Outcome, ...]:
    return tuple(_outcome(one, article, articles, weights) for one in article.questions)


def _outcomes_in(file: Path, numbers: Iterable[int]) -> Iterator[tuple[Outcome, ...]]:
    articles = kept_articles(file)
    return (_outcomes(articles[number], articles) for number in numbers)


def _outcome(asking: Asking, article: Article, articles: Sequence[Article], weights: Weights) -> Outcome:
    need, index = asked(asking.text), article.index
    ranked = rank(need, index, weights)
    order = passages_of(ranked)
    chosen, value = best_of(asking.text, need, index, weights)
    best = chosen[0][0] if chosen else None
    text = _text(best, index) if best else ""
    forced = _text(ranked[0], index) if ranked else ""
    others = [other for other in articles if other is not article]
    foreign, near = _others(asking, others) if others else (None, None)
    return Outcome(
        article=article.id,
        half=article.half,
        ours=_place(order, asking.evidence),
        plain=_place(plain_order(asking.text, index), asking.evidence),
        found=bool(chosen),
        right_passage=bool(best and best.number in asking.evidence),
        f1=token_f1(text, asking.answer),
        f1_forced=token_f1(forced, asking.answer),
        f1_value=token_f1(value or forced, asking.answer),
        foreign=_silent(asking, foreign, weights),
        near=_silent(asking, near, weights),
    )


def _others(asking: Asking, others: Sequence[Article]) -> tuple[Article, Article]:
    words = asked(asking.text).words
    near = max(others, key=lambda one: sum(weight for word, weight in words.items() if one.index.forms(word)))
    return others[_hash(asking.text) % len(others)], near


def _silent(asking: Asking, article: Article | None, weights: Weights) -> bool:
    return article is None or not best_of(asking.text, asked(asking.text), article.index, weights)[0]


def plain_order(question: str, index: SearchIndex) -> tuple[int, ...]:
    """Plain BM25: all words of the question, each as often as it stands there; equals in reading order."""
    scores = index.scores(Counter(token.text for token in tokens(question)))
    return tuple(sorted(scores, key=lambda number: (-round(scores[number], 6), number)))


def rows(found: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Figures for the half that weights were fitted on, the other half, and both."""
    return by_half(found, _row)


def by_half(found: Iterable[_R], row: Callable[[Sequence[_R]], Mapping[str, float]]) -> list[dict[str, Any]]:
    """Recall at each depth, and what `row` says, for the half that weights were fitted on, the other half, and both."""
    found = tuple(found)
    halves = (("development", (0,)), ("other half", (1,)), ("all", (0, 1)))
    groups = ((name, [one for one in found if one.half in which]) for name, which in halves)
    return [
        {"articles": name, "questions": len(some), **dict(_recalls(some)), **row(some)} for name, some in groups if some
    ]


def _recalls(group: Sequence[Ranked]) -> Iterator[tuple[str, float]]:
    for depth in DEPTHS:
        yield f"recall@{depth}", mean(0 < one.ours <= depth for one in group)
        yield f"bm25@{depth}", mean(0 < one.plain <= depth for one in group)


def _row(group: Sequence[Outcome]) -> dict[str, float]:
    row = {name: mean(getattr(one, name) for one in group) for name in ("f1", "f1_forced", "f1_value")}
    row["wrongly silent"] = mean(not one.found for one in group)
    row["silent on another"] = mean(one.foreign for one in group)
    row["silent on the nearest"] = mean(one.near for one in group)
    return row


def differences(found: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Recall of ours minus BM25 at each depth, with the 95 % interval over articles (paired bootstrap)."""
    found = tuple(found)
    result = []
    for depth in DEPTHS:
        one = difference(_counts(found, "ours", depth), _counts(found, "plain", depth), share=True)
        result.append({"k": depth, "difference": one.value, "low": one.low, "high": one.high, "sign": one.sign})
    return result


def ablations(articles: Sequence[Article]) -> list[dict[str, Any]]:
    """Recall and F1 with each feature of the ranking turned off but those from outside, and with plain words."""
    return [_ablated(articles, name) for name in RANKINGS]


def _ablated(articles: Sequence[Article], ranking: str) -> dict[str, Any]:
    weights = replace(WEIGHTS, **{RANKINGS[ranking]: 0.0}) if RANKINGS[ranking] else WEIGHTS
    if ranking == PLAIN:
        articles = [replace(article, index=plainly(article.index)) for article in articles]
    return {"ranking": ranking, **_ranked(articles, weights)}


def _ablated_in(file: Path, rankings: Iterable[str]) -> Iterator[dict[str, Any]]:
    return (_ablated(kept_articles(file), one) for one in rankings)


def figures(file: Path, *, ablate: bool = False, executor: Executor | None = None) -> dict[str, list[dict[str, Any]]]:
    """All tables of rows by title: figures by articles, difference to BM25, and ablations where asked for.

    Raises `SourceError` for a file that holds no articles.
    """
    articles = kept_articles(file)
    each = in_order(partial(_outcomes_in, file), range(len(articles)), executor, alone)
    found = [one for own in each for one in own]
    tables = {"figures": rows(found), "ours minus BM25": differences(found)}
    return tables | ({"ablations": in_order(partial(_ablated_in, file), RANKINGS, executor, alone)} if ablate else {})


def shown_tables(tables: Mapping[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The tables as they are read best: the figures one a row, the articles beside each other."""
    columns = tables["figures"]
    turned = [
        {"articles": name, **{row["articles"]: row[name] for row in columns}}
        for name in columns[0]
        if name != "articles"
    ]
    return {**tables, "figures": turned}


def _ranked(articles: Sequence[Article], weights: Weights) -> dict[str, float]:
    """Recall at each depth, and the F1 of the best sentence, of one ranking."""
    places, shares = [], []
    for article in articles:
        for one in article.questions:
            ranked = rank(asked(one.text), article.index, weights)
            places.append(_place(passages_of(ranked), one.evidence))
            shares.append(token_f1(_text(ranked[0], article.index) if ranked else "", one.answer))
    return {f"recall@{depth}": mean(0 < place <= depth for place in places) for depth in DEPTHS} | {"f1": mean(shares)}


def _text(one: Scored, index: SearchIndex) -> str:
    return index.passages[one.number].text[one.start : one.end]


def _counts(found: Iterable[Outcome], side: str, depth: int) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    for one in found:
        right, wrong, missing = counts.get(one.article, (0, 0, 0))
        hit = 0 < getattr(one, side) <= depth
        counts[one.article] = (right + hit, wrong, missing + (not hit))
    return counts


def _place(order: Sequence[int], evidence: Iterable[int]) -> int:
    return min((order.index(number) + 1 for number in evidence if number in order), default=0)


def mean(values: Iterable[float]) -> float:
    """The mean of numbers or of what is true, 0 of none."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)
