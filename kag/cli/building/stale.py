"""Says where a run was made from other pages than its source has now, for commands that have the source at hand."""

from __future__ import annotations

from pathlib import Path

from kag.cli.terminal import note


def note_stale(run: Path, source: Path) -> None:
    """Say so of a run; nothing where its kind of source is not there, or the run has no ledger, to tell by."""
    from kag.core.errors import RunError, SourceError
    from kag.core.files import shown
    from kag.indexing.audit import is_stale
    from kag.indexing.isolated_reader import read_apart
    from kag.indexing.run import kind_of_source
    from kag.sources.reading import Reading

    try:
        stale = is_stale(run, read_apart(source, Reading(source=kind_of_source(run))))
    except (SourceError, RunError):
        return
    if stale:
        where = shown(source)
        note(f"{shown(run)} is stale: {where} has other pages now; `kag index {where}` makes a run of them")
