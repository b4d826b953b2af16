"""Words in a page's picture by tesseract, a separate program (Apache-2.0) that is used if installed.

What it writes is bounded in time and size, and it sees nothing of this process but the picture: no key of the
environment, no file, no shell.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from kag.core.errors import SourceError
from kag.core.secrets import hide_secrets
from kag.core.types import Box

PROGRAM = "tesseract"
SCALE = 200 / 72  # pixels a point at which pages are best given: 200 dots an inch
TIMEOUT = 120.0  # seconds for a page; one of A4 takes about five
LARGEST = 32 * 1024 * 1024  # bytes of its answer; a dense page has 100,000
WITHOUT = "tesseract, which reads scanned pages, is not installed"
INSTALL = "Debian and Ubuntu: apt-get install tesseract-ocr; elsewhere see its own pages."
COLUMNS = [
    "level",
    "page_num",
    "block_num",
    "par_num",
    "line_num",
    "word_num",
    "left",
    "top",
    "width",
    "height",
    "conf",
    "text",
]

_COLUMNS = 12  # level, page, block, paragraph, line, word; left, top, width, height; confidence, text
_WORD_LEVEL = "5"
_LANGUAGES = re.compile(r"[A-Za-z0-9_]{2,40}(?:\+[A-Za-z0-9_]{2,40}){0,9}")
_LINE_END = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]$")
_TAG_MARK = re.compile(r"<(?=\|)")


class Pixels(NamedTuple):
    """A rectangle in pixels of the picture, origin top left."""

    x0: int
    y0: int
    x1: int
    y1: int


class Word(NamedTuple):
    """A word as read. `confidence` is 0 to 100; block, paragraph and line count from 1 in reading order.

    Paragraphs count anew in each block, lines in each paragraph.
    """

    text: str
    box: Pixels
    confidence: float
    block: int
    paragraph: int
    line: int


class Reading(NamedTuple):
    """The content of a picture: words in reading order, and rules and pictures as rectangles."""

    words: tuple[Word, ...]
    drawn: tuple[Pixels, ...] = ()


def words_of(png: bytes, language: str = "eng", *, timeout: float = TIMEOUT) -> tuple[Word, ...]:
    """The words of a picture in reading order; as `read_words` has them."""
    return read_words(png, language, timeout=timeout).words


def read_words(png: bytes, language: str = "eng", *, timeout: float = TIMEOUT) -> Reading:
    """Run tesseract on a picture: it separates columns (page segmentation 1), and rules and pictures from words.

    `language` is as tesseract names it, several joined by `+` (`eng+deu`). Raises `SourceError` where tesseract or a
    language is not installed, or where it fails on the picture.
    """
    program = _program()
    known = languages(program)
    for name in _names(language):
        if name not in known:
            package = f"tesseract-ocr-{name.replace('_', '-').lower()}"
            raise SourceError(
                f"tesseract does not know the language {name!r}",
                hint=f"It knows {', '.join(sorted(known))}. Debian and Ubuntu: apt-get install {package}.",
            )
    mode = "1" if "osd" in known else "3"  # without its file for turned pages, the same without turning
    return reading_of(_ask([program, "-", "-", "--psm", mode, "-l", language, "tsv"], png, timeout))


def read_only(png: bytes, only: str) -> Reading:
    """Read the lines of a picture that holds characters of `only` alone; raises as `read_words` does."""
    return reading_of(
        _ask([_program(), "-", "-", "--psm", "6", "-c", f"tessedit_char_whitelist={only}", "tsv"], png, TIMEOUT)
    )


def reading_of(tsv: str) -> Reading:
    """Parse tesseract's `tsv`: rows of level 5 are words, those without text rules and pictures.

    A row that is neither is passed over.
    """
    rows = [row.rstrip("\r").split("\t", _COLUMNS - 1) for row in tsv.split("\n")]
    found = [word for row in rows if (word := _word(row)) is not None]
    return Reading(tuple(word for word in found if word.text), tuple(word.box for word in found if not word.text))


def page_text(words: Sequence[Word], size: tuple[int, int]) -> str:
    """The words as a page of tagged blocks (`kag/sources/ocr/tags.py`), one a paragraph; `size` is the picture's.

    A word that a line's end parts is joined where it goes on with a small letter.
    """
    blocks = []
    for _, found in groupby(words, key=lambda word: (word.block, word.paragraph)):
        paragraph = list(found)
        box = _thousandths([word.box for word in paragraph], size)
        lines = [" ".join(word.text for word in line) for _, line in groupby(paragraph, key=lambda word: word.line)]
        blocks.append(f"<|ref|>text<|/ref|><|det|>[[{', '.join(map(str, box))}]]<|/det|>\n{joined(lines)}\n")
    return "\n".join(blocks)


def joined(lines: Sequence[str]) -> str:
    """Lines of a paragraph as one text that holds no tag.

    >>> joined(["River ice hides sen-", "sors from <|ref|>the", "sky of X-", "Ray."])
    'River ice hides sensors from < |ref|>the sky of X- Ray.'
    """
    text = ""
    for line in lines:
        whole = _LINE_END.sub("", text)
        text = whole + line if whole != text and line[:1].islower() else f"{text} {line}".strip()
    return without_tags(text)


def without_tags(text: str) -> str:
    """Words of a page that look like a tag of OCR pages, as words."""
    return _TAG_MARK.sub("< ", text)


@lru_cache(maxsize=1)
def version() -> str:
    """Return the OCR program for records: "tesseract 5.3.0". Raises `SourceError` if it is not installed."""
    return " ".join(_ask([_program(), "--version"], b"", TIMEOUT).partition("\n")[0].split()[:2])


@lru_cache(maxsize=1)
def languages(program: str) -> frozenset[str]:
    """The languages that are installed, `osd` (which way up a page is) among them."""
    return frozenset(_ask([program, "--list-langs"], b"", TIMEOUT).split("\n")[1:]) - {""}


def _program() -> str:
    found = shutil.which(PROGRAM)
    if found is None:
        raise SourceError(WITHOUT, hint=INSTALL)
    return found


def _names(language: str) -> list[str]:
    if not _LANGUAGES.fullmatch(language):
        raise SourceError(f"{language!r} is not a language of tesseract", hint="Give one as eng, deu or eng+deu.")
    return language.split("+")


def _ask(command: list[str], picture: bytes, timeout: float) -> str:
    """Run tesseract; raises `SourceError` if it fails, takes too long or does not stop."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
        given.write(picture)
        given.seek(0)
        try:
            process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=errors, env=_environment())
        except OSError as error:
            raise SourceError(f"tesseract cannot be started: {error.strerror}", hint=INSTALL) from error
        late: list[bool] = []
        timer = threading.Timer(timeout, _stop, (process, late))
        timer.start()
        try:
            answer = process.stdout.read(LARGEST + 1) if process.stdout else b""
            if len(answer) > LARGEST:
                process.kill()
        finally:
            timer.cancel()
            process.communicate()
        errors.seek(0)
        problem = _problem(process.returncode, len(answer), bool(late), errors.read(2000))
    if problem:
        raise SourceError(f"tesseract {problem}", hint="Give pages at 150 to 300 dots an inch, the right way up.")
    return answer.decode("utf-8", "replace")


def _stop(process: subprocess.Popen[bytes], late: list[bool]) -> None:
    late.append(True)
    process.kill()


def _problem(code: int, size: int, late: bool, errors: bytes) -> str:
    """Return the failure as the end of a sentence; "" if there is none."""
    if late:
        return "took too long for a page"
    if size > LARGEST:
        return f"wrote more than {LARGEST} bytes for a page"
    words = " ".join(hide_secrets(errors.decode("utf-8", "replace")).split())[:200]
    return f"failed: {words or f'exit code {code}'}" if code else ""


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX", "SYSTEMROOT") if name in os.environ}
    return kept | {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C"}  # more threads are slower here, and pages go side by side


def _word(row: list[str]) -> Word | None:
    if len(row) != _COLUMNS or row[0] != _WORD_LEVEL:
        return None
    try:
        block, paragraph, line, _, left, top, width, height = map(int, row[2:10])
        confidence = float(row[10])
    except ValueError:
        return None
    if not 0 <= confidence <= 100:
        return None
    return Word(row[11].strip(), Pixels(left, top, left + width, top + height), confidence, block, paragraph, line)


def _thousandths(boxes: Sequence[Pixels], size: tuple[int, int]) -> Box:
    """Return the bounding box of all boxes, in thousandths of the picture."""
    x0, y0, x1, y1 = (pick(side) for pick, side in zip((min, min, max, max), zip(*boxes, strict=True), strict=True))
    width, height = size
    return Box(*map(_inside, (x0 * 1000 / width, y0 * 1000 / height, x1 * 1000 / width, y1 * 1000 / height)))


def _inside(thousandths: float) -> int:
    return min(max(round(thousandths), 0), 1000)
