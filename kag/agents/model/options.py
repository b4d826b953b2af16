"""Options of the builder from the command line: values only; nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from kag.core.errors import ModelError

if TYPE_CHECKING:
    pass


BuilderName = Literal["baseline", "rlm", "review"]
OFFLINE = "offline"  # how the rule-based policy is asked for
POLICY = "offline-policy/1"  # and what it is called wherever it has been at work

MAX_ITERS = 20
REVIEW_TOKENS = 60_000  # for the review of one paper, where no other limit is given


class Limits(TypedDict, total=False):
    """Limits of a model for one paper or one question, as keyword arguments; None is no limit.

    `max_iters` are an agent's steps, `sandbox` is where the code that it writes runs.
    """

    max_usd: float | None
    max_tokens: int | None
    max_calls: int | None
    max_seconds: float | None
    max_iters: int
    sandbox: Literal["monty", "deno"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Limits of models for one paper or question; None is no limit."""

    max_usd: float | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    max_seconds: float | None = None

    @property
    def token_limit(self) -> int | None:
        """Tokens that a model may use for one paper or question."""
        return self.max_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(Spending):
    """In which sandbox, within which limits, with which calls on record.

    `record` and `replay` are files of recorded calls, `vision` is a model that sees figures.
    """

    sandbox: Literal["monty", "deno"] = "monty"
    record: Path | None = None
    replay: Path | None = None
    vision: str = ""


@dataclass(frozen=True, slots=True)
class AgentOptions(ModelOptions):
    """The builder and its model. `why` says why this builder was chosen."""

    builder: BuilderName = "baseline"
    lm: str = ""
    why: str = "no model configured"
    max_iters: int = field(default=MAX_ITERS, kw_only=True)

    @property
    def token_limit(self) -> int | None:
        """Return the token limit of the model for one paper; a review has a limit of its own."""
        return REVIEW_TOKENS if self.max_tokens is None and self.builder == "review" else self.max_tokens

    @property
    def model(self) -> str:
        """Return the name of the model that decides, of the policy, or ""."""

        if self.builder == "baseline":
            return ""
        return POLICY if self.lm == OFFLINE else self.lm


def choose_builder(asked: BuilderName | None, lm: str | None) -> tuple[BuilderName, str]:
    """Return the builder and the reason for it: the one asked for, else rlm with a model and the baseline without.

    Raises `ModelError` when the builder asked for needs a model and there is none.
    """
    if asked in ("rlm", "review") and not lm:
        raise ModelError(
            f"the builder {asked} asks a model, and none is configured",
            hint="Name one, such as anthropic/claude-sonnet-4-5 or offline: --lm or KAG_LM, in Python `lm`.",
        )
    if asked:
        return asked, "asked for"
    return ("rlm", f"a model is configured: {lm}") if lm else ("baseline", "no model configured")
