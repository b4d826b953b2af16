"""Structure of the reference list: number, words and parsed fields of each entry."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from rdflib import URIRef

from kag.core.errors import BadValue
from kag.indexing.references.identifiers import web_address
from kag.indexing.references.parser import Reference, parse_references, repeats_names
from kag.indexing.structure.reference_list import entry_number, number_span, split_entries
from kag.rdf.namespaces import DCTERMS, DEO, DOCO, FABIO, KAG, PRISM
from kag.rdf.workspace import Workspace
from kag.text.plain import plain
from kag.text.sentences import goes_on

__all__ = ["apply", "entry_number", "entry_tails", "number_entries", "read_references", "split_entries"]

_PROPERTIES = (
    KAG.citationNumber, KAG.citationText, KAG.authorList, DCTERMS.title, FABIO.hasPublicationYear, PRISM.doi,
    PRISM.publicationName, PRISM.volume, PRISM.number, PRISM.startingPage, PRISM.endingPage, DCTERMS.publisher,
    FABIO.hasPubMedId, FABIO.hasArXivId, FABIO.hasURL, KAG.parsedFields,
)  # fmt: skip
_FIELDS = ("title", "year", "suffix", "container", "volume", "issue", "first_page", "last_page", "doi", "arxiv", "pmid",
           "pmcid", "url", "publisher", "place", "edition")  # fmt: skip
_CUT = re.compile(r"[^\W\d_]{2}-$")  # a word at the end of a page
_NUMBERED = 0.6  # of the entries must print a number for the list to be a numbered one


def number_entries(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Number and words of each entry of a list, in its order.

    In a numbered list the number is the printed one (one that was lost follows its predecessor);
    in any other it is the position, and a number that an entry starts with belongs to its words.
    Where numbers begin again, another list does.
    """
    spans = [number_span(text) for text in texts]
    parts = lists_of([span[0] if span else None for span in spans])
    return [entry for part in parts for entry in _numbered(texts[part], spans[part])]


def _numbered(texts: Sequence[str], spans: Sequence[tuple[int, int] | None]) -> list[tuple[int, str]]:
    """Number and words of each entry of one list."""
    printed = [span[0] for span in spans if span]
    if not _counts_up(printed, len(texts)):
        return [(position, text.strip()) for position, text in enumerate(texts, 1)]
    beyond, last = {number: number + 1 for number in printed}, 0
    entries: list[tuple[int, str]] = []
    for text, span in zip(texts, spans, strict=True):
        if span:
            last = span[0]
            entries.append((last, text[span[1] :].strip()))
        else:
            last = _free(last + 1, beyond)
            beyond[last] = last + 1
            entries.append((last, text.strip()))
    return entries


def _free(number: int, beyond: dict[int, int]) -> int:
    """The first number from one on that is not taken; `beyond` leads each that is taken to a later one."""
    passed = []
    while number in beyond:
        passed.append(number)
        number = beyond[number]
    beyond.update(dict.fromkeys(passed, number))
    return number


def read_references(workspace: Workspace) -> list[tuple[URIRef, int, str, Reference]]:
    """Node, number, plain words and parsed fields of each entry, in reading order."""
    nodes = workspace.of_type(DEO.BibliographicReference)
    texts = [
        [text for part in (node, *entry_tails(workspace, node)) for text in _parts(workspace, part)] for node in nodes
    ]
    entries = _read_list(tuple(map(_joined, texts)))
    return [(node, *entry) for node, entry in zip(nodes, entries, strict=True)]


def _parts(workspace: Workspace, node: URIRef) -> list[str]:
    """The text of a node, by its blocks where several make it up: the end of a page may have cut a word."""
    whole = workspace.text(node)
    blocks = workspace.source_blocks(node)
    parts = [block.text for block in blocks]
    return parts if len(blocks) > 1 and "".join("".join(parts).split()) == "".join(whole.split()) else [whole]


def _joined(parts: Sequence[str]) -> str:
    """The parts of an entry as one text: words and addresses that the end of a page cut are put together."""
    whole, *rest = parts
    for part in rest:
        before, after = whole.rstrip(), part.lstrip()
        if goes_on(before[-200:], after):
            whole = before + after
        elif _CUT.search(before) and after[:1].islower():
            whole = before[:-1] + after
        else:
            whole = f"{before} {after}"
    return whole


@lru_cache(maxsize=1)  # each of the passes that read the list asks for it again
def _read_list(texts: tuple[str, ...]) -> list[tuple[int, str, Reference]]:
    found: list[tuple[int, str, Reference]] = []
    entries = number_entries([_unmarked(text) for text in texts])
    parsed = parse_references([words for _, words in entries])
    for (number, words), reference in zip(entries, parsed, strict=True):
        if found and not reference.authors and repeats_names(words):
            before = found[-1][2]
            reference = replace(reference, authors=before.authors, more_authors=before.more_authors)
        found.append((number, words, reference))
    return found


def _unmarked(text: str) -> str:
    """The plain words of an entry, without the mark of a list before them."""
    return re.sub(r"^\s*[•◦▪‣●○■□➢✓·*–-]\s+", "", plain(text))


def entry_tails(workspace: Workspace, entry: URIRef) -> list[URIRef]:
    """The texts that continue an entry cut by a column or page."""
    return workspace.sources(KAG.continues, entry)


def apply(workspace: Workspace) -> int:
    """Describe each entry of the reference list; returns the number of properties set anew."""
    changed = 0
    for node, number, words, reference in read_references(workspace):
        values = (
            *(number, words, "; ".join(map(str, reference.authors)), reference.title, reference.year, reference.doi),
            *(reference.container, reference.volume, reference.issue, reference.first_page, reference.last_page),
            *(reference.publisher, reference.pmid, reference.arxiv, reference.url),
            _record(workspace, words, reference),
        )
        for property_, value in zip(_PROPERTIES, values, strict=True):
            changed += bool(value) and _state(workspace, node, property_, value)
    return changed


def _state(workspace: Workspace, node: URIRef, property_: URIRef, value: object) -> bool:
    """Set a property; False where it has that value already, or where the value is not a year or an address."""
    before = workspace.version
    with suppress(BadValue):
        workspace.put(node, property_, web_address(str(value)) if property_ == FABIO.hasURL else str(value))
    return workspace.version > before


def fields(words: str, reference: Reference) -> dict[str, Any]:
    """Return all fields of an entry as JSON values: its text, fields, their spans, and confidences.

    A span is given for a value that stands in the text exactly once, as it is.
    """
    values = {name: value for name in _FIELDS if (value := getattr(reference, name))}
    people = {
        role: [{"family": name.family, **({"given": name.given} if name.given else {})} for name in names]
        for role, names in (("authors", reference.authors), ("editors", reference.editors))
        if names
    }
    spans = {name: [at, at + len(value)] for name, value in values.items() if (at := _only_place(words, value)) >= 0}
    others = {"others": True} if reference.more_authors else {}
    return {"text": words, "type": reference.kind, **people, **others, **values,
            "spans": spans, "confidence": dict(reference.confidence)}  # fmt: skip


def _only_place(words: str, value: str) -> int:
    at = words.find(value)
    return at if at >= 0 and words.find(value, at + 1) < 0 else -1


def _record(workspace: Workspace, words: str, reference: Reference) -> str:
    return workspace.content.put("reference_fields", json.dumps(fields(words, reference), ensure_ascii=False))


def _counts_up(numbers: Sequence[int], entries: int) -> bool:
    """True when most entries print a number and most numbers follow the one before."""
    if not numbers or len(numbers) < _NUMBERED * entries:
        return False
    steps = sum(later == earlier + 1 for earlier, later in pairwise(numbers))
    return steps >= (len(numbers) - 1) / 2


# Several reference lists in one paper: where numbers begin again, and which of the lists a text may cite ---


def list_starts(numbers: Sequence[int | None]) -> list[int]:
    """The places of the entries that begin a list: the first, and each printed 1 behind other entries that 2 follows.

    An entry without a printed number is None.

    >>> list_starts([1, 2, 3, 1, 2, None]), list_starts([1, 2, 1, 3])
    ([0, 3], [0])
    """
    printed = [(place, number) for place, number in enumerate(numbers) if number is not None]
    again = [place for (place, one), (_, two) in pairwise(printed) if place and (one, two) == (1, 2)]
    return [0, *again] if numbers else []


def lists_of(numbers: Sequence[int | None]) -> list[slice]:
    """The part of the entries that each list is."""
    return [slice(*edges) for edges in pairwise([*list_starts(numbers), len(numbers)])]


def nearest_lists(workspace: Workspace, hosts: Sequence[URIRef], ends: Sequence[URIRef]) -> list[int]:
    """For each host the place of its list, of which `ends` are the last entries, in reading order.

    What is printed behind all lists cites the last one.
    """
    if len(ends) < 2:
        return [0] * len(hosts)
    orders = [workspace.number(entry, KAG.order) or 0 for entry in ends]

    def behind(node: URIRef) -> int:
        return min(bisect_right(orders, workspace.number(node, KAG.order) or 0), len(ends) - 1)

    called: dict[URIRef, int] = {}
    for text in hosts:
        if not _float_of(workspace, text):
            for target in workspace.links(text, KAG.refersTo):
                called.setdefault(target, behind(text))
    return [called.get(_float_of(workspace, host) or host, behind(host)) for host in hosts]


def _float_of(workspace: Workspace, host: URIRef) -> URIRef | None:
    """The figure or table that a host is, or is the caption of."""
    if workspace.is_a(host, DOCO.Table):
        return host
    described = workspace.links(host, KAG.describes) if workspace.is_a(host, DEO.Caption) else []
    return described[0] if described else None


def of_each(nearest: Sequence[int]) -> Mapping[int, list[int]]:
    """The places of the hosts of each list, lists in order."""
    return {one: [place for place, found in enumerate(nearest) if found == one] for one in sorted(set(nearest))}


_COVERED = 0.7  # of 1..n must be cited for n to be the length of the list
_SLACK = 3  # numbers that may be missing where the next new one is cited


def list_length(cited: Iterable[int]) -> int:
    """The largest n cited such that most of 1..n are cited; 0 when there is none.

    >>> list_length([1, 2, 3, 4, 90])
    4
    """
    numbers = sorted(set(cited))
    return max((n for reached, n in enumerate(numbers, 1) if reached >= _COVERED * n), default=0)


def in_order(cited: Sequence[tuple[int, ...]]) -> float:
    """Share of the new numbers, in the order of citing, that follow the largest before them without a jump.

    >>> in_order([(1, 2), (3,), (1,), (9,)])
    0.75
    """
    seen: set[int] = set()
    top = fitting = 0
    for numbers in cited:
        for number in numbers:
            if number not in seen:
                seen.add(number)
                fitting += top < number <= top + _SLACK
                top = max(top, number)
    return fitting / len(seen) if seen else 0.0


def following(cited: Sequence[tuple[int, ...]]) -> list[int]:
    """Positions of the call-outs in the longest run that counts upwards, and of those that go back behind it."""
    tops: list[int] = []  # the smallest number in which a run of each length ends
    ends: list[int] = []  # and where it does
    before: list[int] = [-1] * len(cited)
    for position, numbers in enumerate(cited):
        length = bisect_left(tops, max(numbers))
        if length == len(tops):
            tops.append(0)
            ends.append(0)
        elif tops[length] == max(numbers):
            continue  # the first place that cites a number is the one that counts
        before[position] = ends[length - 1] if length else -1
        tops[length], ends[length] = max(numbers), position
    run = set()
    last = ends[-1] if ends else -1
    while last >= 0:
        run.add(last)
        last = before[last]
    kept, top = [], 0
    for position, numbers in enumerate(cited):
        if position in run or max(numbers) <= top:
            kept.append(position)
            top = max(top, *numbers)
    return kept
