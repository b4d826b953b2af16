"""`kag config`: the settings for a call in this folder and where each comes from; the defaults of all options."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from kag.cli.groups import Suggesting
from kag.cli.options import json_option
from kag.cli.setting_values import PASSED_ON, Configured, Value, configured
from kag.cli.settings import Place, Setting, find_files, settings_of, user_file, variable
from kag.cli.terminal import emit_json, note, say


def configure(context: click.Context, named: Path | None) -> Configured:
    """The settings of this call, made the defaults of its commands; raises `ConfigError`.

    `named` is the file of --config.
    """
    found = configured(settings_of(context.command), *find_files(named), os.environ)
    for (_, key), value in found.values.items():
        if key == PASSED_ON:  # libraries read it from the environment
            name = variable((), key)
            before = os.environ.get(name, "")
            os.environ[name] = str(value.value)
            context.call_on_close(lambda name=name, before=before: os.environ.update({name: before}))
    context.default_map = found.default_map(note)
    for line in found.left if context.invoked_subcommand != "config" else ():
        note(line)
    return found


EPILOG = "Exit codes: 0 done, 2 an unknown setting or a wrong value; the error names file, line and the nearest key."


@click.group(cls=Suggesting, epilog=EPILOG)
def config() -> None:
    """Show settings, from KAG_* variables, ./kag.toml or [tool.kag], and your own file, in this order."""


@config.command(epilog=EPILOG)
@click.option("--origin", is_flag=True, help="Show where each setting comes from: a variable, or a file and line.")
@click.option("--all", "everything", is_flag=True, help="Also show settings that are not set, with their defaults.")
@json_option("Print settings as JSON, with the files that were read.")
@click.pass_obj
def show(settings: Configured, origin: bool, everything: bool, as_json: bool) -> None:
    """Show all settings that are set, in the format of kag.toml. Of secrets only the presence is shown.

    Options on the command line come before all of these.
    """
    shown_rows = rows(settings, everything=everything)
    if as_json:
        files = {"read": list(settings.files), "not_read": list(settings.left), "user": str(user_file())}
        emit_json({"files": files, "unknown": list(settings.unknown), "settings": shown_rows})
        return
    for line in _lines(shown_rows, origin=origin):
        say(line)
    read = ", ".join(settings.files) or "none"
    note(f"files read: {read}; your own is {user_file()}")
    for line in (*settings.left, *settings.unknown):
        note(line)


def rows(settings: Configured, *, everything: bool = False) -> list[dict[str, Any]]:
    """Each setting with `command` ("" for all that have it), `key`, `value`, `origin` and `default`, in their order.

    What all commands have from the same place is one row.
    """
    shown_rows: dict[tuple[str, str], dict[str, Any]] = {}
    for setting in settings.settings:
        value = settings.values.get((setting.place, setting.key))
        if value is None and not everything:
            continue
        place = _place(setting, value)
        shown_rows.setdefault((" ".join(place), setting.key), _row(setting, place, value))
    return [shown_rows[name] for name in sorted(shown_rows)]


def started_with(context: click.Context) -> list[dict[str, Any]]:
    """The rows of a call that goes on for long, its flags before all else."""
    settings: Configured | None = context.find_object(Configured)
    if settings is None:
        return []
    mine = {setting.key: setting for setting in settings.settings if setting.place == (context.info_name,)}
    flags = {
        key: setting
        for key, setting in mine.items()
        if context.get_parameter_source(str(setting.option.name)) is click.core.ParameterSource.COMMANDLINE
    }
    given = {
        key: _row(setting, setting.place, Value(context.params[str(setting.option.name)], "the call"))
        for key, setting in flags.items()
    }
    others = [row for row in rows(settings) if row["key"] not in given or row["command"] not in ("", context.info_name)]
    return [*given.values(), *others]


def _place(setting: Setting, value: Value | None) -> Place:
    """Return the place of a setting: its command, or the shared settings."""
    if value is not None:
        return value.place
    return () if setting.shared else setting.place


def _row(setting: Setting, place: Place, value: Value | None) -> dict[str, Any]:
    secret = setting.secret
    given = False if setting.option.is_flag and setting.option.default is not True else setting.option.default
    default = str(given) if isinstance(given, Path) else list(given) if isinstance(given, tuple) else given
    plain = default if isinstance(default, str | int | float | bool | list) and not secret else None
    return {
        "command": " ".join(place),
        "key": setting.key,
        "value": ("[secret]" if secret else value.value) if value else plain,
        "origin": value.origin if value else "default",
        "default": plain,
    }


def _lines(shown_rows: Sequence[Mapping[str, Any]], *, origin: bool) -> list[str]:
    """The rows as a file of settings, each with its origin as a comment."""
    lines: list[str] = []
    table = ""
    for row in shown_rows:
        if row["command"] != table:
            table = row["command"]
            lines += ["", f"[{table.replace(' ', '.')}]"] if lines else [f"[{table.replace(' ', '.')}]"]
        secret = row["value"] == "[secret]" or row["value"] is None
        text = f"# {row['key']}{'' if row['value'] is None else ' is set'}" if secret else _toml(row)
        lines.append(f"{text}  # {row['origin']}" if origin else text)
    return lines


def _toml(row: Mapping[str, Any]) -> str:
    return f"{row['key']} = {json.dumps(row['value'], ensure_ascii=False)}"
