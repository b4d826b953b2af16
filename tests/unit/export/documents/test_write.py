"""Papers written back as documents: what is read again from them is what was there before."""

from collections import Counter
from pathlib import Path
from unicodedata import normalize

import pytest
from click.testing import CliRunner
from lxml import etree, html

import kag
from kag.cli.main import cli
from kag.core.errors import RunError
from kag.export.documents.manuscript import manuscript
from kag.export.documents.markdown import escaped
from kag.export.documents.runs import Run, runs_of
from kag.export.documents.write import WRITERS, document_text, find_pictures, write_document
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.qa.paper import Mention, PaperGraph
from kag.rdf.namespaces import KAG
from kag.text.plain import plain
from tests.papers import write_paper
from tests.report_pages import HOSTILE_PAGES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
BUNDLED = sorted(path.parent for path in (ROOT / "test_data").glob("*/gold.json"))
GOLD = ROOT.parent / "shared" / "data" / "jats_gold"
ENDS = {"markdown": ".md", "jats": ".xml"}
FLOATS = ("Figure", "Table")

SPANNING = (
    "<table><tr><th rowspan=2>Site</th><th colspan=2>Lost | found</th></tr><tr><th>2019</th><th>2020</th></tr>"
    "<tr><td>Upper</td><td>3 &lt; 4</td><td>5 \\( ^{a} \\)</td></tr></table>"
)
PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Ice & *snow* <i>"),
        ("sub_title", "[[100, 150, 300, 170]]", "## 1 Introduction"),
        ("text", "[[100, 180, 900, 300]]", "Sensors fail [1, 2]; see Table 1 and  \\( K_{D} \\)  of H \\( _{2} \\) O."),
        ("text", "[[100, 310, 900, 320]]", "- a list, 5 * 3, `code`, [x](y), #1 & more: a_b $5 $6"),
        ("table_title", "[[100, 330, 900, 340]]", "Table 1. Losses."),
        ("table", "[[100, 350, 900, 400]]", SPANNING),
        ("equation", "[[100, 410, 900, 440]]", "\\[ n < \\frac{a}{b} \\tag{1} \\]"),
        ("sub_title", "[[100, 460, 300, 480]]", "## References"),
        ("text", "[[100, 490, 900, 520]]", "[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9."),
        ("text", "[[100, 530, 900, 600]]", "[2] Roe E. Snow & ice. Rivers. 2000;4:10-19."),
    ),
)


def graph_of(paper: kag.Paper) -> PaperGraph:
    return next(iter(paper.graphs.values()))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    return graph_of(kag.index(write_paper(tmp_path_factory.mktemp("small") / "ice_ocr", pages=PAGES)))


def read_again(paper: PaperGraph, form: str, folder: Path, pictures: Path | None = None) -> PaperGraph:
    """The paper written in a format, and read from there."""
    target = folder / f"{paper.id}{ENDS[form]}"
    write_document(paper, form, target, find_pictures(paper, pictures))
    return graph_of(kag.index(target))


def letters(text: str) -> str:
    return "".join(sign for sign in normalize("NFKC", text) if sign.isalnum())


def words(paper: PaperGraph) -> list[str]:
    """The letters of each printed text; of authors, tables and formulas something else is asked."""
    return [letters(node.plain) for node in paper.nodes.values() if node.kind not in ("ListOfAuthors", "Formula")]


def captions(paper: PaperGraph) -> list[tuple[str, str, str]]:
    floats = paper.of_kind(*FLOATS)
    return [(n.kind, n.label.rstrip("."), letters(c.plain) if (c := paper.caption_of(n.iri)) else "") for n in floats]


def cells(paper: PaperGraph) -> list[object]:
    found = []

    def look(items) -> None:
        for item in items:
            look(getattr(item, "items", ()))
            if getattr(item, "grid", None):
                rows = [(letters(plain(c.text)), c.row, c.column, c.row_span, c.column_span) for c in item.grid.cells]
                found.append((item.header_rows, rows))

    whole = manuscript(paper)
    look((*whole.front, *whole.body))
    return found


def calls(paper: PaperGraph) -> Counter[tuple[str, tuple[str, ...]]]:
    """The call-outs of entries: what is printed, and the numbers it means."""
    entries = {node.iri: node.number for node in paper.of_kind("BibliographicReference")}
    met = (
        (m.surface, tuple(entries[to] for to in m.targets if to in entries))
        for ms in paper.mentions.values()
        for m in ms
    )
    return Counter((letters(plain(surface)), numbers) for surface, numbers in met if numbers)


def compare(paper: PaperGraph, again: PaperGraph) -> None:
    """That nothing is lost, and nothing is there twice."""
    assert letters(again.title) == letters(paper.title)
    assert [(s.depth, letters(s.title)) for s in again.sections.values() if not s.synthetic] == [
        (s.depth, letters(s.title)) for s in paper.sections.values() if not s.synthetic
    ]
    whole = "".join(words(again))
    assert [text for text in words(paper) if text not in whole] == []
    assert Counter("".join(words(paper))) == Counter(whole)
    assert sorted(captions(again)) == sorted(captions(paper))
    assert cells(again) == cells(paper)
    formulas = [sorted(letters(node.text) for node in one.of_kind("Formula")) for one in (paper, again)]
    assert formulas[0] == formulas[1]
    entries = [[letters(node.plain) for node in one.references.values()] for one in (paper, again)]
    assert entries[0] == entries[1]
    assert calls(again) == calls(paper)


@pytest.mark.parametrize("form", ENDS)
@pytest.mark.parametrize("folder", BUNDLED, ids=lambda folder: folder.name)
def test_a_bundled_paper_is_read_again_as_it_was(folder, form, tmp_path):
    paper = graph_of(kag.index(folder))
    again = read_again(paper, form, tmp_path, folder)
    compare(paper, again)
    names = sorted(path.name for path in (tmp_path / f"{paper.id}_figures").iterdir())
    assert names == sorted(path.name for path in folder.glob("fig_page*.png")), "each panel of each figure"


@pytest.mark.parametrize("form", ENDS)
@pytest.mark.parametrize("name", ["PMC6398430", "elife02935", "elife00007"])
def test_a_published_paper_is_read_again_as_it_was(name, form, tmp_path):
    if not (GOLD / name).is_dir():
        pytest.skip("needs the evaluation data beside the project")
    paper = graph_of(kag.index(GOLD / name))
    compare(paper, read_again(paper, form, tmp_path))


@pytest.mark.parametrize("form", ENDS)
def test_spans_marks_and_formulas_come_back(small, form, tmp_path):
    again = read_again(small, form, tmp_path)
    compare(small, again)
    spans = [(4, 0, 0, 2, 1), (9, 0, 1, 1, 2)]
    assert [(len(text), *rest) for text, *rest in cells(again)[0][1] if rest[2:] != [1, 1]] == spans
    assert [node.plain for node in again.nodes.values() if "list" in node.text] == [
        node.plain for node in small.nodes.values() if "list" in node.text
    ]


def test_html_shows_all_once_with_links_that_lead_somewhere(small):
    text = document_text(small, "html")
    page = html.fromstring(text)
    names = page.xpath("//@id")
    assert len(names) == len(set(names))
    assert {link.removeprefix("#") for link in page.xpath("//a/@href")} <= set(names)
    assert [a.text_content() for a in page.xpath("//p//a")] == ["1", "2", "Table 1"]
    assert [h.tag + h.text_content() for h in page.xpath("//h1|//h2")] == [
        "h1Ice & snow",
        "h21 Introduction",
        "h2References",
    ]
    for annotation in page.xpath("//annotation"):
        annotation.drop_tree()
    printed = letters(page.xpath("//body")[0].text_content())
    assert all(printed.count(text) == 1 for text in map(letters, ("Sensors fail", "Losses.", "Ice on rivers", "3 < 4")))
    head = page.xpath("//thead//th")
    assert [(th.text_content(), th.get("rowspan"), th.get("colspan"), th.get("scope")) for th in head] == [
        ("Site", "2", None, "col"), ("Lost | found", None, "2", "colgroup"),
        ("2019", None, None, "col"), ("2020", None, None, "col"),
    ]  # fmt: skip


def test_jats_says_what_its_links_are(small):
    root = etree.fromstring(document_text(small, "jats").encode())
    names = set(root.xpath("//@id"))
    links = [(xref.get("ref-type"), "".join(xref.itertext())) for xref in root.iter("xref")]
    assert links == [("bibr", "1"), ("bibr", "2"), ("table", "Table 1")]
    assert {name for xref in root.iter("xref") for name in xref.get("rid").split()} <= names
    assert [label.text for label in root.iter("label")] == ["Table 1.", "(1)", "[1]", "[2]"]


def test_what_a_paper_says_is_never_markup(tmp_path):
    paper = graph_of(kag.index(write_paper(tmp_path / "bad_ocr", pages=HOSTILE_PAGES)))
    page = html.fromstring(document_text(paper, "html"))
    assert not page.xpath("//script|//img|//@onerror")
    assert "<script>alert(1)</script>" in page.text_content()
    root = etree.fromstring(document_text(paper, "jats").encode())
    assert {one.tag for one in root.iter()} <= {
        "article", "front", "article-meta", "title-group", "article-title", "body", "sec", "title", "p",
    }  # fmt: skip
    markdown = document_text(paper, "markdown")
    assert [mark for mark in ("<script", "<img", "<!--") if mark in markdown] == []


@pytest.mark.parametrize("form", WRITERS)
def test_the_same_paper_gives_the_same_bytes(small, form, tmp_path):
    found = find_pictures(small)
    for name in ("one", "two", "one"):
        write_document(small, form, tmp_path / name, found)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_command_writes_figures_beside_the_document(tmp_path):
    folder = BUNDLED[0]
    run = write_run(tmp_path / "runs", folder.name, index_paper(folder).files)
    out = tmp_path / "paper.md"
    for _ in range(2):  # figures that are there already are no hindrance
        done = CliRunner().invoke(
            cli, ["export", str(run), "--format", "markdown", "--out", str(out), "--ocr-dir", str(folder)]
        )
        assert (done.exit_code, done.output) == (0, "")
    for path in (tmp_path / "paper_figures").iterdir():
        assert f"![](paper_figures/{path.name})" in out.read_text()
        assert path.read_bytes() == (folder / path.name).read_bytes()
    alone = CliRunner().invoke(cli, ["export", str(run), "--format", "html", "--out", str(tmp_path / "paper.html")])
    assert alone.exit_code == 0
    assert "picture left out: fig_page" in alone.output
    printed = CliRunner().invoke(cli, ["export", str(run), "--format", "jats"])
    assert etree.fromstring(printed.stdout.encode()).tag == "article"


def test_a_document_is_not_there_without_its_figures(tmp_path):
    folder = BUNDLED[0]
    paper = graph_of(kag.index(folder))
    found = find_pictures(paper, folder)
    (tmp_path / "paper_figures").mkdir()
    (tmp_path / "paper_figures" / "mine.png").write_bytes(b"mine")
    with pytest.raises(RunError, match="in the way"):
        write_document(paper, "markdown", tmp_path / "paper.md", found)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["paper_figures"]
    (tmp_path / "dir.md").mkdir()
    with pytest.raises(OSError):
        write_document(paper, "markdown", tmp_path / "dir.md", found)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dir.md", "paper_figures"]


def test_a_picture_that_is_none_is_told(tmp_path):
    paper = graph_of(kag.index(BUNDLED[0]))
    image = paper.graph.value(paper.of_kind("Figure")[0].iri, str(KAG.imagePath))
    (tmp_path / image).write_bytes(b"<svg onload=alert(1)>")
    found = find_pictures(paper, tmp_path)
    assert not found.pictures
    assert f"{image} is not a picture that can be read" in found.problems


# runs and marks ---------------------------------------------------------------------------------


def mention(text: str, surface: str, *targets: str) -> Mention:
    start = text.index(surface)
    return Mention("p", start, start + len(surface), surface, targets)


def test_runs_are_words_formulas_scripts_and_links():
    text = "as **shown** \\( ^{1,3} \\)  of \\( K_{D} \\) in [2, 4–6]*"
    numbers = {name: n for n, name in enumerate("abcdef", start=1)}
    found = runs_of(text, [mention(text, "1,3", "a", "c"), mention(text, "[2, 4–6]", "b", "d", "e", "f")], numbers)
    assert found == (
        Run("as shown"),
        Run("1", script="sup", to=("a",)),
        Run(",", script="sup"),
        Run("3", script="sup", to=("c",)),
        Run(" of "),
        Run("K_D", "K_{D}"),
        Run(" in ["),
        Run("2", to=("b",)),
        Run(", "),
        Run("4–6", to=("d", "e", "f")),
        Run("]*"),
    )


def test_a_call_out_whose_numbers_are_not_those_of_its_targets_is_one_link():
    text = "so Poe, 1999, says"
    assert runs_of(text, [mention(text, "Poe, 1999", "a", "b")], {"a": 1, "b": 2})[1] == Run("Poe, 1999", to=("a", "b"))


@pytest.mark.parametrize(
    "text",
    [
        "5 * 3 = 15",
        "a_b",
        "p < 0.05",
        "AT&T",
        "[1] and (2)",
        "A. B. Poe",
        "R^2",
        "x > y",
        "#1",
        "e.g. - so",
        "US$5",
        "a|b",
    ],
)
def test_what_is_no_mark_stays_as_it_is(text):
    assert escaped(text) == text


@pytest.mark.parametrize(
    "text", ["*a*", "_a_", "`a`", "<b>", "&lt;", "[a](b)", "[a][b]", "~~a~~", "$a$", "\\*", "![a](b)"]
)
def test_what_would_be_a_mark_is_escaped(text):
    assert escaped(text) != text
    assert plain(escaped(text)) == text
