"""`kag mcp` and `kag tools`: what they refuse, and what is printed."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import KagError

pytest.importorskip("mcp", reason="the extra mcp is not installed")

TOKEN = "a-long-secret-of-ours"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["nowhere"], "nowhere"),
        (["RUNS", "--http", "--token", "short"], "too short"),
        (["RUNS", "--http", "--host", "192.0.2.1"], "cannot be bound"),
        (["RUNS", "--source", "nowhere.pdf"], "nowhere.pdf"),
    ],
)
def test_bad_input_is_told(bundled_runs: Path, given: list[str], words: str) -> None:
    arguments = [str(bundled_runs) if one == "RUNS" else one for one in given]
    done = CliRunner().invoke(cli, ["mcp", *arguments])
    assert isinstance(done.exception, KagError)
    assert words in str(done.exception)


def test_a_token_is_asked_for(bundled_runs: Path) -> None:
    from kag.serve.mcp.papers import OpenPapers
    from kag.serve.mcp.server import http_app, mcp_server

    app = http_app(mcp_server(OpenPapers(bundled_runs)), "0.0.0.0", TOKEN)

    def status(path: str, *headers: tuple[bytes, bytes]) -> int:
        sent: list[dict[str, object]] = []

        async def send(message: dict[str, object]) -> None:
            sent.append(message)

        async def receive() -> dict[str, object]:
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b""}
        anyio.run(app, scope, receive, send)
        return sent[0]["status"]

    assert status("/mcp") == 401
    assert status("/mcp", (b"authorization", b"Bearer wrong")) == 401
    assert status("/mcp", (b"authorization", TOKEN.encode())) == 401
    assert status("/elsewhere", (b"authorization", f"Bearer {TOKEN}".encode())) == 404


def test_tools_are_printed() -> None:
    done = CliRunner().invoke(cli, ["tools", "--format", "openai"])
    names = {one["function"]["name"] for one in json.loads(done.output)}
    assert names >= {"search_papers", "read_section", "read_passage", "list_references", "verify_claim"}
    assert len(names) == 10
    done = CliRunner().invoke(cli, ["tools", "--format", "openai", "--tools", "views"])
    names = {one["function"]["name"] for one in json.loads(done.output)}
    assert names >= {"ask", "verify", "g_search", "g_node_detail", "list_papers", "search_knowledge_graph"}
    assert not any(name.startswith("op_") for name in names)
