"""Texts that name nodes: the words of a text, and the nodes whose names are among them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.engine import GraphEngine
from kag.text.words import stems

_WORD = re.compile(r"\w+|[^\w\s]")
MOST_WORDS = 40
"""Words of a name that are looked for at most."""
LONGEST_STEM = 60


def words_of(text: str) -> tuple[str, ...]:
    """The words and signs of a text, without case.

    >>> words_of("BMAL1:CLOCK treats it.")
    ('bmal1', ':', 'clock', 'treats', 'it', '.')
    """
    return tuple(word.casefold() for word in spelled(text))


def spelled(text: str) -> tuple[str, ...]:
    """The words and signs of a text as they are spelled; signs that cannot be seen are none."""
    if not text.isascii():
        text = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    return tuple(_WORD.findall(text))


@lru_cache(maxsize=16_384)
def stem_of(word: str) -> str:
    """The stem of one word; a sign has none.

    >>> stem_of("Inhibited"), stem_of("genes"), stem_of("?")
    ('inhibit', 'gene', '')
    """
    found = stems(word[:LONGEST_STEM])
    return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `start` to `end` of a text that name nodes; `exact`: spelled as the name is, capitals and all."""

    start: int
    end: int
    nodes: tuple[str, ...]
    exact: bool = False

    @property
    def length(self) -> int:
        """Return the number of words."""
        return self.end - self.start


class Names:
    """The nodes by their names, for texts that name them."""

    def __init__(self, domain: Domain, graph: GraphEngine) -> None:
        self._by_words: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        self._starts: dict[str, int] = {}
        for node in graph.nodes:
            for name in domain.names_of(node.label, node.props):
                words = words_of(name)[:MOST_WORDS]
                if words:
                    self._by_words.setdefault(words, []).append((node.id, name))
                    self._starts[words[0]] = max(self._starts.get(words[0], 0), len(words))

    def named(self, words: Sequence[str], at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The names that begin at a word, the longest first: where each ends, and the nodes of it."""
        for length in range(min(self._starts.get(words[at], 0), len(words) - at), 0, -1):
            nodes = self._by_words.get(tuple(words[at : at + length]))
            if nodes:
                yield at + length, tuple(dict.fromkeys(node for node, _ in nodes))

    def find(self, text: str) -> tuple[tuple[str, ...], ...]:
        """The nodes of each name in a text, where names do not overlap and the longest wins."""
        words, at, found = words_of(text), 0, []
        while at < len(words):
            end, nodes = next(self.named(words, at), (at + 1, ()))
            if nodes:
                found.append(nodes)
            at = end
        return tuple(found)

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Every name in a text, overlapping ones, too, in order. Of a name spelled so, only nodes spelled so count."""
        as_spelled = spelled(text)
        words, found = tuple(word.casefold() for word in as_spelled), []
        for at in range(len(words)):
            for length in range(min(self._starts.get(words[at], 0), len(words) - at), 0, -1):
                named = self._by_words.get(words[at : at + length], [])
                here = as_spelled[at : at + length]
                exact = dict.fromkeys(node for node, name in named if spelled(name)[:MOST_WORDS] == here)
                nodes = tuple(exact or dict.fromkeys(node for node, _ in named))
                if nodes:
                    found.append(Mention(at, at + length, nodes, bool(exact)))
        return tuple(found)
