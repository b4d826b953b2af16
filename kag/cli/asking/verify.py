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
    "Exit codes: 0 all quotes hold and no claim is contradicted (with --strict: all claims "
    "are supported), 1 a quote does not hold or a claim is contradicted, 2 bad input."
)


@click.command(epilog=EPILOG)
@click.argument("answers", nargs=-1, required=True, type=PATH)
@click.option("--graph-dir", type=PATH, help=GRAPHS)
@click.option("--corpus", "root", type=PATH, help=CORPUS)
@click.option("--strict", is_flag=True, help="Also fail for claims that are undecided or not judged.")
@json_option("Print the result for each answer as JSON.")
def verify(answers: Sequence[Path], graph_dir: Path | None, root: Path | None, *, strict: bool, as_json: bool) -> None:
    """Check ANSWERS (files of `kag qa`, or folders of them) again against the graphs that they quote.

    A quote holds if its text, node, page, boxes, span and hash are right. A claim is supported if it repeats its quote
    or the graph gives it again, and undecided if it has a number that its quotes do not print. Other verdicts are those
    of the model that the file names; without one the claim is not judged. What an answer shows (text, value, found,
    papers) must agree with its claims. The last line names what no graph can prove, such as which model was asked.
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
        say(f"{path}: {summary_line(found)}")
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
    """Return both statements as data; null for a claim that nobody judged or whose quotes do not hold."""
    verdicts = [
        {"status": verdict.status, "checker": verdict.checker} if verdict else None for verdict in found.verdicts
    ]
    issues = [asdict(issue) for issue in found.report.issues]
    return {"quotes": found.quotes, "quoted": found.quoted, "claims": verdicts, "issues": issues}


def summary_line(found: Checked) -> str:
    """Both statements in one line: "7 of 7 quotes hold; 2 claims: 1 supported by graph, 1 not judged"."""
    if not found.verdicts:
        return "no claims" if found.report.conforms else "no claims, and something does not hold"
    counts = Counter(
        f"{verdict.status} by {verdict.checker}" if verdict else "not judged" for verdict in found.verdicts
    )
    words = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{found.quoted} of {found.quotes} quotes hold; {len(found.verdicts)} claims: {words}"
