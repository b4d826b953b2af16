"""Options of ingestion from the command line: values only; nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass, field

from kag.agents.ingest.checking import ROUNDS
from kag.agents.ingest.prompts import prompt_hash
from kag.agents.ingest.values import RULES, Mode
from kag.agents.model.options import OFFLINE, POLICY, ModelOptions
from kag.core.errors import BadValue, ModelError
from kag.kgrag.domain import Domain


@dataclass(frozen=True, slots=True)
class IngestOptions(ModelOptions):
    """Options for reading documents. `record` and `replay` are folders with one file of replies for each document.

    `vectors_at` is where a vector client keeps the passages of `project`, beside the index in files. At most `max_docs`
    documents are read. Without `validate` only the structure is checked, not the rules of the domain.
    """

    mode: Mode = "rule"
    lm: str = ""
    rounds: int = field(default=ROUNDS, kw_only=True)
    vectors: bool = field(default=True, kw_only=True)
    vectors_at: str = field(default="", kw_only=True)
    project: str = field(default="", kw_only=True)
    force: bool = field(default=False, kw_only=True)
    max_docs: int | None = field(default=None, kw_only=True)
    validate: bool = field(default=True, kw_only=True)

    @property
    def model(self) -> str:
        """Return the name of the model that is asked, of the policy, or ""."""
        if self.mode == "rule":
            return ""
        return POLICY if self.lm == OFFLINE else self.lm

    def author(self, domain: Domain) -> str:
        """The reader as it is stored: a rule, or a model with the hash of its prompt."""
        return f"model:{self.model}#{prompt_hash(domain)}" if self.model else RULES


def checked_options(options: IngestOptions) -> IngestOptions:
    """The options, where they go together; raises `ModelError`, `BadValue`."""
    if options.mode != "rule" and not options.lm:
        message = f"the mode {options.mode} asks a model, and none is configured"
        raise ModelError(message, hint="Name one, as anthropic/claude-sonnet-4-5: --lm or KAG_LM; rule needs none.")
    if bool(options.vectors_at) != bool(options.project):
        raise BadValue("a place for vectors and a project go together", hint="Give both --vectors-at and --project.")
    if options.vectors_at and not options.vectors:
        raise BadValue("vectors are to be kept, and none are to be made", hint="Leave out --no-vectors.")
    return options
