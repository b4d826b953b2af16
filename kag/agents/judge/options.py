"""Which served model judges claims: values only, nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kag.core.errors import ModelError

KEYS = ("KAG_CHECKER_KEY", "OPENAI_API_KEY")
"""Environment variables of the server's key; the first that is set counts, also where it is set to nothing."""


@dataclass(frozen=True, slots=True)
class CheckerOptions:
    """Where a checking model is: the server's address, the name of the model there, its own system text if it has one.

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
