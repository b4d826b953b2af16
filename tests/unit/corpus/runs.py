"""Runs of small papers that share texts and cite each other, for the tests of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kag.corpus import catalogue, graphs
from kag.corpus.layout import Layout
from kag.corpus.transaction import Change, open_writer
from kag.indexing.pipeline import index_paper
from tests.papers import PAGES, write_paper

SHARED = "Twelve sites were chosen along the river."
"""A paragraph that all these papers have."""


def make_run(folder: Path, paper_id: str, *, doi: str = "", cites: str = "", words: str = "") -> Path:
    """The run of a paper in `folder/<paper_id>`: with a DOI on its first page, one more reference, and words."""
    first = (*PAGES[0], ("text", "[[100, 700, 900, 740]]", f"{words or paper_id} was found at all of these sites."))
    if doi:
        first = (("text", "[[100, 20, 900, 40]]", f"https://doi.org/{doi}"), *first)
    entry = ("text", "[[100, 610, 900, 640]]", f"[4] {cites}")
    last = (*PAGES[1][:-1], entry, PAGES[1][-1]) if cites else PAGES[1]
    pages = write_paper(folder / "pages" / f"{paper_id}-{words}", (first, last))
    return indexed(folder / f"{paper_id}{words}", pages, paper_id)


def indexed(run: Path, pages: Path, paper_id: str) -> Path:
    """The run of a folder of pages, in a folder of this name, which is made."""
    run.mkdir(parents=True)
    for name, content in index_paper(pages, paper_id=paper_id).files.items():
        (run / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return run


def put(root: Path, *runs: Path, replace: bool = False) -> list[Change]:
    """Add runs with a writer of their own."""
    with open_writer(root, create=True) as writer:
        return list(writer.put(runs, replace=replace))


def remove(root: Path, *papers: str) -> list[Change]:
    """Remove papers with a writer of their own."""
    with open_writer(root) as writer:
        return list(writer.remove(papers))


def state(root: Path) -> tuple[str, Sequence[object], dict[str, bytes]]:
    """All that a corpus holds: canonical N-Quads, rows of the tables, files."""
    layout = Layout(root)
    with catalogue.open_tables(layout.tables) as rows:
        listed = list(catalogue.dump(rows))
    files = {str(p.relative_to(root)): p.read_bytes() for p in sorted(layout.papers.rglob("*")) if p.is_file()}
    return "".join(graphs.nquads(graphs.open_snapshot(layout))), listed, files
