"""Pairs of evidence and claim to learn from, and what all makers of such pairs share."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kag.evaluate.claims.sets import Case
from kag.read.checking.meaning import content_words
from kag.text.sentences import sentences
from kag.values.verdict import Quote

STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|can|may|induces?|inhibits?|promotes?|regulates?|mediates?|controls?|requires?|reveals?|drives?|increases?"
    r"|reduces?|decreases?|prevents?|causes?|enhances?|improves?|activates?|suppresses|protects?|contributes?|determines?|predicts?|links?|leads?)\b"
)
_MOST = 3  # sentences of evidence


@dataclass(frozen=True, slots=True)
class Pair:
    """Evidence in one text, a claim, whether the one bears the other; `how` it was made, `doc` the text it is of."""

    evidence: str
    claim: str
    supported: bool
    how: str
    doc: str


def half_of(doc: str) -> str:
    """The half of a document, as `kag.evaluate.claims.sets` parts them."""
    return "ab"[hashlib.sha256(doc.encode()).digest()[0] % 2]


def nearest(claim: str, texts: Sequence[str], most: int = _MOST) -> list[str]:
    """The texts that share most words with a claim, rare ones counting more, in their order."""
    shown = [content_words(text) for text in texts]
    often = Counter(word for words in shown for word in words)
    wanted = content_words(claim)
    rated = sorted(range(len(texts)), key=lambda at: -sum(1 / often[word] ** 0.5 for word in wanted & shown[at]))
    return [texts[at] for at in sorted(rated[:most])]


def shared(claim: str, texts: Iterable[str]) -> float:
    """The share of a claim's words that texts have."""
    wanted = content_words(claim)
    return len(wanted & content_words(" ".join(texts))) / max(1, len(wanted))


def of_case(case: Case) -> Pair:
    """A claim that people judged, as the network is shown it."""
    return Pair(evidence_of(case.claim, case.quotes), case.claim, case.supported, case.kind, case.group)


def evidence_of(claim: str, quotes: Sequence[Quote]) -> str:
    """Quotes as one text: of long ones the sentences, of tables the rows, that are nearest to the claim."""
    parts = [part for quote in quotes for part in _parts(quote)]
    caption = next((quote.caption for quote in quotes if quote.rows or quote.cells), "")
    return " ".join([*([caption] if caption else []), *nearest(claim, parts, 5)])


def _parts(quote: Quote) -> Iterator[str]:
    if not quote.rows and not quote.cells:
        yield from (quote.text[start:end] for start, end in sentences(quote.text))
        return
    for row in (quote.cells,) if quote.cells else quote.rows:
        pairs = zip(quote.headers or ("",) * len(row), row, strict=False)
        yield "; ".join(f"{header}: {cell}" if header else cell for header, cell in pairs if cell) + "."
