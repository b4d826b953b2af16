"""The outline question: when it is asked, what may be answered, and what an answer does to the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.agents.build.outline import headings, is_ambiguous, nested, render
from kag.core.errors import BadValue
from kag.indexing.build_plan import plan_sections
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper

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


def test_it_is_asked_where_headings_have_no_numbers(tmp_path: Path) -> None:
    found = sections(tmp_path)
    assert outline(found) == [1, 1, 2, 3, 3, 1, 1]
    assert is_ambiguous(found)


@pytest.mark.parametrize(
    "titles",
    [
        ("Introduction", "Methods", "Results"),
        ("1 Ice", "1.1 Frost", "1.1.1 Lakes", "2 Snow"),
        ("Only one",),
    ],
)
def test_it_is_not_asked_where_the_page_shows_the_outline(tmp_path: Path, titles) -> None:
    assert not is_ambiguous(sections(tmp_path, titles=titles, bare=()))


def test_it_is_asked_of_a_review_whose_thematic_headings_all_hang_below_the_introduction(tmp_path: Path) -> None:
    titles = ("Introduction", "Ice on rivers", "Ice on lakes", "Ice on seas")
    assert is_ambiguous(sections(tmp_path, titles=titles, bare=()))


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
    ],
)
def test_circles_and_closed_headings_are_refused(tmp_path: Path, answers, message) -> None:
    with pytest.raises(BadValue, match=message):
        nested(sections(tmp_path), answers)


def test_what_is_no_heading_is_a_paragraph_of_the_section_before_and_what_lies_below_moves_up(tmp_path: Path) -> None:
    found = sections(tmp_path)
    without = nested(found, {"h3": "none"})
    assert outline(without) == [1, 1, 2, 2, 1, 1]
    assert [node.blocks[0].plain for node in without[-5].nodes][-1] == "The lakes"
    assert outline(nested(found, {"h3": "none", "h5": "h4"})) == [1, 1, 2, 3, 1, 1]
    assert sum(len(section.nodes) for section in without) == sum(len(section.nodes) for section in found) + 1


def test_a_heading_with_nothing_before_it_stays_one(tmp_path: Path) -> None:
    headed = sections(tmp_path, titles=("Introduction", "Results"))[1:]
    with pytest.raises(BadValue, match="first heading"):
        nested(headed, {"h1": "none"})


def test_it_shows_what_stands_under_what_may_lie_elsewhere(tmp_path: Path) -> None:
    document = read_document(paper(tmp_path))
    rows = render(document, plan_sections(document).sections, 10_000).splitlines()
    assert rows[0] == "h1 Introduction"
    assert rows[2] == "  h3? The lakes [p1; sub_title: The upper lakes]"
    assert rows[3].startswith("    h4? The upper lakes [p1; text: Words under")
    assert len(headings(plan_sections(document).sections)) == len(rows)


def test_the_outline_is_bounded_by_shortening_what_stands_under_headings(tmp_path: Path) -> None:
    document = read_document(paper(tmp_path))
    found = plan_sections(document).sections
    assert "Words under" not in render(document, found, 100)
    assert render(document, found, 100).count("\n") == render(document, found, 10_000).count("\n")
