"""`ocr.json`: how each page of an OCR folder that kag wrote was read, for its readers.

A folder of somebody else's OCR has none, and nothing is to be told of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from kag.core.files import parse_object, read_regular
from kag.core.types import Repair

RECORD = "ocr.json"
LARGEST = 8 * 1024 * 1024  # bytes of a record; one of a thousand pages has 200,000

Way = Literal["model", "blank", "text layer", "tesseract", "part", "nothing"]
"""Who read a page: "part" is a model's reply that cannot be used as a whole, "nothing" that no way was left."""

_DONE: Mapping[str, str] = {
    "text layer": "read from the PDF's own text",
    "tesseract": "read by tesseract",
    "part": "kept as far as it goes",
    "nothing": "page left out",
}


@dataclass(frozen=True, slots=True)
class PageRead:
    """How a page was read, and why not by the model; `tool` names the program or model that read it."""

    page: int
    by: Way
    why: str = ""
    tool: str = ""


def record_text(made_from: Mapping[str, Any], pages: Sequence[PageRead]) -> str:
    """The record as JSON: what the folder was made from, and its pages."""
    rows = [{name: value for name, value in asdict(page).items() if value} for page in pages]
    return json.dumps({**made_from, "pages": rows}, ensure_ascii=False, indent=1) + "\n"


def repairs_of(pages: Sequence[PageRead]) -> tuple[Repair, ...]:
    """Return the repairs to report: each page that the model did not read, the reason, and the fallback.

    >>> [repair] = repairs_of([PageRead(1, "model"), PageRead(2, "tesseract", "the model repeated itself")])
    >>> repair
    Repair(page=2, line=0, problem='not read by the OCR model: the model repeated itself', action='read by tesseract')
    """
    return tuple(
        Repair(page.page, 0, f"not read by the OCR model: {page.why}", _DONE[page.by])
        for page in pages
        if page.by in _DONE
    )


def recorded_repairs(folder: Path) -> tuple[Repair, ...]:
    """Return the page records of a folder; none if it is missing or unreadable."""
    try:
        rows = parse_object(read_regular(folder / RECORD, LARGEST).decode("utf-8")).get("pages")
    except (OSError, ValueError):
        return ()
    read = [_page(row) for row in rows] if isinstance(rows, list) else []
    return repairs_of([page for page in read if page is not None])


def _page(row: object) -> PageRead | None:
    if not isinstance(row, dict) or row.get("by") not in _DONE:
        return None
    page, why = row.get("page"), row.get("why", "")
    if isinstance(page, bool) or not isinstance(page, int) or not isinstance(why, str):
        return None
    return PageRead(page, row["by"], why)
