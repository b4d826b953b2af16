"""A server under load: readers, uploads and corrections at once on ten papers; at the end nothing may be lost.

    python scripts/load_serve.py [--seconds 300] [--readers 50] [--uploads 5] [--corrections 10]

Prints a Markdown table: requests, statuses, median and 99th percentile of the reads, uploads and corrections with what
became of them. Exit code 1 where something was lost: contents are compared, paper by paper.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import httpx

import kag
from scripts.attacks.server_trials import api, done, noise, paragraphs, send, text_of
from tests.serving import Served, served

PAPERS = 10
_PATHS = ("/", "/papers/{}", "/api/v1/papers", "/api/v1/papers/{}/nodes", "/papers/{}/review", "/search?query=ice")
_PATHS += ("/api/v1/papers/{}/sections", "/api/v1/papers/{}/corrections", "/jobs", "/api/v1/papers/{}/exports/markdown")


def read(server: Served, number: int, until: float) -> list[tuple[float, int]]:
    """Go from page to page until a time; seconds and status of each request."""
    found = []
    with httpx.Client(base_url=server.address, timeout=120) as client:
        for step in itertools.count(number):
            if time.monotonic() > until:
                return found
            path = _PATHS[step % len(_PATHS)].format(f"river{step % PAPERS}")
            began = time.perf_counter()
            reply = client.get(path)
            found.append((time.perf_counter() - began, reply.status_code))
            if reply.status_code != httpx.codes.OK:
                print(f"{path}: {reply.status_code} {reply.text[:300]}", file=sys.stderr)
    return found


def upload(server: Served, number: int, until: float) -> dict[str, int]:
    """Send papers one after another; the number of the text of each by the id that it got."""
    sent: dict[str, int] = {}
    for step in itertools.count():
        if time.monotonic() > until:
            return sent
        text = 1000 * (number + 1) + step
        row = done(server, send(server, {"sent.md": text_of(text)})[0], 600)
        assert row["state"] == "done", row
        sent[row["paper"]] = text
    return sent


def correct(server: Served, number: int, until: float) -> tuple[list[str], list[str]]:
    """Leave out paragraphs of a paper one after another: what was left out, and what was refused."""
    made: list[str] = []
    refused: list[str] = []
    paper = f"river{number % PAPERS}"
    for node in paragraphs(server, paper)[:-2]:
        if time.monotonic() > until:
            break
        sent = noise(server, paper, node)
        row = done(server, sent.json()["id"], 600) if sent.status_code == 202 else {"state": "refused"}
        (made if row["state"] == "done" else refused).append(node)
    return made, refused


def lost(server: Served, sent: list[dict[str, int]], made: list[list[str]]) -> Iterator[str]:
    """What is not there."""
    for paper, text in (pair for one in sent for pair in one.items()):
        found = api(server, f"/papers/{paper}/exports/markdown").text
        if not all(f"River {text} carried {n} kg of ice" in found for n in range(1, 13)):
            yield f"the text of {paper}"
    for number, nodes in enumerate(made):
        paper = f"river{number % PAPERS}"
        record = [row["what"].split()[0] for row in api(server, f"/papers/{paper}/corrections").json()]
        here = set(paragraphs(server, paper))
        yield from (f"the correction of {node} in {paper}" for node in nodes if node not in record or node in here)
        if len(here) != 12 - len(record):
            yield f"{paper} has {len(here)} paragraphs and {len(record)} corrections"


def report(seconds: int, times: list[tuple[float, int]], sent: int, made: int, refused: int, gone: list[str]) -> str:
    """The table."""
    ordered = sorted(taken for taken, _ in times)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    rows = {
        "reads": f"{len(times)}, statuses {dict(sorted(Counter(code for _, code in times).items()))}",
        "median and 99th percentile of reads": f"{1000 * middle:.0f} and {1000 * late:.0f} ms",
        "uploads done": f"{sent}",
        "corrections done and refused": f"{made} and {refused}",
        "lost": "; ".join(gone[:5]) or "nothing",
    }
    lines = [f"| {name} | {value} |" for name, value in rows.items()]
    return "\n".join([f"{os.cpu_count()} cores, {seconds} s", "", "| | |", "|---|---|", *lines])


def main() -> int:
    """Run the load and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, usual in (("seconds", 300), ("readers", 50), ("uploads", 5), ("corrections", 10)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "library") as server:
        for job in send(server, {f"river{n}.md": text_of(n) for n in range(PAPERS)}):
            assert done(server, job, 600)["state"] == "done"
        until = time.monotonic() + given.seconds
        with ThreadPoolExecutor(given.readers + given.uploads + given.corrections) as pool:
            reads = [pool.submit(read, server, n, until) for n in range(given.readers)]
            uploads = [pool.submit(upload, server, n, until) for n in range(given.uploads)]
            fixes = [pool.submit(correct, server, n, until) for n in range(given.corrections)]
            times = [pair for one in reads for pair in one.result()]
            sent, fixed = [one.result() for one in uploads], [one.result() for one in fixes]
        gone = list(lost(server, sent, [made for made, _ in fixed]))
        if not kag.Corpus(Path(folder) / "library").check().conforms:
            gone.append("the corpus is not sound")
        made, refused = (sum(len(one[place]) for one in fixed) for place in (0, 1))
        print(report(given.seconds, times, sum(map(len, sent)), made, refused, gone))
        return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main())
