"""What the nodes of the layers are called: the same words at the same place have the same name in every run."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from kag.layers.values import Entity, Measurement, Mention
from kag.rdf.namespaces import CONCEPTS
from kag.text.search_text import search_text

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def span_name(letter: str, words: Mention, number: int = 1) -> str:
    """The local name of what stands in a text from one character to another, the `number`th of its kind there."""
    host = _UNSAFE.sub("_", words.node.rpartition("/")[2])
    return f"{letter}-{host}-{words.start}-{words.end}" + (f"-{number}" if number > 1 else "")


def value_names(measurements: Iterable[Measurement]) -> Iterator[tuple[str, Measurement]]:
    """Measurements with the local names of their values; members of a list ("4, 6 and 13 kg") are one mention."""
    met: Counter[tuple[str, int, int]] = Counter()
    for one in measurements:
        place = (one.mention.node, one.mention.start, one.mention.end)
        met[place] += 1
        yield span_name("q", one.mention, met[place]), one


def entity_name(kind: str, name: str) -> str:
    """The local name of an entity; spellings of one name are one entity."""
    return f"e-{_digest(kind, folded(name))}"


def attribute_name(name: str, entity: str) -> str:
    """The local name of a property of an entity (any name of it, or "")."""
    return f"a-{_digest(folded(name), entity)}"


def relation_name(kind: str, head: str, tail: str) -> str:
    """The local name of a relation of two mentions."""
    return f"r-{_digest(kind, head, tail)}"


def concept_iri(entity: Entity) -> str:
    """The node that stands for the same thing in every paper: by its first exact identifier, else by kind and name."""
    exact = min((one.iri for one in entity.identifiers if one.match == "exact"), default="")
    return CONCEPTS + (_digest(exact) if exact else _digest(entity.kind, folded(entity.name)))


def folded(name: str) -> str:
    """A name as it is compared: however it is printed.

    >>> folded("TNFα") == folded("TNF-alpha")
    True
    """
    return " ".join(search_text(name).text.split())


def _digest(*parts: str) -> str:
    return hashlib.sha256("|".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
