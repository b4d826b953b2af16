"""Figure files: where they are found and how they get their boxes."""

import io
import json

import pytest
from PIL import Image

from kag.core.errors import SourceError
from kag.core.types import Box
from kag.sources.ocr.folder import read_document

PAGE = "".join(
    f"<|ref|>{label}<|/ref|><|det|>[[{n}, {n}, {n + 9}, {n + 9}]]<|/det|>\nx\n"
    for n, label in enumerate(["image", "text", "chart", "figure_title"], start=1)
)


def png(width=3, height=2, form="PNG"):
    stream = io.BytesIO()
    Image.new("RGB", (width, height)).save(stream, form)
    return stream.getvalue()


@pytest.fixture
def paper(tmp_path):
    folder = tmp_path / "smith_ocr"
    folder.mkdir()
    (folder / "page_001.md").write_text("<|ref|>text<|/ref|><|det|>[[1,2,3,4]]<|/det|>one")
    (folder / "page_002.md").write_text(PAGE)
    return folder


def put(folder, name, data):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def seen(document):
    return [(f.path, f.page, f.boxes, f.width, f.height) for f in document.figures]


@pytest.mark.parametrize("place", [".", "images", "../smith_figures"])
def test_without_metadata_the_order_on_the_page_counts(paper, place):
    put(paper / place, "fig_page002_02.png", png(5, 4))
    put(paper / place, "fig_page002_01.png", png())
    prefix = "" if place == "." else f"{place}/"
    document = read_document(paper)
    assert seen(document) == [
        (f"{prefix}fig_page002_01.png", 2, (Box(1, 1, 10, 10),), 3, 2),
        (f"{prefix}fig_page002_02.png", 2, (Box(3, 3, 12, 12),), 5, 4),
    ]
    assert document.repairs == ()


def test_upstream_names_count_from_zero(paper):
    put(paper, "images/1_1.jpg", png(form="JPEG"))
    put(paper, "1_0.jpg", png(form="JPEG"))  # only in images/ is this a figure's name
    assert seen(read_document(paper)) == [("images/1_1.jpg", 2, (Box(3, 3, 12, 12),), 3, 2)]


def test_a_folder_of_figures_can_be_given(paper, tmp_path):
    put(paper, "fig_page002_01.png", png())
    put(tmp_path, "elsewhere/fig_page002_02.png", png())
    document = read_document(paper, figures=tmp_path / "elsewhere")
    assert [figure.path for figure in document.figures] == ["../elsewhere/fig_page002_02.png"]
    with pytest.raises(SourceError):
        read_document(paper, figures=tmp_path / "none")


ROWS = [
    {"page": 2, "bbox_norm": [20, 20, 30, 30], "image_path": "out/figures/fig_page002_01.png"},
    {"page": 2, "bbox_norm": [40, 40, 50, 50], "image_path": "..\\..\\fig_page002_01.png"},
]


@pytest.mark.parametrize(
    "place", ["figures_metadata.json", "smith_figures_metadata.json", "../smith_figures_metadata.json"]
)
def test_metadata_gives_the_boxes(paper, place):
    put(paper, "../smith_figures/fig_page002_01.png", png())
    put(paper, place, json.dumps(ROWS).encode())
    document = read_document(paper)
    assert document.figures[0].boxes == (Box(20, 20, 30, 30), Box(40, 40, 50, 50))
    assert document.repairs == ()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"image_path": "/etc/passwd", "bbox_norm": [1, 2, 3, 4]}, "names 'passwd', which is not there"),
        ({"image_path": "fig_page002_01.png"}, "has no box"),
        ({"image_path": "fig_page002_01.png", "bbox_norm": [1, 2, 3]}, "has no box"),
        ({"bbox_norm": [1, 2, 3, 4]}, "has no image path"),
        (3, "has no image path"),
    ],
)
def test_metadata_rows_that_do_not_fit_are_left_out(paper, row, problem):
    put(paper, "fig_page002_01.png", png())
    put(paper, "figures_metadata.json", json.dumps([row]).encode())
    document = read_document(paper)
    assert document.figures[0].boxes == (Box(1, 1, 10, 10),)
    assert [problem in repair.problem for repair in document.repairs] == [True]


@pytest.mark.parametrize("data", [b"{", b"{}", b"\xff", b"[" * 100_000])
def test_broken_metadata_is_recorded(paper, data):
    put(paper, "fig_page002_01.png", png())
    put(paper, "figures_metadata.json", data)
    document = read_document(paper)
    assert document.figures[0].boxes == (Box(1, 1, 10, 10),)
    assert [repair.problem for repair in document.repairs] == ["figures_metadata.json is not a JSON list"]


@pytest.mark.parametrize("data", [b"", b"no image", png()[:40], b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_a_file_that_is_no_image_is_left_out(paper, data):
    put(paper, "fig_page002_01.png", data)
    document = read_document(paper)
    assert document.figures == ()
    assert [(r.page, r.problem) for r in document.repairs] == [
        (2, "fig_page002_01.png is not an image that can be read")
    ]


def test_a_figure_without_an_image_block_is_kept(paper):
    put(paper, "fig_page001_01.png", png())
    document = read_document(paper)
    assert seen(document) == [("fig_page001_01.png", 1, (), 3, 2)]
    assert [(r.page, r.problem) for r in document.repairs] == [(1, "fig_page001_01.png fits no image block")]


def test_the_same_name_twice_is_recorded(paper):
    put(paper, "fig_page002_01.png", png())
    put(paper, "images/fig_page002_01.png", png(9, 9))
    document = read_document(paper)
    assert [figure.width for figure in document.figures] == [3]
    assert [repair.problem for repair in document.repairs] == ["fig_page002_01.png is there twice"]


def test_the_digest_follows_figures_and_their_boxes(paper):
    digests = [read_document(paper).sha256]
    put(paper, "fig_page002_01.png", png())
    digests.append(read_document(paper).sha256)
    put(paper, "figures_metadata.json", json.dumps(ROWS).encode())
    digests.append(read_document(paper).sha256)
    assert len(set(digests)) == 3
