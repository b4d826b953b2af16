"""Untrusted XML as a tree: nothing is fetched, no DTD is loaded, its own entities are not expanded.

Bombs are made of entities, so a document that declares any is refused; those that HTML knows (`&nbsp;`) are read. The
parser's own bounds (256 elements deep, 10 MB of one text) stay on.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from lxml import etree

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.sources.loading import load

Element = Any
"""An element of the tree; `tag` is without namespace, comments and instructions are gone."""

MOST_ENTITIES = 20_000  # `&nbsp;` and the like; each costs a copy of the text before it
DEEPEST = 200  # elements; the readers walk down by calls


def load_xml(path: Path) -> tuple[Element, bytes]:
    """The root of an XML file, and its bytes; raises `SourceError` where it is broken or not to be trusted."""
    data = load(path).data
    return parse_xml(path, data), data


def parse_xml(path: Path, data: bytes) -> Element:
    """The root of XML that a file holds; raises as `load_xml` does."""
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
    )
    try:
        tree = etree.fromstring(data, parser).getroottree()
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        problem = " ".join(str(error).split())[:200]
        hint = "Fetch or convert the paper again: the file was cut off or changed."
        raise SourceError(f"{shown(path)} is not valid XML: {problem}", hint=hint) from error
    dtd: Any = tree.docinfo.internalDTD
    if dtd is not None and next(iter(dtd.iterentities()), None) is not None:
        hint = "Take the <!ENTITY ...> lines out, or fetch the paper from its publisher again."
        raise SourceError(f"{shown(path)} declares entities of its own, which are not read", hint=hint)
    root = tree.getroot()
    entities = list(root.iter(etree.Entity))
    if len(entities) > MOST_ENTITIES:
        raise SourceError(
            f"{shown(path)} names {len(entities)} characters", hint="Save it with the characters themselves."
        )
    _resolve(entities)
    _plain_names(path, root)
    return root


def _resolve(entities: list[Element]) -> None:
    """Replace HTML's entities by their characters; unknown ones stay as written."""
    for entity in entities:
        words = unescape(entity.text) + (entity.tail or "")
        before, parent = entity.getprevious(), entity.getparent()
        if before is not None:
            before.tail = (before.tail or "") + words
        else:
            parent.text = (parent.text or "") + words
        entity.tail = None
        parent.remove(entity)


def _plain_names(path: Path, root: Element) -> None:
    """Names without their namespaces: JATS, TEI and MathML share none that matters here."""
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > DEEPEST:
            raise SourceError(f"{shown(path)} is nested more than {DEEPEST} deep", hint="Check what made this file.")
        if event == "start" and isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]


def words_of(element: Element | None) -> str:
    """All words in an element, on one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def child(element: Element | None, *names: str) -> Element | None:
    """The descendant that a path of names leads to, the first each time; None where there is none."""
    for name in names:
        element = None if element is None else next((one for one in element if one.tag == name), None)
    return element


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """The children with one of some names."""
    return (one for one in (() if element is None else element) if one.tag in names)


def attribute(element: Element, name: str) -> str:
    """An attribute by its local name (`href` for `xlink:href`, `id` for `xml:id`); "" without one."""
    own = element.get(name)
    if own is not None:
        return str(own)
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
