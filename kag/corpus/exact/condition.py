"""`Filter`: one condition of a question on a library; and `Text`: what of a question is still to be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.corpus.exact import terms


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition; `kind` is one of

    cites    the works in `inside` (any of them with `either`, else each), as filters on what is cited
    mark     a name marked in the question, `words` the mark; label, phrase: a work named by author and year, or freely
    author   `words` a person; first: only as first author
    year     `low` to `high`
    venue, keyword, title, caption, role, paper: `words`
    having   between `low` and `high` of what `words` says: a target's name, or "citing" for papers that cite it
    with     works that are cited by papers that cite those in `inside`
    """

    kind: str
    words: str = ""
    low: int = 0
    high: int = 0
    inside: tuple[tuple[Filter, ...], ...] = ()
    negated: bool = False
    either: bool = False


class Text:
    """What of a question is still to be read."""

    def __init__(self, text: str) -> None:
        self.rest = f" {' '.join(text.split())} "

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match, taken out of the text."""
        match = pattern.search(self.rest)
        if match:
            self.cut(match.start(), match.end())
        return match

    def cut(self, start: int, end: int) -> None:
        """Take these characters out."""
        self.rest = f"{self.rest[:start]} {self.rest[end:]}"

    def is_spent(self) -> bool:
        """Whether nothing that says anything is left."""
        return all(word in terms.GLUE for word in re.findall(r"[\w@]+", self.rest.lower()))


_OPENING = "Which What Who How List Name Give Show Find Count Where Tell In Does Do Did Is Are The And By Of"
NOT_NAMES = frozenset(_OPENING.split())
"""Words with a capital that begin a question and are nobody's name."""


def split_people(who: str) -> list[str]:
    """The persons of "Kay, Lee and Poe"."""
    return [name.strip() for name in re.split(r"\s*(?:,|\band\b|&)\s*", who) if name.strip()]
