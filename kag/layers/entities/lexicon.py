"""Texts as rows of tokens, and lists of names with kinds and identifiers that are found in them.

Names are looked up in small letters, digits apart from letters, Greek letters by name: "IL-2Rα" and "il 2 r-alpha"
meet. A line of a list in `names/` is a key, a tab, and its meanings "kind/share/identifiers" with `|` between them; the
share is how often, in 100, the words mean this. `names.json` has source, licence and SHA-256 of each list.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kag.core.errors import SourceError
from kag.text.sentences import sentences

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_PART = re.compile(r"[^\W\d_]+|\d+")
_GREEK = re.compile("([α-ω])")
_JOINING = frozenset("-‐‑–—/'’·.")  # marks that names are printed with or without
_CACHED = 65_536


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: words, where they start and end, and the sentences as pairs of token numbers."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[tuple[int, int], ...]
    pieces: tuple[tuple[list[str], list[int]], ...] = field(init=False)
    """For each sentence the parts of its tokens, and the tokens they are parts of, and the one behind."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(_pieces(self.words, *span) for span in self.sentences))

    def spaced(self, n: int) -> bool:
        """Whether a blank stands before a token."""
        return n == 0 or self.starts[n] > self.ends[n - 1]


def tokens(text: str) -> Tokens:
    """The tokens of a text.

    >>> tokens("HNF-6 binds. It does.").words
    ('HNF', '-', '6', 'binds', '.', 'It', 'does', '.')
    >>> tokens("HNF-6 binds. It does.").sentences
    ((0, 5), (5, 8))
    """
    found = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]
    words, starts, ends = zip(*found, strict=True) if found else ((), (), ())
    return Tokens(text, words, starts, ends, _borders(text, starts))


def _pieces(words: tuple[str, ...], first: int, last: int) -> tuple[list[str], list[int]]:
    found, owners = [], []
    for n in range(first, last):
        for piece in parts(words[n]):
            found.append(piece)
            owners.append(n)
    return found, [*owners, last]


def _borders(text: str, starts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    spans, at = [], 0
    for _, end in sentences(text):
        first = at
        while at < len(starts) and starts[at] < end:
            at += 1
        if at > first:
            spans.append((first, at))
    return tuple(spans)


@lru_cache(maxsize=_CACHED)
def parts(word: str) -> tuple[str, ...]:
    """The pieces of a token in the form of names; none of a mark that names are printed with or without.

    >>> parts("IL2Rα"), parts("-"), parts("(")
    (('il', '2', 'r', 'alpha'), (), ('(',))
    """
    if word in _JOINING:
        return ()
    plain = unicodedata.normalize("NFKC", word).lower()
    named = _GREEK.sub(lambda match: f" {unicodedata.name(match[1]).split()[-1].lower()} ", plain)
    return tuple(_PART.findall(named)) or (word,)


def key(text: str) -> str:
    """The form in which a name is looked up.

    >>> key("Type-II diabetes"), key("IL-2Rα"), key("N-acetyl-L-arginine")
    ('type ii diabetes', 'il 2 r alpha', 'n acetyl l arginine')
    """
    return " ".join(part for word in _TOKEN.findall(text) for part in parts(word))


FOLDER = Path(__file__).parent / "names"
Line = tuple[str, str, str, int]  # key, kind, identifiers, share
LOOKED_UP = frozenset({"headings", "species", "symbols"})
"""Lists that no text is searched for: forms of names (`forms.py`), to which a name that was found is brought."""


class Name(NamedTuple):
    """The meaning of a key; `ids` are CURIEs separated by blanks."""

    kind: str
    ids: str
    share: int


class Found(NamedTuple):
    """Names on the tokens from `start` to before `end`."""

    start: int
    end: int
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`longest` is, for two first parts, how many parts the longest name has that begins with them."""

    names: Mapping[str, str]  # meanings as they are written: most of them are never asked for
    longest: Mapping[str, int]

    def look_up(self, key: str) -> tuple[Name, ...]:
        """Look up a key or its singular; nothing if it is unknown."""
        meanings = self.names.get(key) or (self.names.get(key[:-1]) if key.endswith("s") else None)
        return _meanings(meanings) if meanings is not None else ()

    def find(self, row: Tokens, *, nested: bool = False) -> Iterator[Found]:
        """The names in a text, from left to right, each the longest at its place; with `nested` all that there are."""
        for pieces, owners in row.pieces:
            yield from self._in_sentence(pieces, owners, nested)

    def _in_sentence(self, pieces: list[str], owners: list[int], nested: bool) -> Iterator[Found]:
        names, longest, many = self.names, self.longest, len(pieces)
        until = -1
        for at, piece in enumerate(pieces):  # most tokens begin no name: two or three looks into a dict say so
            if (at < until and not nested) or (at and owners[at] == owners[at - 1]):
                continue
            most = 1
            if at + 1 < many:
                two = f"{piece} {pieces[at + 1]}"
                most = longest.get(two) or (longest.get(two[:-1]) if two[-1] == "s" else None) or 1
            if most == 1 and piece not in names and not (piece[-1] == "s" and piece[:-1] in names):
                continue
            for found in self._from(pieces, owners, at, min(at + most, many)):
                yield found[1]
                until = found[0]
                if not nested:
                    break

    def _from(self, pieces: list[str], owners: list[int], at: int, furthest: int) -> Iterator[tuple[int, Found]]:
        """The names that begin at a part, the longest first, each with where it ends."""
        for end in range(furthest, at, -1):
            if owners[end] != owners[end - 1] and (names := self.look_up(" ".join(pieces[at:end]))):
                yield end, Found(owners[at], owners[end - 1] + 1, names)


def lexicon(lines: Iterable[Line]) -> Lexicon:
    """A lexicon of lines."""
    return _lexicon(written(lines).items())


def written(lines: Iterable[Line]) -> dict[str, str]:
    """Keys in order with their meanings as a list has them.

    >>> written([("ice", "solid", "a:1 b:2", 100), ("ice", "drug", "", 3)])
    {'ice': 'drug/3/|solid/100/a:1 b:2'}
    """
    found: dict[str, str] = {}
    for key, kind, ids, share in sorted(set(lines)):
        meaning = f"{kind}/{share}/{ids}"
        found[key] = f"{found[key]}|{meaning}" if key in found else meaning
    return found


def _lexicon(pairs: Iterable[tuple[str, str]]) -> Lexicon:
    names = dict(pairs)
    longest: dict[str, int] = {}
    for key in names:
        many = key.count(" ") + 1
        if many > 1:
            first = key if many == 2 else " ".join(key.split(" ", 2)[:2])
            if many > longest.get(first, 0):
                longest[first] = many
    return Lexicon(names, longest)


@lru_cache(maxsize=8192)
def _meanings(text: str) -> tuple[Name, ...]:
    found = (one.split("/", 2) for one in text.split("|"))
    return tuple(Name(kind, ids, int(share)) for kind, share, ids in found)


@lru_cache(maxsize=16)
def read_lexicon(name: str, folder: Path = FOLDER) -> Lexicon:
    """The list of a name; raises `SourceError` where it is missing, damaged or not the one of its card."""
    path = folder / f"{name}.tsv.gz"
    hint = "Install kag again: a list of names is not whole."
    try:
        packed = path.read_bytes()
        known = json.loads((folder / "names.json").read_text(encoding="utf-8"))["lists"][name]["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path}: {error}", hint=hint) from error
    if hashlib.sha256(packed).hexdigest() != known:
        raise SourceError(f"{path}: its SHA-256 is not that of names.json", hint=hint)
    lines = gzip.decompress(packed).decode().split("\n")
    pairs = ((key, meanings) for key, _, meanings in (line.partition("\t") for line in lines if line))
    return Lexicon(dict(pairs), {}) if name in LOOKED_UP else _lexicon(pairs)
