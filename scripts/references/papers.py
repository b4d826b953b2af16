"""References of annotated papers under a free licence, as records to be printed in other styles."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

FREE = ("CC0", "CC BY", "CC BY 3.0", "CC BY 4.0")
SEED = 7
_FIRST_NAME = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]{2,}(?:-[^\W\d_]{2,})?")
ARTICLES = ("journal", "article-journal")
_NAMES = {"title": "title", "container": "journal", "year": "date", "volume": "volume", "issue": "issue"}


def paper_rows(folder: Path) -> list[dict[str, Any]]:
    """Rows of the journal articles that the papers of a folder cite; `people` has their authors.

    The folder has `index.json` (`paper`, `licence`, `variant_of`) and `PAPER/gold.json` (`references`) for each paper.
    """
    known = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    free = sorted(row["paper"] for row in known if row["licence"] in FREE and not row["variant_of"])
    papers = {paper: json.loads((folder / paper / "gold.json").read_text(encoding="utf-8")) for paper in free}
    first = _first_names(papers.values())
    draw = random.Random(SEED)
    return [
        {"text": cited["text_without_number"], "fields": _fields(cited), "source": f"paper {paper}",
         "people": [(person["family"], _in_full(person["given"], first, draw)) for person in cited["authors"]]}
        for paper, gold in papers.items()
        for cited in gold["references"]
        if cited["type"] in ARTICLES and cited["authors"] and cited["title"] and cited["container"] and cited["year"]
    ]  # fmt: skip


def _first_names(papers: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The first names that are printed in full in the papers, by their first letter."""
    people = [person for gold in papers for person in (*gold.get("authors", ()), *_cited(gold))]
    words = {word for person in people for word in person.get("given", "").split() if _FIRST_NAME.fullmatch(word)}
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        found.setdefault(word[0], []).append(word)
    return found


def _cited(gold: Mapping[str, Any]) -> list[Mapping[str, str]]:
    return [person for cited in gold["references"] for person in cited["authors"]]


def _in_full(given: str, first: Mapping[str, Sequence[str]], draw: random.Random) -> str:
    """Given names with a first name in place of the first initial: styles that print initials print them anyway."""
    letters = re.findall(r"[^\W\d_]", given)
    if not letters or not given.replace(".", "").replace(" ", "").replace("-", "").isupper() or letters[0] not in first:
        return given
    more = [f"{letter}." for letter in letters[1:] if draw.random() < 0.6]
    return " ".join((draw.choice(first[letters[0]]), *more))


def _fields(cited: Mapping[str, Any]) -> dict[str, list[str]]:
    """The fields as labelled strings have them; a value that is not printed is not asked for."""
    pages = "–".join(filter(None, (cited["fpage"], cited["lpage"])))
    values = {new: cited[old].rstrip(".") for old, new in _NAMES.items()}
    there = {name: [value] for name, value in values.items() if value and value in cited["text"]}
    return {"author": [cited["authors"][0]["family"]], **there, **({"pages": [pages]} if pages else {})}
