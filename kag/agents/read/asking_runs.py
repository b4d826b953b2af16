"""Who answers about the papers of runs that are in no corpus: one by one, or together without a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kag.agents.read.asking import opened_ask, reader_of, rules_of
from kag.agents.read.read_options import ReadOptions
from kag.questions.file import Question
from kag.read.across.shelf import Shelf
from kag.read.answer_batch import Asking, of_papers, of_shelf
from kag.read.library import Library
from kag.values.evidence import Answer


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
        from kag.read.answering import answer_across

        reader = reader_of(options)

        def across(question: Question, shelf: Shelf) -> Answer:
            return answer_across(question, shelf, lambda _: None, reader)

        yield of_shelf(shelf or shelf_of(library), single, options, across, None)
