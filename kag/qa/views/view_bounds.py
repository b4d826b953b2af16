"""What keeps a view small: results of at most 4,000 bytes and 20 items, paged by a cursor, and excerpts of texts.

A model pays for every byte it is shown, again at each step; so a view never gives more than it can take in at once,
and always says how much there is.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from kag.core.errors import BadValue
from kag.qa.paper import Node
from kag.text.sentences import sentences

MAX_BYTES = 4000  # of a result as UTF-8 JSON
MAX_ITEMS = 20
LEAD = 160  # characters of a text's beginning in a list
_HEAD_BYTES = 1500
_CURSOR_BYTES = 24
_STEPS = (1000, 400, 160, 60, 20)

Key = TypeVar("Key")


def size(value: Any) -> int:
    """Bytes of a value as UTF-8 JSON."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def shrunk(value: dict[str, Any], room: int) -> dict[str, Any]:
    """The value in at most `room` bytes (500 or more): long texts and lists are cut, the longest first."""
    for step in _STEPS:
        if size(value) <= room:
            return value
        value = {name: _cut(part, step) for name, part in value.items()}
    return value


def _cut(value: Any, longest: int) -> Any:
    if isinstance(value, str):
        return value[:longest]
    if isinstance(value, list):
        return [_cut(part, longest) for part in value[: max(1, longest // 20)]]
    if isinstance(value, dict):
        return {name: _cut(part, longest) for name, part in value.items()}
    return value


def paged(
    call: Sequence[str],
    head: Mapping[str, Any],
    keys: Sequence[Key],
    row: Callable[[Key], dict[str, Any]],
    cursor: str,
    limit: int = MAX_ITEMS,
    most: int = MAX_BYTES,
) -> dict[str, Any]:
    """One page of a list: as many rows as fit. `call` names the view and what it was asked, for the cursor,
    `most` the bytes of the result.

    Returns {"ok": true, **head, "total", "items", "cursor"}; the cursor is "" on the last page.
    """
    start = _start(cursor, call, len(keys))
    items: list[dict[str, Any]] = []
    result = {"ok": True, **shrunk(dict(head), _HEAD_BYTES), "total": len(keys), "items": items, "cursor": ""}
    room = most - size(result) - _CURSOR_BYTES
    for key in keys[start : start + limit]:
        item = row(key) if items else shrunk(row(key), room)
        room -= size(item) + 2
        if room < 0:
            break
        items.append(item)
    if start + len(items) < len(keys):
        result["cursor"] = f"{start + len(items)}-{_mark(call)}"
    return result


def _start(cursor: str, call: Sequence[str], total: int) -> int:
    """Where a cursor goes on; raises `BadValue` for one that this call did not give."""
    if cursor == "":
        return 0
    number, _, mark = text_of(cursor, "cursor").partition("-")
    if not re.fullmatch(r"[0-9]{1,9}", number) or mark != _mark(call) or not 0 < int(number) < total:
        raise BadValue(
            f"the cursor {number[:20]!r} is not of this call",
            hint="Repeat the call with the cursor it returned and the same arguments, or leave the cursor out.",
        )
    return int(number)


def _mark(call: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(call).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def text_of(value: Any, name: str) -> str:
    """A text argument; raises `BadValue` for anything else."""
    if not isinstance(value, str):
        raise BadValue(f"{name} is not a text", hint=f'Give {name} as a string, as in "ex:b_p001_0004".')
    return value


def whole_of(value: Any, name: str, least: int) -> int:
    """A whole number of at least `least`, also given as digits; raises `BadValue` for anything else."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadValue(f"{name} is not a number of at least {least}", hint=f"Give {name} as a whole number.")
    return value


def printable(text: str) -> str:
    """A text that UTF-8 can write: half a surrogate pair, as a caller may give one, becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


LONGEST = 480  # characters of an excerpt, unless asked for more


def excerpt(node: Node, start: int, end: int, longest: int = LONGEST) -> tuple[int, int]:
    """The sentences or table rows that a span touches; cut between words where they are longer than `longest`.

    The characters asked for are always inside, as far as they fit.
    """
    first, last = _rows(node.text, start, end) if node.kind == "Table" else _sentences(node.text, start, end)
    if last - first <= longest:
        return first, last
    room = max(0, longest - (end - start))
    return between_words(node.text, max(first, start - room // 2), min(last, max(start, first) + longest - room // 2))


def between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the pieces of words at its ends."""
    if start > 0 and not text[start - 1].isspace():
        blank = text.find(" ", start, end)
        start = blank + 1 if blank >= 0 else start
    if end < len(text) and not text[end].isspace():
        blank = text.rfind(" ", start, end)
        end = blank if blank > start else end
    return start, end


def _rows(text: str, start: int, end: int) -> tuple[int, int]:
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", max(start, end - 1))
    return first, len(text) if last < 0 else last


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    touched = [(first, last) for first, last in _spans(text) if first < max(end, start + 1) and last > start]
    return (min(touched[0][0], start), max(touched[-1][1], end)) if touched else (start, end)


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    return sentences(text)
