"""Settings files: which are read, their content, and the line of each setting.

Only these, the first of which counts where several name the same setting:

    FILE of `kag --config FILE`              (then the next two are not read)
    ./kag.toml                               of the folder that kag is called in, not of those above it
    ./pyproject.toml, its table [tool.kag]
    ~/.config/kag/config.toml                ($XDG_CONFIG_HOME)

The files of the folder may be a stranger's: somebody may have unpacked a corpus and gone into it. They are not read
where they belong to another user, are symbolic links, or lie in a corpus or a run; and not all can be set in them
(`kag.cli.settings.persistent_options`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.cli.settings.persistent_options import Place
from kag.core.errors import ConfigError
from kag.core.files import read_regular, shown

NAME, PROJECT = "kag.toml", "pyproject.toml"
A_RUN = "knowledge_graph.ttl"  # what tells a run; `kag.indexing.run` says it, too, and takes long to import
LARGEST = 100_000  # bytes; what is larger is no file of settings
WIDEST = 4_000  # characters of a line
LONGEST = 100  # lines of one statement whose lines are looked for
DEEPEST = 5  # tables in one another
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
        line = self.lines.get((*self.root, *path))
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
    """Why a file of the folder is taken for a stranger's; empty where it is not."""
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
    """Return the line (from 1) of each key's first occurrence in a valid TOML text.

    Empty for a text with a statement of more than `LONGEST` lines, since each line of one costs another reading of it.

    >>> lines_of('lm = "offline"\\n[corpus.index]\\n# all\\nvectors = true\\n')["corpus", "index", "vectors"]
    4
    """
    found: dict[Place, int] = {}
    table: Place = ()
    begun: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        begun.append(line)
        values = _statement("\n".join((*begun, "")))
        if values is None:
            if len(begun) == LONGEST:
                return {}
            continue
        paths = list(_paths(values))
        header = bool(paths) and begun[-1].lstrip().startswith("[")
        table = paths[-1] if header else table
        for path in paths:
            found.setdefault(path if header else (*table, *path), number - len(begun) + 1)
        begun = []
    return found


def _statement(text: str) -> dict[str, Any] | None:
    """Parse some lines; None if they end within a statement."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _paths(value: Mapping[str, Any], above: Place = ()) -> Iterator[Place]:
    """All keys of a table, and those of the tables in it."""
    for name, inner in value.items():
        yield (*above, name)
        if isinstance(inner, dict) and len(above) < DEEPEST:
            yield from _paths(inner, (*above, name))
