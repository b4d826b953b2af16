"""The process of a query has no network, whatever the query says."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pyoxigraph
import pytest

from kag.corpus.sparql import query_worker
from scripts.attacks.listening import listening

needs_filter = pytest.mark.skipif(not query_worker.has_filter(), reason="no filter for this system")

TRY = f"""
import errno, runpy, socket, subprocess, sys, threading
before = socket.socket()
assert runpy.run_path({query_worker.__file__!r})["take_network"]()
refused = []
def attempt(call):
    try:
        call()
    except OSError as error:
        refused.append(error.errno == errno.EPERM)
calls = [socket.socket, socket.socketpair, lambda: socket.socket(socket.AF_UNIX)]
calls += [lambda: before.connect(("127.0.0.1", 9)), lambda: before.bind(("127.0.0.1", 0))]
calls += [lambda: before.sendto(b"x", ("127.0.0.1", 9))]
for call in calls:
    attempt(call)
    thread = threading.Thread(target=attempt, args=(call,))
    thread.start()
    thread.join()
child = subprocess.run([sys.executable, "-c", "import socket; socket.socket()"], capture_output=True, text=True)
print(refused == [True] * 12, "PermissionError" in child.stderr, open(sys.executable, "rb").read(4) == b"\\x7fELF")
"""


@needs_filter
def test_no_socket_can_be_made_or_used() -> None:
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True, timeout=30)
    assert done.stdout.split() == ["True"] * 3, done.stderr


@needs_filter
def test_a_query_that_passed_no_check_reaches_nobody(tmp_path: Path) -> None:
    pyoxigraph.Store(str(tmp_path / "store")).flush()
    with listening() as heard:
        query = f"SELECT * {{ SERVICE <http://127.0.0.1:{heard.port}/> {{ ?s ?p ?o }} }}"
        request = {"store": str(tmp_path / "store"), "query": query, "graphs": [], "rows": 9, "bytes": 999}
        request |= {"seconds": 9, "memory": 4_000_000_000}
        command = [sys.executable, "-P", query_worker.__file__]
        done = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, timeout=30)
        assert "Operation not permitted" in json.loads(done.stdout)["error"]
        assert heard.count == 0
        with pytest.raises(OSError, match=r"."):
            list(pyoxigraph.Store().query(query))  # as it would be without the filter
        assert heard.count > 0


@pytest.mark.parametrize(
    ("query", "leads"),
    [
        ("SELECT * { SERVICE <http://x/> {} }", True),
        ("SELECT * { ?s ?p 1sErViCee:x{} }", True),
        ("SELECT * { \\u0053ERV\\U00000049CE <http://x/> {} }", True),
        ("SELECT * { ?s ?p 'web services' }", True),
        ("SELECT * { ?s ?p 'serve' . \\UFFFFFFFF }", False),
    ],
)
def test_letters_that_may_lead_out(query: str, leads: bool) -> None:
    assert query_worker.may_lead_out(query) == leads


def test_without_a_filter_no_such_letters_reach_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pyoxigraph.Store(str(tmp_path / "store")).flush()
    monkeypatch.setattr(query_worker, "take_network", lambda: False)
    monkeypatch.setattr(query_worker, "_bound", lambda *_: None)
    request = {"store": str(tmp_path / "store"), "graphs": [], "rows": 9, "bytes": 999, "seconds": 9, "memory": 1}
    for query, key in (("ASK { ?s ?p 'service' }", "error"), ("ASK { ?s ?p 'x' }", "boolean")):
        monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps({**request, "query": query})))
        query_worker.main()
        assert key in json.loads(capsys.readouterr().out)
