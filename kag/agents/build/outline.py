"""The outline question: one question for all headings whose depth the page does not show.

Any heading may be put below any other, or to any depth. Answers are checked together: sections are printed one after
the other, so a heading can lie only below one that is still open where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from kag.core.errors import BadValue
from kag.core.types import Block, Document
from kag.indexing.build_plan import PlannedNode, PlannedSection
from kag.indexing.structure.page_layout import blocks_in_order
from kag.indexing.structure.titles import is_abstract, is_abstract_label, is_part
from kag.rdf.namespaces import DOCO
from kag.text.plain import preview

TOP = "top"
NO_HEADING = "none"
UNDER = 150  # characters of what stands right under a heading
TITLE = 90

Place = str | int  # a heading's name, "top", a depth, or "none": it is no heading


def headings(sections: Sequence[PlannedSection]) -> dict[str, int]:
    """The names h1, h2, ... of the headings, with the places of their sections."""
    headed = [place for place, section in enumerate(sections) if section.heading]
    return {f"h{number}": place for number, place in enumerate(headed, start=1)}


def is_shown(section: PlannedSection) -> bool:
    """Whether the page shows how deep a heading lies: by its number, or by its source."""
    return bool(section.heading and (section.heading.number or section.heading.block.ground))


def is_open(sections: Sequence[PlannedSection], section: PlannedSection) -> bool:
    """Whether a heading may lie elsewhere: the page does not show its depth, nor is it a standard part at the top."""
    if is_shown(section) or (section.depth == 1 and is_part(section.title)):
        return False
    above = sections[section.parent] if section.parent is not None else None
    return not (above and is_abstract(above.title) and is_abstract_label(section.title))


def is_ambiguous(sections: Sequence[PlannedSection]) -> bool:
    """Whether a heading without a number could nest otherwise: one heading alone has nothing to lie below."""
    headed = [section for section in sections if section.heading]
    return any(is_open(sections, section) for section in headed[1:])


def nested(sections: Sequence[PlannedSection], answers: Mapping[str, Place]) -> tuple[PlannedSection, ...]:
    """The sections with the headings that answers name put elsewhere; what is below a moved one goes with it.

    Raises `BadValue` for a heading that is not there, and for a place that is not open where the heading stands.
    """
    names = headings(sections)
    if unknown := [name for name in answers if name not in names]:
        raise BadValue(f"there is no heading {unknown[0]!r}", hint=f"Headings are h1 to h{len(names)}.")
    named = {place: name for name, place in names.items()}
    found: list[PlannedSection] = []
    open_: list[int] = []  # from the top-level section down
    for place, section in enumerate(sections):
        name = named.get(place, "")
        asked = answers.get(name, NO_HEADING) != NO_HEADING
        parent = _asked(name, answers[name], open_, names, named) if asked else _kept(section, open_, found)
        open_ = [*open_[: open_.index(parent) + 1], place] if parent is not None else [place]
        found.append(replace(section, nodes=list(section.nodes), parent=parent, depth=len(open_)))
    return _without(found, {names[name] for name, answer in answers.items() if answer == NO_HEADING})


def no_headings(sections: Sequence[PlannedSection], answers: Mapping[str, Place]) -> set[str]:
    """The blocks of the headings that answers call none."""
    names = headings(sections)
    named = [sections[names[name]].heading for name, answer in answers.items() if answer == NO_HEADING]
    return {heading.block.id for heading in named if heading}


def _without(sections: Sequence[PlannedSection], dropped: Set[int]) -> tuple[PlannedSection, ...]:
    """The sections without some headings, which are paragraphs of the section before; what lay below them moves up."""
    found: list[PlannedSection] = []
    places: dict[int | None, int | None] = {None: None}
    for place, section in enumerate(sections):
        if place in dropped and section.heading:
            if not found:
                raise BadValue("the first heading of a paper cannot be left out", hint="Leave its row out.")
            found[-1].nodes += [PlannedNode(DOCO.Paragraph, (section.heading.block,)), *section.nodes]
            places[place] = places[section.parent]
            continue
        parent = places[section.parent]
        places[place] = len(found)
        found.append(replace(section, parent=parent, depth=1 if parent is None else found[parent].depth + 1))
    return tuple(found)


def _kept(section: PlannedSection, open_: Sequence[int], found: Sequence[PlannedSection]) -> int | None:
    """The parent that a heading has where it was not asked about; the one of its depth where its own is closed."""
    if section.parent is None or section.parent in open_:
        return section.parent
    return next((place for place in reversed(open_) if found[place].depth < section.depth), None)


def _asked(
    name: str, answer: Place, open_: Sequence[int], names: Mapping[str, int], named: Mapping[int, str]
) -> int | None:
    """The parent that an answer means."""
    if answer in (TOP, 1):
        return None
    if isinstance(answer, int):
        if not 1 <= answer <= len(open_) + 1:
            raise BadValue(f"{name} cannot lie at depth {answer}", hint=f"Give a depth from 1 to {len(open_) + 1}.")
        return open_[answer - 2]
    if names.get(answer, -1) not in open_:
        may = ", ".join(named[place] for place in open_ if place in named) or "none"
        raise BadValue(
            f"{name} cannot lie below {answer!r}",
            hint=f"Give {TOP}, a depth, or a heading that is open there: {may}. Move those between, too.",
        )
    return names[answer]


def render(document: Document, sections: Sequence[PlannedSection], limit: int) -> str:
    """The outline as the agent sees it, a line a heading; "?" marks those that may lie elsewhere.

    The texts under headings are shortened until the outline has at most `limit` characters, as far as that goes.
    """
    order = blocks_in_order(document)
    behind = {block.id: later for block, later in pairwise(order)}
    for under in (UNDER, UNDER // 2, UNDER // 4, 0):
        text = "\n".join(_rows(sections, behind, under))
        if len(text) <= limit:
            break
    return text


def _rows(sections: Sequence[PlannedSection], behind: Mapping[str, Block], under: int) -> Iterator[str]:
    for name, place in headings(sections).items():
        section = sections[place]
        facts = _facts(section, behind, under) if is_open(sections, section) else ""
        yield f"{'  ' * (section.depth - 1)}{name}{'?' if facts else ''} {preview(section.title, TITLE)}{facts}"


def _facts(section: PlannedSection, behind: Mapping[str, Block], under: int) -> str:
    """Page, size of type and what stands right under a heading."""
    if section.heading is None:
        return ""
    block = section.heading.block
    below = behind.get(block.id)
    facts = [f"p{block.page}"]
    if block.ground == "size":
        facts.append(f"type of level {block.heading_level}")
    if below is not None:
        is_text = bool(below.plain and under)
        facts.append(f"{below.label}: {preview(below.plain, under)}" if is_text else below.label)
    return f" [{'; '.join(facts)}]"
