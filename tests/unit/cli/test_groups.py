"""`kag --help`: each command once, on one line; a mistyped command is suggested."""

from __future__ import annotations

import re
import subprocess
import sys

from click.testing import CliRunner

from kag.cli.groups import GROUPS
from kag.cli.main import cli
from tests.shown import ROOT, all_help


def test_each_command_is_in_one_group() -> None:
    named = [name for group in GROUPS.values() for name in group]
    assert sorted(named) == sorted(cli.commands)


def test_lines_are_whole() -> None:
    printed = CliRunner().invoke(cli, ["--help"], terminal_width=80).output
    for group in GROUPS.values():
        for name, line in group.items():
            assert any(row.split(None, 1) == [name, line] for row in printed.splitlines())


def test_nothing_is_suggested_for_what_is_like_no_command() -> None:
    done = CliRunner().invoke(cli, ["zzz"])
    assert done.exit_code == 2
    assert "Did you mean" not in done.output


def test_help_of_all_commands_is_the_reviewed_one() -> None:
    golden = (ROOT / "tests" / "golden" / "help.txt").read_text(encoding="utf-8")
    command = [sys.executable, "-m", "tests.shown"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed == golden, "read the new help, then: python -m tests.shown > tests/golden/help.txt"


def test_help_has_no_odd_words_and_no_cut_lines() -> None:
    help_text = all_help()
    assert not re.findall(r"\b(?:told|said|foretell\w*|reckon\w*|wish\w*|heard|leant|kin)\b", help_text, re.I)
    assert not re.findall(r"^  \w+  .*\.\.\.$", help_text, re.M)
