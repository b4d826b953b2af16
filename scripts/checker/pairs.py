"""Pairs of evidence and claim to learn from: made of abstracts and papers with open licences, or judged by people.

What is made of a sentence: the sentence shortened and reworded (supported), turned wrong in one place, and put beside
other sentences of its text (both not). Of a title that states something and of an abstract's sentences over the paper:
supported by the sentences that share most words, which is true of most and not of all.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from kag.evaluate.claim_sets import Case
from kag.read.checking.meaning import content_words
from kag.text.plain import plain
from kag.text.sentences import sentences
from kag.values.verdict import Quote
from scripts.checker.alter import falsehoods, names_of, passive, reworded, shortened

_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|can|may|induces?|inhibits?|promotes?|regulates?|mediates?|controls?|requires?|reveals?|drives?|increases?"
    r"|reduces?|decreases?|prevents?|causes?|enhances?|improves?|activates?|suppresses|protects?|contributes?|determines?|predicts?|links?|leads?)\b"
)
_MOST = 3  # sentences of evidence
_SHARED = 0.45  # of a claim's words that its evidence has, at least, where nobody judged the pair
_SHORTEST, _LONGEST = 8, 45  # words of a sentence that is made use of


@dataclass(frozen=True, slots=True)
class Pair:
    """Evidence in one text, a claim, whether the one bears the other; `how` it was made, `doc` the text it is of."""

    evidence: str
    claim: str
    supported: bool
    how: str
    doc: str


def half_of(doc: str) -> str:
    """The half of a document, as `kag.evaluate.claim_sets` parts them."""
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


def of_abstracts(rows: Iterable[Mapping[str, Any]], random: Random) -> Iterator[Pair]:
    """Pairs of abstracts: two sentences of each, and its title where that states something."""
    for row in rows:
        doc, texts = str(row["doc_id"]), [text for text in row["abstract"] if text.strip()]
        title = str(row["title"]).strip().rstrip(".") + "."
        if len(texts) >= _MOST and _STATES.search(title) and "?" not in title and ":" not in title:
            yield from told(title, nearest(title, texts), texts, "title", doc, random)
        yield from of_sentences(texts, doc, random, most=2)


def of_paper(gold: Mapping[str, Any], random: Random) -> Iterator[Pair]:
    """Pairs of a paper: the sentences of its abstract over those of its body, and single sentences."""

    def texts(*, abstract: bool) -> list[str]:
        found = [plain(one["text"]) for one in gold["paragraphs"] if (one["kind"] == "abstract") is abstract]
        return [text[start:end] for text in found for start, end in sentences(text)]

    body, doc = texts(abstract=False), str(gold["paper_id"])
    for text in texts(abstract=True):
        if _fits(text) and len(body) > _MOST:
            yield from told(shortened(text, random), nearest(text, body), body, "abstract", doc, random)
    yield from of_sentences(body, doc, random, most=40)


def told(claim: str, evidence: list[str], others: list[str], how: str, doc: str, random: Random) -> Iterator[Pair]:
    """A statement that others bear, where they share enough words, and what is wrong with them."""
    if shared(claim, evidence) < _SHARED:
        return
    text = " ".join(evidence)
    yield Pair(text, passive(claim, random) or claim, supported=True, how=how, doc=doc)
    for wrong, name in falsehoods(claim, random, names_of(" ".join(others)), most=1):
        yield Pair(text, wrong, supported=False, how=f"{how} {name}", doc=doc)
    rest = [one for one in others if one not in evidence]
    if rest and random.random() < 0.6:
        near = nearest(claim, rest, 2)
        if shared(claim, near) < _SHARED:
            yield Pair(" ".join(near), claim, supported=False, how=f"{how} elsewhere", doc=doc)


def of_sentences(texts: Sequence[str], doc: str, random: Random, most: int) -> Iterator[Pair]:
    """Pairs of single sentences with their neighbours."""
    fit = [at for at, text in enumerate(texts) if _fits(text)]
    for at in sorted(random.sample(fit, min(most, len(fit)))):
        start, end = max(0, at - random.randint(0, 1)), at + 1 + random.randint(0, 1)
        evidence = " ".join(texts[start:end])
        claim = reworded(shortened(texts[at], random), random)
        yield Pair(evidence, passive(claim, random) or claim, supported=True, how="sentence", doc=doc)
        for wrong, name in falsehoods(claim, random, names_of(" ".join(texts)), most=1 + (random.random() < 0.4)):
            yield Pair(evidence, wrong, supported=False, how=name, doc=doc)
        rest = [text for text in texts if text not in texts[start:end]]
        if rest and random.random() < 0.4:
            near = nearest(claim, rest, 2)
            if shared(claim, near) < 0.8:
                yield Pair(" ".join(near), claim, supported=False, how="elsewhere", doc=doc)


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


def _fits(text: str) -> bool:
    return _SHORTEST <= len(text.split()) <= _LONGEST and text[:1].isupper() and text.rstrip().endswith(".")


def abstracts(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of the abstracts' file, without those of the half that is measured on."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if half_of(str(row["doc_id"])) == "a":
                yield row
