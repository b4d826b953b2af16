"""A plan with ambiguities decided: the answers carried into the plan before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kag.agents.build.ambiguities import APART, FLOATS, FRONT_CLASSES, NONE, PART_OF, Ambiguity
from kag.agents.build.outline import Place, nested
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection
from kag.indexing.structure.floats import float_label
from kag.rdf.namespaces import DEO, DOCO


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
    """Make two tables one, which stands where the first is."""
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
    """What is no paragraph is continued by none."""
    for section in sections:
        section.nodes[:] = [replace(n, continues="") if n.continues == block else n for n in section.nodes]
