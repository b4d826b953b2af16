"""The report page of papers of all kinds in a browser: a PDF's own pages, texts without places, tables, references."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import kag
from kag.export.references import fields_by_entry
from kag.indexing.batch import Job, make_run
from kag.qa.page import build_page
from kag.qa.paper import PaperGraph
from tests.papers import PAGES, write_paper
from tests.printed_pdf import Printed, write_pdf
from tests.report_pages import answer, write_answers

Open = Callable[..., Any]

MARKDOWN = """# Sensors under ice

## Methods

Twelve sites were chosen along the river.

Table 1. Losses by site.

| Site | Lost |
| --- | --- |
| Upper | 31 |
| Lower | 47 |

## References

1. Poe E. Ice on rivers. Rivers. 1999;3:1-9. doi:10.1000/ice(1)?x

2. Roe E. Snow on rivers. Rivers. 2000;4:10-19.
"""


def run_of(source: Path, folder: Path) -> Path:
    made = make_run(Job(source, "paper", folder / "runs")).run
    assert made is not None
    return made


def shown(run: Path, open_page: Open, folder: Path, answers: Any = (), source: Path | None = None, at: str = "") -> Any:
    target = folder / "report.html"
    target.write_text(build_page(run, answers, source, fields=fields_by_entry), encoding="utf-8")
    page = open_page(target)
    if at:
        page.goto(f"{target.as_uri()}#{at}")
        page.reload()
    return page


@pytest.fixture
def markdown(tmp_path: Path) -> Path:
    path = tmp_path / "paper.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return run_of(path, tmp_path)


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    words = "Twelve sites were chosen along the river, and all of them were visited in each of the winters."
    lines = [
        (40, 60, 18, "Sensors under ice"),
        (40, 100, 13, "Methods"),
        (40, 120, 10, words[:60]),
        (40, 133, 10, words[60:]),
    ]
    return write_pdf(tmp_path / "paper.pdf", [Printed(lines), Printed([(40, 60, 10, "They were visited again.")])])


@pytest.mark.parametrize("where", ["the file", "its folder"])
def test_a_pdf_is_shown_as_its_own_pages(printed: Path, where: str, tmp_path: Path, open_page: Open) -> None:
    run = run_of(printed, tmp_path)
    files = write_answers(tmp_path / "a", answer(PaperGraph.load(run), ["visited again"], "Again."))
    page = shown(run, open_page, tmp_path, files, printed if where == "the file" else printed.parent)
    page.locator(".claim").click()
    image = page.get_by_alt_text("Page 2 as printed")
    assert image.get_attribute("src").startswith("data:image/png;base64,")
    box, mark = image.bounding_box(), page.locator("#page-2 .mark.now").bounding_box()
    assert box["height"] / box["width"] == pytest.approx(600 / 400, abs=0.01)
    assert mark["x"] - box["x"] == pytest.approx(box["width"] * 0.1, abs=6)
    assert mark["y"] - box["y"] == pytest.approx(box["height"] * 52 / 600, abs=10)


def test_a_window_without_room_shows_the_part_of_the_page(printed: Path, tmp_path: Path, open_page: Open) -> None:
    run = run_of(printed, tmp_path)
    files = write_answers(tmp_path / "a", answer(PaperGraph.load(run), ["visited again"], "Again."))
    page = shown(run, open_page, tmp_path, files, printed)
    page.set_viewport_size({"width": 390, "height": 740})
    page.locator(".claim").click()
    frame = page.locator("#selection .crop")
    box, image = frame.bounding_box(), frame.locator("img").bounding_box()
    assert 300 < box["width"] <= 390
    assert image["width"] > 1.5 * box["width"]
    mark = frame.locator(".mark").bounding_box()
    assert box["x"] <= mark["x"] <= mark["x"] + mark["width"] <= box["x"] + box["width"]
    assert page.locator(".claim").bounding_box()["y"] > 0, "what was read stays where it is"
    page.get_by_role("button", name="Page", exact=True).click()
    assert 0 < page.locator("#page-2 .mark.now").bounding_box()["y"] < 740


def test_a_text_without_places_is_a_column_to_be_read(markdown: Path, tmp_path: Path, open_page: Open) -> None:
    files = write_answers(tmp_path / "a", answer(PaperGraph.load(markdown), ["along the river"], "Along the river."))
    page = shown(markdown, open_page, tmp_path, files)
    assert page.locator(".surface").count() == 0
    assert page.locator(".column h4").all_inner_texts() == ["Methods", "References"]
    assert page.locator(".column tr").count() == 3
    page.locator(".claim").click()
    assert page.locator(".part.chosen mark").all_inner_texts() == ["along the river"]
    assert "1 place in the text" in page.get_by_role("status").first.inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".part.chosen, .column mark").count() == 0


def test_a_quoted_row_is_marked_in_its_table(markdown: Path, tmp_path: Path, open_page: Open) -> None:
    files = write_answers(tmp_path / "a", answer(PaperGraph.load(markdown), ["Lower | 47"], "47 were lost."))
    page = shown(markdown, open_page, tmp_path, files)
    page.locator(".claim").click()
    for where in (".quotes", "#selection", ".column"):
        assert page.locator(f"{where} tr.quoted").all_inner_texts() == ["Lower\t47"], where
    assert page.locator(".quotes th[scope=col]").all_inner_texts() == ["Site", "Lost"]


def test_a_link_leads_to_a_node_and_says_what_is_selected(markdown: Path, tmp_path: Path, open_page: Open) -> None:
    paper = PaperGraph.load(markdown)
    node = next(node for node in paper.nodes.values() if node.text.startswith("Twelve"))
    name = node.iri.rpartition("/")[2]
    page = shown(markdown, open_page, tmp_path, at=name)
    assert page.locator(".part.chosen .text").all_inner_texts() == [node.text]
    page.get_by_role("tab", name="Contents").click()
    page.get_by_role("button", name="Methods").click()
    assert page.url.rpartition("#")[2] != name
    page.locator(f".anchor[href='#{name}']").click()
    page.locator(".part.chosen .text", has_text=node.text).wait_for()  # the page hears of the new address later
    assert page.locator(".part.chosen .text").all_inner_texts() == [node.text]
    page.evaluate("window.location.hash = 'nothing.of \"that] name'")
    assert page.locator(".part.chosen").count() == 1


def test_a_link_leads_to_an_answer(markdown: Path, tmp_path: Path, open_page: Open) -> None:
    files = write_answers(tmp_path / "a", answer(PaperGraph.load(markdown), ["Twelve sites"], "Twelve."))
    page = shown(markdown, open_page, tmp_path, files, at="answer-q1")
    assert page.evaluate("document.activeElement.id") == "answer-q1"


@pytest.mark.parametrize(
    ("query", "count", "mark"), [("river chosen", 1, "chosen"), ('"river chosen"', 0, ""), ("Rivers ROE", 1, "Roe")]
)
def test_search_finds_texts_that_hold_all_words(
    query: str,
    count: int,
    mark: str,
    markdown: Path,
    tmp_path: Path,
    open_page: Open,
) -> None:
    page = shown(markdown, open_page, tmp_path)
    page.get_by_role("tab", name="Search").click()
    page.get_by_label("Words in the paper").fill(query)
    page.get_by_text(f"{count} text").wait_for()
    assert page.locator("#view-search li").count() == count
    assert page.locator("#view-search li mark").all_inner_texts() == [mark] * bool(mark)


def test_references_tell_what_was_read_in_them(markdown: Path, tmp_path: Path, open_page: Open) -> None:
    page = shown(markdown, open_page, tmp_path)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("tab", name="References").click()
    entry = page.locator(".entry").first
    link = entry.get_by_role("link")
    assert link.get_attribute("href").startswith("https://doi.org/10.1000/ice(1)")
    assert (link.get_attribute("rel"), link.get_attribute("target")) == ("noopener noreferrer", "_blank")
    entry.get_by_text("Fields").click()
    assert "Poe, E" in entry.locator("dl").inner_text()
    entry.get_by_role("button", name="Copy BibTeX").click()
    entry.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@article{poe1999,")


def test_bibtex_is_selected_where_the_browser_keeps_the_clipboard(
    markdown: Path, tmp_path: Path, open_page: Open
) -> None:
    page = shown(markdown, open_page, tmp_path)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_role("tab", name="References").click()
    page.locator(".entry").first.get_by_text("Fields").click()
    page.locator(".entry").first.get_by_role("button", name="Copy BibTeX").click()
    page.get_by_text("Selected:").wait_for()
    assert page.evaluate("getSelection().toString()").startswith("@article{poe1999,")


def test_pages_can_be_made_larger(printed: Path, tmp_path: Path, open_page: Open) -> None:
    page = shown(run_of(printed, tmp_path), open_page, tmp_path, source=printed)
    before = page.locator("#page-1 .surface").bounding_box()["width"]
    for _ in range(2):
        page.get_by_role("button", name="Larger").press("Enter")
    assert page.locator(".zoom").inner_text().split("\n")[1] == "150 %"
    assert page.locator("#page-1 .surface").bounding_box()["width"] == pytest.approx(1.5 * before, rel=0.05)
    page.get_by_role("button", name="Fit the window").click()
    assert page.locator("#page-1 .surface").bounding_box()["width"] == before


def test_a_figure_of_several_panels_is_whole(tmp_path: Path, open_page: Open) -> None:
    panels = [("image", "[[100, 420, 490, 600]]", ""), ("image", "[[510, 420, 900, 600]]", "")]
    first = [block for block in PAGES[0] if block[0] != "image"]
    at = next(n for n, block in enumerate(first) if block[0] == "figure_title")
    folder = write_paper(tmp_path / "paper_ocr", pages=((*first[:at], *panels, *first[at:]), *PAGES[1:]))
    for number, colour in ((1, "red"), (2, "blue")):
        Image.new("RGB", (40, 20), colour).save(folder / f"fig_page001_0{number}.png")
    run = run_of(folder, tmp_path)
    page = shown(run, open_page, tmp_path, source=folder)
    page.get_by_role("tab", name="Figures and tables").click()
    assert page.locator("#view-floats .panels img").count() == 2, "the panels' own files, without a picture of the page"
    Image.new("RGB", (400, 600), "white").save(folder / "page_001.png")
    page = shown(run, open_page, tmp_path, source=folder)
    page.get_by_role("tab", name="Figures and tables").click()
    box = page.locator("#view-floats .crop").bounding_box()
    assert box["width"] / box["height"] == pytest.approx((816 * 400) / (196 * 600), rel=0.05), (
        "both panels as the page sets them"
    )


def test_everything_that_can_be_used_has_a_name(markdown: Path, tmp_path: Path, open_page: Open) -> None:
    page = shown(markdown, open_page, tmp_path)
    for tab in page.get_by_role("tab").all():
        tab.click()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    named = "(one) => Boolean(one.textContent.trim() || one.ariaLabel || one.labels?.length || one.alt)"
    assert (
        page.evaluate(
            f"[...document.querySelectorAll('button, input, a, img, summary')].filter((one) => !({named})(one)).length"
        )
        == 0
    )
    twice = (
        "[...document.querySelectorAll('[id]')].map((one) => one.id).filter((id, at, all) => all.indexOf(id) !== at)"
    )
    assert page.evaluate(twice) == []
    assert page.evaluate("document.querySelectorAll('[onclick], [onload], [onerror], [style*=url]').length") == 0
    assert kag.open(markdown).title == "Sensors under ice"
