"""`kag mcp` as agents' programs start it: over standard input and output, and over HTTP; who is not answered there."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.agent_loop import QUESTIONS, answered
from tests.conftest import BUNDLED

stdio = pytest.importorskip("mcp.client.stdio", reason="the extra mcp is not installed")
Client = pytest.importorskip("mcp.client").Client
KAG = [sys.executable, "-m", "kag"]


async def many_at_once(client: Any) -> None:
    """Twelve calls that are started together: each gets its own answer, and a question does not hold up the others."""
    words = ("bees", "sensors", "tumours", "flower cover")
    queries = [query for word in words for query in (word, f"the {word} here")]
    alone = {query: await first_hit(client, query) for query in queries}
    found: dict[str, str] = {}

    async def search(query: str) -> None:
        found[query] = await first_hit(client, query)

    async def ask() -> None:
        question = {"question": "How many references are there?", "paper": "urban_pollinators"}
        assert "28" in (await client.call_tool("answer_question", question)).content[0].text

    async with anyio.create_task_group() as group:
        for query in queries:
            group.start_soon(search, query)
            group.start_soon(ask)
    assert found == alone
    assert len(set(found.values())) > 2


async def first_hit(client: Any, query: str) -> str:
    result = await client.call_tool("search_papers", {"query": query})
    return json.loads(result.content[0].text)["items"][0]["text"]


async def three_questions(client: Any) -> None:
    for question, (paper, words) in QUESTIONS.items():
        claim, evidence = await answered(client, question)
        assert words in claim
        assert evidence["paper"] == paper


def test_an_agent_answers_over_standard_input_and_output(bundled_runs: Path) -> None:
    arguments = ["-m", "kag", "mcp", str(bundled_runs), "--source", str(BUNDLED)]
    started = stdio.StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))

    async def session() -> None:
        async with Client(stdio.stdio_client(started)) as client:
            await three_questions(client)
            await many_at_once(client)
            shown = await client.call_tool("show_page", {"paper": "urban_pollinators", "page": 1})
            assert [one.type for one in shown.content] == ["text", "image"]

    anyio.run(session)


@pytest.fixture(scope="module")
def server(bundled_runs: Path) -> Iterator[str]:
    """A server at a port of its own; it ends in order when it is told to."""
    command = [*KAG, "mcp", str(bundled_runs), "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        yield process.stderr.readline().strip()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, 143, -signal.SIGTERM)


def test_silent_connections_keep_no_agent_out(server: str) -> None:
    port = int(server.rpartition(":")[2].partition("/")[0])
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
    try:
        assert status(server) in (200, 400, 406)
    finally:
        for line in lines:
            line.close()


def test_an_agent_answers_over_http(server: str) -> None:
    async def session() -> None:
        async with Client(server) as client:
            await three_questions(client)
            await many_at_once(client)

    anyio.run(session)


def test_a_second_client_library_reads_over_both_transports(bundled_runs: Path, server: str) -> None:
    fastmcp = pytest.importorskip("fastmcp", reason="the package fastmcp is not installed")
    arguments = ["-m", "kag", "mcp", str(bundled_runs)]
    transport = fastmcp.client.transports.StdioTransport(sys.executable, arguments, env=dict(os.environ))

    async def session(where: Any) -> None:
        async with fastmcp.Client(where) as client:
            assert [one.name for one in await client.list_tools()][:2] == ["list_papers", "search_papers"]
            await three_questions(client)
            (text,) = await client.read_resource("kag://papers/urban_pollinators/text.md")
            assert text.text.startswith("# Allotments")
            prompt = await client.get_prompt("summarise_paper", {"paper": "urban_pollinators"})
            assert "urban_pollinators" in prompt.messages[0].content.text
            with pytest.raises(fastmcp.exceptions.ToolError, match="argument 'query' of search_papers is missing"):
                await client.call_tool("search_papers", {})

    anyio.run(session, transport)
    anyio.run(session, server)


def status(server: str, body: bytes = b"", **headers: str) -> int:
    """What a bare request is answered with."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    port = int(server.removesuffix("/mcp").rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    connection.request("POST", "/mcp", body or json.dumps(asked).encode(), given)
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def test_strangers_hosts_and_pages_are_refused(server: str) -> None:
    assert status(server, Host="evil.example") == 421
    assert status(server, Host="127.0.0.1.evil.example:80") == 421
    assert status(server, Origin="http://evil.example") == 403
    assert status(server, Origin="null") == 403


def test_bodies_are_bounded_and_nonsense_is_refused(server: str) -> None:
    assert status(server, b"x" * 1_100_000) == 413
    assert status(server, b"{") == 400
    assert status(server, b"[" * 100_000) == 400
