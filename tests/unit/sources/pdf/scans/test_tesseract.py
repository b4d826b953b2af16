"""What tesseract writes becomes words; and tesseract itself, where it is installed, on a page of our own."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.core.types import Box
from kag.sources.ocr.tags import split_page
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.scans import tesseract
from kag.sources.pdf.scans.tesseract import Pixels, Word, page_text, reading_of, version, words_of
from tests.printed_pdf import Printed, write_pdf

INSTALLED = shutil.which("tesseract")
LISTED = '[ "$1" = --list-langs ] && { echo List; echo eng; exit; }'
HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
ROWS = [
    HEAD,
    "1\t1\t0\t0\t0\t0\t0\t0\t1000\t2000\t-1\t",
    "4\t1\t1\t1\t1\t0\t100\t200\t300\t40\t-1\t",
    "5\t1\t1\t1\t1\t1\t100\t200\t140\t40\t96.5\tRiver",
    "5\t1\t1\t1\t1\t2\t260\t202\t140\t38\t91\tfreez-",
    "5\t1\t1\t1\t2\t1\t100\t250\t90\t40\t88.25\ting",
    "5\t1\t1\t1\t2\t2\t200\t250\t9\t40\t95\t ",
    "5\t1\t2\t1\t1\t1\t600\t250\t90\t40\t55\t<|ref|>",
]
DRAWN = (Pixels(200, 250, 209, 290),)
LEFT = [
    "Sensors fail often",
    "under river ice. We",
    "measured how many of",
    "them were lost in the",
    "winter of each year.",
]
RIGHT = [
    "Twelve sites were",
    "chosen along a river",
    "and visited in the",
    "spring, when the ice",
    "had broken up again.",
]
WORDS = (
    Word("River", Pixels(100, 200, 240, 240), 96.5, 1, 1, 1),
    Word("freez-", Pixels(260, 202, 400, 240), 91.0, 1, 1, 1),
    Word("ing", Pixels(100, 250, 190, 290), 88.25, 1, 1, 2),
    Word("<|ref|>", Pixels(600, 250, 690, 290), 55.0, 2, 1, 1),
)


@pytest.fixture(autouse=True)
def _forget() -> None:
    version.cache_clear()
    tesseract.languages.cache_clear()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a shell script in the place of tesseract."""

    def write(script: str) -> None:
        path = tmp_path / "bin" / "tesseract"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")

    return write


def test_rows_become_words() -> None:
    assert reading_of("\n".join(ROWS)) == (WORDS, DRAWN)
    assert reading_of("\r\n".join(ROWS)) == (WORDS, DRAWN)
    assert reading_of("") == ((), ())


@pytest.mark.parametrize(
    "row",
    [
        "5\t1\t1\t1\t1\t1\t100\t200\t140\t40\t-1\tnothing",
        "5\t1\t1\t1\t1\t1\t100\t200\t140\t40\tnan\tnothing",
        "5\t1\t1\t1\t1\t1\t100\t200\t140\tforty\t90\tnothing",
        "5\t1\t1\t1\t1\t1\t100\t200",
        "4\t1\t1\t1\t1\t1\t100\t200\t140\t40\t90\ta line and no word",
    ],
)
def test_a_row_that_is_none_costs_itself(row: str) -> None:
    assert reading_of("\n".join([*ROWS[:5], row, *ROWS[5:]])) == (WORDS, DRAWN)


def test_words_become_a_page_that_is_read_back() -> None:
    segments, repairs = split_page(page_text(WORDS, (1000, 2000)), 1)
    assert [(one.label, one.boxes, one.raw) for one in segments] == [
        ("text", (Box(100, 100, 400, 145),), "River freezing"),
        ("text", (Box(600, 125, 690, 145),), "< |ref|>"),
    ]
    assert repairs == []
    assert page_text((), (10, 10)) == ""


def test_where_it_is_not_installed_the_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="is not installed") as error:
        words_of(b"")
    assert "apt-get install tesseract-ocr;" in error.value.hint


@pytest.mark.parametrize("language", ["", "-l", "eng;ls", "../eng", "e" * 50, "eng+"])
def test_what_is_no_language_is_not_passed_on(program: Callable[[str], None], language: str) -> None:
    program("echo List; echo eng; echo osd")
    with pytest.raises(SourceError, match="is not a language of tesseract"):
        words_of(b"", language)


def test_a_language_that_is_missing_is_named_with_its_package(program: Callable[[str], None]) -> None:
    program("echo List; echo eng; echo osd")
    with pytest.raises(SourceError, match="does not know the language 'chi_sim'") as error:
        words_of(b"", "eng+chi_sim")
    assert "eng, osd" in error.value.hint
    assert "apt-get install tesseract-ocr-chi-sim" in error.value.hint


def test_it_is_told_no_more_than_it_needs(program: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    row = "printf '5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t90\\t'"
    program(f'{LISTED}\n{row}; echo "$*/$OMP_THREAD_LIMIT/$OPENAI_API_KEY"')
    assert [word.text for word in words_of(b"")] == ["- - --psm 3 -l eng tsv/1/"], "no `osd`: pages are not turned"


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo 'Error in pixReadStream' >&2; exit 1", "failed: Error in pixReadStream"),
        ("exit 3", "failed: exit code 3"),
        ("exec sleep 30", "took too long for a page"),
        ("exec yes", "wrote more than 100000 bytes"),
    ],
)
def test_a_failure_is_told(
    program: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, script: str, problem: str
) -> None:
    monkeypatch.setattr(tesseract, "LARGEST", 100_000)
    program(f"{LISTED}\n{script}")
    with pytest.raises(SourceError, match=problem):
        words_of(b"", timeout=0.5)


@pytest.mark.skipif(not INSTALLED, reason="tesseract is not installed")
def test_a_printed_page_is_read(tmp_path: Path) -> None:
    left, right = (
        [(edge, 80 + 16 * n, 12, words) for n, words in enumerate(lines)] for edge, lines in ((40, LEFT), (230, RIGHT))
    )
    with open_pages(write_pdf(tmp_path / "paper.pdf", [Printed([*left, *right])])) as pages:
        picture = pages.picture(1, 4.0)
    words = words_of(picture.png)
    assert " ".join(word.text for word in words) == " ".join([*LEFT, *RIGHT]), "columns, one after the other"
    first = words[0]
    assert first.box == pytest.approx((160, 285, 342, 320), abs=12)
    assert first.confidence > 80
    assert version().startswith("tesseract ")
    with pytest.raises(SourceError, match="failed"):
        words_of(b"no picture")
