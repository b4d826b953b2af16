"""What a paragraph is besides running text, read off how it begins: run-in headings, lists, code, theorems.

Only marks that a page sets apart count (bold, a colon, a dash, a number): "Theorem 1 shows" begins a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kag.core.types import Block
from kag.indexing.enrich.sections import title_types
from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.text.dates import value_of
from kag.text.plain import plain

MAX_RUN_IN = 80  # characters
_MARKED = re.compile(
    r"\s*(\*{1,3}|_{1,3}|<(?:b|i|em|strong)>)(?=[^\s*_<])([^*_<\n]{2,80})(?:\*{1,3}|_{1,3}|</\w{1,6}>)"
)
_STOP = re.compile(r"\s*[.:]?\s*[—–]\s|\s*[.:]")
_DASHED = re.compile(r"([A-Z][^.:;!?\n—–]{2,60})[.:]\s?[—–-]{1,2}\s?(?=[A-Z])")
_LABEL = re.compile(r"([A-Z][A-Za-z]+(?:[ /]\w+){0,3})(?::|\.)\s+(?=[A-Z\d(])")
_LABELS = frozenset(
    {"objective", "objectives", "aim", "aims", "context", "design", "setting", "interpretation", "summary"}
)
_BULLET = re.compile(r"\s*(?:[•◦▪‣●○■□➢✓·]|[-*+–](?=\s))\s*\S")
_ITEM = re.compile(r"\s*\(?(\d{1,2}|[a-z]|[ivx]{2,4})[.)]\s+\S")
_INNER = re.compile(r"(?:\n[ \t]*(?:[•◦▪‣●○■□➢✓]|[-*+]\s|\(?(?:\d{1,2}|[a-z])[.)]\s)|\s[•◦▪‣●■]\s)")
_KINDS = (
    "theorem|lemma|proposition|corollary|definition|remark|example|conjecture|claim|assumption|hypothesis"
    "|axiom|algorithm"
)
_STATEMENT = re.compile(
    rf"[*_#\s]{{0,4}}(?P<kind>{_KINDS})s?\s+(?P<number>[A-Z]?\d{{1,2}}(?:\.\d{{1,3}}){{0,3}}[a-z]?|[A-Z](?:\.\d{{1,3}})?)"
    r"(?P<marked>[*_]{0,3})(?:\s*\([^()\n]{1,80}\))?(?P<stop>[*_]{0,3}\s*[.:—–])?",
    re.I,
)
_PROOF = re.compile(r"[*_#\s]{0,4}(?:Proof|PROOF)(?:\sof\s[^.:\n]{1,60})?[*_]{0,3}[.:]")
_OF_LABEL = {"code": "code", "code_txt": "code", "code_block": "code", "algorithm": "algorithm", "list": "list"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a text is ("theorem", "list item"; empty for running text), and the number of a statement."""

    name: str = ""
    number: str = ""


def run_in_heading(text: str) -> str:
    """The heading set apart at the beginning of a paragraph, without marks and stop; empty when there is none.

    >>> run_in_heading("**Participants.** We asked forty people.")
    'Participants'
    >>> run_in_heading("Methods: Forty people were asked.")
    'Methods'
    """
    marked = _MARKED.match(text)
    if marked:
        title, rest = plain(marked[2]).strip(), text[marked.end() :]
        stopped = title[-1:] in (".", ":") or _STOP.match(rest)
        return title.rstrip(" .:—–") if stopped and rest.strip(" .:\n") and _is_title(title) else ""
    dashed = _DASHED.match(text)
    if dashed:
        return dashed[1].strip() if len(dashed[1].split()) <= 8 else ""
    label = _LABEL.match(text[:MAX_RUN_IN])
    known = label and (label[1].lower() in _LABELS or title_types(label[1]))
    return label[1] if label and known else ""


def _is_title(title: str) -> bool:
    """Words, the first with a capital or digit before it: no emphasis inside a sentence."""
    return bool(re.match(r"[^a-z]", title) and re.search(r"[^\W\d_]{3}", title))


def text_kind(block: Block) -> Kind:
    """What a block of text is by its label or the way it begins; numbered items are for `numbered_items`."""
    text = block.text
    if block.label in _OF_LABEL:
        found = _STATEMENT.match(text) if block.label == "algorithm" else None
        return Kind(_OF_LABEL[block.label], found["number"] if found else "")
    if text.startswith("```"):
        return Kind("code")
    if text.startswith("> "):
        return Kind("quotation")
    if _PROOF.match(text):
        return Kind("proof")
    statement = _STATEMENT.match(text)
    if statement and (statement["stop"] or statement["marked"]):
        return Kind(statement["kind"].lower(), statement["number"])
    if _BULLET.match(text):
        return Kind("list" if _INNER.search(text) else "list item")
    return Kind()


def numbered_items(texts: Sequence[str]) -> dict[int, Kind]:
    """Texts, by place, that are items of a numbered list: neighbours whose numbers follow each other."""
    found: dict[int, Kind] = {}
    before = ""
    for n, text in enumerate(texts):
        item = _ITEM.match(text)
        number = item[1] if item else ""
        if number and _follows(before, number):
            found[n - 1] = found[n] = Kind("list item")
        elif number in ("1", "a", "i") and _follows_inside(text, number):
            found[n] = Kind("list")
        before = number
    return found


def _follows(before: str, number: str) -> bool:
    if before.isdigit() and number.isdigit():
        return int(number) == int(before) + 1
    if before.islower() and value_of(number.upper()) == value_of(before.upper()) + 1 > 1:
        return True
    return len(before) == len(number) == 1 and before.isalpha() and ord(number) == ord(before) + 1


def _follows_inside(text: str, number: str) -> bool:
    """Whether the second item of a list stands on a line of its own in the same text."""
    second = {"1": "2", "a": "b", "i": "ii"}[number]
    return bool(re.search(rf"\n[ \t]*\(?{second}[.)]\s", text))


def apply(workspace: Workspace) -> int:
    """Say of each paragraph what it is besides running text; returns the number of literals added."""
    nodes = workspace.of_type(DOCO.Paragraph)
    texts = [workspace.text(node) for node in nodes]
    listed = numbered_items(texts)
    added = 0
    for n, (node, text) in enumerate(zip(nodes, texts, strict=True)):
        blocks = workspace.source_blocks(node)
        whole = bool(blocks) and blocks[0].text == text
        kind = (text_kind(blocks[0]) if whole else Kind()) if n not in listed else listed[n]
        heading = run_in_heading(text) if not kind.name else ""
        values = ((KAG.textKind, kind.name), (KAG.statementNumber, kind.number), (KAG.runInHeading, heading))
        for property_, value in values:
            if value and not workspace.text(node, property_):
                workspace.state(node, property_, value)
                added += 1
    return added
