"""`kag corpus ask`: a question that the graphs of all papers answer exactly, with evidence."""

from __future__ import annotations

from pathlib import Path

import click

from kag.cli.options.values import PATH, json_option
from kag.cli.terminal import emit, say

EPILOG = "Exit codes: 0 answered, 1 the graphs do not answer this question exactly, 2 bad input."


@click.command(epilog=EPILOG)
@click.argument("question")
@click.option("--corpus", "root", type=PATH, required=True, help="Folder of the corpus.")
@click.option("--show-query", is_flag=True, help="Print the SPARQL query to standard error.")
@click.option("--schema", is_flag=True, help="Print what can be asked to standard error.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text, or an answer that `kag verify` reads.",
)
@json_option("The same as --format json.")
def ask(question: str, root: Path, form: str, *, show_query: bool, schema: bool, as_json: bool) -> None:
    """Answer QUESTION exactly from the graphs of all papers.

    For example: who cites what, how many, which most, which papers have what.
    """
    from kag.core.errors import QueryError
    from kag.corpus.exact.answer import answer_by_schema
    from kag.corpus.exact.query_tool import describe
    from kag.corpus.sparql.query import reader
    from kag.corpus.store import open_corpus
    from kag.qa.answer_text import answer_markdown
    from kag.qa.questions.file import Question

    corpus = open_corpus(root)
    if schema:
        say(describe(reader(root)), err=True)
    if not question.strip():
        raise click.UsageError("QUESTION has no words")
    asked = Question("ask", question)
    answer = answer_by_schema(asked, corpus)
    if answer is None:
        hint = "Name works and papers in quotation marks, or put the question to the texts: `kag ask` with a corpus."
        error = QueryError("the graphs do not answer this question exactly", hint=hint)
        error.exit_code = 1
        raise error
    if show_query:
        for search in answer.searches:
            say(search, err=True)
    emit(answer.to_json() if as_json or form == "json" else answer_markdown(answer) + "\n")
