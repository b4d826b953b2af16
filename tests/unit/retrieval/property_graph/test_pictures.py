"""A slice as a page: everything is in it, nothing of it is code, nothing comes from elsewhere, always the same."""

from __future__ import annotations

import re

import pytest
from lxml import html as reader

from kag.core.errors import BadValue
from kag.retrieval.property_graph.as_html import placed, to_html
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node

EVIL = '"><script>alert(1)</script><img src=x onerror=y>\u202e\x07'


def star(size: int) -> GraphSnapshot:
    nodes = tuple(Node(f"n{n}", "Leaf" if n else "Hub", {"name": f"name {n}"}) for n in range(size))
    return GraphSnapshot(nodes, tuple(Link(f"e{n}", "has", "n0", f"n{n}") for n in range(1, size)))


def test_places_are_apart_inside_and_the_same() -> None:
    places = placed(star(30))
    assert places == placed(star(30))
    assert len(set(places.values())) == 30
    assert all(0 <= x <= 1000 and 0 <= y <= 700 for x, y in places.values())


def test_what_is_linked_is_near() -> None:
    pairs = tuple(Link(f"{n}", "e", f"n{n}", f"n{n + 1}") for n in range(0, 20, 2))
    places = placed(GraphSnapshot(tuple(Node(f"n{n}") for n in range(20)), pairs))

    def far(a: str, b: str) -> float:
        return ((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5

    linked = [far(edge.source, edge.target) for edge in pairs]
    assert sum(linked) / len(linked) < sum(far("n0", f"n{n}") for n in range(2, 20)) / 18


@pytest.mark.parametrize("size", [0, 1, 2])
def test_small_graphs_have_a_picture(size: int) -> None:
    assert f"<p>{size} nodes" in to_html(star(size))


def test_the_page_has_all_and_runs_nothing() -> None:
    nodes = (Node("a", EVIL, {"name": EVIL, "x": {EVIL: [EVIL]}}), Node(EVIL, "T", {}), Node("b", "T", {"name": "b"}))
    edges = (Link("e", EVIL, "a", "b", {EVIL: EVIL}), Link("f", "back", "b", "a"), Link("g", "self", "a", "a"),
             Link("lost", "to", "a", "nobody"))  # fmt: skip
    page = to_html(GraphSnapshot(nodes, edges), title=EVIL, seeds=("a",), why={"a": EVIL})
    tree = reader.fromstring(page)
    assert not tree.xpath("//script | //img | //iframe | //link | //form | //object | //foreignObject")
    assert not [
        name for one in tree.iter() for name in one.attrib if name.startswith("on") or name in ("src", "srcdoc")
    ]
    assert {link.get("href") for link in tree.xpath("//a")} == {"#n0", "#n1", "#n2"}
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|url\((?!#a)", page)
    assert tree.xpath("string(//h1)").startswith('"><script>')
    assert len(tree.xpath("//table")[0].xpath(".//tr")) == 4
    assert len(tree.xpath("//table")[1].xpath(".//tr")) == 4
    assert "\x07" not in page


def test_two_edges_between_two_nodes_are_two_curves() -> None:
    nodes = (Node("a", "T"), Node("b", "T"))
    page = to_html(GraphSnapshot(nodes, tuple(Link(str(n), "e", "a", "b") for n in range(3))))
    paths = re.findall(r'class="e" d="([^"]+)"', page)
    assert len(set(paths)) == 3


def test_too_many_nodes_are_no_picture() -> None:
    with pytest.raises(BadValue):
        to_html(star(501))


def test_no_name_covers_another_at_the_most_nodes() -> None:
    page = to_html(star(500), seeds=("n0",))
    tree = reader.fromstring(page)
    names = tree.xpath("//*[@class='n']")
    assert 30 < len(names) < 500
    assert "name 0" in {one.text for one in names}
    boxes = [(float(one.get("x")), float(one.get("y")), len(one.text) * 6.2 / 2) for one in names]
    for place, (x, y, half) in enumerate(boxes):
        for u, v, other in boxes[place + 1 :]:
            assert abs(x - u) >= half + other - 0.2 or abs(y - v) >= 12


def test_kinds_differ_by_shape_as_well_as_by_colour() -> None:
    tree = reader.fromstring(to_html(star(3)))
    keys = tree.xpath("//*[@class='k']//path")
    assert len({one.get("d") for one in keys}) == len({one.get("class") for one in keys}) == 2
