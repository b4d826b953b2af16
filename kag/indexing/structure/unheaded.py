"""Parts of a paper that no heading announces: an abstract, the text of a short paper, a reference list.

Each is found on evidence only: what is printed before or behind it, or what its blocks read as.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rdflib import URIRef

from kag.core.types import Block
from kag.indexing.references.names import read_names
from kag.indexing.structure.reference_list import entry_number, split_entries
from kag.indexing.structure.titles import is_abstract, letters_of, printed_number
from kag.rdf.namespaces import DOCO
from kag.sources.labels import FRONT_MATTER

MAX_ABSTRACT = 3  # blocks
MIN_PROSE = 250  # characters
MIN_TEXT = 3  # blocks of prose that are a text, not a part of the front matter
MIN_ENTRIES = 4
_ABSTRACT = re.compile(r"^\W{0,6}(?:abstract|summary)\W{0,4}[.:—–-]", re.I)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_FIRST = frozenset({"introduction", "background"})


@dataclass(frozen=True, slots=True)
class Part:
    """A part without a heading: the title it gets, and its blocks."""

    title: str
    blocks: tuple[Block, ...]


def front_part(blocks: Sequence[Block], titles: Sequence[str]) -> Part | None:
    """The abstract or the text among the blocks before the first heading; `titles` are the paper's headings.

    An abstract is called so by its first word, or it stands right before the introduction of a paper that has
    no other abstract. Where much more prose is printed, it is the text itself.
    """
    if not titles or any(map(is_abstract, titles)):
        return None
    labelled = tuple(block for block in blocks if block.label == "abstract")
    if labelled:
        return Part("Abstract", labelled)
    opens = is_introduction(titles[0]) or printed_number(titles[0]) in ("1", "I")
    prose = [block for block in blocks if _is_prose(block) or _ABSTRACT.match(block.text)]
    named = next((n for n, block in enumerate(prose) if _ABSTRACT.match(block.text)), None)
    if named is not None:
        return Part("Abstract", tuple(prose[named : named + MAX_ABSTRACT]))
    if opens and 0 < len(prose) <= MAX_ABSTRACT:
        return Part("Abstract", tuple(prose))
    return Part("Text", tuple(prose)) if len(prose) >= MIN_TEXT and not opens else None


def text_under_abstract(title: str, blocks: Sequence[Block]) -> Part | None:
    """The text printed behind an abstract, in a paper that has no heading for its introduction (`is_introduction`).

    `blocks` are the ones under the heading `title`; the first prose is the abstract.
    """
    if letters_of(title) != "abstract":
        return None
    prose = [n for n, block in enumerate(blocks) if _is_prose(block)]
    return Part("Text", tuple(blocks[prose[0] + 1 :])) if len(prose) > MIN_TEXT else None


def is_introduction(title: str) -> bool:
    """Whether a title heads the introduction."""
    return letters_of(title) in _FIRST


def _is_prose(block: Block) -> bool:
    """Running text: lists of people and places are mostly capitals."""
    words = re.findall(r"[^\W\d_]+", block.plain)
    small = sum(word[0].islower() for word in words)
    return block.label == "text" and len(block.plain) > MIN_PROSE and small > 0.6 * len(words)


def reference_part(blocks: Sequence[Block]) -> Part | None:
    """The reference list at the end of the blocks of a section; for papers that have no heading for one.

    At least `MIN_ENTRIES` in a row read as entries: they are numbered from 1 and have years, or begin with the
    names of people and have years.
    """
    start = len(blocks)
    while start and _reads_as_entry(blocks[start - 1]):
        start -= 1
    entries = blocks[start:]
    spans = [block.text[a:b] for block in entries for a, b in split_entries(block.text) or [(0, len(block.text))]]
    numbers = [number for number in map(entry_number, spans) if number is not None]
    counted = numbers == list(range(1, len(numbers) + 1)) and len(numbers) == len(spans)
    named = all(read_names(block.plain).people for block in entries)
    return Part("References", tuple(entries)) if len(spans) >= MIN_ENTRIES and (counted or named) else None


def _reads_as_entry(block: Block) -> bool:
    """A short text with a year that begins with a number or with names."""
    if block.label != "text" or not _YEAR.search(block.plain):
        return False
    entries = max(1, len(split_entries(block.text)))
    begins = entry_number(block.plain) is not None or bool(read_names(block.plain).people)
    return begins and len(block.plain) <= 500 * entries


# The front matter: title, authors, affiliations, and whatever else is printed before the first heading ---

OF_LABELS = {"author": DOCO.ListOfAuthors, "affiliation": DOCO.ListOfOrganizations}
"""Classes of blocks that their source labels as front matter, wherever they are printed."""
_ORGANIZATION = re.compile(  # a raised mark may stand right before the word, and counts as a letter for \b
    r"(?<![A-Za-z])(?:universit|institut|department|school of|college|laborator|hospital|centre|center|faculty|academy|"
    r"inc\.|ltd|company|gmbh|clinic|ministry|council|museum|foundation|division of|corporation)",
    re.I,
)
_PROSE_LENGTH = 600  # characters: author lists are long too, prose has sentences
_PROSE_WORDS, _PROSE_SMALL = 12, 0.7  # words of four letters and more, and the share of them in small letters
_VERB = re.compile(
    r"\b(?:was|were|been|has|have|had|(?:is|are)(?! with\b))\b"
)  # "A. Holm is with the Institute of ..."
_SENTENCES = re.compile(r"[a-z]{3,}[.] [A-Z][a-z]+ [a-z]+")


def front_classes(blocks: Sequence[Block]) -> dict[str, URIRef]:
    """The class of each block printed before the first heading, in reading order.

    The first `title` is the paper's; the block behind it, unless it is prose, its authors; blocks that
    name organisations without being prose, affiliations; anything else is a paragraph.
    """
    classes: dict[str, URIRef] = {}
    titled = listed = False
    labelled = any(block.label == "author" for block in blocks)
    for block in blocks:
        if block.label == "title" and not titled:
            classes[block.id], titled = DOCO.Title, True
        elif labelled or block.label in FRONT_MATTER:
            classes[block.id] = OF_LABELS.get(block.label, DOCO.Paragraph)
        elif _is_front_prose(block):
            classes[block.id] = DOCO.Paragraph
        elif titled and not listed and _looks_like_names(block.plain):
            classes[block.id], listed = DOCO.ListOfAuthors, True
        elif _ORGANIZATION.search(block.plain):
            classes[block.id] = DOCO.ListOfOrganizations
        else:
            classes[block.id] = DOCO.Paragraph
    return classes


def _is_front_prose(block: Block) -> bool:
    """Whether a block is running text: long and in sentences, with a verb, or for the most part in small letters."""
    if len(block.plain) > _PROSE_LENGTH and len(_SENTENCES.findall(block.plain)) >= 2:
        return True
    words = re.findall(r"[^\W\d_]{4,}", block.plain)
    small = sum(word[0].islower() for word in words)
    return len(words) >= _PROSE_WORDS and (small >= _PROSE_SMALL * len(words) or bool(_VERB.search(block.plain)))


def _looks_like_names(text: str) -> bool:
    """Mostly capitalised words, with a comma, an "and" or a mark between them; no "Keywords:" before them."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    if not words or re.match(r"^\W*\w+(?: \w+)?\s*:", text):
        return False
    capitalised = sum(word[0].isupper() or word in ("and", "van", "de", "von", "der", "la", "del") for word in words)
    return capitalised >= 0.7 * len(words) and len(words) >= 2
