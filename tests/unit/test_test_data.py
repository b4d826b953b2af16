"""The bundled papers say what their pages show: gold, boxes, call-outs and questions agree with the files."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "test_data"
SCORER = ROOT.parent / "shared" / "tools" / "score_structure.py"
NAMES = ("reservoir_sensors", "urban_pollinators", "zirconium_tracers")
TAG = re.compile(r"^<\|ref\|>(\w+)<\|/ref\|><\|det\|>(\[\[[\d, \[\]]+\]\])<\|/det\|>\n", re.M)
pytestmark = pytest.mark.parametrize("name", NAMES)


@cache
def gold_of(name):
    return json.loads((DATA / name / "gold.json").read_text(encoding="utf-8"))


@cache
def printed(name):
    """Blocks as the pages have them: id -> (label, boxes, text)."""
    blocks = {}
    for path in sorted((DATA / name).glob("page_*.md")):
        parts = TAG.split(path.read_text(encoding="utf-8"))
        assert parts[0] == ""
        for order, (label, boxes, text) in enumerate(zip(parts[1::3], parts[2::3], parts[3::3], strict=True), 1):
            blocks[f"b_p{path.stem[5:]}_{order:04d}"] = (label, ast.literal_eval(boxes), text.strip())
    return blocks


@cache
def host_texts(name):
    gold = gold_of(name)
    texts = {f"p{p['idx']}": p["text"] for p in gold["paragraphs"]}
    texts |= {f"fig:{f['number']}": f["caption"] for f in gold["figures"]}
    return texts | {f"tab:{t['number']}": t["caption"] for t in gold["tables"]}


def text_of(name, call):
    if call["host"].endswith(":cell"):
        table = next(t for t in gold_of(name)["tables"] if call["host"] == f"tab:{t['number']}:cell")
        row, column = call["cell"]
        return table["cells"][row][column]
    return host_texts(name)[call["host"]]


def joined(name, blocks):
    return re.sub(r"\s+", " ", " ".join(printed(name)[block][2] for block in blocks)).strip()


def test_gold_lists_the_blocks_of_the_pages(name):
    listed = {b["id"]: (b["label"], b["bbox"]) for b in gold_of(name)["blocks"]}
    assert listed == {ident: (label, boxes) for ident, (label, boxes, _) in printed(name).items()}


def test_document_is_the_pages(name):
    pages = [path.read_text(encoding="utf-8") for path in sorted((DATA / name).glob("page_*.md"))]
    assert (DATA / name / "document.md").read_text(encoding="utf-8") == "\n\n---\n\n".join(pages)
    assert 4 <= len(pages) <= 6


def test_paragraphs_headings_and_references_stand_in_their_blocks(name):
    gold = gold_of(name)
    for paragraph in gold["paragraphs"]:
        assert joined(name, paragraph["blocks"]) == re.sub(r"\s+", " ", paragraph["text"])
    for section in gold["sections"]:
        assert joined(name, section["blocks"]) == f"## {section['shown']}"
    for reference in gold["references"]:
        assert reference["text"] in joined(name, reference["blocks"])
    for item in gold["figures"] + gold["tables"]:
        assert item["shown_label"] in joined(name, item["caption_blocks"])


def test_call_outs_lie_at_their_characters(name):
    gold = gold_of(name)
    assert len(gold["citations"]) >= 30
    for call in gold["citations"] + gold["crossrefs"]:
        assert call["surface"]
        assert text_of(name, call)[call["start"] : call["end"]] == call["surface"]


def test_no_printed_citation_is_forgotten(name):
    """Whatever has the form of a citation is one in the gold, or a look-alike named here."""
    pattern = {
        "superscript": r"\\\( \^\{\d[\d,-]*\} \\\)",
        "numeric": r"\[\d[\d, –]*\]",
        "author-year": r"\([^()]*(?:19|20)\d\d[a-z]?(?=[,;)])",
    }[gold_of(name)["style"]["citation_style"]]
    spans = [(c["host"], c["start"], c["end"]) for c in gold_of(name)["citations"]]
    for paragraph in gold_of(name)["paragraphs"]:
        host = f"p{paragraph['idx']}"
        for match in re.finditer(pattern, paragraph["text"]):
            before, after = paragraph["text"][: match.start()], paragraph["text"][match.end() :]
            lookalike = re.search(r"(10|10\)|m|mm|Zr\)) $", before) or re.match(r" (Zr|Y)\b", after)
            called = any(host == h and start <= match.start() < end for h, start, end in spans)
            assert called or lookalike, paragraph["text"][match.start() - 30 : match.end() + 9]


def test_links_point_to_what_exists(name):
    gold = gold_of(name)
    numbers = [r["number"] for r in gold["references"]]
    assert numbers == list(range(1, len(numbers) + 1))
    cited = {n for c in gold["citations"] for n in c["refs"]}
    assert cited == set(numbers)
    floats = {("figure", f["number"]) for f in gold["figures"]} | {("table", t["number"]) for t in gold["tables"]}
    assert {(kind, number) for _, kind, number in gold["crossref_links"]} == floats
    links = {(f"p{p['idx']}", n) for p in gold["paragraphs"] for n in p["cites"]}
    assert links == {tuple(link) for link in gold["citation_links"]}


def test_hard_cases_are_there(name):
    """The layout still has the cuts and joins that the README promises."""
    gold = gold_of(name)
    two_boxes = {b["kind"] for b in gold["blocks"] if len(b["bbox"]) > 1}
    merged = [b for b in gold["blocks"] if isinstance(b["ref"], list)]
    cut = [p["blocks"] for p in gold["paragraphs"] if len(p["blocks"]) > 1]
    by_page = any(first[:6] != last[:6] for first, *_, last in cut)
    by_float = any(first[:6] == last[:6] for first, *_, last in cut)
    references_cut = any(len(r["blocks"]) > 1 for r in gold["references"])
    split_caption = any(len(t["caption_blocks"]) > 1 for t in gold["tables"])
    panels = any(len(f["image_blocks"]) > 1 for f in gold["figures"])
    found = (bool(two_boxes), bool(merged), by_page, by_float, references_cut, split_caption, panels)
    assert (
        found
        == {
            "zirconium_tracers": (True, True, True, True, True, False, True),
            "reservoir_sensors": (False, True, True, False, True, True, True),
            "urban_pollinators": (True, False, True, False, False, False, False),
        }[name]
    )


def test_questions_have_answers_and_evidence(name):
    questions = json.loads((DATA / name / "questions.json").read_text(encoding="utf-8"))
    assert len({q["id"] for q in questions}) == 10
    assert {"structural", "citation", "cross_ref", "bibliography", "table", "content", "unanswerable"} <= {
        q["type"] for q in questions
    }
    for question in questions:
        assert question["evidence_blocks"]
        assert set(question["evidence_blocks"]) <= set(printed(name))
        assert (question["gold"] is None) == (question["type"] == "unanswerable")
        assert "{" not in re.sub(r"[\^_]\{", "", question["answer"])
        assert all(question["evidence_hints"])


def test_figure_files_fit_their_boxes(name):
    images = [(b["id"], b["bbox"][0]) for b in gold_of(name)["blocks"] if b["label"] == "image"]
    assert len(images) >= 3
    counted = {}
    for ident, box in images:
        page = ident[3:6]
        counted[page] = counted.get(page, 0) + 1
        with Image.open(DATA / name / f"fig_page{page}_{counted[page]:02d}.png") as picture:
            wide, high = (box[2] - box[0]) * 909, (box[3] - box[1]) * 1286
            assert picture.width / picture.height == pytest.approx(wide / high, rel=0.03)
    assert len(list((DATA / name).glob("fig_*.png"))) == len(images)
    metadata = DATA / name / "figures_metadata.json"
    assert metadata.exists() == (name != "urban_pollinators")
    if metadata.exists():
        rows = json.loads(metadata.read_text(encoding="utf-8"))
        assert [(row["id"], row["bbox_norm"]) for row in rows] == images
        assert all((DATA / name / row["image_path"]).exists() for row in rows)


def test_boxes_hold_all_the_ink(name):
    """Each box has ink in it, and a page without its boxes is white."""
    for path in sorted((DATA / name).glob("page_*.png")):
        with Image.open(path) as picture:
            page = picture.convert("L")
        rest = page.copy()
        cover = ImageDraw.Draw(rest)
        for ident, (_, boxes, _) in printed(name).items():
            if ident[3:6] != path.stem[5:]:
                continue
            for x0, y0, x1, y1 in boxes:
                assert 0 <= x0 < x1 <= 1000
                assert 0 <= y0 < y1 <= 1000
                area = (x0 * page.width // 1000, y0 * page.height // 1000, x1 * page.width // 1000 + 1,
                        y1 * page.height // 1000 + 1)  # fmt: skip
                inside = page.crop(area)
                assert inside.histogram()[:128] != [0] * 128, ident
                assert sum(inside.histogram()[:128]) > 0.008 * inside.width * inside.height, ident
                cover.rectangle((area[0] - 2, area[1] - 2, area[2] + 2, area[3] + 2), fill=255)
        assert rest.getextrema() == (255, 255), path.name


def test_the_scorer_reads_the_gold(name):
    if not SCORER.exists():
        pytest.skip("the scoring tool ../shared/tools/score_structure.py is not here")
    spec = importlib.util.spec_from_file_location("score_structure", SCORER)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    want = tool.expected(gold_of(name))
    assert len(want["headings"]) == len(gold_of(name)["sections"])
    assert len(want["citations"]) == len(gold_of(name)["citation_links"])
    assert len(want["crossrefs"]) == len(gold_of(name)["crossref_links"])
    assert all(want.values())
