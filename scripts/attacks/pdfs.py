"""PDFs and publishers' XML of strangers: cut, changed, and made to harm.

A case is well when `kag index` refuses the file in words that name it, or makes a graph of it that conforms and holds
all that can be read of it. Files that unfold may take all that their process is given, and nothing else with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from kag.core.errors import KagError
from kag.indexing.audit import audit
from kag.indexing.isolated_reader import read_apart
from kag.indexing.pipeline import document_validator
from kag.indexing.run import kind_of_source, load_run
from kag.sources.reading import Reading
from scripts.attacks.case import Case
from scripts.attacks.folders import STATE, index_papers
from scripts.attacks.pdf_plants import PLANTS

KIND = "damaged PDFs and XML"
CASES = 200
TOGETHER = 20  # files that one command is given
_LIMITED = re.compile(r"process died|was stopped|more memory")
_UGLY = re.compile(r"Traceback|bug in kag|Exception ignored|Warning")


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Files inside a given folder."""
    for start in range(0, cases, TOGETHER):
        yield from _together(random, min(TOGETHER, cases - start), work / f"some{start}")


def _together(random: Random, count: int, work: Path) -> Iterator[Case]:
    papers = work / "papers"
    papers.mkdir(parents=True)
    planted: list[tuple[str, Path, bool]] = []
    for number in range(count):
        plant = random.choice(PLANTS)
        data, end, bomb = plant(random)
        path = papers / f"paper{number:03d}.{end}"
        path.write_bytes(data)
        planted.append((plant.__name__, path, bomb))
    done = index_papers([papers], work / "runs", papers)
    whole = "it hung" if done.code is None else ""
    if not whole and (ugly := _UGLY.search(done.said)):
        whole = f"it said {ugly[0]!r}: {done.said[max(0, ugly.start() - 200) : ugly.start() + 300]}"
    states = dict(STATE.findall(done.said))
    runs = {Path(line).name.partition("_2")[0]: Path(line) for line in done.out.splitlines()}
    for number, (name, path, bomb) in enumerate(planted):
        paper = path.name.partition(".")[0]
        wrong = _judged(done.said, path, bomb, states.get(paper, ""), runs.get(paper))
        yield Case(f"{name} {path}", (whole if number == 0 else "") or wrong)


def _judged(said: str, path: Path, bomb: bool, state: str, run: Path | None) -> str:
    """What is wrong with what became of one file."""
    about = [line for line in said.splitlines() if path.name in line]
    if state == "indexed" and run is not None:
        return _run_is_wrong(run, path)
    if state == "failed":
        errors = [line for line in about if line.startswith("error: ")]
        if not errors:
            return f"no error names it: {said[-300:]}"
        return "" if bomb else "; ".join(line for line in errors if _LIMITED.search(line))
    told = any(line.startswith("note: skipped ") for line in about)
    return "" if told else f"nothing was said of it ({state})"


def _run_is_wrong(run: Path, path: Path) -> str:
    try:
        made = load_run(run)
        paper = read_apart(path, Reading(made.summary["paper"], source=kind_of_source(run)))
    except KagError as error:
        return f"its run: {error.message}"
    if "rescued" in made.summary:
        return f"rescued: {made.summary['rescued'][0]}"
    issues = (*document_validator().full(made.graph).issues, *audit(made, paper).issues)
    return f"its run: {issues[0]}" if issues else ""
