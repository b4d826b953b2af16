"""Measure the graph engine on a million edges, beside networkx, rustworkx and igraph where they are installed.

    python scripts/bench_graph.py [--nodes 200000] [--edges 1000000] [--repeat 50]

Each library builds the same skewed graph in a process of its own. All times are of the processor, as others may be
at work beside: seconds of loading, of a walk through all that is reached and of all components; the median
milliseconds of what retrieval asks for. The 60 nodes of a slice are the nearest; kag's also prefers what the question
shares, the others' is written here over what they have. Memory is what the graph added to the resident one.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
LIBRARIES = ("kag", "networkx", "rustworkx", "igraph")
COLUMNS = (
    "load_cpu_s",
    "memory_mib",
    "slice_1hop_ms",
    "slice_2hop_60_ms",
    "slice_worst_ms",
    "shortest_ms",
    "bfs_cpu_s",
    "components_cpu_s",
    "commit_1000_cpu_ms",
)


def drawn(nodes: int, edges: int) -> list[tuple[int, int, str]]:
    """Ends and labels, some nodes with very many edges; the same every time."""
    chance = random.Random(1)
    labels = ("treats", "inhibits", "cites", "part_of")

    def end() -> int:
        return int(nodes * chance.random() ** 3)

    return [(end(), chance.randrange(nodes), labels[chance.randrange(4)]) for _ in range(edges)]


def memory() -> float:
    """Resident MiB now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def milliseconds(call: Callable[[Any], Any], inputs: list[Any]) -> list[float]:
    found = []
    for one in inputs:
        begin = time.process_time()
        call(one)
        found.append((time.process_time() - begin) * 1000)
    return sorted(found)


def nearest(start: Any, neighbours: Callable[[Any], Any]) -> list[Any]:
    """The first 60 nodes within two hops."""
    found = dict.fromkeys([start, *neighbours(start)])
    for one in list(found)[1:60]:
        if len(found) >= 60:
            break
        found |= dict.fromkeys(neighbours(one))
    return list(found)[:60]


def kag_engine(nodes: int, edges: list[tuple[int, int, str]]) -> tuple[Any, dict[str, Callable[[Any], Any]]]:
    from kag.graph.elements import Link
    from kag.graph.engine import GraphEngine
    from kag.graph.property_graph import Node

    graph = GraphEngine()
    graph.load(
        (Node(f"n{n}", "T") for n in range(nodes)),
        (Link(f"e{k}", label, f"n{a}", f"n{b}") for k, (a, b, label) in enumerate(edges)),
    )
    return graph, {
        "slice_1hop": lambda n: graph.subgraph([f"n{n}"], depth=1),
        "slice_2hop_60": lambda n: graph.subgraph([f"n{n}"], depth=2, max_nodes=60),
        "shortest": lambda n: graph.shortest_path(f"n{n}", f"n{nodes - 1 - n}"),
        "bfs": lambda n: graph.breadth_first([f"n{n}"], direction="out"),
        "components": lambda _: graph.connected_components(),
    }


def networkx_graph(nodes: int, edges: list[tuple[int, int, str]]) -> tuple[Any, dict[str, Callable[[Any], Any]]]:
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_nodes_from((f"n{n}", {"label": "T"}) for n in range(nodes))
    graph.add_edges_from((f"n{a}", f"n{b}", f"e{k}", {"label": label}) for k, (a, b, label) in enumerate(edges))
    both = graph.to_undirected(as_view=True)

    def path(n: int) -> Any:
        try:
            return nx.bidirectional_shortest_path(both, f"n{n}", f"n{nodes - 1 - n}")
        except nx.NetworkXNoPath:
            return None

    return graph, {
        "slice_1hop": lambda n: list(graph.subgraph({f"n{n}", *graph.succ[f"n{n}"], *graph.pred[f"n{n}"]}).edges),
        "slice_2hop_60": lambda n: list(graph.subgraph(nearest(f"n{n}", both.neighbors)).edges),
        "shortest": path,
        "bfs": lambda n: dict(nx.single_source_shortest_path_length(graph, f"n{n}")),
        "components": lambda _: list(nx.weakly_connected_components(graph)),
    }


def rustworkx_graph(nodes: int, edges: list[tuple[int, int, str]]) -> tuple[Any, dict[str, Callable[[Any], Any]]]:
    import rustworkx as rx

    graph = rx.PyDiGraph()
    graph.add_nodes_from([f"n{n}" for n in range(nodes)])
    graph.add_edges_from([(a, b, (f"e{k}", label)) for k, (a, b, label) in enumerate(edges)])
    return graph, {
        "slice_1hop": lambda n: graph.subgraph([n, *graph.neighbors_undirected(n)]),
        "slice_2hop_60": lambda n: graph.subgraph(nearest(n, graph.neighbors_undirected)),
        "shortest": lambda n: rx.dijkstra_shortest_paths(graph, n, nodes - 1 - n, as_undirected=True),
        "bfs": lambda n: rx.bfs_successors(graph, n),
        "components": lambda _: rx.weakly_connected_components(graph),
    }


def igraph_graph(nodes: int, edges: list[tuple[int, int, str]]) -> tuple[Any, dict[str, Callable[[Any], Any]]]:
    import igraph

    graph = igraph.Graph(n=nodes, edges=[(a, b) for a, b, _ in edges], directed=True)
    graph.vs["name"] = [f"n{n}" for n in range(nodes)]
    graph.es["label"] = [label for _, _, label in edges]
    return graph, {
        "slice_1hop": lambda n: graph.induced_subgraph(graph.neighborhood(n, order=1)),
        "slice_2hop_60": lambda n: graph.induced_subgraph(graph.neighborhood(n, order=2)[:60]),
        "shortest": lambda n: graph.get_shortest_path(n, nodes - 1 - n, mode="all"),
        "bfs": lambda n: graph.bfs(n),
        "components": lambda _: graph.connected_components(mode="weak"),
    }


BUILDERS = {"kag": kag_engine, "networkx": networkx_graph, "rustworkx": rustworkx_graph, "igraph": igraph_graph}


def measure(name: str, nodes: int, edges: int, repeat: int) -> dict[str, float]:
    """The figures of one library, in this process."""
    rows = drawn(nodes, edges)
    before, begin = memory(), time.process_time()
    graph, calls = BUILDERS[name](nodes, rows)
    found = {"load_cpu_s": time.process_time() - begin, "memory_mib": memory() - before}
    chance = random.Random(2)
    starts = [chance.randrange(nodes) for _ in range(repeat)]
    for what in ("slice_1hop", "slice_2hop_60", "shortest"):
        if what in calls:
            times = milliseconds(calls[what], starts)
            found[f"{what}_ms"] = statistics.median(times)
            if what == "slice_2hop_60":
                found["slice_worst_ms"] = times[-1]
    for what in ("bfs", "components"):
        found[f"{what}_cpu_s"] = milliseconds(calls[what], starts[:1])[0] / 1000
    if name == "kag":
        found["commit_1000_cpu_ms"] = commit(graph)
    return found


def commit(graph: Any) -> float:
    """Milliseconds of the processor for a version with 1,000 changed nodes after one of half of all nodes."""
    from kag.graph.elements import GraphSnapshot
    from kag.graph.engine import GraphEngine
    from kag.graph.snapshots import SnapshotStore

    part = GraphEngine(GraphSnapshot(tuple(graph.nodes)[: len(graph) // 2]))
    with SnapshotStore(":memory:") as store:
        first = store.commit(part.snapshot(), author="bench", reason="first")
        steps: list[Any] = []
        part.listen(steps.extend)
        with part.transaction():
            for node in list(part.tables.nodes)[:1000]:
                part.update_node(node, {"seen": True})
        begin = time.process_time()
        store.commit_changes(steps, parent=first.id, author="bench", reason="second")
        return (time.process_time() - begin) * 1000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--nodes", type=int, default=200_000)
    options.add_argument("--edges", type=int, default=1_000_000)
    options.add_argument("--repeat", type=int, default=50)
    options.add_argument("--only", choices=LIBRARIES)
    given = options.parse_args()
    if given.only:
        print(json.dumps(measure(given.only, given.nodes, given.edges, given.repeat)))
        return
    print(f"{given.nodes:,} nodes, {given.edges:,} edges; times are medians of {given.repeat}")
    print("library".ljust(10), *(column.rjust(17) for column in COLUMNS))
    for name in LIBRARIES:
        words = [f"--{key}={getattr(given, key)}" for key in ("nodes", "edges", "repeat")]
        run = subprocess.run([sys.executable, __file__, "--only", name, *words], capture_output=True, text=True)
        if run.returncode:
            print(name.ljust(10), run.stderr.strip().splitlines()[-1][:100])
            continue
        figures = json.loads(run.stdout)
        print(name.ljust(10), *(f"{figures.get(column, 0):.3f}".rjust(17) for column in COLUMNS))


if __name__ == "__main__":
    main()
