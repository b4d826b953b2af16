"""Lines of the front matter to blocks: one for each list of names, each affiliation, each note."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kag.sources.pdf.text.front_features import ORGANIZATION, base_text, count_names
from kag.sources.pdf.text.lines import Line, shift_of

_OPEN = re.compile(r"(?:[,;&·•]|\band|\bund|\bAND|\b[A-Z]\.)$")
_GOES_ON = re.compile(r"(?:[,;&·•]|and\b|und\b|AND\b|[a-z])")
_PARTS = re.compile(r"\s*(?:[,;·•]|\b(?:and|AND|und)\b|&)\s*")
_MARK = re.compile(r"(?:[*∗†‡§¶‖#✉]|\(?\d{1,2}[.)]?\s|\(?[a-z]\)\s)")
_APART = 1.6  # type sizes between baselines from which two lines are of two blocks


def front_groups(lines: Sequence[Line], role: str) -> list[tuple[str, list[Line]]]:
    """The blocks of some lines of one role in a column, each with its role.

    A line that names a person and, behind a comma, an organization becomes two lines.
    """
    pieces = [(role, line) for line in lines]
    if role == "author":
        pieces = [piece for line in lines for piece in _split(line)]
    groups: list[tuple[str, list[Line]]] = []
    before: Line | None = None
    for own, line in pieces:
        last = groups[-1] if groups else None
        if last and before and last[0] == own and not _begins(before, line, own):
            last[1].append(line)
        else:
            groups.append((own, [line]))
        before = line
    return groups


def _split(line: Line) -> list[tuple[str, Line]]:
    """A line of authors, cut where its type changes or a comma stands between a name and an organization."""
    if not ORGANIZATION.search(line.text):
        return [("author", line)]
    for n, (one, two) in enumerate(pairwise(line.words), start=1):
        changed = abs(one.size - two.size) > 0.4 or one.font[1:] != two.font[1:]
        if not two.spaced or not (changed or one.text.endswith(",")):
            continue
        head, rest = Line(line.words[:n]), Line(line.words[n:])
        named, parts = count_names(base_text(head))
        if named and named == parts and ORGANIZATION.search(rest.text):
            return [("author", head), ("affiliation", rest)]
    named, parts = count_names(base_text(line))
    return [("author" if 2 * named >= parts else "affiliation", line)]


def _begins(before: Line, line: Line, role: str) -> bool:
    """Whether a block begins with the second of two lines."""
    size = max(before.size, line.size)
    if role == "author":
        return _new_name(base_text(before), base_text(line))
    raised = shift_of(line.words[0], line) > 0
    far = line.base - before.base > _APART * size or line.base < before.base - 0.5 * size
    return raised or far or bool(_MARK.match(line.text)) or abs(before.size - line.size) > 0.4


def _new_name(before: str, line: str) -> bool:
    """Whether a line of names begins another list: no comma goes on, and both lines are whole names."""
    if _OPEN.search(before) or _GOES_ON.match(line):
        return False
    last, first = _PARTS.split(before)[-1], _PARTS.split(line)[0]
    return len(last.split()) > 1 and len(first.split()) > 1
