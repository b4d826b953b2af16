"""Text without boxes, put to its places in the PDF beside: how much is found, and how much wrongly. Prints Markdown.

    python scripts/measure_places.py GOLD [--jats FOLDER --pdfs FOLDER]

GOLD holds a folder a paper with gold.json (headings, paragraphs and captions with their pages, some with boxes) and
paper.pdf; the gold's text is written as Markdown and read again. FOLDER of JATS holds <paper>/source.xml.gz, FOLDER of
PDFs <paper>.pdf.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kag.sources.placing import words_of
from kag.sources.survey import read_paper
from kag.values.types import Block, Document

KINDS = ("headings", "paragraphs", "captions", "references")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--jats", type=Path)
    parser.add_argument("--pdfs", type=Path)
    options = parser.parse_args()
    count: Counter[tuple[str, str]] = Counter()
    for path in sorted(options.gold.glob("*/gold.json")):
        count.update(of_gold(json.loads(path.read_text(encoding="utf-8")), path.parent / "paper.pdf"))
    print("| of the gold's text | located | with a page in the gold | on another page | with a box | beside it |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind in KINDS:
        shown = [str(count[kind, what]) for what in ("paged", "other page", "boxed", "beside")]
        print(f"| {kind} | {count[kind, 'located']} of {count[kind, 'all']} | " + " | ".join(shown) + " |")
    if options.jats and options.pdfs:
        print("\n| blocks of JATS | located |\n|---|---:|")
        labels = of_jats(options.jats, options.pdfs)
        for label in sorted({label for label, _ in labels}):
            print(f"| {label} | {labels[label, True]} of {labels[label, True] + labels[label, False]} |")


def of_gold(gold: dict[str, Any], pdf: Path) -> Counter[tuple[str, str]]:
    """Of each kind of text: how many there are, are located, can be checked, and are wrong."""
    texts = [(kind, item, text) for kind, item, text in _texts(gold) if words_of(text)]
    body = "\n\n".join(f"## {text}" if kind == "headings" else text for kind, _, text in texts)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(pdf, Path(folder) / "paper.pdf")
        (Path(folder) / "paper.md").write_text(f"# {gold['title']}\n\n{body}\n", encoding="utf-8")
        document = read_paper(Path(folder) / "paper.md")
    count: Counter[tuple[str, str]] = Counter()
    by_words: dict[str, list[Block]] = {}
    for block in document.blocks:
        by_words.setdefault(" ".join(words_of(block.plain)), []).append(block)
    for kind, item, text in texts:
        count[kind, "all"] += 1
        found = by_words.get(" ".join(words_of(text)), [])
        block = found.pop(0) if found else None
        if block is None or not block.boxes:
            continue
        count[kind, "located"] += 1
        count[kind, "paged"] += bool(item.get("page"))
        count[kind, "other page"] += bool(item.get("page")) and item["page"] != block.page
        if item.get("bbox") and item.get("page") == block.page:
            count[kind, "boxed"] += 1
            count[kind, "beside"] += not _touch(item["bbox"], block)
    return count


def _texts(gold: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The gold's text in its order: sections with their paragraphs, then captions and references."""
    for section in gold["sections"]:
        if section.get("printed"):
            yield "headings", section, section.get("shown") or section["title"]
        yield from (("paragraphs", one, one["text"].replace("\u25cc", " "))
                    for one in gold["paragraphs"] if one["section"] == section["id"])  # fmt: skip
    for one in (*gold["figures"], *gold["tables"]):
        yield "captions", one, f"{one['label'] or ''}. {one['caption'] or ''}"
    yield from (("references", one, one["text"] or "") for one in gold["references"])


def _touch(box: list[float], block: Block) -> bool:
    """Whether the middle of the gold's box lies in one of the block's."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(own.x0 - 5 <= x <= own.x1 + 5 and own.y0 - 5 <= y <= own.y1 + 5 for own in block.boxes)


def of_jats(jats: Path, pdfs: Path) -> Counter[tuple[str, bool]]:
    """The blocks of all papers that are there in both forms, by label and whether they were located."""
    count: Counter[tuple[str, bool]] = Counter()
    for pdf in sorted(pdfs.glob("*.pdf")):
        source = jats / pdf.stem / "source.xml.gz"
        if source.is_file():
            with tempfile.TemporaryDirectory() as folder:
                shutil.copy(pdf, Path(folder) / "paper.pdf")
                (Path(folder) / "paper.xml").write_bytes(gzip.decompress(source.read_bytes()))
                document: Document = read_paper(Path(folder) / "paper.xml")
            count.update((block.label, bool(block.boxes)) for block in document.blocks)
    return count


if __name__ == "__main__":
    main()
