"""How questions are to be answered, as asked for on the command line: values only, nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from kag.agents.judge.options import CheckerOptions
from kag.agents.model.options import OFFLINE, POLICY, ModelOptions
from kag.read.router import Mode
from kag.values.errors import ModelError, SourceError

MAX_ITERS = 12


@dataclass(frozen=True, slots=True)
class ReadOptions(ModelOptions):
    """Which rungs, asking which model.

    With `judge` the model that answers judges its claims once more, without the question; `checker` names a served
    model that does so instead (`URL#MODEL`), `checker_prompt` a file with the text that it wants before all others.
    With `rerank` the rules have their best sentences read again, together with the question, by a small local model.
    `vision` is a model that the agent can ask about figures, whose pictures are in `ocr_dir`: the folder the paper was
    indexed from, or a folder of such folders by paper id.
    """

    mode: Mode = "auto"
    lm: str = ""
    max_iters: int = field(default=MAX_ITERS, kw_only=True)
    ocr_dir: Path | None = field(default=None, kw_only=True)
    judge: bool = field(default=True, kw_only=True)
    checker: str = field(default="", kw_only=True)
    checker_prompt: Path | None = field(default=None, kw_only=True)
    rerank: bool = field(default=False, kw_only=True)

    @property
    def model(self) -> str:
        """The name of who is asked: a model, the policy, or nobody."""
        if self.mode == "extractive":
            return ""
        return POLICY if self.lm == OFFLINE else self.lm


def checked(options: ReadOptions) -> ReadOptions:
    """The options, when they go together; raises `ModelError` or `SourceError` when something needed is missing."""
    if options.mode in ("single", "agent") and not options.lm:
        raise ModelError(
            f"the mode {options.mode} asks a model, and none is configured",
            hint="Name one, as anthropic/claude-sonnet-4-5: --lm or KAG_LM, in Python `model`; extractive needs none.",
        )
    if options.lm == OFFLINE and options.mode == "single":
        raise ModelError("the offline policy cannot read a paper as a whole", hint="Take mode agent with it.")
    if options.checker:
        CheckerOptions.read(options.checker)
    if options.checker_prompt and not options.checker:
        raise ModelError("--checker-prompt is for a checker, and none is named", hint="Name one: --checker URL#MODEL.")
    if options.vision and options.ocr_dir is None:
        hint = "Give --ocr-dir, the folder that the paper was indexed from."
        raise SourceError("--vision needs the pictures, which are not in a run folder", hint=hint)
    # The policy has rules for the agent loop only.
    return replace(options, mode="agent") if options.lm == OFFLINE and options.mode == "auto" else options
