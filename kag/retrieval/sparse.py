"""BM25 over many chunks: tantivy behind one small file, with the words of `kag.text.search_text`.

LaTeX, Unicode and case make no difference, as in the search of one paper. Files of an index are never changed once
written, so a copy of it is made of links. To write one tantivy removes what a list in its folder names, which may be a
stranger's, so a copy has a list of our own; even to read one it takes a lock in its folder, so one on a disk that can
only be read is opened through links. Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tantivy

from kag.core.errors import RunError
from kag.core.files import read_regular
from kag.retrieval.vectors import AGAIN
from kag.text.words import stems

K1, B = 1.2, 0.75
_LENGTHS: list[int] = [*range(40), *(24 + ((8 | step & 7) << (step >> 3) - 1) for step in range(16, 232))]


def kept_length(words: int) -> int:
    """Return the stored length of a text of that many words: from 41 on, lengths are rounded down.

    >>> [kept_length(words) for words in (0, 39, 41, 42, 1000)]
    [0, 39, 40, 42, 984]
    """
    return _LENGTHS[bisect_right(_LENGTHS, words) - 1]


def rarity(texts: int, having: int) -> float:
    """The inverse document frequency of a word that so many of the texts have."""
    return math.log(1 + (texts - having + 0.5) / (having + 0.5))


ID, DOCUMENT, WORDS = "id", "document", "words"
_MEMORY = 64_000_000  # bytes before a segment is written
_LISTED = ".managed.json"  # what tantivy may remove
_FILE = re.compile(r"[0-9a-f]{32}(\.[0-9]+)?\.[a-z]+")
_META = "meta.json"


class Sparse:
    """A BM25 index over texts by id, in a `folder`, or in a temporary one of its own.

    Changes are seen and safe from a crash when `add` or `delete` returns. One process may write, any number read.
    A word of a deleted text may still count as known, and so move scores a little, until tantivy merges its files.
    """

    def __init__(self, folder: Path | None = None, *, borrowed: bool = False) -> None:
        self._borrowed = borrowed
        linked = folder is not None and borrowed and not os.access(folder, os.W_OK)
        with _engine_errors(folder or Path(tempfile.gettempdir())):
            self._own = _scratch() if linked or not folder else None
            self.folder = Path(self._own.name) if self._own else folder or Path()
            if folder and linked:
                _take(folder, self.folder, _shown)
            if not borrowed:
                self.folder.mkdir(parents=True, exist_ok=True)
        self._index = _opened(self.folder, make=not borrowed)

    @classmethod
    def load(cls, folder: Path) -> Sparse:
        """Open what `save` wrote, and never change it: changes go into a copy. Raises `RunError`."""
        return cls(folder, borrowed=True)

    def __len__(self) -> int:
        return int(self._searcher().num_docs)

    def add(self, texts: Iterable[tuple[str, str, str]]) -> None:
        """Add texts as (id, document, text); one with an id that is there takes its place."""
        self.add_words((name, document, words_of(text)) for name, document, text in texts)

    def add_words(self, texts: Iterable[tuple[str, str, Sequence[str]]]) -> None:
        """`add` for texts whose words are known, as `words_of` gives them."""
        writer = self._writer()
        fresh, seen = len(self) == 0, set[str]()
        for name, document, words in texts:
            if not fresh or name in seen:
                writer.delete_documents_by_term(ID, name)
            seen.add(name)
            writer.add_document(tantivy.Document(**{ID: [name], DOCUMENT: [document], WORDS: [" ".join(words)]}))
        self._commit(writer)

    def delete(self, ids: Iterable[str]) -> None:
        """Take texts out; unknown ids do nothing."""
        writer = self._writer()
        for name in ids:
            writer.delete_documents_by_term(ID, name)
        self._commit(writer)

    def search(self, text: str, k: int, documents: Collection[str] = ()) -> list[tuple[str, float]]:
        """The k best texts with their scores, equals by id; only of these documents where some are given."""
        return self.weighed(Counter(words_of(text)), k, documents)

    def weighed(self, words: Mapping[str, float], k: int, documents: Collection[str] = ()) -> list[tuple[str, float]]:
        """`search` for words in the form of `words_of`, each of which counts so many times."""
        if not words or k < 1:
            return []
        with _engine_errors(self.folder):
            return self._best(self._query(words, documents), k)

    def _best(self, query: Any, k: int) -> list[tuple[str, float]]:
        searcher = self._searcher()
        limit = k + 8
        while True:  # equals at the border are all looked at, else their order in the files would show
            hits = searcher.search(query, limit, count=False).hits
            if len(hits) < limit or hits[-1][0] < hits[k - 1][0]:
                break
            limit *= 2
        least = hits[:k][-1][0] if hits else 0.0  # names are read only of those that may be told
        found = [(str(searcher.doc(place)[ID][0]), float(score)) for score, place in hits if score >= least]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]

    def frequency(self, word: str) -> int:
        """Return the number of texts with a word, in the form of `words_of`."""
        with _engine_errors(self.folder):
            return int(self._searcher().doc_freq(WORDS, word))

    def save(self, folder: Path) -> None:
        """A copy in another folder; files are linked where the file system can."""
        folder.mkdir(parents=True)
        _take(self.folder, folder, link)

    def _query(self, words: Mapping[str, float], documents: Collection[str]) -> Any:
        schema, any_of, must = self._index.schema, tantivy.Occur.Should, tantivy.Occur.Must
        terms = []
        for word, count in sorted(words.items()):
            term = tantivy.Query.term_query(schema, WORDS, word, "freq")
            terms.append((any_of, tantivy.Query.boost_query(term, float(count)) if count != 1 else term))
        query = tantivy.Query.boolean_query(terms)
        if not documents:
            return query
        among = tantivy.Query.term_set_query(schema, DOCUMENT, sorted(documents))
        return tantivy.Query.boolean_query([(must, query), (must, tantivy.Query.const_score_query(among, 0.0))])

    def _searcher(self) -> Any:
        return self._index.searcher()

    def _writer(self) -> Any:
        if self._borrowed:
            self._take_copy()
        try:
            return self._index.writer(_MEMORY, 1)
        except ValueError as error:
            hint = "Another process writes to it; try again when it is done."
            raise RunError(f"{self.folder} cannot be written: {error}", hint=hint) from error

    def _take_copy(self) -> None:
        own = _scratch()
        copy = Path(own.name) / "index"
        self.save(copy)
        self._index = _opened(copy, make=False)  # the other one is closed before its folder goes
        self._own, self.folder, self._borrowed = own, copy, False

    def _commit(self, writer: Any) -> None:
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes with the process, unless tantivy's thread puts its lock there at that moment."""
    return tempfile.TemporaryDirectory(prefix="kag-sparse-", ignore_cleanup_errors=True)


def words_of(text: str) -> list[str]:
    """The words of a text as they are indexed: stems, compounds whole and in parts."""
    return stems(text)


def link(source: Path, target: Path) -> None:
    """The same file under another name; copied where it cannot be linked."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copy2(source, target)


def _shown(source: Path, target: Path) -> None:
    """A link to a file; a copy where a system has none."""
    try:
        target.symlink_to(source.resolve())
    except OSError:
        shutil.copy2(source, target)


def _take(source: Path, target: Path, how: Callable[[Path, Path], None]) -> None:
    """Link the files of an index and its list into a folder, and nothing else. Raises `OSError`."""
    names = [path.name for path in sorted(source.iterdir()) if _FILE.fullmatch(path.name)]
    for name in names:
        how(source / name, target / name)
    (target / _META).write_bytes(read_regular(source / _META))
    (target / _LISTED).write_text(json.dumps([_META, *names]), encoding="utf-8")


@contextmanager
def _engine_errors(folder: Path) -> Iterator[None]:
    """Convert tantivy's errors about damaged files, including panics, into `RunError`."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, ValueError | OSError) or type(error).__name__ == "PanicException":
            raise RunError(f"{folder}: {error}", hint=AGAIN) from error
        raise


def _opened(folder: Path, *, make: bool) -> Any:
    path = str(folder)
    with _engine_errors(folder):
        index = tantivy.Index(_schema(), path=path, reuse=True) if make else tantivy.Index.open(path)
        index.searcher()  # opens the files
    return index


def _schema() -> Any:
    schema = tantivy.SchemaBuilder()
    schema.add_text_field(ID, stored=True, tokenizer_name="raw", index_option="basic")
    schema.add_text_field(DOCUMENT, stored=False, tokenizer_name="raw", index_option="basic")
    schema.add_text_field(WORDS, stored=False, tokenizer_name="whitespace", index_option="freq")
    return schema.build()
