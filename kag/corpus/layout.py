"""Where a corpus keeps what: its folder, and the intent, the one file that says what is being changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kag.errors import CorpusError
from kag.files import sync, write_whole

FORMAT = "kag-corpus/1"
_MARK = "corpus.json"


@dataclass(frozen=True, slots=True)
class Layout:
    """The folder of a corpus.

    `papers/<id>/<version>/` holds a paper's files and never changes; `staged/` what is being copied in. `graph/store`
    is the writer's, `graph/snapshots/<n>` are the states that readers open; `corpus.db` holds the tables,
    `search/` the index of texts and vectors, if one was made.
    """

    root: Path

    @property
    def papers(self) -> Path:
        return self.root / "papers"

    @property
    def staged(self) -> Path:
        return self.root / "staged"

    @property
    def store(self) -> Path:
        return self.root / "graph" / "store"

    @property
    def snapshots(self) -> Path:
        return self.root / "graph" / "snapshots"

    @property
    def tables(self) -> Path:
        return self.root / "corpus.db"

    @property
    def search(self) -> Path:
        return self.root / "search"

    @property
    def intent(self) -> Path:
        return self.root / "intent.json"

    @property
    def writer(self) -> Path:
        return self.root / "writer.json"

    def paper(self, paper_id: str, version: str) -> Path:
        """The folder of one version of a paper."""
        return self.papers / paper_id / version

    def stage(self, paper_id: str, version: str) -> Path:
        """Where that version is copied to before it is decided on."""
        return self.staged / f"{paper_id}-{version}"

    def create(self) -> None:
        """Make the folder a corpus; raises `CorpusError` when it holds something else."""
        if not (self.root / _MARK).is_file():
            if self.root.exists() and (not self.root.is_dir() or any(self.root.iterdir())):
                hint = "Give an empty or new folder, or one that `kag corpus add` made."
                raise CorpusError(f"{self.root} holds something else than a corpus", hint=hint)
            for folder in (self.papers, self.staged, self.snapshots):
                folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.root / _MARK, json.dumps({"format": FORMAT}) + "\n")
        self.require()

    def require(self) -> None:
        """Raise `CorpusError` when the folder is no corpus that this version reads."""
        try:
            found = json.loads((self.root / _MARK).read_text(encoding="utf-8"))["format"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            hint = "Make one with `kag corpus add PATH --corpus DIR`."
            raise CorpusError(f"{self.root} is no corpus: {_MARK} is missing or broken", hint=hint) from error
        if found != FORMAT:
            hint = "Add its papers to a new corpus, or use the version of kag that made it."
            raise CorpusError(f"{self.root} has the format {found!r}, not {FORMAT!r}", hint=hint)


Intent = Mapping[str, str | None]
"""What is being changed: the version that each paper shall have, None for a paper that shall go."""


def read_intent(layout: Layout) -> Intent:
    """The change that was begun and not finished; empty when there is none."""
    try:
        return dict(json.loads(layout.intent.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        hint = "The file was changed by hand; restore it, or delete it and run `kag corpus check --repair`."
        raise CorpusError(f"{layout.intent} cannot be read: {error}", hint=hint) from error


def write_intent(layout: Layout, intent: Intent) -> None:
    """Decide on a change: from now on it will be finished."""
    write_whole(layout.intent, json.dumps(dict(sorted(intent.items())), indent=2) + "\n")
    sync(layout.root)
