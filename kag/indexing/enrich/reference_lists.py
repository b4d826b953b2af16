"""Several reference lists in one paper: where numbers begin again, and which of the lists a text may cite.

The references of the methods or of a supplement are often numbered from 1 once more. A text cites the list that is
printed next behind it; a caption or a table the list of the text that calls it out, wherever it is printed.

Where a list is not at hand, the numbers cited say how long it is: a list counts from 1 without gaps, and most are in
the order of first citing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from rdflib import URIRef

from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace


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
