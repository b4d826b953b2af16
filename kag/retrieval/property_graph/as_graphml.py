"""A graph as GraphML and back, as Gephi, yEd, Cytoscape, igraph and networkx read it.

Keys of a value that GraphML has no word for (null, lists, objects, text that XML cannot hold) are told apart by a
`<desc>JSON</desc>`, and hold JSON. Foreign files are read, too: the label is the value of a key named `label`,
`labels`, `labelV` or `labelE`. A file with a document type is refused: entities in it may grow without bound.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape, quoteattr

from kag.core.errors import BadValue
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, checked_name, checked_props, redacted

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
LABELS = ("label", "labels", "labelV", "labelE", "type")
HINT = "Give <graphml><graph><node id=.../><edge source=... target=.../></graph></graphml>, no document type."
NUMBERS = {"int": int, "long": int, "float": float, "double": float}
RETURN = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}

Key = tuple[str, str, str]  # what it is for, the name, the type


def to_graphml(snapshot: GraphSnapshot, allowed: Mapping[str, Iterable[str]] | None = None) -> str:
    """The snapshot as GraphML."""
    shown = redacted(snapshot, allowed).canonical()
    keys: dict[Key, str] = {}
    body = []
    for node in shown.nodes:
        data = _data("node", node, keys)
        body.append(f"<node id={quoteattr(node.id, RETURN)}>{data}</node>")
    for edge in shown.edges:
        ends = f"source={quoteattr(edge.source, RETURN)} target={quoteattr(edge.target, RETURN)}"
        body.append(f"<edge id={quoteattr(edge.id, RETURN)} {ends}>{_data('edge', edge, keys)}</edge>")
    heads = [f'<key id="label-{kind}" for="{kind}" attr.name="label" attr.type="string"/>' for kind in ("node", "edge")]
    for (kind, name, of), key in keys.items():
        desc = "<desc>JSON</desc>" if of == "json" else ""
        typed = f'for="{kind}" attr.name={quoteattr(name, RETURN)} attr.type="{"string" if desc else of}"'
        heads.append(f'<key id="{key}" {typed}>{desc}</key>')
    lines = [*heads, '<graph edgedefault="directed">', *body, "</graph>"]
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{NAMESPACE}">\n' + "\n".join(lines) + "\n</graphml>\n"
    )


def _data(kind: str, thing: Node | Link, keys: dict[Key, str]) -> str:
    """The data elements of a node or edge; keys that they need are added."""
    parts = [f'<data key="label-{kind}">{escape(thing.label, RETURN)}</data>']
    for name, value in sorted(thing.props.items()):
        of, text = _typed(value)
        key = keys.setdefault((kind, name, of), f"d{len(keys)}")
        parts.append(f'<data key="{key}">{escape(text, RETURN)}</data>')
    return "".join(parts)


def _typed(value: Any) -> tuple[str, str]:
    if isinstance(value, bool):
        return "boolean", "true" if value else "false"
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return "long", str(value)
    if isinstance(value, float):
        return "double", repr(value)
    if isinstance(value, str) and all(_fits_xml(sign) for sign in value):
        return "string", value
    return "json", json.dumps(value, sort_keys=True)


def _fits_xml(sign: str) -> bool:
    return sign in "\t\n\r" or " " <= sign < "\ud800" or "\ue000" <= sign < "\ufffe" or sign > "\uffff"


def from_graphml(text: str | bytes) -> GraphSnapshot:
    """Parse GraphML into a snapshot; raises `BadValue`."""
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode("utf-8") if isinstance(text, str) else text, True)
    except ExpatError as error:
        raise BadValue(f"no GraphML: {error}", hint=HINT) from error
    except UnicodeEncodeError as error:
        raise BadValue("no GraphML: half of a character", hint=HINT) from error
    if not reader.seen_root:
        raise BadValue("no GraphML: no element graphml", hint=HINT)
    return GraphSnapshot(tuple(reader.nodes), tuple(reader.edges))


class _Reader:
    """Takes events of the parser; holds the node or edge that is open."""

    def __init__(self) -> None:
        self.parser = ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.nodes: list[Node] = []
        self.edges: list[Link] = []
        self.seen_root = False
        self._keys: dict[str, tuple[str, str]] = {}
        self._open: dict[str, str] | None = None
        self._props: dict[str, Any] = {}
        self._label = ""
        self._inside = ""
        self._words: list[str] = []

    def _refuse(self, *_: object) -> None:
        raise BadValue("GraphML with a document type is not read", hint=HINT)

    def _start(self, name: str, about: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self.seen_root |= tag == "graphml"
        self._words = []
        if tag == "key":
            self._inside = about.get("id", "")
            self._keys[self._inside] = about.get("attr.name", self._inside), about.get("attr.type", "string")
        elif tag in ("node", "edge"):
            self._open, self._props, self._label = about, {}, ""
        elif tag == "data":
            self._inside = about.get("key", "")
        elif tag in ("hyperedge", "port"):
            raise BadValue(f"GraphML with a {tag} is not read", hint="Give a graph of nodes and edges alone.")

    def _text(self, text: str) -> None:
        self._words.append(text)

    def _end(self, name: str) -> None:
        tag, text = name.rpartition(" ")[2], "".join(self._words)
        self._words = []
        if tag == "desc" and text == "JSON" and self._inside in self._keys:
            self._keys[self._inside] = self._keys[self._inside][0], "json"
        elif tag == "data" and self._open is not None:
            self._datum(text)
        elif tag == "node" and self._open is not None:
            label = checked_name(self._label or "Node", "label")
            self.nodes.append(Node(checked_name(self._open.get("id"), "id"), label, checked_props(self._props)))
            self._open = None
        elif tag == "edge" and self._open is not None:
            self.edges.append(self._edge(self._open))
            self._open = None

    def _edge(self, about: dict[str, str]) -> Link:
        ends = checked_name(about.get("source"), "id"), checked_name(about.get("target"), "id")
        name = checked_name(about.get("id") or f"e{len(self.edges) + 1}", "id")
        return Link(name, checked_name(self._label or "edge", "label"), *ends, checked_props(self._props))

    def _datum(self, text: str) -> None:
        name, of = self._keys.get(self._inside, (self._inside, "string"))
        if self._inside.startswith("label-"):
            self._label = text
        elif name in LABELS and of == "string" and not self._label and text:
            self._label = text.strip(":")
        else:
            self._props[name] = _value(text, of, name)


def _value(text: str, of: str, name: str) -> Any:
    try:
        if of == "json":
            return json.loads(text)
        return text.strip().lower() in ("true", "1") if of == "boolean" else NUMBERS.get(of, str)(text)
    except (ValueError, RecursionError) as error:
        raise BadValue(
            f"{name!r:.60}: {text!r:.60} is no {of}", hint="Correct the value, or the type of its key."
        ) from error
