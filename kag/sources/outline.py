"""Common rules of all converters: which heading is the title, which items are entries, which levels to trust."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from kag.sources.draft import Draft
from kag.sources.labels import HEADINGS
from kag.text.section_titles import bare, phrases_of_types, titles

ITEM = "list_item"  # what a reader calls an item of a list, before it is known what that is
_OPENING = 12  # blocks before which a title stands: names of journals, dates
_NUMBERED = 3  # headings with numbers that can say what is below what
_NUMBER = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=\S)")
_LEAD = re.compile(r"^[\W\d_]*(?:[ivx]+\.\s+)?", re.I)


def finished(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts with items as references or texts, and with levels as the source's own where it has several.

    The highest is then 1: what stands below the title of a Markdown file begins at 2, and is a top-level section.

    Where the source calls nothing the title, its first heading is, if that opens the paper and names no part of it.
    """
    listed = _by_number(_with_title(list(drafts)))
    levels = {draft.level for draft in listed if _is_heading(draft) and draft.level}
    found: list[Draft] = []
    inside = False  # whether the heading before is that of a reference list
    for draft in listed:
        if _is_heading(draft):
            inside = is_reference_title(draft.text)
            has_level = len(levels) > 1 and draft.level
            made = replace(draft, ground="markup", level=draft.level - min(levels) + 1) if has_level else draft
        elif draft.label == ITEM:
            made = replace(draft, label="reference" if inside else "text")
        else:
            made = draft
        found.append(made)
    return found


def _with_title(drafts: list[Draft]) -> list[Draft]:
    first = next((n for n, draft in enumerate(drafts) if _is_heading(draft)), None)
    if first is None or any(draft.label == "title" for draft in drafts):
        return drafts
    opens = drafts[first].page == 1 and first < _OPENING and not drafts[first].text[:1].isdigit()
    if opens and _letters(drafts[first].text) not in titles("parts") | titles("abstracts"):
        drafts[first] = replace(drafts[first], label="title", level=0)
    return drafts


def _by_number(drafts: list[Draft]) -> list[Draft]:
    """Return the drafts with the levels of their numbers, if those count up and the source's levels contradict them.

    A heading without a number gets the level that most numbered ones of its source's level have.
    """
    numbered = {n: _number(draft.text) for n, draft in enumerate(drafts) if _is_heading(draft)}
    known = {n: number for n, number in numbered.items() if number}
    depths: dict[int, Counter[int]] = {}
    for n, number in known.items():
        depths.setdefault(drafts[n].level, Counter())[len(number)] += 1
    spread = {depth for count in depths.values() for depth in count}
    mixed = sum(len(count) for count in depths.values()) > len(spread)
    if len(known) < _NUMBERED or len(known) < len(numbered) / 2 or not mixed or not _counts_up(list(known.values())):
        return drafts
    made = list(drafts)
    for n, number in numbered.items():
        usual = depths.get(drafts[n].level)
        level = len(number) if number else max(usual, key=lambda depth: usual[depth]) if usual else drafts[n].level
        made[n] = replace(drafts[n], level=level)
    return made


def _number(text: str) -> tuple[int, ...]:
    found = _NUMBER.match(text)
    return tuple(map(int, found[1].split("."))) if found else ()


def _counts_up(numbers: Sequence[tuple[int, ...]]) -> bool:
    """Whether each number follows the one before: the next of its depth, or the first below it."""
    return all(
        later == (*earlier, 1)
        or (len(later) <= len(earlier) and later == (*earlier[: len(later) - 1], earlier[len(later) - 1] + 1))
        for earlier, later in pairwise(numbers)
    )


def _is_heading(draft: Draft) -> bool:
    return draft.label in HEADINGS and draft.label != "title"


def is_reference_title(text: str) -> bool:
    """Whether a heading is that of a reference list.

    >>> is_reference_title("7. References"), is_reference_title("Reference standards")
    (True, False)
    """
    return _singular(_letters(text)) in _titles()


def _letters(text: str) -> str:
    return " ".join(_LEAD.sub("", bare(text)).rstrip(" .:").split())


@cache
def _titles() -> frozenset[str]:
    return frozenset(map(_singular, phrases_of_types()["doco:Bibliography"]))


def _singular(text: str) -> str:
    return " ".join(word.removesuffix("s") for word in text.split())
