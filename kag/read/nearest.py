"""`nearest`: the passages of a paper that come nearest to a question which nothing answers."""

from __future__ import annotations

from kag.read.paper import PaperGraph
from kag.read.passage_index import Hit, SearchIndex
from kag.read.passages import passages
from kag.text.search_text import tokens

MOST = 3
_LOOKED_AT = 20  # of the hits: two passages of one table are one here


def nearest(query: str, paper: PaperGraph) -> tuple[Hit, ...]:
    """At most three passages, of as many nodes, that have two of the query's words, or the only one it has."""
    index = SearchIndex(passages(paper))
    needed = min(2, len({token.text for token in tokens(query)}))
    found: dict[str, Hit] = {}
    for hit in index.search(query, _LOOKED_AT).hits:
        words = {paper.nodes[node].text[start:end].casefold() for node, start, end in hit.spans}
        if len(words) >= needed:
            found.setdefault(hit.snippet[0], hit)
    return tuple(found.values())[:MOST]
