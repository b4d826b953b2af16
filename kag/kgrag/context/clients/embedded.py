"""Passages on this machine: an index of words and, where there is an embedder, vectors; searched by a plan.

Each project has an index of its own, in a folder of its own: nothing that another project holds can be found, or
move a score.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from kag.core.errors import BadValue, RunError
from kag.kgrag.context.passage import (
    EVERYTHING,
    Metadata,
    Passage,
    VectorHit,
    Wanted,
    checked_passage,
    checked_project,
    checked_wanted,
)
from kag.retrieval.chunk import Chunk
from kag.retrieval.index import CURRENT, Index
from kag.retrieval.meaning.similarity import Embedder
from kag.retrieval.retrieve import LONGEST, search

FIELDS = "fields"


class EmbeddedVectors:
    """A `VectorClient` over `kag.retrieval`; `save` keeps it in `folder` if given, `plan` is a name of `PRESETS`."""

    def __init__(
        self, project: str, folder: Path | None = None, embed: Embedder | None = None, *, plan: str = ""
    ) -> None:
        self._project, self._plan = checked_project(project), plan
        self._folder = folder / folder_of(project) if folder else None
        there = self._folder is not None and (self._folder / CURRENT).exists()
        self.index = Index.load(self._folder, embed) if self._folder and there else Index.build((), embed)
        self._fields = {name: _fields(chunk) for name, chunk in self.index.chunks.items()}

    @property
    def project(self) -> str:
        """The one project whose passages these are."""
        return self._project

    def __len__(self) -> int:
        return len(self._fields)

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; one with an id that is there takes its place. Raises `BadValue`, and then adds none."""
        whole = [checked_passage(one) for one in passages]
        self.index.add(
            Chunk(one.id, one.text, document=one.id, metadata={FIELDS: json.dumps(one.metadata)}) for one in whole
        )
        self._fields.update((one.id, one.metadata) for one in whole)

    def delete(self, ids: Iterable[str]) -> None:
        """Take passages out; unknown ids do nothing."""
        gone = [name for name in dict.fromkeys(ids) if name in self._fields]
        self.index.delete(gone)
        for name in gone:
            del self._fields[name]

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        """The k wanted passages nearest to a text, the best first."""
        wish = checked_wanted(wanted)
        allowed = [name for name, fields in self._fields.items() if wish.allows(fields)]
        if not allowed or not text.strip() or k < 1:  # no documents would mean all of them
            return ()
        within = () if len(allowed) == len(self._fields) else allowed
        found = search(self.index, text[:LONGEST], plan=self._plan, k=k, documents=within)
        return tuple(
            VectorHit(hit.chunk, self.index.chunks[hit.chunk].text, hit.score, self._fields[hit.chunk])
            for hit in found.hits
        )

    def ids(self) -> tuple[str, ...]:
        """The ids of all passages, sorted."""
        return tuple(sorted(self._fields))

    def save(self) -> None:
        """Write the index into its folder."""
        if self._folder is None:
            raise BadValue("these passages are in memory only", hint="Give a folder when making the client.")
        self.index.save(self._folder)


def folder_of(project: str) -> str:
    """The name of a project's folder: no text of a project becomes a path."""
    return hashlib.sha256(project.encode()).hexdigest()[:32]


def _fields(chunk: Chunk) -> Metadata:
    try:
        fields = json.loads(chunk.metadata[FIELDS])
        return {str(key): tuple(map(str, values)) for key, values in fields.items()}
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise RunError(f"passage {chunk.id!r:.60} has no fields", hint="Index the passages again.") from error
