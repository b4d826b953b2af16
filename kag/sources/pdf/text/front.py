"""Labels of a paper's first lines: title, author, affiliation, abstract, ..., by a trained labeller.

A linear-chain conditional random field over the features of `front_features`. `front.crf` holds its weights,
`front.json` their SHA-256 and how they were trained; `scripts/benchmarks/train_front.py` writes both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from kag.core.types import Metadata
from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.file.drawing import Drawn
from kag.sources.pdf.text.front_features import MAX_LINES, FrontLine, base_text, front_features, names_of
from kag.sources.pdf.text.front_layout import split_line
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import (
    depth_of,
    is_abstract,
    is_abstract_label,
    is_introduction,
    is_standard,
    number_of,
)
from kag.sources.pdf.text.typography import Type, type_of
from kag.text.crf import read

MODEL = Path(__file__).with_name("front.crf")
ROLES = frozenset({"title", "author", "affiliation", "contact", "abstract", "keywords"})
"""What is told apart; the labeller also knows headings, the body and other lines."""
_PARTS = re.compile(r"\s*(?:[,;·•|]|\band\b|\bund\b|\bAND\b|&)\s*")
_KIND = re.compile(
    r"\W*(?:(?:article|original|research|review|short|brief|rapid|case|mini|technical|special|invited|full|regular|data|clinical)\s)*"
    r"(?:articles?|papers?|reviews?|reports?|communications?|letters?|stud(?:y|ies)|research|notes?|contributions?|editorial|info(?:rmation)?)\W*",
    re.I,
)
_BY = re.compile(r"(?:by|von|par|por|di)\W*", re.I)  # between the title and the names of a title page
_WORDS = 8  # of a line, behind which more count nothing for a title: a journal's name may be set larger
_TITLE = 120  # characters of a line that is a title
_LARGE = 1.4  # of the body's size: titles alone are set so
_CLOSE = 1.45  # type sizes between the baselines of lines that belong together
_BOX = 40.0  # points: a box of text is wider and higher
_GROUND = 0.7  # of the page: what is larger is the page's ground
_OTHER_SIZE = 0.6  # points by which sizes of lines of one abstract differ at most
_OTHER = 3  # lines that are of no abstract, behind which none goes on
_NAMES = 3  # of persons in a line that can be nothing but a list of authors
_BELOW_TITLE = 2  # lines below the title in which that list begins
_PROSE = 25  # letters of a line of prose on average
_PARAGRAPH = 4  # lines that may be an abstract
_TEXT = 10  # lines of text behind which no front matter is looked for
FRONT_PAGES = 3  # a cover, a title page and a page with the abstract


def front_lines(columns: Sequence[tuple[int, Sequence[Any]]], pages: Sequence[PageContent] = ()) -> list[FrontLine]:
    """Return the lines of the first pages in reading order; `columns` are pages with their columns' content."""
    boxes = [_boxes(page) for page in pages[:FRONT_PAGES]]
    lines = [
        FrontLine(item, page - 1, n, _box_around(item, boxes[page - 1]) if boxes else 0)
        for n, (page, column) in enumerate(columns)
        if page <= FRONT_PAGES
        for item in column
        if isinstance(item, Line)
    ]
    return lines[:MAX_LINES]


def _boxes(page: PageContent) -> list[Drawn]:
    """Return the boxes drawn around or behind texts of a page, the smallest first."""
    found = {
        made
        for made in page.drawn
        if made.kind == "path"
        and made.y1 - made.y0 > _BOX
        and made.x1 - made.x0 > _BOX
        and (made.x1 - made.x0) * (made.y1 - made.y0) < _GROUND * page.width * page.height
    }
    return sorted(found, key=lambda made: ((made.x1 - made.x0) * (made.y1 - made.y0), made))


def _box_around(line: Line, boxes: Sequence[Drawn]) -> int:
    """The number of the smallest box that holds a line, from 1; 0 without one."""
    x0, y0, x1, y1 = line.rect
    middle = (y0 + y1) / 2
    return next(
        (n for n, box in enumerate(boxes, start=1) if box.x0 < x0 + 1 and box.x1 > x1 - 1 and box.y0 < middle < box.y1),
        0,
    )


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The roles of lines that belong to the front matter, and the line with which the text itself begins, if known.

    `notes` are lines that are neither a role's nor text: dates, rights, how to cite the paper.
    """

    roles: Mapping[Line, str]
    text: Line | None = None
    notes: frozenset[Line] = frozenset()


NO_FRONT = FrontMatter({})


def label_front(lines: Sequence[FrontLine], sheet: tuple[float, float], body: Type, metadata: Metadata) -> FrontMatter:
    """Label the lines of the first pages; `sheet` is the width and height of a page."""
    if not lines:
        return NO_FRONT
    model = read(MODEL)
    places = model.best(model.scores(front_features(lines, sheet, body, metadata)))
    labels = [model.labels[place] for place in places]
    roles = {
        one.line: label
        for one, label in zip(lines, labels, strict=True)
        if label in ROLES and not _is_heading(one.line, label)
    }
    if "title" not in roles.values():
        roles |= dict.fromkeys(_largest(lines, body), "title")
    _grow(lines, roles, body)
    dropped = _drop_text(lines, roles)
    roles = _checked_authors(lines, roles)
    others = dropped.union(_notes(lines, labels, all_of=_has_abstract(lines, roles)))
    others |= {one.line for one in lines if _KIND.fullmatch(one.line.text)}
    start = _text_start(lines, labels, roles, body)
    if start and not _has_abstract(lines, roles):
        known = [one for one in lines if one.line not in others]
        roles |= dict.fromkeys(_unheaded_abstract(known, roles, start), "abstract")
    return FrontMatter(roles, start, frozenset(others.difference(roles)))


def _largest(lines: Sequence[FrontLine], body: Type) -> list[Line]:
    """The lines of the first page in the largest type, where several words of a line count more than one."""
    own = [one.line for one in lines if one.page == lines[0].page and one.line.size > _LARGE * body.size]
    best = max(own, key=lambda line: line.size * min(len(line.text.split()), _WORDS), default=None)
    return [line for line in own if best is not None and abs(line.size - best.size) < _OTHER_SIZE]


def _unheaded_abstract(lines: Sequence[FrontLine], roles: Mapping[Line, str], start: Line) -> list[Line]:
    """The prose between authors and the heading of an introduction: an abstract that has no heading of its own."""
    if not (is_introduction(start.text) or number_of(start.text) == (1,)):
        return []
    end = next((n for n, one in enumerate(lines) if one.line == start), 0)
    first = max((n for n in range(end) if lines[n].line in roles), default=end) + 1
    size = _usual_setting(lines[first:end])[0]
    prose = [one.line for one in lines[first:end] if abs(one.line.size - size) < _OTHER_SIZE]
    letters = sum(len(line.text) for line in prose)
    return prose if len(prose) >= _PARAGRAPH and letters >= _PROSE * len(prose) else []


def _has_abstract(lines: Sequence[FrontLine], roles: Mapping[Line, str]) -> bool:
    return "abstract" in roles.values() or any(is_abstract(one.line.text) for one in lines)


def _notes(lines: Sequence[FrontLine], labels: Sequence[str], *, all_of: bool) -> Iterator[Line]:
    """The lines labelled as others; only short paragraphs of these where an abstract is still to be found."""
    paragraphs: list[list[FrontLine]] = []
    for one, label in zip(lines, labels, strict=True):
        if label != "other":
            continue
        if paragraphs and _is_next(paragraphs[-1][-1], one):
            paragraphs[-1].append(one)
        else:
            paragraphs.append([one])
    for own in paragraphs:
        if all_of or len(own) < _PARAGRAPH:
            yield from (one.line for one in own)


def _grow(lines: Sequence[FrontLine], roles: dict[Line, str], body: Type) -> None:
    """Let titles and abstracts take in what is set like them right below them, and abstracts what is right above.

    What stands between an author and an address is of the address.
    """
    for before, one in pairwise(lines):
        role = roles.get(before.line, "")
        grows = role in ("title", "abstract", "affiliation") and one.line not in roles and _is_next(before, one)
        if grows or (role == "title" and _is_set_on(before.line, one.line, body)):
            roles[one.line] = role
    for before, one, after in zip(lines, lines[1:], lines[2:], strict=False):
        address = roles.get(before.line) == "author" and roles.get(after.line) in ("affiliation", "contact")
        if address and one.line not in roles and before.column == one.column == after.column:
            roles[one.line] = "affiliation"
    for one, after in pairwise(reversed(lines)):
        if roles.get(one.line) == "abstract" and after.line not in roles and _is_next(after, one):
            roles[after.line] = "abstract"


def _is_set_on(before: Line, line: Line, body: Type) -> bool:
    """Whether a title goes on in another face: of its size, much larger than the text, and right below."""
    alike = abs(before.size - line.size) < 0.3 and line.size > _LARGE * body.size and before.bold == line.bold
    return alike and 0 < line.base - before.base < _CLOSE * line.size


def _is_next(before: FrontLine, one: FrontLine) -> bool:
    """Whether a line is right below another, in its type, and is not a title."""
    line, above = one.line, before.line
    alike = above.font == line.font and abs(above.size - line.size) < 0.3
    close = one.page == before.page and 0 < line.base - above.base < _CLOSE * line.size
    over = min(line.rect.x1, above.rect.x1) > max(line.rect.x0, above.rect.x0)
    titled = is_standard(line.text) or is_standard(above.text) or is_abstract(above.text)
    return alike and close and over and not titled


def _drop_text(lines: Sequence[FrontLine], roles: dict[Line, str]) -> set[Line]:
    """Keep one run of lines of the abstract: none behind other lines, a numbered title or another part's.

    An abstract is set in one size, and lies in a box as a whole or not at all. Its own title begins it anew. Returned
    are the lines that are set in another way than the abstract: those of boxes and margins beside it.
    """
    aside: set[Line] = set()
    own = [one for one in lines if roles.get(one.line) == "abstract"]
    size, boxed = _usual_setting(own)
    inside, other, ended, headed = False, 0, False, False
    behind = False  # whether another part has begun in a line with its title
    for n, one in enumerate(lines):
        line = one.line
        is_own = roles.get(line) == "abstract"
        if is_abstract(line.text):
            headed, ended = True, ended and inside
        other = 0 if is_own or line in roles else other + 1
        apart = n == 0 or not _is_next(lines[n - 1], one)
        numbered = apart and bool(depth_of(line.text)) and len(line.text) < _TITLE
        titled = line not in roles and (numbered or (is_standard(line.text) and not headed))
        anew = numbered and is_own and inside and n > 0 and lines[n - 1].line.font != line.font
        ended = ended or titled or anew or (inside and other >= _OTHER)
        behind = behind or (is_own and inside and _begins_part(line))
        if is_own and (behind or abs(line.size - size) > _OTHER_SIZE or bool(one.box) != boxed):
            aside.add(line)
        if is_own and (ended or line in aside):
            del roles[line]
        inside = inside or (is_own and line in roles)
    return aside


def _begins_part(line: Line) -> bool:
    """Whether a line begins with the bold title of a part that is none of an abstract: "Abbreviations: ..."."""
    bold = list(takewhile(lambda word: word.font.bold, line.words))
    title = "".join((" " if word.spaced else "") + word.text for word in bold)
    return (
        0 < len(bold) < len(line.words) and is_standard(title) and not (is_abstract_label(title) or is_abstract(title))
    )


def _usual_setting(lines: Sequence[FrontLine]) -> tuple[float, bool]:
    """Return the type size of most letters of some lines, and whether these are in a box."""
    count: Counter[tuple[float, bool]] = Counter()
    for one in lines:
        count[one.line.size, bool(one.box)] += len(one.line.text)
    return max(count, key=lambda key: (count[key], key), default=(0.0, False))


def _is_heading(line: Line, label: str) -> bool:
    """Whether a line names a part or the kind of the paper, or is a numbered title in an abstract or keywords."""
    if label == "keywords":
        return bool(depth_of(line.text)) and len(line.text) < _TITLE
    return is_standard(line.text) or is_abstract(line.text) or bool(_KIND.fullmatch(line.text))


def _text_start(
    lines: Sequence[FrontLine], labels: Sequence[str], roles: Mapping[Line, str], body: Type
) -> Line | None:
    """The heading of the introduction, or the first line of the text, or of the heading above it.

    The text begins behind the title, where three lines of text follow.
    """
    last = 0
    for n, label in enumerate(labels):
        if labels[n : n + _TEXT] == ["body"] * _TEXT and last:
            break
        last = n if label in ("title", "author", "abstract", "keywords") else last
    headed = [one.line for one, label in zip(lines, labels, strict=True) if label == "heading"]
    first = {line for line in headed if number_of(line.text) == (1,) and _is_stronger(line, body)}
    opens = [
        one.line
        for one in lines
        if one.line in first or (is_introduction(one.line.text) and _stands_out(one.line, body))
    ]
    if opens:  # a structured abstract may begin with such a title, too, without a number
        return next((line for line in opens if depth_of(line.text)), opens[-1])
    for n in range(last, len(labels) - 2):
        if labels[n : n + 3] == ["body"] * 3 and abs(lines[n].line.size - body.size) < 0.7:
            while n > last + 1 and (labels[n - 1] == "heading" or _stands_out(lines[n - 1].line, body)):
                n -= 1
            return lines[n].line
    return None


def _stands_out(line: Line, body: Type) -> bool:
    titled = _is_stronger(line, body) or bool(depth_of(line.text)) or is_standard(line.text)
    return len(line.text) < _TITLE and titled


def _is_stronger(line: Line, body: Type) -> bool:
    own = type_of(line)
    return own.size > body.size + 0.9 or own.caps or (own.bold, own.italic) != (body.bold, body.italic)


def _checked_authors(lines: Sequence[FrontLine], roles: dict[Line, str]) -> dict[Line, str]:
    """The roles, where an author's line names persons or goes on with a list of them."""
    named = {one.line: _is_names(one.line) for one in lines}
    before: FrontLine | None = None  # a line of authors
    for one in lines:
        follows = before is not None and before.line.font == one.line.font and before.column == one.column
        goes_on = follows and before is not None and _goes_on(before.line, one.line)
        if roles.get(one.line) == "author" and not named[one.line] and not goes_on:
            del roles[one.line]
        elif goes_on and (one.line not in roles or (named[one.line] and roles[one.line] == "affiliation")):
            roles[one.line] = "author"
        before = one if roles.get(one.line) == "author" else None
    _set_by_first_list(lines, roles)
    if "author" not in roles.values():
        _add_authors(lines, roles, named)
    return roles


def _set_by_first_list(lines: Sequence[FrontLine], roles: dict[Line, str]) -> None:
    """Let a list of persons below the title decide: it is the authors', and what is set in another size is not."""
    title = max((n for n, one in enumerate(lines) if roles.get(one.line) == "title"), default=len(lines))
    near = range(title + 1, min(title + 1 + _BELOW_TITLE, len(lines)))
    first = next((n for n in near if _is_list_of_names(lines[n].line)), None)
    if first is None:
        return
    for line, role in list(roles.items()):
        if role == "author" and abs(line.size - lines[first].line.size) > _OTHER_SIZE:
            roles[line] = "affiliation"
    listed = takewhile(_is_list_of_names, (one.line for one in lines[first:]))
    roles.update(dict.fromkeys(listed, "author"))


def _is_list_of_names(line: Line) -> bool:
    named, parts = names_of(line)
    return named >= _NAMES and named == parts


def _add_authors(lines: Sequence[FrontLine], roles: dict[Line, str], named: Mapping[Line, bool]) -> None:
    """Add authors if none were found: the names right above the first affiliation or address, or next to the title."""
    first = next((n for n, one in enumerate(lines) if roles.get(one.line) in ("affiliation", "contact")), 0)
    titles = [n for n, one in enumerate(lines) if roles.get(one.line) == "title"] or [len(lines)]
    below = [one for one in lines[titles[-1] + 1 :] if not _BY.fullmatch(one.line.text)]
    for near in (reversed(lines[:first]), below, reversed(lines[: titles[0]])):
        found = [one.line for one in takewhile(lambda one: named[one.line], near)]
        if found and not any(line in roles for line in found):
            roles.update(dict.fromkeys(found, "author"))
            return


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a list of names goes on in the next line: it is open, or its last name is not whole."""
    step = line.base - before.base
    text = base_text(before)
    incomplete = text.endswith((",", "&", " and", "·", "•", "|", ".")) or len(_PARTS.split(text)[-1].split()) < 2
    return 0 < step < 1.8 * line.size and (incomplete or bool(re.match(r"(?:and|und|AND|&)\b", line.text)))


def _is_names(line: Line) -> bool:
    named, parts = names_of(line)
    return named > 0 and (2 * named >= parts or len(split_line(line)) > 1)
