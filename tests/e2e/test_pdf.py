"""The bundled PDF by the command line and from Python: what is in it is in the graph, by either engine."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

import kag
from kag.cli.main import main
from kag.core.errors import CorpusError, SourceError
from kag.sources.draft import Parsed
from kag.sources.pdf.liteparse import read_liteparse
from kag.sources.pdf.read import read_pdf
from kag.sources.reading import Reading
from tests.hostile_pdf import PASSWORD, locked
from tests.printed_pdf import Printed, write_pdf

DATA = Path(__file__).resolve().parent.parent.parent / "test_data"
PDF, GOLD = DATA / "zirconium_tracers.pdf", DATA / "zirconium_tracers" / "gold.json"
LITEPARSE = pytest.mark.skipif(find_spec("liteparse") is None, reason="liteparse is not installed")


def letters(text: str) -> str:
    """Letters and digits in small letters, without what LaTeX and Markdown put around them."""
    return re.sub(r"[\W_]+", "", text.lower())


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str], str]:
    with pytest.raises(SystemExit) as done:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(done.value.code or 0), captured.out.splitlines(), captured.err


def test_the_bundled_pdf_gives_the_parts_that_are_printed() -> None:
    gold = json.loads(GOLD.read_text(encoding="utf-8"))
    paper = kag.index(PDF)
    assert paper.id == "zirconium_tracers"
    assert letters(unicodedata.normalize("NFKC", paper.title)) == letters(gold["title"])
    printed = {letters(section["title"]) for section in gold["sections"]}
    assert len(printed & {letters(section.title) for section in paper.sections}) >= 0.9 * len(printed)
    assert len(paper.references) == len(gold["references"])
    assert {figure.label for figure in paper.figures} >= {"Fig. 1", "Fig. 2", "Fig. 3"}
    assert {table.label for table in paper.tables} == {"Table 1", "Table 2"}
    assert not paper.audit(PDF).issues


def test_the_command_takes_a_pdf_by_either_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out-dir", tmp_path / "runs")
    code, (first,), _ = command(capsys, "index", PDF, *out)
    assert code == 0
    assert command(capsys, "audit", first, "--ocr-dir", PDF)[0] == 0
    assert "up to date" in command(capsys, "index", PDF, *out, "--paper-seconds", 0, "--paper-mb", 0)[2]
    if find_spec("liteparse"):
        (other,) = command(capsys, "index", PDF, *out, "--engine", "liteparse")[1]
        assert other != first
        assert json.loads((Path(other) / "summary.json").read_text())["source"]["kind"] == "pdf-liteparse"
        assert command(capsys, "audit", other, "--ocr-dir", PDF)[0] == 0


def test_a_locked_pdf_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "ice.pdf", ("--out-dir", tmp_path / "runs")
    path.write_bytes(locked())
    code, _, said = command(capsys, "index", path, *out)
    assert (code, "ice.pdf needs a password" in said, "KAG_PDF_PASSWORD" in said) == (2, True, True)
    code, _, said = command(capsys, "index", path, *out, "--password", "not this one")
    assert (code, "is not opened by the password" in said, "not this one" in said) == (2, True, False)
    code, (run,), said = command(capsys, "index", path, *out, "--password", PASSWORD)
    assert (code, PASSWORD in said) == (0, False)
    monkeypatch.setenv("KAG_PDF_PASSWORD", PASSWORD)
    assert "up to date" in command(capsys, "index", path, *out)[2]
    assert command(capsys, "audit", run, "--ocr-dir", path)[0] == 0


# two engines over one file --------------------------------------------------------------------


def titles(parsed: Parsed) -> set[str]:
    return {letters(draft.text) for draft in parsed.drafts if draft.label == "sub_title"}


def count(parsed: Parsed) -> Counter[str]:
    text = " ".join(draft.text for draft in parsed.drafts if draft.label not in ("page_number", "page_header"))
    return Counter(char for char in text.lower() if char.isascii() and char.isalpha())


@LITEPARSE
def test_both_engines_find_the_same_headings_and_the_same_letters() -> None:
    ours, other = read_pdf(PDF), read_liteparse(PDF)
    gold = json.loads(GOLD.read_text(encoding="utf-8"))
    printed = {letters(section["title"]): section["depth"] for section in gold["sections"]}
    main_ones = {title for title, depth in printed.items() if depth == 1}
    assert titles(ours) >= printed.keys()
    assert titles(other) >= main_ones
    begun = [title for title in printed if any(words.startswith(title) for words in titles(other))]
    assert begun == list(printed), "LiteParse sets small headings before their text, in one block"
    assert sum(((count(ours) - count(other)) + (count(other) - count(ours))).values()) <= 0.01 * count(ours).total()
    assert (ours.pages, ours.sha256, ours.metadata) == (other.pages, other.sha256, other.metadata)
    for one, two in zip(ours.page_sizes, other.page_sizes, strict=True):
        assert one == pytest.approx(two, abs=0.1)


@LITEPARSE
def test_the_second_engine_says_what_it_does_not_read(tmp_path: Path) -> None:
    text, bare = Printed([(40, 60, 12, "River ice hides sensors.")]), Printed(bars=[(40, 60, 300, 300)])
    (told,) = read_liteparse(write_pdf(tmp_path / "ice.pdf", [text, bare])).repairs
    assert (told.page, told.problem, told.action) == (2, "a page without text", "left as a picture")
    with pytest.raises(SourceError, match=r"scan\.pdf: LiteParse finds no text"):
        read_liteparse(write_pdf(tmp_path / "scan.pdf", [bare]))
    (tmp_path / "locked.pdf").write_bytes(locked())
    with pytest.raises(SourceError, match="needs a password"):
        read_liteparse(tmp_path / "locked.pdf")
    assert read_liteparse(tmp_path / "locked.pdf", Reading(password=PASSWORD)).drafts


def test_a_locked_pdf_from_python(tmp_path: Path) -> None:
    path = tmp_path / "ice.pdf"
    path.write_bytes(locked())
    with kag.Corpus(tmp_path / "corpus") as corpus:
        with pytest.raises(CorpusError, match="needs a password"):
            corpus.add(path)
        (change,) = corpus.add(path, out_dir=tmp_path / "runs", password=PASSWORD, language="deu")
        assert (change.paper, change.state) == ("ice", "added")
    (run,) = (tmp_path / "runs").iterdir()
    with pytest.raises(SourceError, match="needs a password"):
        kag.open(run).audit(path)
    assert kag.open(run).audit(path, password=PASSWORD).issues == ()
