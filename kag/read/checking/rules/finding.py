"""What a rule notices: one thing that speaks against a claim."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that speaks against a claim, by the name of the rule.

    `contradicts` says that the evidence has it otherwise; else it does not have it, or not so strongly.
    """

    rule: str
    reason: str
    contradicts: bool = False
