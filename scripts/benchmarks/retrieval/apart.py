"""Plans put to questions by many processes: each ranks by some variants, and keeps the rankings where all see them.

What they keep is what one process keeps, so that `runs` afterwards finds nothing left to ask, and seconds are of the
process that ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kag.evaluate.retrieval.index import Cost, Model, Prepared, Timed
from kag.evaluate.retrieval.runs import runs
from kag.evaluate.retrieval.sets import RetrievalSet, read_retrieval_set
from kag.evaluate.retrieval.variants import Variant
from kag.evaluate.spread import in_order
from kag.safety.workers import Executor
from kag.search.index import Index
from kag.search.meaning.bge import BgeSmall
from kag.search.meaning.embedding_cache import CachedEmbedder
from kag.search.meaning.minilm import MiniLM


@dataclass(frozen=True, slots=True)
class Opened:
    """How another process opens an index that is prepared: the folder of its set, its own, its cost, its model."""

    source: Path
    folder: Path
    cost: Cost
    model: Callable[[], Model]

    def __call__(self) -> Prepared:
        embed = Timed(self.model())
        index = Index.load(self.folder / "index", embed)
        return Prepared(read_retrieval_set(self.source), index, self.cost, embed, self.folder)


def local_model(bge: bool, int8: bool) -> MiniLM | BgeSmall:
    """A network of this machine that makes vectors; raises `MissingExtra`."""
    return BgeSmall() if bge else MiniLM(int8=int8)


def kept_model(bge: bool, int8: bool, folder: Path) -> CachedEmbedder:
    """The same, its vectors kept in a folder."""
    model = local_model(bge, int8)
    return CachedEmbedder(model, model.id, folder)


def rank_apart(
    opened: Opened, data: RetrievalSet, made: Callable[[], Sequence[Variant]], ks: Sequence[int], executor: Executor
) -> None:
    """Rank the questions of `data` by the variants that `made` makes; those of one name have one file, and go together.

    Raises `RunError` where a process is lost.
    """
    names = [variant.name for variant in made()]
    asked = replace(data, chunks=(), cells={})  # all else is in the index
    in_order(partial(_rank, opened, asked, made, ks), range(len(names)), executor, lambda _, number: names[number])


def _rank(
    opened: Opened,
    data: RetrievalSet,
    made: Callable[[], Sequence[Variant]],
    ks: Sequence[int],
    numbers: Iterable[int],
) -> Iterator[str]:
    place, variants = opened(), made()
    for number in numbers:
        for run in runs(place, data, [variants[number]], ks, lambda _: None):
            yield run.name
