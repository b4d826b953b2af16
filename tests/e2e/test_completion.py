"""What a shell is given to complete with, and what it then gets: click's own, through our way to end a command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def asked(instruction: str, folder: Path, **variables: str) -> str:
    """What `kag` prints when a shell asks."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "_KAG_COMPLETE": instruction, **variables}
    done = subprocess.run(
        [sys.executable, "-m", "kag"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("shell", "registers", "check"),
    [
        ("bash", "complete -o nosort -F _kag_completion kag", ["bash", "-n"]),
        ("zsh", "compdef _kag_completion kag", ["zsh", "-n"]),
        ("fish", "complete --no-files --command kag", ["fish", "--no-execute"]),
    ],
)
def test_the_source_registers_kag_and_the_shell_reads_it(
    tmp_path: Path, shell: str, registers: str, check: list[str]
) -> None:
    source = asked(f"{shell}_source", tmp_path)
    assert registers in source
    assert f"_KAG_COMPLETE={shell}_complete" in source
    if shutil.which(shell):  # the others are held by their words alone where the shell is not there
        file = tmp_path / f"kag.{shell}"
        file.write_text(source)
        subprocess.run([*check, str(file)], check=True)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize(
    ("words", "at", "found"),
    [("kag corp", 1, "corpus"), ("kag corpus sp", 2, "sparql"), ("kag export --format ri", 3, "ris"),
     ("kag config show --or", 3, "--origin")],
)  # fmt: skip
def test_words_are_completed(tmp_path: Path, shell: str, words: str, at: int, found: str) -> None:
    (tmp_path / "kag.toml").write_text("broken")
    printed = asked(f"{shell}_complete", tmp_path, COMP_WORDS=words, COMP_CWORD=str(at))
    assert found in printed
    assert len(printed.splitlines()) <= 3


def test_fish_is_completed(tmp_path: Path) -> None:
    printed = asked("fish_complete", tmp_path, COMP_WORDS="kag corp", COMP_CWORD="corp")
    assert printed.startswith("plain,corpus")


def test_bash_completes_for_real(tmp_path: Path) -> None:
    """The text is sourced by bash, and its function fills COMPREPLY."""
    kag = tmp_path / "kag"
    kag.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kag "$@"\n')
    kag.chmod(0o755)
    script = (
        'eval "$(_KAG_COMPLETE=bash_source kag)"\n'
        "COMP_WORDS=(kag corpus sp); COMP_CWORD=2; _kag_completion kag sp corpus\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["sparql"]
