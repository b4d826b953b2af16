"""Headings by how they are set: the file's outline first, then type and number; and their levels.

What body text is set in is what most of it is set in; a heading is a short paragraph in a stronger type that stands
alone. Types in which standard parts of a paper are set ("Methods", "References") are heading types for certain; ranks
of types give levels where numbers do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from kag.sources.pdf.text.titles import (
    depth_of,
    depths_of,
    is_abstract,
    is_abstract_label,
    is_part_of_text,
    is_references,
    is_standard,
    letters_of,
    number_of,
    without_number,
)
from kag.sources.pdf.text.typography import Level, OutlineEntry, Paragraph, Type, type_of

MAX_LINES, MAX_LETTERS = 4, 220
_PARTS = 3  # standard parts of a text, by which its division is known
_SHORT = 100  # characters that a title has at most where nothing but the face tells it
_STEPS = 2  # parts of a number that steps of an algorithm have, too
_SENTENCE = re.compile(r"[a-z]{3,}[.?!] [A-Z][a-z]*\b ?[a-z]")
_APPENDIX = re.compile(r"^(?:appendi(?:x|ces)|ap[ée]ndice|anhang|annexe?|supplement|supporting|additional)\w*\b", re.I)
_LETTERED = re.compile(r"^(?:appendix|ap[ée]ndice|anhang|annexe?)\b", re.I)
_CHAPTER = re.compile(r"(?:chapter|kapitel|cap[íi]tulo|chapitre|capitolo)\s+(?:\d{1,2}|[IVX]{1,5}|[A-Z])\.?", re.I)
_CAPTION = re.compile(r"^(?:supplementa\w+\s+)?(?:fig(?:ure|\.)?|table|tab\.|scheme|box|chart|algorithm)\s*S?\d", re.I)


def find_headings(
    paragraphs: Sequence[Paragraph], body: Type, outline: Sequence[OutlineEntry] = (), front: int = 0
) -> dict[int, Level]:
    """The headings among some paragraphs in reading order, by place.

    The first `front` paragraphs are the front matter: only standard parts have headings there.
    """
    lists = _in_lists(paragraphs)
    listed = {n: level for n, level in _in_outline(paragraphs, outline).items() if n >= front and n not in lists}
    listed = _from_one(listed)
    likely = [
        n
        for n, paragraph in enumerate(paragraphs)
        if n in listed
        or (_may_be(paragraph, body) and ((n >= front and n not in lists) or is_standard(paragraph.text)))
    ]
    sure = _sure_types(paragraphs, likely, body, listed)
    numbered = sum(1 for n in likely if depth_of(paragraphs[n].text) and type_of(paragraphs[n].lines[0]) in sure)
    often = _repeated_types(paragraphs, likely, body)
    chosen = [n for n in likely if n in listed or _is_heading(paragraphs[n], body, sure, often, numbered=numbered >= 3)]
    if numbered >= 3:
        others = [n for n in range(front, len(paragraphs)) if n not in lists and n not in chosen]
        chosen = sorted([*chosen, *_continuing(paragraphs, chosen, others)])
    return heading_levels(paragraphs, chosen, listed, by_number=numbered >= 3)


def _continuing(paragraphs: Sequence[Paragraph], chosen: Sequence[int], others: Sequence[int]) -> Iterator[int]:
    """Return titles set as the text is: single lines with the next number below that of a heading ("2.1.1. Sites")."""
    known = {number_of(paragraphs[n].text) for n in chosen}
    for n in others:
        text = paragraphs[n].text
        number = number_of(text)
        before = (*number[:-1], number[-1] - 1) if number else ()
        goes_on = len(number) > _STEPS and number[:-1] in known and (number[-1] == 1 or before in known)
        if goes_on and len(paragraphs[n].lines) == 1 and len(text) <= _SHORT and _is_titled(text):
            known.add(number)
            yield n


def _in_lists(paragraphs: Sequence[Paragraph]) -> set[int]:
    """Return the headings within a reference list: up to the next title that is set like the list's, or larger."""
    found: set[int] = set()
    inside: Type | None = None
    for n, paragraph in enumerate(paragraphs):
        own = type_of(paragraph.lines[0])
        if len(paragraph.lines) <= 2 and is_references(paragraph.text):
            inside = own
        elif inside is not None and (
            (own[:4] == inside[:4] and not re.match(r"\[?\d", paragraph.text))
            or (len(paragraph.lines) <= MAX_LINES and own.size > inside.size + 0.9)
            or (len(paragraph.lines) <= 2 and _APPENDIX.match(paragraph.text) and own.size >= inside.size - 0.6)
        ):
            inside = None
        elif inside is not None:
            found.add(n)
    return found


def _in_outline(paragraphs: Sequence[Paragraph], outline: Sequence[OutlineEntry]) -> dict[int, Level]:
    """The paragraphs that the outline lists: the same letters on the entry's page, as near as may be to its place."""
    wanted = [entry for entry in outline if letters_of(entry.title)]
    places: dict[str, list[int]] = {}
    for n, paragraph in enumerate(paragraphs):
        if len(paragraph.lines) <= MAX_LINES and not paragraph.role:
            places.setdefault(letters_of(paragraph.text), []).append(n)
    pairs = sorted(
        (_distance(entry, paragraphs[n]), at, n)
        for at, entry in enumerate(wanted)
        for n in places.get(letters_of(entry.title), ())
    )
    found: dict[int, int] = {}
    used: set[int] = set()
    for distance, at, n in pairs:
        if distance < _FAR and n not in found and at not in used:
            found[n] = wanted[at].level
            used.add(at)
    return {n: Level(level, "outline") for n, level in found.items()}


def _from_one(listed: Mapping[int, Level]) -> dict[int, Level]:
    """Levels counted from 1: an outline that begins with the paper's title has everything one level below it."""
    lowest = min((level.level for level in listed.values()), default=1)
    return {n: Level(level.level - lowest + 1, level.ground) for n, level in listed.items()}


_FAR = 3000.0


def _distance(entry: OutlineEntry, paragraph: Paragraph) -> float:
    """Return the distance in points between a paragraph and an entry's target; a page counts a thousand."""
    if not entry.page:
        return 500.0
    y = paragraph.lines[0].rect.y0
    return abs(paragraph.page - entry.page) * 1000.0 + (abs(y - entry.y) if entry.y is not None else 0.0)


def _may_be(paragraph: Paragraph, body: Type) -> bool:
    """Whether a paragraph could be a heading by its length, words and type."""
    text = paragraph.text
    if (
        paragraph.role
        or paragraph.lines[0].font.mono
        or _CHAPTER.fullmatch(text)
        or _rows(paragraph) > MAX_LINES * (2 if depth_of(text) else 1)
        or len(text) > MAX_LETTERS
        or _CAPTION.match(text)
    ):
        return False
    return _is_titled(text) and (
        all(_stronger(type_of(line), body) for line in paragraph.lines)
        or (is_standard(text) and _apart(type_of(paragraph.lines[0]), body))
    )


def _is_titled(text: str) -> bool:
    """Whether a text could be a title by its words alone."""
    letters = sum(map(str.isalpha, text))
    if letters < 3 or letters < 0.5 * len(text.replace(" ", "")) or text.rstrip().endswith((",", ";")):
        return False
    first = without_number(text).lstrip("\"'“‘([")[:1]
    if not first or (first.islower() and not depth_of(text)):
        return False
    return not (_SENTENCE.search(without_number(text)) and len(text) > _SHORT // 2)


def _rows(paragraph: Paragraph) -> int:
    return len({round(line.base) for line in paragraph.lines})


def _apart(own: Type, body: Type) -> bool:
    return own._replace(caps=False) != body or own.caps


def _stronger(own: Type, body: Type) -> bool:
    """Whether a type stands out from the body's: larger, bolder, capitals, italic, or another face of equal size."""
    if own.size > body.size + 0.9:
        return True
    if own.size < (0.7 if own.bold and own.font != body.font else 0.85) * body.size:
        return False
    return _stands_out(own, body) or (own.font != body.font and own.size >= 0.9 * body.size)


def _stands_out(own: Type, body: Type) -> bool:
    """Whether a type differs from the body's by more than its face."""
    larger = own.size > body.size + 0.9
    return larger or (own.bold and not body.bold) or own.caps or (own.italic and not body.italic)


def _sure_types(
    paragraphs: Sequence[Paragraph], likely: Sequence[int], body: Type, listed: Mapping[int, Level]
) -> set[Type]:
    """Types in which headings are set: those of standard parts, and of what the outline lists."""
    return {type_of(paragraphs[n].lines[0]) for n in likely if n in listed or is_standard(paragraphs[n].text)} - {body}


def _repeated_types(paragraphs: Sequence[Paragraph], likely: Sequence[int], body: Type) -> set[Type]:
    """Types in which short paragraphs are set again and again, each with body text right under it."""
    count: Counter[Type] = Counter()
    for n in likely:
        under = paragraphs[n + 1] if n + 1 < len(paragraphs) else None
        text = paragraphs[n].text.rstrip()
        if len(paragraphs[n].lines) > 2 or text.endswith(".") or under is None or len(under.lines) < 2:
            continue
        if abs(under.lines[0].size - body.size) < 0.6 and under.lines[0].font.bold == body.bold:
            count[type_of(paragraphs[n].lines[0])] += 1
    return {own for own in count if count[own] >= (2 if own.bold or own.size > body.size + 0.9 else 3)} - {body}


def _is_heading(paragraph: Paragraph, body: Type, sure: set[Type], often: set[Type], *, numbered: bool) -> bool:
    own, text = type_of(paragraph.lines[0]), paragraph.text.rstrip()
    if not _stands_out(own, body) and (text.endswith(".") or len(text) > _SHORT or len(paragraph.lines) > 2):
        return False
    if own in sure:
        return not text.endswith(".") or bool(depth_of(text)) or own.size > body.size or own.bold
    if is_standard(text):
        return True
    if depth_of(text) and _stronger(own, body) and own.size > body.size - 0.4:
        return not text.endswith(".")
    if numbered:
        return False
    if own in often and len(paragraph.lines) <= 2:
        return not text.endswith(".")
    strong = (own.bold and not body.bold) or own.size > body.size + 0.9
    return strong and not text.endswith((".", ":"))


def heading_levels(
    paragraphs: Sequence[Paragraph], chosen: Sequence[int], listed: Mapping[int, Level], *, by_number: bool
) -> dict[int, Level]:
    """A level for each heading: its number's, the outline's, that of others of its type, that of its type's rank.

    Where most of a type have one level in the outline, all of it have: outlines repeat titles, and nest them wrongly.
    """
    ranks, ends = _ranks(paragraphs, chosen)
    parts = [n for n in chosen if ranks[type_of(paragraphs[n].lines[0])] == 1 and is_part_of_text(paragraphs[n].text)]
    by_type: dict[Type, Counter[int]] = {}
    for n, level in listed.items():
        by_type.setdefault(type_of(paragraphs[n].lines[0]), Counter())[level.level] += 1
    depths = depths_of([paragraphs[n].text for n in chosen])
    for n, depth in zip(chosen, depths, strict=True):
        if depth and by_number and n not in listed:
            by_type.setdefault(type_of(paragraphs[n].lines[0]), Counter())[depth] += 1
    usual = {own: max(count, key=lambda level: (count[level], -level)) for own, count in by_type.items()}
    found: dict[int, Level] = {}
    for n, number in zip(chosen, depths, strict=True):
        own = type_of(paragraphs[n].lines[0])
        depth = number if by_number else 0
        if n in listed:
            sure = by_type[own][usual[own]] >= 0.75 * by_type[own].total() and by_type[own].total() >= 4
            found[n] = Level(usual[own] if sure and not depth else listed[n].level, "outline")
        elif depth:
            found[n] = Level(depth, "number")
        else:
            behind = own in ends and (not parts or n > parts[-1] or is_standard(paragraphs[n].text))
            first = behind or is_abstract(paragraphs[n].text) or _LETTERED.match(paragraphs[n].text)
            found[n] = Level(1 if first else usual.get(own, ranks[own]), "size")
    return _below_abstract(paragraphs, _below_parts(paragraphs, found))


def _below_parts(paragraphs: Sequence[Paragraph], levels: dict[int, Level]) -> dict[int, Level]:
    """On pictures of pages, where no face is known: titles set like the parts of the text, one level below these.

    Sizes are given to a tenth there, so that "Methods" and "Search strategy" may look alike. A paper without three
    standard parts of its text, or with numbers, is left as it is.
    """
    by_size = [n for n in sorted(levels) if levels[n].ground == "size" and levels[n].level == 1]
    parts = [n for n in by_size if is_part_of_text(paragraphs[n].text)]
    if (
        len(parts) < _PARTS
        or len(by_size) < len(levels) / 2
        or any(type_of(paragraphs[n].lines[0]).font for n in by_size)
    ):
        return levels
    inside = [n for n in by_size if parts[0] < n < parts[-1] and not is_standard(paragraphs[n].text)]
    return levels | {n: Level(2, "size") for n in inside}


def _below_abstract(paragraphs: Sequence[Paragraph], levels: dict[int, Level]) -> dict[int, Level]:
    """The parts of a structured abstract below its heading: labels that follow it in a type of their own."""
    places = sorted(levels)
    at = next((at for at, n in enumerate(places) if is_abstract(paragraphs[n].text)), len(places))
    behind = places[at + 1 :]
    own = type_of(paragraphs[behind[0]].lines[0]) if behind else None
    inside = list(takewhile(lambda n: type_of(paragraphs[n].lines[0]) == own, behind[:8]))
    again = {letters_of(paragraphs[n].text) for n in behind[len(inside) :]}  # the text has such parts, too
    if len(inside) < 2 or not all(is_abstract_label(paragraphs[n].text) for n in inside):
        return levels
    if not any(letters_of(paragraphs[n].text) in again for n in inside):
        return levels
    return levels | {n: Level(levels[places[at]].level + 1, levels[n].ground) for n in inside}


def _ranks(paragraphs: Sequence[Paragraph], chosen: Sequence[int]) -> tuple[dict[Type, int], set[Type]]:
    """Levels of types: that in which most standard parts of the text are set is the first, and so are stronger ones.

    The others follow by weight. Returned beside the levels are types that set little else than standard parts, as those
    of the end matter do: standard parts in them, and what stands behind the text, are of the first level.
    """
    count: Counter[Type] = Counter()
    standard: Counter[Type] = Counter()
    of_text: Counter[Type] = Counter()
    for n in chosen:
        own = type_of(paragraphs[n].lines[0])
        count[own] += 1
        standard[own] += is_standard(paragraphs[n].text)
        of_text[own] += is_part_of_text(paragraphs[n].text)
    weight = {own: (own.size, own.caps, own.bold, not own.italic) for own in count}
    if not standard.total():
        ordered = sorted(set(weight.values()), reverse=True)
        return {own: ordered.index(weight[own]) + 1 for own in count}, set()
    main = max(count, key=lambda own: (of_text[own], standard[own], weight[own]))
    top = {own for own in count if weight[own] > weight[main]} | {main}
    below = sorted({weight[own] for own in count if own not in top}, reverse=True)
    ranks = {own: 1 if own in top else below.index(weight[own]) + 2 for own in count}
    return ranks, {own for own in count if own not in top and standard[own] * 2 > count[own]}
