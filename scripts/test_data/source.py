"""Reads a paper's source folder: `paper.toml`, `text.txt`, `references.txt`.

`text.txt` is chunks between blank lines. `#`, `##`, `###` open sections (`# Title {id type}`), `@figure`,
`@table`, `@equation`, `@code`, `@list` open blocks, anything else is a paragraph (`{#label kind}` may lead it).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from .model import CellSource, Element, Equation, Figure, Heading, Paper, Paragraph, Reference, Style, Table

_HEADING = re.compile(r"^(#{1,3}) (.+?) \{([\w-]+) ?([\w|-]*)\}$")
_LABEL = re.compile(r"^\{#([\w-]*) ?(\w*)\}\s*")
_SPANS = re.compile(r"^\{(?:c(\d))?(?:r(\d))?\}\s*")


def read_paper(folder: Path) -> Paper:
    """The paper whose source is in `folder`; raises `ValueError` with the chunk when one cannot be read."""
    settings = tomllib.loads((folder / "paper.toml").read_text(encoding="utf-8"))
    style = settings["style"]
    style["merged_references"] = tuple(tuple(group) for group in style["merged_references"])
    return Paper(
        id=folder.name,
        front=settings["front"],
        authors=tuple((family, given) for family, given in settings["authors"]),
        style=Style(**style),
        elements=tuple(_elements((folder / "text.txt").read_text(encoding="utf-8"))),
        references=tuple(_reference(line) for line in (folder / "references.txt").read_text("utf-8").splitlines()),
        figures_metadata=settings["figures_metadata"],
    )


def _elements(text: str) -> list[Element]:
    chunks = [chunk.strip("\n") for chunk in re.split(r"\n\s*\n", text) if chunk.strip()]
    elements: list[Element] = []
    kind = "body"
    for chunk in chunks:
        if chunk.startswith("#"):
            heading = _heading(chunk)
            kind = {"abstract": "abstract", "ack": "ack", "supplementary-material": "supplement"}.get(
                heading.type, "body"
            )
            elements.append(heading)
        elif chunk.startswith("@"):
            elements.append(_block(chunk))
        else:
            elements.append(_paragraph(chunk, kind))
    return elements


def _heading(chunk: str) -> Heading:
    match = _HEADING.match(chunk)
    if match is None:
        raise ValueError(f"not a heading with an id: {chunk!r}")
    return Heading(id=match[3], depth=len(match[1]), title=match[2], type=match[4])


def _paragraph(chunk: str, kind: str) -> Paragraph:
    text = " ".join(chunk.splitlines())
    match = _LABEL.match(text)
    if match is None:
        return Paragraph("", kind, text)
    return Paragraph(match[1], match[2] or kind, text[match.end() :])


def _block(chunk: str) -> Element:
    first, *lines = chunk.splitlines()
    name, *words = first.split()
    ident = words[0]
    match name:
        case "@equation":
            return Equation(ident, " ".join(lines))
        case "@code" | "@list":
            return Paragraph(ident, name[1:], "\n".join(lines))
        case "@figure":
            return _figure(ident, words[1:], lines)
        case "@table":
            return _table(ident, words[1:], lines)
    raise ValueError(f"unknown block: {first!r}")


def _options(words: list[str]) -> dict[str, str]:
    return {word.partition("=")[0]: word.partition("=")[2] for word in words}


def _figure(ident: str, words: list[str], lines: list[str]) -> Figure:
    options = _options(words)
    return Figure(
        id=ident,
        kind=options.get("kind", "Figure"),
        caption=" ".join(lines),
        panels=int(options.get("panels", "1")),
        height=int(options["height"]),
        wide="wide" in options,
    )


def _table(ident: str, words: list[str], lines: list[str]) -> Table:
    rows = [line for line in lines if line.startswith("|")]
    caption = " ".join(line for line in lines if not line.startswith(("|", "!")))
    notes = "\n".join(line[1:].strip() for line in lines if line.startswith("!"))
    options = _options(words)
    parsed = tuple(tuple(_cell(cell) for cell in row.strip().strip("|").split("|")) for row in rows)
    return Table(ident, caption, parsed, notes, "wide" in options, "split" in options)


def _cell(text: str) -> CellSource:
    text = text.strip()
    match = _SPANS.match(text)
    if match is None or not match.group(0).strip("{} "):
        return CellSource(text)
    return CellSource(text[match.end() :], int(match[1] or 1), int(match[2] or 1))


def _reference(line: str) -> Reference:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 10:
        raise ValueError(f"a reference has 10 fields, not {len(fields)}: {line!r}")
    key, names, *rest = fields
    authors = []
    for name in names.split(";"):
        family, _, given = name.partition(",")
        authors.append((family.strip(), given.strip()))
    return Reference(key, tuple(authors), *rest)
