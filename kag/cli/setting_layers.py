"""One order of precedence: flags, then KAG_* variables, then files (`kag.cli.setting_files`), then defaults.

Within one of these a command's own value comes before that for all commands. What is found becomes click's default map,
so that each option takes its default from there and nowhere else. Wrong keys and values are errors that name the file,
the line and the nearest right key, whatever command is called.
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
from kag.cli.setting_files import MODELS, OWN, File, Found, Place, Setting, variable
from kag.core.errors import ConfigError
from kag.core.files import shown
from kag.core.secrets import hold_secrets_of

PASSED_ON = "embeddings"  # also what opens a corpus asks for it, and processes that are started
_KEY = re.compile(r"key|token|secret|passw|credential", re.IGNORECASE)
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

    def default_map(self, tell: Callable[[str], object]) -> dict[str, Any]:
        """Return click's defaults by command and parameter; a model named in a folder's file, and values that override
        the user's own file, are reported when used."""
        found: dict[str, Any] = {}
        for setting in self.settings:
            value = self.values.get((setting.place, setting.key))
            if value is not None:
                table = found
                for name in setting.place:
                    table = table.setdefault(name, {})
                aloud = not value.trusted and (setting.key in MODELS or value.against)
                table[str(setting.option.name)] = _taken(setting, value, tell) if aloud else value.value
        return found


def configured(settings: Sequence[Setting], found: Found, environment: Mapping[str, str]) -> Configured:
    """The settings by their layers; raises `ConfigError`."""
    tables = [_entries(file, settings) for file in found.files]
    values = {}
    for setting in settings:
        layers = (_of_environment(setting, environment), *(_of_file(setting, table) for table in tables))
        if given_layers := [value for value in layers if value]:
            values[setting.place, setting.key] = replace(given_layers[0], against=_against(given_layers))
    files = tuple(file.name for file in found.files)
    return Configured(settings, values, files, found.left, tuple(_unknown(settings, environment)))


def passed_on(configured: Configured) -> dict[str, str]:
    """Return the variables that the user's file sets for libraries that read the environment."""
    values = [value for (_, key), value in configured.values.items() if key == PASSED_ON]
    return {variable((), PASSED_ON): str(value.value) for value in values}


def _against(values: Sequence[Value]) -> str:
    """Return the place where the user set another value than a file of the working folder."""
    first = values[0]
    others = (one.origin for one in values if one.trusted and one.value != first.value)
    return "" if first.trusted else next(others, "")


def _taken(setting: Setting, value: Value, tell: Callable[[str], object]) -> Callable[[], Any]:
    """A default that is reported when it is used."""
    reported: list[bool] = []

    def take() -> Any:
        if not reported:
            reported.append(True)
            names = value.value if isinstance(value.value, list) else [value.value]
            tell(f"{setting.key} is {', '.join(map(str, names))}, by {value.origin}{_not_as(value)}")
        return value.value

    return take


def _not_as(value: Value) -> str:
    return f", not as {value.against} says" if value.against else ""


def _of_environment(setting: Setting, environment: Mapping[str, str]) -> Value | None:
    for name in setting.variables:
        if text := environment.get(name, ""):
            split = setting.option.multiple
            given: Any = setting.option.type.split_envvar_value(text) if split else text
            value = _convert(setting, given, name, f"Set {name} to another value, or unset it.")
            plain = value if isinstance(value, bool | int | float) else given
            return Value(plain, name, () if setting.shared and name == variable((), setting.key) else setting.place)
    return None


def _of_file(setting: Setting, entries: Mapping[tuple[Place, str], Value]) -> Value | None:
    """The command's own value, or that for all."""
    found = entries.get((setting.place, setting.key)) or (entries.get(((), setting.key)) if setting.shared else None)
    if found and setting.option.multiple and not isinstance(found.value, list):
        return replace(found, value=[found.value])
    return found


def _entries(file: File, settings: Sequence[Setting]) -> dict[tuple[Place, str], Value]:
    """Return the settings of a file by place and key; raises `ConfigError` for unknown ones."""
    found: dict[tuple[Place, str], Value] = {}
    places = {setting.place[:length] for setting in settings for length in range(1, len(setting.place) + 1)}

    def walk(table: Mapping[str, Any], place: Place) -> None:
        here = [setting for setting in settings if (setting.place == place if place else setting.shared)]
        known = {setting.key: setting for setting in reversed(here)}  # of a shared one what the first command takes
        for name, value in table.items():
            if (*place, name) in places and isinstance(value, dict):
                walk(value, (*place, name))
            elif name in known:
                found[place, name] = _checked(known[name], value, file, (*place, name))
            else:
                raise _no_setting(file, (*place, name), value, known, places)

    walk(file.tables, ())
    return found


def _no_setting(file: File, path: Place, value: Any, known: Mapping[str, Setting], places: set[Place]) -> ConfigError:
    """The error for a key that is none, with the nearest that is."""
    *place, name = path
    if path in places:
        hint = f"Write its settings below a line [{'.'.join((*file.root, *path))}]."
        return ConfigError(
            f"{file.at(path)}: {name} is a command, and {_word(value)} is not a setting of it", hint=hint
        )
    tables = [one[-1] for one in places if one[:-1] == tuple(place)]
    near = difflib.get_close_matches(name.replace("_", "-"), [*known, *tables], 1, 0.6)
    where = f"in [{'.'.join(place)}]" if place else "for all commands"
    takes = sorted(key for key, setting in known.items() if setting.reach != "secret")
    there = f"There are {', '.join(takes)}" if takes else f"There are {', '.join(sorted(tables))}"
    hint = f"Did you mean {near[0]}?" if near else f"{there}; `kag config show --all` lists all."
    if _KEY.search(name):
        hint = "Keys, tokens and passwords are never read from a file: set them in the environment."
    return ConfigError(f"{file.at(path)}: there is no setting {shown(name)[:60]!r} {where}", hint=hint)


def _checked(setting: Setting, value: Any, file: File, path: Place) -> Value:
    """A value of a file, of the right type and allowed there."""
    where = file.at(path)
    if setting.reach == "secret":
        raise ConfigError(
            f"{where}: {setting.key} is never read from a file", hint=f"Set {setting.variables[0]} instead."
        )
    if not file.trusted and (why := _not_of_a_folder(setting, value)):
        names = f"{setting.variables[-1]} or in your own file (`kag config show` names it)"
        raise ConfigError(f"{where}: {setting.key} {why}", hint=f"Give --{setting.key}, or set it by {names}.")
    values = value if setting.option.multiple and isinstance(value, list) else [value]
    for each in values:
        if wrong := _wrong_type(setting.option, each):
            raise ConfigError(f"{where}: {setting.key} is {wrong}", hint=f"Write {_example(setting)}.")
    _convert(setting, values if setting.option.multiple else value, where, f"Write {_example(setting)}.")
    if setting.key in OWN:
        hold_secrets_of(str(value))
    return Value(value, where, path[:-1], file.trusted)


def _not_of_a_folder(setting: Setting, value: Any) -> str:
    """Return why a file of the working folder, which may come from elsewhere, may not set this; "" if it may."""
    if setting.reach == "own":
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


def _wrong_type(option: click.Option, value: Any) -> str:
    """Return the type of a value if it is not the TOML type of its option, else ""."""
    kind = option.type
    if isinstance(kind, click.types.BoolParamType):
        wanted, fits = "true or false", isinstance(value, bool)
    elif isinstance(kind, click.types.IntParamType):
        wanted, fits = "a whole number", isinstance(value, int) and not isinstance(value, bool)
    elif isinstance(kind, click.types.FloatParamType):
        fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        wanted = "a finite number"
    elif isinstance(value, str) and "\0" in value:
        wanted, fits = "one without the sign NUL", False
    else:
        wanted, fits = "a text", isinstance(value, str)
    return "" if fits else f"{_word(value)} where {wanted} is expected"


def _word(value: Any) -> str:
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list"}
    return {**kinds, dict: "a table"}.get(type(value), "a date")


def _convert(setting: Setting, value: Any, where: str, hint: str) -> Any:
    """The value as the option takes it; raises `ConfigError` where it does not."""
    try:
        return setting.option.type_cast_value(click.Context(click.Command(setting.place[-1])), value)
    except click.BadParameter as error:
        raise ConfigError(f"{where}: {setting.key}: {error.message}", hint=hint) from error


def _example(setting: Setting) -> str:
    kind = setting.option.type
    if isinstance(kind, click.Choice):
        return f'{setting.key} = "{kind.choices[0]}"'
    if isinstance(kind, click.types.BoolParamType):
        return f"{setting.key} = true"
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        least = getattr(kind, "min", None)
        return f"{setting.key} = {max(1, int(least or 0))}"
    return f'{setting.key} = ["...", "..."]' if setting.option.multiple else f'{setting.key} = "..."'


def _unknown(settings: Sequence[Setting], environment: Mapping[str, str]) -> Iterator[str]:
    """Variables that look like settings and are none."""
    known = {name for setting in settings for name in setting.variables} | OTHERS
    for name in sorted(environment):
        if name.startswith("KAG_") and name not in known:
            near = difflib.get_close_matches(name, sorted(known), 1, 0.75)
            yield f"{name} sets nothing" + (f"; did you mean {near[0]}?" if near else "")


OTHERS = frozenset({"KAG_CONFIG", "KAG_TRACEBACK", "KAG_STRICT", *KEYS})
"""Variables that are no settings: keys, where the settings are, and two for who works on kag itself."""
