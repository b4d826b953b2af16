"""Modes of answering: an agent with a model, or the graph and its passages alone."""

from __future__ import annotations

from typing import Literal, get_args

from kag.core.errors import BadValue
from kag.core.evidence import EXACT, Answer

Mode = Literal["agent", "exact"]
MODES: tuple[Mode, ...] = get_args(Mode)


def mode_named(name: str, *, model: bool) -> Mode:
    """Return the mode of a name; "" is the agent where there is a model, else exact. Raises `BadValue`.

    >>> mode_named("", model=True), mode_named("", model=False)
    ('agent', 'exact')
    """
    if not name:
        return "agent" if model else "exact"
    if name not in MODES:
        raise BadValue(f"there is no mode {name[:40]!r}", hint=f"Modes: {', '.join(MODES)}.")
    return name


def is_certain(answer: Answer) -> bool:
    """Whether the graph's answer is exact: such an answer needs no model."""
    return answer.mode == EXACT
