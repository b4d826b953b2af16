"""The graphs of runs before the referee: the document by its shapes, each layer by its own, all together by all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rdflib import Graph

from kag.core.errors import RunError
from kag.core.files import shown
from kag.core.report import Report
from kag.indexing.run import layers_of, load_run, read_file
from kag.layers.gate import foreign
from kag.rdf.layer_profiles import LAYERS, PROFILES
from kag.rdf.ntriples import texts
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee
from kag.rdf.turtle import from_turtle


def graphs_of(run: Path) -> dict[str, Graph]:
    """The graphs of a run by the names of their layers, the document's first; raises `RunError`."""
    found = {DOC.name: load_run(run).graph}
    for name, file in layers_of(run).items():
        try:
            found[name] = from_turtle(read_file(run, file))
        except (SyntaxError, ValueError) as error:
            hint = "The file was changed or damaged; make it again: `kag layers RUN --force`."
            raise RunError(f"{shown(run / file)}: {error}", hint=hint) from error
    return found


def validate_run(run: Path) -> dict[str, Report]:
    """What the referee says of a run's document, and of each of its layers over those that it rests on."""
    graphs = graphs_of(run)
    reports = {DOC.name: referee(graphs[DOC.name], load_shapes(DOC))}
    for name in graphs.keys() - {DOC.name}:
        profile = LAYERS[name]
        below = _joined(graphs[one] for one in profile.rests_on if one in graphs)
        strange = foreign(profile, texts(graphs[name]), texts(below))
        shaped = referee(_joined((below, graphs[name])), load_shapes(profile))
        reports[name] = Report.of([*shaped.issues, *strange])
    return {name: reports[name] for name in PROFILES if name in reports}


def validate_union(runs: Iterable[Path]) -> Report:
    """What the referee says of all graphs of some runs as one, by the shapes of all layers that there are."""
    found = [graphs_of(run) for run in runs]
    names = {DOC.name}.union(*found)
    shapes = _joined(load_shapes(PROFILES[name]) for name in names)
    return referee(_joined(graph for graphs in found for graph in graphs.values()), shapes)


def _joined(graphs: Iterable[Graph]) -> Graph:
    together = Graph(bind_namespaces="none")
    for graph in graphs:
        together += graph
    return together
