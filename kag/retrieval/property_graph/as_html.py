"""A slice of a graph as one HTML page: a picture and two tables, with no script and nothing from elsewhere.

Names and properties are strangers' text: all of it is escaped, and the page forbids itself everything but its style.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from html import escape

from kag.core.errors import BadValue
from kag.retrieval.property_graph.elements import GraphSnapshot, Link
from kag.retrieval.property_graph.layout import Point, placed
from kag.retrieval.property_graph.property_graph import Node

MOST = 400
"""Nodes of a picture: more say nothing."""
WIDTH, HEIGHT, RADIUS = 1000, 700, 11
LONGEST, SHOWN = 26, 40
"""Characters of a name in the picture; edges up to which each has its label."""
PROPS = 400
COLOURS = ("#2f6f9f", "#b5542c", "#4d7f3b", "#7a4f8f", "#9a7b1e", "#3f7f7a", "#a33f5e", "#5b6470")
STYLE = """
body{font:15px/1.45 Georgia,serif;color:#222;max-width:66rem;margin:1.5rem auto;padding:0 1rem}
h1{font-size:1.35rem}svg{width:100%;height:auto;border:1px solid #ccc;background:#fdfcf9}
svg text{font:11px sans-serif}svg .e{stroke:#999;fill:none}svg .l{fill:#777;font-size:9px;text-anchor:middle}
svg .n{text-anchor:middle;paint-order:stroke;stroke:#fdfcf9;stroke-width:3px}
svg a:hover circle{stroke:#000}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}
td,th{border-bottom:1px solid #ddd;padding:.2rem .5rem;text-align:left;vertical-align:top}tr:target{background:#fff3c4}
code{font-size:.85em;word-break:break-word}.k{display:inline-block;margin-right:1rem}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_html(
    snapshot: GraphSnapshot,
    *,
    title: str = "A slice of a graph",
    seeds: Collection[str] = (),
    why: Mapping[str, str] | None = None,
    name_of: Callable[[Node], str] | None = None,
) -> str:
    """The page. `seeds` have a ring, `why` says for some nodes why they are there. Raises `BadValue` for too many."""
    if len(snapshot.nodes) > MOST:
        raise BadValue(f"{len(snapshot.nodes)} nodes are no picture", hint=f"Cut it to {MOST} nodes at most.")
    named = {
        node.id: (name_of(node) if name_of else str(node.props.get("name") or "")) or node.id for node in snapshot.nodes
    }
    labels = sorted({node.label for node in snapshot.nodes})
    colours = {label: COLOURS[place % len(COLOURS)] for place, label in enumerate(labels)}
    rows = {name: f"n{place}" for place, name in enumerate(dict.fromkeys(snapshot.node_ids))}
    edges = [edge for edge in snapshot.edges if edge.source in rows and edge.target in rows]
    keys = "".join(f'<span class="k"><b style="color:{colours[one]}">&#9679;</b> {_said(one)}</span>' for one in labels)
    places = placed(snapshot, WIDTH, HEIGHT)
    drawn = "".join(
        (*_edges(edges, places), *(_node(node, places, named, colours, rows, seeds) for node in snapshot.nodes))
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{_said(title)}</title><style>{STYLE}</style></head><body>\n<h1>{_said(title)}</h1>\n"
        f"<p>{len(snapshot.nodes)} nodes, {len(edges)} edges. {keys}</p>\n"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="The graph as a picture"><defs>'
        '<marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 8 4 0 8z" fill="#999"/></marker></defs>{drawn}</svg>\n'
        f"{_node_table(snapshot, named, rows, why or {})}{_edge_table(edges, named, rows)}</body></html>\n"
    )


def _said(text: object, most: int = 0) -> str:
    """A text of strangers for a page."""
    line = "".join(sign if sign.isprintable() or sign == " " else " " for sign in str(text))
    cut = line if not most or len(line) <= most else f"{line[: most - 1]}…"
    return escape(cut.encode("utf-8", "replace").decode("utf-8"), quote=True)


def _node(
    node: Node,
    places: Mapping[str, Point],
    named: Mapping[str, str],
    colours: Mapping[str, str],
    rows: Mapping[str, str],
    seeds: Collection[str],
) -> str:
    x, y = places[node.id]
    ring = ' stroke="#000" stroke-width="3"' if node.id in seeds else ""
    return (
        f'<a href="#{rows[node.id]}"><title>{_said(named[node.id], 200)} ({_said(node.label, 60)})</title>'
        f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{colours[node.label]}"{ring}/>'
        f'<text class="n" x="{x}" y="{round(y + RADIUS + 12, 1)}">{_said(named[node.id], LONGEST)}</text></a>'
    )


def _edges(edges: Collection[Link], places: Mapping[str, Point]) -> list[str]:
    """The edges as curves, those between the same two beside one another."""
    seen: dict[frozenset[str], int] = {}
    found = []
    for edge in edges:
        pair = frozenset((edge.source, edge.target))
        number = seen[pair] = seen.get(pair, -1) + 1
        path, (x, y) = _curve(places[edge.source], places[edge.target], number)
        found.append(f'<path class="e" d="{path}" marker-end="url(#a)"/>')
        if len(edges) <= SHOWN:
            found.append(f'<text class="l" x="{x}" y="{y}">{_said(edge.label, LONGEST)}</text>')
    return found


def _curve(start: Point, end: Point, number: int) -> tuple[str, Point]:
    """A curve from the rim of one node to that of another, and where its label stands."""
    (x, y), (u, v) = start, end
    length = math.hypot(u - x, v - y)
    if length < 1:
        top = round(y - 34 - 8 * number, 1)
        return f"M{x - 6} {y - 9}C{x - 24} {top} {x + 24} {top} {x + 6} {y - 9}", (x, top)
    dx, dy = (u - x) / length, (v - y) / length
    bend = (0 if number == 0 else 18 * ((number + 1) // 2)) * (1 if number % 2 else -1)
    middle = round((x + u) / 2 - dy * bend, 1), round((y + v) / 2 + dx * bend, 1)
    begin = round(x + dx * RADIUS, 1), round(y + dy * RADIUS, 1)
    stop = round(u - dx * (RADIUS + 1), 1), round(v - dy * (RADIUS + 1), 1)
    path = f"M{begin[0]} {begin[1]}Q{middle[0]} {middle[1]} {stop[0]} {stop[1]}"
    return path, (round((x + u) / 2 - dy * bend / 2, 1), round((y + v) / 2 + dx * bend / 2 - 3, 1))


def _node_table(
    snapshot: GraphSnapshot, named: Mapping[str, str], rows: Mapping[str, str], why: Mapping[str, str]
) -> str:
    head = "<tr><th>node</th><th>label</th><th>properties</th><th>why</th></tr>"
    lines = (
        f'<tr id="{rows[node.id]}"><td>{_said(named[node.id], 200)}<br><code>{_said(node.id, 200)}</code></td>'
        f"<td>{_said(node.label)}</td><td><code>{_props(node.props)}</code></td>"
        f"<td>{_said(why.get(node.id, ''))}</td></tr>"
        for node in snapshot.nodes
    )
    return f"<h2>Nodes</h2>\n<table>{head}{''.join(lines)}</table>\n"


def _edge_table(edges: Collection[Link], named: Mapping[str, str], rows: Mapping[str, str]) -> str:
    head = "<tr><th>from</th><th>edge</th><th>to</th><th>properties</th></tr>"
    lines = (
        f'<tr><td><a href="#{rows[edge.source]}">{_said(named[edge.source], 200)}</a></td><td>{_said(edge.label)}<br>'
        f"<code>{_said(edge.id, 200)}</code></td>"
        f'<td><a href="#{rows[edge.target]}">{_said(named[edge.target], 200)}</a></td>'
        f"<td><code>{_props(edge.props)}</code></td></tr>"
        for edge in edges
    )
    return f"<h2>Edges</h2>\n<table>{head}{''.join(lines)}</table>\n"


def _props(props: Mapping[str, object]) -> str:
    return _said(json.dumps(dict(props), ensure_ascii=False, sort_keys=True), PROPS) if props else ""
