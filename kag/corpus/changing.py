"""Changing a corpus: papers go in or out, layers are added, and the search index is brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.display import Progress, counted, quiet
from kag.core.errors import CorpusError, KagError, RunError, SourceError
from kag.core.files import read_regular, shown
from kag.corpus import catalogue
from kag.corpus.layout import Layout, at_work
from kag.corpus.submission import files_of
from kag.corpus.transaction import Change, open_writer
from kag.indexing.batch import Outcome, default_workers, find_papers, index_all, look_over
from kag.indexing.isolated_reader import LIMITS
from kag.indexing.run import find_runs, layers_of, newest_each, paper_of
from kag.layers.pipeline import Layers, chosen
from kag.qa.faceted_chunks import named_chunks
from kag.qa.paper import PaperGraph
from kag.sources.reading import AS_IT_IS, Reading

if TYPE_CHECKING:
    from kag.corpus.search_index import Describer, Step
    from kag.corpus.transaction import Writer
    from kag.retrieval.chunking import Chunk


def runs_at(
    paths: Sequence[Path], out_dir: Path, tell: Callable[[Outcome, int, int], object], reading: Reading = AS_IT_IS
) -> tuple[list[Path], list[Outcome]]:
    """Return the run folders at some paths, the newest of each paper, and the papers that could not be indexed.

    A path is a paper's file or folder, a run, or a folder of these. Papers become runs in `out_dir`, each in a process
    with the usual limits, as `reading` says; `tell` gets each that is done, its number and the total. Raises
    `SourceError` where a path holds no paper.
    """
    finished = [run for path in paths for run in find_runs(path)]
    pages = [path for path in paths if not find_runs(path)]
    failed = []
    jobs = look_over(pages, out_dir, reading=reading).jobs if pages else ()
    done = index_all(jobs, workers=default_workers(), limits=LIMITS) if jobs else ()
    for number, outcome in enumerate(done, start=1):
        tell(outcome, number, len(jobs))
        if outcome.run:
            finished.append(outcome.run)
        else:
            failed.append(outcome)
    return list(newest_each((paper_of(run) or run.name, run) for run in finished).values()), failed


def ids_at(given: str) -> list[str]:
    """Paper ids: of the runs or OCR folders at a path, or the given word itself."""
    path = Path(given)
    if not path.is_dir():
        return [given]
    try:
        return [paper_of(run) for run in find_runs(path)] or [job.name for job in find_papers([path], path)]
    except (RunError, SourceError):
        return [given]


def follow(writer: Writer) -> None:
    """Bring the search index into step, where there is one; its packages are an extra."""
    if writer.layout.search.exists():
        from kag.corpus.search_index import make_index

        make_index(writer)


def with_layers(runs: Sequence[Path], names: str, folder: Path, progress: Progress = quiet) -> list[Path]:
    """The runs, those that lack one of the layers as copies in `folder` that have them; what is given is not changed.

    Raises `BadValue` for names of no layer, `RunError` and `NotConforming`.
    """
    wanted = chosen(names)
    return [
        run if set(wanted) <= layers_of(run).keys() else _copied(run, wanted, folder)
        for run in counted(runs, "papers with layers", len(runs), progress)
    ]


def _copied(run: Path, wanted: tuple[str, ...], folder: Path) -> Path:
    made = folder / "layered" / run.name
    try:
        made.mkdir(parents=True)
        for name in files_of(run):
            (made / name).write_bytes(read_regular(run / name))
    except OSError as error:
        raise CorpusError(f"{shown(run)} cannot be copied: {error}", hint="Make room, or give a whole run.") from error
    Layers(wanted).add_to(made)
    return made


def put_layers(writer: Writer, names: str, folder: Path, progress: Progress = quiet) -> Iterator[Change]:
    """Give the papers of a corpus the layers that they lack; one that gets none does not keep the others out."""
    from kag.corpus.transaction import Change

    wanted = chosen(names)
    with catalogue.open_tables(writer.layout.tables, write=True) as rows:
        held = [(row.id, writer.layout.held(row.id, row.version)) for row in catalogue.papers(rows)]
    made: list[Path] = []
    for paper, run in counted(held, "papers with layers", len(held), progress):
        if set(wanted) <= layers_of(run).keys():
            continue
        try:
            made.append(_copied(run, wanted, folder / paper))
        except KagError as error:
            yield Change(paper, "failed", error.message, error.hint)
    yield from writer.put(made, replace=True)


def layer_names(layout: Layout) -> Describer:
    """Return what names entities in chunks besides the rules: the entity layers of their papers."""
    from kag.corpus.search_index import VERSION, Describer  # its packages are an extra

    def describe(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        if not chunks:
            return chunks
        first = chunks[0]
        return named_chunks(PaperGraph.load(layout.held(first.document, first.metadata[VERSION])), chunks)

    return Describer("layers", describe)


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What a search index has besides words; `embedder` is an endpoint, URL#MODEL.

    With `by_layers` the papers' entity layers name the entities of passages, in addition to the rules; `engines` are
    addresses of engines that hold parts of the index.
    """

    vectors: bool = False
    graph: bool = False
    embedder: str = ""
    by_layers: bool = False
    engines: tuple[str, ...] = ()


PLAIN = IndexOptions()


def being_written(root: Path) -> bool:
    """Whether a writer is changing the corpus now."""
    return at_work(Layout(root))


def put(root: Path, runs: Sequence[Path], *, replace: bool = False, patience: float = 0.0) -> Iterator[Change]:
    """Add run folders to a corpus, which is created if missing; see `kag.corpus.transaction.Writer.put`.

    Another writer is waited for up to `patience` seconds, here and below.
    """
    with open_writer(root, create=True, patience=patience) as writer:
        yield from writer.put(runs, replace=replace)
        follow(writer)


def remove(root: Path, papers: Sequence[str], *, patience: float = 0.0) -> Iterator[Change]:
    """Remove papers by id."""
    with open_writer(root, patience=patience) as writer:
        yield from writer.remove(papers)
        follow(writer)


def index(
    root: Path,
    options: IndexOptions = PLAIN,
    *,
    describer: Describer | None = None,
    progress: Progress = quiet,
    patience: float = 0.0,
) -> Step:
    """Bring the search index up to date, or create it; see `kag.corpus.search_index.make_index`."""
    from kag.corpus.search_index import make_index

    with open_writer(root, patience=patience) as writer:
        return make_index(
            writer,
            vectors=options.vectors,
            graph=options.graph,
            embedder=options.embedder,
            describer=layer_names(writer.layout) if options.by_layers else describer,
            engines=options.engines,
            progress=progress,
        )


def link(
    root: Path, layers: str, folder: Path, *, progress: Progress = quiet, patience: float = 0.0
) -> tuple[tuple[Change, ...], int]:
    """Make the missing layers of a corpus in `folder`, and link all layers.

    Returns the changes of the papers and the number of triples of the links.
    """
    with open_writer(root, patience=patience) as writer:
        changes = tuple(put_layers(writer, layers, folder, progress))
        return changes, writer.link()
