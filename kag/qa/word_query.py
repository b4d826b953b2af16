"""Search syntax: words to rank by, and conditions on hits.

half life of tracers       words: each counts, none is needed
"half life"                these words next to each other: needed
magnet*                    words that begin so
-review  -"case report"    not in the text
section:methods  kind:caption  page:3  page:3-5  in:ex:b_p002_0004     where; -kind:reference for not there
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kag.qa.passages import Passage
from kag.text.search_text import search_text
from kag.text.words import tokens

FIELDS = ("section", "kind", "page", "in")

_PIECE = re.compile(
    r"(?P<minus>(?<!\S)-(?=[^\W\d_]|\"))?(?:(?P<field>section|kind|page|in):(?=[^\s]))?"
    r"(?:\"(?P<quoted>[^\"]*)\"?|(?P<word>[^\s\"]+))"
)
_PAGES = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Condition:
    """`field` is one of `FIELDS`, `value` as typed; with `keep` a hit must meet it, else it must not."""

    field: str
    value: str
    keep: bool = True

    def met(self, passage: Passage) -> bool:
        """Whether a passage fulfils the condition (without regard to `keep`)."""
        if self.field == "section":
            return section_named(self.value, (*passage.path, *passage.roles))
        if self.field == "kind":
            return passage.kind == re.sub(r"[\W_]+", "", self.value.lower())
        if self.field == "page":
            pages = _PAGES.fullmatch(self.value)
            return pages is not None and any(
                int(pages[1]) <= page <= int(pages[2] or pages[1]) for page in passage.pages
            )
        wanted = self.value.rpartition("/")[2].removeprefix("ex:")
        around = (passage.id, *passage.sections, *(part.node for part in passage.parts))
        return any(iri == self.value or iri.rpartition("/")[2] == wanted for iri in around)


@dataclass(frozen=True, slots=True)
class Query:
    """A query in its parts; words are in the form of `kag.text.search_text`, those of a phrase in order."""

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    prefixes: tuple[str, ...] = ()
    without: tuple[tuple[str, ...], ...] = ()
    conditions: tuple[Condition, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing."""
        return not (self.words or self.phrases or self.prefixes or self.conditions)


def parse_query(text: str) -> Query:
    """Parse a query; any text is valid, and everything that is not a condition is words. Linear in the text's
    length."""
    phrases, without, prefixes = list[tuple[str, ...]](), list[tuple[str, ...]](), list[str]()
    conditions, rest = list[Condition](), list[str]()
    for piece in _PIECE.finditer(text):
        value = piece["word"] if piece["quoted"] is None else piece["quoted"].strip()
        if piece["field"] and value:
            conditions.append(Condition(piece["field"], value, not piece["minus"]))
        elif piece["minus"]:
            without.append(_run(value))
        elif piece["quoted"] is not None:
            phrases.append(_run(value))
        elif value.endswith("*") and value[:-1].isalnum() and len(value) > 2:
            prefixes.append(search_text(value[:-1]).text)
        else:
            rest.append(value)
    ranked = " ".join([*rest, *(" ".join(phrase) for phrase in phrases)])  # a formula is read as a whole
    return Query(
        words=tuple(token.text for token in tokens(ranked)),
        phrases=tuple(phrase for phrase in phrases if phrase),
        prefixes=tuple(prefix for prefix in prefixes if prefix),
        without=tuple(run for run in without if run),
        conditions=tuple(conditions),
    )


def section_named(wanted: str, names: tuple[str, ...]) -> bool:
    """Whether a section's title, number or type contains the words, in order, ignoring spelling variants.

    >>> section_named("methods", ("2 Materials and Methods",)), section_named("2", ("1.2 Sites",))
    (True, False)
    """
    needle = f" {_spaced(wanted)} "
    return bool(needle.strip()) and any(needle in f" {_spaced(name)} " for name in names)


@lru_cache(maxsize=8192)
def _spaced(text: str) -> str:
    return re.sub(r"[^\w.]+|\.(?!\d)", " ", search_text(text).text).strip()


def _run(text: str) -> tuple[str, ...]:
    """The words of a phrase, as `tokens` without compounds gives neighbours."""
    return tuple(token.text for token in tokens(text, wholes=False))
