"""Names that are known by lists or by the words around them.

Concepts of ontologies by the words that articles were annotated with (CRAFT), chemicals of MeSH, software, data sets,
places and organisations (`named.toml`), methods, tasks and metrics of computing by the last word of their names
(`terms.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kag.layers.entities.identifiers import CRAFT
from kag.layers.entities.lexicon import Lexicon, Tokens, read_lexicon, tokens
from kag.layers.entities.patterns import Spot

LEAST = 35
"""In how many of 100 uses the words must mean the concept."""
_PLAIN = 70  # the same for entities of any paper: the articles of CRAFT are about mice
_CHEMICAL = re.compile(r"(?:ine|ane|ene|yne|[hntsr]ol|ate|ide|one|ium|ose|acid|amide|azole|mycin|cillin|rin|gen)s?$")
_SPACE = re.compile(r"[\s-]")
_ADJECTIVE = re.compile(r"(?:ar|al|ic|ous|ed|oid|void|immune)$")
_ENTITIES = frozenset({"CHEBI", "NCBITaxon", "CL", "UBERON", "GO_BP", "GO_CC", "MONDO"})
_WIDE_CONCEPTS = """
    CL:0000000 GO:0008150 GO:0010467 GO:0005575 GO:0032502 GO:0040007 GO:0005623 GO:0009058 GO:0006810
    GO:0008152 GO:0007610 GO:0044464 GO:0065007 CHEBI:33250 CHEBI:24431 CHEBI:23367 CHEBI:50906 CHEBI:24433
    CHEBI:59999 CHEBI:36080 CHEBI:25367 CHEBI:52217 CHEBI:35222 CHEBI:37958 CHEBI:35204 CHEBI:33893
    CHEBI:75958 CHEBI:60004 CHEBI:64985 CHEBI:23888 CHEBI:33290 CHEBI:30212 CHEBI:50860 CHEBI:24870
    NCBITaxon:1 NCBITaxon:33208 UBERON:0000468 UBERON:0000465 UBERON:0001062 UBERON:0000061 UBERON:0000062
    UBERON:0000479 MONDO:0000001
"""
_TOO_WIDE = frozenset(_WIDE_CONCEPTS.split())  # "cell", "atom", "process": they say nothing of a paper


_RANKS = frozenset(f"NCBITaxon:{rank}" for rank in ("species", "subspecies", "genus", "family", "order", "strain"))


class Concept(NamedTuple):
    """Characters from `start` to before `end`, the ontology, and the CURIE of the concept."""

    start: int
    end: int
    ontology: str
    curie: str
    share: int


def find_concepts(row: Tokens, names: Lexicon | None = None, least: int = LEAST) -> Iterator[Concept]:
    """Return the concepts in a text; of overlapping ones of one ontology the longest stays."""
    until: dict[str, int] = {}
    for start, end, meanings in (names or read_lexicon("craft")).find(row, nested=True):
        best: dict[str, tuple[int, str]] = {}
        for meaning in meanings:
            if meaning.share >= least:
                best[meaning.kind] = max(best.get(meaning.kind, (0, "")), (meaning.share, meaning.ids))
        for ontology, (share, curie) in sorted(best.items()):
            if end > until.get(ontology, 0):
                until[ontology] = end
                yield Concept(row.starts[start], row.ends[end - 1], ontology, curie, share)


def _vague(words: str, ontology: str) -> bool:
    """Whether a single word means a concept in articles about mice, and something wider elsewhere."""
    alone = not _SPACE.search(words)
    return (
        len(words) < 3 or words.isupper() or (alone and (ontology.startswith("GO") or bool(_ADJECTIVE.search(words))))
    )


def by_concept(row: Tokens) -> Iterator[Spot]:
    """The concepts of a text that make entities."""
    for concept in find_concepts(row, least=_PLAIN):
        words = row.text[concept.start : concept.end]
        if (
            concept.ontology in _ENTITIES
            and concept.curie not in _TOO_WIDE | _RANKS
            and not _vague(words, concept.ontology)
        ):
            yield Spot(concept.start, concept.end, CRAFT[concept.ontology], 0.45 + concept.share / 400, "concept")


def by_list(row: Tokens) -> Iterator[Spot]:
    """Chemicals that MeSH has a name for and that are named as chemicals are, in papers of any field."""
    for start, end, meanings in read_lexicon("mesh").find(row):
        words = row.text[row.starts[start] : row.ends[end - 1]]
        if len(words) > 4 and _CHEMICAL.search(words) and any(meaning.kind == "chemical" for meaning in meanings):
            yield Spot(row.starts[start], row.ends[end - 1], "chemical", 0.6, "list")


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
    lists = tomllib.loads((Path(__file__).parent / "named.toml").read_text(encoding="utf-8"))
    return Names(*(frozenset(lists[kind]["names"]) for kind in Names._fields))


@lru_cache(maxsize=1)
def _listed() -> tuple[re.Pattern[str], dict[str, str], frozenset[str]]:
    kinds = {name: kind for kind, some in zip(Names._fields, names(), strict=True) for name in some}
    firsts = frozenset(tokens(name).words[0] for name in kinds)
    longest = sorted(kinds, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])"), kinds, firsts


def by_context(row: Tokens) -> Iterator[Spot]:
    """Return the names that lists or neighbouring words identify.

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


_MOST = 4  # words before the head
_SCORE = 0.55
_WORD = re.compile(r"[^\W\d_].*")
_VERBAL = re.compile(r"\w+(?:ly|ized|ised|izes|ises)")


class Words(NamedTuple):
    """Heads with their kinds, those that are sure in any paper, and words that end a name."""

    heads: Mapping[str, str]
    sure: Mapping[str, str]
    stop: frozenset[str]


@lru_cache(maxsize=1)
def words() -> Words:
    """The words of `terms.toml`."""
    lists: dict[str, Any] = tomllib.loads((Path(__file__).parent / "terms.toml").read_text(encoding="utf-8"))
    heads, sure = ({head: kind for kind, some in lists[name].items() for head in some} for name in ("heads", "sure"))
    return Words(heads, sure, frozenset(lists["stop"]["words"]))


def by_head(row: Tokens) -> Iterator[Spot]:
    """Names of methods, tasks and metrics whose heads are sure in any paper.

    >>> from kag.layers.entities.lexicon import tokens
    >>> text = "We train a convolutional neural network for semantic role labeling and image segmentation."
    >>> [(one.kind, text[one.start : one.end]) for one in by_head(tokens(text))]
    [('method', 'convolutional neural network'), ('task', 'image segmentation')]
    """
    known = words()
    for start, end, head in chunks(row, known.sure):
        kind = known.sure[head]
        if end - start > 1 or head.isupper():
            yield Spot(row.starts[start], row.ends[end - 1], kind, _SCORE, "head")


def chunks(row: Tokens, heads: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """The first and behind the last token of each name, and its head as it is listed."""
    stop = words().stop
    for first, last in row.sentences:
        n = first
        while n < last:
            head = _head(row.words[n], heads)
            following = row.words[n + 1] if n + 1 < last else ""
            if head and not (_head(following, heads) or (following == "-")):
                start = _start(row, n, first, stop)
                yield start, n + 1, head
            n += 1


def _head(word: str, heads: Mapping[str, str]) -> str:
    for form in (word, word.lower(), word[:-1].lower(), f"{word[:-3].lower()}y" if word.endswith("ies") else ""):
        if form in heads:
            return form
    return ""


def _start(row: Tokens, n: int, first: int, stop: frozenset[str]) -> int:
    """Return the start of the name of a head."""
    start, many, at = n, 0, n - 1
    while at >= first and many < _MOST:
        word = row.words[at]
        if word == "-" and not row.spaced(at) and at > first and not row.spaced(at + 1):
            at -= 1
            continue
        if not _WORD.fullmatch(word) or word.lower() in stop or _VERBAL.fullmatch(word):
            break
        start, many, at = at, many + 1, at - 1
    return start
