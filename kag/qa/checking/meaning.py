"""The words of a text that carry meaning, and all the words that a claim may have from its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kag.core.evidence import Evidence
from kag.qa.paper import PaperGraph
from kag.text.search_text import tokens

_PLAIN = (
    "the a an of in on at to for from by with and or but as is are was were be been being has have had do does did "
    "this that these those it its they them their there which who whom whose what when where why how than then so such "
    "also both each all any some most more less very can could may might will would shall should must if while "
    "into over under between among during after before about per via within using used use we our he she his her "
    "section sections subsection subsections figure figures table tables reference references paper study author "
    "authors cite cites cited citing show shows shown report reports reported contain contains give gives given "
    "describe describes described refer refers name names called entry entries list lists title page value "
    "find finds found state states stated say says said mention mentions mentioned one two following respectively "
    "begin begins start starts often time times place places together yes formula formulas"
)
_PLAIN_WORDS = frozenset(_PLAIN.split()) | {token.text for token in tokens(_PLAIN, stem=True)}


def is_plain(word: str) -> bool:
    """Whether a word, or its stem, is one that any sentence may have."""
    return word in _PLAIN_WORDS


def content_words(text: str) -> set[str]:
    """The stems of a text's words, those that any sentence may have and numbers left out."""
    return {word for word in signs(text) if not word.isdigit()}


def signs(text: str) -> set[str]:
    """The stems of a text's words, and its numbers; words that any sentence may have left out."""
    return {token.text for token in tokens(text, stem=True)} - _PLAIN_WORDS


def context(quotes: Iterable[str], evidence: Iterable[Evidence], papers: Mapping[str, PaperGraph]) -> str:
    """Quotes, and what the places of evidence are called: the label of each node, the titles it stands under."""
    words = [*quotes]
    for one in evidence:
        paper = papers.get(one.paper)
        node = paper.nodes.get(one.node) if paper else None
        section = paper.section_of(one.node) if paper else None
        words += [node.label if node else "", *(section.path if section else ())]
    return " ".join(words)


def has_meaning(text: str) -> bool:
    """Whether a text has a word, or letters with signs such as "A&A", that not any sentence may have; no number."""
    bare = (word.strip("()[]{}.,;:'\"“”‘’").lower() for word in text.split())
    return any(len(word) > 1 and word not in _PLAIN_WORDS and any(map(str.isalpha, word)) for word in bare)
