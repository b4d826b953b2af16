"""Lists of counts of a whole, "Nausea 3/40 (7.5%)" a line, in groups with headings: what claims count there.

A reckoning is True where the lists have it so, False where they have it otherwise, None where the claim is no such
statement or names nothing that is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.words import Word, words
from kag.values.verdict import Quote

_ENTRY = re.compile(
    r"^(?P<label>[^\d:].*?)[\s:*]*(?:\[\d+\]\s*)?\b(?P<count>\d+)\s*/\s*(?P<whole>\d+)\b(?:\s*\([^()]*\))?$"
)
_HEADING = re.compile(r"^(?P<title>[^:]*?)\s*(?P<number>\d+)?\s*:$")
_GROUPS = frozenset(("cohort", "cohorts", "group", "groups", "arm", "arms"))
_TWO_SIDED = frozenset(("whereas", "while", "but", "unlike", "only", "all", "except", "although", "each", "both"))
_FEWEST = 3  # lines that make a list
_MUCH = frozenset(("significant", "many", "several", "multitude", "majority", "number", "some", "none"))
_MORE, _FEWER = frozenset(("more", "higher")), frozenset(("fewer", "less", "lower"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list: what is counted, how often, under which heading and in which numbered group of it."""

    label: tuple[str, ...]
    count: int
    title: frozenset[str]
    group: int


@dataclass(frozen=True, slots=True)
class _Named:
    """What a stretch of a claim names of the lists: labels, headings, groups."""

    labels: frozenset[tuple[str, ...]]
    titles: frozenset[frozenset[str]]
    groups: frozenset[int]

    def filled(self, other: _Named) -> _Named:
        """With what another stretch names, where this one names none of that kind."""
        return _Named(self.labels or other.labels, self.titles or other.titles, self.groups or other.groups)


def record_findings(sides: Sides, quotes: Sequence[Quote]) -> Iterator[Finding]:
    """What the lists of the quotes count otherwise than the claim."""
    if is_recorded(sides, quotes) is False:
        yield Finding("count", "the lists count it otherwise", contradicts=True)


def is_recorded(sides: Sides, quotes: Sequence[Quote]) -> bool | None:
    """Whether what the claim counts, or says is more or fewer, is so by the lists of its quotes."""
    low = [word.text.lower() for word in sides.claim]
    entries = entries_of(quotes)
    if len(entries) < _FEWEST or _TWO_SIDED & set(low) or {"/", "%"} & set("".join(low)):
        return None
    if _MUCH & set(low) or _lists_others(sides.claim, _named(sides.claim, entries)):
        return None
    than = next((at for at, word in enumerate(low) if word in ("than", "compared")), None)
    if than is not None and (_MORE | _FEWER) & set(low[:than]):
        return _is_more(sides.claim, than, entries)
    if than is not None or (_MORE | _FEWER | {"most", "least", "same", "different"}) & set(low):
        return None
    return _is_counted(sides.claim, _named(sides.claim, entries), entries)


def entries_of(quotes: Sequence[Quote]) -> tuple[Entry, ...]:
    """The lines of lists, with the headings that they stand under; a heading without a number is of all behind it."""
    title, group, found = frozenset[str](), 0, list[Entry]()
    for line in (line.strip() for quote in quotes for line in quote.text.splitlines()):
        if heading := _HEADING.match(line):
            title = title if heading["number"] else frozenset(_stems(heading["title"]))
            group = int(heading["number"] or 0)
        elif (entry := _ENTRY.match(line)) and (label := _stems(entry["label"])) and label != _stems("total"):
            found.append(Entry(label, int(entry["count"]), title, group))
    return tuple(found)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in words(text) if word.stem and word.carries)


def _named(text: Sequence[Word], entries: Sequence[Entry]) -> _Named:
    said = tuple(word.stem for word in text if word.stem and word.carries)
    known, labels = {entry.label for entry in entries}, set[tuple[str, ...]]()
    for at in range(len(said)):
        fits = [label for label in known if said[at : at + len(label)] == label]
        if fits and not any(at < start + len(one) for one, start in _starts(said, labels) if start < at):
            labels.add(max(fits, key=len))
    titles = {entry.title for entry in entries}
    common = frozenset.intersection(*titles) if titles else frozenset()
    told = frozenset(title for title in titles if (own := title - common) and own & set(said))
    return _Named(frozenset(labels), told, frozenset(_numbers_of_groups(text)))


def _lists_others(claim: Sequence[Word], named: _Named) -> bool:
    """Whether the claim joins something to a label by "and" or "or" that no line has as its label."""
    known = {stem for label in named.labels for stem in label} | {stem for title in named.titles for stem in title}
    joined = (
        (before, after)
        for before, link, after in zip(claim, claim[1:], claim[2:], strict=False)
        if link.text.lower() in ("and", "or") and before.stem in known and not after.is_number
    )
    return any(after.carries and after.stem not in known for _, after in joined)


def _starts(said: Sequence[str], labels: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], int]]:
    for label in labels:
        yield from ((label, at) for at in range(len(said)) if tuple(said[at : at + len(label)]) == label)


def _numbers_of_groups(text: Sequence[Word]) -> Iterator[int]:
    """The numbers behind "cohort": 1 and 2 of "cohorts 1 and 2"."""
    for at, word in enumerate(text):
        if word.text.lower() in _GROUPS:
            for behind in text[at + 1 : at + 4]:
                if behind.is_number:
                    yield int(behind.printed)
                elif behind.text.lower() != "and":
                    break


def _sum(named: _Named, entries: Sequence[Entry], label: tuple[str, ...] | None = None) -> int:
    """How often what is named was counted, or one label of it."""
    return sum(
        entry.count
        for entry in entries
        if (entry.label == label if label else entry.label in named.labels)
        and (not named.titles or entry.title in named.titles)
        and (not named.groups or entry.group in named.groups)
    )


def _is_denied(text: Sequence[Word]) -> bool:
    return sum(word.is_denial or word.text.lower().endswith("n't") for word in text) % 2 == 1


def _is_more(claim: Sequence[Word], than: int, entries: Sequence[Entry]) -> bool | None:
    """Whether there is more, or so many more, of each label on the left of "than"."""
    left, right = _named(claim[:than], entries), _named(claim[than:], entries)
    left, right = left.filled(right), right.filled(left)
    if not left.labels or not right.labels or left == right:
        return None
    low = [word.text.lower() for word in claim[:than]]
    at = next(at for at, word in enumerate(low) if word in _MORE | _FEWER)
    by = claim[at - 1].printed if at and claim[at - 1].is_number else None
    if sum(word.is_number for word in claim) > sum(1 for _ in _numbers_of_groups(claim)) + (by is not None):
        return None
    way = 1 if low[at] in _MORE else -1
    pairs = [(one, one) for one in left.labels] if left.labels == right.labels else [(None, None)]
    gaps = [way * (_sum(left, entries, one) - _sum(right, entries, other)) for one, other in pairs]
    is_so = all(gap > 0 if by is None else gap == by for gap in gaps)
    return is_so != _is_denied(claim)


def _is_counted(claim: Sequence[Word], named: _Named, entries: Sequence[Entry]) -> bool | None:
    """Whether what is named was counted so often; at all, where no number is said; never, where it is denied."""
    if not named.labels:
        return None
    counts = [
        after.printed for before, after in pairwise((claim[0], *claim)) if after.is_number and not _is_group(before)
    ]
    counts = [count for count in counts if count not in named.groups]
    total = _sum(named, entries)
    if not counts:
        return (total > 0) != _is_denied(claim)
    if len(counts) > 1:
        return None
    low = " ".join(word.text.lower() for word in claim)
    is_so = total >= counts[0] if "at least" in low else total == counts[0]
    return is_so != _is_denied(claim)


def _is_group(word: Word) -> bool:
    return word.text.lower() in _GROUPS
