"""A plan with doubts decided: the answers carried into the plan before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kag.agents.build.doubts import APART, FLOATS, FRONT_CLASSES, NONE, PAPER, Doubt, section_name
from kag.rdf.namespaces import DEO, DOCO
from kag.write.build_plan import Plan, PlannedNode, PlannedSection
from kag.write.structure.floats import float_label


def amend(plan: Plan, answers: Mapping[Doubt, str]) -> Plan:
    """The plan with each answer in the place of the baseline's choice; the plan given stays as it is.

    Answers are candidates of their doubts. The first answer about a float counts, so that none gets two captions.
    """
    sections = [replace(section, nodes=list(section.nodes)) for section in plan.sections]
    for doubt, answer in answers.items():
        if answer != doubt.candidates[0]:
            _APPLY[doubt.question](sections, doubt.block, answer)
    return replace(plan, sections=tuple(sections))


def _parent(sections: list[PlannedSection], block: str, answer: str) -> None:
    """Move a section; the depths below it follow."""
    names = {section_name(section): place for place, section in enumerate(sections)}
    moved = next(place for place, s in enumerate(sections) if s.heading and s.heading.block.id == block)
    sections[moved].parent = None if answer == PAPER else names[answer]
    for section in sections:  # a parent stands before its children
        section.depth = 1 if section.parent is None else sections[section.parent].depth + 1


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
    """Make a text the caption of a float."""
    _describes(sections, answer, block)


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
    "parent": _parent,
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
    """What is no paragraph is continued by none."""
    for section in sections:
        section.nodes[:] = [replace(n, continues="") if n.continues == block else n for n in section.nodes]
