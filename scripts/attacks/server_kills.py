"""A server that is killed while jobs run: every upload is there or failed with a reason, and the corpus is sound."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import kag
from scripts.attacks.case import Case
from scripts.attacks.server_trials import api, done, noise, paragraphs, send, text_of
from tests.serving import Served

KIND = "a server killed with jobs running"
CASES = 30
_LATEST = 8.0  # seconds after which it is killed at most: two jobs take longer


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Kill a server over one library again and again, each time with uploads and corrections under way."""
    library = work / "library"
    server = Served(library)
    done(server, send(server, {"base.md": text_of(0)})[0])
    try:
        for number in range(cases):
            jobs = send(server, {f"p{number}-{n}.md": text_of(2 * number + n + 1) for n in range(2)})
            node = paragraphs(server, "base")
            if node:
                jobs.append(noise(server, "base", node[0]).json()["id"])
            moment = random.uniform(0.0, _LATEST)
            time.sleep(moment)
            server.end(signal.SIGKILL)
            server = Served(library)
            yield Case(f"{number} killed after {moment:.2f} s", _lost(server, library, number, jobs, node))
            if len(node) < 3:
                node = _undone(server)
    finally:
        server.end()


def _undone(server: Served) -> list[str]:
    """Take the corrections of the paper back, one after another, so that there is something to correct."""
    while api(server, "/papers/base/corrections").json():
        body = {"kind": "undo", "who": "attack"}
        job = api(server, "/papers/base/corrections", "POST", json=body, headers={"If-Match": "*"}).json()["id"]
        done(server, job)
    return paragraphs(server, "base")


def _lost(server: Served, library: Path, number: int, jobs: list[str], node: list[str]) -> str:
    """What is wrong after the next start; empty where nothing is."""
    rows: list[dict[str, Any]] = [done(server, job) for job in jobs]
    if silent := [row for row in rows if row["state"] != "done" and not row["message"]]:
        return f"failed without a reason: {silent}"
    titles = {row["title"] for row in api(server, "/papers?limit=100&words=river").json()["items"]}
    for n, row in enumerate(rows[:2]):
        if row["state"] == "done" and not _is_there(server, row["paper"], 2 * number + n + 1):
            return f"{row['paper']} is not there, of {len(titles)}"
    if len(rows) == 3 and rows[2]["state"] == "done":
        made = api(server, "/papers/base/corrections").json()
        if [row["what"].split()[0] for row in made].count(node[0]) != 1 or node[0] in paragraphs(server, "base"):
            return f"the correction of {node[0]} is not there, or twice: {made}"
    report = kag.Corpus(library).check()
    return "" if report.conforms else f"the corpus is not sound: {report}"[:500]


def _is_there(server: Served, paper: str, number: int) -> bool:
    """Whether a paper has all that was sent."""
    text = api(server, f"/papers/{paper}/exports/markdown").text
    return all(f"River {number} carried {n} kg of ice" in text for n in range(1, 13))
