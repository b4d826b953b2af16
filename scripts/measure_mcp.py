"""How long an agent's calls take over each way to reach `kag mcp`: memory, standard input and output, HTTP.

    python scripts/measure_mcp.py RUNS [--times N]

RUNS is a folder of runs. Prints a Markdown table: the time until tools are listed, of the first call (papers are opened
in it) and the median, least and most of N calls each of g_search, search_knowledge_graph and ask; then of N calls of
g_search while the same client has three questions under way all the time. Times are in seconds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from kag.serve.mcp.papers import OpenPapers
from kag.serve.mcp.server import mcp_server

KAG = [sys.executable, "-m", "kag", "mcp"]


async def measured(make: Any, paper: str, times: int) -> list[str]:
    """A row: times of one way."""
    begun = time.perf_counter()
    async with Client(make()) as client:
        await client.list_tools()
        listed = time.perf_counter() - begun

        async def call(name: str, **arguments: Any) -> float:
            start = time.perf_counter()
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            return time.perf_counter() - start

        first = await call("list_papers")
        cells = [f"{listed:.2f}", f"{first:.2f}"]
        for name, arguments in (
            ("g_search", {"paper": paper, "query": "results"}),
            ("search_knowledge_graph", {"query": "results"}),
            ("ask", {"question": "How many references are there?", "paper": paper}),
        ):
            taken = [await call(name, **arguments) for _ in range(times)]
            cells.append(_told(taken))
        cells.append(_told(await _beside(call, paper, times)))
    return cells


async def _beside(call: Any, paper: str, times: int) -> list[float]:
    """Searches while three questions are under way."""

    async def ask() -> None:
        while True:
            await call("ask", question="How many references are there?", paper=paper)

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(ask)
        await anyio.sleep(2)  # until all that is to be opened is
        taken = [await call("g_search", paper=paper, query="results") for _ in range(times)]
        group.cancel_scope.cancel()
    return taken


def _told(taken: list[float]) -> str:
    return f"{median(taken):.3f} ({min(taken):.3f}-{max(taken):.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--times", type=int, default=20)
    given = parser.parse_args()
    papers = OpenPapers(given.runs)
    paper = papers.ids[0]
    print("| way | tools listed | first call | g_search | search_knowledge_graph | ask | g_search beside 3 ask |")
    print("|---|---|---|---|---|---|---|")

    def row(name: str, make: Any) -> None:
        print("| " + " | ".join([name, *anyio.run(measured, make, paper, given.times)]) + " |", flush=True)

    row("memory", lambda: mcp_server(papers))
    command = StdioServerParameters(command=KAG[0], args=[*KAG[1:], str(given.runs)], env=dict(os.environ))
    row("standard input and output", lambda: stdio_client(command))
    with subprocess.Popen(
        [*KAG, str(given.runs), "--http", "--port", "0"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        address = process.stderr.readline().strip()
        row("HTTP", lambda: address)
        process.terminate()


if __name__ == "__main__":
    main()
