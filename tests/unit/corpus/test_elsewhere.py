"""A corpus in an object store: one machine adds to it, another checks, asks and changes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("obstore", reason="needs kag-papers[object-storage]")

from kag.cli.ending import brought_here
from kag.cli.main import cli
from kag.core.errors import CorpusBusy


def run(*arguments: object) -> tuple[int, str]:
    """A command with addresses in place of folders."""
    with brought_here([str(argument) for argument in arguments]) as known:
        done = CliRunner().invoke(cli, known)
    return done.exit_code, done.stdout


def test_a_corpus_goes_from_machine_to_machine(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"file://{tmp_path / 'store'}/library"
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "one"))
    assert run("corpus", "add", runs["ice"], runs["snow"], "--corpus", url)[0] == 0
    assert run("corpus", "index", "--corpus", url)[0] == 0
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "two"))
    assert run("corpus", "check", "--corpus", url)[1].endswith("sound\n")
    assert "snow" in run("search", "river ice", "--corpus", url)[1]
    assert run("corpus", "update", runs["ice2"], "--corpus", url) == (0, "replaced ice\n")
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "one"))
    assert "Moss" in run("search", "moss", "--corpus", url)[1]
    assert run("corpus", "check", "--corpus", url)[1].endswith("sound\n")


def test_two_writers_of_one_corpus(runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"file://{tmp_path / 'store'}/library"
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "one"))
    run("corpus", "add", runs["ice"], "--corpus", url)

    def beaten() -> None:
        with brought_here(["corpus", "add", str(runs["fog"]), "--corpus", url]) as known:
            assert CliRunner().invoke(cli, known).exit_code == 0
            monkeypatch.setenv("KAG_CACHE", str(tmp_path / "two"))
            run("corpus", "add", runs["snow"], "--corpus", url)

    with pytest.raises(CorpusBusy, match="changed by somebody else"):
        beaten()
    monkeypatch.setenv("KAG_CACHE", str(tmp_path / "one"))
    assert "fog" not in run("corpus", "list", "--corpus", url)[1]
    assert run("corpus", "add", runs["fog"], "--corpus", url) == (0, "added fog\n")
    assert run("corpus", "check", "--corpus", url)[1].endswith("sound\n")
