"""The pages of an OCR folder as text: which files hold them, how one file is cut into pages.

Three forms are known: `page_NNN.md` files, one `document.md`, and what DeepSeek-OCR itself writes
(`*_det.mmd`, `result_ori.mmd`). The first that is there is read; the others repeat it. A file is found by its name,
whatever it is: one that is no regular file is refused when it is read, and not passed over as if it were not there.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import hint_for, shown
from kag.core.types import Repair
from kag.sources.loading import Source, decode
from kag.sources.ocr.page_markdown import FRONT_MATTER

_PAGE_FILE = re.compile(r"page_([0-9]{1,6})\.md", re.I)
_WHOLE_PAPERS = tuple(map(re.compile, (r"document\.md", r".*_det\.mmd", r"result_ori\.mmd")))
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_SPLIT_MARK = re.compile(r"^<--- Page Split --->[ \t]*$", re.M)
_RULE = re.compile(r"^---[ \t]*$", re.M)
_BLANK = re.compile(r"\s*+")


@dataclass(frozen=True, slots=True)
class Page:
    """The text of one page; `first_line` is its first line in the file it came from."""

    number: int
    file: str
    first_line: int
    text: str


def find_sources(folder: Path) -> list[Path]:
    """The files to read, page files in page order; empty when the folder holds none of the known forms.

    Raises `SourceError` when two files claim one page, or when it is not clear which file is the paper.
    """
    try:
        files = [folder / name for name in sorted(os.listdir(folder))]
    except OSError as error:
        raise SourceError(f"{shown(folder)} cannot be read: {error.strerror}", hint=hint_for(error)) from error
    numbered = sorted((number, path) for path in files if (number := page_number(path)) is not None)
    for (number, path), (next_number, next_path) in itertools.pairwise(numbered):
        if number == next_number:
            raise SourceError(
                f"{path.name} and {next_path.name} in {shown(folder)} are both page {number}",
                hint="Keep one file for each page.",
            )
    if numbered:
        return [path for _, path in numbered]
    for form in _WHOLE_PAPERS:
        paths = [path for path in files if form.fullmatch(path.name.lower())]
        if len(paths) > 1:
            names = ", ".join(shown(path.name) for path in paths)
            raise SourceError(
                f"{shown(folder)} holds several papers: {names}", hint="Put each paper in a folder of its own."
            )
        if paths:
            return paths
    return []


def page_number(path: Path) -> int | None:
    """The number in the name of a page file; None for any other file."""
    match = _PAGE_FILE.fullmatch(path.name)
    return int(match[1]) if match else None


def read_pages(sources: Sequence[Source]) -> tuple[list[Page], list[Repair]]:
    """The pages of page files, or of the one file that holds them all, with what had to be repaired."""
    numbers = [page_number(Path(source.name)) for source in sources]
    if None in numbers:
        pages = _cut(sources[0].name, decode(sources[0]))
        repairs: list[Repair] = []
    else:
        pages = [Page(n or 0, source.name, 1, decode(source)) for n, source in zip(numbers, sources, strict=True)]
        repairs = _gaps([page.number for page in pages], sources[0].name)
    clean = []
    for page in pages:
        text, found = _without_controls(page)
        clean.append(Page(page.number, page.file, page.first_line, text))
        repairs += found
    return clean, repairs


def _gaps(numbers: list[int], first_file: str) -> list[Repair]:
    if numbers[0] == 0:
        raise SourceError(
            f"{first_file}: pages are counted from 1", hint="Rename the page files so that they start at 1."
        )
    repairs = []
    for before, number in zip([0, *numbers], numbers, strict=False):
        if number > before + 1:
            which = f"page {number - 1} is" if number == before + 2 else f"pages {before + 1} to {number - 1} are"
            repairs.append(Repair(before + 1, 0, f"{which} missing", "read on with the next page"))
    return repairs


def _cut(file: str, text: str) -> list[Page]:
    """Cut at the page marks, or at `---` lines behind which a page can begin; `---` in the text stays."""
    marks = list(_SPLIT_MARK.finditer(text)) or _page_rules(text)
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    pieces = [(start, text[start:end]) for start, end in zip(starts, ends, strict=True)]
    while len(pieces) > 1 and not pieces[-1][1].strip():
        pieces.pop()  # a mark behind the last page
    pages, line, at = [], 1, 0
    for number, (start, piece) in enumerate(pieces, start=1):
        line += text.count("\n", at, start)
        at = start
        pages.append(Page(number, file, line, piece))
    return pages


def _page_rules(text: str) -> list[re.Match[str]]:
    """Return the `---` lines that are followed by a tag or the end, ignoring blanks and empty pages."""
    front = FRONT_MATTER.match(text)
    breaks: list[re.Match[str]] = []
    next_break = len(text)  # from the last rule to the first, so that each character is looked at once
    for rule in reversed(list(_RULE.finditer(text, front.end() if front else 0))):
        blank = _BLANK.match(text, rule.end())
        behind = blank.end() if blank else rule.end()
        if behind == next_break or text.startswith("<|ref|>", behind):
            breaks.append(rule)
            next_break = rule.start()
    return breaks[::-1]


def _without_controls(page: Page) -> tuple[str, list[Repair]]:
    match = _CONTROLS.search(page.text)
    if match is None:
        return page.text, []
    line = page.first_line + page.text.count("\n", 0, match.start())
    text, count = _CONTROLS.subn(" ", page.text)
    problem = "1 control character" if count == 1 else f"{count} control characters"
    return text, [Repair(page.number, line, problem, "replaced by a blank")]
