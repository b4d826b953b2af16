"""`kag import`: papers of a reference manager under their keys; what is printed stays what it is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kag
from kag.cli.main import cli
from kag.core.errors import SourceError
from kag.indexing.references.library_file import Entry, pdf_of, read_bibtex, read_zotero
from tests.conftest import BUNDLED

BIBTEX = r"""
@string{river = "River Sensing"}
@article{Szabo_2020:a,
  title = {Few {Stations}, placed w{\"e}ll \& dry}, year = 1999, journal = river, doi = {10.1000/x_1},
  file = {Full Text:files/12/a b.pdf:application/pdf;Page:files/12/page.html:text/html}
}
@article{nothing, title = {No file}}
@article{outside, title = {A file elsewhere}, file = {../outside.pdf}}
@article{Szabo_2020:a, title = {Twice}}
"""
ZOTERO = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:bib="http://purl.org/net/biblio#"
 xmlns:link="http://purl.org/rss/1.0/modules/link/" xmlns:dcterms="http://purl.org/dc/terms/">
 <bib:Article rdf:about="#item_1"><z:itemType>journalArticle</z:itemType><dc:title>Ice on rivers</dc:title>
  <dc:date>March 3, 2018</dc:date><dc:identifier>DOI 10.1000/ice</dc:identifier>
  <link:link rdf:resource="#item_2"/></bib:Article>
 <z:Attachment rdf:about="#item_2"><z:itemType>attachment</z:itemType><dc:title>Full Text</dc:title>
  <rdf:resource rdf:resource="files/12/a%20b.pdf"/><link:type>application/pdf</link:type></z:Attachment>
</rdf:RDF>"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (pdf,) = BUNDLED.rglob("*.pdf")
    (tmp_path / "library/files/12").mkdir(parents=True)
    shutil.copy(pdf, tmp_path / "library/files/12/a b.pdf")
    shutil.copy(pdf, tmp_path / "outside.pdf")
    (tmp_path / "library/all.bib").write_text(BIBTEX, encoding="utf-8")
    (tmp_path / "library/all.rdf").write_text(ZOTERO, encoding="utf-8")
    return tmp_path / "library"


def run(kind: str, file: Path, *more: object) -> Result:
    arguments = ["import", kind, str(file), "--workers", "1", *map(str, more)]
    return CliRunner().invoke(cli, arguments)


def test_a_bibtex_library(library: Path, tmp_path: Path) -> None:
    done = run("bibtex", library / "all.bib", "--out-dir", tmp_path / "runs")
    assert done.exit_code == 0, done.stderr
    (folder,) = done.stdout.split()
    paper = kag.open(folder)
    assert paper.id.startswith("Szabo_2020")
    assert paper.year != 1999  # what is printed stays
    assert "Szabo_2020:a: title is printed as" in done.stderr
    for word in ("nothing: it names no PDF", "outside: its PDF is not there", "Szabo_2020:a is not read"):
        assert word in done.stderr
    report = json.loads((tmp_path / "runs/library.json").read_text("utf-8"))
    rows = {row["key"]: row for row in report["papers"]}
    assert set(rows) == {"Szabo_2020:a", "nothing", "outside"}
    assert rows["Szabo_2020:a"]["fields"]["title"]["found"] == "Few Stations, placed wëll & dry"
    assert rows["Szabo_2020:a"]["fields"]["year"]["state"] in ("differs", "found")
    again = run("bibtex", library / "all.bib", "--out-dir", tmp_path / "runs")
    assert again.stdout == done.stdout


def test_a_zotero_library(library: Path) -> None:
    entries, problems = read_zotero(library / "all.rdf")
    assert problems == ()
    assert entries == (Entry("Ice_on_rivers_2018", "Ice on rivers", "2018", "10.1000/ice", ("files/12/a b.pdf",)),)
    assert pdf_of(entries[0], [library]) == library / "files/12/a b.pdf"


@pytest.mark.parametrize("name", ["../outside.pdf", "/etc/passwd", "..\\outside.pdf", "link.pdf", "files", "no.pdf"])
def test_a_pdf_lies_within_the_library(library: Path, name: str) -> None:
    (library / "link.pdf").symlink_to(library.parent / "outside.pdf")
    assert pdf_of(Entry("k", files=(name,)), [library]) is None
    if name == "../outside.pdf":
        assert pdf_of(Entry("k", files=("outside.pdf",)), [library, library.parent])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bibtex", ""),
        ("bibtex", "@article{a"),
        ("bibtex", "{}{}@@,,="),
        ("zotero", ""),
        ("zotero", "<rdf:RDF"),
        ("zotero", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'),
        ("zotero", "<html/>"),
    ],
)
def test_what_is_no_library(tmp_path: Path, kind: str, text: str) -> None:
    (tmp_path / "file").write_text(text)
    done = run(kind, tmp_path / "file", "--out-dir", tmp_path / "runs")
    assert isinstance(done.exception, SourceError)
    assert not (tmp_path / "runs").exists()


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"@article{a, title={\xff}}")
    with pytest.raises(SourceError, match="UTF-8"):
        read_bibtex(tmp_path / "file")
    with pytest.raises(SourceError):
        read_bibtex(tmp_path / "absent")
