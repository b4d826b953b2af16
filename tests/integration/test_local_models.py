"""The page on local models: each block's settings sent to a server that speaks the wire form, and what it is asked."""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from tests.integration.provider_servers import Asked, openai, serve
from tests.papers import write_paper
from tests.shown import ROOT, blocks
from tests.unit.agents.readings import TRUE, action, batteries, claims
from tests.unit.retrieval.meaning.embedding_server import Server

PAGE = (ROOT / "docs" / "local-models.md").read_text(encoding="utf-8")
SECTIONS = {name: text for name, text in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M)}
SUBMIT = action(f"SUBMIT(answer=json.loads({claims(TRUE)!r}))")
MODELS = {"Ollama": "qwen3:8b", "vLLM": "Qwen/Qwen3-8B", "llama.cpp": "qwen3-8b"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `runs`, as on the page, and a `library`."""
    folder = tmp_path_factory.mktemp("batteries")
    batteries(folder)
    ice = write_paper(folder / "papers" / "ice")
    done = CliRunner().invoke(cli, ["corpus", "add", str(ice), "--corpus", str(folder / "library")])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(autouse=True)
def clean(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith(("_KEY", "_API_BASE", "_BASE_URL")) or (name.startswith("KAG_") and name != "KAG_STRICT"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(place)


def steps(section: str, address: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of a section's shell block as (variable=value, []) or ("", words), with the address of a server."""
    (block,) = blocks(SECTIONS[section], "sh")
    for line in block.splitlines():
        words = shlex.split(re.sub(r"http://127\.0\.0\.1:\d+", address, line))
        yield (words[1], []) if words[0] == "export" else ("", words[1:])


def follow(section: str, address: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Do what the section says; what its last command printed."""
    printed = ""
    for given, words in steps(section, address):
        if given:
            monkeypatch.setenv(*given.split("=", 1))
            continue
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
        printed = done.stdout
    return printed


def sent(asked: list[Asked]) -> dict[str, object]:
    (one,) = asked
    assert one.path == "/v1/chat/completions"
    body: dict[str, object] = json.loads(one.body)
    return body


@pytest.mark.parametrize("section", MODELS)
def test_the_settings_reach_the_server_and_the_answer_comes_back(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(openai(SUBMIT)) as server:
        printed = follow(section, server.url, monkeypatch)
    body = sent(server.asked)
    assert body["model"] == MODELS[section]
    assert "How much charge did the cells lose?" in json.dumps(body["messages"])
    assert "authorization" not in server.asked[0].headers or KEYLESS.search(server.asked[0].headers["authorization"])
    assert TRUE[0] in printed


KEYLESS = re.compile(r"^Bearer (?!sk-)[\w-]{0,20}$")


def test_a_key_goes_from_the_environment_to_this_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "sk-0123456789abcdef-own")
    with serve(openai(SUBMIT)) as server:
        follow("vLLM", server.url, monkeypatch)
    assert server.asked[0].headers["authorization"] == "Bearer sk-0123456789abcdef-own"


def test_the_file_does_the_same(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = blocks(SECTIONS["Kept for all calls"], "toml")
    (place / "kag.toml").write_text(text)
    try:
        with serve(openai(SUBMIT)) as server:
            monkeypatch.setenv("HOSTED_VLLM_API_BASE", server.url)
            done = CliRunner().invoke(cli, ["ask", "How much charge did the cells lose?", "runs"])
        assert done.exit_code == 0, done.output
        assert sent(server.asked)["model"] == tomllib.loads(text)["lm"].removeprefix("hosted_vllm/")
        assert "note: lm is hosted_vllm/qwen3-8b, by kag.toml:1" in done.stderr
    finally:
        (place / "kag.toml").unlink()


def test_vectors_are_made_by_the_server_that_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        printed = follow("Vectors, reading of scans, checks", server.url.removesuffix("/v1"), monkeypatch)
    finally:
        server.shutdown()
        server.server_close()
    assert {body["model"] for body, _ in server.asked} == {"all-minilm"}
    assert server.asked[-1][0]["input"] == ["cells that lose charge"]
    assert "ice/" in printed
