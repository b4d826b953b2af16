"""The outline question: when it is asked, what may be answered, and what an answer does to the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.agents.build.outline import headings, nested, shown, why_doubtful
from kag.sources.ocr.folder import read_document
from kag.values.errors import BadValue
from kag.write.build_plan import plan_sections
from kag.write.story import index_paper
from tests.papers import write_paper
from tests.unit.agents.runs import run
from tests.unit.agents.scripted import ScriptedEngine

TITLES = ("Introduction", "Methods", "The lakes", "The upper lakes", "The ice", "Results", "Conclusion")


def paper(folder: Path, titles=TITLES, bare=("The lakes",)) -> Path:
    rows = [("title", "[[100, 10, 900, 30]]", "# Frost on lakes")]
    for n, title in enumerate(titles):
        top = 40 + 90 * n
        rows.append(("sub_title", f"[[100, {top}, 900, {top + 20}]]", f"## {title}"))
        if title not in bare:
            rows.append(("text", f"[[100, {top + 30}, 900, {top + 60}]]", f"Words under the title number {n}."))
    return write_paper(folder / "frost", [rows])


def sections(folder: Path, **given):
    return plan_sections(read_document(paper(folder, **given))).sections


def outline(found) -> list[int]:
    return [section.depth for section in found if section.heading]


def test_it_is_asked_where_a_third_level_has_no_numbers(tmp_path: Path) -> None:
    found = sections(tmp_path)
    assert outline(found) == [1, 1, 2, 3, 3, 1, 1]
    assert why_doubtful(found) == "three levels without numbers"


@pytest.mark.parametrize(
    "titles",
    [
        ("Introduction", "Methods", "The lakes", "Results"),
        ("1 Ice", "1.1 Frost", "1.1.1 Lakes", "2 Snow"),
        ("Only one",),
    ],
)
def test_it_is_not_asked_where_the_page_shows_the_outline(tmp_path: Path, titles) -> None:
    assert why_doubtful(sections(tmp_path, titles=titles, bare=())) == ""


def test_a_part_with_very_many_headings_below_is_asked_about(tmp_path: Path) -> None:
    many = ["Introduction", "Results", *(f"Herb {chr(65 + n)}lba" for n in range(21))]
    assert why_doubtful(sections(tmp_path, titles=many, bare=())) == "very many headings side by side"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({}, [1, 1, 2, 3, 3, 1, 1]),
        ({"h5": "h4"}, [1, 1, 2, 3, 4, 1, 1]),
        ({"h5": 2}, [1, 1, 2, 3, 2, 1, 1]),
        ({"h7": "h6"}, [1, 1, 2, 3, 3, 1, 2]),
        ({"h3": 1, "h5": "top"}, [1, 1, 1, 2, 1, 1, 1]),
        ({"h2": "h1"}, [1, 2, 3, 4, 4, 1, 1]),  # what lies below goes with it
        ({"h4": "top"}, [1, 1, 2, 1, 2, 1, 1]),  # what stood beside it lies below it where nothing else is open
    ],
)
def test_any_depth_or_parent_may_be_answered(tmp_path: Path, answers, expected) -> None:
    found = sections(tmp_path)
    assert outline(nested(found, answers)) == expected
    assert outline(found) == [1, 1, 2, 3, 3, 1, 1], "the sections given stay as they are"


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"h9": "top"}, "no heading 'h9'"),
        ({"h3": "h3"}, "cannot lie below 'h3'"),
        ({"h3": "h5"}, "cannot lie below 'h5'"),
        ({"h7": "h2"}, "cannot lie below 'h2'"),  # Results stands between
        ({"h2": "h3", "h3": "h2"}, "cannot lie below 'h3'"),
        ({"h4": 9}, "cannot lie at depth 9"),
        ({"h4": 0}, "cannot lie at depth 0"),
        ({"h4": "none"}, "cannot lie below 'none'"),
    ],
)
def test_circles_and_closed_headings_are_refused(tmp_path: Path, answers, message) -> None:
    with pytest.raises(BadValue, match=message):
        nested(sections(tmp_path), answers)


def test_it_shows_what_stands_under_what_may_lie_elsewhere(tmp_path: Path) -> None:
    document = read_document(paper(tmp_path))
    rows = shown(document, plan_sections(document).sections).splitlines()
    assert rows[0] == "h1 Introduction"
    assert rows[2] == "  h3? The lakes [p1; sub_title: The upper lakes]"
    assert rows[3].startswith("    h4? The upper lakes [p1; text: Words under")
    assert len(headings(plan_sections(document).sections)) == len(rows)


def test_an_answer_moves_the_sections_of_the_graph(tmp_path: Path) -> None:
    source = paper(tmp_path)
    done = run(source, ScriptedEngine('print(nest({"h7": "h6"}))\nSUBMIT("moved")'), hybrid=True)
    facts = json.loads(done.indexed.files["summary.json"])["builder"]
    assert facts["doubts"] == {"outline": 1}
    assert facts["changed"] == 1
    assert [row["kind"] for row in facts["changes"]] == ["in"]


def test_a_refused_outline_keeps_submit_shut_until_it_is_mended(tmp_path: Path) -> None:
    source = paper(tmp_path)
    done = run(source, ScriptedEngine('nest({"h7": "h2"})\nSUBMIT("x")', 'nest({})\nSUBMIT("y")'), hybrid=True)
    assert "h7 cannot lie below 'h2'" in done.outputs[0]
    assert done.indexed.facts["answer"] == "y"
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(source).files["knowledge_graph.ttl"]
