"""The front matter: title, authors, affiliations, and whatever else is printed before the first heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rdflib import URIRef

from kag.core.types import Block
from kag.rdf.namespaces import DOCO
from kag.sources.labels import FRONT_MATTER

OF_LABELS = {"author": DOCO.ListOfAuthors, "affiliation": DOCO.ListOfOrganizations}
"""Classes of blocks that their source tells to be parts of the front matter, wherever they are printed."""
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
        elif _is_prose(block):
            classes[block.id] = DOCO.Paragraph
        elif titled and not listed and _looks_like_names(block.plain):
            classes[block.id], listed = DOCO.ListOfAuthors, True
        elif _ORGANIZATION.search(block.plain):
            classes[block.id] = DOCO.ListOfOrganizations
        else:
            classes[block.id] = DOCO.Paragraph
    return classes


def _is_prose(block: Block) -> bool:
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
