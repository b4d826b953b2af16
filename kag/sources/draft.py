"""`assemble`: what a source found, in reading order, becomes a `Document`.

A reader of a source writes `Draft`s: blocks that have no id yet, and name each other by keys of the reader's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from kag.core.errors import SourceError
from kag.core.types import NO_METADATA, Block, Box, Document, FigureFile, Ground, Link, Mark, Metadata, Repair, Table
from kag.text.plain import plain

LONGEST_BLOCK = 1_000_000
"""Characters that a block may have: no printed one has a hundredth, and graph stores read texts of up to 16 MiB."""


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a run of characters: the key of a draft, and the character there."""

    start: int
    end: int
    key: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """A block to be. `text` is `Block.text`, `plain` its words where the source knows them better than `plain` would.

    `key` is how other drafts of the source name this one: in `targets`, `caption_of` and `continues`. Pages count
    from 1; a source without pages gives 1.
    """

    page: int
    label: str
    text: str
    boxes: tuple[Box, ...] = ()
    raw: str | None = None
    plain: str | None = None
    level: int = 0
    ground: Ground = ""
    table: Table | None = None
    key: str = ""
    caption_of: str = ""
    continues: str = ""
    marks: tuple[Mark, ...] = ()
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The content of a source: `Document` without names."""

    drafts: Sequence[Draft]
    pages: int
    sha256: str
    source: str
    figures: tuple[FigureFile, ...] = ()
    repairs: tuple[Repair, ...] = ()
    page_sizes: tuple[tuple[float, float], ...] = ()
    metadata: Metadata = NO_METADATA
    pictures: Mapping[str, bytes] | None = None


def assemble(paper_id: str, parsed: Parsed) -> Document:
    """Give blocks their ids, by page and place on it, and put ids in place of keys.

    A key that no draft has leads nowhere, and is left out; a text that is too long for a graph's engine is cut. Raises
    `SourceError` where nothing is printed.
    """
    wanted = (draft for draft in parsed.drafts if draft.text.strip() or draft.label != "text")
    repairs = list(parsed.repairs)
    drafts = sorted((part for draft in wanted for part in _cut(draft, repairs)), key=attrgetter("page"))
    if not any(draft.text.strip() for draft in drafts):
        raise SourceError(f"{paper_id}: no text was found in it", hint="Check that the file holds a whole paper.")
    places: Counter[int] = Counter()
    ids: list[str] = []
    for draft in drafts:
        places[draft.page] += 1
        ids.append(f"b_p{draft.page:03d}_{places[draft.page]:04d}")
    named = {draft.key: block_id for draft, block_id in zip(drafts, ids, strict=True) if draft.key}
    blocks = tuple(_block(draft, block_id, named) for draft, block_id in zip(drafts, ids, strict=True))
    return Document(
        paper_id,
        blocks,
        parsed.figures,
        tuple(sorted(repairs, key=lambda repair: (repair.page, repair.line))),
        parsed.pages,
        parsed.sha256,
        parsed.source,
        parsed.page_sizes,
        parsed.metadata,
        parsed.pictures or {},
    )


def _cut(draft: Draft, repairs: list[Repair]) -> list[Draft]:
    """The draft, or its pieces; what is linked from it is lost with the whole."""
    pieces = cut_text(draft.text, draft.page, 0, repairs)
    return [draft] if len(pieces) == 1 else [Draft(draft.page, "text", piece, draft.boxes) for piece in pieces]


def cut_text(text: str, page: int, line: int, repairs: list[Repair]) -> list[str]:
    """A text in pieces that an engine of a graph can take, cut behind a line or a word; a cut is noted as a repair."""
    pieces, rest = [], text
    while len(rest) > LONGEST_BLOCK:
        room = rest[:LONGEST_BLOCK]
        end = max(room.rfind("\n"), room.rfind(" ")) + 1 or LONGEST_BLOCK
        pieces.append(rest[:end])
        rest = rest[end:]
    if pieces:
        problem, action = f"a block of {len(text)} characters", f"cut into {len(pieces) + 1} blocks of text"
        repairs.append(Repair(page, line, problem, action))
    return [*pieces, rest]


def _block(draft: Draft, block_id: str, named: Mapping[str, str]) -> Block:
    found = ((target, named.get(target.key)) for target in draft.targets)
    text = draft.text
    words = plain(text) if draft.plain is None else draft.plain
    return Block(
        id=block_id,
        page=draft.page,
        order=int(block_id.rpartition("_")[2]),
        label=draft.label,
        boxes=draft.boxes,
        raw=text if draft.raw is None or draft.raw == text else draft.raw,  # one text is held once
        text=text,
        plain=text if words == text else words,
        heading_level=draft.level,
        table=draft.table,
        ground=draft.ground,
        caption_of=named.get(draft.caption_of, ""),
        continues=named.get(draft.continues, ""),
        marks=draft.marks,
        links=tuple(Link(target.start, target.end, block, target.at) for target, block in found if block),
    )
