"""Graphs in files: formats, domains and facades; records for search; and the forms in which a graph is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.core.errors import BadValue, SourceError, UnknownNode
from kag.core.files import shown, source_text
from kag.kgrag.domain import GIVEN, Domain, given_domain, read_domain
from kag.kgrag.facade import DomainGraph
from kag.kgrag.science import ScienceGraph
from kag.kgrag.story.facade import StoryGraph
from kag.kgrag.workflow.draft import WorkflowFile
from kag.kgrag.workflow.facade import WorkflowGraph
from kag.kgrag.workflow.pipeline_formats import (
    is_dbt,
    is_github_actions,
    is_openlineage,
    is_ro_crate,
    join_lines,
    read_dbt,
    read_github_actions,
    read_openlineage,
    read_ro_crate,
)
from kag.kgrag.workflow.scientific_formats import is_cwl, is_galaxy, is_wfformat, read_cwl, read_galaxy, read_wfformat
from kag.kgrag.yaml_with_positions import Lined, listed, parse_marked, text_of
from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.property_graph.as_cypher import to_cypher, to_tables
from kag.retrieval.property_graph.as_graphml import from_graphml, to_graphml
from kag.retrieval.property_graph.as_json import from_json, from_json_ld, to_csv, to_json, to_json_ld
from kag.retrieval.property_graph.elements import GraphSnapshot
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.schema import Checked, Issue, in_file, sound

if TYPE_CHECKING:
    from kag.retrieval.index import Index

LARGEST = 256 * 1024**2
"""Most bytes of a file that are read."""
TYPED: dict[str, type[DomainGraph]] = {"story": StoryGraph, "science": ScienceGraph, "workflow": WorkflowGraph}


def facade_of(domain: Domain, graph: GraphEngine) -> DomainGraph:
    """The facade of a domain over a graph; one named as a given domain has the methods of that one."""
    return TYPED.get(domain.name, DomainGraph)(graph, domain)


NAMED = 20
"""Neighbours that the text of a record names, of each edge and direction."""


def records(graph: GraphEngine, domain: Domain) -> Iterator[Chunk]:
    """The nodes as chunks: name, properties and named neighbours are their text; `links` are the nodes at its edges."""
    names = {node.id: domain.name_of(node.label, node.props) or node.id for node in graph.nodes}
    for node in graph.nodes:
        lines = [f"{names[node.id]} ({node.label})"]
        lines += [f"{key}: {value}" for key, value in node.props.items() if value not in (None, "", names[node.id])]
        near: dict[str, list[str]] = {}
        links = graph.edges_of(node.id)
        for link in links:
            end = link.other(node.id)
            about = link.label if link.source == node.id else f"{link.label} of"
            near.setdefault(about, []).append(names[end])
        lines += [f"{label}: {', '.join(dict.fromkeys(ends[:NAMED]))}" for label, ends in near.items()]
        outgoing = tuple(dict.fromkeys(link.target for link in links if link.source == node.id))
        yield Chunk(node.id, "\n".join(lines), ChunkKind.RECORD, title=names[node.id], topic=node.label, links=outgoing)


TEXTS = (".txt", ".md")


@dataclass(frozen=True, slots=True)
class GraphFile:
    """A graph that was read: its format, the domain that it is most likely of, what is wrong with the file itself."""

    format: str
    snapshot: GraphSnapshot
    domain: str = ""
    issues: tuple[Issue, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    file: str = ""


def domain_named(name: str) -> Domain:
    """A domain that comes with the project, or in a TOML file; with no name one that allows everything."""
    if not name:
        return Domain("any")
    if name in GIVEN:
        return given_domain(name)
    if not name.endswith(".toml"):
        raise SourceError(f"unknown domain {shown(name)}", hint=f"Give one of: {', '.join(GIVEN)}; or a TOML file.")
    return read_domain(Path(name))


def example_named(name: str) -> Path:
    """The file of an example graph that comes with the project."""
    return Path(str(files("kag.kgrag") / "given" / "examples" / name))


def read_graph(path: Path, domain: str = "") -> GraphFile:
    """The graph in a file of any form that is known; raises `SourceError`."""
    text = source_text(path, LARGEST)
    try:
        return _read(text, path, domain)
    except BadValue as error:
        raise SourceError(f"{shown(path)}: {error.message}", hint=error.hint) from error


def open_graph(path: Path, domain: str = "") -> DomainGraph:
    """The graph in a file with the methods of its domain, or of the named one; raises `SourceError`."""
    read = read_graph(path, domain)
    return facade_of(domain_named(domain or read.domain), GraphEngine(read.snapshot))


def _read(text: str, path: Path, domain: str) -> GraphFile:
    begin = text.lstrip()[:1]
    if begin == "<":
        return GraphFile("graphml", from_graphml(text), domain, file=str(path))
    if domain == "story" and path.suffix in TEXTS:
        story = StoryGraph()
        story.tell(text)
        return GraphFile("story", story.graph.snapshot(), "story", file=str(path))
    value = parse_marked(join_lines(text), str(path))
    if isinstance(value, dict) and isinstance(value.get("nodes"), list):
        things = [one for key in ("nodes", "edges") for one in listed(value.get(key)) if isinstance(one, Lined)]
        lines = {text_of(thing.get("id")): thing.line for thing in things}
        return GraphFile("json", from_json(text), domain, (), lines, str(path))
    if isinstance(value, dict) and "urn:kag:graph:" in text and "@graph" in value:
        return GraphFile("json-ld", from_json_ld(text), domain, file=str(path))
    if not any(fits(value) for fits, _ in FORMATS.values()):
        hint = "Give a graph as JSON or GraphML, a workflow, or a story as .txt with --domain story."
        raise SourceError(f"{shown(path)} is not a graph in a supported format", hint=hint)
    read = parse_workflow(text, str(path))
    return GraphFile(read.format, read.snapshot, "workflow", read.issues, read.lines, read.file)


def record_index(path: Path, domain: str = "") -> Index:
    """An index over the nodes of a graph file, with its edges as the graph that plans walk."""
    from kag.retrieval.graph.build import sage_graph
    from kag.retrieval.index import Index

    read = read_graph(path, domain)
    index = Index.build(records(GraphEngine(read.snapshot), domain_named(domain or read.domain)))
    index.edges = sage_graph(tuple(index.chunks.values()))
    return index


def check_graph(read: GraphFile, domain: str = "") -> Checked:
    """Return the violations of a graph's domain rules, with file and line if known."""
    rules = domain_named(domain or read.domain)
    if read.format in FORMATS:
        return check_workflow(WorkflowFile(read.format, read.snapshot, read.issues, read.lines, read.file), rules)
    found = rules.validate(read.snapshot) + Checked(story_issues(rules, read.snapshot))
    return Checked((*read.issues, *in_file(found.issues, read.file, dict(read.lines))))


def story_issues(rules: Domain, snapshot: GraphSnapshot) -> tuple[Issue, ...]:
    """Return the impossible events of a story by place and possession; nothing for a graph of another domain."""
    if rules.name != "story":
        return ()
    tables, _ = sound(snapshot)
    whole = GraphEngine(GraphSnapshot(tuple(tables.nodes.values()), tuple(tables.links.values())))
    return StoryGraph(whole, rules).validate().issues


def seeds_named(domain: Domain, graph: GraphEngine, names: Iterable[str]) -> tuple[str, ...]:
    """The nodes of these ids or names; raises `UnknownNode` for one that is neither."""
    by_name: dict[str, list[str]] = {}
    for node in graph.nodes:
        for name in domain.names_of(node.label, node.props):
            by_name.setdefault(name.casefold(), []).append(node.id)
    found: list[str] = []
    for name in (one.strip() for one in names):
        nodes = [name] if name in graph else by_name.get(name.casefold(), [])
        if not nodes:
            raise UnknownNode(f"unknown node {name!r:.80}", hint="Give ids or names of nodes that are in the graph.")
        found += nodes
    return tuple(dict.fromkeys(found))


def written(snapshot: GraphSnapshot, form: str, allowed: Mapping[str, Iterable[str]] | None = None) -> dict[str, str]:
    """A graph in a form, as texts by the names of their files. Raises `BadValue` where a broken graph cannot be."""
    if form == "csv":
        nodes, edges = to_csv(snapshot, allowed)
        return {"nodes.csv": nodes, "edges.csv": edges}
    if form in ("tables", "cypher"):
        GraphEngine(snapshot)
    if form == "tables":
        tables = to_tables(snapshot, allowed)
        commands = "".join(f"{line}\n" for table in tables for line in (table.declaration, table.load) if line)
        return {"load.cypher": commands, **{table.file: table.csv for table in tables}}
    one = {"json": to_json, "graphml": to_graphml, "json-ld": to_json_ld, "cypher": to_cypher}[form]
    return {f"graph.{form}": one(snapshot, allowed)}


Reader = Callable[[Any, str], WorkflowFile]
FORMATS: dict[str, tuple[Callable[[Any], bool], Reader]] = {
    "wfformat": (is_wfformat, read_wfformat),
    "galaxy": (is_galaxy, read_galaxy),
    "cwl": (is_cwl, read_cwl),
    "dbt": (is_dbt, read_dbt),
    "openlineage": (is_openlineage, read_openlineage),
    "wfrun_rocrate": (is_ro_crate, read_ro_crate),
    "github_actions": (is_github_actions, read_github_actions),
}
"""How each format is recognised, and its reader; the first that fits is used."""

RUNS = ("openlineage", "wfrun_rocrate")
"""Formats that record what ran: one path may be written by several runs."""


def parse_workflow(text: str, file: str = "text", format: str = "") -> WorkflowFile:
    """Parse a workflow in the named format, or in the detected one; raises `SourceError`."""
    value = parse_marked(join_lines(text), file)
    name = format or next((name for name, (fits, _) in FORMATS.items() if fits(value)), "")
    if name not in FORMATS:
        raise SourceError(
            f"{shown(file)} is not a workflow in a supported format", hint=f"Formats are: {', '.join(FORMATS)}."
        )
    return FORMATS[name][1](value, file)


def check_workflow(read: WorkflowFile, domain: Domain | None = None) -> Checked:
    """Return the issues that the reader and the domain's rules find, with file and line."""
    domain = domain or given_domain("workflow")
    if read.format in RUNS:
        rules = [replace(r, severity="warning") if r.name == "two_producers" else r for r in domain.rules]  # type: ignore[type-var]
        domain = replace(domain, rules=tuple(rules))
    found = domain.validate(read.snapshot).issues
    return Checked((*read.issues, *in_file(found, read.file, dict(read.lines))))
