"""`.env`: keys are read, the environment wins, and nothing but keys is taken from a stranger's folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kag.core.secrets import load_env_file


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "NEO4J_PASSWORD", "OPENAI_BASE_URL", "KAG_LM", "PATH_TOKEN"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    path = tmp_path / ".env"
    path.write_text(
        "# keys\nexport ANTHROPIC_API_KEY='sk-one'\nOPENAI_API_KEY=sk-two # mine\nNEO4J_PASSWORD=${HOME}\n"
        "OPENAI_BASE_URL=http://elsewhere.example\nKAG_LM=openai/gpt-4o\nPATH=/tmp/evil\n"
    )
    return path


def test_keys_are_read_and_nothing_else(env_file: Path) -> None:
    path = os.environ["PATH"]
    assert load_env_file(env_file) == ["ANTHROPIC_API_KEY", "NEO4J_PASSWORD", "OPENAI_API_KEY"]
    assert os.environ["ANTHROPIC_API_KEY"] == "sk-one"
    assert os.environ["OPENAI_API_KEY"] == "sk-two"
    assert os.environ["NEO4J_PASSWORD"] == "${HOME}", "values are not expanded"
    assert os.environ["PATH"] == path
    assert "OPENAI_BASE_URL" not in os.environ
    assert "KAG_LM" not in os.environ


def test_the_environment_wins(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    assert "OPENAI_API_KEY" not in load_env_file(env_file)
    assert os.environ["OPENAI_API_KEY"] == "sk-mine"


def test_no_file_is_no_error(tmp_path: Path) -> None:
    assert load_env_file(tmp_path / ".env") == []
