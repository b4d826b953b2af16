"""How a graph is to be built, as asked for on the command line, and by whom; agents' packages wait until needed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from kag.core.errors import ModelError

if TYPE_CHECKING:
    from kag.core.types import Document
    from kag.indexing.pipeline import Builder, Describer


BuilderName = Literal["baseline", "rlm", "review"]
OFFLINE = "offline"  # how the rule-based policy is asked for
POLICY = "offline-policy/1"  # and what it is called wherever it has been at work

MAX_ITERS = 20
REVIEW_TOKENS = 60_000  # for the review of one paper, where no other limit is given


class Limits(TypedDict, total=False):
    """What a model may take for one paper or one question, as keyword arguments; None is without a limit.

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
    """What models may take for one paper or question; None is without a limit."""

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
    """Which builder, asking which model. `why` says why this builder was chosen."""

    builder: BuilderName = "baseline"
    lm: str = ""
    why: str = "no model configured"
    max_iters: int = field(default=MAX_ITERS, kw_only=True)

    @property
    def token_limit(self) -> int | None:
        """Tokens the model may use for one paper: a review has a limit of its own."""
        return REVIEW_TOKENS if self.max_tokens is None and self.builder == "review" else self.max_tokens

    @property
    def model(self) -> str:
        """The name of who decides: a model, the policy, or nobody."""

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


@dataclass(frozen=True, slots=True)
class ModelMaking(AgentOptions):
    """Papers are built and described as the options say (`kag.indexing.batch.Making`)."""

    def open_builder(self, document: Document, work: Path, *, afresh: bool) -> AbstractContextManager[Builder]:
        """Who builds; raises what `open_model` raises."""
        from kag.indexing.batch import Rules

        if self.builder == "baseline":
            return Rules(self.why).open_builder(document, work, afresh=afresh)
        from kag.agents.build.builders import open_builder

        return open_builder(self, document, work, afresh=afresh)

    def open_describer(
        self, source: Path, figures: Path | None, out_dir: Path
    ) -> AbstractContextManager[Describer | None]:
        """Who describes the figures, if anybody."""
        from kag.indexing.batch import Rules

        if not self.vision:
            return Rules().open_describer(source, figures, out_dir)
        from kag.agents.build.vision import open_describer

        return open_describer(self, source, figures, out_dir)


def making(builder: BuilderName | None, lm: str | None, **given: Any) -> ModelMaking:
    """Who builds and describes, with the builder chosen; raises `ModelError` as `choose_builder` does."""
    chosen, why = choose_builder(builder, lm)
    return ModelMaking(chosen, lm or "", why, **given)
