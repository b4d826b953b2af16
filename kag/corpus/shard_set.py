"""A corpus in shards: its folder, which shards it has, and which of them a paper belongs to.

    shards.json      how many shards there are, and in which folder (`shards-1`): the one file that is replaced
    shards-1/0001    each an ordinary corpus, with its own writer, proofs and search index
    joined/          graphs and tables of all shards, made from what they publish (`kag.corpus.joined`)
    search/          the graph over the chunks of all shards, where one was made

A paper's shard is told by its name alone, so nobody has to be asked where it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.corpus import catalogue, graphs, lock
from kag.corpus.layout import Layout, told
from kag.safety.files import own_file, own_folder, read_object, write_whole
from kag.values.errors import CorpusBusy, CorpusError
from kag.write.shards import shard_of

FORMAT = "kag-shards/1"
MOST = 4096  # shards of one corpus
_MARK = "shards.json"
_FOLDER = re.compile(r"shards-[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class ShardSet:
    """The shards of the corpus at `root`: `number` of them, in the folder called `folder`."""

    root: Path
    folder: str
    number: int

    @property
    def mark(self) -> Path:
        return self.root / _MARK

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """Each shard as the corpus that it is, the first one first."""
        return tuple(Layout(self.root / self.folder / f"{number:04d}") for number in range(1, self.number + 1))

    @property
    def joined(self) -> Layout:
        """Where graphs and tables of all shards are."""
        return Layout(self.root / "joined")

    @property
    def search(self) -> Path:
        """Where the graph over all chunks is."""
        return self.root / "search"

    def home(self, paper: str) -> Layout:
        """The shard that a paper belongs to."""
        return Layout(self.root / self.folder / f"{shard_of(paper, self.number):04d}")

    def write(self) -> None:
        """Make this the set that is there: from then on all who open it see these shards."""
        row = {"format": FORMAT, "folder": self.folder, "shards": self.number}
        with told(self.root):
            write_whole(self.mark, json.dumps(row) + "\n")

    @contextmanager
    def still(self) -> Iterator[None]:
        """For who has locked a shard: raises `CorpusBusy` where the corpus has been put into other shards meanwhile."""
        if shard_set(self.root) != self:
            hint = "Give the command again: the corpus has other shards now."
            raise CorpusBusy(f"{self.root} was put into other shards meanwhile", hint=hint)
        yield


def is_corpus(root: Path) -> bool:
    """Whether a folder is a corpus, in one piece or in shards."""
    return Layout(root).mark.is_file() or shard_set(root) is not None


def shard_set(root: Path) -> ShardSet | None:
    """The shards of a corpus; None where it is not in shards. Raises `CorpusError` where its marker is damaged."""
    mark = root / _MARK
    if not mark.is_symlink() and not mark.exists():
        return None
    try:
        if not own_file(mark):
            raise ValueError("it is no regular file")
        return _read(root, read_object(mark, 4096))
    except (OSError, ValueError) as error:
        hint = f"Restore it: {{'format': '{FORMAT}', 'folder': 'shards-1', 'shards': 8}}, as its folders are."
        raise CorpusError(f"{mark} does not say which shards there are: {error}", hint=hint) from error


def _read(root: Path, row: dict[str, Any]) -> ShardSet:
    if row.get("format") != FORMAT:
        raise ValueError(f"its format is {str(row.get('format'))[:40]!r}")
    folder, number = row.get("folder"), row.get("shards")
    if not isinstance(folder, str) or not _FOLDER.fullmatch(folder):
        raise ValueError("its folder cannot be one")
    if type(number) is not int or not 1 <= number <= MOST:
        raise ValueError(f"the number of shards is not one from 1 to {MOST}")
    found = ShardSet(root, folder, number)
    for path in (root / folder, *(layout.root for layout in found.layouts)):
        if not own_folder(path):
            raise ValueError(f"{path.relative_to(root)} is no folder")
    for path in (found.joined.root, found.search):
        if path.is_symlink():
            raise ValueError(f"{path.name} is a symbolic link, which no corpus has")
    return found


def create_shards(root: Path, number: int) -> ShardSet:
    """A new corpus in so many shards; raises `CorpusError` where the folder holds something, or for another number."""
    if not 1 <= number <= MOST:
        raise CorpusError(f"{number} shards", hint=f"Give 1 to {MOST}.")
    if root.exists() and not (root.is_dir() and all(path.name.startswith(".") for path in root.iterdir())):
        hint = "Give an empty or new folder; `kag corpus rebalance` puts a corpus into other shards."
        raise CorpusError(f"{root} holds something already", hint=hint)
    made = ShardSet(root, "shards-1", number)
    for layout in made.layouts:
        begin(layout)
    made.write()
    return made


def begin(layout: Layout) -> None:
    """Make a corpus without papers that can be asked: empty tables and graphs. Raises `CorpusError`."""
    layout.create()
    with lock.alone(layout), catalogue.open_tables(layout.tables, write=True):
        graphs.publish(graphs.open_store(layout), layout)
