"""`Flow`: blocks as a converter's reader writes them, each with its place and its captions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kag.core.types import NO_METADATA, Box, Metadata, Table
from kag.sources.boxes import Sheets
from kag.sources.draft import Draft, Parsed, Target
from kag.sources.ocr.page_markdown import read_text
from kag.sources.outline import finished
from kag.sources.pictures import Gallery
from kag.sources.tables import table_lines

_TABLES = frozenset({"table"})
_WHOLE_PAGE = re.compile(r"</?(?:html|body)>", re.I)  # that some write around a table


@dataclass(slots=True)
class Flow:
    """The blocks of a paper so far. Keys are numbers of the flow's own; `names` are those that the file gives."""

    sheets: Sheets
    gallery: Gallery
    drafts: list[Draft] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> Flow:
        """An empty flow for the paper in a file."""
        return cls(Sheets(), Gallery(path.parent))

    def add(self, page: int, label: str, text: str, boxes: tuple[Box, ...] = (), *, level: int = 0) -> str:
        """Add a block, a table's HTML or pipes read into cells; returns its key."""
        key = f"#{len(self.drafts)}"
        text = _WHOLE_PAGE.sub("", text)
        read = read_text(text, label) if label in _TABLES or "<table" in text.lower() else None
        table = read.table if read else None
        words = read.text if read and table else text.strip()
        self.drafts.append(Draft(page, label, words, boxes, raw=text, table=table, key=key, level=level))
        return key

    def formula(self, page: int, latex: str, boxes: tuple[Box, ...] = ()) -> None:
        """Add a displayed formula, its delimiters as OCR writes them."""
        bare = latex.strip().removeprefix("$$").removesuffix("$$").strip()
        bare = bare.removeprefix("\\[").removesuffix("\\]").strip()
        if bare:
            self.add(page, "equation", f"\\[ {bare} \\]", boxes)

    def picture(self, page: int, boxes: tuple[Box, ...], where: object = None) -> str:
        """Add a picture, and its file where there is one."""
        self.gallery.add(page, boxes, where)
        return self.add(page, "image", "", boxes)

    def beside(self, page: int, label: str, texts: Iterable[str], of: str, boxes: tuple[Box, ...] = ()) -> None:
        """Add the captions or notes of a float."""
        for text in texts:
            if text.strip():
                caption_of = of if label.endswith("caption") else ""
                self.drafts.append(
                    Draft(page, label, text.strip(), boxes, key=f"#{len(self.drafts)}", caption_of=caption_of)
                )

    def link(self, targets: Iterable[Target]) -> None:
        """Let links lead from the block that was added last, to names."""
        self.drafts[-1] = replace(self.drafts[-1], targets=tuple(targets))

    def name(self, names: Iterable[str]) -> None:
        """Give the block that was added last names; one that another has already stays with that."""
        for name in names if self.drafts else ():
            self.names.setdefault(name, self.drafts[-1].key)

    def parsed(self, kind: str, sha256: str, metadata: Metadata = NO_METADATA, *, in_points: bool = False) -> Parsed:
        """What was written, as it is handed on; `in_points` says that sizes of pages are in points."""
        drafts = [self._resolved(draft) for draft in finished(self.drafts)]
        pages = max([len(self.sheets.sizes), *(draft.page for draft in drafts)], default=1)
        repairs = (*self.sheets.repairs, *self.gallery.repairs)
        sizes = self.sheets.points() if in_points else ()
        figures, pictures = tuple(self.gallery.figures), self.gallery.pictures
        return Parsed(drafts, pages, sha256, kind, figures, repairs, sizes, metadata, pictures)

    def _resolved(self, draft: Draft) -> Draft:
        """Return the draft with keys in place of names; links to unknown names are dropped."""
        led = tuple(replace(target, key=self.names[target.key]) for target in draft.targets if target.key in self.names)
        return replace(draft, targets=led) if draft.targets else draft


def table_draft(page: int, table: Table | None, boxes: tuple[Box, ...] = (), key: str = "", above: str = "") -> Draft:
    """The block of a table, a row a line, behind the words that are printed `above` it."""
    lines = [above, *(table_lines(table) if table else ())]
    text = "\n".join(filter(None, lines))
    return Draft(page, "table", text, boxes, plain=" ".join(text.split()), table=table, key=key)
