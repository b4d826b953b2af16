"""A paper as the layers see it: the document graph of a run, and the texts that are kept beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kag.core.content import CELLS, ContentStore
from kag.core.errors import RunError
from kag.core.types import Table
from kag.layers.passages import section_role, text_of
from kag.layers.values import Passage
from kag.rdf.namespaces import DCTERMS, DOCO, KAG, paper_base
from kag.rdf.published import PublishedGraph
from kag.text.stored_table import stored_table


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


def tables(source: Source) -> Iterator[tuple[Passage, Table, Passage | None]]:
    """The tables of a paper, each as the passage of its full text, its cells, and its caption, if it has one.

    Raises `RunError` where the stored cells are damaged.
    """
    graph, content = source.graph, source.content
    for node in sorted(graph.of_class(str(DOCO.Table)), key=lambda one: int(graph.value(one, str(KAG.order)) or 0)):
        ref, text = graph.value(node, str(KAG.tableCells)), text_of(graph, node)
        cells = content.data(ref, CELLS)
        table, _ = stored_table(cells, content[ref].details if cells is not None else {}, text)
        captions = graph.sources(str(KAG.describes), node)
        caption = Passage(captions[0], text_of(graph, captions[0]), "caption") if captions else None
        role = section_role(graph, node).rpartition("/")[2]
        yield Passage(node, text, "table", role), table, caption
