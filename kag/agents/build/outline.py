"""The outline question: one question for all headings whose depth the page does not show.

Any heading may be put below any other, or to any depth. Answers are checked together: sections are printed one after
the other, so a heading can lie only below one that is still open where it stands.

Answers to it and to the ambiguities are carried into the plan before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from kag.agents.build.ambiguities import APART, FLOATS, FRONT_CLASSES, NONE, PART_OF, Ambiguity
from kag.core.errors import BadValue
from kag.core.types import Block, Document
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection
from kag.indexing.structure.floats import float_label
from kag.indexing.structure.page_layout import blocks_in_order
from kag.indexing.structure.titles import is_abstract, is_abstract_label, is_part
from kag.rdf.namespaces import DEO, DOCO
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
    """Whether the page shows the depth of a heading: by its number, or by its source."""
    return bool(section.heading and (section.heading.number or section.heading.block.ground))


def is_open(sections: Sequence[PlannedSection], section: PlannedSection) -> bool:
    """Whether the position of a heading is open: the page does not show its depth, and it is not a standard top-level
    part."""
    if is_shown(section) or (section.depth == 1 and is_part(section.title)):
        return False
    above = sections[section.parent] if section.parent is not None else None
    return not (above and is_abstract(above.title) and is_abstract_label(section.title))


def is_ambiguous(sections: Sequence[PlannedSection]) -> bool:
    """Whether an unnumbered heading could nest differently; a single heading cannot."""
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
    planned_sections: list[PlannedSection] = []
    open_: list[int] = []  # from the top-level section down
    for place, section in enumerate(sections):
        name = named.get(place, "")
        asked = answers.get(name, NO_HEADING) != NO_HEADING
        parent = _asked(name, answers[name], open_, names, named) if asked else _kept(section, open_, planned_sections)
        open_ = [*open_[: open_.index(parent) + 1], place] if parent is not None else [place]
        planned_sections.append(replace(section, nodes=list(section.nodes), parent=parent, depth=len(open_)))
    return _without(planned_sections, {names[name] for name, answer in answers.items() if answer == NO_HEADING})


def no_headings(sections: Sequence[PlannedSection], answers: Mapping[str, Place]) -> set[str]:
    """The blocks of the headings that answers call none."""
    names = headings(sections)
    named = [sections[names[name]].heading for name, answer in answers.items() if answer == NO_HEADING]
    return {heading.block.id for heading in named if heading}


def _without(sections: Sequence[PlannedSection], dropped: Set[int]) -> tuple[PlannedSection, ...]:
    """The sections without some headings, which are paragraphs of the section before; what lay below them moves up."""
    planned_sections: list[PlannedSection] = []
    places: dict[int | None, int | None] = {None: None}
    for place, section in enumerate(sections):
        if place in dropped and section.heading:
            if not planned_sections:
                raise BadValue("the first heading of a paper cannot be left out", hint="Leave its row out.")
            planned_sections[-1].nodes += [PlannedNode(DOCO.Paragraph, (section.heading.block,)), *section.nodes]
            places[place] = places[section.parent]
            continue
        parent = places[section.parent]
        places[place] = len(planned_sections)
        planned_sections.append(
            replace(section, parent=parent, depth=1 if parent is None else planned_sections[parent].depth + 1)
        )
    return tuple(planned_sections)


def _kept(section: PlannedSection, open_: Sequence[int], planned_sections: Sequence[PlannedSection]) -> int | None:
    """The parent that a heading has where it was not asked about; the one of its depth where its own is closed."""
    if section.parent is None or section.parent in open_:
        return section.parent
    return next((place for place in reversed(open_) if planned_sections[place].depth < section.depth), None)


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
    """Return the outline as the agent sees it, one line for each heading; "?" marks open positions.

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
    """Return the page, the type size and the first text under a heading."""
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


def amend(plan: Plan, answers: Mapping[Ambiguity, str], outline: Mapping[str, Place] | None = None) -> Plan:
    """Return the plan with each answer in place of the baseline's choice; the given plan stays as it is.

    Answers are candidates of their ambiguities, `outline` is what `nested` takes. The first answer about a float
    counts, so that none gets two captions.
    """
    sections = list(nested(plan.sections, outline or {}))
    for ambiguity, answer in answers.items():
        if answer != ambiguity.candidates[0]:
            _APPLY[ambiguity.question](sections, ambiguity.block, answer)
    return replace(plan, sections=tuple(sections))


def _describes(sections: list[PlannedSection], block: str, answer: str) -> None:
    """Give a caption another float, or none: then it is a paragraph."""
    if answer != NONE and _captions_of(sections, answer) - {block}:
        return
    section, place = _find(sections, block)
    node = section.nodes[place]
    if node.describes:
        _label(sections, node.describes, None)
    if answer == NONE:
        section.nodes[place] = replace(node, cls=DOCO.Paragraph, describes="", label=None)
        return
    label = float_label(node.blocks[0].plain)
    section.nodes[place] = replace(node, cls=DEO.Caption, describes=answer, label=label, continues="")
    _label(sections, answer, node.blocks[0].plain)
    _no_longer_continued(sections, block)


def _caption(sections: list[PlannedSection], block: str, answer: str) -> None:
    """Make a text the caption of a float, or the float the rest of the table before it."""
    if answer.startswith(PART_OF):
        _join(sections, answer.removeprefix(PART_OF), block)
    else:
        _describes(sections, answer, block)


def _join(sections: list[PlannedSection], table: str, rest: str) -> None:
    """Merge two tables into one at the place of the first."""
    later, at = _find(sections, rest)
    if later.heading is None and len(later.nodes) == 1:  # a section without a heading is not left empty
        return
    second = later.nodes.pop(at)
    section, place = _find(sections, table)
    node = section.nodes[place]
    section.nodes[place] = replace(node, blocks=(*node.blocks, *second.blocks))


def _continues(sections: list[PlannedSection], block: str, answer: str) -> None:
    section, place = _find(sections, block)
    node = section.nodes[place]
    if answer == NONE or _class_of(sections, answer) == node.cls == DOCO.Paragraph:
        section.nodes[place] = replace(node, continues="" if answer == NONE else answer)


def _class(sections: list[PlannedSection], block: str, answer: str) -> None:
    section, place = _find(sections, block)
    section.nodes[place] = replace(section.nodes[place], cls=FRONT_CLASSES[answer], continues="")
    _no_longer_continued(sections, block)


def _entry(sections: list[PlannedSection], block: str, answer: str) -> None:
    """Part an entry into one for each block."""
    section, place = _find(sections, block)
    node = section.nodes[place]
    if answer == APART:
        section.nodes[place : place + 1] = [replace(node, blocks=(one,)) for one in node.blocks]


_APPLY: Mapping[str, Callable[[list[PlannedSection], str, str], None]] = {
    "describes": _describes,
    "caption": _caption,
    "continues": _continues,
    "class": _class,
    "entry": _entry,
}


def _find(sections: list[PlannedSection], block: str) -> tuple[PlannedSection, int]:
    """The section and the place in it of the whole node that begins with a block."""
    return next(
        (section, place)
        for section in sections
        for place, node in enumerate(section.nodes)
        if node.blocks[0].id == block and node.start is None
    )


def _class_of(sections: list[PlannedSection], block: str) -> object:
    section, place = _find(sections, block)
    return section.nodes[place].cls


def _captions_of(sections: list[PlannedSection], target: str) -> set[str]:
    return {node.blocks[0].id for section in sections for node in section.nodes if node.describes == target}


def _label(sections: list[PlannedSection], block: str, caption: str | None) -> None:
    """Label a float as its caption does; None takes the label away."""
    section, place = _find(sections, block)
    node: PlannedNode = section.nodes[place]
    if node.cls in FLOATS:
        section.nodes[place] = replace(node, label=float_label(caption) if caption else None)


def _no_longer_continued(sections: list[PlannedSection], block: str) -> None:
    """Drop links to a block that is no longer a paragraph."""
    for section in sections:
        section.nodes[:] = [replace(n, continues="") if n.continues == block else n for n in section.nodes]
