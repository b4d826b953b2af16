"""The script without a browser: texts and places as values, elements over a stand-in for the document."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

STATIC = Path(__file__).resolve().parents[4] / "kag" / "qa" / "page" / "static"

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node, which runs the script, is not installed")

STAND_IN = """
class Made {
  constructor(tag) { this.tag = tag; this.attributes = {}; this.children = []; this.textContent = ""; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener() {}
  append(...children) { this.children.push(...children); }
}
globalThis.document = { createElement: (tag) => new Made(tag) };
"""


def evaluate(expression: str, module: str = "text.js", before: str = "") -> Any:
    """The value of an expression over `m`, a module of the page's script."""
    code = f"{before}\nconst m = await import({json.dumps((STATIC / module).as_uri())});"
    code += f"\nconsole.log(JSON.stringify({expression}));"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code], text=True, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("The ⁸⁹Zr label", "89zr", "⁸⁹Zr"),
        ("A naïve\u2013 late  winter", "naive- late winter", "naïve\u2013 late  winter"),
        ("before 𝛼 lost", "lost", "lost"),
        ("nothing", "absent", None),
        ("anything", "", None),
    ],
)
def test_words_are_found_where_they_stand(text: str, needle: str, found: str | None) -> None:
    call = f"m.locate({json.dumps(text)}, {json.dumps(needle)})"
    span = f"(({call}) ?? null) && {json.dumps(text)}.slice(...{call})"
    assert evaluate(span) == found


def test_context_keeps_the_quote_and_says_where_it_is_cut() -> None:
    text = "one two three four five six"
    start = text.index("four")
    said = evaluate(f"m.context({json.dumps(text)}, {start}, {start + 4}, 6)")
    assert said == {"before": "… three ", "quote": "four", "after": " five …"}
    whole = evaluate(f"m.context({json.dumps(text)}, 0, {len(text)})")
    assert whole == {"before": "", "quote": text, "after": ""}


def test_signs_that_turn_the_direction_are_shown_one_for_one() -> None:
    assert evaluate('m.shown("a\\u202eb\\u2066c\\u200f")') == "a\ufffdb\ufffdc\u200f"


def test_sections_become_a_tree_even_when_a_depth_leaps() -> None:
    rows = json.dumps([{"t": "a", "depth": 1}, {"t": "b", "depth": 3}, {"t": "c", "depth": 2}, {"t": "d", "depth": 1}])
    flat = f"m.nested({rows}).map((item) => [item.row.t, item.children.map((child) => child.row.t)])"
    assert evaluate(flat) == [["a", ["b", "c"]], ["d", []]]


def test_parts_of_one_block_share_its_box() -> None:
    rows = json.dumps([{"places": [[2, 0, 0, 100, 40]]}, {"places": [[2, 0, 0, 100, 40], [3, 0, 0, 9, 9]]}])
    boxes = evaluate(f"[...m.layout({rows})].map(([page, items]) => [page, items.map((item) => item.box)])")
    assert boxes == [[2, [[0, 0, 100, 20], [0, 20, 100, 40]]], [3, [[0, 0, 9, 9]]]]


def test_a_text_flows_through_its_boxes_without_loss() -> None:
    places = json.dumps([[1, 0, 0, 10, 30], [1, 20, 0, 30, 10]])
    parts = evaluate(f'[0, 1].map((part) => m.portion("abcdefgh", {places}, part))')
    assert parts == ["abcdef", "gh"]


def test_pages_are_named_once_and_in_order() -> None:
    assert evaluate("m.pageWords([[3], [1], [3], [2]])") == "pages 1, 2 and 3"
    assert evaluate("m.pageWords([[7], [7]])") == "page 7"


def test_kinds_are_told_in_words() -> None:
    told = 'm.titled({kind: "SectionTitle"}) + "|" + m.titled({kind: "BibliographicReference", label: "4"})'
    assert evaluate(told) == "Heading|Reference 4"


def test_elements_hold_strangers_words_as_text() -> None:
    made = evaluate('m.words("<img src=x onerror=alert(1)>\\u202e")', module="dom.js", before=STAND_IN)
    assert made["tag"] == "bdi"
    assert made["textContent"] == "<img src=x onerror=alert(1)>\ufffd"
    assert made["children"] == []


def test_a_long_list_shows_its_beginning_and_offers_the_rest() -> None:
    made = evaluate('m.longList("ul", [1, 2, 3], (n) => m.words(String(n)), 2)', module="dom.js", before=STAND_IN)
    shown, more = made["children"]
    assert len(shown["children"]) == 2
    assert more["children"][0]["textContent"] == "Show 1 more"
