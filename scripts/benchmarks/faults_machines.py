"""Faults of many machines, injected one after the other on this one: a Ray cluster of three raylets of one core each,
and an S3 server behind a door at which requests go wrong. Prints a table of what was done and what came of it.

    python scripts/faults_machines.py --work /tmp/faults --papers 24
    python scripts/faults_machines.py --work /tmp/faults --only s3 clock

The papers are copies of two pages of a bundled one. "The same" means: graphs, texts, ledgers of every paper are byte
for byte those of a run in one process, each paper has one newest run, and none failed that was not to fail. Takes some
minutes; only processes that it started itself are killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from kag.write.batch import find_papers, index_all  # noqa: E402
from kag.write.run import find_runs, newest_each, paper_of  # noqa: E402

COMPARED = ("knowledge_graph.ttl", "content_store.jsonl", "skipped.jsonl", "source_blocks.jsonl")
Row = tuple[str, int, str]


def main() -> None:
    """Inject all, and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=24)
    parser.add_argument("--only", nargs="*", choices=["ray", "s3", "clock"], default=())
    asked = parser.parse_args()
    shutil.rmtree(asked.work, ignore_errors=True)
    trial = Trial(asked.work, asked.papers)
    print("| fault | times | outcome |\n|---|---|---|")
    for name, part in {"clock": clock, "s3": s3, "ray": cluster}.items():
        if not asked.only or name in asked.only:
            for fault, times, outcome in part(trial):
                print(f"| {fault} | {times} | {outcome} |", flush=True)


class Trial:
    """Papers, and their runs made by one process."""

    def __init__(self, work: Path, number: int, pages: int = 2) -> None:
        self.work, self.pages = work, work / "pages"
        for one in range(number):
            write_paper(self.pages / f"paper{one:03d}", f"Station {one}", pages)
        self.serial = work / "serial"
        list(index_all(find_papers([self.pages], self.serial)))
        self.wanted = contents(self.serial)

    def compared(self, out: Path, *, failed: int = 0) -> str:
        """What is to be said of the runs in a folder."""
        found = contents(out)
        lost = sorted(self.wanted.keys() - found.keys())
        other = [name for name in found if name in self.wanted and found[name] != self.wanted[name]]
        if other or len(lost) != failed:
            return f"NOT the same: {len(lost)} lost, {len(other)} differ"
        return "the same" + (f"; {failed} failed, as it had to" if failed else "")


def write_paper(folder: Path, words: str, pages: int = 2) -> None:
    """The first pages of a bundled paper, with words of its own."""
    folder.mkdir(parents=True)
    for number in range(1, pages + 1):
        text = (ROOT / "test_data" / "reservoir_sensors" / f"page_{number:03d}.md").read_text(encoding="utf-8")
        (folder / f"page_{number:03d}.md").write_text(text.replace("stations", words), encoding="utf-8")


def contents(out: Path) -> dict[str, tuple[bytes, ...]]:
    """The compared files of the newest run of each paper."""
    runs = newest_each((paper_of(run) or run.name, run) for run in find_runs(out))
    return {name: tuple((run / file).read_bytes() for file in COMPARED) for name, run in runs.items()}


def kag(*arguments: object, **env: str) -> subprocess.Popen[str]:
    """A command that has begun."""
    command = [sys.executable, "-m", "kag", *map(str, arguments)]
    known = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.Popen(command, env=known, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def done(process: subprocess.Popen[str]) -> str:
    """What it said, when it has ended."""
    return process.communicate(timeout=900)[1]


# a cluster ----------------------------------------------------------------------------------------


def cluster(trial: Trial) -> Iterator[Row]:
    """Workers, machines and drivers that die; a poisonous paper; two drivers; another version."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        made.add_node(num_cpus=1)
    try:
        yield worker_killed(trial, made)
        yield machine_lost(trial, made)
        yield driver_killed(trial, made)
        yield poisonous(trial, made)
        yield two_drivers(trial, made)
        yield other_version(trial, made)
    finally:
        made.shutdown()


def indexing(trial: Trial, made: Any, out: str, *more: object) -> subprocess.Popen[str]:
    return kag("index", trial.pages, "--out-dir", trial.work / out, "--ray", made.address, *more)


def worker_killed(trial: Trial, made: Any) -> Row:
    """A process at work on a paper is killed every five seconds, as often as there are papers: fewer than would make a
    task fail for ever, which is tried three times more."""
    process, killed = indexing(trial, made, "workers"), 0
    while process.poll() is None:
        time.sleep(5)
        for worker in workers(made)[:1] if killed < len(trial.wanted) else ():
            os.kill(worker, signal.SIGKILL)
            killed += 1
    done(process)
    return "worker killed (SIGKILL) while at a paper", killed, trial.compared(trial.work / "workers")


def machine_lost(trial: Trial, made: Any) -> Row:
    process = indexing(trial, made, "machines")
    wait_for(lambda: len(workers(made)) >= 2 and bool(find_runs(trial.work / "machines")), process)
    made.remove_node(made.worker_nodes.copy().pop(), allow_graceful=False)
    done(process)
    made.add_node(num_cpus=1)
    return "machine lost (its raylet and all its processes)", 1, trial.compared(trial.work / "machines")


def driver_killed(trial: Trial, made: Any) -> Row:
    """The command is killed when some papers are done, twice; then it is given again."""
    killed = 0
    for share in (4, 2):
        process = indexing(trial, made, "drivers")
        wait_for(lambda part=share: len(find_runs(trial.work / "drivers")) >= len(trial.wanted) // part, process)  # type: ignore[misc]
        process.kill()
        killed += 1
        process.communicate()
    done(indexing(trial, made, "drivers"))
    return "driver killed (SIGKILL), command given again", killed, trial.compared(trial.work / "drivers")


def poisonous(trial: Trial, made: Any) -> Row:
    """A paper of very many pages that takes longer than a paper may."""
    bad = trial.pages / "poison"
    bad.mkdir()
    text = (ROOT / "test_data" / "reservoir_sensors" / "page_002.md").read_text(encoding="utf-8")
    for number in range(1, 3000):
        (bad / f"page_{number:03d}.md").write_text(text, encoding="utf-8")
    said = done(indexing(trial, made, "poison", "--paper-seconds", 60))
    outcome = trial.compared(trial.work / "poison")
    shutil.rmtree(bad)
    told = "its paper alone failed" if "poison: failed" in said else "the paper did NOT fail"
    return "poisonous paper (beyond its seconds)", 1, f"{outcome}; {told}"


def two_drivers(trial: Trial, made: Any) -> Row:
    both = [indexing(trial, made, "twice") for _ in range(2)]
    for process in both:
        done(process)
    return "the same work delivered twice, at once", 1, trial.compared(trial.work / "twice")


def other_version(trial: Trial, made: Any) -> Row:
    """A machine with another version of kag joins."""
    copy = trial.work / "other"
    shutil.copytree(ROOT / "kag", copy / "kag")
    shutil.copytree(ROOT / "ontology", copy / "ontology")
    file = copy / "kag" / "__init__.py"
    file.write_text(file.read_text(encoding="utf-8").replace('__version__ = "', '__version__ = "9.'), encoding="utf-8")
    early = "import kag  # before the paths of the driver, which lies on the same machine, come before its own\n"
    (copy / "sitecustomize.py").write_text(early, encoding="utf-8")
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = str(copy)
    try:
        node = made.add_node(num_cpus=1)
    finally:
        os.environ["PYTHONPATH"] = before
    said = done(indexing(trial, made, "version"))
    made.remove_node(node)
    refused = " has kag 9." in said and not find_runs(trial.work / "version")
    return "a machine with another version of kag", 1, "refused before any paper" if refused else f"NOT refused: {said}"


def workers(made: Any) -> list[int]:
    """The processes of the cluster that are at a paper: children of its raylets."""
    raylets = {info[0].process.pid for node in made.list_all_nodes() if (info := node.all_processes.get("raylet"))}
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            name = (stat.parent / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if parent in raylets and b"ray::_one" in name:
            found.append(int(stat.parent.name))
    return sorted(found)


def wait_for(state: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 300) -> None:
    """Until something is so, or the process has ended."""
    end = time.monotonic() + seconds
    while not state() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)


# an object store ----------------------------------------------------------------------------------


def s3(trial: Trial) -> Iterator[Row]:
    """Requests that go wrong: every second one for each object."""
    from tests.object_server import BUCKET, door_to, s3_server

    with s3_server() as port, door_to(port) as door, endpoint(door.port):
        for fault in ("503", "slow", "twice", "lost", "cut", "unlisted"):
            url, times = f"s3://{BUCKET}/{fault}", dict[str, int]()
            struck: list[str] = []

            def strikes(method: str, path: str, fault: str = fault, times: dict[str, int] = times,
                        struck: list[str] = struck) -> str:  # fmt: skip
                if fault == "cut" and (method != "GET" or "/parts/" not in path):
                    return ""
                if fault == "unlisted":  # a listing that is behind: it tells of nothing
                    wrong = "503" if "list-type" in path and "prefix" in path and times.get("made") else ""
                else:
                    times[method + path] = times.get(method + path, 0) + 1
                    wrong = fault if times[method + path] % 2 else ""
                struck += [wrong] if wrong else []
                return wrong

            door.fault = strikes
            said = done(kag("index", trial.pages, "--out-dir", url, KAG_CACHE=str(trial.work / "a" / fault)))
            times["made"] = 1
            got = done(kag("index", trial.pages, "--out-dir", url, KAG_CACHE=str(trial.work / "b" / fault)))
            again = got.count(": up to date")
            folder = next((trial.work / "b" / fault).glob("mirrors/*/files"), trial.work)
            fresh = "" if again == len(trial.wanted) else f", {again} of them up to date: {said[-200:]}{got[-200:]}"
            yield f"object store: {S3_SAID[fault]}", len(struck), trial.compared(folder) + fresh


S3_SAID = {
    "503": "503 to every second request",
    "slow": "late by 0.3 s",
    "twice": "request delivered twice",
    "lost": "done, and the reply lost",
    "cut": "half of a body",
    "unlisted": "no listing works once it is written",
}


@contextmanager
def endpoint(port: int) -> Iterator[None]:
    before = dict(os.environ)
    os.environ |= {"AWS_ENDPOINT": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}
    os.environ |= {"AWS_REGION": "us-east-1"}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


# clocks ----------------------------------------------------------------------------------------


def clock(trial: Trial) -> Iterator[Row]:
    """A machine whose clock is years ahead made the first run; the paper changed since."""
    pages, out = trial.work / "one" / "paper", trial.work / "clock"
    write_paper(pages, "Buoys")
    list(index_all(find_papers([pages], out)))
    (run,) = find_runs(out)
    run.rename(run.with_name("paper_20991231T235959Z"))
    page = pages / "page_001.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Buoys", "Rafts"), encoding="utf-8")
    list(index_all(find_papers([pages], out)))
    newest = newest_each((paper_of(one) or one.name, one) for one in find_runs(out))["paper"]
    right = "Rafts" in (newest / "content_store.jsonl").read_text(encoding="utf-8")
    yield "clock 73 years ahead on one machine", 1, "the later run counts" if right else "the earlier run counts, WRONG"


if __name__ == "__main__":
    main()
