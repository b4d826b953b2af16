"""Who answers: the graph, and an agent with a model where the options name one. Its packages are imported only then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kag.agents.read.read_options import ReadOptions
from kag.questions.file import Question
from kag.read.across.shelf import Shelf
from kag.read.answer_batch import Asking, asking_of, extractor
from kag.read.library import Library
from kag.read.passage_index import Reader
from kag.read.story import Ask, Extract, ExtractCorpus
from kag.values.evidence import Answer

if TYPE_CHECKING:
    from kag.corpus.store import Corpus
    from kag.values.tool import Tool


@contextmanager
def open_runs(
    library: Library,
    options: ReadOptions,
    work: Path,
    shelf: Callable[[], Shelf] | None = None,
    extract: Extract | None = None,
) -> Iterator[Asking]:
    """A question with a paper is put to that paper, one without to all of them together.

    `shelf` makes the library one, by default with an index for this time; `extract` answers without a model, by default
    as the options say. A model's replies are kept in the folder `work` until a command is done. Raises `MissingExtra`
    and `ModelError` where the model cannot be asked.
    """

    def of_runs() -> Shelf:
        from kag.read.across.own_shelf import shelf_of

        return shelf_of(library)

    extract = extract or exact_of(options)
    with ExitStack() as stack:
        ask = opened_agent(options, work, stack)
        yield asking_of(library, shelf or of_runs, options, extract, across=_across(extract), ask=ask)


@contextmanager
def open_corpus_papers(
    corpus: Corpus, shelf: Shelf, options: ReadOptions, work: Path, *, follow: bool = True
) -> Iterator[Asking]:
    """As `open_runs`, of a corpus: its graphs answer exactly, and the agent can query them.

    Without `follow` citations in the papers found are not followed.
    """
    from kag.corpus.exact.answer import answer_by_schema
    from kag.read.across.rules import rules  # its packages are an extra

    extract = exact_of(options)
    across = rules(extract, lambda question: answer_by_schema(question, corpus), follow=follow)
    with ExitStack() as stack:
        ask = opened_agent(options, work, stack, _query_tools(corpus) if options.model else ())
        yield asking_of(corpus.library(), lambda: shelf, options, extract, across=across, ask=ask)


def exact_of(options: ReadOptions) -> Extract:
    """The exact answers and passages of one paper; with a cross-encoder where the options want one.

    Raises `MissingExtra`.
    """
    return extractor(_cross_encoder() if options.rerank else None)


def opened_agent(options: ReadOptions, work: Path, stack: ExitStack, tools: tuple[Tool, ...] = ()) -> Ask | None:
    """The agent; nobody where the options name no model."""
    if not options.model:
        return None
    from kag.agents.read.answerer import open_agent, open_cassette

    return stack.enter_context(open_agent(options, open_cassette(options, work), tools))


def _across(extract: Extract) -> ExtractCorpus:
    """Answers over papers of no corpus; its packages are imported when it is first needed."""

    def across(question: Question, shelf: Shelf) -> Answer:
        from kag.read.across.rules import rules

        return rules(extract, lambda question: None)(question, shelf)

    return across


def _cross_encoder() -> Reader:
    from kag.search.meaning.cross_encoder import cross_encoder

    return cross_encoder()


def _query_tools(corpus: Corpus) -> tuple[Tool, ...]:
    """SPARQL over the graphs of a corpus, as an agent asks it."""
    from functools import partial

    from kag.corpus.exact.query_tool import QueryTools
    from kag.corpus.sparql.query import ask, reader
    from kag.values.tool import toolset

    root = corpus.layout.root
    return toolset(QueryTools(partial(ask, root), reader(root)))
