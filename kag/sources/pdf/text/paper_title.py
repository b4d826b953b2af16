"""The front matter of a PDF: which lines are the title, and where the paper itself begins."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from kag.sources.pdf.text.front import NO_FRONT, FrontMatter
from kag.sources.pdf.text.titles import is_standard, letters_of
from kag.sources.pdf.text.typography import Paragraph, Type, type_of

_FIRST_PAGES = 2  # a cover may come before the page with the title
_TITLE_WORDS = 8  # a title of more words than these is no surer
_LARGER = 0.9  # points by which a title is larger than the text, if anything is
_PROSE = 5  # lines of body text that are the text itself


def find_title(paragraphs: Sequence[Paragraph], known: str = "") -> range:
    """The places of the paragraphs that are the paper's title; `known` is the title that the file names, if any.

    It is what the file names, else what is set largest, where three words count more than one: the name of the journal
    may be set larger. Nothing in the text's own size is, where three words are set larger.
    """
    if labelled := _labelled(paragraphs):
        return labelled
    first = paragraphs[0].page if paragraphs else 1
    early = [n for n, paragraph in enumerate(paragraphs) if paragraph.page < first + _FIRST_PAGES]
    named = letters_of(known)
    for n in early:
        end = _end(paragraphs, n)
        whole = "".join(letters_of(paragraph.text) for paragraph in paragraphs[n:end])
        if len(named) >= 12 and whole and (named.startswith(whole) or whole.startswith(named)) and len(whole) >= 12:
            return range(n, end)
    likely = [n for n in early if paragraphs[n].page == first and _may_be(paragraphs[n])]
    if not likely:
        return range(0)
    usual = median(line.size for paragraph in paragraphs for line in paragraph.lines)
    larger = [
        n for n in likely if paragraphs[n].lines[0].size > usual + _LARGER and len(paragraphs[n].text.split()) > 2
    ]
    best = max(larger or likely, key=lambda n: (_weight(paragraphs, n), -n))
    return range(best, _end(paragraphs, best))


def _labelled(paragraphs: Sequence[Paragraph]) -> range:
    """The run of paragraphs labelled as the title that weighs most, without what is set smaller or larger."""
    best = range(0)
    starts = [n for n, paragraph in enumerate(paragraphs) if paragraph.role == "title"]
    while starts:
        start = starts[0]
        end = start + 1
        while end < len(paragraphs) and end in starts and _goes_on(paragraphs[end - 1], paragraphs[end]):
            end += 1
        if not best or _sum(paragraphs, range(start, end)) > _sum(paragraphs, best):
            best = range(start, end)
        starts = [n for n in starts if n >= end]
    return best


def _goes_on(paragraph: Paragraph, two: Paragraph) -> bool:
    last, first = paragraph.lines[-1], two.lines[0]
    return (
        paragraph.page == two.page
        and abs(last.size - first.size) < 1.2
        and 0 < first.base - last.base < 2.4 * last.size
    )


def _sum(paragraphs: Sequence[Paragraph], places: range) -> float:
    words = sum(len(paragraphs[n].text.split()) for n in places)
    return paragraphs[places[0]].lines[0].size * min(words, _TITLE_WORDS)


def _may_be(paragraph: Paragraph) -> bool:
    letters = sum(map(str.isalpha, paragraph.text))
    return (
        paragraph.role not in ("author", "affiliation", "contact")
        and len(paragraph.text.split()) >= 2
        and letters >= 8
        and len(paragraph.lines) <= 8
        and not is_standard(paragraph.text)
    )


def _weight(paragraphs: Sequence[Paragraph], n: int) -> float:
    words = sum(len(paragraph.text.split()) for paragraph in paragraphs[n : _end(paragraphs, n)])
    return paragraphs[n].lines[0].size * min(words, _TITLE_WORDS)


def _end(paragraphs: Sequence[Paragraph], start: int) -> int:
    """Behind the paragraphs of one size that follow each other: a title may be set in roman and slanted type."""
    own = type_of(paragraphs[start].lines[0])
    end = start + 1
    while end < len(paragraphs) and end - start < 6 and paragraphs[end].page == paragraphs[start].page:
        other = type_of(paragraphs[end].lines[0])
        if abs(other.size - own.size) > 0.5 or other.bold != own.bold or is_standard(paragraphs[end].text):
            break
        end += 1
    return end


def front_end(paragraphs: Sequence[Paragraph], title: range, body: Type, front: FrontMatter = NO_FRONT) -> int:
    """The number of paragraphs before the text: it begins with the line `front.text`, a standard heading, or prose."""
    start = title.stop
    if front.text is not None:
        begins = next((n for n, paragraph in enumerate(paragraphs) if front.text in paragraph.lines), 0)
        if begins >= start:
            return begins
    first = paragraphs[start - 1].page if start else 1
    for n in range(start, len(paragraphs)):
        paragraph = paragraphs[n]
        if paragraph.page > first + 1:
            break
        stands_out = type_of(paragraph.lines[0])._replace(caps=False) != body and not front.notes.issuperset(
            paragraph.lines
        )
        if len(paragraph.lines) <= 2 and is_standard(paragraph.text) and stands_out:
            return n
    for n in range(start, len(paragraphs)):
        if len(paragraphs[n].lines) >= _PROSE and abs(paragraphs[n].lines[0].size - body.size) < 0.6:
            return max(n - 1, start)
    return start
