"""Options that files and environment variables can set, and these files (values: `kag.cli.setting_values`).

A setting is called as its option, without the dashes. It is `shared` where several commands mean the same by it, and
stands at the top of a file (`max-usd = 0.5`, KAG_MAX_USD); each command may have its own in a table (`[corpus.index]`,
KAG_CORPUS_INDEX_VECTORS). Of these files the first counts:

    FILE of `kag --config FILE`              (then the next two are not read)
    ./kag.toml, then [tool.kag] of ./pyproject.toml
    ~/.config/kag/config.toml                ($XDG_CONFIG_HOME)

The files of the folder may come from elsewhere, for example with an unpacked corpus: not all can be set in them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kag.core.errors import ConfigError
from kag.core.files import read_regular, shown

Place = tuple[str, ...]
"""A command by its names: ("corpus", "index"); () is that of shared settings."""

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
    def secret(self) -> bool:
        """Whether only a variable sets it, and nothing shows it."""
        return (self.place, self.key) in SECRET

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that set it, the first that is there counts."""
        if self.secret:
            return (SECRET[self.place, self.key],)
        return (variable(self.place, self.key), *((variable((), self.key),) if self.shared else ()))


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
        name = " ".join(place)
        known = (SHARED | set(OF_COMMANDS.get(name, "").split())) - {key for one, key in NOT_THERE if one == name}
        options = [option for option in leaf.params if isinstance(option, click.Option) and place[0] not in LEFT_OUT]
        settings += [
            Setting(place, key, option)
            for option in options
            if (key := key_of(option)) in known or (place, key) in SECRET
        ]
    return tuple(settings)


# files ----------------------------------------------------------------------------------------

NAME, PROJECT = "kag.toml", "pyproject.toml"
A_RUN = "knowledge_graph.ttl"  # in each run; `kag.indexing.run` has the name, too, and takes long to import
LARGEST = 100_000  # bytes; what is larger is no file of settings
WIDEST = 4_000  # characters of a line
_KEY = re.compile(r"[\w.\"' -]+")
_QUOTES = re.compile("\"\"\"|'''")
_OURS = re.compile(r"(?m)^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*(?:kag|\"kag\"|'kag')[ \t]*[].]")


@dataclass(frozen=True, slots=True)
class File:
    """A file of settings; `trusted` when it is the user's own or was named in the call.

    `tables` are its values, `text` it itself; `root` is the table above them, ("tool", "kag") in a pyproject.toml.
    """

    name: str
    tables: Mapping[str, Any]
    text: str
    trusted: bool
    root: Place = ()

    def at(self, path: Place) -> str:
        """Return the place of a key: "kag.toml:3"."""
        place, lines = (*self.root, *path), lines_of(self.text)
        line = next((line for n in range(len(place), 0, -1) if (line := lines.get(place[:n]))), 0)
        return f"{self.name}:{line}" if line else self.name


def find_files(named: Path | None = None) -> tuple[tuple[File, ...], tuple[str, ...]]:
    """The files of settings for a call, the first before the others, and why others that are there were not read.

    Raises `ConfigError` for one that cannot be read.
    """
    files, left = [], []
    if named is not None:
        files.append(_read(named, str(named), trusted=True))
    for path in () if named else (Path(NAME), Path(PROJECT)):
        if not os.path.lexists(path) or (path.name == PROJECT and not _OURS.search(_project_text(path))):
            continue
        if why := _strange(path):
            left.append(f"{path} of this folder is not read: {why}")
        else:
            files.append(_read(path, path.name, trusted=False))
    if user_file().exists():
        files.append(_read(user_file().resolve(), str(user_file()), trusted=True))
    return tuple(files), tuple(left)


def user_file() -> Path:
    """Return the path of the user's own settings file."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(home) / "kag" / "config.toml"


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
    root, text = ("tool", "kag") if path.name == PROJECT else (), ""
    try:
        text = read_regular(path, LARGEST).decode("utf-8")
        if max(map(len, text.split("\n"))) > WIDEST:
            raise ValueError(f"has a line of more than {WIDEST} characters")
        tables: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        match = re.search(r"line (\d+)", str(error))
        where = f"{name}:{match[1] if match else len(text.splitlines())}"
        raise ConfigError(f"{shown(where)} is not TOML: {error}", hint="Write settings as in max-usd = 0.5.") from error
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{shown(name)} cannot be read: {reason}", hint="Give a text file, UTF-8.") from error
    for part in root:
        tables = tables.get(part, {}) if isinstance(tables, dict) else {}
    if not isinstance(tables, dict):
        raise ConfigError(f"{shown(name)}: tool.kag is not a table", hint="Write [tool.kag] on a line of its own.")
    return File(shown(name), tables, text, trusted, root)


def lines_of(text: str) -> dict[Place, int]:
    """The line (from 1) where each key of a TOML text is first set; of an inline table only its own line.

    >>> lines_of('lm = "offline"\\n[corpus.index]\\n# all\\nvectors = true\\n')["corpus", "index", "vectors"]
    4
    """
    lines: dict[Place, int] = {}
    table: Place = ()
    quoted = ""  # the quotes of a text over several lines
    for number, line in enumerate(text.split("\n"), start=1):
        heads = line.lstrip().startswith("[")
        key = line.strip().strip("[]") if heads else line.partition("=")[0]
        if (
            not quoted
            and ("=" in line or heads)
            and _KEY.fullmatch(key)
            and key.count('"') % 2 == key.count("'") % 2 == 0
        ):
            path = tuple(part.strip(" \"'") for part in key.split("."))
            table, path = (path, path) if heads else (table, (*table, *path))
            for length in range(1, len(path) + 1):
                lines.setdefault(path[:length], number)
        for mark in _QUOTES.findall(line):
            quoted = "" if quoted == mark else quoted or mark
    return lines
