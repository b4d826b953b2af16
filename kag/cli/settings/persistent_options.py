"""Settings: the options that are habits of a person or a project, and not what one call is about.

A setting is called as its option, without the dashes. It is `shared` where several commands have it and mean the same
by it, and stands at the top of a file (`max-usd = 0.5`, KAG_MAX_USD); each command may have its own in a table
(`[corpus.index]`, KAG_CORPUS_INDEX_VECTORS). All other options are given with the call and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import click

Place = tuple[str, ...]
"""A command by its names: ("corpus", "index"); () is that of shared settings."""

Reach = Literal["folder", "own", "secret"]
"""Who may set it: also a file in the working folder; only the user's own file or variables; variables alone."""

_LIMITS = ("max-usd", "max-tokens", "max-calls", "max-seconds", "max-iters")
_ASKED = ("lm", "mode", "sandbox", "rerank", "judge", "checker", "checker-prompt")
SHARED = frozenset((*_ASKED, *_LIMITS, "corpus", "domain", "embeddings", "host", "allow-host", "language"))
OF_COMMANDS: Mapping[str, str] = {
    "ask": "out-dir",
    "chat": "out-dir",
    "context": "cut edge-label hops max-nodes max-tokens no-route passage-count project",
    "corpus add": "out-dir",
    "corpus export": "format",
    "corpus index": "graph lm vectors",
    "corpus sparql": "endpoint format max-bytes max-rows max-seconds",
    "corpus ask": "format show-query",
    "corpus update": "out-dir",
    "export": "format similar",
    "graph export": "format",
    "graph show": "depth max-nodes",
    "graph subgraph": "cut depth direction edge-label max-nodes",
    "graph validate": "strict",
    "import": "out-dir workers",
    "index": "builder engine layers ocr ocr-model ocr-prompt out-dir paper-mb paper-seconds ray source vision workers",
    "ingest": "mode rounds vectors workers",
    "layers": "builder layers",
    "mcp": "http port source token",
    "plan": "cores machines usd",
    "push": "parameter timeout update",
    "qa": "out-dir vision",
    "report": "max-mb",
    "search": "explain format hops k k-prime max-synonyms min-entities plan references rerank-entities",
    "serve": "log max-upload-mb port token workers",
    "tools": "format",
    "verify": "strict",
}
"""The settings of one command each; where a shared name stands here, the command means something else by it."""

NOT_THERE = frozenset((name, "corpus") for name in ("export", "push", "qa", "search", "verify"))
"""Where a shared name is no setting: these take a corpus in place of runs, and one of both has to be said."""

LEFT_OUT = frozenset({"evaluate", "config", "doctor"})
"""Commands without settings: what is measured, and what looks at settings, is as the call says."""

OWN = frozenset(
    ["allow-host", "checker", "checker-prompt", "embeddings", "endpoint", "host", "ocr", "ocr-model", "ray"]
)
"""Settings that lead texts or questions to another address, or let others in."""

SECRET: Mapping[tuple[Place, str], str] = {
    (("index",), "password"): "KAG_PDF_PASSWORD",
    (("audit",), "password"): "KAG_PDF_PASSWORD",
    (("mcp",), "token"): "KAG_MCP_TOKEN",
    (("serve",), "token"): "KAG_SERVE_TOKEN",
}
"""What is never in a file and never shown, by its variable."""

MODELS = frozenset({"lm", "vision"})
"""Settings that name who is asked: told aloud where a folder's file set them."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option of the command at `place` that can be set elsewhere, as `key`."""

    place: Place
    key: str
    option: click.Option

    @property
    def shared(self) -> bool:
        """Whether it is also set for all commands at once."""
        return self.key in SHARED and self.key not in OF_COMMANDS.get(" ".join(self.place), "").split()

    @property
    def reach(self) -> Reach:
        if (self.place, self.key) in SECRET:
            return "secret"
        return "own" if self.key in OWN else "folder"

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that set it, the first that is there counts."""
        if self.reach == "secret":
            return (SECRET[self.place, self.key],)
        return (variable(self.place, self.key), *((variable((), self.key),) if self.shared else ()))

    @property
    def name(self) -> str:
        """Return the display name: "index.workers"."""
        return ".".join((*self.place, self.key))


def variable(place: Place, key: str) -> str:
    """The variable of a setting.

    >>> variable(("corpus", "index"), "max-usd")
    'KAG_CORPUS_INDEX_MAX_USD'
    """
    return "_".join(("KAG", *place, key)).replace("-", "_").upper()


def key_of(option: click.Option) -> str:
    """Return the key of an option in a file: its long name without dashes."""
    return max(option.opts, key=len).lstrip("-")


def leaves(command: click.Command, place: Place = ()) -> Iterator[tuple[Place, click.Command]]:
    """All commands that do something, each with its place."""
    if isinstance(command, click.Group):
        for name, inner in sorted(command.commands.items()):
            yield from leaves(inner, (*place, name))
    else:
        yield place, command


def settings_of(command: click.Command) -> tuple[Setting, ...]:
    """All settings of a command line, in the order of its commands and their help."""
    settings = []
    for place, leaf in leaves(command):
        if place[0] in LEFT_OUT:
            continue
        name = " ".join(place)
        known = (SHARED | set(OF_COMMANDS.get(name, "").split())) - {key for one, key in NOT_THERE if one == name}
        for option in leaf.params:
            key = key_of(option) if isinstance(option, click.Option) else ""
            if isinstance(option, click.Option) and (key in known or (place, key) in SECRET):
                settings.append(Setting(place, key, option))
    return tuple(settings)
