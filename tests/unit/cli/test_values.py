"""Paths and numbers as options take them."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kag.cli.options import PATH, Number


@click.command()
@click.argument("path", type=PATH)
@click.option("--usd", type=Number(0))
def said(path: Path, usd: float | None) -> None:
    click.echo(f"{path!r} {usd}")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["."], "PosixPath('.') None"),
        ([" "], "PosixPath(' ') None"),
        (["a b/c\nd"], "PosixPath('a b/c\\nd') None"),
        (["x", "--usd", "0"], "PosixPath('x') 0.0"),
        (["x", "--usd", "1e9"], "PosixPath('x') 1000000000.0"),
    ],
)
def test_what_names_something_is_taken(given: list[str], told: str) -> None:
    assert CliRunner().invoke(said, given).output == f"{told}\n"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([""], "a path is empty; give . for this folder"),
        (["x", "--usd", "nan"], "nan is no number"),
        (["x", "--usd", "inf"], "inf is no number"),
        (["x", "--usd", "1e300"], "1e300 is no number of at most 1,000,000,000"),
        (["x", "--usd", "-1"], "is not in the range"),
        (["x", "--usd", "much"], "is not a valid float"),
    ],
)
def test_what_names_nothing_is_refused(given: list[str], words: str) -> None:
    done = CliRunner().invoke(said, given)
    assert done.exit_code == 2
    assert words in done.output
