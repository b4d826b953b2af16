"""Write what a run did as Markdown: `python scripts/dump_trajectory.py RUN [--out FILE]`.

RUN is a run folder, or a trajectory.jsonl that a killed run has left behind.
"""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.cli.ending import run as run_command
from kag.cli.terminal import emit
from kag.export.trajectory_report import report_of
from kag.safety.files import write_output


@click.command(help=__doc__)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write.  [default: stdout]")
def main(run: Path, out: Path | None) -> None:
    report = report_of(run)
    write_output(out, report) if out else emit(report)


if __name__ == "__main__":
    run_command(main, name="dump_trajectory.py")
