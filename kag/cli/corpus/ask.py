"""`kag corpus ask`: a question that the graphs of all papers answer exactly, with evidence; by rules, or by a query
that a model writes where they do not know the question."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.as_json import json_option
from kag.cli.options.model_stages import model_options, open_model_stages, told
from kag.cli.options.values import PATH
from kag.cli.terminal import emit, note, say

if TYPE_CHECKING:
    from kag.corpus.store import Corpus
    from kag.questions.file import Question
    from kag.values.evidence import Answer

EPILOG = (
    "Exit codes: 0 answered, 1 not a question that the graphs answer exactly, 2 bad input, 3 a model was asked and "
    "failed."
)


@click.command(epilog=EPILOG)
@click.argument("question")
@click.option("--corpus", "root", type=PATH, required=True, help="The corpus, a folder.")
@click.option("--show-query", is_flag=True, help="Show the SPARQL that was asked, on standard error.")
@click.option("--schema", is_flag=True, help="Show what can be asked, on standard error.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Words, or an answer for `kag verify`.",
)
@json_option("The same as --format json.")
@model_options("writes the query, which is checked and bounded, where the rules do not know the question")
def ask(question: str, root: Path, form: str, *, show_query: bool, schema: bool, as_json: bool, **model: Any) -> None:
    """Answer QUESTION from the graphs of all papers: who cites what, how many, which most, which papers have what."""
    from kag.corpus.exact.answer import answer_by_schema
    from kag.corpus.exact.describe import describe
    from kag.corpus.sparql.query import reader
    from kag.corpus.store import open_corpus
    from kag.questions.file import Question
    from kag.read.answer_text import answer_markdown
    from kag.values.errors import QueryError

    corpus = open_corpus(root)
    if schema:
        say(describe(reader(root)), err=True)
    if not question.strip():
        raise click.UsageError("QUESTION has no words")
    asked = Question("ask", question)
    answer = answer_by_schema(asked, corpus) or _by_model(asked, corpus, root, model)
    if answer is None:
        hint = "Name works and papers in quotation marks, or ask the texts: `kag search` and `kag qa --corpus`."
        error = QueryError("the graphs do not answer this question exactly", hint=hint)
        error.exit_code = 1
        raise error
    if show_query:
        for search in answer.searches:
            say(search, err=True)
    emit(answer.to_json() if as_json or form == "json" else answer_markdown(answer) + "\n")


def _by_model(question: Question, corpus: Corpus, root: Path, given: Mapping[str, Any]) -> Answer | None:
    """The answer by a query that a model writes; None without one, or where it knows no query for the question."""
    from kag.corpus.exact.by_model import by_model
    from kag.corpus.exact.rows import answer_of_rows
    from kag.corpus.sparql.query import ask as put
    from kag.corpus.sparql.query import reader

    with open_model_stages(given) as model:
        if model is None:
            return None
        outcome = by_model(question.text, model.write, partial(put, root), own=reader(root))
        note(told(model))
    if outcome.query is None or outcome.table is None:
        return None
    label = f"{given['lm']} wrote the query"
    return answer_of_rows(question, outcome.query, outcome.table, corpus, reader(root), label)
