"""The report page in a browser, headless: what a reader sees and does, and that no text of a paper ever runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kag.cli.main import main
from kag.qa.paper import PaperGraph
from tests.report_pages import HOSTILE_PAGES, answer, make_run, write_answers, write_page

Open = Callable[..., Any]


@pytest.fixture
def page(tmp_path: Path, open_page: Open) -> Any:
    run = make_run(tmp_path)
    sound = answer(PaperGraph.load(run), ["fail under ice", "Twelve sites"], "Sensors fail under ice.")
    false = answer(PaperGraph.load(run), ["Twelve sites"], "There were 99 sites.", "q2")
    return open_page(write_page(tmp_path, run, write_answers(tmp_path / "a", sound, false)))


def test_a_claim_lights_all_boxes_of_its_evidence(page: Any) -> None:
    page.get_by_role("button", name="Sensors fail under ice.").click()
    assert page.locator("#page-1 .mark").count() == 2
    assert "3 places on pages 1 and 2" in page.get_by_role("status").first.inner_text()
    assert page.locator(".quotes:visible mark").all_inner_texts() == ["fail under ice", "Twelve sites"]
    surface, mark = (page.locator(f"#page-1 {name}").first.bounding_box() for name in (".surface", ".mark"))
    assert mark["x"] - surface["x"] == pytest.approx(surface["width"] * 0.1, abs=3)
    assert mark["height"] == pytest.approx(surface["height"] * 0.19, abs=3)
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    assert page.locator("#page-2 .mark.now").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".mark").count() == 0


def test_claims_say_whether_they_verify(page: Any) -> None:
    claims = page.locator("#view-answers article")
    assert "quoted, not judged" in claims.nth(0).inner_text()
    assert "quoted, and undecided by numbers" in claims.nth(1).inner_text()
    assert claims.nth(1).locator(".badge.good").count() == 0
    assert "99" in claims.nth(1).locator(".problem").inner_text()


def test_it_can_be_used_from_the_keyboard(page: Any) -> None:
    page.get_by_role("tab", name="Answers").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="Contents").get_attribute("aria-selected") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(".mark").count() == 1
    page.get_by_role("button", name="Back").press("Enter")
    assert page.evaluate("document.activeElement.closest('[role=tabpanel]').id") == "view-contents"
    named = "(one) => Boolean(one.textContent || one.ariaLabel || one.labels?.length)"
    assert page.evaluate(f"[...document.querySelectorAll('button, input')].every({named})")


def test_search_finds_and_leads_to_the_page(page: Any) -> None:
    page.get_by_role("tab", name="Search").click()
    page.get_by_label("Words in the paper").fill("TWELVE SITES")
    hit = page.locator("#view-search li")
    hit.first.wait_for()
    assert hit.count() == 1
    assert hit.locator("mark").inner_text() == "Twelve sites"
    hit.get_by_role("button").click()
    assert page.locator("#page-2 .mark").count() == 1


def test_figures_references_and_checks_are_there(page: Any) -> None:
    page.get_by_role("tab", name="Figures and tables").click()
    assert "Sensors lost in each month" in page.locator("#view-floats").inner_text()
    page.get_by_role("tab", name="References").click()
    assert page.locator("#view-references .entry").count() == 3
    page.get_by_role("tab", name="Checks").click()
    checks = page.locator("#view-checks").inner_text()
    assert "the graph conforms" in checks
    assert "20 blocks read: 18 in the graph, 2 left out" in checks


def test_a_hostile_paper_stays_text(tmp_path: Path, open_page: Open) -> None:
    run = make_run(tmp_path, pages=HOSTILE_PAGES)
    hostile = answer(
        PaperGraph.load(run), ["Words before. </script><script>alert(1)"], "<img src=x onerror=alert(5)></script>"
    )
    page = open_page(write_page(tmp_path, run, write_answers(tmp_path / "a", hostile)))
    for tab in page.get_by_role("tab").all():
        tab.click()
    page.get_by_role("tab", name="Answers").click()
    page.locator(".claim").click()
    page.wait_for_timeout(200)
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert page.locator(".claim").inner_text() == "<img src=x onerror=alert(5)></script>"
    shown = page.locator(".quotes blockquote").inner_text()
    assert "<!-- <script> {{STYLE}}" in shown
    assert "\u202e" not in page.locator("body").inner_text()
    assert page.title().startswith("Ice <script>alert(3)</script>")


def test_pages_are_drawn_when_they_come_near(tmp_path: Path, open_page: Open) -> None:
    pages = tuple((("text", "[[100, 100, 900, 200]]", f"Words of page {n}."),) for n in range(1, 121))
    run = make_run(tmp_path, pages=((("sub_title", "[[100, 50, 300, 70]]", "## Results"), *pages[0]), *pages[1:]))
    last = answer(PaperGraph.load(run), ["Words of page 120."], "Words of page 120.")
    page = open_page(write_page(tmp_path, run, write_answers(tmp_path / "a", last)))
    page.wait_for_function("document.querySelectorAll('.block').length > 0")
    assert page.locator(".sheet").count() == 120
    assert page.locator(".block").count() < 20
    page.locator(".claim").click()
    mark = page.locator("#page-120 .mark")
    assert mark.count() == 1
    assert 0 < mark.bounding_box()["y"] < 800
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".block").count() == 121


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_can_be_read(tmp_path: Path, open_page: Open, scheme: str) -> None:
    run = make_run(tmp_path)
    sound = answer(PaperGraph.load(run), ["fail under ice"], "Sensors fail under ice.")
    page = open_page(write_page(tmp_path, run, write_answers(tmp_path / "a", sound)), color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("body", ".note", ".badge", ".claim", "[role=tab][aria-selected=true]"):
        assert page.evaluate(CONTRAST, name) >= 4.5, name


CONTRAST = """(name) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let ground = document.querySelector(name);
  const ink = light(getComputedStyle(ground).color);
  while (/, 0\\)$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  const [low, high] = [ink, light(getComputedStyle(ground).backgroundColor)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run(tmp_path)
    write_answers(tmp_path / "a", answer(PaperGraph.load(run), ["fail under ice"], "Sensors fail under ice."))
    for target, extra in (
        (run / "report.html", ()),
        (tmp_path / "other.html", ("--out", str(tmp_path / "other.html"))),
    ):
        with pytest.raises(SystemExit) as done:
            main(["report", str(run), "--answers", str(tmp_path / "a"), *extra])
        assert done.value.code == 0
        assert capsys.readouterr().out.strip() == str(target)
    text = (tmp_path / "other.html").read_text(encoding="utf-8")
    assert text == (run / "report.html").read_text(encoding="utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert data["answers"][0]["claims"][0]["text"] == "Sensors fail under ice."
    with pytest.raises(SystemExit) as done:
        main(["report", str(run), "--answers", str(tmp_path / "absent")])
    assert done.value.code == 2
