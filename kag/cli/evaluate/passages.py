"""`kag evaluate passages`: how high the evidence of your own questions ranks among the passages of papers."""

from __future__ import annotations

from pathlib import Path

import click

from kag.cli.evaluate.shown import MEASURED, tell, write_json
from kag.cli.options.limits import rerank_option
from kag.cli.options.values import PATH
from kag.cli.terminal import note, say


@click.command(epilog=MEASURED)
@click.argument("questions", type=PATH)
@click.argument("runs", type=PATH)
@rerank_option()
@click.option("--json", "json_file", type=PATH, default=None, help="Write the figures and the misses to this file.")
def passages(questions: Path, runs: Path, rerank: bool, json_file: Path | None) -> None:
    """Measure how high the evidence of QUESTIONS ranks among the passages of the papers in RUNS.

    QUESTIONS has an object a line: {"paper", "question", "quotes": [...]}. A passage holds a quote if it has 60 % of
    its words; recall@k is the share of questions of which one of the first k passages holds one.
    """
    from kag.evaluate.answers.evidence_recall import evidence_recall, read_evidence_questions
    from kag.qa.library import open_library

    reader = None
    if rerank:
        from kag.retrieval.meaning.cross_encoder import cross_encoder

        reader = cross_encoder()
    found = evidence_recall(read_evidence_questions(questions), open_library(runs), reader)
    tell(found.rows())
    say(f"first question of a paper {found.first_ms:.0f} ms, next ones {found.next_ms:.0f} ms (median)")
    if found.unasked:
        note(f"{found.unasked} questions are about papers that are not there")
    if json_file:
        write_json(json_file, found.as_json())
