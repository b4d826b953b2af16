"""Makes questions with gold answers: each `gold` is looked up in the paper's own gold, never typed twice.

A question in `questions.toml` has `gold = "verb:argument:..."`; the verbs are the functions of `_VERBS`. A `quote`
must stand word for word in a block it names as evidence, else making the questions fails.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .calls import Json
from .compose import Composed
from .model import Paper
from .numbering import Names


@dataclass(frozen=True, slots=True)
class Book:
    """Everything an answer can be looked up in."""

    paper: Paper
    names: Names
    composed: Composed
    gold: Json

    def paragraph(self, label: str) -> int:
        """The index of the paragraph an author labelled."""
        return next(i for i, (p, _) in enumerate(self.composed.paragraphs) if p.label == label)

    def below(self, section: str) -> set[str]:
        """The gold ids of a section and all under it."""
        ids = {self.names.sections[section].id}
        for row in self.gold["sections"]:  # parents come first
            if row["parent"] in ids:
                ids.add(row["id"])
        return ids


Found = tuple[Any, list[str]]


def make_questions(folder: Path, book: Book) -> list[Json]:
    """The questions of a paper with answers, gold and evidence; raises `ValueError` when a quote is not there."""
    rows = []
    asked = tomllib.loads((folder / "questions.toml").read_text(encoding="utf-8"))["question"]
    for number, question in enumerate(asked, 1):
        verb, *arguments = question["gold"].split(":", 1)
        gold, blocks = _VERBS[verb](book, arguments[0] if arguments else "")
        for place in question.get("evidence", []):
            blocks = blocks + _blocks(book, place)
        if verb == "quote":
            _check_quote(book, gold, blocks)
        blocks = sorted(set(blocks))
        rows.append(
            {
                "id": f"{book.paper.id}_{number:02d}",
                "question": question["question"],
                "type": question["type"],
                "answer": question["answer"].replace("{gold}", _said(gold)),
                "gold": gold,
                "evidence_blocks": blocks,
                "evidence_hints": question["hints"],
            }
        )
    return rows


def _said(gold: object) -> str:
    if isinstance(gold, list):
        return "; ".join(str(item) for item in gold)
    return str(gold)


def _check_quote(book: Book, quote: str, blocks: list[str]) -> None:
    paragraphs = [p for p in book.gold["paragraphs"] if set(p["blocks"]) & set(blocks)]
    hosts = [f"p{p['idx']}" for p in paragraphs] + [
        row["id"] for row in book.gold["figures"] + book.gold["tables"] if set(row["caption_blocks"]) & set(blocks)
    ]
    if not any(quote in book.composed.texts[host].plain for host in hosts):
        raise ValueError(f"{book.paper.id}: not in the evidence: {quote!r}")


def _row(book: Book, kind: str, ident: str) -> Json:
    """The gold of a figure, scheme or table by the author's id."""
    number = book.names.numbers[ident]
    if kind == "sch":
        number = f"Scheme {number}"
    rows = book.gold["tables" if kind == "tab" else "figures"]
    return next(row for row in rows if row["number"] == number)


def _blocks(book: Book, place: str) -> list[str]:
    """Block ids of a place: `par:label`, `sec:id`, `fig:id`, `tab:id`, `ref:key`."""
    kind, _, ident = place.partition(":")
    match kind:
        case "par":
            return list(book.gold["paragraphs"][book.paragraph(ident)]["blocks"])
        case "sec":
            section = book.names.sections[ident].id
            return list(next(row for row in book.gold["sections"] if row["id"] == section)["blocks"])
        case "ref":
            return list(_reference(book, ident)["blocks"])
        case "eq":
            return list(book.gold["equations"][int(book.names.numbers[ident]) - 1]["blocks"])
    row = _row(book, kind, ident)
    return [*row["caption_blocks"], *row.get("table_blocks", []), *row.get("image_blocks", [])]


def _reference(book: Book, key: str) -> Json:
    return dict(book.gold["references"][book.names.references[key].number - 1])


def _top_sections(book: Book, _: str) -> Found:
    rows = [row for row in book.gold["sections"] if row["depth"] == 1]
    return [row["title"] for row in rows], [row["blocks"][0] for row in rows]


def _subsections(book: Book, section: str) -> Found:
    parent = book.names.sections[section].id
    rows = [row for row in book.gold["sections"] if row["parent"] == parent]
    return [row["title"] for row in rows], [row["blocks"][0] for row in rows]


def _cited_in(book: Book, section: str) -> Found:
    """The references cited in a section and under it: numbers, or labels when the paper has no numbers."""
    sections = book.below(section)
    rows = [p for p in book.gold["paragraphs"] if p["section"] in sections and p["cites"]]
    numbers = sorted({n for row in rows for n in row["cites"]})
    blocks = [block for row in rows for block in row["blocks"]]
    if book.paper.style.citations != "author-year":
        return numbers, blocks
    return [book.gold["references"][n - 1]["citation_label"] for n in numbers], blocks


def _citing(book: Book, key: str) -> Found:
    """The titles of the sections whose paragraphs cite a reference."""
    number = book.names.references[key].number
    return _titles(book, [p for p in book.gold["paragraphs"] if number in p["cites"]])


def _mentioning(book: Book, place: str) -> Found:
    """The titles of the sections whose paragraphs refer to a float (`fig:id`, `tab:id`)."""
    kind, _, ident = place.partition(":")
    number = _row(book, kind, ident)["number"]
    name = "tables" if kind == "tab" else "figures"
    return _titles(book, [p for p in book.gold["paragraphs"] if number in p[name]])


def _titles(book: Book, rows: list[Json]) -> Found:
    titles = {row["id"]: row["title"] for row in book.gold["sections"]}
    found = list(dict.fromkeys(titles[row["section"]] for row in rows))
    return found, [block for row in rows for block in row["blocks"]]


def _count(book: Book, what: str) -> Found:
    return len(book.gold[what]), [block for row in book.gold[what] for block in row["blocks"]]


def _bibliography(book: Book, argument: str) -> Found:
    key, _, name = argument.partition(":")
    row = _reference(book, key)
    if name == "authors":
        return [f"{a['family']}, {a['given']}".rstrip(", ") for a in row["authors"]], row["blocks"]
    return row[name], row["blocks"]


def _caption(book: Book, place: str) -> Found:
    kind, _, ident = place.partition(":")
    return _row(book, kind, ident)["caption"], _blocks(book, place)


def _cell(book: Book, argument: str) -> Found:
    """`cell:table:row:column`, counted from 0 in the printed cells."""
    ident, row, column = argument.split(":")
    return _row(book, "tab", ident)["cells"][int(row)][int(column)], _blocks(book, f"tab:{ident}")


def _quote(book: Book, words: str) -> Found:
    return words, []


def _none(book: Book, _: str) -> Found:
    return None, []


_VERBS: dict[str, Callable[[Book, str], Found]] = {
    "top_sections": _top_sections,
    "subsections": _subsections,
    "cited_in": _cited_in,
    "citing": _citing,
    "mentioning": _mentioning,
    "count": _count,
    "bibliography": _bibliography,
    "caption": _caption,
    "cell": _cell,
    "quote": _quote,
    "none": _none,
}
