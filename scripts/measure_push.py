"""How long a push takes, and whether stores hold then what the runs hold.

    python scripts/measure_push.py RUNS

RUNS are finished runs. They are pushed to Oxigraph and Virtuoso, by each way, and to ladybug and the stand-in for
Neo4j, each started for it, as `kag push` does, twice. Counted are triples a graph, and nodes and relationships a label.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kag.cli.options.papers import graphs_of
from kag.export.graphs.datasets import NamedGraph
from kag.export.graphs.property_schema import LINKS, NODES, paper_graph
from kag.export.stores.credentials import PASSWORD, USER
from kag.export.stores.cypher_databases import database_at
from kag.export.stores.cypher_push import Database, push
from kag.export.stores.sparql import Store, Way
from kag.read.library import open_library
from tests.bolt_server import bolt
from tests.store_servers import Server, asked, oxigraph, virtuoso


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("runs", type=Path)
    library = open_library(given.parse_args().runs)
    graphs = list(graphs_of(library))
    print(f"{len(graphs)} papers, {sum(len(graph.lines) for graph in graphs)} triples")
    with tempfile.TemporaryDirectory() as folder:
        for name, start in (("oxigraph", oxigraph), ("virtuoso", virtuoso)):
            with start(Path(folder) / name / "store") as server:
                sparql(name, server, graphs)
        whole = paper_graph(library)
        local = Counter([node.label for node in whole.nodes] + [link.label for link in whole.edges])
        print(f"{len(whole.nodes)} nodes, {len(whole.edges)} relationships: {dict(sorted(local.items()))}")
        with database_at(f"ladybug:{folder}/papers.lbug") as database:
            cypher("ladybug", database, lambda: Counter(put.state for put in push(whole, database)), local)
        with bolt(Path(folder) / "served.lbug") as served, database_at(served.url) as far:
            cypher("neo4j's driver", far, lambda: Counter(put.state for put in push(whole, far)), local)


def sparql(name: str, server: Server, graphs: list[NamedGraph]) -> None:
    """Push by both ways, and count what each graph holds."""
    os.environ[USER], _, os.environ[PASSWORD] = server.user.partition(":")
    put = Store(server.put, Way(parameter=server.options[-1] if server.options else "graph"))
    for what, store in (("put", put), ("again", put), ("update", Store(server.update, Way(update=True))), ("put", put)):
        with timed() as seconds:
            states = Counter(store.push(graph) for graph in graphs)
        names = " ".join(f"<{graph.name}>" for graph in graphs)
        counts = f"SELECT ?g (COUNT(*) AS ?n) {{ VALUES ?g {{ {names} }} GRAPH ?g {{ ?s ?p ?o }} }} GROUP BY ?g"
        rows = (line.replace('"', "").rsplit(",", 1) for line in asked(server, counts))
        same = {graph.name: len(graph.lines) for graph in graphs} == {graph: int(count) for graph, count in rows}
        print(f"{name} {what}: {seconds():.1f} s, {dict(states)}, {'the same counts' if same else 'OTHER COUNTS'}")


def cypher(name: str, database: Database, put: Callable[[], Counter[str]], local: Counter[str]) -> None:
    """Push twice, and count what there is of each label."""
    for _ in range(2):
        with timed() as seconds:
            states = put()
        held = Counter({label: database.ask(f"MATCH (n:{label}) RETURN count(*)")[0][0] for label in NODES})
        for label, (source, target, _) in LINKS.items():
            held[label] = database.ask(f"MATCH (:{source})-[r:{label}]->(:{target}) RETURN count(*)")[0][0]
        print(f"{name}: {seconds():.1f} s, {dict(states)}, {'the same counts' if +held == local else 'OTHER COUNTS'}")


@contextmanager
def timed() -> Iterator[Callable[[], float]]:
    began = time.perf_counter()
    took: list[float] = []
    yield lambda: took[0]
    took.append(time.perf_counter() - began)


if __name__ == "__main__":
    main()
