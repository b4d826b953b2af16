"""How a corpus bears many changes and sudden deaths: time, disk and memory, and whether it ends as a clean build.

    python -m scripts.benchmarks.bench_corpus RUNS --papers 1000 --work /tmp/corpus

RUNS are finished runs. Each paper of the test is a copy of one of them under a new id, on other pages, with a DOI of
its own, and citing another copy. All are added, a fifth is removed and a tenth replaced, in random order, by commands
of which some are killed and given again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph

from kag.core.works import work_iri, work_key
from kag.corpus import catalogue, graphs
from kag.corpus.check import check_corpus
from kag.corpus.layout import Layout
from kag.corpus.store import open_corpus
from kag.indexing.run import CONTENT, FILES, GRAPH, SUMMARY
from kag.rdf.namespaces import BIRO, DCTERMS, FABIO, KAG, PREFIXES, PRISM, paper_base
from kag.rdf.turtle import turtle

PAGE = f"<{KAG.pageNumber}>"
OWN = (f"<{PRISM.doi}>", f"<{KAG.realizes}>")
CITED = (f"<{PRISM.doi}>", f"<{BIRO.references}>")


def copy_run(source: Path, target: Path, number: int, cites: int, shift: int) -> Path:
    """A run about another paper, `copy<number>`: pages moved on by `shift`, its first reference leads to `cites`."""
    summary = json.loads((source / SUMMARY).read_text(encoding="utf-8"))
    old, new = paper_base(summary["paper"]), paper_base(name(number))
    target.mkdir(parents=True)
    for file in FILES:
        shutil.copyfile(source / file, target / file)
    (target / SUMMARY).write_text(json.dumps({**summary, "paper": name(number)}, indent=2) + "\n", encoding="utf-8")
    quads = pyoxigraph.parse((source / GRAPH).read_bytes(), pyoxigraph.RdfFormat.TURTLE)
    triples = [tuple(str(term).replace(f"<{old}", f"<{new}") for term in quad.triple) for quad in quads]
    triples = [_moved(triple, shift) for triple in _rewritten(triples, number, cites)]
    (target / GRAPH).write_text(turtle(triples, {**PREFIXES, "ex": new}), encoding="utf-8")
    rows = [json.loads(line) for line in (source / CONTENT).read_text(encoding="utf-8").splitlines()]
    for row in rows:
        for node in row.get("nodes", ()):
            for block in node["blocks"]:
                block["page"] += shift
    (target / CONTENT).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return target


def name(number: int) -> str:
    """The id of a copy."""
    return f"copy{number:05d}"


def _doi(number: int) -> str:
    return f"10.5555/copy.{number}"


def _rewritten(triples: list[tuple[str, ...]], number: int, cites: int) -> list[tuple[str, ...]]:
    """The triples with a title, an identifier and a DOI of the copy's own, and the citation of another copy."""
    document = next(s for s, _, value in triples if value == f"<{FABIO.ResearchPaper}>")
    entry = min((s for s, p, _ in triples if p == f"<{BIRO.references}>"), default="")
    own = ((f"<{DCTERMS.identifier}>", f'"{name(number)}"'), (f"<{DCTERMS.title}>", f'"Copy {number} of a paper"'))
    facts = [(document, *fact) for fact in own] + _work(document, OWN, number)
    facts += _work(entry, CITED, cites) if entry else []
    replaced = {fact[:2] for fact in facts}
    return [triple for triple in triples if triple[:2] not in replaced] + facts


def _work(node: str, properties: tuple[str, str], number: int) -> list[tuple[str, ...]]:
    work = f"<{work_iri(work_key(doi=_doi(number)) or '')}>"
    kind = (work, "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", f"<{FABIO.Expression}>")
    return [(node, properties[0], f'"{_doi(number)}"'), (node, properties[1], work), kind]


def _moved(triple: tuple[str, ...], shift: int) -> tuple[str, ...]:
    subject, predicate, value = triple
    if predicate != PAGE:
        return triple
    printed, mark, kind = value.rpartition("^^")
    return subject, predicate, f'"{int(printed.strip(chr(34))) + shift}"{mark}{kind}'


@dataclass
class Storm:
    """A corpus under commands that die; `seconds` and `papers` are of the commands that did not."""

    root: Path
    pick: random.Random
    kills: float  # share of commands that are killed
    killed: int = 0
    seconds: Counter[str] = field(default_factory=Counter)
    papers: Counter[str] = field(default_factory=Counter)

    def give(self, command: str, what: Sequence[str]) -> None:
        """Give a command until it is done; killed ones are followed by a check."""
        while self.pick.random() < self.kills:
            process = self._start(command, what)
            time.sleep(self.pick.uniform(0.3, 1.5 + 0.1 * len(what)))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.killed += 1
            if command == "remove":
                known = {paper.id for paper in open_corpus(self.root).papers()}
                what = [paper for paper in what if paper in known]
        if what:
            start = time.perf_counter()
            if self._start(command, what).wait():
                raise RuntimeError(f"kag corpus {command} failed")
            self.seconds[command] += time.perf_counter() - start
            self.papers[command] += len(what)

    def _start(self, command: str, what: Sequence[str]) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "kag", "corpus", command, *what, "--corpus", str(self.root)]
        return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def storm(sources: Sequence[Path], work: Path, count: int, *, group: int, kills: float, seed: int = 6) -> Storm:
    """Add, remove and replace `count` copies in random order at `work/storm`; the final state is also built cleanly."""
    pick = random.Random(seed)
    first = [
        copy_run(sources[n % len(sources)], work / "first" / name(n), n, (n * 7 + 1) % count, n % 5)
        for n in range(count)
    ]
    changed = set(pick.sample(range(count), count // 10))
    gone = set(pick.sample(sorted(set(range(count)) - changed), count // 5))
    second = {n: copy_run(sources[n % len(sources)], work / "second" / name(n), n, (n + 3) % count, 9) for n in changed}
    done = Storm(work / "storm", pick, kills)
    for command, members in _script(pick, count, gone, changed, group):
        folders = second if command == "update" else first
        done.give(command, [name(n) if command == "remove" else str(folders[n]) for n in members])
    clean = Storm(work / "clean", pick, 0)
    left = sorted(set(range(count)) - gone)
    for at in range(0, len(left), 200):
        clean.give("add", [str(second.get(n, first[n])) for n in left[at : at + 200]])
    return done


def _script(
    pick: random.Random, count: int, gone: set[int], changed: set[int], group: int
) -> Iterator[tuple[str, list[int]]]:
    """Commands in random order, none about a paper that is not there yet."""
    order = list(range(count))
    pick.shuffle(order)
    waiting: list[tuple[str, int]] = []
    for at in range(0, count, group):
        members = order[at : at + group]
        yield "add", members
        waiting += [("remove" if n in gone else "update", n) for n in members if n in gone | changed]
        pick.shuffle(waiting)
        now, waiting = waiting[::2], waiting[1::2]
        for command in ("remove", "update"):
            yield from [(command, some)] if (some := [n for what, n in now if what == command]) else []
    for command in ("update", "remove"):
        yield from [(command, some)] if (some := [n for what, n in waiting if what == command]) else []


def state(root: Path) -> dict[str, str]:
    """Hashes of all that a corpus holds: its graphs as canonical N-Quads, its tables, its files."""
    layout = Layout(root)
    digests = {part: hashlib.sha256() for part in ("graphs", "tables", "files")}
    for line in graphs.nquads(graphs.open_snapshot(layout)):
        digests["graphs"].update(line.encode())
    with catalogue.open_tables(layout.tables) as rows:
        for row in catalogue.dump(rows):
            digests["tables"].update(repr(row).encode())
    for path in sorted(layout.papers.rglob("*")):
        if path.is_file():
            digests["files"].update(
                f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode()
            )
    return {part: digest.hexdigest() for part, digest in digests.items()}


def disk(folder: Path) -> float:
    """Megabytes of a folder; a file with several names counts once."""
    files = {(one.st_dev, one.st_ino): one.st_size for path in folder.rglob("*") if (one := os.lstat(path))}
    return sum(files.values()) / 1e6


def main() -> int:
    """Run the test and print its figures; 1 when the corpus does not end as the clean build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--papers", type=int, default=1000)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--group", type=int, default=40, help="papers a command")
    parser.add_argument("--kills", type=float, default=0.4, help="share of commands that are killed")
    given = parser.parse_args()
    sources = sorted(path.parent for path in given.runs.glob(f"*/{GRAPH}"))
    shutil.rmtree(given.work, ignore_errors=True)
    done = storm(sources, given.work, given.papers, group=given.group, kills=given.kills)
    root = given.work / "storm"
    equal = state(root) == state(given.work / "clean")
    papers = open_corpus(root).papers()
    print(f"{len(papers)} papers, {sum(p.triples for p in papers)} triples; {done.killed} commands were killed")
    for command in done.seconds:
        each = done.seconds[command] / done.papers[command]
        print(f"{command}: {done.papers[command]} papers, {each:.3f} s a paper with the start of the command")
    print(f"disk: {disk(root):.0f} MB, of which papers {disk(root / 'papers'):.0f} MB")
    print(f"memory: at most {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB in a command")
    start = time.perf_counter()
    issues = check_corpus(root).issues
    print(f"check: {len(issues)} issues, {time.perf_counter() - start:.1f} s")
    print("final state equals the clean build" if equal else "final state DIFFERS from the clean build")
    return 0 if equal and not issues else 1


if __name__ == "__main__":
    sys.exit(main())
