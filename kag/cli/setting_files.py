"""Options that files and environment variables can set, and these files.

A setting is called as its option, without the dashes. It is `shared` where several commands have it and mean the same
by it, and stands at the top of a file (`max-usd = 0.5`, KAG_MAX_USD); each command may have its own in a table
(`[corpus.index]`, KAG_CORPUS_INDEX_VECTORS). All other options are given with the call and nowhere else. Only these
files are read, the first of which counts where several name the same setting:

    FILE of `kag --config FILE`              (then the next two are not read)
    ./kag.toml                               of the folder that kag is called in, not of those above it
    ./pyproject.toml, its table [tool.kag]
    ~/.config/kag/config.toml                ($XDG_CONFIG_HOME)

The files of the folder may come from elsewhere, for example with an unpacked corpus. They are not read
where they belong to another user, are symbolic links, or lie in a corpus or a run; and not all can be set in them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

from kag.core.errors import ConfigError
from kag.core.files import read_regular, shown

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
"""Settings that name a model: reported when a folder's file sets them."""


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


NAME, PROJECT = "kag.toml", "pyproject.toml"
A_RUN = "knowledge_graph.ttl"  # what tells a run; `kag.indexing.run` says it, too, and takes long to import
LARGEST = 100_000  # bytes; what is larger is no file of settings
WIDEST = 4_000  # characters of a line
_PART = re.compile(r"\"[^\"]*\"|'[^']*'|[\w-]+")
_KEY = rf"(?:{_PART.pattern})(?:\s*\.\s*(?:{_PART.pattern}))*+"
_SETS = re.compile(rf"\s*(?:\[\[?\s*({_KEY})\s*\]|({_KEY})\s*=)")
_QUOTES = re.compile("\"\"\"|'''")
_OURS = re.compile(r"(?m)^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*(?:kag|\"kag\"|'kag')[ \t]*[].]")
_LINE = re.compile(r"line (\d+)")


@dataclass(frozen=True, slots=True)
class File:
    """A file of settings; `trusted` when it is the user's own or was named in the call.

    `tables` are its values by place and key, `lines` where each stands; `root` is the table above them, ("tool", "kag")
    in a pyproject.toml.
    """

    name: str
    tables: Mapping[str, Any]
    lines: Mapping[Place, int]
    trusted: bool
    root: Place = ()

    def at(self, path: Place) -> str:
        """Return the place of a key: "kag.toml:3"."""
        place = (*self.root, *path)
        line = next((line for n in range(len(place), 0, -1) if (line := self.lines.get(place[:n]))), 0)
        return f"{self.name}:{line}" if line else self.name


@dataclass(frozen=True, slots=True)
class Found:
    """The files that count, the first before the others, and why others that are there were not read."""

    files: tuple[File, ...]
    left: tuple[str, ...] = ()


def find_files(named: Path | None = None, folder: Path | None = None) -> Found:
    """The files of settings for a call in `folder`; raises `ConfigError` for one that cannot be read."""
    if named is not None:
        return Found((_read(named, str(named), trusted=True), *_of_user()))
    here = folder or Path()
    files, left = [], []
    for name in (NAME, PROJECT):
        path = here / name
        if not os.path.lexists(path) or (name == PROJECT and not _OURS.search(_project_text(path))):
            continue
        if why := _strange(path):
            left.append(f"{name} of this folder is not read: {why}")
        else:
            files.append(_read(path, name, trusted=False))
    return Found((*files, *_of_user()), tuple(left))


def user_file() -> Path:
    """Return the path of the user's own settings file."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(home) / "kag" / "config.toml"


def _of_user() -> Iterator[File]:
    path = user_file()
    if path.exists():
        yield _read(path.resolve(), str(path), trusted=True)


def _strange(path: Path) -> str:
    """Return why a file of the folder is not trusted, "" if it is."""
    from kag.corpus.layout import Layout

    if path.is_symlink():
        return "it is a symbolic link"
    if hasattr(os, "geteuid") and path.lstat().st_uid not in (os.geteuid(), 0):
        return "it belongs to another user"
    if Layout(path.parent).mark.exists() or (path.parent / A_RUN).exists():
        return "the folder is a corpus or a run, which may come from elsewhere"
    return ""


def _project_text(path: Path) -> str:
    """Read a pyproject.toml; an unreadable one has no settings, because it belongs to another program."""
    try:
        return read_regular(path.resolve(), LARGEST).decode("utf-8")
    except (OSError, ValueError):
        return ""


def _read(path: Path, name: str, *, trusted: bool) -> File:
    root = ("tool", "kag") if path.name == PROJECT else ()
    text = ""
    try:
        text = read_regular(path, LARGEST).decode("utf-8")
        if max(map(len, text.split("\n"))) > WIDEST:
            raise ValueError(f"has a line of more than {WIDEST} characters")
        tables: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        match = _LINE.search(str(error))
        where = f"{name}:{match[1] if match else len(text.splitlines())}"
        raise ConfigError(f"{shown(where)} is not TOML: {error}", hint="Write settings as in max-usd = 0.5.") from error
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{shown(name)} cannot be read: {reason}", hint="Give a text file, UTF-8.") from error
    for part in root:
        tables = tables.get(part, {}) if isinstance(tables, dict) else {}
    if not isinstance(tables, dict):
        raise ConfigError(f"{shown(name)}: tool.kag is not a table", hint="Write [tool.kag] on a line of its own.")
    return File(shown(name), tables, lines_of(text), trusted, root)


def lines_of(text: str) -> dict[Place, int]:
    """The line (from 1) where each key of a TOML text is first set; of an inline table only its own line.

    >>> lines_of('lm = "offline"\\n[corpus.index]\\n# all\\nvectors = true\\n')["corpus", "index", "vectors"]
    4
    """
    found: dict[Place, int] = {}
    table: Place = ()
    quoted = ""  # the quotes of a text over several lines
    for number, line in enumerate(text.split("\n"), start=1):
        begins = not quoted and _SETS.match(line)
        if begins:
            path = tuple(part.strip("\"'") for part in _PART.findall(begins[1] or begins[2]))
            table, path = (path, path) if begins[1] else (table, (*table, *path))
            for length in range(1, len(path) + 1):
                found.setdefault(path[:length], number)
        for mark in _QUOTES.findall(line):
            quoted = "" if quoted == mark else quoted or mark
    return found
