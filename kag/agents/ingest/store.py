"""The folder of an ingestion: the draft of each document, and everything derived from the drafts.

    OUT/documents/<name>.json   what is kept of a document, and how it came about
    OUT/texts/<name>.txt        its text, which spans count in
    OUT/graph.json              the graph of all documents
    OUT/joins.json              which nodes of documents are one; OUT/apart.json: which a person keeps apart
    OUT/rejected.jsonl          what was proposed and is not in the graph, with its reason
    OUT/issues.json             what is wrong with the graph, and with documents
    OUT/versions.sqlite         every version of the graph
    OUT/index/                  passages with ids of nodes, and their vectors

Only the first two are written document by document; the rest is a function of them, so that a document that is taken
away leaves what there would be had it never come. A command that was interrupted is given again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kag.agents.ingest.joining import Join, in_order, joins_of, with_joins
from kag.agents.ingest.values import Document, Ingested, ingested_of
from kag.core.errors import RunError
from kag.core.files import about, clear_partials, parse_json, parse_object, read_regular, shown, write_whole
from kag.core.shapes import fitting
from kag.kgrag.domain import Domain
from kag.kgrag.files import story_issues
from kag.retrieval.property_graph.as_json import from_json, to_json
from kag.retrieval.property_graph.contributions import Contributions
from kag.retrieval.property_graph.elements import GraphSnapshot
from kag.retrieval.property_graph.schema import Issue
from kag.retrieval.property_graph.snapshots import SnapshotStore

DAMAGED = "Remove the file and ingest the document again."


@dataclass(frozen=True, slots=True)
class Whole:
    """All that follows from the documents of a folder."""

    graph: GraphSnapshot
    contributions: Contributions
    joins: tuple[Join, ...]
    issues: tuple[Issue, ...]


class Store:
    """An ingestion's folder. Raises `RunError` where something in it is damaged, or of another domain."""

    def __init__(self, folder: Path, domain: Domain) -> None:
        self.folder, self.domain = folder, domain

    def _file(self, name: str) -> Path:
        return self.folder / "documents" / f"{name}.json"

    def _read(self, path: Path) -> str:
        try:
            return read_regular(path).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = about(path, error) if isinstance(error, OSError) else f"{shown(path)}: is no UTF-8"
            raise RunError(reason, hint=DAMAGED) from error

    def names(self) -> tuple[str, ...]:
        """The documents that are there, by name."""
        inside = self.folder / "documents"
        return tuple(sorted(path.stem for path in inside.glob("*.json"))) if inside.is_dir() else ()

    def document(self, name: str) -> Ingested | None:
        """Load a stored document; None if there is none."""
        path = self._file(name)
        if not path.is_file():
            return None
        try:
            found = ingested_of(parse_object(self._read(path)))
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{shown(path)}: {str(error)[:200]}", hint=DAMAGED) from error
        if found.domain != self.domain.name:
            message = f"{shown(self.folder)} holds documents of the domain {found.domain}"
            raise RunError(message, hint=f"Give another --out for the domain {self.domain.name}.")
        return found

    def text(self, name: str) -> str:
        """The text of a document."""
        return self._read(self.folder / "texts" / f"{name}.txt")

    def put(self, document: Document, ingested: Ingested) -> None:
        """Keep a document; its text before, so that what is kept of it always fits."""
        write_whole(self.folder / "texts" / f"{document.name}.txt", document.text)
        lines = json.dumps(ingested.as_record(), ensure_ascii=False, indent=1, sort_keys=True)
        write_whole(self._file(document.name), lines + "\n")

    def remove(self, name: str) -> bool:
        """Take a document away; False where it is not there. `finish` makes the rest anew."""
        if name not in self.names():  # what a name says is no path
            return False
        self._file(name).unlink(missing_ok=True)
        (self.folder / "texts" / f"{name}.txt").unlink(missing_ok=True)
        return True

    def apart(self) -> frozenset[str]:
        """The ids that a person keeps apart from all others."""
        path = self.folder / "apart.json"
        if not path.is_file():
            return frozenset()
        try:
            return frozenset(fitting(parse_json(self._read(path)), [str]))
        except ValueError as error:
            raise RunError(f"{shown(path)}: {error}", hint="It is a list of ids of documents' nodes.") from error

    def keep_apart(self, ids: Sequence[str]) -> None:
        """Let these ids be joined to no other from now on."""
        found = sorted(self.apart() | set(ids))
        if ids:
            write_whole(self.folder / "apart.json", json.dumps(found, ensure_ascii=False, indent=1) + "\n")

    def unknown(self, ids: Sequence[str]) -> list[str]:
        """Those of some ids that no document's node has."""
        documents = [one for name in self.names() if (one := self.document(name)) is not None]
        known = {entries.element.id for one in documents for entries in one.drafted.entries}
        return [shown(name)[:80] for name in ids if name not in known]

    # --- what follows ------------------------------------------------------------------------------------------------

    def whole(self, *, validate: bool = True) -> Whole:
        """All that follows from the documents; without `validate` the rules of the domain are not checked."""
        documents = {name: one for name in self.names() if (one := self.document(name)) is not None}
        entries = in_order({name: one.drafted.entries for name, one in documents.items()})
        same = [(a, b, one.author) for one in documents.values() for a, b in one.drafted.same]
        joins = joins_of(self.domain, entries, same, self.apart())
        contributions = Contributions()
        for name, given in with_joins(self.domain, entries, joins).items():
            contributions.put(name, given)
        graph = contributions.snapshot().canonical()
        own = [issue for one in documents.values() for issue in one.drafted.issues if issue.file]
        found = contributions.issues()
        if validate:
            found = (*self.domain.validate(graph).issues, *story_issues(self.domain, graph), *found)
        known = {(one.rule, one.nodes) for one in own}
        rest = [one for one in found if (one.rule, one.nodes) not in known]
        return Whole(graph, contributions, joins, (*own, *rest))

    def finish(self, whole: Whole, author: str, why: str) -> str:
        """Write all that follows from the documents, and keep the graph as a version; the version's id."""
        write_whole(self.folder / "graph.json", to_json(whole.graph))
        self._json("joins.json", [one.as_record() for one in whole.joins])
        self._json("issues.json", [issue.as_record() for issue in whole.issues])
        kept = [one for name in self.names() if (one := self.document(name)) is not None]
        rejected = [{"document": one.document, **asdict(bad)} for one in kept for bad in one.drafted.rejected]
        lines = "".join(json.dumps(one, ensure_ascii=False, sort_keys=True) + "\n" for one in rejected)
        write_whole(self.folder / "rejected.jsonl", lines)
        clear_partials(self.folder)
        return self._version(whole.graph, author, why)

    def _json(self, name: str, value: Any) -> None:
        write_whole(self.folder / name, json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n")

    def _version(self, graph: GraphSnapshot, author: str, why: str) -> str:
        """The graph as a version after the last one, or that one where nothing has changed."""
        with SnapshotStore(self.folder / "versions.sqlite") as store:
            last = store.versions()[-1] if store.versions() else None
            if last is not None and store.snapshot(last.id).canonical() == graph:
                return last.id
            return store.commit(graph, parent=last.id if last else "", author=author, reason=why).id

    def graph(self) -> GraphSnapshot:
        """The graph as it was last written."""
        return from_json(self._read(self.folder / "graph.json"))


def audit(contributions: Contributions, kind: str, id: str) -> tuple[Mapping[str, Any], ...]:
    """Return the origin of an element: document, characters, hash, author."""
    return tuple(
        {**asdict(contribution.source), "author": contribution.author}
        for contribution in contributions.sources(kind, id)
    )
