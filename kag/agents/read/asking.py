"""Who answers: the rules, and a model beside them where the options name one. Its packages are imported only then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kag.agents.read.read_options import ReadOptions
from kag.questions.file import Question
from kag.read.across.shelf import Shelf
from kag.read.answer_batch import Asking, extractor, of_papers, of_shelf
from kag.read.library import Library
from kag.read.passage_ranking import Reader
from kag.read.story import Ask, AskCorpus, Extract
from kag.values.evidence import Answer

if TYPE_CHECKING:
    from kag.corpus.store import Corpus


@contextmanager
def open_papers(library: Library, options: ReadOptions, work: Path) -> Iterator[Asking]:
    """Each question is put to its paper; a model's replies are kept in the folder `work` until it is done.

    Raises `MissingExtra` and `ModelError` where the model cannot be asked.
    """
    with ExitStack() as stack:
        yield of_papers(library, options, rules_of(options), opened_ask(options, work, stack))


@contextmanager
def open_corpus_papers(corpus: Corpus, shelf: Shelf, options: ReadOptions, work: Path) -> Iterator[Asking]:
    """A question of one paper is put to that, any other to all of a corpus; raises as `open_papers` does."""
    from kag.corpus.exact.answer import answer_by_schema
    from kag.read.answering import answer_across

    extract = rules_of(options)
    reader = reader_of(options)

    def across(question: Question, shelf: Shelf) -> Answer:
        return answer_across(question, shelf, lambda asked: answer_by_schema(asked, corpus), reader)

    with ExitStack() as stack:
        single = of_papers(corpus.library(), options, extract, opened_ask(options, work, stack))
        yield of_shelf(shelf, single, options, across, _opened_corpus_ask(options, corpus.layout.root, work, stack))


def rules_of(options: ReadOptions) -> Extract:
    """The rules for one paper; with a reader of sentences where the options want one. Raises `MissingExtra`."""
    return extractor(reader_of(options))


def reader_of(options: ReadOptions) -> Reader | None:
    """Who reads the best sentences again; raises `MissingExtra` where the model is not installed."""
    if not options.rerank:
        return None
    from kag.search.meaning.cross_encoder import cross_encoder

    return cross_encoder()


def opened_ask(options: ReadOptions, work: Path, stack: ExitStack) -> Ask | None:
    """Who is asked about one paper beside the rules; nobody where the options name none."""
    if not options.model:
        return None
    from kag.agents.read.reader import open_ask, open_cassette

    return stack.enter_context(open_ask(options, open_cassette(options, work)))


def _opened_corpus_ask(options: ReadOptions, root: Path, work: Path, stack: ExitStack) -> AskCorpus | None:
    """Who is asked about many papers beside the rules."""
    if not options.model:
        return None
    from kag.agents.read.reader import open_cassette, open_corpus_ask
    from kag.corpus.exact.query_tool import QueryTools
    from kag.corpus.sparql.query import ask, reader
    from kag.values.tool import toolset

    tools = toolset(QueryTools(partial(ask, root), reader(root)))
    return stack.enter_context(open_corpus_ask(options, open_cassette(options, work), tools))
