"""A paper as the layers see it: the document graph of a run, and the texts that are kept beside it."""

from __future__ import annotations

from dataclasses import dataclass

from kag.layers.names import Host
from kag.layers.passages import text_of
from kag.rdf.namespaces import DCTERMS, DOCO, KAG, paper_base
from kag.rdf.published import PublishedGraph
from kag.values.content import CELLS, ContentStore
from kag.values.errors import RunError


@dataclass(frozen=True, slots=True)
class Source:
    """`graph` is what `kag index` wrote; nothing here changes it."""

    paper_id: str
    graph: PublishedGraph
    content: ContentStore


def read_source(graph: bytes, content: bytes) -> Source:
    """A paper from the bytes of its graph and its content store; raises `RunError`."""
    hint = "Give a run that `kag index` wrote, whole."
    try:
        published = PublishedGraph.parse(graph)
        stored = ContentStore.from_jsonl(content.decode("utf-8"))
    except ValueError as error:
        raise RunError(f"the graph or its texts cannot be read: {error}", hint=hint) from error
    papers = published.of_class(str(DOCO.Document))
    if len(papers) != 1:
        raise RunError(f"the graph holds {len(papers)} documents, not one", hint=hint)
    name = published.value(papers[0], str(DCTERMS.identifier))
    if papers[0] != f"{paper_base(name)}document":
        raise RunError(f"the document of the graph is not that of the paper {name[:80]!r}", hint=hint)
    return Source(name, published, stored)


def source_text(source: Source, host: Host) -> str:
    """The text that the offsets of what stands there count in; empty where there is none."""
    if host.row is None or host.column is None:
        return text_of(source.graph, host.node)
    rows = source.content.data(source.graph.value(host.node, str(KAG.tableCells)), CELLS) or []
    inside = 0 <= host.row < len(rows) and 0 <= host.column < len(rows[host.row])
    return str(rows[host.row][host.column]) if inside else ""
