"""Whole folders: every form that is read, every fault that is refused or put right."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import KagError, SourceError
from kag.core.types import Box
from kag.sources import loading
from kag.sources.names import safe_paper_id
from kag.sources.ocr.folder import is_ocr_folder, read_document

SHARED = Path(__file__).parents[4] / "shared" / "data"


def tagged(words, label="text", box="[[1, 2, 3, 4]]"):
    return f"<|ref|>{label}<|/ref|><|det|>{box}<|/det|>\n{words}\n\n"


def folder_of(tmp_path, files, name="paper"):
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    for file, content in files.items():
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def problems(document):
    return [(repair.page, repair.line, repair.problem) for repair in document.repairs]


def raws(document):
    return [(block.id, block.raw) for block in document.blocks]


# forms ----------------------------------------------------------------------------------------


def test_page_files_in_numeric_order(tmp_path):
    files = {"page_10.md": tagged("ten"), "page_9.md": tagged("nine"), "notes.txt": "x", "document.md": tagged("other")}
    files |= {f"page_{n:03d}.md": tagged(f"p{n}") for n in range(1, 9)}
    document = read_document(folder_of(tmp_path, files))
    assert document.pages == 10
    assert document.repairs == ()
    assert raws(document)[-2:] == [("b_p009_0001", "nine"), ("b_p010_0001", "ten")]


def test_a_block_in_full(tmp_path):
    page = (
        tagged("# On  \\( ^{89} \\) Zr", "title") + tagged("a") + tagged("", "image", "[[5, 6, 7, 8], [9, 9, 10, 10]]")
    )
    title, _, image = read_document(folder_of(tmp_path, {"page_001.md": page})).blocks
    assert (title.id, title.page, title.order, title.label, title.boxes) == (
        "b_p001_0001",
        1,
        1,
        "title",
        (Box(1, 2, 3, 4),),
    )
    assert (title.raw, title.text, title.plain) == ("# On  \\( ^{89} \\) Zr", "On  \\( ^{89} \\) Zr", "On ⁸⁹Zr")
    assert (title.heading_level, title.table) == (1, None)
    assert (image.id, image.raw, image.boxes) == ("b_p001_0003", "", (Box(5, 6, 7, 8), Box(9, 9, 10, 10)))


@pytest.mark.parametrize("mark", ["---", "<--- Page Split --->"])
@pytest.mark.parametrize("file", ["document.md", "smith_det.mmd", "result_ori.mmd"])
def test_one_file_cut_into_pages(tmp_path, mark, file):
    text = f"{tagged('a')}\n{mark}\n\n{tagged('b')}{tagged('c')}\n{mark}\n{mark}\n{tagged('d')}{mark}\n"
    document = read_document(folder_of(tmp_path, {file: text}))
    assert raws(document) == [("b_p001_0001", "a"), ("b_p002_0001", "b"), ("b_p002_0002", "c"), ("b_p004_0001", "d")]
    assert document.pages == 4


def test_a_rule_inside_the_text_is_no_page_break(tmp_path):
    text = f"---\ntitle: x\n---\n{tagged('a')}---\n\nmore\n\n---\n{tagged('b')}"
    document = read_document(folder_of(tmp_path, {"document.md": text}))
    assert document.pages == 2
    assert [block.raw for block in document.blocks][-2:] == ["a\n\n---\n\nmore", "b"]
    assert (document.blocks[0].label, document.blocks[0].raw) == ("text", "---\ntitle: x\n---")


def test_repairs_name_the_line_of_the_file(tmp_path):
    text = f"{tagged('a')}---\n{tagged('b')}<|ref|>text<|/ref|>\nc"
    document = read_document(folder_of(tmp_path, {"document.md": text}))
    assert problems(document) == [(2, 8, "a tag without a box list")]


def test_page_files_come_first_then_document_then_tagged(tmp_path):
    folder = folder_of(tmp_path, {"x_det.mmd": tagged("mmd")})
    assert read_document(folder).blocks[0].raw == "mmd"
    folder_of(tmp_path, {"document.md": tagged("doc")})
    assert read_document(folder).blocks[0].raw == "doc"
    folder_of(tmp_path, {"page_001.md": tagged("page")})
    assert read_document(folder).blocks[0].raw == "page"
    assert read_document(folder).repairs == ()


def test_untagged_pages_become_blocks(tmp_path):
    page = "# Head\n\nA paragraph.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    document = read_document(folder_of(tmp_path, {"page_001.md": page, "page_002.md": f"\nlead\n\n{tagged('x')}"}))
    assert [(b.id, b.label, b.text, b.heading_level, b.boxes) for b in document.blocks] == [
        ("b_p001_0001", "sub_title", "Head", 1, ()),
        ("b_p001_0002", "text", "A paragraph.", 0, ()),
        ("b_p001_0003", "table", "a | b\n1 | 2", 0, ()),
        ("b_p002_0001", "text", "lead", 0, ()),
        ("b_p002_0002", "text", "x", 0, (Box(1, 2, 3, 4),)),
    ]
    assert problems(document) == [(1, 1, "text outside any tag"), (2, 2, "text outside any tag")]


def test_line_ends_and_byte_order_marks(tmp_path):
    page = b"\xef\xbb\xbf" + tagged("one\ntwo").replace("\n", "\r\n").encode()
    document = read_document(folder_of(tmp_path, {"page_001.md": page}))
    assert document.blocks[0].raw == "one\ntwo"
    assert document.repairs == ()


# put right ------------------------------------------------------------------------------------


def test_missing_pages_are_recorded(tmp_path):
    files = {"page_2.md": tagged("a"), "page_3.md": tagged("b"), "page_6.md": tagged("c")}
    document = read_document(folder_of(tmp_path, files))
    assert problems(document) == [(1, 0, "page 1 is missing"), (4, 0, "pages 4 to 5 are missing")]
    assert (document.pages, document.blocks[-1].id) == (3, "b_p006_0001")


def test_control_characters_become_blanks(tmp_path):
    document = read_document(folder_of(tmp_path, {"page_001.md": tagged("a\x00b\x0cc\x85d")}))
    assert document.blocks[0].raw == "a b c d"
    assert problems(document) == [(1, 2, "3 control characters")]


HOSTILE = [
    "---\n",
    "---\nx\n",
    "a" * 200 + "\n",
    "# \n",
    "> " * 50 + "\n",
    "<|ref|>text<|/ref|>\n",
    "| a |\n|---|\n",
    "\x00",
    " \n",
]


@pytest.mark.parametrize("unit", HOSTILE, ids=lambda unit: repr(unit)[:12])
def test_hostile_files_take_no_time(tmp_path, unit):
    folder = folder_of(tmp_path, {"document.md": "---\n" + unit * (50_000 // len(unit)) + tagged("a")})
    assert read_document(folder).blocks[-1].raw == "a"  # the work per character is tested where it is done


# refused --------------------------------------------------------------------------------------


def refused(folder, **options):
    with pytest.raises(SourceError) as caught:
        read_document(folder, **options)
    assert caught.value.hint
    return caught.value.message


def test_two_files_for_one_page(tmp_path):
    message = refused(folder_of(tmp_path, {"page_1.md": tagged("a"), "page_001.md": tagged("b")}))
    assert "page_1.md" in message
    assert "page_001.md" in message


def test_several_papers_in_one_folder(tmp_path):
    folder = folder_of(tmp_path, {"a_det.mmd": tagged("a"), "b_det.mmd": tagged("b")})
    assert "a_det.mmd, b_det.mmd" in refused(folder)
    assert is_ocr_folder(folder)


def test_pages_counted_from_zero(tmp_path):
    assert "counted from 1" in refused(folder_of(tmp_path, {"page_000.md": tagged("a")}))


def test_not_utf8(tmp_path):
    message = refused(folder_of(tmp_path, {"page_001.md": tagged("a"), "page_002.md": b"caf\xe9"}))
    assert "page_002.md" in message
    assert "byte 3" in message


def test_huge_file(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "LARGEST_FILE", 10)
    assert "page_001.md" in refused(folder_of(tmp_path, {"page_001.md": tagged("a")}))


# identity -------------------------------------------------------------------------------------


def test_paper_ids(tmp_path):
    folder = folder_of(tmp_path, {"page_001.md": tagged("a")}, name="smith2020_ocr")
    assert read_document(folder).paper_id == "smith2020_ocr"
    assert read_document(folder, paper_id="other").paper_id == "other"
    assert "cannot be a paper id" in refused(folder, paper_id="../x")


def test_safe_paper_ids_differ_when_names_do():
    names = ["a b", "a-b", "a/b", "é", "e", "論文", "論", "..", ".", "", "x" * 81, "x" * 82, "a" * 80]
    ids = [safe_paper_id(name) for name in names]
    assert len(set(ids)) == len(names)
    assert all(0 < len(i) <= 80 and i[0].isalnum() and i[-1].isalnum() for i in ids)
    assert ids[1] == "a-b"
    assert ids[-1] == "a" * 80
    assert [safe_paper_id(i) for i in ids] == ids


def test_is_ocr_folder(tmp_path):
    assert is_ocr_folder(folder_of(tmp_path, {"page_7.MD": ""}))
    assert not is_ocr_folder(folder_of(tmp_path, {"page_x.md": ""}, name="other"))
    assert not is_ocr_folder(tmp_path / "none")


def test_the_digest_follows_names_and_bytes(tmp_path):
    one = read_document(folder_of(tmp_path, {"page_001.md": tagged("a")}, name="one"))
    same = read_document(folder_of(tmp_path, {"page_001.md": tagged("a")}, name="same"))
    bytes_differ = read_document(folder_of(tmp_path, {"page_001.md": tagged("a") + "\n"}, name="bytes"))
    name_differs = read_document(folder_of(tmp_path, {"page_01.md": tagged("a")}, name="name"))
    assert one.sha256 == same.sha256
    assert len({one.sha256, bytes_differ.sha256, name_differs.sha256}) == 3


# conservation ---------------------------------------------------------------------------------

WORDS = st.text(alphabet="abT#*|`-<>[]1.=é\x00 \n\\", max_size=30).map(lambda words: f"\nT{words}\n")
MARKS = st.sampled_from([
    "<|ref|>text<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>", "<|ref|>image<|/ref|><|det|>[[1, 2, 3, 4], [5, 6, 7]]<|/det|>",
    "<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>", "<|ref|>text", "<|ref|>table<|det|>", "<|det|>[[1, 2",
    "<|det|>[[NaN]]<|/det|>", "<|ref|>title<|/ref|>", "<|det|>[[9, 9, 1, 2000]]<|/det|>", "---", "<--- Page Split --->",
])  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), WORDS, MARKS), max_size=12), st.sampled_from(["page_001.md", "document.md"]))
def test_no_character_of_text_is_lost(tmp_path_factory, pieces, file):
    folder = folder_of(tmp_path_factory.mktemp("p"), {file: "".join(w if is_word else m for is_word, w, m in pieces)})
    try:
        document = read_document(folder)
    except KagError:
        assert not any(is_word for is_word, _, _ in pieces)
        return
    printed = iter("".join(block.raw for block in document.blocks))
    words = "".join(w for is_word, w, _ in pieces if is_word).replace("\x00", " ")
    missing = [char for char in "".join(words.split()) if char not in printed]  # `in` consumes: order is checked too
    assert not missing


# reference data -------------------------------------------------------------------------------


@pytest.mark.skipif(not SHARED.is_dir(), reason="reference data (../shared) is not there")
def test_ids_labels_and_boxes_equal_the_gold_of_every_paper():
    papers = sorted(path.parent for path in (SHARED / "jats_gold").glob("*/gold.json"))
    assert papers
    for paper in papers:
        gold = json.loads((paper / "gold.json").read_text())["blocks"]
        document = read_document(paper)
        assert [(b.id, b.label, [list(box) for box in b.boxes]) for b in document.blocks] == [
            (row["id"], row["label"], row["bbox"]) for row in gold
        ], paper.name
        assert document.repairs == (), paper.name


@pytest.mark.skipif(not SHARED.is_dir(), reason="reference data (../shared) is not there")
@pytest.mark.parametrize(("name", "figures"), [("chemrxiv", 6), ("pet_test", 5)])
def test_real_output_is_read_without_repairs(tmp_path, name, figures):
    folder = SHARED / "kag_reference" / f"{name}_ocr"
    document = read_document(folder)
    assert (document.pages, len(document.figures), document.repairs) == (8, figures, ())
    assert all(figure.boxes for figure in document.figures)
    joined = folder_of(tmp_path, {"document.md": (folder / "document.md").read_bytes()})
    assert read_document(joined).blocks == document.blocks


@pytest.mark.parametrize("page", ["tagged words", "words", "a tagged word"])
def test_a_block_that_no_graph_store_could_take_is_cut_and_nothing_of_it_is_lost(tmp_path, page):
    words = "ice " * 900_000
    page = {
        "tagged words": lambda: tagged(words),
        "words": lambda: f"# Ice\n\n{words}",
        "a tagged word": lambda: tagged("i" * 2_500_000),
    }[page]()
    document = read_document(folder_of(tmp_path, {"page_001.md": page}))
    long = [block for block in document.blocks if len(block.text) > 1000]
    assert len(long) in (3, 4)
    assert max(len(block.raw) for block in long) <= 1_000_000
    assert sum(block.text.count("i") for block in long) == page.count("i")
    assert any("cut into" in repair.action for repair in document.repairs)
