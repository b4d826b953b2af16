"""Call-outs by the labels that entries of a list begin with: "[Smith10]", "[ABC+10, XYZ99b]"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_LABEL = r"(?:[a-z]{1,4}(?=[A-Z]))?[A-Z][\w+*'’-]{0,14}?\d{2,4}[a-z]?"
_ENTRY = re.compile(rf"\s*\[({_LABEL})\]")
_CALL_OUT = re.compile(rf"\[({_LABEL}(?:\s?[,;]\s?{_LABEL}){{0,12}})(?:,\s(?:pp?\.|[A-Z§])[^\[\]]{{1,20}})?\]")
_SEPARATOR = re.compile(r"\s?[,;]\s?")


def read_labels(entries: Mapping[int, str]) -> dict[str, int]:
    """Label to number of the entries that are printed with one."""
    return {found[1]: number for number, text in entries.items() if (found := _ENTRY.match(text))}


def labelled(text: str, labels: Mapping[str, int]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Numbers, start and end of each call-out of a text all of whose labels are in the list."""
    for found in _CALL_OUT.finditer(text):
        numbers = [labels.get(label, 0) for label in _SEPARATOR.split(found[1])]
        if all(numbers):
            yield tuple(dict.fromkeys(numbers)), *found.span()
