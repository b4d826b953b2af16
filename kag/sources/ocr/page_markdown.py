"""The text of a block: headings without hashes, tables as rows, and pages without tags cut into blocks.

Most blocks are one plain paragraph, so cheap looks come first; the Markdown parser runs only on text
that no tag describes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kag.core.types import Table
from kag.sources.tables import keeps_letters, parse_pipes, read_table, split_tables, stack, table_lines

FRONT_MATTER = re.compile(
    r"\s*---[ \t]*\n(?!\s*<\|ref)(?:(?!---|[^\n]*<\|ref)(?=[^\S\n]*+\S)[^\n]*+\n)++---[ \t]*$", re.M
)
_HASHES = re.compile(r"(#{1,6})([ \t]*)(?=[^\s#])")
_UNDERLINED = re.compile(r"([^\n]+)\n(?:(=)=+|--+)[ \t]*")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^()\n]*\)")
_TITLES = frozenset(("title", "sub_title"))


@dataclass(frozen=True, slots=True)
class BlockText:
    """The printed text of a block: without block marks, with heading level (0: none) and cells."""

    text: str
    heading_level: int = 0
    table: Table | None = None


def read_text(raw: str, label: str) -> BlockText:
    """The text of a block with this label; titles may lack the blank behind the hashes."""
    if "<table" in raw.lower():
        return _html_tables(raw)
    if "|" in raw and "\n" in raw:
        piped = _pipe_tables(raw)
        if piped is not None:
            return piped
    return _heading(raw, title=label in _TITLES)


def split_markdown(text: str) -> list[tuple[str, str, int]]:
    """Label, raw text and first line (from 0) of each top-level Markdown block; all of the text is in one of them."""
    front = FRONT_MATTER.match(text)
    starts = [(0, "text")] if front else []
    at = front.end() if front else 0
    line = text.count("\n", 0, at)
    starts += [(start + line, label) for start, label in _block_starts(text[at:])]
    starts = [(0, starts[0][1] if starts else "text"), *starts[1:]]
    lines = text.split("\n")
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    pieces = [(label, "\n".join(lines[start:end]), start) for (start, label), end in zip(starts, ends, strict=True)]
    return [(label, raw.strip(), start) for label, raw, start in pieces if raw.strip()]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable("inline")  # blocks only: what is in them is read later


def _block_starts(text: str) -> list[tuple[int, str]]:
    """First line and label of each top-level block."""
    tokens = _parser().parse(text)
    return [
        (token.map[0], _label(token, tokens[at + 1 : at + 2]))
        for at, token in enumerate(tokens)
        if token.level == 0 and token.map is not None
    ]


def _label(token: Token, following: list[Token]) -> str:
    if token.type == "heading_open":
        return "sub_title"
    if token.type == "table_open" or (token.type == "html_block" and "<table" in token.content.lower()):
        return "table"
    content = following[0].content if following else ""
    if token.type == "paragraph_open" and _IMAGE.fullmatch(content):
        return "image"
    return "text"


def _heading(raw: str, *, title: bool) -> BlockText:
    match = _HASHES.match(raw)
    if match and (match[2] or title):
        first, newline, rest = raw[match.end() :].partition("\n")
        return BlockText(_without_closing_hashes(first) + newline + rest, len(match[1]))
    underlined = _UNDERLINED.fullmatch(raw) if title else None
    if underlined:
        return BlockText(underlined[1].strip(), 1 if underlined[2] else 2)
    return BlockText(raw)


def _without_closing_hashes(heading: str) -> str:
    words = heading.rstrip().rstrip("#")
    return words.rstrip() if words.endswith((" ", "\t")) else heading


def _html_tables(raw: str) -> BlockText:
    lines: list[str] = []
    tables: list[Table] = []
    for piece, is_table in split_tables(raw):
        if not is_table:
            lines.append(piece.strip())
            continue
        table, outside = read_table(piece)
        printed = [outside, *table_lines(table)]
        if not keeps_letters(piece, printed):
            return BlockText(raw)  # the HTML parser gave up on hostile nesting; better unread than lost
        lines += printed
        tables.append(table)
    return BlockText("\n".join(line for line in lines if line), table=stack(tables))


def _pipe_tables(raw: str) -> BlockText | None:
    rest = raw.split("\n")
    lines: list[str] = []
    tables: list[Table] = []
    while (found := parse_pipes(rest)) is not None:
        first, end, table = found
        lines += [line for line in rest[:first] if line.strip()] + table_lines(table)
        tables.append(table)
        rest = rest[end:]
    if not tables:
        return None
    return BlockText("\n".join(lines + [line for line in rest if line.strip()]), table=stack(tables))
