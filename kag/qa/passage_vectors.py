"""Vectors of a paper's passages: made by `kag index --vectors`, kept with the run, used by every later question.

A long passage says more than one vector can hold, so vectors are of its parts (`kag.qa.passage_features`), and the part
nearest to the question counts. Measured against whole passages in `reports/questions.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kag.core.content import ContentStore
from kag.core.files import write_whole
from kag.indexing.run import GRAPH, read_file
from kag.qa.paper import PaperGraph
from kag.qa.passage_features import index_of
from kag.rdf.published import PublishedGraph


class PassageVectors:
    """Adds the vectors of its passages to a run; what `kag.indexing.batch` calls for each paper."""

    def prepare(self) -> None:
        """Load the model once, for all processes that are made from this one; raises `MissingExtra`."""
        from kag.retrieval.meaning.kept_vectors import vector_files

        vector_files([""], b"")

    def files(self, files: Mapping[str, str | bytes]) -> dict[str, bytes]:
        """Return the files to add to a run with these files; raises `MissingExtra`."""
        from kag.retrieval.meaning.kept_vectors import vector_files

        turtle = files[GRAPH]
        graph = turtle if isinstance(turtle, bytes) else turtle.encode()
        paper = PaperGraph(PublishedGraph.parse(graph), ContentStore())
        return vector_files([text for parts in index_of(paper).parts for text in parts], graph)

    def add_to(self, run: Path) -> bool:
        """Add the vectors to a run; False where it has those of its graph. Raises `MissingExtra` and `RunError`."""
        if index_of(PaperGraph.load(run)).vectors is not None:
            return False
        for name, data in self.files({GRAPH: read_file(run, GRAPH)}).items():
            write_whole(run / name, data)
        return True
