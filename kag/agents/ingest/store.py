"""The folder of an ingestion: the draft of each document, and everything derived from the drafts.

    OUT/documents/<name>.json   what is kept of a document, and how it came about
    OUT/texts/<name>.txt        its text, which spans count in
    OUT/graph.json              the graph of all documents
    OUT/joins.json              which nodes of documents are one; OUT/apart.json: which a person keeps apart
    OUT/rejected.jsonl          what was proposed and is not in the graph, with its reason
    OUT/issues.json             what is wrong with the graph, and with documents
    OUT/versions.sqlite         every version of the graph
    OUT/index/                  passages with ids of nodes, and their vectors

Only the first two are written document by document; the rest is a function of them, so that a document that is removed
leaves what there would be had it never come. Nodes of one thing are joined by rule; documents keep ids of their own.
Namesakes stay apart: two nodes of one document are never joined by name, nor are two that an identifier or a property
of a person distinguishes, nor those of labels for which the domain gives no other names (`build` in two workflows is
two tasks). Chapters of a story count their events on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from kag.agents.ingest.values import Document, Ingested, ingested_of
from kag.core.errors import RunError
from kag.core.files import about, clear_partials, parse_json, parse_object, read_regular, shown, write_whole
from kag.core.shapes import fitting
from kag.core.works import is_whole_doi
from kag.kgrag.domain import Domain
from kag.kgrag.files import story_issues
from kag.retrieval.property_graph.as_json import from_json, to_json
from kag.retrieval.property_graph.contributions import Contribution, Contributions
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.schema import Issue
from kag.retrieval.property_graph.snapshots import SnapshotStore

COUNTED = ("told", "chronology")


def in_order(entries: Mapping[str, Sequence[Contribution]]) -> dict[str, tuple[Contribution, ...]]:
    """Return each document's elements, with events counted on from the documents before."""
    found: dict[str, tuple[Contribution, ...]] = {}
    begin = 0
    for name in sorted(entries):
        found[name] = tuple(_later(contribution, begin) for contribution in entries[name])
        begin += max((int(_number(contribution, "told")) for contribution in entries[name]), default=-1) + 1
    return found


def _number(contribution: Contribution, key: str) -> float:
    value = contribution.element.props.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else -1


def _later(contribution: Contribution, begin: int) -> Contribution:
    if not begin or not isinstance(contribution.element, Node) or _number(contribution, "told") < 0:
        return contribution
    fresh = {
        key: contribution.element.props[key] + begin
        for key in COUNTED
        if isinstance(contribution.element.props.get(key), int | float)
    }
    return replace(contribution, element=replace(contribution.element, props={**contribution.element.props, **fresh}))


IDENTIFIERS = ("doi", "orcid", "identifier", "url", "ncbi", "uniprot", "mesh")
TELLING = (*IDENTIFIERS, "gender")
"""Properties in which two that are one cannot differ."""
LONG_TITLE = 4
"""Words from which a title, with year and first author, names one work."""


@dataclass(frozen=True, slots=True)
class Join:
    """Nodes that are joined: the id of the result (the first of them), all of them, the reason, and who decided."""

    id: str
    nodes: tuple[str, ...]
    because: str
    by: str

    def as_record(self) -> dict[str, Any]:
        """As JSON."""
        return {"id": self.id, "nodes": list(self.nodes), "because": self.because, "by": self.by}


@dataclass(frozen=True, slots=True)
class _Same:
    """Two nodes that may be one."""

    one: str
    other: str
    because: str
    by: str


def joins_of(
    domain: Domain,
    entries: Mapping[str, Sequence[Contribution]],
    same: Iterable[tuple[str, str, str]] = (),
    apart: frozenset[str] = frozenset(),
) -> tuple[Join, ...]:
    """The joins over all documents, in order of their ids.

    `same` are pairs that a document's reader takes for one, and the reader; `apart` are ids that are never joined.
    """
    nodes = {name: tuple(_nodes(contributions)) for name, contributions in sorted(entries.items())}
    groups = _Groups({node.id: (name, node) for name, given in nodes.items() for node in given}, apart)
    for one, other, by in sorted(same):
        groups.join(_Same(one, other, "said to be the same", by), within=True)
    for pair in _by_names(domain, nodes):
        groups.join(pair, within=False)
    return groups.joins()


def _nodes(entries: Iterable[Contribution]) -> Iterator[Node]:
    yield from {
        contribution.element.id: contribution.element
        for contribution in entries
        if isinstance(contribution.element, Node)
    }.values()


def _by_names(domain: Domain, nodes: Mapping[str, Sequence[Node]]) -> Iterator[_Same]:
    """Nodes of two documents with one identifier or name: identifiers first, then main names, then other names."""
    for rank in (0, 1, 2):
        known: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for document, given in nodes.items():
            mine: dict[tuple[str, str], list[str]] = {}
            for node in given:
                for key in _keys(domain, node, rank):
                    mine.setdefault(key, []).append(node.id)
            for key, ids in mine.items():
                if len(ids) == 1:  # two of one name in a document: nobody knows which is meant elsewhere
                    known.setdefault(key, []).append((document, ids[0]))
        for (_, name), found in sorted(known.items()):
            why = ("same identifier", "same name", "same other name")[rank]
            for (_, one), (_, other) in pairwise(found):
                yield _Same(one, other, f"{why} {name!r}", "rule:names")


def _keys(domain: Domain, node: Node, rank: int) -> list[tuple[str, str]]:
    """Under what a node may be found in other documents."""
    if rank == 0:
        known = ((key, node.props.get(key)) for key in IDENTIFIERS)
        texts = [(key, value) for key, value in known if isinstance(value, str) and value]
        return [
            (node.label, f"{key} {value}".casefold()) for key, value in texts if key != "doi" or is_whole_doi(value)
        ]
    keys = domain.names.get(node.label, ())
    names = [one.casefold() for one in domain.names_of(node.label, node.props)]
    if keys[:1] == ("title",):
        return [(node.label, work) for name in names[:1] if (work := _work(name, node.props))]
    if "aliases" not in keys:
        return []
    return [(node.label, name) for name in (names[:1] if rank == 1 else names)]


def _work(title: str, props: Mapping[str, Any]) -> str:
    """A work's title with year and first author, which together name it; empty where one of them is not known."""
    year, authors = props.get("year"), props.get("authors")
    first = str(authors[0]) if isinstance(authors, (list, tuple)) and authors else str(authors or "").partition(";")[0]
    family = first.partition(",")[0].split()[-1:] if "," in first else first.split()[-1:]
    return f"{title}|{year}|{family[0].casefold()}" if year and family and len(title.split()) >= LONG_TITLE else ""


class _Groups:
    """Groups of nodes that are joined so far."""

    def __init__(self, nodes: Mapping[str, tuple[str, Node]], apart: frozenset[str]) -> None:
        self._nodes, self._apart = nodes, apart
        self._group: dict[str, list[str]] = {id: [id] for id in nodes}
        self._why: dict[str, list[_Same]] = {}

    def join(self, pair: _Same, *, within: bool) -> None:
        """Make two one, where they can be; `within`: also of one document."""
        if not {pair.one, pair.other} <= self._nodes.keys() or {pair.one, pair.other} & self._apart:
            return
        one, other = self._group[pair.one], self._group[pair.other]
        if one is other or any(self._differ(a, b, within=within) for a in one for b in other):
            return
        merged = sorted([*one, *other])
        why = [*self._why.pop(one[0], []), *self._why.pop(other[0], []), pair]
        self._why[merged[0]] = why
        for id in merged:
            self._group[id] = merged

    def _differ(self, one: str, other: str, *, within: bool) -> bool:
        """Whether two cannot be one."""
        (first, a), (second, b) = self._nodes[one], self._nodes[other]
        if a.label != b.label or (first == second and not within):
            return True
        return any(a.props.get(key) and b.props.get(key) and a.props[key] != b.props[key] for key in TELLING)

    def joins(self) -> tuple[Join, ...]:
        """All joins."""
        found = []
        for id, why in sorted(self._why.items()):
            because = "; ".join(dict.fromkeys(same.because for same in why))
            by = ", ".join(dict.fromkeys(same.by for same in why))
            found.append(Join(id, tuple(self._group[id]), because, by))
        return tuple(found)


def with_joins(
    domain: Domain, entries: Mapping[str, Sequence[Contribution]], joins: Sequence[Join]
) -> dict[str, tuple[Contribution, ...]]:
    """Return each document's elements under the ids of joined nodes; every node lists all its names."""
    ids = {node: join.id for join in joins for node in join.nodes}
    known: dict[str, dict[str, None]] = {}
    for contributions in entries.values():
        for node in _nodes(contributions):
            if node.id in ids:
                known.setdefault(ids[node.id], {}).update(dict.fromkeys(domain.names_of(node.label, node.props)))
    names = {id: tuple(found) for id, found in known.items()}
    return {
        name: tuple(_joined(domain, contribution, ids, names) for contribution in contributions)
        for name, contributions in entries.items()
    }


def _joined(
    domain: Domain, contribution: Contribution, ids: Mapping[str, str], names: Mapping[str, tuple[str, ...]]
) -> Contribution:
    element = contribution.element
    if isinstance(element, Link):
        ends = ids.get(element.source, element.source), ids.get(element.target, element.target)
        return replace(contribution, element=replace(element, source=ends[0], target=ends[1]))
    if element.id not in ids:
        return contribution
    keys = domain.names.get(element.label, ("name",))
    main, *others = names[ids[element.id]]
    props = dict(element.props) | {keys[0]: main}
    if "aliases" in keys:
        props["aliases"] = sorted(others)
    return replace(
        contribution, element=replace(element, id=ids[element.id], props={k: v for k, v in props.items() if v != []})
    )


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
