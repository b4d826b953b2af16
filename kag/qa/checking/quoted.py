"""Requirements on quotes: words, not fragments; and claims that only repeat a quote and need no judge.

Also what a claim has to take from them character by character: letters that only look like others, signs that turn
a comparison round.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from kag.core.evidence import Claim, Evidence
from kag.qa.paper import Node, PaperGraph
from kag.qa.quote import cuts_word, denials, find_quote, whole_words
from kag.rdf.namespaces import DCTERMS, KAG, PRISM
from kag.text.plain import plain
from kag.text.search_text import search_text
from kag.text.sentences import sentences
from kag.text.words import tokens

_SIGNS = frozenset("<>≤≥≠±≪≫")
_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn")


def strange_signs(text: str, known: str) -> list[str]:
    """The signs and letters, but those of English, that a text has and the known words have not.

    >>> strange_signs("Sensоrs fаil", "Sensors fail")
    ['CYRILLIC SMALL LETTER A', 'CYRILLIC SMALL LETTER O']
    """
    rare = {char for char in set(_folded(text)) if _is_rare(char)}
    rare -= set(_folded(known)) if rare else set()
    return sorted(unicodedata.name(char, f"U+{ord(char):04X}") for char in rare)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_rare(char: str) -> bool:
    if char.isascii() and char.isprintable():
        return char in _SIGNS
    return char in _SIGNS or char.isalnum() or unicodedata.category(char) in _INVISIBLE


def quoted_words(evidence: Evidence, paper: PaperGraph) -> str:
    """Return a quote's plain words: partial words and numbers are left out, citations stay as printed."""
    text = paper.nodes[evidence.node].text
    cut = cuts_word(text, evidence.start, evidence.end) and not _is_call_out(evidence, paper)
    return plain(whole_words(text, evidence.start, evidence.end) if cut else evidence.quote)


def tells(evidence: Evidence, words: str, claim: Claim, paper: PaperGraph) -> bool:
    """Whether quoted words can support anything: one with a meaning, or a sign that the claim names.

    A text as a whole, a cell and a call-out are what they are; a quote for what is only counted stands for its place.
    """
    node = paper.nodes[evidence.node]
    if has_meaning(words) or not signs(words).isdisjoint(signs(claim.text)):
        return True
    if evidence.quote == node.text or (evidence.start, evidence.end) in cells(node) or _is_call_out(evidence, paper):
        return True
    return claim.count is not None and bool(words.strip())


def _is_call_out(evidence: Evidence, paper: PaperGraph) -> bool:
    return any((call.start, call.end) == (evidence.start, evidence.end) for call in paper.mentions_in(evidence.node))


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


def content_words(text: str) -> set[str]:
    """The stems of a text's words, those that any sentence may have and numbers left out."""
    return {word for word in signs(text) if not word.isdigit()}


def signs(text: str) -> set[str]:
    """The stems of a text's words, and its numbers; words that any sentence may have left out."""
    return {token.text for token in tokens(text, stem=True)} - _PLAIN_WORDS


def context(quotes: Iterable[str], evidence: Iterable[Evidence], papers: Mapping[str, PaperGraph]) -> str:
    """Return quotes with the labels and section titles of their places."""
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


IDENTITY = "identity"
_WORD = re.compile(r"\w+(?:[.,:/]\w+)*|[<>=%+-]")
_NOT_ASSERTED = re.compile(
    r"\b(?:if|whether|unless|hypothes\w+|would|could|might|may|assum\w+|suppos\w+|unlikely|doubt\w*|fail\w*|false|wrong"
    r"|reject\w*|refut\w*|contrary|rather than|instead of|unclear|unknown|claim(?:s|ed)?|believ\w+|hardly"
    r"|barely|rarely)\b",
    re.I,
)


def is_identical(claim: Claim, papers: Mapping[str, PaperGraph]) -> bool:
    """Whether a quote contains the claim's words in order, without a negation in the rest of the sentence."""
    words = _comparable(claim.text)
    return bool(words.strip()) and any(
        words in _comparable(one.quote) and _is_asserted(words, one, papers[one.paper].nodes[one.node])
        for one in claim.evidence
    )


def _is_asserted(words: str, evidence: Evidence, node: Node) -> bool:
    for sentence in _sentences_around(node, evidence):
        printed = _comparable(sentence)
        if words in printed:
            rest = printed.replace(words, " ", 1)
            return not denials(rest) and not _NOT_ASSERTED.search(rest)
    whole = _comparable(" ".join(_sentences_around(node, evidence)))
    return words == whole  # several whole sentences


def _sentences_around(node: Node, evidence: Evidence) -> Iterator[str]:
    """The whole sentences, or lines of a table, that a quote touches."""
    if node.kind == "Table":
        yield from node.text[evidence.start : evidence.end].split("\n")
        return
    for start, end in sentences(node.text):
        if start < evidence.end and evidence.start < end:
            yield node.text[start:end]


def _comparable(text: str) -> str:
    """A text's words and signs in small letters, a blank on each side, without other marks."""
    return f" {' '.join(_WORD.findall(search_text(plain(text)).text))} "


Thing = tuple[object, ...]  # what makes a thing one: two with the same are the same


def things(noun: str, evidence: Iterable[Evidence], papers: Mapping[str, PaperGraph]) -> set[Thing]:
    """Return the distinct things behind evidence, except those that are not a `noun` ("sections", "times")."""
    kind = singular(noun)
    spans: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for one in evidence:
        spans.setdefault((one.paper, one.node), set()).add((one.start, one.end))
    found: set[Thing] = set()
    for (name, iri), quoted in spans.items():
        found |= _things(kind, papers[name].nodes[iri], quoted, papers[name])
    return found


def singular(noun: str) -> str:
    """The form for one thing: "entries" to "entry"."""
    return re.sub(r"ries$", "ry", noun.lower()).removesuffix("s")


def _things(noun: str, node: Node, spans: set[tuple[int, int]], paper: PaperGraph) -> set[Thing]:
    """Return the things behind spans of one node: one each if all are parts of it, else the node."""
    if noun in _KINDS and not _KINDS[noun](node, paper):
        return set()
    if noun == "paper":
        return {(paper.id,)}
    if noun == "page":
        return {(paper.id, node.page)}
    if noun in _FLOATS:
        return {(paper.id, _name(paper.nodes[_described(node, paper)[0]]))}
    if len(spans) > 1 and spans <= _parts(noun, node, paper):
        return {(paper.id, node.iri, *span) for span in spans}
    return {(paper.id, node.iri)}


def _name(node: Node) -> str:
    """Return the number that identifies a float, because one figure may be printed as several pictures."""
    return f"{node.kind} {node.label} {node.number}" if node.number else node.iri


def _described(node: Node, paper: PaperGraph) -> tuple[str, ...]:
    """The float that a node is, or those that it is the caption of."""
    described = (node.iri,) if node.kind != "Caption" else paper.targets(node.iri, KAG.describes)
    return tuple(iri for iri in described if iri in paper.nodes)


def _is_float(kind: str) -> Callable[[Node, PaperGraph], bool]:
    return lambda node, paper: any(paper.nodes[iri].kind == kind for iri in _described(node, paper))


def _is(*kinds: str) -> Callable[[Node, PaperGraph], bool]:
    return lambda node, _: node.kind in kinds


_NAMED = {"author": DCTERMS.creator, "keyword": PRISM.keyword}
_FLOATS = {"figure": "Figure", "table": "Table", "equation": "Formula", "formula": "Formula"}
_KINDS: dict[str, Callable[[Node, PaperGraph], bool]] = {
    "section": _is("SectionTitle"),
    "subsection": _is("SectionTitle"),
    "paragraph": _is("Paragraph", "Footnote"),
    "reference": _is("BibliographicReference"),
    "entry": _is("BibliographicReference"),
    "work": _is("BibliographicReference", "Title"),
    "journal": _is("BibliographicReference", "Title"),
    "keyword": lambda node, paper: bool(_parts("keyword", node, paper)),
    "author": _is("ListOfAuthors"),
    "row": _is("Table"),
    "column": _is("Table"),
    **{noun: _is_float(kind) for noun, kind in _FLOATS.items()},
}


def _parts(noun: str, node: Node, paper: PaperGraph) -> set[tuple[int, int]]:
    """The spans of one node that are things of their own."""
    if noun in ("row", "column"):
        return cells(node)
    if noun in _NAMED:
        names = paper.graph.values(paper.document, str(_NAMED[noun]))
        return {span for name in names if (span := find_quote(node.text, name))}
    return {(mention.start, mention.end) for mention in paper.mentions_in(node.iri)}


def cells(node: Node) -> set[tuple[int, int]]:
    """The spans of the cells in a table's text, a row a line, cells parted by " | "; none for another node."""
    found: set[tuple[int, int]] = set()
    start = 0
    for line in node.text.split("\n") if node.kind == "Table" else ():
        at = start
        for cell in line.split(" | "):
            found.add((at, at + len(cell)))
            at += len(cell) + 3
        start += len(line) + 1
    return found
