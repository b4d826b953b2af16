"""Gives each option its default from the settings (`kag.cli.settings.layers`) before a command is read."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kag.cli.settings.files import find_files
from kag.cli.settings.layers import Configured, configured, passed_on
from kag.cli.settings.persistent_options import settings_of
from kag.cli.terminal import note


def configure(context: click.Context, named: Path | None) -> Configured:
    """The settings of this call, made the defaults of its commands; raises `ConfigError`.

    `named` is the file of --config.
    """
    found = configured(settings_of(context.command), find_files(named), os.environ)
    for name, value in passed_on(found).items():
        before = os.environ.get(name, "")
        os.environ[name] = value
        context.call_on_close(lambda name=name, before=before: os.environ.update({name: before}))
    context.default_map = found.default_map(note)
    if context.invoked_subcommand != "config":
        for line in found.left:
            note(line)
    return found
