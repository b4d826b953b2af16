"""Bounds of views: results of at most 4,000 bytes and 20 items, paged by a cursor, and excerpts of texts.

A model pays for every byte it is shown, again at each step; so a view never gives more than it can take in at once,
and always says how much there is.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from kag.core.errors import BadValue, UnknownNode
from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.word_query import section_named
from kag.text.search_text import search_text
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
    """Return the start that a cursor names; raises `BadValue` for one of another call."""
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


FLOATS = ("Figure", "Table")

_SECTION_WORD = re.compile(r"^\s*(?:(?:sub)*section|sect?\.|§)\s*", re.I)
_FLOAT_NAME = re.compile(r"\s*([A-Za-z]+)\.?\s*([A-Za-z]?\d{1,4}(?:[A-Za-z]|-s\d{1,2})?|[IVXLC]{1,7})\.?\s*")
_SUPPLEMENT = re.compile(r"(?<=\d)\s?[—–-]+\s?figure\s+supplement\s+(?=\d)", re.I)
_NUMBER_FIRST = re.compile(r"^[\d.)\s]++")
_LONGEST = 300  # characters of a name; a title has fewer


class Names:
    """The names of one paper. Every refusal is an `InvalidOperation` whose hint lists what there is."""

    def __init__(self, paper: PaperGraph) -> None:
        self._paper = paper

    def node(self, name: str) -> str:
        """The IRI of a node, section or the paper itself."""
        asked = text_of(name, "the node")
        iri = self._paper.resolve(asked)
        if iri is None:
            float_ = self._labelled(asked)
            iri = float_.iri if float_ else self._section(asked)
        if iri is None:
            raise self._unknown(asked)
        return iri

    def section(self, name: str) -> Section | None:
        """A section by name, number, title or type; None for the paper itself."""
        asked = text_of(name, "the section")
        iri = self._paper.resolve(asked) or self._section(asked)
        if iri == self._paper.document or not asked.strip():
            return None
        if iri is None:
            raise self._unknown(asked)
        if iri not in self._paper.sections:
            home = self._paper.section_of(iri)
            hint = f"It is in {home.name} ({home.title[:80]})." if home else "Ask g_node_detail about it."
            raise BadValue(f"{self._paper.name(iri)} is not a section", hint=hint)
        return self._paper.sections[iri]

    def float_(self, name: str, kinds: tuple[str, ...] = FLOATS) -> Node:
        """A figure or table by name or label ("Figure 3")."""
        asked = text_of(name, "the figure")
        iri = self._paper.resolve(asked)
        node = self._labelled(asked) if iri is None else self._paper.nodes.get(iri)
        if iri is None and node is None:
            raise self._unknown(asked)
        if node is None or node.kind not in kinds:
            known = [f"{one.name} {one.label}".strip() for one in self._paper.of_kind(*kinds)]
            raise BadValue(
                f"{printable(asked[:80])} is not a {' or '.join(kinds).lower()}", hint=_listed("It has", known)
            )
        return node

    def _labelled(self, asked: str) -> Node | None:
        match = _FLOAT_NAME.fullmatch(_SUPPLEMENT.sub("-s", asked[:_LONGEST]))
        return self._floats.get((match[1][:3].lower(), match[2].lower())) if match else None

    @cached_property
    def _floats(self) -> dict[tuple[str, str], Node]:
        """Figures and tables by the first letters of what they are called, and number."""
        found: dict[tuple[str, str], Node] = {}
        for node in self._paper.of_kind(*FLOATS):
            for word in (node.kind, node.label):
                if node.number and word:
                    found.setdefault((word[:3].lower(), node.number.lower()), node)
        return found

    def _section(self, asked: str) -> str | None:
        """A section by number, title, title without number, type, or words of its title: the first that fits one."""
        wanted = search_text(asked[:_LONGEST]).text.strip()
        bare = _SECTION_WORD.sub("", wanted).strip(" .")
        if not bare:
            return None
        ladder: tuple[Callable[[tuple[Section, str]], bool], ...] = (
            lambda one: one[0].number == bare,
            lambda one: one[1] == wanted,
            lambda one: _NUMBER_FIRST.sub("", one[1]) == bare,
            lambda one: bare in (role.lower() for role in one[0].types),
            lambda one: section_named(bare, (one[1],)),
        )
        for fits in ladder:
            sections = [section for section, title in self._titles if fits((section, title))]
            if len(sections) == 1:
                return sections[0].iri
            if sections:
                known = (f"{section.name} {section.title[:60]}" for section in sections)
                raise BadValue(
                    f"{len(sections)} sections are called {printable(asked[:80])!r}", hint=_listed("Choose", known)
                )
        return None

    @cached_property
    def _titles(self) -> list[tuple[Section, str]]:
        return [(section, search_text(section.title).text.strip()) for section in self._paper.sections.values()]

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._paper.name(iri) for iri in (*self._paper.nodes, *self._paper.sections))

    def _unknown(self, asked: str) -> UnknownNode:
        """The refusal of a name, with names like it: floats for a label, neighbours of a block, else sections."""
        name = printable(asked.strip()[:80])
        if _FLOAT_NAME.fullmatch(name):
            floats = (f"{node.name} {node.label}".strip() for node in self._paper.of_kind(*FLOATS))
            return UnknownNode(f"unknown node {name!r}", hint=_listed("Figures and tables", floats))
        local = name.rpartition("/")[2].removeprefix("ex:")
        if re.match(r"[a-z]+_", local):
            at = bisect_left(self._sorted, f"ex:{local}")
            return UnknownNode(f"unknown node {name!r}", hint=_listed("Near it", self._sorted[max(0, at - 2) : at + 3]))
        top = (
            f"{section.name} {section.title[:60]}" for section in self._paper.sections.values() if not section.parent
        )
        return UnknownNode(f"unknown node {name!r}", hint=_listed("Sections", top))


def _listed(words: str, names: Iterable[str]) -> str:
    """A hint that lists the first names."""
    known = [name[:100] for name in names]
    more = f", ... ({len(known)} in all)" if len(known) > 8 else ""
    return f"{words}: {', '.join(known[:8])}{more}." if known else "The paper has none."
