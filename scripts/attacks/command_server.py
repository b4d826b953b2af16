"""Runs kag commands one after another in forks of a process that has imported what they need.

A line of JSON in (`arguments`, `stdout`, `stderr`: files, `seconds`, `limits`: of the system, by name), a line out
(`code`; -1 when it took too long). A fork begins in 10 ms, where a new Python takes a second.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module

IMPORTED = (
    *(
        "kag.cli.main",
        "kag.write.batch",
        "kag.write.story",
        "kag.write.run",
        "kag.sources.ocr.folder",
        "kag.rdf.published",
        "kag.read.library",
    ),
    *(
        "kag.corpus.check",
        "kag.corpus.search_index",
        "kag.search.graph.build",
        "kag.read.answer_batch",
        "kag.read.page.whole_page",
    ),
    *("pyoxigraph", "tantivy", "numpy", "sqlite3", "rdflib", "multiprocessing.popen_fork", "kag.corpus.index_repair"),
)


def run(arguments: Sequence[str], stdout: str, stderr: str, seconds: float, limits: Mapping[str, int]) -> int:
    """The exit code of one command, run in a fork."""
    child = os.fork()
    if not child:
        _become(arguments, stdout, stderr, limits)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def _become(arguments: Sequence[str], stdout: str, stderr: str, limits: Mapping[str, int]) -> None:
    os.setsid()
    for stream, path in ((1, stdout), (2, stderr)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, stream)
    code = 1
    try:
        for name, value in limits.items():
            if name == "USER":
                os.setgroups([])
                os.setgid(value)
                os.setuid(value)
                continue
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
        from kag.cli.main import main

        main(arguments)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    except BaseException:
        traceback.print_exc()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def serve() -> None:
    """Run what is asked for until standard input ends."""
    for name in IMPORTED:
        import_module(name)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps({"code": run(**json.loads(line))}), flush=True)


if __name__ == "__main__":
    serve()
