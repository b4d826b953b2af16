"""Options of answering and judging: values only; nothing heavy is imported here."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path

from kag.agents.model.options import OFFLINE, POLICY, ModelOptions
from kag.core.errors import ModelError, SourceError
from kag.core.tool import Approval
from kag.qa.modes import FORMER_MODES, mode_named

KEYS = ("KAG_CHECKER_KEY", "OPENAI_API_KEY")
"""Environment variables of the server's key; the first that is set counts, also where it is set to nothing."""


@dataclass(frozen=True, slots=True)
class CheckerOptions:
    """The checking model: address of its server, its name there, and its own system text if it has one.

    `prompt` is a file with that text; an empty file leaves it to the server. Without one a text of ours is sent.
    """

    url: str
    model: str
    prompt: Path | None = None

    @classmethod
    def read(cls, text: str, prompt: Path | None = None) -> CheckerOptions:
        """The options from `URL#MODEL`; raises `ModelError` for anything else."""
        url, _, model = text.partition("#")
        if not url or not model:
            hint = "Give it as in http://127.0.0.1:8000/v1#bespoke-minicheck."
            raise ModelError(f"{text!r} names no checker", hint=hint)
        return cls(url, model, prompt)


MAX_ITERS = 12


@dataclass(frozen=True, slots=True)
class ReadOptions(ModelOptions):
    """In which mode, asking which model; `checked` fills in the mode where none is given.

    With `judge` the model that answers judges its claims once more, without the question; `checker` names a served
    model that does so instead (`URL#MODEL`), `checker_prompt` a file with the text that it wants before all others.
    With `rerank` a small local model ranks the best passages again. `approve` decides before each call of a tool.
    `database` is the address of one with these papers (`kag push`); questions over many papers may query it by Cypher.
    `vision` is a model that the agent can ask about figures, whose pictures are in `ocr_dir`: the folder the paper was
    indexed from, or a folder of such folders by paper id.
    """

    mode: str = ""
    lm: str = ""
    max_iters: int = field(default=MAX_ITERS, kw_only=True)
    ocr_dir: Path | None = field(default=None, kw_only=True)
    judge: bool = field(default=True, kw_only=True)
    checker: str = field(default="", kw_only=True)
    checker_prompt: Path | None = field(default=None, kw_only=True)
    rerank: bool = field(default=False, kw_only=True)
    approve: Approval | None = field(default=None, kw_only=True)
    database: str = field(default="", kw_only=True)

    @property
    def model(self) -> str:
        """Return the name of the model that is asked, of the policy, or ""."""
        if self.mode == "exact":
            return ""
        return POLICY if self.lm == OFFLINE else self.lm


def checked(options: ReadOptions) -> ReadOptions:
    """The options with their mode filled in; raises `ModelError` or `SourceError` when something needed is missing.

    A mode of an earlier version is taken as today's one, with a `DeprecationWarning`.
    """
    mode = mode_named(options.mode, model=bool(options.lm))
    if options.mode in FORMER_MODES:
        warnings.warn(f"the mode {options.mode} is now called {mode}", DeprecationWarning, stacklevel=2)
    if mode == "agent" and not options.lm:
        raise ModelError(
            "the mode agent asks a model, and none is configured",
            hint="Name one, as anthropic/claude-sonnet-4-5: --lm or KAG_LM, in Python `lm`; exact needs none.",
        )
    if options.checker:
        CheckerOptions.read(options.checker)
    if options.checker_prompt and not options.checker:
        raise ModelError("--checker-prompt is for a checker, and none is named", hint="Name one: --checker URL#MODEL.")
    if options.vision and options.ocr_dir is None:
        hint = "Give --ocr-dir, the folder that the paper was indexed from."
        raise SourceError("--vision needs the pictures, which are not in a run folder", hint=hint)
    return replace(options, mode=mode)
