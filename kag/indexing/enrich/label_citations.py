"""Call-outs by the labels that entries of a list begin with: "[Smith10]", "[ABC+10, de 13]"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

_ENTRY = re.compile(r"\s*\[(?=[^\W\d_])([^\[\]]{2,40}\d)([a-z]?)\]")
_CALL_OUT = re.compile(r"\[(?=[^\W\d_])([^\[\]]{2,400})\]")
_SEPARATOR = re.compile(r"\s?[,;]\s?")
_WHERE = re.compile(r"(?:pp?\.|[A-Z§]).{0,20}")  # in the work: a page, a theorem
_MARKUP = re.compile(r"\\[()]|[\s{}^]")


def read_labels(entries: Mapping[int, str]) -> dict[str, int]:
    """Label to number of the entries that are printed with one."""
    return {_key(found[1] + found[2]): number for number, text in entries.items() if (found := _ENTRY.match(text))}


def labelled(text: str, labels: Mapping[str, int]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Numbers, start and end of each call-out of a text all of whose labels are in the list."""
    for found in _CALL_OUT.finditer(text):
        parts = _SEPARATOR.split(found[1])
        numbers = [labels.get(_key(part), 0) for part in parts]
        while len(numbers) > 1 and not numbers[-1] and _WHERE.fullmatch(parts[len(numbers) - 1]):
            numbers.pop()
        if all(numbers):
            yield tuple(dict.fromkeys(numbers)), *found.span()


def _key(label: str) -> str:
    """A label without blanks and marks of raising: "[BES⁺80]" in the list is "[BES+80]" in the text."""
    return _MARKUP.sub("", unicodedata.normalize("NFKC", label))
