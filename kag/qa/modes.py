"""Modes of answering: an agent with a model, or the graph and its passages alone."""

from __future__ import annotations

from typing import Literal, cast, get_args

from kag.core.errors import BadValue
from kag.core.evidence import EXACT, Answer

Mode = Literal["agent", "exact"]
MODES: tuple[Mode, ...] = get_args(Mode)
FORMER_MODES: dict[str, Mode] = {"auto": "agent", "single": "agent", "extractive": "exact"}
"""Names of earlier versions, which are accepted until the next one."""


def mode_named(name: str, *, model: bool) -> Mode:
    """Return the mode of a name: today's or a former one; "" is the agent where there is a model, else exact.

    >>> mode_named("", model=True), mode_named("", model=False), mode_named("single", model=True)
    ('agent', 'exact', 'agent')

    Raises `BadValue` for any other name. A former name that only chose the cheapest way needs no model.
    """
    if name in ("", "auto"):
        return "agent" if model else "exact"
    if name not in (*MODES, *FORMER_MODES):
        raise BadValue(f"there is no mode {name[:40]!r}", hint=f"Modes: {', '.join(MODES)}.")
    return FORMER_MODES.get(name) or cast(Mode, name)


def is_certain(answer: Answer) -> bool:
    """Whether the graph's answer is exact: such an answer needs no model."""
    return answer.mode == EXACT
