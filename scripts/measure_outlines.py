"""How many headings get their right parent from words alone: no page, no type, as of OCR at its barest.

    python scripts/measure_outlines.py GOLD...

GOLD is a folder of papers with `gold.json` in the form of `jats_gold` or `pdf_gold`. Headings that no page shows, or
that share a line with their text, are left out; what lies below them counts as theirs. Papers without numbers in their
headings and with numbers are told apart, and so are every other paper: rules are made by looking at the first of each
two only.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kag.text.plain import plain
from kag.values.types import Block
from kag.write.structure.headings import Printed, outline
from kag.write.structure.titles import printed_number


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a paper as printed, and the place of each one's parent, None for the paper itself."""

    paper: str
    publisher: str
    headings: tuple[Printed, ...]
    parents: tuple[int | None, ...]


def read(folder: Path) -> Outline:
    """The outline that a paper's gold tells."""
    gold = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    shown = [one for one in gold["sections"] if one.get("printed", True) and not one.get("run_in")]
    places = {one["id"]: n for n, one in enumerate(shown)}
    above = {one["id"]: one["parent"] for one in gold["sections"]}
    texts = [" ".join(_texts(gold, one["id"], places)) for one in shown]
    parents = []
    for one in shown:
        parent = one["parent"]
        while parent and parent not in places:
            parent = above[parent]
        parents.append(places[parent] if parent else None)
    headings = tuple(_printed(one, n, texts) for n, one in enumerate(shown))
    publisher = gold.get("publisher") or gold["source"].get("repository", "")
    return Outline(folder.name, publisher, headings, tuple(parents))


def _texts(gold: dict[str, Any], section: str, shown: dict[str, int]) -> Iterator[str]:
    """The words under a heading, those of subsections whose headings are not shown with them."""
    yield from (one["text"] for one in gold["paragraphs"] if one["section"] == section)
    for one in gold["sections"]:
        if one["parent"] == section and one["id"] not in shown:
            yield from _texts(gold, one["id"], shown)


def _printed(section: dict[str, Any], place: int, texts: list[str]) -> Printed:
    title = plain(section.get("shown") or section["title"])
    block = Block(f"b_p001_{place:04d}", 1, place, "sub_title", (), title, title, title, 2)
    return Printed(block, place > 0 and not texts[place - 1], texts[place])


def right(one: Outline) -> int:
    """How many headings of a paper get the parent that its gold says."""
    path: list[tuple[int, int]] = []  # place and depth of the open headings
    found = 0
    for place, (heading, parent) in enumerate(zip(outline(one.headings), one.parents, strict=True)):
        while path and path[-1][1] >= heading.depth:
            path.pop()
        found += (path[-1][0] if path else None) == parent
        path.append((place, heading.depth))
    return found


def main(roots: list[str]) -> None:
    """Print a line a paper and the sums."""
    sums: Counter[tuple[str, str]] = Counter()
    for root in map(Path, roots):
        papers = sorted(path.parent for path in root.glob("*/gold.json") if "__" not in path.parent.name)
        for n, folder in enumerate(papers):
            one = read(folder)
            numbers = sum(bool(printed_number(heading.block.plain)) for heading in one.headings)
            kind = f"{root.name}, {'numbered' if numbers * 3 >= len(one.headings) else 'without numbers'}"
            kind += ", looked at" if n % 2 == 0 else ", not looked at"
            found, all_ = right(one), len(one.headings)
            sums[kind, "right"] += found
            sums[kind, "all"] += all_
            print(f"{found:4} of {all_:4}  {one.paper}  {one.publisher}")
    for kind in sorted({kind for kind, _ in sums}):
        share = sums[kind, "right"] / max(1, sums[kind, "all"])
        print(f"{share:.3f}  {sums[kind, 'right']} of {sums[kind, 'all']}  {kind}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
