"""A server under strangers and faults: odd requests, pages of other sites, writes that race, silent peers, full disks.

Servers listen at this machine's own address; each case is judged by what it answers, and by whether it answers others.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx

from scripts.attacks.case import Case
from scripts.attacks.server_requests import Sent, all_requests
from scripts.attacks.server_trials import Trial, trials
from tests.serving import Served, served

KIND = "a server: requests, other sites, races, silent peers, full disks"
CASES = 1_000
PAPER = "ice"
TEXT = (
    "# On river ice\n\n## Introduction\n\nRiver ice was 42 cm thick in winter.\n\n## Results\n\nIt melted in spring.\n"
)
_SECONDS = 30.0  # that an answer may take
_SILENT = 3.0  # after which a server that waits for the rest of a request has answered
_CLOSED_ADDRESS = ("--host", "0.0.0.0", "--allow-host", "kag.example", "--allow-host", "127.0.0.1")
_MUST_NOT = (b"Traceback", b"/site-packages/", b"root:x:", b"\r\nX-Evil")


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Try the requests in an order drawn with `random`; behind all of them the trials, which take longer."""
    with served(work / "open") as one, served(work / "closed", "--token", "a-token-of-this-attack-1") as other:
        upload(one)
        requests = [(one, sent) for sent in all_requests(PAPER)]
        guesses = {"path", "token", "authorization", "cookie", "right"}
        requests += [(other, s) for s in all_requests(PAPER, other.token) if s.name.partition(" ")[0] in guesses]
        random.shuffle(requests)
        for server, sent in requests[:cases]:
            where = "closed" if server is other else "open"
            yield Case(f"{where}: {sent.name}", judged(server, sent, where))
        for trial in trials() if cases >= len(requests) else ():
            yield tried(trial, work)
        yield Case(
            "nothing was logged as a fault", "\n".join(line for line in one.log + other.log if line.startswith("error"))
        )


def tried(trial: Trial, work: Path) -> Case:
    """A trial, in a folder of its own."""
    folder = work / trial.__name__
    folder.mkdir()
    try:
        trial(folder)
    except (AssertionError, httpx.HTTPError, OSError) as error:
        return Case(trial.__name__, f"{type(error).__name__}: {error}"[:500] or "failed")
    return Case(trial.__name__)


def upload(server: Served) -> None:
    """A paper for the requests to ask about."""
    from scripts.attacks.server_trials import done, send

    (job,) = send(server, {f"{PAPER}.md": TEXT})
    assert done(server, job)["state"] == "done"


def judged(server: Served, sent: Sent, where: str) -> str:
    """What is wrong with the answer to a request; empty where nothing is."""
    allowed = sent.allowed if where == "open" or sent.allowed == (303,) else (*sent.allowed, 401, 429)
    found = raw(server, sent.data, _SILENT if 0 in allowed else _SECONDS)
    status = int(found.split(b" ", 2)[1]) if found.startswith(b"HTTP/1.1 ") else 0
    if status not in allowed:
        return f"status {status}: {found[:300]!r}"
    if bad := [word for word in _MUST_NOT if word.lower() in found.lower()]:
        return f"holds {bad}"
    if status >= 400 and b"x-content-type-options" not in found.lower() and b"Invalid HTTP" not in found:
        return f"no headers of safety: {found[:300]!r}"
    return (
        "" if httpx.get(f"{server.address}/healthz", timeout=_SECONDS).status_code == 200 else "the server is not well"
    )


def raw(server: Served, data: bytes, seconds: float) -> bytes:
    """What comes back for some bytes until the server closes, or says nothing for some time."""
    with socket.create_connection(("127.0.0.1", server.port), seconds) as line:
        found = b""
        try:
            line.sendall(data)
            while piece := line.recv(65_536):
                found += piece
        except (TimeoutError, ConnectionError):
            pass
    return found
