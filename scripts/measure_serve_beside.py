"""Reads of `kag serve` beside those of LightRAG's server on the same machine, one after the other, in the same run.

    python scripts/measure_serve_beside.py KAG LIGHTRAG [--requests N]

KAG and LIGHTRAG are addresses of servers that run and have the same papers. LightRAG's will not start without a model:
`scripts/stand_in_model.py` is one that knows nothing, and nothing here asks it. Prints a Markdown table: for 1, 10 and
50 clients (each keeps a connection and asks again at once) the median and the 95th percentile in milliseconds, and how
many requests a second were answered. An answer other than 200 is counted and told.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx

CLIENTS = (1, 10, 50)
REST = 4.0  # seconds between rounds: kag lets one address ask 200 times a second, 1,000 at once


@dataclass(frozen=True, slots=True)
class Read:
    """One kind of read of one server."""

    name: str
    server: str
    method: str
    path: str
    body: dict[str, Any] | None = None


def reads(kag: str, lightrag: str) -> list[Read]:
    """The reads of both, like beside like, of a paper and a label that are there."""
    paper = httpx.get(f"{kag}/api/v1/papers").json()["items"][0]["id"]
    label = httpx.get(f"{lightrag}/graph/label/popular?limit=1").json()[0]
    page = {"page": 1, "page_size": 50}
    around = httpx.QueryParams({"label": label, "max_depth": 1, "max_nodes": 60})
    return [
        Read("health", kag, "GET", "/healthz"),
        Read("health", lightrag, "GET", "/health"),
        Read("list of papers", kag, "GET", "/api/v1/papers?limit=50"),
        Read("list of papers", lightrag, "POST", "/documents/paginated", page),
        Read("list of nodes", kag, "GET", f"/api/v1/papers/{paper}/nodes?limit=100"),
        Read("list of nodes", lightrag, "GET", "/graph/label/list"),
        Read("around a node, 60 at most", kag, "GET", f"/api/v1/papers/{paper}/neighbours?most=60"),
        Read("around a node, 60 at most", lightrag, "GET", f"/graphs?{around}"),
    ]


async def measured(read: Read, clients: int, requests: int) -> tuple[list[float], float, Counter[int], int]:
    """Times of all requests in ms, how many a second, their statuses, and the bytes of an answer."""
    times: list[float] = []
    statuses: Counter[int] = Counter()
    length = 0

    async def one(client: httpx.AsyncClient) -> None:
        nonlocal length
        for _ in range(max(1, requests // clients)):
            begun = time.perf_counter()
            answer = await client.request(read.method, read.path, json=read.body)
            times.append(1000 * (time.perf_counter() - begun))
            statuses[answer.status_code] += 1
            length = len(answer.content)

    async with AsyncExitStack() as stack:
        made = [httpx.AsyncClient(base_url=read.server, timeout=120, verify=False) for _ in range(clients)]
        ready = [await stack.enter_async_context(client) for client in made]
        await asyncio.gather(*(client.get("/favicon.ico") for client in ready))  # all are connected
        begun = time.perf_counter()
        await asyncio.gather(*map(one, ready))
        return times, len(times) / (time.perf_counter() - begun), statuses, length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kag")
    parser.add_argument("lightrag")
    parser.add_argument("--requests", type=int, default=500)
    given = parser.parse_args()
    print("| read | server | bytes | " + " | ".join(f"{n} clients: p50 / p95 ms, a second" for n in CLIENTS) + " |")
    print("|---|---|---:|" + "---:|" * len(CLIENTS))
    for read in reads(given.kag, given.lightrag):
        asyncio.run(measured(read, 1, 5))  # what is opened at the first request is open
        cells, length = [], 0
        for clients in CLIENTS:
            time.sleep(REST)
            times, rate, statuses, length = asyncio.run(measured(read, clients, given.requests))
            p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            wrong = {status: count for status, count in statuses.items() if status != 200}
            cells.append(f"{p50:.1f} / {p95:.1f}, {rate:.0f}" + (f" {wrong}" if wrong else ""))
        name = "kag" if read.server == given.kag else "LightRAG"
        print(f"| {read.name} | {name} | {length} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
