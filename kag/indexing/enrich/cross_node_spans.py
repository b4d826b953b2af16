"""Call-outs cut in two by the end of a column or page: "(Smith et" and "al. 2010)", "see Fig." and "3".

The end of a text and the beginning of the one that continues it are read together as one more text, a seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rdflib import URIRef

from kag.rdf.namespaces import KAG
from kag.rdf.workspace import Workspace

_REACH = 200  # characters on each side; longer call-outs are not printed


@dataclass(frozen=True, slots=True)
class Seam:
    """Two texts, by their places in the list of texts, and the words around the cut between them.

    `text[:cut]` is the end of the earlier one from its character `start`; the later one begins behind a blank.
    """

    earlier: int
    later: int
    text: str
    start: int
    cut: int

    def parts(self, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The spans in both texts of what is found at a span of the seam's; None when it is not cut."""
        if start >= self.cut or end <= self.cut + 1:
            return None
        return (self.start + start, self.start + self.cut), (0, end - self.cut - 1)


def join(earlier: int, before: str, later: int, after: str) -> Seam:
    """The seam of two texts."""
    before = before.rstrip()
    start = max(0, len(before) - _REACH)
    return Seam(earlier, later, f"{before[start:]} {after[:_REACH]}", start, len(before) - start)


def find_seams(workspace: Workspace, hosts: Sequence[URIRef], texts: Sequence[str]) -> list[Seam]:
    """The seams between those of the hosts that continue one another."""
    place = {host: position for position, host in enumerate(hosts)}
    return [
        join(place[earlier], texts[place[earlier]], position, texts[position])
        for position, host in enumerate(hosts)
        for earlier in workspace.links(host, KAG.continues)
        if earlier in place and texts[place[earlier]].strip() and texts[position].strip()
    ]
