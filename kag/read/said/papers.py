"""What a paper says, from the layers of its run; and the sentences that say it, as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from kag.layers.callouts import cited_sentences
from kag.layers.reading import said_of
from kag.layers.runs import read_layers
from kag.layers.values import Entity, Measurement, Mention, Said
from kag.rdf.namespaces import KAG
from kag.read.paper import PaperGraph
from kag.read.quote import evidence, find_quote
from kag.text.search_text import search_text
from kag.values.evidence import Evidence

_WORD = re.compile(r"[^\W_]+")
_PLAIN = str(KAG.plainText)
_LITTLE = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))
_STATED = frozenset(("result", "conclusion"))
OWN = frozenset(("objective", "method", "result", "conclusion", "availability"))
"""Roles of claims that are on the paper's own work."""
_known: WeakKeyDictionary[PaperGraph, Said] = WeakKeyDictionary()


def said_by(paper: PaperGraph) -> Said:
    """What the layers of a paper's run say; nothing where it has none. Raises `RunError` where one is damaged."""
    said = _known.get(paper)
    if said is None:
        said = _known[paper] = said_of(read_layers(paper.path)) if paper.path else Said()
    return said


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name as they are compared, without a plural's s."""
    words = _WORD.findall(search_text(name).text)
    return tuple(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


def is_named(topic: str, names: Iterator[str] | tuple[str, ...]) -> bool:
    """Whether a name is that of the topic, or holds it as whole words: "spleen" is in "the spleen of mice"."""
    wanted = words_of(topic)
    for name in names:
        words = words_of(name)
        if wanted and any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1)):
            return True
    return False


def is_about(topic: str, sentence: str) -> bool:
    """Whether a sentence has all words of a topic that bear it, in whatever order: "sleep of mice", "sleep in mice"."""
    wanted = set(words_of(topic)) - _LITTLE
    return bool(wanted) and wanted <= set(words_of(sentence))


def names_of(entity: Entity) -> tuple[str, ...]:
    """All names of an entity: its own, and the words that its mentions print."""
    return tuple(dict.fromkeys((entity.name, *entity.aliases, *(one.text for one in entity.mentions))))


def named(said: Said, topic: str, kind: str = "") -> tuple[Entity, ...]:
    """The entities of a topic: those that it names, of one kind if that is told; one that is just so called alone."""
    found = [one for one in said.entities if (not kind or one.kind == kind) and is_named(topic, names_of(one))]
    wanted = words_of(topic)
    same = [one for one in found if any(words_of(name) == wanted for name in names_of(one))]
    return tuple(same or found)


def measured(said: Said, topic: str, property_: str = "") -> tuple[Measurement, ...]:
    """The measurements of a topic: of an entity that it names, or of a property that has its words.

    `property_` limits them to a property. Those that the paper states as its results stand first.
    """
    known = {_place(one) for entity in named(said, topic) for one in entity.mentions}
    found = []
    for one in said.measurements:
        of = [words for words in (one.entity, one.measured) if words is not None]
        fits = any(_place(words) in known or is_named(topic, (words.text,)) for words in of)
        wanted = not property_ or (one.measured is not None and is_named(property_, (one.measured.text,)))
        if fits and wanted:
            found.append(one)
    stated = [claim.sentence for claim in said.claims if claim.role in _STATED]
    return tuple(sorted(found, key=lambda one: not any(is_inside(one.mention, claim) for claim in stated)))


def measured_beside(said: Said, topic: str, paper: PaperGraph) -> Iterator[Measurement]:
    """The measurements of which no more is known than that the topic stands in their sentence."""
    for one in said.measurements:
        if is_named(topic, (sentence_at(paper, one.mention)[0],)):
            yield one


def is_inside(words: Mention, around: Mention) -> bool:
    """Whether words stand within others."""
    return words.node == around.node and around.start <= words.start and words.end <= around.end


def _place(words: Mention) -> tuple[str, int, int]:
    return words.node, words.start, words.end


def sentence_at(paper: PaperGraph, words: Mention) -> tuple[str, tuple[Evidence, ...]]:
    """The sentence (or the line of a table) that some words stand in, in plain words, and where it is printed."""
    node = paper.nodes.get(words.node)
    if node is None:
        return "", ()
    plain = paper.graph.value(words.node, _PLAIN)
    if not plain:
        start = node.text.rfind("\n", 0, words.start) + 1
        end = node.text.find("\n", words.end)
        end = len(node.text) if end < 0 else end
        return node.text[start:end], (evidence(paper, words.node, start, end),)
    start, end = next(
        ((s, e) for s, e in cited_sentences(plain) if s <= words.start and words.end <= e), (words.start, words.end)
    )
    sentence = plain[start:end].strip()
    place = find_quote(node.text, sentence)
    return (sentence, (evidence(paper, words.node, *place),)) if place else ("", ())
