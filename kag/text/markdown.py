"""Strangers' texts inside Markdown: shown letter by letter, never read as Markdown or HTML of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_TEXT = 20_000  # characters of one block
MAX_CELL = 240  # characters of one table cell
MAX_ROWS = 40  # of one table

# Control characters, and those that turn the direction of what follows.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
_MARKS = re.compile(
    r"[\\`*{}\[\]<>#|~&!@]|(?<![^\W_])_|_(?![^\W_])|(?<=\w):(?=//)|(?<=www)\.|^[-+=](?=\s|=|-|$)|^\d+(?=[.)](?:\s|$))",
    re.M | re.I,
)


def plain_text(text: str) -> str:
    r"""One line of text for a paragraph or a cell; what Markdown would read as a mark is escaped.

    >>> print(plain_text("a <b> [c](http://d) | *e*"))
    a \<b\> \[c\](http\://d) \| \*e\*
    """
    return _escaped(" ".join(_clean(text).split()))


def quoted(text: str) -> str:
    """Lines of text as a quotation."""
    lines = (_escaped(line.strip()) for line in shortened(_clean(text).strip()).splitlines())
    return "\n".join(f"> {line}".rstrip() for line in lines)


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks inside.

    >>> print(fenced("a ``` b"))
    ````
    a ``` b
    ````
    """
    body = shortened(_clean(text).strip("\n"))
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def unfenced(code: str) -> str:
    """Code without the fence that a model has put around all of it."""
    lines = code.strip().splitlines()
    whole = len(lines) > 1 and lines[0].startswith("```") and lines[-1].strip() == "```"
    return "\n".join(lines[1:-1]) if whole else code


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; long cells are cut, rows beyond `MAX_ROWS` are counted."""
    shown = [[plain_text(_cut(cell)) for cell in row] for row in rows[:MAX_ROWS]]
    lines = ["| " + " | ".join(row) + " |" for row in ([*head], ["---"] * len(head), *shown)]
    if len(rows) > MAX_ROWS:
        lines += ["", f"... and {len(rows) - MAX_ROWS} more"]
    return "\n".join(lines)


def shortened(text: str) -> str:
    """At most `MAX_TEXT` characters, the middle left out."""
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 3] + "..."


def _clean(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("\ufffd", text).encode("utf-8", "replace").decode("utf-8")


def _escaped(line: str) -> str:
    return _MARKS.sub(lambda mark: mark[0] + "\\" if mark[0].isdigit() else "\\" + mark[0], line)
