"""The folder of a corpus: its files and their safe names, the intent of a change, and the lock of its one writer.

The intent is the one file that says what is being changed. The lock is on the marker file and ends with its process. It
is taken before anything of the corpus is opened, so a damaged store cannot let two writers in. Where a system has no
such locks, the one that the store of graphs takes holds alone. `writer.json` names the holder, for people.
"""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from kag.core.errors import CorpusBusy, CorpusError, CorpusReadOnly
from kag.core.files import (
    hint_for,
    open_regular,
    own_file,
    own_folder,
    read_object,
    read_regular,
    reason,
    remove_inside,
    write_whole,
)
from kag.sources.names import safe_paper_id

_VERSION = re.compile(r"[0-9a-f]{16}")
_STAGED = re.compile(r"(.+)-([0-9a-f]{16})")
_INDEX = re.compile(r"index-[a-z0-9_]{8}")
_NUMBER = re.compile(r"[1-9][0-9]{0,99}")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f-\x9f\ud800-\udfff]*")


def is_paper(name: object) -> bool:
    """Whether it can be a paper's id, as `safe_paper_id` makes them."""
    return isinstance(name, str) and safe_paper_id(name) == name


def is_version(name: object) -> bool:
    """Whether it can be a version: 16 hex digits."""
    return isinstance(name, str) and bool(_VERSION.fullmatch(name))


def is_staged(name: str) -> bool:
    """Whether a folder of this name can be a version that is being copied in."""
    match = _STAGED.fullmatch(name)
    return match is not None and is_paper(match[1])


def is_index(name: str) -> bool:
    """Whether a folder of this name can be a search index."""
    return bool(_INDEX.fullmatch(name))


def is_number(name: str) -> bool:
    """Whether it can be the number of a published state."""
    return bool(_NUMBER.fullmatch(name))


def is_iri(name: object) -> bool:
    """Whether an IRI can be written in N-Triples."""
    return isinstance(name, str) and bool(_IRI.fullmatch(name))


def checked(paper: object, version: object) -> tuple[str, str]:
    """A paper's id and version; raises `CorpusError` for what cannot be one."""
    if not is_paper(paper) or not is_version(version):
        hint = "The file that names it was changed: run `kag corpus check --repair`, or restore it from a copy."
        raise CorpusError(
            f"{str(paper)[:80]!r} {str(version)[:40]!r} is not a paper of a corpus and its version", hint=hint
        )
    return str(paper), str(version)


FORMAT = "kag-corpus/1"
_MARK = "corpus.json"
_SMALL = 64 * 1024**2  # bytes of a file of JSON of a corpus at most


def is_corpus(root: Path) -> bool:
    """Whether a folder is a corpus."""
    return Layout(root).mark.is_file()


@dataclass(frozen=True, slots=True)
class Layout:
    """The folder of a corpus.

    `papers/<id>/<version>/` holds a paper's files and never changes; `staged/` what is being copied in. `graph/store`
    is the writer's, `graph/snapshots/<n>` are the states that readers open; `corpus.db` holds the tables,
    `search/` the index of texts and vectors, if one was made.
    """

    root: Path

    @property
    def mark(self) -> Path:
        return self.root / _MARK

    @property
    def papers(self) -> Path:
        return self.root / "papers"

    @property
    def staged(self) -> Path:
        return self.root / "staged"

    @property
    def store(self) -> Path:
        return self.root / "graph" / "store"

    @property
    def snapshots(self) -> Path:
        return self.root / "graph" / "snapshots"

    @property
    def tables(self) -> Path:
        return self.root / "corpus.db"

    @property
    def search(self) -> Path:
        return self.root / "search"

    @property
    def intent(self) -> Path:
        return self.root / "intent.json"

    @property
    def writer(self) -> Path:
        return self.root / "writer.json"

    def paper(self, paper_id: str, version: str) -> Path:
        """The folder of one version of a paper; raises `CorpusError` where the names cannot be of one."""
        return self.papers.joinpath(*checked(paper_id, version))

    def held(self, paper_id: str, version: str) -> Path:
        """That folder for reading: raises `CorpusError` where a symbolic link is in its place, or leads to it."""
        folder = self.paper(paper_id, version)
        for path in (folder.parent, folder):
            if path.is_symlink():
                hint = "No corpus has such a thing. Delete it, then give the paper again with `kag corpus update`."
                raise CorpusError(f"{path} is a symbolic link, and is not followed", hint=hint)
        return folder

    def stage(self, paper_id: str, version: str) -> Path:
        """Return the folder into which a version is copied before it is committed; raises as `paper` does."""
        return self.staged / "-".join(checked(paper_id, version))

    def versions(self) -> Iterator[tuple[str, str]]:
        """Ids and versions of all folders that a corpus made for papers, sorted; links are none."""
        return (path.parts[-2:] for path, ours in self._versions() if ours)  # type: ignore[misc]  # they are two

    def strange(self) -> Iterator[Path]:
        """Return the entries in the papers folder that no corpus writes."""
        return (path for path, ours in self._versions() if not ours)

    def _versions(self) -> Iterator[tuple[Path, bool]]:
        """Return all entries in the folders of papers, and whether each is a version; other entries are not opened."""
        for paper in _inside(self.papers):
            if is_paper(paper.name) and own_folder(paper):
                yield from ((path, is_version(path.name) and own_folder(path)) for path in _inside(paper))
            else:
                yield paper, False

    def create(self) -> None:
        """Make the folder a corpus; raises `CorpusError` when it holds something else."""
        with file_errors(self.root):
            if not self.mark.is_file():
                begun = (path.name.startswith(".partial-") for path in self.root.glob("*"))  # by one that was killed
                if self.root.exists() and not (self.root.is_dir() and all(begun)):
                    hint = "Give an empty or new folder, or one that `kag corpus add` made."
                    raise CorpusError(f"{self.root} is neither a corpus nor empty", hint=hint)
                write_whole(self.mark, json.dumps({"format": FORMAT}) + "\n")
        self.require()
        with file_errors(self.root):
            for folder in (self.papers, self.staged, self.snapshots):
                folder.mkdir(parents=True, exist_ok=True)

    def require(self, *, mend: bool = False) -> None:
        """Raise `CorpusError` when the folder is not a corpus that this version reads, or holds links or devices.

        With `mend` such things go where derived data should be.
        """
        try:
            found = read_object(self.mark, _SMALL)["format"]
        except (OSError, ValueError, KeyError) as error:
            if os.path.lexists(self.mark):
                hint = "Take it from a copy of the corpus, or add the papers to a new one."
                raise CorpusError(f"{self.mark} is broken, and tells no format of a corpus", hint=hint) from error
            hint = "Make one: `kag corpus add PATH --corpus DIR`, in Python `Corpus.add`."
            raise CorpusError(f"{self.root} is not a corpus: {_MARK} is missing", hint=hint) from error
        if found != FORMAT:
            hint = "Add its papers to a new corpus, or use the version of kag that made it."
            raise CorpusError(f"{self.root} has the format {str(found)[:80]!r}, not {FORMAT!r}", hint=hint)
        for path, fits in self._skeleton():
            if mend and path != self.papers and _there(path) and not fits(path) and not own_folder(path):
                with file_errors(path):
                    path.unlink()  # the name alone: what it leads to is not ours
            if _there(path) and not fits(path):
                kind = "a symbolic link" if path.is_symlink() else "of another kind than there should be"
                hint = "No corpus has such a thing. Delete it, then run `kag corpus check --repair`."
                raise CorpusError(f"{path} is {kind}, and is not followed", hint=hint)

    def _skeleton(self) -> Iterator[tuple[Path, Callable[[Path], bool]]]:
        """Return the fixed entries of a corpus and their kinds."""
        for folder in (self.papers, self.staged, self.store.parent, self.store, self.snapshots, self.search):
            yield folder, own_folder
        tables = (self.tables.with_name(self.tables.name + end) for end in ("", "-wal", "-shm", "-journal"))
        for file in (self.intent, self.writer, *tables, self.search / "current", self.search / "replies.jsonl"):
            yield file, own_file

    def leftovers(self) -> Iterator[Path]:
        """Return the unfinished files of ended writers; call it as the one writer, after an intent was carried out.

        An index that the pointer does not name counts only where the pointer names one.
        """
        staged, snapshots, search = (_inside(folder) for folder in (self.staged, self.snapshots, self.search))
        yield from (path for path in staged if is_staged(path.name))
        yield from (path for path in snapshots if is_number(path.name) and not own_folder(path))
        yield from (path for path in (*snapshots, *search) if path.name.startswith((".partial-", ".current-")))
        try:
            current = read_regular(self.search / "current", 100).decode("ascii", "replace")
        except OSError:
            return
        if own_folder(self.search / current) and is_index(current):
            yield from (path for path in search if is_index(path.name) and path.name != current)

    def remove(self, path: Path) -> None:
        """Remove what a corpus made itself: all removals go through here, and none leads out of it.

        The folder is a corpus, and the path lies strictly inside one of its own folders with no link on the way.
        Raises `CorpusError`.
        """
        self.require()
        homes = (self.papers, self.staged, self.search, self.store.parent)
        home = next((home for home in homes if path != home and path.is_relative_to(home)), None)
        with file_errors(path):
            if home is None or path == self.snapshots:
                raise OSError(f"{path} is not what a corpus removes")
            remove_inside(self.root, path)


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """An error of the system about a corpus' files, as `CorpusError` with what can be done."""
    try:
        yield
    except OSError as error:
        raise CorpusError(f"{error.filename or path}: {error.strerror or error}", hint=hint_for(error)) from error


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if own_folder(folder) else []


def _there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


Intent = Mapping[str, str | None]
"""What is being changed: the version that each paper shall have, None for a paper that shall go."""


def read_intent(layout: Layout) -> Intent:
    """The change that was begun and not finished, each name and version looked at; empty when there is none.

    Raises `CorpusError`.
    """
    hint = "The file was changed by hand; restore it, or delete it and run `kag corpus check --repair`."
    try:
        intent = read_object(layout.intent, _SMALL)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise CorpusError(f"{layout.intent} cannot be read: {error}", hint=hint) from error
    for paper, version in intent.items():
        if not is_paper(paper) or not (version is None or is_version(version)):
            what = f"{paper[:80]!r}: {str(version)[:40]!r}"
            raise CorpusError(f"{layout.intent} names what is not a paper and version: {what}", hint=hint)
    return intent


def write_intent(layout: Layout, intent: Intent) -> None:
    """Decide on a change: from now on it will be finished."""
    write_whole(layout.intent, json.dumps(dict(sorted(intent.items())), indent=2) + "\n")


try:
    import fcntl
except ImportError:  # only on POSIX systems
    fcntl = None  # type: ignore[assignment]

_STEP = 0.1  # seconds between looks at whether a writer is done
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextmanager
def locked(layout: Layout, patience: float = 0.0) -> Iterator[None]:
    """Be the one writer, for whom another is waited so many seconds.

    Raises `CorpusBusy` naming who it is, and `CorpusReadOnly` where nothing can be written.
    """
    deadline = time.monotonic() + patience
    with open_regular(layout.mark) as marker:
        while not _take_lock(marker):
            if time.monotonic() > deadline:
                raise busy_error(layout)
            time.sleep(_STEP)
        try:
            write_whole(layout.writer, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}) + "\n")
        except OSError as error:
            if error.errno in _READ_ONLY:
                hint = "It can be listed, searched and asked here; to change it, copy it to where you may write."
                raise CorpusReadOnly(f"{layout.root} cannot be written: {error.strerror}", hint=hint) from error
            raise CorpusError(f"{layout.root} cannot be written: {reason(error)}", hint=hint_for(error)) from error
        try:
            yield
        finally:
            layout.writer.unlink(missing_ok=True)


def at_work(layout: Layout) -> bool:
    """Whether a process is writing the corpus now."""
    with open_regular(layout.mark) as marker:
        return not _take_lock(marker)


def busy_error(layout: Layout) -> CorpusBusy:
    """The error for one who has to wait."""
    hint = "Wait until it is done; reading is possible meanwhile."
    return CorpusBusy(f"{layout.root} is being written by {_holder(layout.writer)}", hint=hint)


def _take_lock(marker: BufferedReader) -> bool:
    """Take the lock; it goes when the file is closed."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(marker.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # this file system has no locks
        return True
    return True


def _holder(file: Path) -> str:
    try:
        row = read_object(file, 4096)
        return f"process {int(row['pid'])} on {str(row['host'])[:80]}"
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return "another process"
