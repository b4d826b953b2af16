"""PDFs and publishers' XML of strangers: cut, changed, and made to harm.

A case is well when `kag index` refuses the file in words that name it, or makes a graph of it that conforms and holds
all that can be read of it. Files that unfold may take all that their process is given, and nothing else with them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
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
from tests.hostile_pdf import HOSTILE
from tests.unit.sources.forms import FORMS

Planted = tuple[bytes, str, bool]

_PAPER = Path(__file__).parents[2] / "test_data" / "zirconium_tracers.pdf"
_MARKS = (b"/Kids", b"/Count", b"/Length", b"/Type", b"/Page", b"obj", b"endstream", b"xref", b"/Font", b"/W ", b"R\n")
_OPERATORS = (b"Tf", b"Tm", b"cm", b"q", b"Q", b"BT", b"ET", b"Do")
_NUMBERS = (b"-1", b"0", b"99999999999999999999", b"1e308", b"0.00000001", b"2147483648", b"/A", b"[", b">>", b"(")


def cut_pdf(random: Random) -> Planted:
    """Cut off anywhere, or a piece of the middle gone."""
    data = _PAPER.read_bytes()
    start, end = sorted(random.randrange(len(data)) for _ in range(2))
    return (data[:start] if random.random() < 0.5 else data[:start] + data[end:]), "pdf", False


def flipped_pdf(random: Random) -> Planted:
    """Some bits changed."""
    return _flipped(_PAPER.read_bytes(), random), "pdf", False


def changed_pdf(random: Random) -> Planted:
    """Numbers and names of the file's structure changed, streams left as they are."""
    data = _PAPER.read_bytes()
    for _ in range(random.randrange(1, 12)):
        at = data.find(random.choice(_MARKS), random.randrange(len(data)))
        if at >= 0:
            end = at + random.randrange(1, 12)
            data = data[:at] + random.choice((*_MARKS, *_NUMBERS)) + data[end:]
    return data, "pdf", False


def rewritten_pdf(random: Random) -> Planted:
    """What a page draws, changed as text and packed again: operators, numbers and letters where none may be."""
    data = _PAPER.read_bytes()
    starts = [at for at in range(len(data)) if data.startswith(b"stream\n", at) and data[at - 3 : at] != b"end"]
    start = random.choice(starts) + 7
    end = data.index(b"endstream", start)
    try:
        words = zlib.decompress(data[start:end]).split(b" ")
    except zlib.error:
        return _flipped(data, random), "pdf", False
    for _ in range(random.randrange(1, 40)):
        words[random.randrange(len(words))] = random.choice(
            (*_NUMBERS, b"Tf", b"Tm", b"cm", b"q", b"Q", b"BT", b"ET", b"Do")
        )
    packed = zlib.compress(b" ".join(words))
    room = end - start
    return data[:start] + packed[:room].ljust(room, b"\0") + data[end:], "pdf", False


def made_pdf(random: Random) -> Planted:
    """One of the files that are hostile by design, sometimes with some bits changed."""
    hostile = HOSTILE[random.choice(sorted(HOSTILE))]
    data = hostile.make()
    return (_flipped(data, random) if random.random() < 0.3 and data else data), "pdf", hostile.bomb


def cut_xml(random: Random) -> Planted:
    """Cut off anywhere."""
    data, end = _xml(random)
    return data[: random.randrange(len(data))], end, False


def flipped_xml(random: Random) -> Planted:
    """Some bits changed."""
    data, end = _xml(random)
    return _flipped(data, random), end, False


def shuffled_xml(random: Random) -> Planted:
    """Tags moved, doubled and taken away."""
    data, end = _xml(random)
    parts = data.split(b"<")
    for _ in range(random.randrange(1, 8)):
        one = random.randrange(1, len(parts))
        parts[one : one + random.randrange(0, 2)] = [random.choice(parts[1:])] * random.randrange(0, 3)
    return b"<".join(parts), end, False


def bomb_xml(random: Random) -> Planted:
    """Entities of entities, of files and of the network; depth; a text, an attribute and a number of tags too large."""
    data, end = _xml(random)
    laughs = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    head = data.rindex(b"?>", 0, 200) + 2 if b"?>" in data[:200] else 0
    root = b"TEI" if b"<TEI" in data else b"article"
    inside = random.choice(
        (
            b'<!DOCTYPE %s [<!ENTITY a0 "ice">%s]>' % (root, laughs),
            b'<!DOCTYPE %s [<!ENTITY a9 SYSTEM "file:///etc/hostname">]>' % root,
            b'<!DOCTYPE %s SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY %% x SYSTEM "file:///dev/zero"> %%x;]>' % root,
        )
    )
    bare = data[:head] + inside + data[data.index(b"<" + root) :]
    at = bare.rindex(b"</p>") if b"</p>" in bare else bare.rindex(b"</")
    more = random.choice(
        (b"&a9;", b"<sec>" * 100_000, b"x " * 6_000_000, b'<p id="%s"/>' % (b"y" * 11_000_000), b"<p>ice</p>" * 200_000)
    )
    return bare[:at] + more + bare[at:], end, True


PLANTS: tuple[Callable[[Random], Planted], ...] = (
    *(cut_pdf, flipped_pdf, flipped_pdf, changed_pdf, rewritten_pdf, made_pdf, made_pdf),
    *(cut_xml, flipped_xml, shuffled_xml, bomb_xml),
)


def _xml(random: Random) -> tuple[bytes, str]:
    _, name, words = FORMS[random.choice(("jats", "tei"))]
    return (words if isinstance(words, bytes) else words.encode()), name.partition(".")[2]


def _flipped(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 3, 10, 100))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


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
