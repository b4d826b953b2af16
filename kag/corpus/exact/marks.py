"""The names in a question: quoted words, DOIs, papers of the corpus; a mark is left in the place of each.

`@q0` is a quoted phrase, `@d1` a DOI, `@p2` a paper of the corpus, named by its id or its whole title.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kag.corpus.catalogue import Listed
from kag.read.exact.anchors import LONGEST
from kag.read.exact.naming import QUOTE
from kag.read.exact.resolve import key
from kag.read.quote import find_quote

_DOI = re.compile(
    r"(?:(?:https?://)?(?:dx\.)?doi\.org/|\bdoi:?\s*)?\b(?P<doi>10\.\d{4,9}/[^\s\"<>?,;]*[^\s\"<>?,;.)\]])", re.I
)
_TOKEN = re.compile(r"[\w.\-]*\w")
_LEAST = 12  # letters of a title that is recognised without quotation marks


@dataclass(frozen=True, slots=True)
class Mark:
    """A name: `kind` is q, d or p; `text` the phrase, the DOI, or the paper's id."""

    kind: str
    text: str


def find_marks(question: str, papers: Iterable[Listed]) -> tuple[str, tuple[Mark, ...]]:
    """The question with a mark in the place of each name, and the names in the order of the marks' numbers."""
    known = tuple(papers)
    text = unicodedata.normalize("NFC", question)[:LONGEST].replace("@", " ")
    found: list[Mark] = []

    def put(kind: str, name: str) -> str:
        found.append(Mark(kind, name))
        return f" @{kind}{len(found) - 1} "

    def quote(match: re.Match[str]) -> str:
        words = next(filter(None, match.groups())).strip()
        named = ids.get(words.casefold()) or titles.get(key(words))
        return put("p", named) if named else put("q", words.rstrip(".,;"))

    ids = {paper.id.casefold(): paper.id for paper in known}
    times = Counter(key(paper.title) for paper in known)
    titles = {key(paper.title): paper.id for paper in known if times[key(paper.title)] == 1 and key(paper.title)}
    text = QUOTE.sub(quote, text)
    text = _titles(text, known, put)
    text = _TOKEN.sub(
        lambda match: put("p", ids[match[0].casefold()]) if match[0].casefold() in ids else match[0], text
    )
    text = _DOI.sub(lambda match: put("d", match["doi"]), text)
    return " ".join(text.split()), tuple(found)


def _titles(text: str, papers: Iterable[Listed], put: Callable[[str, str], str]) -> str:
    """Titles that stand in the text word for word become marks, the longest first."""
    whole = key(text)
    named = [paper for paper in papers if len(key(paper.title)) >= _LEAST and key(paper.title) in whole]
    times = Counter(key(paper.title) for paper in named)
    named = [paper for paper in named if times[key(paper.title)] == 1]
    for paper in sorted(named, key=lambda paper: (-len(paper.title), paper.id)):
        span = find_quote(text, paper.title)
        if span:
            text = f"{text[: span[0]]}{put('p', paper.id)}{text[span[1] :]}"
    return text
