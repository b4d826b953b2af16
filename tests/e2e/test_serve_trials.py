"""A server under races, silent peers, guessed tokens, costly queries and limits of the system."""

from __future__ import annotations

import resource
import socket
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.serving import Served, api, finished, served

pytest.importorskip("starlette", reason="the extra serve is not installed")
httpx = pytest.importorskip("httpx")

TOKEN = "a-token-of-this-attack-1"


# what trials are made of ----------------------------------------------------------------------


def text_of(number: int) -> str:
    """A paper with enough nodes to be corrected."""
    parts = [f"## Part {n}\n\nRiver {number} carried {n} kg of ice past station {n}.\n" for n in range(1, 13)]
    return f"# On river {number}\n\n" + "\n".join(parts)


def send(server: Served, files: Mapping[str, str], **form: str) -> list[str]:
    """Upload in one request; the jobs."""
    sent = api(
        server, "/papers", "POST", files=[("file", (name, text.encode())) for name, text in files.items()], data=form
    )
    assert sent.status_code == 202, sent.text
    return [job["id"] for job in sent.json()]


def paragraphs(server: Served, paper: str) -> list[str]:
    rows = api(server, f"/papers/{paper}/nodes?kind=Paragraph&limit=100").json()["items"]
    return [row["node"] for row in rows]


def noise(server: Served, paper: str, node: str, match: str = "*") -> Any:
    body = {"kind": "noise", "node": node, "who": "attack"}
    return api(server, f"/papers/{paper}/corrections", "POST", json=body, headers={"If-Match": match})


@contextmanager
def library(folder: Path, *options: str) -> Iterator[Served]:
    """A server over one paper."""
    with served(folder / "library", *options) as server:
        assert finished(server, send(server, {"a.md": text_of(1)})[0])["state"] == "done"
        yield server


# races ----------------------------------------------------------------------------------------


def test_corrections_at_once(tmp_path: Path) -> None:
    """Six corrections of one paper at once: none is lost, and they are on record in the order of their jobs."""
    with library(tmp_path) as server:
        nodes = paragraphs(server, "a")[:6]
        with ThreadPoolExecutor(6) as pool:
            sent = list(pool.map(lambda node: noise(server, "a", node), nodes))
        jobs = [one.json()["id"] for one in sent]
        assert {finished(server, job)["state"] for job in jobs} == {"done"}
        made = api(server, "/papers/a/corrections").json()
        order = [node for _, node in sorted(zip(jobs, nodes, strict=True))]
        assert [row["what"].split()[0] for row in made] == order
        assert not set(paragraphs(server, "a")) & set(nodes)


def test_versions_that_are_named(tmp_path: Path) -> None:
    """Of changes to one version the first is made; the others are told 409 while it runs, then 412."""
    with library(tmp_path) as server:
        first, second, third = paragraphs(server, "a")[:3]
        version = api(server, "/papers/a/corrections").headers["etag"]
        job = noise(server, "a", first, version)
        assert job.status_code == 202, job.text
        early = noise(server, "a", second, version)
        assert early.status_code in (409, 412), early.text
        assert finished(server, job.json()["id"])["state"] == "done"
        late = noise(server, "a", second, version)
        assert (late.status_code, late.headers["etag"] != version) == (412, True)
        gone = api(server, "/papers/a", "DELETE", headers={"If-Match": version})
        assert gone.status_code == 412
        again = noise(server, "a", third, late.headers["etag"])
        assert finished(server, again.json()["id"])["state"] == "done"
        assert len(api(server, "/papers/a/corrections").json()) == 2


def test_removal_while_it_is_corrected(tmp_path: Path) -> None:
    """A paper that is removed while a correction runs is gone afterwards; a later correction says why it fails."""
    with library(tmp_path) as server:
        nodes = paragraphs(server, "a")
        jobs = [noise(server, "a", nodes[0]), api(server, "/papers/a", "DELETE", headers={"If-Match": "*"})]
        jobs.append(noise(server, "a", nodes[1]))
        rows = [finished(server, one.json()["id"]) for one in jobs]
        assert [row["state"] for row in rows] == ["done", "done", "failed"], rows
        assert rows[2]["message"]
        assert api(server, "/papers").json()["items"] == []
        assert not list((tmp_path / "library" / "serve" / "corrections").iterdir())


def test_files_of_one_name(tmp_path: Path) -> None:
    """Files of one name and different content in one upload are all there, or refused with a reason."""
    with served(tmp_path / "library") as server:
        files = [("file", ("same.md", text_of(n).encode())) for n in range(4)]
        sent = api(server, "/papers", "POST", files=files)
        rows = [finished(server, job["id"]) for job in sent.json()]
        assert {row["state"] for row in rows} == {"done"}, rows
        assert len({row["paper"] for row in rows}) == 4
        titles = {row["title"] for row in api(server, "/papers").json()["items"]}
        assert titles == {f"On river {n}" for n in range(4)}
        refused = api(server, "/papers", "POST", files=files, data={"replace": "true"})
        assert (refused.status_code, "same" in refused.json()["detail"]) == (409, True)
        mixed = api(server, "/papers", "POST", files=[*files[:2], ("file", ("x.exe", b"MZ"))])
        assert mixed.status_code == 415
        assert not [job for job in api(server, "/jobs").json()["items"] if job["state"] == "queued"]


# peers ----------------------------------------------------------------------------------------


def open_lines(server: Served, number: int, data: bytes) -> list[socket.socket]:
    lines = []
    for _ in range(number):
        line = socket.create_connection(("127.0.0.1", server.port), 10)
        line.sendall(data)
        lines.append(line)
    return lines


def test_half_heads(tmp_path: Path) -> None:
    """600 requests whose head does not end lock nobody out who has the token."""
    with served(tmp_path / "library", "--token", TOKEN) as server:
        lines = open_lines(server, 600, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-")
        try:
            times = []
            for _ in range(20):
                began = time.monotonic()
                response = api(server, "/papers", headers={"Authorization": f"Bearer {TOKEN}"})
                times.append(time.monotonic() - began)
                assert response.status_code == 200
            assert max(times) < 5, times
        finally:
            for line in lines:
                line.close()


def test_silent_peers_of_an_open_server(tmp_path: Path) -> None:
    """Where no token is needed, silent connections lock nobody out either."""
    with served(tmp_path / "library") as server:
        lines = open_lines(server, 600, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        try:
            assert {api(server, "/papers").status_code for _ in range(20)} == {200}
        finally:
            for line in lines:
                line.close()


def test_dripping_heads(tmp_path: Path) -> None:
    """A head that comes letter by letter is closed in time."""
    with served(tmp_path / "library") as server:
        (line,) = open_lines(server, 1, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        began = time.monotonic()
        with line:
            line.settimeout(0.5)
            while time.monotonic() - began < 40:
                try:
                    line.sendall(b"X: y\r\n")
                    if line.recv(100) == b"":
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
        assert time.monotonic() - began < 25


def test_forwarded_addresses(tmp_path: Path) -> None:
    """An address that a stranger makes up is not believed: the limit of his guesses stays, and is nobody else's."""
    with served(tmp_path / "library", "--token", TOKEN) as server:
        codes = []
        for number in range(40):
            made_up = {"X-Forwarded-For": f"198.51.100.{number}", "Authorization": f"Bearer guess-number-{number}"}
            codes.append(api(server, "/papers", headers=made_up).status_code)
        assert set(codes[:10]) == {401}
        assert codes[-1] == 429
        signed_in = httpx.get(f"{server.address}/?token={TOKEN}", headers={"X-Forwarded-For": "198.51.100.1"})
        assert signed_in.status_code == 303


def test_addresses_of_a_proxy(tmp_path: Path) -> None:
    """Behind a proxy that is configured each client has limits of its own."""
    with served(tmp_path / "library", "--token", TOKEN, "--proxy", "127.0.0.1") as server:

        def ask(address: str, token: str) -> int:
            headers = {"X-Forwarded-For": address, "Authorization": f"Bearer {token}"}
            return api(server, "/papers", headers=headers).status_code

        assert [ask("198.51.100.1", "wrong-token-number-1") for _ in range(20)][-1] == 429
        assert ask("198.51.100.1", TOKEN) == 429
        assert ask("192.0.2.1", TOKEN) == 200
        for number in range(150):  # very many strangers at once
            ask(f"203.0.113.{number}", "wrong-token-number-2")
        assert ask("192.0.2.1", TOKEN) == 200
        assert ask("192.0.2.2", TOKEN) == 200


def test_a_budget_of_queries(tmp_path: Path) -> None:
    """Endless queries of one client end, and are refused when their time is used up; others still search."""
    query = "SELECT (COUNT(*) AS ?n) WHERE { " + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(6)) + " }"
    with library(tmp_path) as server, ThreadPoolExecutor(8) as pool:
        slow = [pool.submit(api, server, "/sparql", "POST", json={"query": query}) for _ in range(8)]
        time.sleep(0.5)
        began = time.monotonic()
        assert api(server, "/search?query=ice").status_code == 200
        assert time.monotonic() - began < 29
        codes = sorted(one.result().status_code for one in slow)
        assert set(codes) == {400, 429}, codes
        assert codes.count(429) >= 4
        quick = [api(server, "/sparql", "POST", json={"query": "ASK { ?a ?b ?c }"}).status_code for _ in range(3)]
        assert set(quick) <= {200, 429}


# faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value"),
    [(resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 12)],
    ids=["files cannot grow", "files cannot be opened"],
)
def test_jobs_after_a_limit(tmp_path: Path, kind: int, value: int) -> None:
    """Jobs that meet a limit of the system are done, or failed with a reason, once it is gone; `/healthz` knew."""
    with library(tmp_path) as server:
        pid = server.pid
        before = resource.prlimit(pid, kind)
        keys = [f"key-{n}" for n in range(3)]
        resource.prlimit(pid, kind, (value, before[1]))
        sent = []
        for n, key in enumerate(keys):
            files = {"file": (f"late{n}.md", text_of(n).encode())}
            try:
                sent.append(api(server, "/papers", "POST", files=files, headers={"Idempotency-Key": key}).status_code)
            except httpx.HTTPError:
                sent.append(0)
        time.sleep(3)
        resource.prlimit(pid, kind, before)
        assert set(sent) <= {0, 202, 503}, sent
        for job in api(server, "/jobs").json()["items"]:
            row = finished(server, job["id"])
            assert row["state"] == "done" or row["message"], row
        deadline = time.monotonic() + 30
        while httpx.get(f"{server.address}/healthz").status_code != 200:
            assert time.monotonic() < deadline, "it does not get well"
            time.sleep(0.5)
        (again,) = send(server, {"after.md": text_of(9)})
        assert finished(server, again)["state"] == "done"
        held = {row["id"] for row in api(server, "/papers").json()["items"]}
        assert {"a", "after"} <= held
        accepted = {f"late{n}" for n, code in enumerate(sent) if code == 202}
        failed = {row["paper"] for row in api(server, "/jobs").json()["items"] if row["state"] == "failed"}
        assert accepted <= held | failed, (accepted, held, failed)


def test_jobs_while_it_is_full(tmp_path: Path) -> None:
    """Jobs that run while the disk fills up end with a reason or are done later."""
    with library(tmp_path, "--workers", "1") as server:
        before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        jobs = send(server, {f"late{n}.md": text_of(n) for n in range(3)})
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, before[1]))
        time.sleep(4)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)
        rows = [finished(server, job) for job in jobs]
        assert all(row["state"] == "done" or row["message"] for row in rows), rows
        for row in rows:
            if row["state"] == "failed":
                assert api(server, f"/jobs/{row['id']}/again", "POST").status_code == 202
        assert {finished(server, job)["state"] for job in jobs} == {"done"}
