"""Scores of the bundled papers as they are and with planted faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rdflib import Graph

from kag.evaluate.structure.report import Summary, summarise
from kag.evaluate.structure.runs import evaluate
from kag.rdf.namespaces import C4O, CITO, KAG

BUNDLED = Path(__file__).parents[2] / "test_data"


@pytest.fixture(scope="module")
def good(bundled_runs: Path) -> Summary:
    return summarise("bundled", evaluate(BUNDLED, bundled_runs))


@pytest.fixture(scope="module")
def bad(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """The bundled papers with the first paper's citations of [1] leading to [2], and no captions anywhere."""
    runs = Path(shutil.copytree(bundled_runs, tmp_path_factory.mktemp("bad") / "runs"))
    for file in sorted(runs.glob("*/knowledge_graph.ttl")):
        graph = Graph().parse(file)
        graph.remove((None, KAG.describes, None))
        if file.parent.name.startswith("reservoir"):
            one, two = (min(s for s, n in graph.subject_objects(KAG.citationNumber) if int(n) == k) for k in (1, 2))
            for predicate in (CITO.cites, C4O.denotes):
                for citing in list(graph.subjects(predicate, one)):
                    graph.remove((citing, predicate, one))
                    graph.add((citing, predicate, two))
        graph.serialize(file, format="turtle")
    return summarise("bad", evaluate(BUNDLED, runs))
