"""`Gold`: annotations of a paper, read from its file in one of two layouts.

`<paper>/gold.json` lies beside the pages and lists paragraphs, each with its blocks; links start at paragraphs.
`<paper>_gold.json` lists sections, floats and references by their blocks; links start at blocks, and what a
paragraph is stays open, so kinds of facts about paragraphs are not asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError

Fact = tuple[Any, ...]
NAME = "gold.json"
FLOATS = ("figure", "table")


@dataclass(frozen=True, slots=True)
class Gold:
    """The annotation of one paper; a kind that `facts` lacks was not annotated.

    `hosts` leads from a block to the paragraph that holds it; where it is empty, every block outside `fixed` stands
    for itself. `floats` leads from a block to (kind, number). `sequence` are pairs of blocks in reading order,
    `blocks` all that the pages have, `content` those of paragraphs.
    """

    paper: str
    facts: Mapping[str, frozenset[Fact]]
    hosts: Mapping[str, str]
    floats: Mapping[str, tuple[str, str]]
    references: tuple[Mapping[str, Any], ...]
    sequence: tuple[tuple[str, str], ...] = ()
    blocks: tuple[str, ...] = ()
    content: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    words: Mapping[str, str] = field(default_factory=dict)

    def host(self, block: str) -> str | None:
        """Return the paragraph of a block, None if it is not running text."""
        if self.hosts:
            return self.hosts.get(block)
        return None if block in self.fixed else block


def find_gold(folder: Path) -> dict[str, Path]:
    """Paper names and annotation files: of the folder itself, of its subfolders, and those named `<paper>_gold.json`.

    Raises `SourceError` when there are none.
    """
    found = {path.resolve().parent.name: path for path in (folder / NAME, *sorted(folder.glob(f"*/{NAME}")))}
    found |= {path.name.removesuffix(f"_{NAME}"): path for path in sorted(folder.glob(f"*_{NAME}"))}
    found = {name: path for name, path in sorted(found.items()) if path.is_file()}
    if not found:
        hint = "Give a folder of papers with gold.json, or one with <paper>_gold.json."
        raise SourceError(f"{folder}: no annotated papers", hint=hint)
    return found


def read_gold(path: Path) -> Gold:
    """The annotation in a file, or in a paper's folder; raises `SourceError`."""
    file = path if path.name.endswith(NAME) else path / NAME
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        return gold_with_paragraphs(row, file.resolve().parent.name) if file.name == NAME else gold_by_blocks(row)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        problem = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise SourceError(f"{file}: no readable annotation: {problem}", hint="Give annotated papers.") from error


def gold_with_paragraphs(row: Mapping[str, Any], paper: str = "") -> Gold:
    """The annotation as `gold.json` has it. A heading is named by its first block, a paragraph by p and its index."""
    paragraphs = row["paragraphs"]
    head = {section["id"]: section["blocks"][0] for section in row["sections"] if section["blocks"]}
    names = {f"p{paragraph['idx']}" for paragraph in paragraphs}
    facts: dict[str, set[Fact]] = {
        "headings": {(block,) for block in head.values()},
        "heading_parent": {(head[s["id"]], head.get(s["parent"])) for s in row["sections"] if s["id"] in head},
        "membership": {(b, head[p["section"]]) for p in paragraphs if p["section"] in head for b in p["blocks"]},
        "captions": _captions(row),
        "references": {(reference["number"],) for reference in row["references"]},
        "citations": {(host, number) for host, number in row["citation_links"] if host in names},
        "crossrefs": {(h, kind, n) for h, kind, n in row["crossref_links"] if h in names and kind in FLOATS},
    }
    return Gold(
        paper=paper,
        facts={kind: frozenset(found) for kind, found in facts.items()},
        hosts={block: f"p{p['idx']}" for p in paragraphs for block in p["blocks"]},
        floats=_floats(row),
        references=tuple(row["references"]),
        sequence=_sequence(paragraphs, [block["id"] for block in row["blocks"]]),
        blocks=tuple(block["id"] for block in row["blocks"]),
        content=frozenset(block for p in paragraphs for block in p["blocks"]),
        words=_words(row) | {f"p{p['idx']}": p["text"] for p in paragraphs},
    )


def gold_by_blocks(row: Mapping[str, Any]) -> Gold:
    """The annotation as `<paper>_gold.json` has it, with the fields renamed to those of `gold.json`."""
    sections = [{**section, "blocks": [section["block"]]} for section in row["sections"]]
    references = [
        {**reference, "authors": [{"family": reference.get("first_author", "")}]} for reference in row["references"]
    ]
    floats = _floats(row, "kind")
    facts: dict[str, set[Fact]] = {
        "headings": {(section["block"],) for section in sections},
        "heading_parent": {(section["block"], section["parent"]) for section in sections},
        "captions": _captions(row),
        "references": {(reference["number"],) for reference in references},
        "citations": {(host, number) for host, number in row["citation_links"]},
        "crossrefs": {(host, kind, number) for host, kind, number in row["crossref_links"]},
    }
    fixed = {block for item in [*sections, *references] for block in item["blocks"]} | floats.keys()
    return Gold(
        paper=row["paper"],
        facts={kind: frozenset(found) for kind, found in facts.items()},
        hosts={},
        floats=floats,
        references=tuple(references),
        fixed=frozenset(fixed),
        words=_words({**row, "sections": sections, "references": references}),
    )


def _bodies(item: Mapping[str, Any]) -> list[str]:
    return [*item.get("image_blocks", []), *item.get("table_blocks", [])]


def _floats(row: Mapping[str, Any], own: str = "") -> dict[str, tuple[str, str]]:
    """Blocks of figures and tables, caption and body; `own` is the field with a float's own kind, if it counts."""
    return {
        block: (item.get(own, kind), item["number"])
        for group, kind in (("figures", "figure"), ("tables", "table"))
        for item in row[group]
        for block in [*_bodies(item), *item.get("caption_blocks", [])]
    }


def _captions(row: Mapping[str, Any]) -> set[Fact]:
    items = [*row["figures"], *row["tables"]]
    return {(caption, body) for item in items for caption in item.get("caption_blocks", []) for body in _bodies(item)}


def _sequence(paragraphs: Sequence[Mapping[str, Any]], blocks: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Neighbouring paragraphs by their first blocks, where the page prints them in this order."""
    place = {block: n for n, block in enumerate(blocks)}
    firsts = [paragraph["blocks"][0] for paragraph in paragraphs if paragraph["blocks"]]
    return tuple((a, b) for a, b in pairwise(firsts) if place.get(a, 0) < place.get(b, 0))


def _words(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the words of headings, captions and references by block, and references by their number."""
    words = {block: s.get("shown", s.get("title", "")) for s in row["sections"] for block in s["blocks"]}
    for item in [*row["figures"], *row["tables"]]:
        words |= dict.fromkeys(item.get("caption_blocks", []), item.get("caption", ""))
    return words | {f"[{reference['number']}]": reference["text"] for reference in row["references"]}
