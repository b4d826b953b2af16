"""Which rung answers a question: rules, one reading of the whole paper, or the agent. The cheapest that will do.

A question never costs more than reading the paper once, unless the agent is asked for by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from kag.values.evidence import EXACT, Answer

RungName = Literal["extractive", "single", "agent"]
Mode = Literal["auto", "extractive", "single", "agent"]
MODES: tuple[Mode, ...] = get_args(Mode)

FIXED_TOKENS = 10_000  # instructions, question, two replies and one repair, beside the paper
REPLY_TOKENS = 3_000  # of one reply
WINDOW_TOKENS = 120_000  # of paper that a model is given at once


@dataclass(frozen=True, slots=True)
class Rung:
    """Who answers, why, and with how many tokens (prompts and replies together) at most; None is no bound."""

    name: RungName
    why: str
    tokens: int | None = None


def choose(mode: Mode, extractive: Answer, paper_tokens: int | None, max_tokens: int | None = None) -> Rung:
    """The rung for a question whose extractive answer is known; `max_tokens` is the user's limit.

    `auto` keeps an answer of the rules that is data (a list, a number, a name) and sure. `paper_tokens` is None for
    many papers: a single reading of them is not to be had, and a question costs no more than the longest single one.
    """
    once = (WINDOW_TOKENS if paper_tokens is None else paper_tokens) + FIXED_TOKENS
    limit = once if max_tokens is None else min(once, max_tokens)
    if mode == "extractive":
        return Rung("extractive", "asked for")
    if mode == "agent":
        return Rung("agent", "asked for", max_tokens)
    if mode == "auto" and is_sure(extractive):
        return Rung("extractive", "the graph answers it")
    if paper_tokens is None:
        return Rung("agent", "many papers are not read in one call", limit)
    if mode == "single":
        return Rung("single", "asked for", limit)
    if paper_tokens <= WINDOW_TOKENS and once <= limit:
        return Rung("single", f"the paper fits: about {paper_tokens} tokens", limit)
    return Rung("agent", f"the paper is too long for one call: about {paper_tokens} tokens", limit)


def is_sure(answer: Answer) -> bool:
    """Whether the graph answers exactly: such an answer stands, and no model is asked."""
    return answer.mode == EXACT
