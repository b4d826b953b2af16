"""What the pages show: their code blocks, the commands in them, and what these print when they are run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from kag.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
KAG = f'kag() {{ {shlex.quote(sys.executable)} -m kag "$@"; }}\n'
STAMP = re.compile(r"_\d{8}T\d{6}Z")


@dataclass(frozen=True, slots=True)
class Shown:
    """A command of a page, and what the page says that it prints."""

    command: str
    printed: str


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.S | re.M)


def sessions(page: str) -> list[Shown]:
    """The commands of all `console` blocks, in order."""
    shown = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            shown.append(Shown(command, printed))
    return shown


def run(command: str, folder: Path) -> str:
    """What a command prints to both streams, run by bash in the folder, with the times in names of runs made even."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", KAG + command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return even(done.stdout)


def even(printed: str) -> str:
    """The text with the time in the names of runs made the same everywhere."""
    return STAMP.sub("_20260101T000000Z", printed)


def command_lines(page: str) -> Iterator[list[str]]:
    """The words of every `kag` command in the blocks of a page, comments left out."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    for line in (*lines, *(one.command for one in sessions(page))):
        for part in re.split(r" \| | && ", line):
            words = shlex.split(part, comments=True)
            if words[:1] == ["kag"]:
                yield words[1:]


def parse(words: Sequence[str]) -> None:
    """Parse the words behind `kag` as the command line would; raises `click.UsageError` when it would refuse them."""
    command: click.Command = cli
    rest = list(words)
    name = "kag"
    while isinstance(command, click.Group):
        name = rest.pop(0)
        if name not in command.commands:
            raise click.UsageError(f"no command {name!r}")
        command = command.commands[name]
    command.make_context(name, rest)


def options_of(words: Sequence[str]) -> tuple[set[str], set[str]]:
    """The options among words that need not be whole ("kag corpus index --graph"), and those that the command has."""
    command: click.Command = cli
    for word in words:
        if not isinstance(command, click.Group) or word not in command.commands:
            break
        command = command.commands[word]
    known = {name for one in command.params for name in one.opts} | {"--help", "--version"}
    return {word.partition("=")[0] for word in words if word.startswith("-")}, known


def all_commands(
    command: click.Command = cli, place: tuple[str, ...] = ("kag",)
) -> Iterator[tuple[str, click.Command]]:
    """Every command and group by its whole name."""
    yield " ".join(place), command
    if isinstance(command, click.Group):
        for name, inner in sorted(command.commands.items()):
            yield from all_commands(inner, (*place, name))


def all_help() -> str:
    """`--help` of every command, 100 columns wide. `python -m tests.shown > tests/golden/help.txt` writes the file.

    Call it in a process of its own: click keeps the help option of the first context in which a command is seen.
    """
    parts = []
    for name, command in all_commands():
        names = ["-h", "--help"]
        width = {"terminal_width": 100, "max_content_width": 100}
        context = click.Context(command, info_name=name, help_option_names=names, **width)
        parts.append(f"$ {name} --help\n{command.get_help(context)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(all_help())
