"""References of annotated papers under a free licence, as records to be printed in other styles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FREE = ("CC0", "CC BY", "CC BY 3.0", "CC BY 4.0")
ARTICLES = ("journal", "article-journal")
_NAMES = {"title": "title", "container": "journal", "year": "date", "volume": "volume", "issue": "issue"}


def paper_rows(folder: Path) -> list[dict[str, Any]]:
    """Rows of the journal articles that the papers of a folder cite; `people` has their authors.

    The folder has `index.json` (`paper`, `licence`, `variant_of`) and `PAPER/gold.json` (`references`) for each paper.
    """
    known = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    free = sorted(row["paper"] for row in known if row["licence"] in FREE and not row["variant_of"])
    return [
        {"text": cited["text_without_number"], "fields": _fields(cited), "source": f"paper {paper}",
         "people": [(person["family"], person["given"]) for person in cited["authors"]]}
        for paper in free
        for cited in json.loads((folder / paper / "gold.json").read_text(encoding="utf-8"))["references"]
        if cited["type"] in ARTICLES and cited["authors"] and cited["title"] and cited["container"] and cited["year"]
    ]  # fmt: skip


def _fields(cited: Mapping[str, Any]) -> dict[str, list[str]]:
    """The fields as labelled strings have them; a value that is not printed is not asked for."""
    pages = "–".join(filter(None, (cited["fpage"], cited["lpage"])))
    values = {new: cited[old].rstrip(".") for old, new in _NAMES.items()}
    there = {name: [value] for name, value in values.items() if value and value in cited["text"]}
    return {"author": [cited["authors"][0]["family"]], **there, **({"pages": [pages]} if pages else {})}
