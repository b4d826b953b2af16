"""`kag --help`: each command once, on one line; a mistyped command is suggested."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from kag.cli.groups import GROUPS
from kag.cli.main import cli


def test_each_command_is_in_one_group() -> None:
    named = [name for group in GROUPS.values() for name in group]
    assert sorted(named) == sorted(cli.commands)


def test_lines_are_whole() -> None:
    printed = CliRunner().invoke(cli, ["--help"], terminal_width=80).output
    for group in GROUPS.values():
        for name, line in group.items():
            assert any(row.split(None, 1) == [name, line] for row in printed.splitlines())


@pytest.mark.parametrize(("typed", "meant"), [("indx", "index"), ("verfy", "verify"), ("exprot", "export")])
def test_a_mistyped_command_is_suggested(typed: str, meant: str) -> None:
    done = CliRunner().invoke(cli, [typed])
    assert done.exit_code == 2
    assert f"Did you mean {meant}" in done.output


def test_nothing_is_suggested_for_what_is_like_no_command() -> None:
    done = CliRunner().invoke(cli, ["zzz"])
    assert done.exit_code == 2
    assert "Did you mean" not in done.output
