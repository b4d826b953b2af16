"""Choose who answers: the graph, and an agent if the options name a model. Its packages are imported only then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kag.agents.read.read_options import ReadOptions
from kag.core.evidence import Answer
from kag.qa.answer_batch import Asking, Put, answer_all, asking_of, assign, clear_work, extractor
from kag.qa.answer_folder import WORK, Answered, open_folder, write_overview
from kag.qa.answering import answer_across
from kag.qa.library import Library, Shelf, open_library
from kag.qa.pipeline import Ask, Extract, ExtractCorpus
from kag.qa.questions.file import Question
from kag.qa.views.query_rows import KeptRows

if TYPE_CHECKING:
    from kag.core.tool import Tool
    from kag.corpus.store import Corpus
    from kag.qa.passage_ranking import Reader

REPLIES = "replies.jsonl"  # of all questions that were asked


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
        from kag.qa.library import shelf_of

        return shelf_of(library)

    extract = extract or exact_of(options)
    with ExitStack() as stack:
        ask = opened_agent(options, work, stack)
        yield asking_of(library, shelf or of_runs, options, extract, across=_across(options), ask=ask)


@contextmanager
def open_corpus_papers(corpus: Corpus, shelf: Shelf, options: ReadOptions, work: Path) -> Iterator[Asking]:
    """A question of one paper is put to that, any other to all of a corpus; raises as `open_papers` does."""
    from kag.corpus.exact.answer import answer_by_schema

    reader = _reader(options)

    def across(question: Question, shelf: Shelf) -> Answer:
        return answer_across(question, shelf, lambda asked: answer_by_schema(asked, corpus), reader)

    with ExitStack() as stack:
        rows = KeptRows()
        ask = opened_agent(options, work, stack, _query_tools(corpus, rows) if options.model else (), rows)
        yield asking_of(corpus.library(), lambda: shelf, options, extractor(reader), across=across, ask=ask)


def answer_file(
    file: Path, graph_dir: Path, folder: Path, options: ReadOptions, paper: str | None = None
) -> Iterator[Answer]:
    """Answer the questions of a file about the runs in a folder into `folder`; yields each answer when it is kept.

    `paper` is the name that the file has for a single run. Raises `EvidenceError` for a file without such questions.
    """
    from kag.qa.questions.file import read_questions

    library = open_library(graph_dir)
    puts = assign(read_questions(file), library, paper)
    for outcome in answer_into(folder, puts, open_runs(library, options, folder), options):
        yield outcome.answer


def answer_into(
    folder: Path,
    puts: Sequence[Put],
    opened: AbstractContextManager[Asking],
    options: ReadOptions,
    *,
    force: bool = False,
) -> Iterator[Answered]:
    """Answer questions into a folder with its overview; its work goes unless a question was stopped."""
    from kag.agents.model.spans import traced

    open_folder(folder)
    if force:
        clear_work(folder)
    outcomes: list[Answered] = []
    with opened as asking:
        for outcome in answer_all(puts, asking, folder, options, force=force, trace=traced):
            outcomes.append(outcome)
            yield outcome
    write_overview(folder, outcomes, {"mode": options.mode, "model": options.model})
    if not any(outcome.answer.stopped for outcome in outcomes):
        clear_work(folder)


def exact_of(options: ReadOptions) -> Extract:
    """The exact answers and passages of one paper; with a cross-encoder where the options want one.

    Raises `MissingExtra`.
    """
    return extractor(_reader(options))


def opened_agent(
    options: ReadOptions, work: Path, stack: ExitStack, tools: tuple[Tool, ...] = (), rows: KeptRows | None = None
) -> Ask | None:
    """Open the agent, or None if the options name no model. It may query the database that the options name."""
    if not options.model:
        return None
    from kag.agents.model.budget import cassette_for
    from kag.agents.read.answerer import open_agent

    kept_rows = rows or KeptRows()
    if options.database:
        from kag.core.tool import toolset
        from kag.export.cypher_databases import CypherTools, database_at

        database = stack.enter_context(database_at(options.database, read_only=True))
        tools = (*tools, *toolset(CypherTools(database, kept_rows)))
    cassette = cassette_for(options, work / WORK / REPLIES, resumed=(work / WORK).is_dir())
    return stack.enter_context(open_agent(options, cassette, tools, kept_rows))


def _across(options: ReadOptions) -> ExtractCorpus:
    """Passages of papers that are in no corpus: without its graphs nothing is answered exactly over several papers."""
    reader = _reader(options)

    def across(question: Question, shelf: Shelf) -> Answer:
        return answer_across(question, shelf, lambda _: None, reader)

    return across


def _reader(options: ReadOptions) -> Reader | None:
    """The cross-encoder that ranks passages again, where the options want one."""
    if not options.rerank:
        return None
    from kag.retrieval.embedders import cross_encoder

    return cross_encoder()


def _query_tools(corpus: Corpus, rows: KeptRows) -> tuple[Tool, ...]:
    """SPARQL over the graphs of a corpus, as an agent asks it."""
    from functools import partial

    from kag.core.tool import toolset
    from kag.corpus.exact.query_tool import QueryTools
    from kag.corpus.sparql.query import Limits, ask, reader

    root = corpus.layout.root
    return toolset(QueryTools(partial(ask, root, limits=Limits(rows=500)), reader(root), rows))
