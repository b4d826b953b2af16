"""`kag report`: a run, its answers and its checks as one HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from kag.cli.building.stale import note_stale
from kag.cli.options.as_json import json_option
from kag.cli.options.values import PATH, Number
from kag.cli.terminal import emit_json, say


@click.command(epilog="Exit codes: 0 done, 2 bad input, or the file cannot be written.")
@click.argument("run", type=PATH)
@click.option("--answers", type=PATH, default=None, help="Answers that `kag qa` wrote.  [default: RUN/qa, if there]")
@click.option(
    "--source",
    "--ocr-dir",
    "source",
    type=PATH,
    default=None,
    help="The paper's PDF, or the folder with page_NNN.png and the figures; else boxes are drawn.",
)
@click.option("--max-mb", type=Number(0), default=20, show_default=True, help="Room for all pictures.")
@click.option("--out", type=PATH, default=None, help="File to write.  [default: RUN/report.html]")
@json_option("Say what was written as JSON.")
def report(
    run: Path, answers: Path | None, source: Path | None, max_mb: float, out: Path | None, as_json: bool
) -> None:
    """Write RUN, a folder that `kag index` made, as one HTML page that opens anywhere, without a network.

    A click on a claim shows where its evidence is printed; paper.html#b_p001_0004 opens at that block.
    """
    from kag.core.files import write_output, write_whole
    from kag.export.references.fields import fields_by_entry
    from kag.qa.answer_folder import answer_files
    from kag.qa.page import build_page

    if source:
        note_stale(run, source)
    default = run / "qa"
    given = answers or (default if (default / "answers").is_dir() else None)
    files = answer_files([given]) if given else ()
    page = build_page(run, files, source, int(max_mb * 1_000_000), fields_by_entry)
    target = out or run / "report.html"
    write_output(target, page) if out else write_whole(target, page)
    if as_json:
        emit_json({"out": str(target), "bytes": len(page.encode()), "answers": len(files)})
    else:
        say(target)
