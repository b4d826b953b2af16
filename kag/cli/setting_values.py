"""Values of settings by their order of precedence, checked: flags, then variables, then files, then defaults.

Within one of these a command's own value comes before that for all. Values become click's default map. Wrong keys and
values are errors that name the file, the line and the nearest right key, whatever command is called.
"""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import click

from kag.cli.doctor import KEYS
from kag.cli.settings import MODELS, OWN, File, Place, Setting, variable
from kag.core.errors import ConfigError
from kag.core.files import shown
from kag.core.secrets import hold_secrets_of

OTHERS = frozenset({"KAG_CONFIG", "KAG_TRACEBACK", "KAG_STRICT", *KEYS})
"""Variables that are no settings: keys, where the settings are, and two for who works on kag itself."""

PASSED_ON = "embeddings"  # also what opens a corpus asks for it, and processes that are started
_MODEL = re.compile(r"offline|(?!.*//)[A-Za-z0-9][\w.-]*/[\w.:/@-]+")


@dataclass(frozen=True, slots=True)
class Value:
    """A setting and its place: `place` is () for all commands; `trusted` is False for a file of the working folder, and
    `against` is then the place where the user set another value."""

    value: Any = field(repr=False)
    origin: str
    place: Place = ()
    trusted: bool = True
    against: str = ""


@dataclass(frozen=True, slots=True)
class Configured:
    """All settings of a command line with their values, where some place gives one.

    `unknown` are variables KAG_* that set nothing, each with the nearest one that does; `left` files not read.
    """

    settings: Sequence[Setting]
    values: Mapping[tuple[Place, str], Value]
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def default_map(self, report: Callable[[str], object]) -> dict[str, Any]:
        """Return click's defaults by command and parameter; a model named in a folder's file, and values that override
        the user's own file, are reported when used."""
        defaults: dict[str, Any] = {}
        for setting in self.settings:
            value = self.values.get((setting.place, setting.key))
            if value is not None:
                table = defaults
                for name in setting.place:
                    table = table.setdefault(name, {})
                noted = not value.trusted and (setting.key in MODELS or value.against)
                table[str(setting.option.name)] = _reported(setting.key, value, report) if noted else value.value
        return defaults


def configured(
    settings: Sequence[Setting], files: Sequence[File], left: tuple[str, ...], environment: Mapping[str, str]
) -> Configured:
    """The settings by order of precedence; raises `ConfigError`."""
    tables = [_entries(file, settings) for file in files]
    values = {}
    for setting in settings:
        layers = (_of_environment(setting, environment), *(_of_file(setting, table) for table in tables))
        stated = [value for value in layers if value]
        if stated:
            first = stated[0]
            other = next((one.origin for one in stated if one.trusted and one.value != first.value), "")
            values[setting.place, setting.key] = replace(first, against="" if first.trusted else other)
    names = tuple(file.name for file in files)
    return Configured(settings, values, names, left, tuple(_unknown(settings, environment)))


def _reported(key: str, value: Value, report: Callable[[str], object]) -> Callable[[], Any]:
    """A default that is reported when it is first used."""
    names = value.value if isinstance(value.value, list) else [value.value]
    against = f", not as {value.against} says" if value.against else ""
    messages = [f"{key} is {', '.join(map(str, names))}, by {value.origin}{against}"]

    def take() -> Any:
        while messages:
            report(messages.pop())
        return value.value

    return take


def _of_environment(setting: Setting, environment: Mapping[str, str]) -> Value | None:
    for name in setting.variables:
        if text := environment.get(name, ""):
            words: Any = setting.option.type.split_envvar_value(text) if setting.option.multiple else text
            value = _convert(setting, words, name, f"Set {name} to another value, or unset it.")
            plain = value if isinstance(value, bool | int | float) else words
            return Value(plain, name, () if setting.shared and name == variable((), setting.key) else setting.place)
    return None


def _of_file(setting: Setting, entries: Mapping[tuple[Place, str], Value]) -> Value | None:
    """The command's own value, or that for all."""
    entry = entries.get((setting.place, setting.key)) or (entries.get(((), setting.key)) if setting.shared else None)
    if entry and setting.option.multiple and not isinstance(entry.value, list):
        return replace(entry, value=[entry.value])
    return entry


def _entries(file: File, settings: Sequence[Setting]) -> dict[tuple[Place, str], Value]:
    """Return the settings of a file by place and key; raises `ConfigError` for unknown ones."""
    entries: dict[tuple[Place, str], Value] = {}
    places = {setting.place[:length] for setting in settings for length in range(1, len(setting.place) + 1)}

    def walk(table: Mapping[str, Any], place: Place) -> None:
        here = [setting for setting in settings if (setting.place == place if place else setting.shared)]
        known = {setting.key: setting for setting in reversed(here)}  # of a shared one what the first command takes
        for name, value in table.items():
            if (*place, name) in places and isinstance(value, dict):
                walk(value, (*place, name))
            elif name in known:
                entries[place, name] = _checked(known[name], value, file, (*place, name))
            else:
                raise _no_setting(file, (*place, name), value, known, places)

    walk(file.tables, ())
    return entries


def _no_setting(file: File, path: Place, value: Any, known: Mapping[str, Setting], places: set[Place]) -> ConfigError:
    """The error for a key that is none, with the nearest that is."""
    *place, name = path
    if path in places:
        message = f"{name} is a command, and {_kind(value)} is not a setting of it"
        hint = f"Write its settings below a line [{'.'.join((*file.root, *path))}]."
        return ConfigError(f"{file.at(path)}: {message}", hint=hint)
    tables = sorted(one[-1] for one in places if one[:-1] == tuple(place))
    near = difflib.get_close_matches(name.replace("_", "-"), [*known, *tables], 1, 0.6)
    takes = sorted(key for key, setting in known.items() if not setting.secret)
    hint = f"There are {', '.join(takes or tables)}; `kag config show --all` lists all."
    if near:
        hint = f"Did you mean {near[0]}?"
    if re.search("key|token|secret|passw|credential", name, re.IGNORECASE):
        hint = "Keys, tokens and passwords are never read from a file: set them in the environment."
    where = f"in [{'.'.join(place)}]" if place else "for all commands"
    return ConfigError(f"{file.at(path)}: there is no setting {shown(name)[:60]!r} {where}", hint=hint)


def _checked(setting: Setting, value: Any, file: File, path: Place) -> Value:
    """A value of a file, of the right type and allowed there."""
    where, key = file.at(path), setting.key
    if setting.secret:
        raise ConfigError(f"{where}: {key} is never read from a file", hint=f"Set {setting.variables[0]} instead.")
    if not file.trusted and (why := _not_of_a_folder(setting, value)):
        names = f"{setting.variables[-1]} or in your own file (`kag config show` names it)"
        raise ConfigError(f"{where}: {key} {why}", hint=f"Give --{key}, or set it by {names}.")
    values = value if setting.option.multiple and isinstance(value, list) else [value]
    example = f"Write {key} = {_example(setting.option)}."
    for each in values:
        if wrong := _wrong_type(setting.option.type, each):
            raise ConfigError(f"{where}: {key} is {wrong}", hint=example)
    _convert(setting, values if setting.option.multiple else value, where, example)
    if key in OWN:
        hold_secrets_of(str(value))
    return Value(value, where, path[:-1], file.trusted)


def _not_of_a_folder(setting: Setting, value: Any) -> str:
    """Return why a file of the working folder, which may come from elsewhere, may not set this; "" if it may."""
    if setting.key in OWN:
        return "leads to another address or lets others in, and is not taken from a file of the working folder"
    texts = [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]
    if setting.key in MODELS and not all(_MODEL.fullmatch(text) for text in texts if text):
        return "names code or an address, and is not taken from a file of the working folder"
    if isinstance(setting.option.type, click.Path) and any(_outside(text) for text in texts):
        return "leads out of the working folder, and is not taken from a file there"
    return ""


def _outside(path: str) -> bool:
    parts = re.split(r"[/\\]", path)
    return ".." in parts or os.path.isabs(path) or path.startswith("~") or ":" in parts[0]


_WANTED: tuple[tuple[type[Any], tuple[type, ...], str], ...] = (
    (click.types.BoolParamType, (bool,), "true or false"),
    (click.types.IntParamType, (int,), "a whole number"),
    (click.types.FloatParamType, (int, float), "a finite number"),
    (click.ParamType, (str,), "a text"),
)


def _wrong_type(kind: Any, value: Any) -> str:
    """Return the type of a value if it is not the TOML type of its option, else ""."""
    types, wanted = next((types, wanted) for option, types, wanted in _WANTED if isinstance(kind, option))
    if isinstance(value, str) and "\0" in value:
        return "a text where one without the sign NUL is expected"
    fits = isinstance(value, types) and (bool in types or not isinstance(value, bool))
    fits = fits and (not isinstance(value, float) or math.isfinite(value))
    return "" if fits else f"{_kind(value)} where {wanted} is expected"


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list"}
    return {**kinds, dict: "a table"}.get(type(value), "a date")


def _convert(setting: Setting, value: Any, where: str, hint: str) -> Any:
    """The value as the option takes it; raises `ConfigError` where it does not."""
    try:
        return setting.option.type_cast_value(click.Context(click.Command(setting.place[-1])), value)
    except click.BadParameter as error:
        raise ConfigError(f"{where}: {setting.key}: {error.message}", hint=hint) from error


def _example(option: click.Option) -> str:
    kind = option.type
    if isinstance(kind, click.types.BoolParamType):
        return "true"
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return str(max(1, int(getattr(kind, "min", None) or 0)))
    text = f'"{kind.choices[0]}"' if isinstance(kind, click.Choice) else '"..."'
    return f"[{text}, {text}]" if option.multiple else text


def _unknown(settings: Sequence[Setting], environment: Mapping[str, str]) -> Iterator[str]:
    """Variables that look like settings and are none."""
    known = {name for setting in settings for name in setting.variables} | OTHERS
    for name in sorted(environment):
        if name.startswith("KAG_") and name not in known:
            near = difflib.get_close_matches(name, sorted(known), 1, 0.75)
            yield f"{name} sets nothing" + (f"; did you mean {near[0]}?" if near else "")
