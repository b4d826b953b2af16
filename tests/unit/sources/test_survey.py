"""Which papers there are at a path: forms, names, what is not taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.indexing.batch import look_over
from kag.sources.names import stem_of
from kag.sources.reader_registry import SOURCES
from kag.sources.reading import Reading
from kag.sources.survey import DEEPEST, Survey, read_paper, survey
from tests.papers import PAGES, write_paper

PDF = b"%PDF-1.7\n"
JATS = b'<?xml version="1.0"?>\n<!DOCTYPE article [<!-- > -->]>\n<!-- a comment --><article><body/></article>'
DOCLING = b'{"schema_name": "DoclingDocument", "texts": []}'
TEI = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text/></TEI>'
FILES = {
    "jats": JATS,
    "docling": DOCLING,
    "mineru-2": b'[[{"type": "title", "content": {}, "bbox": [1, 2, 3, 4]}]]',
    "mineru": b'[{"type": "text", "text": "Ice", "page_idx": 0}]',
    "mineru-4": b'{"schema": "docvortex.middle", "pages": []}',
    "mineru-middle": b'{"pdf_info": []}',
    "marker": b'{"children": [], "block_type": "Document"}',
    "opendataloader": b'{"file name": "a.pdf", "kids": [{"type": "heading"}]}',
    "mistral": b'{"pages": [{"index": 0, "markdown": "Ice", "blocks": []}]}',
    "mistral-pages": b'{"pages": [{"index": 0, "markdown": "Ice"}]}',
    "doctags": b"<doctag><text>Ice</text></doctag>",
    "tei": TEI.replace(b"<text/>", b'<text><p coords="1,2,3,4,5"/></text>'),
    "tei-plain": TEI,
    "pdf": b"\n" + PDF,
    "olmocr": b'{"id": "a", "text": "Ice", "source": "olmocr"}\n',
    "markdown": b"# Ice\n",
}


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def forms(found: Survey) -> dict[str, list[str]]:
    return {paper.paper_id: [form.kind for form in (paper.form, *paper.others)] for paper in found.papers}


def left(found: Survey) -> dict[str, str]:
    return {path.name: why for path, why in found.left}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_known_by_what_is_in_it(tmp_path: Path, kind: str) -> None:
    ends = {"markdown": "md", "olmocr": "jsonl"}
    file = tmp_path / f"smith.{ends.get(kind, 'dat')}"
    file.write_bytes(FILES[kind])
    assert forms(survey(file)) == {"smith": [kind]}


def test_every_kind_is_known_by_an_example() -> None:
    assert set(FILES) == {source.name for source in SOURCES} - {"ocr", "pdf-liteparse"}


def test_forms_of_one_stem_are_one_paper_and_the_richest_is_read(tmp_path: Path) -> None:
    names = {"a.md": "markdown", "a.pdf": "pdf", "a.tei.xml": "tei-plain", "a.json": "docling", "a.xml": "jats"}
    put(tmp_path, {name: FILES[kind] for name, kind in names.items()} | {"b.pdf": PDF})
    assert forms(survey(tmp_path)) == {"a": ["jats", "docling", "pdf", "tei-plain", "markdown"], "b": ["pdf"]}


def test_coordinates_put_tei_before_a_bare_pdf(tmp_path: Path) -> None:
    put(tmp_path, {"a.pdf": PDF, "a.grobid.tei.xml": FILES["tei"]})
    assert forms(survey(tmp_path)) == {"a": ["tei", "pdf"]}


def test_a_name_that_says_nothing_takes_that_of_the_folder(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"PMC12/paper.pdf": PDF, "PMC12/gold.json": b"{}", "PMC13/auto/PMC13_content_list.json": FILES["mineru"]},
    )
    found = survey(tmp_path)
    assert forms(found) == {"PMC12": ["pdf"], "PMC13": ["mineru"]}
    assert left(found) == {"gold.json": "unrecognised JSON (not the output of a supported converter)"}
    assert forms(survey(tmp_path / "PMC12" / "paper.pdf")) == {"PMC12": ["pdf"]}


def test_a_folder_named_by_a_doi_is_one_paper(tmp_path: Path) -> None:
    folder = put(tmp_path / "10.1371_journal.pone.0234687", {"x.pdf": PDF, "y.xml": JATS, "tool/z.json": DOCLING})
    assert forms(survey(folder)) == {"10.1371_journal.pone.0234687": ["jats", "docling", "pdf"]}
    assert forms(survey(tmp_path)) == forms(survey(folder))


def test_a_folder_beside_a_file_of_its_name_holds_further_forms(tmp_path: Path) -> None:
    put(tmp_path, {"smith.pdf": PDF, "smith/smith.json": FILES["marker"], "smith/smith_meta.json": b"{}"})
    found = survey(tmp_path)
    assert forms(found) == {"smith": ["marker", "pdf"]}
    assert found.left == ()


def test_ocr_pages_are_one_paper_with_what_lies_beside_them(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "ice", PAGES)
    put(folder, {"scan.pdf": PDF})
    assert forms(survey(folder)) == {"ice": ["ocr", "pdf"]}
    put(folder, {"other.pdf": PDF})
    found = survey(folder)
    assert forms(found) == {"ice": ["ocr"]}
    assert set(left(found)) == {"scan.pdf", "other.pdf"}


def test_pictures_belong_to_a_paper_or_are_told(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"a/a.pdf": PDF, "a/fig1.png": b"x", "a/images/1.jpg": b"x", "b/scan.png": b"x", "c/notes.docx": b"PK"},
    )
    assert left(survey(tmp_path)) == {
        "scan.png": "belongs to no paper here",
        "notes.docx": "an archive or office file; save the paper as PDF",
    }


def test_nothing_is_passed_over_in_silence(tmp_path: Path) -> None:
    put(tmp_path, {"README.md": b"# Papers", "x.xml": b"<html/>", "y.pdf": b"", "runs/r/knowledge_graph.ttl": b""})
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.pdf").symlink_to(tmp_path / "y.pdf")
    deep = tmp_path.joinpath(*"abcdefgh")
    put(deep, {"z.pdf": PDF})
    found = survey(tmp_path)
    assert found.papers == ()
    assert left(found) == {
        "README.md": "not a paper, judging by its name",
        "x.xml": "unrecognised XML (<html>)",
        "y.pdf": "empty file",
        "r": "is a run that kag made",
        "empty": "holds no paper",
        "link.pdf": "is a symbolic link, and those are not followed",
        "abcdefgh"[DEEPEST]: f"lies more than {DEEPEST} folders deep",
    }
    with pytest.raises(SourceError, match="holds no paper"):
        look_over([tmp_path], tmp_path / "out")


def test_a_kind_that_is_asked_for_is_read_alone(tmp_path: Path) -> None:
    put(tmp_path, {"a.xml": JATS, "a.md": b"# Ice\n\nIt melts.\n"})
    found = survey(tmp_path, "markdown")
    assert forms(found) == {"a": ["markdown"]}
    assert left(found) == {"a.xml": "jats, but --source markdown was given"}
    with pytest.raises(SourceError, match="no source 'word'"):
        survey(tmp_path, "word")
    (tmp_path / "notes").write_bytes(b"# Ice\n\nIt melts.\n")
    assert forms(survey(tmp_path / "notes", "markdown")) == {"notes": ["markdown"]}


def test_two_papers_of_one_name_are_refused(tmp_path: Path) -> None:
    put(tmp_path, {"one/a.pdf": PDF, "two/a.pdf": PDF})
    with pytest.raises(SourceError, match="would both be paper 'a'"):
        look_over([tmp_path], tmp_path / "out")


def test_several_papers_are_not_read_as_one(tmp_path: Path) -> None:
    put(tmp_path, {"a.pdf": PDF, "b.pdf": PDF})
    with pytest.raises(SourceError, match="holds 2 papers"):
        read_paper(tmp_path)


def test_an_ocr_folder_with_papers_inside_is_still_read(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "ice", PAGES)
    put(folder, {"supplement/s1.pdf": PDF})
    assert read_paper(folder, Reading("ice")).source == "ocr"


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("smith_content_list_v2.json", "smith"),
        ("smith.doctags.txt", "smith"),
        ("Smith et al. 2020.pdf", "Smith et al. 2020"),
        ("main.tex.pdf", "main.tex"),
        ("Article.PDF", ""),
        ("middle_json.json", ""),
        ("10.1371_journal.pone.0234687.xml", "10.1371_journal.pone.0234687"),
    ],
)
def test_stems(name: str, stem: str) -> None:
    assert stem_of(name) == stem
