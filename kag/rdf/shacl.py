"""SHACL validation by the compiled engine (`shacl`, text in): 1 to 3 microseconds a triple, so always of a whole graph.

The engine is used here and nowhere else; `kag.rdf.pyshacl_validator` is its reference.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import shacl
from rdflib import Graph

from kag.core.errors import BadValue, OntologyError
from kag.core.report import Issue, Report
from kag.rdf.ntriples import TextTriple, lines, texts

BLANK = "_:"
"""A blank node in an issue: engines rename them, so only the fact that it is one is kept."""

_FILE = "graph.nt"


class Validator:
    """Shapes compiled once; raises `OntologyError` when the shapes graph holds no shape or a malformed one."""

    def __init__(self, shapes: Graph) -> None:
        self._shapes = _compiled(shapes)

    def full(self, graph: Graph) -> Report:
        """The report on a graph; raises `BadValue` when it holds an IRI that is none."""
        return self.report(texts(graph))

    def report(self, triples: Iterable[TextTriple]) -> Report:
        """`full` for triples in N-Triples syntax. They go through a file: the engine copies a text several times."""
        with TemporaryDirectory(prefix="kag-") as folder:
            path = Path(folder, _FILE)
            with path.open("w", encoding="utf-8", newline="") as file:
                file.writelines(f"{subject} {predicate} {value} .\n" for subject, predicate, value in triples)
            return _validated(self._shapes, path)


def _compiled(shapes: Graph) -> shacl.Shapes:
    try:
        compiled = shacl.Shapes.from_text("\n".join(lines(shapes)), format="ntriples")
    except (ValueError, BadValue) as error:
        raise OntologyError(f"the shapes cannot be read: {error}", hint="Restore the file in ontology/.") from error
    if len(compiled) == 0:
        raise OntologyError("the shapes graph holds no shape", hint="Give a graph that has a sh:NodeShape.")
    return compiled


def _validated(shapes: shacl.Shapes, path: Path) -> Report:
    try:
        results = shapes.validate_file(str(path)).results
    except ValueError as error:
        problem = str(error).rpartition(f"{_FILE}: ")[2]  # without the temporary folder
        raise BadValue(f"the graph cannot be read: {problem}", hint="Remove or rewrite the term named.") from error
    return Report.of(
        Issue(
            focus=_plain(result.focus_node),
            path=result.path or "",
            component=result.component,
            message=" ".join(sorted(result.messages)),
            value=_plain(result.value or ""),
            severity=result.severity,
        )
        for result in results
    )


def _plain(text: str) -> str:
    return BLANK if text.startswith("_:") else text
