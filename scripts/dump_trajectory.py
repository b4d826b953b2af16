"""Write what a run did as Markdown: `python scripts/dump_trajectory.py RUN [--out FILE]`.

RUN is a run folder, or a trajectory.jsonl that a killed run has left behind.
"""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.errors import KagError
from kag.trajectory_report import report_of


@click.command(help=__doc__)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write.  [default: stdout]")
def main(run: Path, out: Path | None) -> None:
    try:
        report = report_of(run)
        if out:
            out.write_text(report, encoding="utf-8")
        else:
            sys.stdout.reconfigure(encoding="utf-8")
            click.echo(report, nl=False)
    except KagError as error:
        click.echo(f"error: {error.message}\n  hint: {error.hint}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        click.echo(f"error: {out} cannot be written: {error.strerror}\n  hint: choose another --out.", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
