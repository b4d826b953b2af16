"""Names that are known by the words around them: software, data sets, places, organisations (`named.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kag.layers.entities.spot import Spot
from kag.layers.entities.tokens import Tokens, tokens

RULE = "named"
_NAME = r"[A-Z](?:[\w+#.-]{0,40}[\w+#])?(?![\w-])"
_VERSIONED = re.compile(
    rf"\b((?:{_NAME})(?:\s(?:{_NAME})){{0,2}})\s*\(?\s*(?:v|ver\.|[Vv]ersion|release)\s?\.?\s*\d+(?:\.\w+)*"
)
_SOFTWARE = re.compile(
    rf"\b((?:{_NAME})(?:\s(?:{_NAME}|\d+)){{0,2}})\s+"
    r"(?:software|toolbox|toolkit|plugin|web\s?server)\b"
)
_PACKAGE = re.compile(
    r"\b(?:R|Python|MATLAB|Perl|Bioconductor)\s+(?:package|library|module|toolbox)s?\s+[“\"']?([A-Za-z][\w.+-]*\w)"
)
_DATA = re.compile(
    rf"\b((?:{_NAME}|\d+)(?:\s(?:{_NAME}|\d+|of|and)){{0,4}})\s+"
    r"(?:data\s?sets?|corpus|corpora|benchmarks?|treebanks?|databases?|cohort|challenge)\b"
)
_SEAT = (
    r"(?:University|Institute|Hospital|College|Laborator(?:y|ies)|Academy|Foundation|Ministry|Council|Agency|Society"
    r"|Corporation|GmbH|Inc|Ltd|Universit(?:é|ät)|Universidad|Università|Center|Centre|Commission|Consortium)"
)
_PROPER = r"[A-Z][\w'’-]+"
_ORGANISATION = re.compile(
    rf"\b(?:(?:[A-Z][\w'’.&-]+\s+(?:(?:of|and|for|de|the|&)\s+)?){{0,5}}{_SEAT}\b\.?"
    rf"(?:\s+(?:of|for|on|de)\s+(?:the\s+)?{_PROPER}(?:\s+(?:(?:and|of|&)\s+)?{_PROPER}){{0,5}})?)"
)
_ORGANISED = re.compile(_SEAT)
_LEADING = "The This These Our In We For On All Each A An Both Using From And With By To New Large Public Open Of"
_EDGE_WORDS = re.compile(rf"(?:(?:{_LEADING.replace(' ', '|')})\s+)+")


class Names(NamedTuple):
    """Names with the IRIs or nothing that they have, by kind."""

    software: frozenset[str]
    dataset: frozenset[str]
    place: frozenset[str]
    organisation: frozenset[str]


@lru_cache(maxsize=1)
def names() -> Names:
    """The names of `named.toml`."""
    told = tomllib.loads((Path(__file__).parent / "named.toml").read_text(encoding="utf-8"))
    return Names(*(frozenset(told[kind]["names"]) for kind in Names._fields))


@lru_cache(maxsize=1)
def _listed() -> tuple[re.Pattern[str], dict[str, str], frozenset[str]]:
    kinds = {name: kind for kind, some in zip(Names._fields, names(), strict=True) for name in some}
    firsts = frozenset(tokens(name).words[0] for name in kinds)
    longest = sorted(kinds, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])"), kinds, firsts


def by_context(row: Tokens) -> Iterator[Spot]:
    """The names of a text that lists or the words beside them tell.

    >>> text = "We used ImageJ v1.52 and the R package lme4 on the CoNLL-2003 dataset in Norway."
    >>> sorted({text[one.start : one.end]: one.kind for one in by_context(tokens(text))}.items())
    [('CoNLL-2003', 'dataset'), ('ImageJ', 'software'), ('Norway', 'place'), ('lme4', 'software')]
    """
    text = row.text
    pattern, kinds, firsts = _listed()
    for match in pattern.finditer(text) if not firsts.isdisjoint(row.words) else ():
        yield Spot(*match.span(), kinds[match[0]], 0.9 if len(match[0]) > 2 else 0.6, "list")
    for match in _VERSIONED.finditer(text):
        yield from _bare(text, *match.span(1), "software", 0.75)
    for pattern in (_SOFTWARE, _PACKAGE):
        for match in pattern.finditer(text):
            yield from _bare(text, *match.span(1), "software", 0.75)
    for match in _DATA.finditer(text):
        yield from _bare(text, *match.span(1), "dataset", 0.7)
    if _ORGANISED.search(text):
        for match in _ORGANISATION.finditer(text):
            if " " in match[0].strip():
                yield from _bare(text, *match.span(), "organisation", 0.75)


def _bare(text: str, start: int, end: int, kind: str, score: float) -> Iterator[Spot]:
    """A name without words that only lead to it; none where nothing is left that has a name's form."""
    if lead := _EDGE_WORDS.match(text, start, end):
        start = lead.end()
    words = text[start:end].rstrip(" .,-")
    if len(words) > 1 and words.lower() not in _NO_NAMES and words not in _LEADING.split():
        yield Spot(start, start + len(words), kind, score, RULE)


_NO_NAMES = frozenset(
    {
        "the", "this", "figure", "table", "section", "data", "software", "training", "test", "validation", "study",
        "version", "supplementary", "our", "appendix", "protocol", "method", "model", "in", "is", "for", "and",
    }
)  # fmt: skip
