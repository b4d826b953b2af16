"""Whether the quotes of a claim carry what the claim says, as far as characters can tell.

No model takes part, so this is a net with known holes: it sees numbers that no quote has, names and words that
come from nowhere, and a "not" that was added or lost. It does not see a false relation between true words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from kag.read.checking.computed import computed
from kag.read.checking.meaning import content_words, context
from kag.read.checking.quoted import denied, said, strange_signs, tells
from kag.read.paper import CITES, REFERS, Node, PaperGraph
from kag.text.plain import plain
from kag.text.search_text import search_text
from kag.values.evidence import Claim, Evidence

SUPPORTED = 0.5  # share of a claim's content words that its quotes must have

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_RANGE = re.compile(r"(\d{1,4})\s*[-–—−]\s*(\d{1,4})(?![\d.])")
_LABELLED = re.compile(
    r"\b(?P<kind>fig(?:ure)?s?|tables?|schemes?|sections?|references?|refs?|pages?|equations?|eqs?)\.?\s*"
    r"(?P<numbers>[\[(]?[A-Z]?\d+(?:\.\d+)*[a-z]?[\])]?(?:\s*(?:,|;|and|&|-|–|to)\s*[\[(]?[A-Z]?\d+(?:\.\d+)*[a-z]?[\])]?)*)",
    re.I,
)
_RANGED = 500  # numbers of a range that are filled in
_BRACKETED = re.compile(r"\[(\d+)\]")
_NAME = re.compile(r"(?<![\w-])(?:[A-Z][\w-]*[A-Z0-9][\w-]*|[A-Za-z]+-?\d[\w-]*)")
_DIGITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: str(value) for value, word in enumerate(_DIGITS.split()) if value > 1} | {
    word: str(value * 10) for value, word in enumerate(_TENS.split(), start=3)
}


def problems(claim: Claim, papers: Mapping[str, PaperGraph], question: str = "") -> tuple[str, ...]:
    """What a claim says that its evidence does not; empty when nothing was noticed."""
    quotes = [said(one, papers[one.paper]) for one in claim.evidence]
    found = [f"the number {number} is not in the evidence" for number in _unsupported(claim, quotes, papers)]
    text, known = plain(claim.text), context(quotes, claim.evidence, papers)
    found += [
        f"the name {name} is neither in the evidence nor in the question" for name in _strange(text, known, question)
    ]
    found += [
        f"{name} is neither in the evidence nor in the question" for name in strange_signs(text, f"{known} {question}")
    ]
    share = _share(text, known, question)
    if share < SUPPORTED:
        found.append(f"only {share:.0%} of its words are in the evidence")
    found += [f"the quote {one.quote[:60]!r} has no word that the claim could rest on"
              for one, words in zip(claim.evidence, quotes, strict=True)
              if not tells(one, words, claim, papers[one.paper])]  # fmt: skip
    found += denied(text, claim, quotes, papers)
    return tuple(found)


def numbers(text: str) -> set[str]:
    """The numbers of a text, thousands joined, number words as digits.

    >>> sorted(numbers("In 1,234 of two groups at 3.50 nM"))
    ['1234', '2', '3.5']
    """
    folded = search_text(plain(text)).text
    found = {_normal(match[0]) for match in _NUMBER.finditer(folded)}
    return found | {_WORDS[word] for word in re.findall(r"[a-z]+", folded.lower()) if word in _WORDS}


def _normal(number: str) -> str:
    """One spelling for a number: "1234.50" and "1234.5" are the same; thousands are joined already."""
    whole, point, rest = number.partition(".")
    if point and rest.isdigit():
        return f"{whole.lstrip('0') or '0'}.{rest.rstrip('0')}".rstrip(".")
    return number.lstrip("0") or "0" if number.isdigit() else number


def _unsupported(claim: Claim, quotes: Iterable[str], papers: Mapping[str, PaperGraph]) -> list[str]:
    """The claim's numbers that neither the quotes have nor the evidence's own labels, nor are its count."""
    allowed = set().union(*(numbers(quote) for quote in quotes))
    text = _without_labels(search_text(plain(claim.text)).text, claim.evidence, papers)
    missing = numbers(text) - allowed
    missing -= computed(claim.text, allowed)
    if claim.count is not None:
        missing.discard(str(claim.count))
    return sorted(missing)


def _without_labels(text: str, evidence: Iterable[Evidence], papers: Mapping[str, PaperGraph]) -> str:
    """The text without "Figure 3", "references 4, 5" and "[6]" where the evidence is so numbered."""
    labels: set[str] = set()
    for one in evidence:
        paper = papers.get(one.paper)
        node = paper.nodes.get(one.node) if paper else None
        if paper and node:
            labels |= _labels(paper, node, one)

    def drop(match: re.Match[str]) -> str:
        named = _range_numbers(match[2] if match.re is _LABELLED else match[1])
        return " " if named <= labels else match[0]

    return _BRACKETED.sub(drop, _LABELLED.sub(drop, text))


def _labels(paper: PaperGraph, node: Node, evidence: Evidence) -> set[str]:
    """What the page itself calls the node and what its call-outs in the span point to, in numbers."""
    found = {node.number.lower(), str(node.page)}
    for name in (described for described in paper.targets(node.iri, "http://la3d.local/kag#describes")):
        found.add(paper.nodes[name].number.lower() if name in paper.nodes else "")
    section = paper.section_of(node.iri)
    found.add(section.number.lower() if section else "")
    for mention in paper.mentions.get(node.iri, ()):
        if mention.start < evidence.end and mention.end > evidence.start:
            found |= {paper.nodes[target].number.lower() for target in mention.targets if target in paper.nodes}
    if not paper.mentions:  # an older graph keeps links without their characters
        linked = paper.targets(node.iri, CITES, REFERS)
        found |= {paper.nodes[target].number.lower() for target in linked if target in paper.nodes}
    return found - {""}


def _range_numbers(text: str) -> set[str]:
    """The labels in "4, 5 and 7-9", ranges filled in."""
    found = {number.lower() for number in re.findall(r"[A-Za-z]?\d+(?:\.\d+)*", text)}
    for first, last in _RANGE.findall(text):
        if int(last) - int(first) < _RANGED:
            found |= {str(number) for number in range(int(first) + 1, int(last))}
    return found


def _strange(text: str, known: str, question: str) -> list[str]:
    """Names (words with capitals inside or digits) that stand neither in the evidence nor in the question."""
    squeezed = _squeezed(f"{known} {question}")
    named = {match[0] for match in _NAME.finditer(unicodedata.normalize("NFKC", text))}
    return sorted(name for name in named if _squeezed(name) not in squeezed)


def _share(text: str, known: str, question: str) -> float:
    """The share of content words, 0 to 1, that the evidence has; words of the question do not count."""
    wanted = content_words(text) - content_words(question)
    return len(wanted & content_words(known)) / len(wanted) if wanted else 1.0


def _squeezed(text: str) -> str:
    """Letters and digits only, without case: "PD-1", "PD–1" and "pd1" are the same."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", plain(text)).casefold())
