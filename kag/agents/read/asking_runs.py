"""Who answers about the papers of runs that are in no corpus: one by one, or together by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kag.agents.read.asking import opened_ask, rules_of
from kag.agents.read.read_options import ReadOptions
from kag.read.across.shelf import Shelf
from kag.read.answer_batch import Asking, of_papers, of_shelf
from kag.read.library import Library


@contextmanager
def open_runs(library: Library, options: ReadOptions, work: Path, shelf: Shelf | None = None) -> Iterator[Asking]:
    """A question with a paper is put to that; one without to all of them, where there are several.

    `shelf` is the library as one, where it was made already. A model is asked about one paper at a time. Raises
    `MissingExtra` and `ModelError` as `open_papers` does.
    """
    extract = rules_of(options)
    with ExitStack() as stack:
        single = of_papers(library, options, extract, opened_ask(options, work, stack))
        if len(library) == 1:
            yield single
            return
        from kag.read.across.own_shelf import shelf_of
        from kag.read.across.rules import rules

        across = rules(extract, lambda question: None)
        yield of_shelf(shelf or shelf_of(library), single, options, across, None)
