"""Real pages, damaged at random: each ends in a clear error or in a conformant, conserved graph."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.indexing.audit import audit
from kag.indexing.pipeline import document_validator, index_document
from kag.indexing.run import load_run, write_run
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper

CASES = 40
ROOT = Path(__file__).resolve().parent.parent.parent
Pages = list[bytes]


def truncate(pages: Pages, pick: random.Random) -> Pages:
    n = pick.randrange(len(pages))
    return [*pages[:n], pages[n][: pick.randrange(len(pages[n]) + 1)], *pages[n + 1 :]]


def shuffle_blocks(pages: Pages, pick: random.Random) -> Pages:
    n = pick.randrange(len(pages))
    head, *blocks = pages[n].split(b"<|ref|>")
    pick.shuffle(blocks)
    return [*pages[:n], b"<|ref|>".join([head, *blocks]), *pages[n + 1 :]]


def shuffle_pages(pages: Pages, pick: random.Random) -> Pages:
    return pick.sample(pages, len(pages))


def duplicate_block(pages: Pages, pick: random.Random) -> Pages:
    n = pick.randrange(len(pages))
    blocks = pages[n].split(b"<|ref|>")
    return [*pages[:n], b"<|ref|>".join([*blocks, pick.choice(blocks)]), *pages[n + 1 :]]


def duplicate_page(pages: Pages, pick: random.Random) -> Pages:
    return [*pages, pick.choice(pages)]


def drop_page(pages: Pages, pick: random.Random) -> Pages:
    n = pick.randrange(len(pages))
    return [*pages[:n], b"", *pages[n + 1 :]]


def corrupt_bytes(pages: Pages, pick: random.Random) -> Pages:
    n = pick.randrange(len(pages))
    page = bytearray(pages[n])
    for _ in range(pick.randrange(1, 30)):
        if page:
            page[pick.randrange(len(page))] = pick.randrange(256)
    return [*pages[:n], bytes(page), *pages[n + 1 :]]


def corrupt_text(pages: Pages, pick: random.Random) -> Pages:
    """Replace bits by what looks like mark-up: tags, boxes, brackets, backslashes."""
    noise = [
        b"<|ref|>",
        b"<|/ref|>",
        b"<|det|>",
        b"<|/det|>",
        b"[[",
        b"]]",
        b"-5",
        b"4000",
        b"nan",
        b"## ",
        b"\\( ^{",
        b"<table>",
        b"</td>",
        b"\x00",
        b"<b>",
        b"1.",
        b"[1]",
        b"---\n",
        "⁵".encode(),
        b"Figure 1. ",
    ]
    n = pick.randrange(len(pages))
    page = pages[n]
    for _ in range(pick.randrange(1, 40)):
        at = pick.randrange(len(page) + 1)
        page = page[:at] + pick.choice(noise) + page[at + pick.randrange(12) :]
    return [*pages[:n], page, *pages[n + 1 :]]


def relabel(pages: Pages, pick: random.Random) -> Pages:
    labels = [b"text", b"title", b"sub_title", b"image", b"table", b"figure_title", b"equation", b"", b"unheard_of"]
    n = pick.randrange(len(pages))
    parts = pages[n].split(b"<|/ref|>")
    for place in range(len(parts) - 1):
        if pick.random() < 0.5:
            head, _, _ = parts[place].rpartition(b"<|ref|>")
            parts[place] = head + b"<|ref|>" + pick.choice(labels)
    return [*pages[:n], b"<|/ref|>".join(parts), *pages[n + 1 :]]


DAMAGES: list[Callable[[Pages, random.Random], Pages]] = [
    truncate,
    shuffle_blocks,
    shuffle_pages,
    duplicate_block,
    duplicate_page,
    drop_page,
    corrupt_bytes,
    corrupt_text,
    relabel,
]


def papers(tmp_path: Path) -> list[Path]:
    bundled = sorted(path.parent for path in (ROOT / "test_data").glob("*/page_001.md"))
    return [write_paper(tmp_path / "ice"), *bundled]


@pytest.mark.parametrize("batch", range(4))
def test_damaged_pages(batch: int, tmp_path: Path) -> None:
    errors: list[SourceError] = []
    graphs = 0
    for case in range(batch, CASES, 4):
        pick = random.Random(case)
        source = pick.choice(papers(tmp_path))
        pages = [page.read_bytes() for page in sorted(source.glob("page_*.md"))]
        for _ in range(pick.randrange(1, 4)):
            pages = pick.choice(DAMAGES)(pages, pick)
        folder = tmp_path / f"case{case}"
        folder.mkdir()
        for number, page in enumerate(pages, start=1):
            (folder / f"page_{number:03d}.md").write_bytes(page)
        try:
            document = read_document(folder)
        except SourceError as error:
            errors.append(error)
            continue
        run = load_run(write_run(tmp_path / "runs", folder.name, index_document(document).files))
        assert document_validator().full(run.graph).issues == (), f"case {case}"
        assert audit(run, document).issues == (), f"case {case}"
        graphs += 1
    assert graphs > 0
    assert all("page_" in error.message or "case" in error.message for error in errors)
    assert all(error.hint for error in errors)
