"""What the nodes of the layers are called: the same words at the same place have the same name in every run."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from kag.layers.values import Entity, Mention
from kag.rdf.namespaces import CONCEPTS
from kag.text.search_text import search_text

_CELL = re.compile(r"#r(\d{1,6})c(\d{1,6})$")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Host:
    """Where a span stands: the IRI of a document node, and the cell's place in its grid where that is a table."""

    node: str
    row: int | None = None
    column: int | None = None

    @property
    def local(self) -> str:
        """A local name for it."""
        name = _UNSAFE.sub("_", self.node.rpartition("/")[2])
        return name if self.row is None else f"{name}.r{self.row}c{self.column}"


def cell_name(table: str, row: int, column: int) -> str:
    """The passage name of a table's cell; `host_of` reads it.

    >>> host_of(cell_name("http://e/t1", 3, 0))
    Host(node='http://e/t1', row=3, column=0)
    """
    return f"{table}#r{row}c{column}"


def host_of(name: str) -> Host:
    """The document node that a passage's name means."""
    cell = _CELL.search(name)
    return Host(name[: cell.start()], int(cell[1]), int(cell[2])) if cell else Host(name)


def span_name(letter: str, mention: Mention) -> str:
    """The local name of what stands in a text from one character to another."""
    return f"{letter}-{host_of(mention.node).local}-{mention.start}-{mention.end}"


def entity_name(kind: str, name: str) -> str:
    """The local name of an entity; spellings of one name are one entity."""
    return f"e-{_digest(kind, folded(name))}"


def attribute_name(name: str, entity: str) -> str:
    """The local name of a property of an entity (its local name, or "")."""
    return f"a-{_digest(folded(name), entity)}"


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
