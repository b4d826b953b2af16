"""How commands end where the system gets in the way: a closed or full output, a reader that goes, signals."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.papers import PAGES, write_paper

KAG = [sys.executable, "-m", "kag"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and /dev are those of POSIX systems")


def shell(line: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A shell line in which "$0" is Python, and "$1", ... are the words."""
    return subprocess.run(["bash", "-c", line, sys.executable, *words], capture_output=True, text=True, timeout=60)


def test_a_closed_output_is_refused() -> None:
    done = shell('"$0" -m kag --help >&-')
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: standard output is closed\n  Send it to a file, or to /dev/null if nobody wants it.\n"


def test_a_full_disk_behind_the_output_is_an_error(bundled_runs: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    run = str(next(bundled_runs.glob("reservoir_*")))
    for command in ("--help", f"export --format bibtex {run}"):
        done = shell(f'"$0" -m kag {command} >/dev/full')
        assert done.returncode == 2
        assert done.stderr.startswith("error: No space left on device\n  The disk is full")
        assert "Traceback" not in done.stderr


def test_a_disk_that_is_full_while_a_question_is_answered_is_told_with_the_file(
    bundled_runs: Path, tmp_path: Path
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    (tmp_path / ".work").mkdir()
    (tmp_path / ".work" / "trajectory.jsonl").symlink_to("/dev/full")
    run = next(bundled_runs.glob("reservoir_*"))
    done = subprocess.run([*KAG, "ask", "Why?", run, "--out-dir", tmp_path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {tmp_path}/.work/trajectory.jsonl: No space left on device\n")


def test_a_reader_that_goes_away_ends_the_command_without_a_word(bundled_runs: Path) -> None:
    corpus = bundled_runs.parent / "broken_pipe"
    runs = [str(run) for run in sorted(bundled_runs.glob("[!.]*"))]
    assert subprocess.run([*KAG, "corpus", "add", *runs, "--corpus", corpus], capture_output=True).returncode == 0
    done = shell('"$0" -m kag corpus export --corpus "$1" | head -1 >/dev/null; echo ${PIPESTATUS[0]}', str(corpus))
    assert (done.stdout, done.stderr) == ("141\n", "")


def test_errors_of_the_system_name_the_file_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    run = write_paper(tmp_path / "ice")
    done = subprocess.run([*KAG, "qa", "--graph-dir", run, "--question", "Why?", "--out-dir", tmp_path / "file" / "qa"],
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: ")


def test_what_nobody_expected_is_told_as_a_bug(tmp_path: Path) -> None:
    code = "from kag.cli.main import main; import kag.indexing.run as run; run.load_run = lambda path: 1 / 0; "
    code += "main(['validate', 'somewhere'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 70
    assert done.stderr.startswith("error: ZeroDivisionError: division by zero (kag/layers/gate.py, line ")
    assert "\n  This is a bug in kag" in done.stderr
    loud = {**os.environ, "KAG_TRACEBACK": "1"}
    more = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=loud)
    assert "Traceback" in more.stderr


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_command_in_order_at_any_time(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    for number in range(3):
        write_paper(tmp_path / "papers" / f"paper{number}", PAGES * 20)
    pick = random.Random(int(sent))
    for _ in range(8):
        command = [*KAG, "index", str(tmp_path / "papers"), "--out-dir", str(tmp_path / "runs"), "--workers", "2"]
        command += ["--force"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
        time.sleep(pick.uniform(0.05, 1.2))
        os.killpg(process.pid, sent)
        said = process.communicate(timeout=60)[1].decode()
        begun = "/kag/" in said  # else it is Python itself, before it runs a line of kag
        assert "Traceback" not in said or not begun
        assert process.returncode in (
            0,
            code,
            -sent,
        )  # done before, in order, or before there was anything to put in order
        assert not list((tmp_path / "runs").glob(".partial-*"))


@pytest.mark.parametrize(("sent", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_a_command_where_nothing_can_be_raised(sent: str, code: int) -> None:
    if signal.getsignal(getattr(signal, sent)) is signal.SIG_IGN:
        pytest.skip(f"{sent} is ignored here, as behind nohup")
    line = f"""
import signal, time, weakref
import kag.indexing.run as run
from kag.cli.main import main

class Thing: ...

def load(path):
    thing = Thing()
    kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.{sent}))
    del thing
    time.sleep(20)

run.load_run = load
main(["validate", "somewhere"])
"""
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, timeout=15)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert done.stderr.count(sent) <= 1
