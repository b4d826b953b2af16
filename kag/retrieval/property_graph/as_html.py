"""A slice of a graph as one HTML page: a picture and two tables, with no script and nothing from elsewhere.

Names and properties are strangers' text: all of it is escaped, and the page forbids itself everything but its style.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape

from kag.core.errors import BadValue
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node

Point = tuple[float, float]
ROUNDS, WORK = 150, 1_500_000
"""Rounds at most, and pairs of nodes that are looked at in all rounds together, about."""
GOLDEN = math.pi * (3 - math.sqrt(5))
PULL = 0.15
"""How far a node goes to the middle in a round, of its way there and of the round's warmth: parts stay together."""


def placed(snapshot: GraphSnapshot, width: float = 1000.0, height: float = 700.0) -> dict[str, Point]:
    """A place within the width and height for each node; edges to nodes that are not there do nothing."""
    names = list(dict.fromkeys(snapshot.node_ids))
    order = {name: place for place, name in enumerate(names)}
    pairs = sorted(
        {
            (min(a, b), max(a, b))
            for edge in snapshot.edges
            if (a := order.get(edge.source, -1)) >= 0 and (b := order.get(edge.target, -1)) >= 0 and a != b
        }
    )
    xs = [math.sqrt(place + 0.5) * math.cos(place * GOLDEN) for place in range(len(names))]
    ys = [math.sqrt(place + 0.5) * math.sin(place * GOLDEN) for place in range(len(names))]
    rounds = min(ROUNDS, WORK // max(1, len(names) ** 2))
    for number in range(rounds):
        _round(xs, ys, pairs, 0.6 * (1 - number / rounds))
    return dict(zip(names, _stretched(xs, ys, width, height), strict=True))


def _round(xs: list[float], ys: list[float], pairs: Sequence[tuple[int, int]], warmth: float) -> None:
    """All nodes a step on: no further than the warmth allows. Linked nodes are to be about one apart."""
    size = len(xs)
    dx, dy = [-PULL * x for x in xs], [-PULL * y for y in ys]
    for one in range(size):
        x, y = xs[one], ys[one]
        for other in range(one + 1, size):
            ax, ay = x - xs[other], y - ys[other]
            far = ax * ax + ay * ay or 1e-9
            if far < 64.0:
                push = 1.0 / far
                dx[one] += ax * push
                dy[one] += ay * push
                dx[other] -= ax * push
                dy[other] -= ay * push
    for one, other in pairs:
        ax, ay = xs[one] - xs[other], ys[one] - ys[other]
        pull = math.hypot(ax, ay)
        dx[one] -= ax * pull
        dy[one] -= ay * pull
        dx[other] += ax * pull
        dy[other] += ay * pull
    for one in range(size):
        length = math.hypot(dx[one], dy[one]) or 1e-9
        step = min(length, warmth) / length
        xs[one] += dx[one] * step
        ys[one] += dy[one] * step


def _stretched(xs: Sequence[float], ys: Sequence[float], width: float, height: float) -> list[Point]:
    """The places spread over the picture, rounded to whole tenths so that machines agree."""
    if not xs:
        return []
    left, top = min(xs), min(ys)
    wide, high = (max(xs) - left) or 1.0, (max(ys) - top) or 1.0
    alone_x, alone_y = (0.5 if max(values) == min(values) else 0.0 for values in (xs, ys))
    margin = 70.0
    return [
        (
            round(margin + ((x - left) / wide + alone_x) * (width - 2 * margin), 1),
            round(margin + ((y - top) / high + alone_y) * (height - 2 * margin), 1),
        )
        for x, y in zip(xs, ys, strict=True)
    ]


MOST = 500
"""Nodes of a picture: more say nothing."""
WIDTH, HEIGHT, RADIUS = 1000, 700, 11
LONGEST, SHOWN = 26, 40
"""Characters of a name in the picture; edges up to which each has its label."""
PROPS = 400
KINDS = 8  # colours and shapes there are
_FIRST = ("M0-1A1 1 0 1 1 0 1A1 1 0 1 1 0-1Z", "M-.9-.9H.9V.9H-.9Z", "M0-1.2 1.2 0 0 1.2-1.2 0Z", "M0-1.2 1.1.8H-1.1Z")
_MORE = ("M-.6-1H.6L1.2 0 .6 1H-.6L-1.2 0Z", "M0 1.2 1.1-.8H-1.1Z", "M-1.2-.6H1.2V.6H-1.2Z", "M-.6-1.2H.6V1.2H-.6Z")
SHAPES = (*_FIRST, *_MORE)
"""Outlines of nodes, for a radius of 1; each kind of node has one, and a colour."""
LETTER, LINE = 6.2, 13
"""Width of a letter and height of a line of a name in the picture."""
STYLE = """
:root{color-scheme:light dark;--ground:#f6f8fa;--surface:#fff;--ink:#1f2328;--soft:#57606a;--line:#d1d9e0;
--accent:#0b57b0;
--quote:#ffe8a3;--c0:#0b57b0;--c1:#a83a08;--c2:#2e6b1f;--c3:#86198f;--c4:#8a5a00;--c5:#0f766e;--c6:#a40e26;--c7:#5b6675}
@media(prefers-color-scheme:dark){:root{--ground:#0f1318;
--surface:#171c23;--ink:#e6edf3;--soft:#9ea7b3;--line:#343c46;
--accent:#77b3ff;--quote:#6b5300;--c0:#77b3ff;--c1:#ff9d6b;--c2:#8fd47f;
--c3:#e79bf0;--c4:#e5b454;--c5:#4fd1c5;--c6:#ff8f8f;
--c7:#9ea7b3}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);
max-width:72rem;margin:0 auto;padding:1.5rem}h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.1875rem;margin:2rem 0 .5rem}
p{color:var(--soft);margin:0 0 .75rem}a{color:var(--accent)}
svg.g{width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem;background:var(--surface)}
svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg .e{stroke:var(--line);fill:none}
svg .l{fill:var(--soft);font-size:9px;text-anchor:middle}
svg .n{text-anchor:middle;paint-order:stroke;stroke:var(--surface);stroke-width:3px}
svg .s{stroke:var(--ink);stroke-width:.25}
svg a:hover path{stroke:var(--ink);stroke-width:.25}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}
.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}.c7{fill:var(--c7)}
.k{display:inline-flex;align-items:center;gap:.35rem;margin-right:1rem}.k svg{width:.9rem;height:.9rem}
.w{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem;background:var(--surface)}
table{border-collapse:collapse;width:100%;font-size:.9375rem}th{font-size:.8125rem;color:var(--soft);font-weight:500}
td,th{border-bottom:1px solid var(--line);padding:.5rem .75rem;text-align:left;vertical-align:top}
tr:target{background:var(--quote)}code{font-size:.85em;word-break:break-word;color:var(--soft)}
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
    """Return the page. `seeds` have a ring, `why` has reasons for some nodes. Raises `BadValue` for too many."""
    if len(snapshot.nodes) > MOST:
        raise BadValue(
            f"{len(snapshot.nodes)} nodes are too many for a picture", hint=f"Cut it to {MOST} nodes at most."
        )
    named = {
        node.id: (name_of(node) if name_of else str(node.props.get("name") or "")) or node.id for node in snapshot.nodes
    }
    labels = sorted({node.label for node in snapshot.nodes})
    kinds = {label: place % KINDS for place, label in enumerate(labels)}
    rows = {name: f"n{place}" for place, name in enumerate(dict.fromkeys(snapshot.node_ids))}
    edges = [edge for edge in snapshot.edges if edge.source in rows and edge.target in rows]
    keys = "".join(
        f'<span class="k"><svg viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">'
        f'<path class="c{kinds[one]}" d="{SHAPES[kinds[one]]}"/></svg>{_text_of(one)}</span>'
        for one in labels
    )
    places = placed(snapshot, WIDTH, HEIGHT)
    size = min(RADIUS, round(RADIUS * 10 / math.sqrt(max(len(places), 1)), 1))
    labelled = _labelled(snapshot, edges, places, named, seeds, size)
    nodes = (_node(node, places, named, kinds, rows, seeds, size, node.id in labelled) for node in snapshot.nodes)
    drawn = "".join((*_edges(edges, places, size), *nodes))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{_text_of(title)}</title><style>{STYLE}</style></head><body>\n<h1>{_text_of(title)}</h1>\n"
        f"<p>{len(snapshot.nodes)} nodes, {len(edges)} edges. {keys}</p>\n"
        f'<svg class="g" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="The graph as a picture"><defs>'
        '<marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 8 4 0 8z" class="c7"/></marker></defs>{drawn}</svg>\n'
        f"{_node_table(snapshot, named, rows, why or {})}{_edge_table(edges, named, rows)}</body></html>\n"
    )


def _text_of(text: object, most: int = 0) -> str:
    """Escape untrusted text for a page."""
    line = "".join(sign if sign.isprintable() or sign == " " else " " for sign in str(text))
    cut = line if not most or len(line) <= most else f"{line[: most - 1]}…"
    return escape(cut.encode("utf-8", "replace").decode("utf-8"), quote=True)


def _labelled(
    snapshot: GraphSnapshot,
    edges: Collection[Link],
    places: Mapping[str, Point],
    named: Mapping[str, str],
    seeds: Collection[str],
    size: float,
) -> set[str]:
    """The nodes whose names have room: seeds first, whose names may cover nodes, then those with most edges."""
    degree = Counter(end for edge in edges for end in (edge.source, edge.target))
    names: list[tuple[float, float, float, float]] = []
    dots = [(x - size, y - size, x + size, y + size) for x, y in places.values()]
    found = set()
    for node in sorted(snapshot.nodes, key=lambda node: (node.id not in seeds, -degree[node.id], node.id)):
        x, y = places[node.id]
        half = min(len(named[node.id]), LONGEST) * LETTER / 2
        low, high = y + size + 1, y + size + 1 + LINE
        taken = names if node.id in seeds else (*names, *dots)
        if all(x - half >= b[2] or x + half <= b[0] or low >= b[3] or high <= b[1] for b in taken):
            names.append((x - half, low, x + half, high))
            found.add(node.id)
    return found


def _node(
    node: Node,
    places: Mapping[str, Point],
    named: Mapping[str, str],
    kinds: Mapping[str, int],
    rows: Mapping[str, str],
    seeds: Collection[str],
    size: float,
    labelled: bool,
) -> str:
    x, y = places[node.id]
    kind = kinds[node.label]
    ring = " s" if node.id in seeds else ""
    name = f'<text class="n" x="{x}" y="{round(y + size + 12, 1)}">{_text_of(named[node.id], LONGEST)}</text>'
    return (
        f'<a href="#{rows[node.id]}"><title>{_text_of(named[node.id], 200)} ({_text_of(node.label, 60)})</title>'
        f'<path class="c{kind}{ring}" d="{SHAPES[kind]}" transform="translate({x} {y}) scale({size})"/>'
        f"{name if labelled else ''}</a>"
    )


def _edges(edges: Collection[Link], places: Mapping[str, Point], size: float) -> list[str]:
    """Return the edges as curves, parallel ones next to each other."""
    seen: dict[frozenset[str], int] = {}
    found = []
    for edge in edges:
        pair = frozenset((edge.source, edge.target))
        number = seen[pair] = seen.get(pair, -1) + 1
        path, (x, y) = _curve(places[edge.source], places[edge.target], number, size)
        found.append(f'<path class="e" d="{path}" marker-end="url(#a)"/>')
        if len(edges) <= SHOWN:
            found.append(f'<text class="l" x="{x}" y="{y}">{_text_of(edge.label, LONGEST)}</text>')
    return found


def _curve(start: Point, end: Point, number: int, size: float) -> tuple[str, Point]:
    """Return a curve from the rim of one node to that of another, and the place of its label."""
    (x, y), (u, v) = start, end
    length = math.hypot(u - x, v - y)
    if length < 1:
        top = round(y - 34 - 8 * number, 1)
        return f"M{x - 6} {y - 9}C{x - 24} {top} {x + 24} {top} {x + 6} {y - 9}", (x, top)
    dx, dy = (u - x) / length, (v - y) / length
    bend = (0 if number == 0 else 18 * ((number + 1) // 2)) * (1 if number % 2 else -1)
    middle = round((x + u) / 2 - dy * bend, 1), round((y + v) / 2 + dx * bend, 1)
    begin = round(x + dx * size, 1), round(y + dy * size, 1)
    stop = round(u - dx * (size + 1), 1), round(v - dy * (size + 1), 1)
    path = f"M{begin[0]} {begin[1]}Q{middle[0]} {middle[1]} {stop[0]} {stop[1]}"
    return path, (round((x + u) / 2 - dy * bend / 2, 1), round((y + v) / 2 + dx * bend / 2 - 3, 1))


def _node_table(
    snapshot: GraphSnapshot, named: Mapping[str, str], rows: Mapping[str, str], why: Mapping[str, str]
) -> str:
    head = "<tr><th>node</th><th>label</th><th>properties</th><th>why</th></tr>"
    lines = (
        f'<tr id="{rows[node.id]}"><td>{_text_of(named[node.id], 200)}<br><code>{_text_of(node.id, 200)}</code></td>'
        f"<td>{_text_of(node.label)}</td><td><code>{_props(node.props)}</code></td>"
        f"<td>{_text_of(why.get(node.id, ''))}</td></tr>"
        for node in snapshot.nodes
    )
    return f'<h2>Nodes</h2>\n<div class="w"><table>{head}{"".join(lines)}</table></div>\n'


def _edge_table(edges: Collection[Link], named: Mapping[str, str], rows: Mapping[str, str]) -> str:
    head = "<tr><th>from</th><th>edge</th><th>to</th><th>properties</th></tr>"
    lines = (
        f'<tr><td><a href="#{rows[edge.source]}">{_text_of(named[edge.source], 200)}</a></td>'
        f"<td>{_text_of(edge.label)}<br>"
        f"<code>{_text_of(edge.id, 200)}</code></td>"
        f'<td><a href="#{rows[edge.target]}">{_text_of(named[edge.target], 200)}</a></td>'
        f"<td><code>{_props(edge.props)}</code></td></tr>"
        for edge in edges
    )
    return f'<h2>Edges</h2>\n<div class="w"><table>{head}{"".join(lines)}</table></div>\n'


def _props(props: Mapping[str, object]) -> str:
    return _text_of(json.dumps(dict(props), ensure_ascii=False, sort_keys=True), PROPS) if props else ""
