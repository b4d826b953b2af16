"""Structure of the reference list: number, words and parsed fields of each entry."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rdflib import Literal, URIRef

from kag.enrich.entries import entry_number, number_span, split_entries
from kag.enrich.reference_parser import Reference, parse_reference
from kag.rdf.namespaces import DCTERMS, DEO, FABIO, KAG, PRISM
from kag.rdf.workspace import Workspace
from kag.text import plain

__all__ = ["apply", "entry_number", "entry_tails", "number_entries", "read_references", "split_entries"]

_PROPERTIES = (KAG.citationNumber, KAG.citationText, KAG.authorList, DCTERMS.title, FABIO.hasPublicationYear, PRISM.doi,
               PRISM.publicationName, PRISM.volume, PRISM.startingPage, PRISM.endingPage)  # fmt: skip
_NUMBERED = 0.6  # of the entries must print a number for the list to be a numbered one


def number_entries(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Number and words of each entry of a list, in its order.

    In a numbered list the number is the printed one (one that was lost follows its predecessor);
    in any other it is the position, and a number that an entry starts with belongs to its words.
    """
    spans = [number_span(text) for text in texts]
    printed = [span[0] for span in spans if span]
    if not _counts_up(printed, len(texts)):
        return [(position, text.strip()) for position, text in enumerate(texts, 1)]
    taken, last = set(printed), 0
    entries: list[tuple[int, str]] = []
    for text, span in zip(texts, spans, strict=True):
        if span:
            last = span[0]
            entries.append((last, text[span[1] :].strip()))
        else:
            last = next(number for number in range(last + 1, last + len(taken) + 2) if number not in taken)
            taken.add(last)
            entries.append((last, text.strip()))
    return entries


def read_references(workspace: Workspace) -> list[tuple[URIRef, int, str, Reference]]:
    """Node, number, plain words and parsed fields of each entry, in reading order."""
    nodes = workspace.of_type(DEO.BibliographicReference)
    texts = [[workspace.text(part) for part in (node, *entry_tails(workspace, node))] for node in nodes]
    entries = number_entries([plain(" ".join(parts)) for parts in texts])
    return [(node, number, words, parse_reference(words)) for node, (number, words) in zip(nodes, entries, strict=True)]


def entry_tails(workspace: Workspace, entry: URIRef) -> list[URIRef]:
    """The texts that continue an entry cut by a column or page."""
    return workspace.sources(KAG.continues, entry)


def apply(workspace: Workspace) -> int:
    """Describe each entry of the reference list; returns the number of properties set anew."""
    changed = 0
    for node, number, words, found in read_references(workspace):
        values = (number, words, "; ".join(map(str, found.authors)), found.title, found.year, found.doi,
                  found.container, found.volume, found.first_page, found.last_page)  # fmt: skip
        known = dict(workspace.graph.predicate_objects(node))
        for property_, value in zip(_PROPERTIES, values, strict=True):
            if value and (literal := Literal(value)) != known.get(property_):
                workspace.set(node, property_, literal) if property_ in known else workspace.add(
                    node, property_, literal
                )
                changed += 1
    return changed


def _counts_up(numbers: Sequence[int], entries: int) -> bool:
    """True when most entries print a number and most numbers follow the one before."""
    if not numbers or len(numbers) < _NUMBERED * entries:
        return False
    steps = sum(later == earlier + 1 for earlier, later in pairwise(numbers))
    return steps >= (len(numbers) - 1) / 2
