"""`kag chat`: questions that follow one another; what is piped in is answered line by line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.asking.ask import EPILOG, legible, note_which, open_talk, talk_options, words_of
from kag.cli.options.values import PATH, json_option
from kag.cli.terminal import emit, note, say

if TYPE_CHECKING:
    from kag.cli.asking.ask import Talk
    from kag.qa.follow_up import Before

PROMPT = "? "
HELP = "Type a question, then others that lean on it: “and in parks?”, “what about Table 2?”, “its DOI?”. Ctrl-D ends."


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@json_option("Print each answer as JSON, one per line.")
@talk_options
def chat(paths: Sequence[Path], as_json: bool, paper: str | None, out_dir: Path | None, **given: Any) -> None:
    """Answer questions about the papers at PATH, one after the other, until the input ends.

    A question may refer to the one before it ("and in the second cohort?", "what about Table 2?", "its DOI?"). kag then
    prints the question as it understood it. Blank lines are ignored.
    """
    from kag.qa.follow_up import Before
    from kag.qa.library import named_paper

    with open_talk(paths, out_dir, given) as talk:
        before = Before(paper=named_paper(paper, talk.library) if paper is not None else talk.only)
        start = before.paper
        if sys.stdin.isatty():
            note(HELP)
        spoken: str | None = ""
        for number, line in enumerate(_lines()):
            if number and not as_json:
                say()
            before, spoken = _answered(line, before, talk, start, None if as_json else spoken)


def _lines() -> Iterator[str]:
    """Yield the lines that are typed or piped in; a terminal shows a prompt."""
    asked = sys.stdin.isatty()
    while True:
        if asked:
            say(PROMPT, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _answered(line: str, before: Before, talk: Talk, start: str, spoken: str | None) -> tuple[Before, str | None]:
    """Answer one question; what the talk has come to, and the paper whose title was shown last, None for JSON.

    A question that cannot be asked is reported, and the conversation continues.
    """
    from kag.core.errors import BadValue
    from kag.qa.follow_up import follow_up, of_this_paper

    try:
        asked = legible(line)
        full, after = follow_up(asked, before)
        full = legible(full)
    except BadValue as error:
        note(f"{error.message}. {error.hint}")
        return before, spoken
    if spoken is not None and not sys.stdin.isatty():
        say(f"{PROMPT}{asked}")
    if spoken is not None and full != asked:
        say(f"({full})")
    # A question that stands alone is put to all papers again; one that leans, to the paper that was spoken of.
    paper = before.paper if full != asked or of_this_paper(asked) else start
    outcome = talk.put(full, paper)
    papers = outcome.answer.papers
    only = papers[0] if len(papers) == 1 else ""
    if spoken is None:
        emit(json.dumps(json.loads(outcome.answer.to_json()), ensure_ascii=False) + "\n")
        return replace(after, paper=only or paper), None
    say(words_of(outcome, talk, titled=only != spoken))
    note_which(outcome.answer, talk)
    return replace(after, paper=only or paper), only
