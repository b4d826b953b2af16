"""A newcomer at the pages, in a browser: start, send a paper, watch, ask, click, put a heading right, ask again, take
the references and the graph away; at a desk, on a phone, in the dark, by keyboard alone, and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BUNDLED
from tests.serving import PDF, Served, served

pytest.importorskip("starlette", reason="the extra serve is not installed")
axe = pytest.importorskip("axe_playwright_python", reason="axe-core, of the dev extra, is not installed")
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
PAPER = "/papers/zirconium_tracers"
VIEWS = ("/", "/graph", "/jobs", "/statistics", "/settings", "/search", "/search?query=labelling", "/ask", "/answers")
VIEWS += ("/sparql", "/sparql?query=SELECT+*+WHERE+%7B%3Fs+%3Fp+%3Fo%7D+LIMIT+3", "/nowhere", PAPER, f"{PAPER}/floats")
VIEWS += tuple(f"{PAPER}/{one}" for one in ("references", "review", "graph", "run"))
VIEWS += ("/search?query=labelling&entity=DFO&role=result", "/search?query=labelling&role=nonsense")
VIEWS += ("/ask?question=What+does+Table+1+show%3F&paper=zirconium_tracers", "/ask?question=Why+is+the+moon+round%3F")
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a paper; tests come in any order, and each finds it."""
    from kag.serve.client import Client

    with served(tmp_path_factory.mktemp("story") / "library") as running:
        with Client(running.address) as client:
            client.wait(client.upload(PDF))
        yield running


@pytest.fixture
def visit(browser: Any, server: Served) -> Iterator[Open]:
    """Opens a page of the server that has a paper."""
    with _visits(browser, server) as opened:
        yield opened


@pytest.fixture
def newcomer(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of a server without papers."""
    with served(tmp_path / "library") as running, _visits(browser, running) as opened:
        yield opened


@contextmanager
def _visits(browser: Any, server: Served) -> Iterator[Open]:
    """Opens pages of a server; afterwards nothing may have gone wrong, or been asked of another host."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(path: str, missing: bool = False, **settings: Any) -> Any:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | settings))
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: missing or wrong.append(f"{path}: {said.text}"))
        page.on("pageerror", lambda error: wrong.append(f"{path}: {error}"))
        page.on("request", lambda one: one.url.startswith((server.address, "data:")) or wrong.append(one.url))
        page.goto(server.address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong, "\n".join(wrong)


def faults(page: Any) -> list[str]:
    """What axe-core has against a page."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run()")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def test_from_a_pdf_to_checked_evidence_and_a_correction(newcomer: Open) -> None:
    page = newcomer("/")
    assert "No papers yet" in page.inner_text("main")
    page.set_input_files("#file", str(PDF))  # the list shows the paper by itself
    page.locator("#papers a.title").wait_for(timeout=120_000)
    page.locator("#jobs").get_by_text("Added").wait_for()
    page.get_by_role("link", name="Open zirconium_tracers").click()
    page.locator("#page-1 img").wait_for()
    assert page.locator("#page-1 img").evaluate("(one) => one.decode().then(() => one.naturalWidth)") > 500
    # ask this paper, and see where its claim is printed
    page.get_by_role("link", name="Ask this paper").click()
    page.get_by_role("link", name="What does Table 1 show?").click()
    page.locator(".evidence a").first.click()
    page.locator(".mark").first.wait_for()
    assert page.get_by_role("tab", name="Answers").get_attribute("aria-selected") == "true"
    assert "Table 1" in page.locator(".claim[aria-expanded=true]").inner_text()
    page.get_by_role("link", name="Correct").click()
    assert page.locator(".review-row.quoted").count() == 1
    # correct a heading
    page.goto(page.url.partition("?")[0])
    page.get_by_label("Your name").fill("Ada Reader")
    row = page.locator(".review-row", has=page.get_by_text("Heading", exact=True)).nth(1)
    words = row.locator("bdi").first.inner_text()
    row.locator("summary").click()
    row.get_by_role("button", name="Not a heading").click()
    page.get_by_text(f"“{words}” is no heading").wait_for(timeout=120_000)
    assert "Ada Reader" in page.locator("#made").inner_text()
    # ask again, and take things away
    page.goto(page.url.partition("/papers")[0] + "/ask?paper=zirconium_tracers&question=How+many+sections+are+there%3F")
    assert page.locator(".answer-text p").count() == 1
    page.goto(page.url.partition("/ask")[0] + f"{PAPER}/references")
    with page.expect_download() as taken:
        page.get_by_role("link", name="BibTeX").click()
    assert taken.value.path().read_text().count("@") >= 30
    page.get_by_text("Download").click()
    with page.expect_download() as graph:
        page.get_by_role("link", name="turtle").click()
    assert "doco:" in graph.value.path().read_text()


def test_steps_are_shown_in_words_while_all_papers_are_asked(visit: Open) -> None:
    page = visit("/ask")
    page.get_by_label("Question").fill("How was intact tracer measured?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".passages mark").first.wait_for()
    assert "Reading page" in page.locator("#steps").inner_text()
    assert "Passages that may answer this" in page.locator("#answer").inner_text()
    assert "size-exclusion chromatography" in page.locator(".passages li").first.inner_text()
    assert "kag serve LIBRARY --lm NAME" in page.locator("#answer").inner_text()


def test_a_sentence_is_highlighted_by_its_lines(visit: Open) -> None:
    page = visit("/ask?question=How+was+intact+tracer+measured%3F&paper=zirconium_tracers")
    page.locator(".passages a").first.click()
    page.locator(".mark.line").first.wait_for()
    lines = page.locator(".mark.line").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    whole = page.locator(".mark:not(.line)").first.bounding_box()
    assert len(lines) >= 2
    assert sum(lines) < whole["height"]
    assert max(lines) < whole["height"] / 3


def test_a_question_without_an_answer_says_so_in_one_wording(visit: Open) -> None:
    for question in ("What does Table 9 show?", "Xyzzy plugh frobnicate?"):
        page = visit(f"/ask?question={question.replace(' ', '+').replace('?', '%3F')}&paper=zirconium_tracers")
        assert page.locator(".none").inner_text() == "No answer was found."


def test_a_quote_that_is_the_claim_is_not_shown_twice(visit: Open) -> None:
    page = visit("/ask?question=What+does+Table+1+show%3F&paper=zirconium_tracers")
    assert page.locator("#answer").inner_text().count("Labelling of the two conjugates") == 1
    assert page.locator(".cite").inner_text() == "[1]"
    assert page.locator(".badge.good").inner_text() == "✓ quoted, and supported by the graph"


def test_the_library_lists_authors_and_year_and_is_narrowed(visit: Open) -> None:
    page = visit("/")
    row = page.locator("#papers tbody tr").inner_text()
    assert "Maja L. Vestergren" in row
    assert "2021" in row
    page.get_by_label("Title or DOI").fill("nothing like it")
    page.get_by_role("button", name="Filter").click()
    assert "No paper matches" in page.inner_text("main")


def test_how_it_was_made_is_rendered(visit: Open) -> None:
    page = visit(f"{PAPER}/run")
    assert page.get_by_role("heading", name="Timeline").count() == 1
    assert "|" not in page.locator(".prose").inner_text()


def test_a_title_and_references_are_corrected_and_taken_back(newcomer: Open) -> None:
    page = newcomer("/")
    page.set_input_files("#file", str(PDF))
    page.locator("#papers a.title").wait_for(timeout=120_000)
    home = page.url
    page.goto(f"{home}{PAPER[1:]}/review")
    page.get_by_role("textbox", name="Title").fill("Tracers, renamed")
    page.get_by_role("button", name="Save Title").click()
    page.get_by_role("heading", name="Tracers, renamed").wait_for(timeout=120_000)
    page.goto(home)
    assert page.locator("#papers a.title").inner_text() == "Tracers, renamed"
    page.goto(f"{home}{PAPER[1:]}/review")
    page.get_by_role("button", name="Undo the last one").click()
    page.get_by_role("heading", name="A macrocyclic tetrahydroxamate").wait_for(timeout=120_000)
    # join two entries of the list, beside their page
    page.goto(f"{home}{PAPER[1:]}/review?page=5")
    page.locator("#page-picture img").wait_for()
    row = page.locator(".review-row", has=page.get_by_text("Reference", exact=True)).nth(2)
    row.hover()
    assert page.locator("#page-picture .mark").count() >= 1
    row.locator("summary").click()
    row.get_by_role("button", name="Join with the entry before").click()
    page.get_by_text("belongs to").wait_for(timeout=120_000)
    page.goto(f"{home}{PAPER[1:]}/references")
    assert page.locator(".entries li").count() == 34


def test_the_graph_is_filtered_and_searched(visit: Open) -> None:
    page = visit(f"{PAPER}/graph")
    page.locator("#graph[data-arranged]").wait_for(timeout=60_000)
    assert "role" not in page.locator("#nodes").text_content().lower()
    before = page.locator("#graph").get_attribute("data-nodes")
    page.get_by_role("button", name="References").click()
    assert page.get_by_role("button", name="References").get_attribute("aria-pressed") == "false"
    page.locator(f"#graph:not([data-nodes='{before}'])").wait_for()
    page.get_by_label("Find in the graph").fill("Results")
    page.get_by_text("nodes have these words").wait_for()


def test_a_click_on_a_node_shows_it_and_what_is_near(visit: Open) -> None:
    page = visit(f"{PAPER}/graph?node=ex:b_p002_0018")
    page.locator("#graph[data-arranged]").wait_for(timeout=60_000)
    across, down = map(int, page.locator("#graph").get_attribute("data-centre").split(","))
    page.locator("#graph").click(position={"x": across, "y": down})
    assert page.locator("#node").get_by_role("link", name="Start here").is_visible()
    page.locator("#node").get_by_role("button", name="Close").click()
    assert not page.locator("#node").is_visible()


def test_formulas_are_set(browser: Any, tmp_path: Path) -> None:
    import kag

    with kag.Corpus(tmp_path / "library") as corpus:
        corpus.add(BUNDLED / "reservoir_sensors")
        graph = corpus["reservoir_sensors"].graphs["reservoir_sensors"]
    formula = graph.of_kind("Formula")[0].name.removeprefix("ex:")
    with served(tmp_path / "library") as running, _visits(browser, running) as opened:
        page = opened(f"/papers/reservoir_sensors#{formula}")
        page.locator("#selection .katex").first.wait_for()
        assert "\\[" not in page.locator("#selection blockquote").inner_text()


def test_references_have_one_number(visit: Open) -> None:
    page = visit(f"{PAPER}/references")
    first = page.locator(".entries li").first.inner_text()
    assert re.match(r"1\s+[A-Z]", first), first


@pytest.mark.parametrize("settings", [{}, {"color_scheme": "dark", "viewport": {"width": 390, "height": 780}}])
def test_nothing_keeps_anybody_out(visit: Open, settings: dict[str, Any]) -> None:
    for path in VIEWS:
        page = visit(path, missing=path == "/nowhere", bypass_csp=True, **settings)
        page.wait_for_load_state("networkidle")
        assert faults(page) == [], path
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, f"{path} is {wide} pixels too wide"
        page.close()


def test_a_paper_is_read_and_asked_by_keyboard_alone(visit: Open) -> None:
    page = visit(PAPER)
    page.get_by_role("tab", name="Contents").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Ask this paper":
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/ask"))
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "question":
            break
    page.keyboard.type("What does Table 1 show?")
    page.keyboard.press("Enter")
    page.locator(".evidence a").first.wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.evidence a')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(PAPER))
    page.locator(".mark").first.wait_for()


def test_pages_are_read_without_a_script(visit: Open) -> None:
    page = visit(PAPER, java_script_enabled=False)
    text = page.inner_text("main")
    assert "Contents" in text
    assert "Small antibody fragments reach tumours within hours" in text
    page = visit("/search?query=labelling", java_script_enabled=False)
    assert page.locator(".hits li").count() > 3
    page = visit("/", java_script_enabled=False)
    page.set_input_files("#file", str(PDF))
    page.get_by_role("button", name="Upload").click()
    assert "zirconium_tracers.pdf" in page.locator("#jobs").inner_text()


def test_a_search_is_narrowed_down_by_what_papers_say(visit: Open) -> None:
    page = visit("/")
    page.get_by_text("Build what is missing", exact=True).click()
    page.get_by_label("Also find entities").check()
    page.get_by_role("button", name="Build").click()
    page.get_by_text("Built.").wait_for(timeout=120_000)
    page.goto(page.url + "search?query=labelling")
    whole = page.locator(".facets").get_by_label("desferrioxamine chemical").locator("xpath=..")
    page.get_by_text("Filters", exact=True).focus()
    page.keyboard.press("Enter")
    count = int(re.findall(r"\((\d+)\)", whole.inner_text())[0])
    page.get_by_label("desferrioxamine chemical").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Apply filters").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("entity=chemical%3Adesferrioxamine"))
    assert page.get_by_role("status").inner_text().startswith(f"{count} hits")
    assert faults(page) == []
    # the address alone says it all, also without a script, and through the pages of hits
    bare = visit(page.url.removeprefix(page.url.partition("/search")[0]) + "&role=result", java_script_enabled=False)
    assert bare.get_by_label("result (").is_checked()
    fewer = bare.locator(".hits li").count()
    assert 0 < fewer < count
    bare.get_by_role("link", name="Remove the filter Role of claims result").click()
    assert "role=" not in bare.url
    bare.get_by_role("link", name="Next").click()
    assert "entity=chemical" in bare.url
    assert bare.locator(".hits li").count() == count - 10


def test_what_is_dropped_and_no_paper_is_told_so(visit: Open) -> None:
    page = visit("/", missing=True)
    data = page.evaluate_handle("""() => { const data = new DataTransfer();
        data.items.add(new File(["no paper"], "note.exe")); return data; }""")
    page.dispatch_event("#drop", "drop", {"dataTransfer": data})
    page.locator("#uploads").get_by_text("is nothing that a paper comes in").wait_for()


def test_the_graph_grows_where_it_is_touched_and_says_so(visit: Open) -> None:
    page = visit(f"{PAPER}/graph")
    page.locator("#graph[data-arranged]").wait_for(timeout=60_000)
    assert re.match(r"\d+ nodes and \d+ links are shown.", page.locator("#graph-status").inner_text())
    assert page.locator("#nodes tbody tr").count() > 10


def test_a_claim_has_an_address_of_its_own(visit: Open) -> None:
    page = visit("/ask?question=How+was+intact+tracer+measured%3F&paper=zirconium_tracers", bypass_csp=True)
    page.get_by_role("button", name="Ask", exact=True).click()
    name = page.get_by_role("link", name="Link to this answer").get_attribute("href").rpartition("/")[2]
    page = visit(f"{PAPER}#passage-{name}-0")
    page.locator(".mark").first.wait_for()
    page.emulate_media(media="print")
    assert not page.locator("nav").first.is_visible()


def test_settings_are_kept_within_their_ranges(visit: Open) -> None:
    page = visit("/settings")
    page.get_by_label("Hops in the graph").fill("3")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()
    page.reload()
    assert page.get_by_label("Hops in the graph").input_value() == "3"
