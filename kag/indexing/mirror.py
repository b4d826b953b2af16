"""A folder in an object store as a local folder: downloaded before a command, published after it.

The mirror stays on disk, so the next command transfers only changes. If somebody else published meanwhile, new files
(runs) are added to theirs; a corpus is one thing, and theirs stays. The least recently used mirrors are removed.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from kag.core.errors import CorpusBusy, StoreError
from kag.core.files import clear_partials, own_file, partial_path, read_object, write_whole
from kag.indexing.objects import AT_ONCE, File, Manifest, Tree, parts_of, safe

try:
    import fcntl
except ImportError:  # only on POSIX systems
    fcntl = None  # type: ignore[assignment]

CACHE, LIMIT = "KAG_CACHE", "KAG_CACHE_GB"
"""Variables of the environment: where mirrors are kept, and how many GB they may take (50)."""
_SYNCED, _LOCK, _FILES = "synced.json", "lock", "files"
_WHOLE = ("corpus.json",)  # marks a folder that is published as one
_OWN = ("writer.json", "LOCK")  # of a process that is at work here
Known = dict[str, tuple[int, int, File]]
"""Files as they were when they were last the same here and there: size, nanoseconds of their last change, parts."""


@contextmanager
def mirrored(url: str, *, publish: bool = True) -> Iterator[Path]:
    """The folder at an address, here; what was changed is published when the block ends well, if it is to be.

    Raises `CorpusBusy` where somebody else changed the same meanwhile, `StoreError`, `MissingExtra`.
    """
    tree = Tree(url)
    home = _cache() / sha256(tree.url.encode()).hexdigest()[:16]
    with _alone(home) as own:
        mirror = _Mirror(tree, own)
        mirror.pull()
        yield mirror.folder
        if publish:
            mirror.push()
    _make_room(_cache(), float(os.environ.get(LIMIT) or 50) * 1e9)


class _Mirror:
    """One folder, and the state that it was last the same as."""

    def __init__(self, tree: Tree, home: Path) -> None:
        self._tree, self._home = tree, home
        self.folder = home / _FILES
        self.folder.mkdir(parents=True, exist_ok=True)
        self._before = Manifest()
        self._known: Known = {}

    def pull(self) -> None:
        """Bring what was published since; without a manifest what else is there."""
        clear_partials(self.folder)
        serial, self._known = _read_synced(self._home / _SYNCED)
        self._before = self._tree.newest()
        if self._before.serial == 0:
            self._pull_plain()
        elif self._before.serial != serial or not self._known:
            self._take(self._before.files)
        if not (self._home / _SYNCED).exists():
            self._note()
        os.utime(self._home)

    def push(self) -> None:
        """Publish local changes; repeat if another writer was faster with other files."""
        for last in (False, True):
            found = _found(self.folder, self._known)
            files = {path: file for path, (_, _, file) in found.items()}
            if {path: file for path, (_, _, file) in self._known.items()} == files:
                return
            try:
                self._before = self._tree.publish(self._before, files, self._read)
            except CorpusBusy:
                if last or self._is_one():
                    raise
                self._before = self._tree.newest()
                self._take(self._before.files)
                continue
            self._known = found
            self._note()
            return

    def _is_one(self) -> bool:
        return any((self.folder / name).exists() for name in _WHOLE)

    def _take(self, files: Mapping[str, File]) -> None:
        """Update the folder to the published state: files changed by others are theirs, new ones of ours stay."""
        one = self._is_one() or any(name in files for name in _WHOLE)
        here = _found(self.folder, self._known)
        for path in here if one else self._known:  # what is one thing is theirs as a whole
            if path not in files:
                _forget(self.folder, path)
        wanted = {path: file for path, file in files.items() if path not in here or here[path][2] != file}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _ in pool.map(lambda path: self._bring(path, wanted[path]), sorted(wanted)):
                pass
        self._known = {path: row for path, row in _found(self.folder, self._known).items() if path in files}
        self._note()

    def _bring(self, path: str, file: File) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = partial_path(target)
        with partial.open("wb") as out:
            for part in file.parts:
                out.write(self._tree.part(part))
        partial.rename(target)

    def _pull_plain(self) -> None:
        """Pull files without a manifest; unchanged ones are not fetched again."""
        noted = self._home / "plain.json"
        known = {path: tuple(row) for path, row in (read_object(noted) if own_file(noted) else {}).items()}
        there = self._tree.plain()
        for path, (size, version) in there.items():
            target = self.folder / path
            if known.get(path) != (size, version) or not own_file(target):
                write_whole(target, self._tree.plain_file(path))
        for path in known.keys() - there.keys():
            _forget(self.folder, path)
        write_whole(noted, json.dumps(there))
        self._known = _found(self.folder, self._known) if there else {}

    def _read(self, path: str, start: int, size: int) -> bytes:
        with (self.folder / path).open("rb") as file:
            file.seek(start)
            return file.read(size)

    def _note(self) -> None:
        rows = {path: [size, time, file.size, *file.parts] for path, (size, time, file) in self._known.items()}
        write_whole(self._home / _SYNCED, json.dumps({"serial": self._before.serial, "files": rows}))


def _found(folder: Path, known: Known) -> Known:
    """Return the content of a folder; unchanged files are not read again."""
    found: Known = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not own_file(path) or path.name in _OWN or ".partial-" in name or not safe(name):
            continue
        about = path.stat()
        stamp = about.st_size, about.st_mtime_ns
        same = name in known and known[name][:2] == stamp
        found[name] = (*stamp, known[name][2] if same else parts_of(path))
    return found


def _forget(folder: Path, path: str) -> None:
    """Remove a file, and the folders that it leaves empty: object stores have none."""
    (folder / path).unlink(missing_ok=True)
    for above in (folder / path).parents:
        if above == folder:
            return
        try:
            above.rmdir()
        except OSError:  # something else is in it
            return


def _read_synced(file: Path) -> tuple[int, Known]:
    """The state that a mirror was last the same as; none where that is not known: all is looked at then."""
    try:
        row = read_object(file)
        known = {path: (a, b, File(c, tuple(parts))) for path, (a, b, c, *parts) in row["files"].items()}
        return int(row["serial"]), known
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return 0, {}


def _cache() -> Path:
    """Return the folder of the mirrors."""
    stated = os.environ.get(CACHE)
    base = Path(stated) if stated else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kag"
    return base / "mirrors"


@contextmanager
def _alone(home: Path) -> Iterator[Path]:
    """Return a mirror for this process alone: the stored one, or another if a process is using it."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{home}: {error.strerror}", hint=f"Set {CACHE} to a folder that can be written.") from error
    with (home / _LOCK).open("wb") as lock:
        try:
            if fcntl is not None:
                fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            own = Path(mkdtemp(prefix=f"{home.name}-", dir=home.parent))
            try:
                yield own
            finally:
                shutil.rmtree(own, ignore_errors=True)
            return
        yield home


def _make_room(cache: Path, limit: float) -> None:
    """Remove the mirrors that were used longest ago until the rest takes less; those in use and unpublished stay."""
    sizes = {home: sum(path.stat().st_size for path in home.rglob("*") if own_file(path)) for home in cache.iterdir()}
    left = sum(sizes.values())
    for home in sorted(sizes, key=lambda home: home.stat().st_mtime):
        if left <= limit:
            return
        with suppress(OSError), (home / _LOCK).open("rb") as lock:
            if fcntl is not None:
                fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            known = _read_synced(home / _SYNCED)[1]
            if _found(home / _FILES, known) == known:
                shutil.rmtree(home, ignore_errors=True)
                left -= sizes[home]
