"""How right answers to questions on the text are where all articles are one library and no question names its own.

Evidence recall@k of the ranking over many papers beside plain BM25 over the same paragraphs, how often the best
sentence is of the right article, and silence: where the article is there, which is wrong, and where it is not. The
other articles may well answer the latter, so that silence there has no right value; only both together say something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from kag.evaluate.answers.passages import DEPTHS, Article, Asking, by_half, kept_articles, mean
from kag.evaluate.spread import alone, in_order
from kag.read.across.choose import CLAIMS, chosen
from kag.read.across.pool import gather, rarity_in
from kag.read.extract.asking import asked
from kag.read.extract.ranking import Rarity, passages_of
from kag.read.passages import Passage
from kag.safety.workers import Executor
from kag.search.chunk import Chunk
from kag.search.index import Index

CLAIMED = (1, CLAIMS)


@dataclass(frozen=True, slots=True)
class Pooled:
    """One question: places of its evidence (from 1, 0 for not found), and what is answered with and without its own.

    `right` is whether the best sentence is of its article, `claimed` the place of the first claim from its evidence
    among the `claims` of the answer, `silent` and `silent_without` whether nothing is answered.
    """

    half: int
    ours: int
    plain: int
    right: bool
    claimed: int
    claims: int
    silent: bool
    silent_without: bool


def pooled(file: Path, executor: Executor | None = None) -> tuple[Pooled, ...]:
    """All questions put to all articles of a file together, and to all but their own; raises `SourceError`."""
    each = in_order(partial(_pooled_in, file), range(len(kept_articles(file))), executor, alone)
    return tuple(one for own in each for one in own)


def _pooled_in(file: Path, numbers: Iterable[int]) -> Iterator[list[Pooled]]:
    articles = kept_articles(file)
    index, read, rarity = _together(articles)
    for article in (articles[number] for number in numbers):
        yield [_put(one, article, index, read, rarity) for one in article.questions]


@lru_cache(1)
def _together(articles: tuple[Article, ...]) -> tuple[Index, Mapping[str, Sequence[Passage]], Rarity]:
    """The articles as one library; a process that does several parts of the work makes it once."""
    read = {article.id: _passages(article) for article in articles}
    index = Index.build(
        Chunk(passage.id, passage.text, document=name, sources=(passage.id,))
        for name, passages in read.items()
        for passage in passages
    )
    return index, read, rarity_in(index)


def _put(
    asking: Asking, article: Article, index: Index, read: Mapping[str, Sequence[Passage]], rarity: Rarity
) -> Pooled:
    need = asked(asking.text)
    right = {_name(article, number) for number in asking.evidence}
    pool = gather(asking.text, index, read.__getitem__)
    ranked = pool.ranked(need, rarity)
    rest = gather(asking.text, index, read.__getitem__, frozenset(read.keys() - {article.id}))
    said, _ = chosen(asking.text, need, ranked, pool, index)
    return Pooled(
        half=article.half,
        ours=_place((pool.index.passages[number].id for number in passages_of(ranked)), right),
        plain=_place((name for name, _ in index.sparse.search(asking.text, max(DEPTHS))), right),
        right=bool(ranked) and pool.papers[ranked[0].number] == article.id,
        claimed=_place((pool.index.passages[one.number].id for one, _ in said), right),
        claims=len(said),
        silent=not said,
        silent_without=not chosen(asking.text, need, rest.ranked(need, rarity), rest, index)[0],
    )


def pooled_rows(found: Sequence[Pooled]) -> list[dict[str, Any]]:
    """Figures for the half that the threshold was fitted on, the other half, and both."""
    return by_half(found, _row)


def _row(group: Sequence[Pooled]) -> dict[str, float]:
    row = {f"claims@{depth}": mean(0 < one.claimed <= depth for one in group) for depth in CLAIMED}
    row["claims"] = mean(one.claims for one in group)
    row["best sentence of the right article"] = mean(one.right for one in group)
    row["wrongly silent"] = mean(one.silent for one in group)
    row["silent without the article"] = mean(one.silent_without for one in group)
    return row


def _passages(article: Article) -> tuple[Passage, ...]:
    return tuple(replace(one, id=_name(article, number)) for number, one in enumerate(article.index.passages))


def _name(article: Article, number: int) -> str:
    return f"{article.id}/{number}"


def _place(order: Iterable[str], right: set[str]) -> int:
    return next((place for place, name in enumerate(order, start=1) if name in right), 0)
