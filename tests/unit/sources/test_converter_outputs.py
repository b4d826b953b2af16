"""Real output of converters is read without loss: every letter of a file is in its blocks."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from kag.core.types import Document
from kag.sources.reader_registry import read_form
from kag.sources.reading import Reading
from kag.sources.xml import load_xml

SHARED = Path(__file__).parents[4] / "shared" / "data"
OUTPUTS = SHARED / "converter_outputs"
pytestmark = pytest.mark.skipif(not OUTPUTS.is_dir(), reason="reference data (../shared) is not there")


def letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))


def missing(document: Document, text: str) -> int:
    """How many letters and digits of a text are in no block."""
    read: Counter[str] = Counter()
    for block in document.blocks:
        read += letters(block.text) | letters(block.raw)
    return (letters(text) - read).total()


def files(pattern: str) -> list[Path]:
    return sorted(OUTPUTS.glob(pattern))


@pytest.mark.parametrize("path", files("docling*/*.json"), ids=lambda path: path.name)
def test_docling(path: Path) -> None:
    data = json.loads(path.read_text())
    cells = (cell["text"] for table in data["tables"] for cell in table["data"]["table_cells"])
    document = read_form(path, "docling", Reading(), "paper")
    assert missing(document, "".join([*(text["text"] for text in data["texts"]), *cells])) == 0
    assert document.repairs == ()


@pytest.mark.parametrize("path", files("docling/*.doctags.txt"), ids=lambda path: path.name)
def test_doctags(path: Path) -> None:
    document = read_form(path, "doctags", Reading(), "paper")
    assert missing(document, unescape(re.sub(r"<[a-z_/0-9]+>", "", path.read_text()))) == 0
    other = read_form(path.with_name(path.name.replace(".doctags.txt", ".json")), "docling", Reading(), "paper")
    kept = [[block.label for block in one.blocks if block.label != "figure_text"] for one in (document, other)]
    assert Counter(kept[0]) == Counter(kept[1])


@pytest.mark.parametrize("path", files("docling*/*.md") + files("olmocr/markdown/*.md"), ids=lambda path: path.name)
def test_markdown(path: Path) -> None:
    assert missing(read_form(path, "markdown", Reading(), "paper"), path.read_text()) <= 5, "a path of a picture"


@pytest.mark.parametrize("path", files("grobid/*.tei.xml"), ids=lambda path: path.name)
def test_grobid(path: Path) -> None:
    root, _ = load_xml(path)
    document = read_form(path, "tei-plain", Reading(), "paper")
    entries = next(iter(root.iter("listBibl")))
    assert sum(block.label == "reference" for block in document.blocks) == len(list(entries.iter("biblStruct")))
    entries.getparent().remove(entries)  # fields of an entry repeat what is printed
    assert missing(document, "".join(root.itertext())) == 0


@pytest.mark.parametrize("paper", ["elife-56337", "pntd.0008301"])
def test_jats_and_what_docling_made_of_it_say_the_same(tmp_path: Path, paper: str) -> None:
    source = tmp_path / f"{paper}.xml"
    source.write_bytes(gzip.decompress((SHARED / "jats_gold" / paper / "source.xml.gz").read_bytes()))
    ours = read_form(source, "jats", Reading(), "paper")
    other = read_form(OUTPUTS / "docling_from_jats" / f"{paper}.json", "docling", Reading(), "paper")
    for label in ("sub_title", "reference", "table", "image"):
        counts = [sum(block.label == label for block in one.blocks) for one in (ours, other)]
        if label != "image":  # docling leaves out the supplements of a figure
            assert counts[0] == counts[1], label
        assert counts[0]
    titles = [{block.plain.lower() for block in one.blocks if block.label == "sub_title"} for one in (ours, other)]
    spelled = [{title.replace("dgements", "dgments") for title in one} for one in titles]
    assert spelled[0] == spelled[1]
