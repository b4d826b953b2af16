"""Hostile run folders: files of another kind, JSON of another type, graphs that state nonsense.

Each case is a copy of a good run in which one file was changed; then all that reads runs is tried: a run is either
read, or refused with an error that names it. What is read may be nonsense, as the graph is.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FrameType

from kag.core.errors import KagError
from kag.core.types import Document
from kag.evaluate.structure.runs import match, read_run
from kag.indexing.audit import audit, is_stale
from kag.indexing.pipeline import index_paper
from kag.indexing.run import (
    FILES,
    MADE,
    Made,
    digest_of,
    find_runs,
    finished_run,
    load_run,
    make_newest,
    newest,
    paper_of,
    write_run,
)
from kag.qa.library import open_library
from kag.qa.page import build_page
from kag.qa.paper import PaperGraph
from kag.qa.passages import passages
from kag.sources.survey import read_paper
from scripts.attacks.case import Case
from scripts.attacks.outside import SECRET, Outside, special
from tests.papers import write_paper

KIND = "hostile run folders"
CASES = 800
PATIENCE = 20  # seconds for one case
_JSON = (None, 1, -1, 10**400, True, "a", "../../x", "\ud800", [], [1], {}, {"block": {}}, [[["a"]]], 1e999)


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """One changed file a case, and sometimes two."""
    outside = Outside.make(work / "outside")
    source = write_paper(work / "ice")
    good = write_run(work / "good", "ice", index_paper(source).files)
    document = read_paper(source)
    for number in range(cases):
        run = work / f"runs{number}" / good.name
        shutil.copytree(good, run)
        change, names = random.choice(_CHANGES)
        name = random.choice(names)
        change(run / name, random, outside)
        yield Case(f"{change.__name__} {name}", _tried_all(run, source, document))
        shutil.rmtree(run.parent)


def _tried_all(run: Path, source: Path, document: Document) -> str:
    readers = (
        lambda: _read(run),
        lambda: audit(load_run(run), document),
        lambda: is_stale(run, document),
        lambda: build_page(run, source=source),
        lambda: read_run(run),
        lambda: _choose(run, document.sha256),
    )
    return next(filter(None, map(_tried, readers)), "")


def _read(run: Path) -> None:
    """All that a reader looks at."""
    for paper in (PaperGraph.load(run), *open_library(run.parent).values()):
        _ = paper.title, paper.sections, paper.nodes, paper.references, paper.mentions, passages(paper)


def _choose(run: Path, sha256: str) -> None:
    """All that decides which run counts; none of it may raise."""
    try:
        runs = find_runs(run.parent)
        _ = newest(runs, sha256), paper_of(run), digest_of(run), match("ice", runs)
        if found := finished_run(run.parent, "ice", Made(sha256, "ocr", "0", "baseline")):
            make_newest(found, "ice")
    except KagError as error:
        raise AssertionError("choosing a run needs no whole run") from error


def _tried(reader: Callable[[], object]) -> str:
    """What is wrong with how it ended: anything but a result or a clear error that tells no secret."""

    def hung(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"longer than {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(PATIENCE)
    try:
        told = str(reader())
    except KagError as error:
        told = f"{error.message} {error.hint}"
        if not error.hint:
            return f"no hint: {error.message}"
    except Exception as error:  # every other exception is what is looked for
        where = error.__traceback__
        while where and where.tb_next:
            where = where.tb_next
        place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else ""
        return f"{type(error).__name__}: {str(error)[:200]} ({place})"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return "a secret was read" if SECRET in told else ""


# changes --------------------------------------------------------------------------------------


def another_kind(path: Path, random: Random, outside: Outside) -> None:
    path.unlink()
    special(path, random, outside)


def gone(path: Path, random: Random, outside: Outside) -> None:
    path.unlink()


def cut(path: Path, random: Random, outside: Outside) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: random.randrange(len(data))])


def flipped(path: Path, random: Random, outside: Outside) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(random.randrange(1, 5)):
        data[random.randrange(len(data))] = random.randrange(256)
    path.write_bytes(bytes(data))


def other_json(path: Path, random: Random, outside: Outside) -> None:
    """Another value somewhere inside one line, or in place of it."""
    text = path.read_text(encoding="utf-8")
    lines = [text] if path.suffix == ".json" else text.splitlines()
    place = random.randrange(len(lines))
    value = json.loads(lines[place])
    lines[place] = json.dumps(_other(value, random))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _other(value: object, random: Random) -> object:
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = random.choice(sorted(value))
        if random.random() < 0.15:
            return {name: inner for name, inner in value.items() if name != key}
        return {**value, key: _other(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.7:
        place = random.randrange(len(value))
        return [*value[:place], _other(value[place], random), *value[place + 1 :]]
    return random.choice(_JSON)


def deep(path: Path, random: Random, outside: Outside) -> None:
    path.write_text(random.choice(["[" * 200_000, '{"a":' * 200_000, "9" * 6000, "[" + "9" * 6000 + "]", ""]))


def other_literal(path: Path, random: Random, outside: Outside) -> None:
    """Another number, text or node in the graph: pages that are words, sections inside themselves."""
    text = path.read_text(encoding="utf-8")
    nodes = re.findall(r"ex:[\w-]+", text)
    found = random.choice(list(re.finditer(r'(?<= )(?:\d+|"[^"\n]*"|ex:[\w-]+)(?= [;,.])', text)))
    others = ["-5", "0", "1.5", "9" * 400, '"x"', '"²"', '"[[1, 2]]"', '"{"', "true", *random.sample(nodes, 5)]
    path.write_text(text[: found.start()] + random.choice(others) + text[found.end() :], encoding="utf-8")


_LINES = ("content_store.jsonl", "skipped.jsonl", "source_blocks.jsonl", "summary.json", MADE)
_GRAPH = ("knowledge_graph.ttl",)
_CHANGES = (
    (another_kind, (*FILES, MADE)),
    (gone, (*FILES, MADE)),
    (cut, (*FILES, MADE)),
    (flipped, (*FILES, MADE)),
    (other_json, _LINES),
    (other_json, _LINES),
    (deep, (*_LINES, *_GRAPH)),
    (other_literal, _GRAPH),
    (other_literal, _GRAPH),
)
