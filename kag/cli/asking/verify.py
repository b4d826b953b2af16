"""`kag verify`: answers re-checked: whether quotes hold, and who judged the claims."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.asking.qa import CORPUS, GRAPHS, one_of
from kag.cli.options.values import PATH, json_option
from kag.cli.terminal import emit_json, say

if TYPE_CHECKING:
    from kag.qa.checking.verify import Checked
    from kag.qa.library import Library

EPILOG = (
    "Exit codes: 0 all quotes hold and no claim is contradicted (with --strict: all claims are supported), 1 something "
    "does not hold, or is contradicted, 2 bad input."
)


@click.command(epilog=EPILOG)
@click.argument("answers", nargs=-1, required=True, type=PATH)
@click.option("--graph-dir", type=PATH, help=GRAPHS)
@click.option("--corpus", "root", type=PATH, help=CORPUS)
@click.option("--strict", is_flag=True, help="A claim that is undecided or that nobody judged fails, too.")
@json_option("Write both statements of each answer as JSON.")
def verify(answers: Sequence[Path], graph_dir: Path | None, root: Path | None, *, strict: bool, as_json: bool) -> None:
    """Re-check ANSWERS against the graphs they quote.

    Each piece of evidence is quoted or not: its text, node, page, boxes, span and hash hold. A claim with a number that
    its quotes do not print is undecided; one that repeats its quote, or that the graph gives again, is supported. Any
    other verdict is that of the model that the file names, or the claim is not judged. What an answer shows (text,
    value, found, papers) has to be what its claims say. An answer is a file that `kag qa` wrote, or a folder of them.
    The last line names what no graph can prove, such as who was asked.
    """
    from kag.core.evidence import read_answer
    from kag.qa.answer_folder import answer_files
    from kag.qa.checking.verify import UNCHECKED, checked
    from kag.qa.library import open_library

    source = one_of(graph_dir, root)
    library = open_library(source) if graph_dir else _library(source)
    sound, rows = True, []
    for path in answer_files(answers):
        answer, shown = read_answer(path)
        found = checked(answer, library, shown, strict=strict)
        sound &= found.report.conforms
        rows.append({"answer": str(path), "ok": found.report.conforms, **_row(found)})
        if as_json:
            continue
        say(f"{path}: {told(found)}")
        for issue in found.report.issues:
            say(f"  {issue.component} {issue.focus}: {issue.message}")
    if as_json:
        emit_json({"answers": rows, "not_checked": list(UNCHECKED)})
    else:
        say(f"not checked: {', '.join(UNCHECKED)}")
    sys.exit(0 if sound else 1)


def _library(root: Path) -> Library:
    """The papers of a corpus."""
    from kag.corpus.store import open_corpus

    return open_corpus(root).library()


def _row(found: Checked) -> dict[str, Any]:
    """Both statements as data; null for a claim that nobody judged or whose quotes do not hold."""
    verdicts = [{"status": one.status, "checker": one.checker} if one else None for one in found.verdicts]
    issues = [asdict(issue) for issue in found.report.issues]
    return {"quotes": found.quotes, "quoted": found.quoted, "claims": verdicts, "issues": issues}


def told(found: Checked) -> str:
    """Both statements in one line: "7 of 7 quotes hold; 2 claims: 1 supported by graph, 1 not judged"."""
    if not found.verdicts:
        return "no claims" if found.report.conforms else "no claims, and something does not hold"
    counts = Counter(f"{one.status} by {one.checker}" if one else "not judged" for one in found.verdicts)
    words = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{found.quoted} of {found.quotes} quotes hold; {len(found.verdicts)} claims: {words}"
