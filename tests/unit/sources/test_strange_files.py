"""Files of a stranger's folder: only regular files are read, and only inside the paper's own folders."""

import os
import socket
import stat

import pytest

from kag.core.errors import SourceError
from kag.indexing.batch import find_papers, passed_over
from kag.sources.names import folder_of
from kag.sources.ocr.folder import is_ocr_folder, read_document
from kag.sources.pictures import picture_path
from tests.papers import write_paper
from tests.unit.sources.test_figures import png


def link(path):
    path.symlink_to("/proc/self/environ")


def loop(path):
    path.symlink_to(path.name)


def bind(path):
    before = os.getcwd()
    os.chdir(path.parent)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def device(path):
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except OSError:
        pytest.skip("only root may make a device")


def sparse(path):
    with path.open("wb") as file:
        file.truncate(10 * 2**30)


KINDS = [
    (link, "is a symbolic link"),
    (loop, "is a symbolic link"),
    (os.mkfifo, "is a pipe"),
    (bind, "is a socket"),
    (os.mkdir, "is a folder"),
    (device, "is a device"),
    (sparse, "has 10737418240 bytes"),
]


@pytest.fixture
def paper(tmp_path):
    return write_paper(tmp_path / "papers" / "ice_ocr")


@pytest.mark.parametrize("name", ["page_001.md", "page_003.md", "document.md", "x_det.mmd", "result_ori.mmd"])
@pytest.mark.parametrize(("make", "why"), KINDS)
def test_a_page_that_is_no_file_is_refused(paper, name, make, why):
    (paper / name).unlink(missing_ok=True)
    if not name.startswith("page"):
        for page in paper.iterdir():
            page.unlink()
    make(paper / name)
    assert is_ocr_folder(paper)
    with pytest.raises(SourceError) as caught:
        read_document(paper)
    assert f"{name} {why}" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("name", ["fig_page001_01.png", "images/0_0.png", "../ice_figures/fig_page001_01.png"])
@pytest.mark.parametrize(("make", "why"), KINDS)
def test_a_figure_that_is_no_file_is_left_out_and_told(paper, name, make, why):
    path = paper / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    document = read_document(paper)
    assert document.figures == ()
    (repair,) = document.repairs
    assert repair.problem.startswith(f"{path.name} {why}")
    assert repair.action == "figure left out"


@pytest.mark.parametrize("name", ["figures_metadata.json", "../ice_figures_metadata.json"])
@pytest.mark.parametrize(("make", "why"), KINDS)
def test_metadata_that_is_no_file_is_told(paper, name, make, why):
    (paper / "fig_page001_01.png").write_bytes(png())
    make(paper / name)
    document = read_document(paper)
    assert len(document.figures) == 1
    assert [repair.problem.startswith(f"{(paper / name).name} {why}") for repair in document.repairs] == [True]


@pytest.mark.parametrize("name", ["images", "../ice_figures"])
def test_a_linked_folder_of_figures_is_not_entered(paper, tmp_path, name):
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "fig_page001_01.png").write_bytes(png())
    (paper / name).symlink_to(tmp_path / "private")
    document = read_document(paper)
    assert document.figures == ()
    assert [repair.action for repair in document.repairs] == ["the folder was not entered"]
    with pytest.raises(SourceError, match="a link leads to it"):
        picture_path(f"{name}/fig_page001_01.png", paper)


def test_a_paper_that_is_named_by_a_link_is_read(paper, tmp_path):
    (tmp_path / "mine").symlink_to(paper)
    (job,) = find_papers([tmp_path / "mine"], tmp_path / "runs")
    assert job.name == "ice_ocr"
    assert read_document(job.source).blocks


def test_links_inside_a_folder_of_papers_are_left_out_and_told(paper, tmp_path):
    write_paper(tmp_path / "private")
    (paper.parent / "stolen").symlink_to(tmp_path / "private")
    (paper.parent / "notes").mkdir()
    (paper.parent / "loop").symlink_to("loop")
    os.mkfifo(paper.parent / "pipe")
    assert [job.name for job in find_papers([paper.parent], tmp_path / "runs")] == ["ice_ocr"]
    told = {path.name: why for path, why in passed_over([paper.parent])}
    link = "is a symbolic link, and those are not followed"
    assert told == {"loop": link, "notes": "holds no paper", "pipe": "is not a regular file", "stolen": link}


@pytest.mark.parametrize("name", [b"x" * 255, b"\xff\xfe", b"a\nb", b"\x1b[2J", b"-x", b"a\xe2\x80\xae"])
def test_folders_have_any_name(tmp_path, name):
    folder = write_paper(tmp_path / os.fsdecode(name))
    (job,) = find_papers([tmp_path], tmp_path / "runs")
    assert read_document(job.source, paper_id=job.name).repairs == ()
    (folder / "page_001.md").unlink()
    link(folder / "page_001.md")
    with pytest.raises(SourceError) as caught:
        read_document(folder)
    caught.value.message.encode("utf-8")
    assert caught.value.message.isprintable() or "\u202e" in caught.value.message


def test_figures_in_a_folder_whose_name_is_no_utf8_are_left_out(tmp_path):
    paper = write_paper(tmp_path / os.fsdecode(b"\xff"))
    figures = tmp_path / os.fsdecode(b"\xff_figures")
    figures.mkdir()
    (figures / "fig_page001_01.png").write_bytes(png())
    document = read_document(paper)
    assert document.figures == ()
    assert "not UTF-8" in document.repairs[0].problem


def test_a_loop_of_links_is_no_folder(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    assert not is_ocr_folder(tmp_path / "loop")
    with pytest.raises(SourceError, match="does not exist"):
        find_papers([tmp_path / "loop"], tmp_path)


def test_bytes_that_are_no_utf8_are_told_with_the_whole_path(tmp_path):
    page = write_paper(tmp_path / "ice") / "page_002.md"
    page.write_bytes(b"Ice \xff")
    with pytest.raises(SourceError) as told:
        read_document(tmp_path / "ice")
    assert str(told.value) == f"{page} is not UTF-8: byte 4 cannot be read"


def test_numbers_of_any_length_are_boxes(paper):
    digits = "9" * 400
    (paper / "page_003.md").write_text(f"<|ref|>text<|/ref|><|det|>[[1, 2, 3, {digits}]]<|/det|>\nWords")
    assert read_document(paper).blocks[-1].boxes == ((1, 2, 3, 1000),)


def test_the_folder_of_a_paper_is_inside_the_given_one(paper):
    given = paper.parent
    assert folder_of("ice_ocr", given) == paper
    assert folder_of("../papers/ice_ocr", given) == given
    assert folder_of("snow", given) == given
