"""Every error kag raises on purpose, drawn as a tree.

    KagError(message, hint)          `code` is a stable slug; `hint` says how to put it right
    |- SourceError                   a paper folder, page or figure cannot be read
    |- RunError                      a run folder is missing, incomplete or in the way
    |- OntologyError                 ontology/ is missing or broken
    |- EvidenceError                 an answer or question file cannot be read
    |- CorpusError                   a corpus is missing or damaged, or a paper cannot go into it
    |  |- CorpusBusy                 somebody else is writing it
    |  `- CorpusReadOnly             it lies where nothing can be written
    |- ConfigError                   a setting in a file or a variable is none, or has a wrong value
    |- QueryError                    a query is refused, broken or over its limits
    |- StoreError                    a store that graphs are pushed to cannot be reached, or refuses
    `- InvalidOperation              the caller can repair these: an agent gets them back as data
       |- UnknownBlock  UnknownNode  UnknownTerm
       |- BadValue                   a literal, span or link that cannot be
       `- NotConforming              finalize_graph before the graph conforms

The axis is who can repair it. An agent gets `{"ok": false, "error", "code", "hint"}`; a person gets
message and hint on stderr and `exit_code`: 1 does not conform, 2 bad input, 3 model or sandbox failure.

Any other error is a bug. Where only an element of a paper is lost by it, the paper is still indexed: the element is
kept as printed and listed under `rescued` in `summary.json`. With `KAG_STRICT`, as in tests, the error is raised.
"""

from __future__ import annotations

import errno
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kag.core.secrets import hide_secrets

BUG = 70
"""Exit code of what nobody expected (EX_SOFTWARE of sysexits.h)."""


class KagError(Exception):
    """An error with a way out. Its words hold no secret, so that they can be shown and kept wherever they go."""

    code = "error"
    exit_code = 2

    def __init__(self, message: str, *, hint: str) -> None:
        self.message = hide_secrets(message)
        self.hint = hide_secrets(hint)
        super().__init__(self.message)

    def __reduce__(self) -> tuple[Callable[..., KagError], tuple[type[KagError], str, str]]:
        return _again, (type(self), self.message, self.hint)


def _again(kind: type[KagError], message: str, hint: str) -> KagError:
    """An error that comes from another process."""
    return kind(message, hint=hint)


class SourceError(KagError):
    """A paper folder, page or figure cannot be read."""

    code = "source"


class RunError(KagError):
    """A run folder is missing, incomplete or in the way."""

    code = "run"


class OntologyError(KagError):
    """A file of ontology/ is missing or broken."""

    code = "ontology"


class EvidenceError(KagError):
    """An answer or question file cannot be read."""

    code = "evidence"


class CorpusError(KagError):
    """A corpus is missing or damaged, or a paper cannot go into it."""

    code = "corpus"


class CorpusBusy(CorpusError):
    """Somebody else is writing the corpus."""

    code = "corpus_busy"


class CorpusReadOnly(CorpusError):
    """The corpus is on a read-only file system."""

    code = "corpus_read_only"


class ConfigError(KagError):
    """A setting in a file or an environment variable is unknown, not allowed there, or has a wrong value."""

    code = "config"


class QueryError(KagError):
    """A query that is refused, that cannot be read, or that goes over its limits."""

    code = "query"


class StoreError(KagError):
    """A store that graphs are pushed to is not reached (`status` 0), or refuses; `goes_on`: this graph alone."""

    code = "store"
    exit_code = 3

    def __init__(self, message: str, *, hint: str, status: int = 0, goes_on: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.status, self.goes_on = status, goes_on


class MissingExtra(KagError):
    """A package that only this query needs is not installed."""

    code = "missing_extra"


@contextmanager
def needed_extra(extra: str) -> Iterator[None]:
    """Raise `MissingExtra` where an import inside finds no package that kag's extra of this name installs."""
    try:
        yield
    except ImportError as error:
        if error.name and error.name.startswith("kag."):
            raise
        message = f"{error.name} is not installed"
        raise MissingExtra(message, hint=f"Run: pip install 'kag-papers[{extra}]'") from error


class ModelError(KagError):
    """A model cannot be reached, refuses, or answers with nothing usable."""

    code = "model"
    exit_code = 3


class BudgetExceeded(ModelError):
    """The run's limit of money, tokens, calls or time is reached."""

    code = "budget"


class SandboxError(KagError):
    """The agent's sandbox cannot start or has died."""

    code = "sandbox"
    exit_code = 3


class InvalidOperation(KagError):
    """The caller asked for something that cannot be; nothing was changed."""

    code = "invalid_operation"


class UnknownBlock(InvalidOperation):
    """No such block in this paper."""

    code = "unknown_block"


class UnknownNode(InvalidOperation):
    """No such node in this graph."""

    code = "unknown_node"


class UnknownTerm(InvalidOperation):
    """The class or property is not in the layer's vocabulary."""

    code = "unknown_term"


class BadValue(InvalidOperation):
    """A literal, span or link that cannot be."""

    code = "bad_value"


class NotConforming(InvalidOperation):
    """The graph breaks its shapes, so it cannot be finished."""

    code = "not_conforming"
    exit_code = 1


STRICT = "KAG_STRICT"
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Rescued:
    """A block or node that a step failed on, empty for all of them; the step, and the type of the error."""

    element: str
    step: str
    problem: str


def rescued(element: str, step: str, error: Exception) -> Rescued:
    """Record the cost of an error; raises it if rescue is off."""
    if os.environ.get(STRICT) or wants_memory(error):
        raise error
    return Rescued(element, step, type(error).__name__)


def wants_memory(error: BaseException) -> bool:
    """Whether there was no memory: libraries that are granted none raise it, or stumble over it with another error."""
    seen: BaseException | None = error
    while seen is not None and not _is_want(seen):
        seen = seen.__cause__ or seen.__context__
    return seen is not None


def _is_want(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def fault(error: BaseException) -> str:
    """An unforeseen error in one line, with the last place in kag that it came through: what a report of it needs."""
    text = f"{type(error).__name__}: {error}"
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_ROOT / "kag")
    ]
    return f"{text} ({Path(own[-1].filename).relative_to(_ROOT).as_posix()}, line {own[-1].lineno})" if own else text
