"""How good the questions are that the baseline has for a model, on annotated papers.

    python -m scripts.benchmarks.measure_ambiguities GOLD [--half 0|1] [--list]

GOLD holds a folder a paper with OCR pages and gold.json. For each kind of question: how often it is asked, how often
the baseline's choice is wrong, how often the right answer is offered where it is, and the needless share: questions
whose answer changes nothing. The outline question is asked once a paper; it is needless where no heading lies wrong.
`--half 0` or `1` takes every other paper; `--list` names each question whose right answer is not the baseline's.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.agents.build.ambiguities import NONE, PART_OF, Ambiguity, find_ambiguities
from kag.agents.build.outline import is_ambiguous
from kag.sources.ocr.folder import read_document
from kag.write.build_plan import Plan, PlannedSection, plan_sections

KINDS = {"title": "doco:Title", "authors": "doco:ListOfAuthors", "affiliations": "doco:ListOfOrganizations"}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: whether the baseline's choice is wrong, and whether the right answer is offered."""

    paper: str
    kind: str
    what: str
    wrong: bool
    offered: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """What gold says of blocks: the heading above each heading, the part before each part, the floats of captions."""

    above: Mapping[str, str | None]
    before: Mapping[str, str]
    floats: Mapping[str, set[str]]
    captions: Mapping[str, set[str]]
    entries: Mapping[str, int]
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, gold: Mapping[str, Any]) -> Truth:
        """The annotation of `gold.json`."""
        head = {s["id"]: s["blocks"][0] for s in gold["sections"] if s["blocks"]}
        floats: dict[str, set[str]] = defaultdict(set)
        captions: dict[str, set[str]] = defaultdict(set)
        for item in (*gold["figures"], *gold["tables"]):
            for caption in item.get("caption_blocks", ()):
                for body in (*item.get("image_blocks", ()), *item.get("table_blocks", ())):
                    floats[caption].add(body)
                    captions[body].add(caption)
        return cls(
            {head[s["id"]]: head.get(s["parent"]) for s in gold["sections"] if s["id"] in head},
            {b: a for p in gold["paragraphs"] for a, b in zip(p["blocks"], p["blocks"][1:], strict=False)},
            floats,
            captions,
            {block: r["number"] for r in gold["references"] for block in r.get("blocks", ())},
            {block["id"]: block["kind"] for block in gold["blocks"]},
        )

    def right(self, doubt: Ambiguity) -> set[str]:
        """The right answers of a question, whether they are offered or not."""
        block = doubt.block
        if doubt.question == "continues":
            return {self.before.get(block, NONE)}
        if doubt.question == "describes":
            return self.floats.get(block) or {NONE}
        if doubt.question == "caption":
            parts = {PART_OF + other for text in self.captions.get(block, ()) for other in self.floats[text] - {block}}
            return (self.captions.get(block) or {NONE}) | parts
        if doubt.question == "class":
            return {KINDS.get(self.kinds.get(block, ""), "doco:Paragraph")}
        return {"joined" if list(self.entries.values()).count(self.entries.get(block, -1)) > 1 else "apart"}


def wrong_headings(sections: tuple[PlannedSection, ...], truth: Truth) -> list[str]:
    """The headings that lie below another heading than gold says."""
    blocks = [section.heading.block.id if section.heading else None for section in sections]
    return [
        section.title
        for section, block in zip(sections, blocks, strict=True)
        if block in truth.above
        and truth.above[block] != (blocks[section.parent] if section.parent is not None else None)
    ]


def questions(name: str, plan: Plan, doubts: tuple[Ambiguity, ...], truth: Truth) -> Iterator[Asked]:
    """The questions of one paper."""
    for doubt in doubts:
        right = truth.right(doubt)
        wrong = doubt.candidates[0] not in right
        told = f"{doubt.block}: {doubt.candidates} {doubt.reason}; gold {sorted(right)}"
        yield Asked(name, doubt.question, told, wrong, bool(right & set(doubt.candidates)))
    if is_ambiguous(plan.sections):
        lost = wrong_headings(plan.sections, truth)
        yield Asked(name, "outline", f"wrong {lost}", bool(lost), True)  # any place may be answered


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1), help="Every other paper, from the first or the second.")
    parser.add_argument("--list", action="store_true", help="Name the questions that are no needless ones.")
    options = parser.parse_args()
    papers = [path for path in sorted(options.gold.glob("*/gold.json")) if "__" not in path.parent.name]
    if options.half is not None:
        papers = papers[options.half :: 2]
    found: list[Asked] = []
    headings = in_asked = 0
    for path in papers:
        document, truth = read_document(path.parent), Truth.of(json.loads(path.read_text(encoding="utf-8")))
        plan = plan_sections(document)
        found += questions(path.parent.name, plan, find_ambiguities(document, plan), truth)
        lost = len(wrong_headings(plan.sections, truth))
        headings += lost
        in_asked += lost if is_ambiguous(plan.sections) else 0
    print(f"{'question':10} {'asked':>6} {'wrong':>6} {'offered':>8} {'needless':>9}")
    tallies = Counter((one.kind, what) for one in found for what in _facts(one))
    for kind in sorted({one.kind for one in found}):
        asked, wrong, offered = (tallies[kind, what] for what in ("asked", "wrong", "offered"))
        print(f"{kind:10} {asked:6} {wrong:6} {_share(offered, wrong):>8} {_share(asked - wrong, asked):>9}")
    asked, wrong, offered = (sum(tallies[k, what] for k in {o.kind for o in found}) for what in FACTS)
    print(f"{'all':10} {asked:6} {wrong:6} {_share(offered, wrong):>8} {_share(asked - wrong, asked):>9}")
    print(f"{len(papers)} papers; {headings} headings below a wrong one, {in_asked} of them in papers that are asked")
    for one in found if options.list else ():
        if one.wrong:
            print(f"{one.paper} {one.kind} {one.what}")
    return 0


FACTS = ("asked", "wrong", "offered")


def _facts(one: Asked) -> Iterator[str]:
    yield "asked"
    if one.wrong:
        yield "wrong"
        if one.offered:
            yield "offered"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


if __name__ == "__main__":
    raise SystemExit(main())
