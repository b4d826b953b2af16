"""`kag ask`: one question, answered at the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kag.cli.asking.talk import EPILOG, note_which, open_talk, talk_options, words_of
from kag.cli.options.values import PATH
from kag.cli.terminal import emit, say


@click.command(epilog=EPILOG)
@click.argument("question")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON, which `kag verify` reads.")
@talk_options
def ask(
    question: str, paths: Sequence[Path], as_json: bool, paper: str | None, out_dir: Path | None, **given: Any
) -> None:
    """Answer QUESTION from the papers at PATH: a run, a folder of runs, or a corpus.

    The short answer first, then what it rests on, with page and section. Without a model the graph answers exactly
    (structure, references, figures, tables, counts), or the passages that may answer the question are shown. For many
    questions, and for files: `kag qa`.
    """
    from kag.qa.library import named_paper

    text = legible(question)
    with open_talk(paths, out_dir, given) as talk:
        outcome = talk.put(text, named_paper(paper, talk.library) if paper is not None else talk.only)
        if as_json:
            emit(outcome.answer.to_json())
        else:
            say(words_of(outcome, talk))
            note_which(outcome.answer, talk)
    if outcome.cause in ("model", "sandbox", "error"):
        sys.exit(3)


def legible(question: str) -> str:
    """A question that can be put; raises `BadValue` for one without words, too long, or in another language."""
    from kag.qa.questions.file import LONGEST
    from kag.text.asked import require_question
    from kag.text.language import require_english

    text = question.encode("utf-8", "replace").decode().strip()
    require_question(text if re.search(r"\w", text) else "", LONGEST)
    require_english(text)
    return text
