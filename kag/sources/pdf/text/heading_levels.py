"""Levels of headings: by their numbers, the file's outline, and the ranks of the types in which they are set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile

from kag.sources.pdf.text.titles import (
    depths_of,
    is_abstract,
    is_abstract_label,
    is_part_of_text,
    is_standard,
    letters_of,
)
from kag.sources.pdf.text.typography import Level, Paragraph, Type, type_of

_PARTS = 3  # standard parts of a text, by which its division is known


def heading_levels(
    paragraphs: Sequence[Paragraph], chosen: Sequence[int], listed: Mapping[int, Level], *, by_number: bool
) -> dict[int, Level]:
    """A level for each heading: its number's, the outline's, that of others of its type, that of its type's rank.

    Where most of a type have one level in the outline, all of it have: outlines repeat titles, and nest them wrongly.
    """
    ranks, ends = _ranks(paragraphs, chosen)
    parts = [n for n in chosen if ranks[type_of(paragraphs[n].lines[0])] == 1 and is_part_of_text(paragraphs[n].text)]
    levels: dict[Type, Counter[int]] = {}
    for n, level in listed.items():
        levels.setdefault(type_of(paragraphs[n].lines[0]), Counter())[level.level] += 1
    usual = {own: max(count, key=lambda level: (count[level], -level)) for own, count in levels.items()}
    found: dict[int, Level] = {}
    depths = depths_of([paragraphs[n].text for n in chosen])
    for n, number in zip(chosen, depths, strict=True):
        own = type_of(paragraphs[n].lines[0])
        depth = number if by_number else 0
        if n in listed:
            sure = levels[own][usual[own]] >= 0.75 * levels[own].total() and levels[own].total() >= 4
            found[n] = Level(usual[own] if sure and not depth else listed[n].level, "outline")
        elif depth:
            found[n] = Level(depth, "number")
        else:
            behind = own in ends and (not parts or n > parts[-1] or is_standard(paragraphs[n].text))
            found[n] = Level(1 if behind or is_abstract(paragraphs[n].text) else usual.get(own, ranks[own]), "size")
    return _below_abstract(paragraphs, _below_parts(paragraphs, found))


def _below_parts(paragraphs: Sequence[Paragraph], levels: dict[int, Level]) -> dict[int, Level]:
    """On pictures of pages, where no face is known: titles set like the parts of the text, one level below these.

    Sizes are told to a tenth there, so that "Methods" and "Search strategy" may look alike. A paper without three
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
