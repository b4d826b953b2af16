"""Perfectly built graphs to measure the enrichment passes on, made from the gold structure of real papers.

Everything a builder would decide is taken from the gold, so that what is measured is the passes alone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from rdflib import Literal

from kag.core.types import Block, Box, Document
from kag.rdf.namespaces import DEO, DOCO, FABIO, KAG, RDF
from kag.rdf.workspace import Workspace

GOLD = Path(__file__).resolve().parents[5] / "shared" / "data" / "jats_gold"
_TAG = re.compile(r"<\|ref\|>\w+<\|/ref\|><\|det\|>.*?<\|/det\|>\n?")


def gold_papers() -> list[Path]:
    """Folders of the gold papers; skips the calling test when they are not there."""
    if not GOLD.is_dir():
        pytest.skip("../shared/data/jats_gold is not there")
    return sorted(path.parent for path in GOLD.glob("*/gold.json"))


def load_gold(folder: Path) -> dict:
    return json.loads((folder / "gold.json").read_text(encoding="utf-8"))


def read_blocks(folder: Path, gold: dict) -> tuple[Block, ...]:
    """The blocks of the pages, with the text between their tags."""
    texts: dict[str, str] = {}
    for page in sorted(folder.glob("page_*.md")):
        parts = _TAG.split(page.read_text(encoding="utf-8"))[1:]
        for order, part in enumerate(parts, 1):
            texts[f"b_p{page.stem[-3:]}_{order:04d}"] = re.sub(r"^#+ ", "", part.strip())
    return tuple(
        Block(
            b["id"],
            b["page"],
            b["order"],
            b["label"],
            tuple(Box(*box) for box in b["bbox"]),
            texts[b["id"]],
            texts[b["id"]],
            texts[b["id"]],
        )
        for b in gold["blocks"]
    )


def normal(text: str) -> str:
    """Words in lower case without accents and marks, to compare texts by."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[^a-z0-9]+", " ", text).strip()


class GoldBuilder:
    """Builds the graph of one paper as a faultless builder would."""

    def __init__(self, folder: Path) -> None:
        self.gold = load_gold(folder)
        blocks = read_blocks(folder, self.gold)
        self.ws = Workspace(Document(folder.name, blocks, (), (), blocks[-1].page, ""))
        self.place = {block.id: order for order, block in enumerate(blocks, 1)}
        self.ws.add(self.ws.paper, RDF.type, DOCO.Document)
        self.ws.add(self.ws.paper, RDF.type, FABIO.ResearchPaper)

    def make(self, name, cls, blocks, text):
        node = self.ws.node(name)
        self.ws.add(node, RDF.type, cls)
        for block in blocks:
            self.ws.add(node, KAG.sourceBlock, Literal(block))
        if blocks:
            self.ws.put(node, KAG.order, self.place[blocks[0]])
            self.ws.put(node, KAG.pageNumber, self.ws.blocks[blocks[0]].page)
        self.ws.put(node, KAG.fullText, text)
        return node

    def block_text(self, blocks):
        return "\n".join(self.ws.blocks[block].text for block in blocks)

    def build(self) -> Workspace:
        self.sections()
        self.front()
        self.content()
        self.floats()
        self.references()
        return self.ws

    def sections(self):
        nodes = {}
        for section in self.gold["sections"]:
            if not section["blocks"]:
                continue
            block = section["blocks"][0]
            node = nodes[section["id"]] = self.ws.node(f"s_{block}")
            self.ws.add(node, RDF.type, DOCO.Section)
            self.ws.add(nodes.get(section["parent"], self.ws.paper), KAG.contains, node)
            title = self.make(block, DOCO.SectionTitle, section["blocks"], section["shown"])
            self.ws.put(title, KAG.mainText, section["shown"])
            self.ws.put(node, KAG.order, self.place[block])
            self.ws.add(node, KAG.containsAsHeader, title)
        self.nodes = nodes

    def front(self):
        classes = {
            "title": DOCO.Title,
            "authors": DOCO.ListOfAuthors,
            "affiliations": DOCO.ListOfOrganizations,
            "table-foot": DOCO.Footnote,
        }
        for block in self.gold["blocks"]:
            if block["kind"] in classes:
                self.make(block["id"], classes[block["kind"]], [block["id"]], self.block_text([block["id"]]))

    def content(self):
        for paragraph in self.gold["paragraphs"]:
            earlier = None
            for block in paragraph["blocks"]:
                node = self.make(block, DOCO.Paragraph, [block], self.block_text([block]))
                if paragraph["section"] in self.nodes:
                    self.ws.add(self.nodes[paragraph["section"]], KAG.contains, node)
                if earlier is not None:
                    self.ws.add(node, KAG.continues, earlier)
                earlier = node

    def floats(self):
        for cls, items in ((DOCO.Figure, self.gold["figures"]), (DOCO.Table, self.gold["tables"])):
            for item in items:
                blocks = item.get("image_blocks", []) + item.get("table_blocks", [])
                captions = item.get("caption_blocks", [])
                if not blocks:
                    continue
                node = self.make(blocks[0], cls, blocks, self.block_text(blocks))
                self.label(node, item)
                if captions:
                    caption = self.make(captions[0], DEO.Caption, captions, self.block_text(captions))
                    self.label(caption, item)
                    self.ws.add(caption, KAG.describes, node)

    def label(self, node, item):
        if item["number"]:
            self.ws.put(node, KAG.floatNumber, item["number"])
            self.ws.put(node, KAG.floatLabel, item.get("shown_label") or item["label"])

    def references(self):
        used: dict[str, int] = {}
        for reference in self.gold["references"]:
            block = reference["blocks"][0]
            used[block] = used.get(block, 0) + 1
            name = block if used[block] == 1 else f"{block}-{used[block]}"
            self.make(name, DEO.BibliographicReference, reference["blocks"], reference["text"])


def gold_workspace(folder: Path) -> Workspace:
    """The graph of one gold paper before enrichment."""
    return GoldBuilder(folder).build()
