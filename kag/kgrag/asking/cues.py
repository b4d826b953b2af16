"""Cues of a domain in the words of a question: edges and kinds of nodes.

Labels speak for themselves (`involved_in`: "involved"), and a domain adds words (`words` of nodes, `phrases` of
edges). Words count by their stems, and small words between them do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kag.kgrag.domain import Domain
from kag.kgrag.names import stem_of, words_of

_SMALL = """
    a an the this that these those it its their his her they them there here which what who whom whose when where why
    how is are was were be been being am do does did done has have had having can could may might will would shall must
    should of in on at by for from to with into onto as than and or also same share shares shared together both all each
    any every some list name show give tell find return me us you i we please many much any one ones other another co
    involving regarding concerning via s so if then thing things entity entities node nodes according know known
    exactly exist exists currently listed make makes made few
    related linked connected relation connection between but used
"""
SMALL = frozenset(_SMALL.split())
"""Words that hold a question together and choose nothing."""
ASKING = frozenset(
    ("which", "what", "who", "whom", "whose", "when", "where", "how", "list", "name", "show", "give", "find")
)
BE = frozenset(("is", "are", "was", "were"))
FAINT = frozenset(("in", "on", "at", "by", "of", "for", "from", "with"))
"""As the whole of a phrase these say an edge only where nothing else in the question does: "in Black Sea"."""
DENYING = frozenset(("not", "without", "except", "never", "nor", "neither", "no"))


@dataclass(frozen=True, slots=True)
class Cue:
    """Words `start` to `end` of a question: edges that they may say, and labels of nodes.

    `forward`: the subject stands before; False for a passive; None where it cannot be seen.
    `faint`: it is read for want of a better one, and is never sure.
    """

    start: int
    end: int
    edges: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    forward: bool | None = None
    faint: bool = False


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The meaning of a run of words; `gaps` are small words that may stand in it."""

    edges: Mapping[str, bool] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    gaps: frozenset[str] = frozenset()


class Cues:
    """The words of a domain, for its questions. `edge_labels` and `node_labels` are those of a graph without schema."""

    def __init__(self, domain: Domain, node_labels: Iterable[str] = (), edge_labels: Iterable[str] = ()) -> None:
        self._meanings: dict[tuple[str, ...], _Meaning] = {}
        self._exact_meanings: dict[tuple[str, ...], _Meaning] = {}
        self._faint: dict[str, set[str]] = {}
        self._longest = 1
        for label in sorted({*domain.schema.node_labels, *node_labels}):
            for words in (_split(label), *domain.words.get(label, ())):
                self._put_label(words, label)
        for label in sorted({*domain.schema.edge_labels, *edge_labels}):
            self._put_edge(_split(label), label)
            for phrase in domain.phrases.get(label, ()):
                self._put_edge(phrase, label)

    def _put_label(self, words: str, label: str) -> None:
        key = _stems(words_of(words))
        if key:
            meaning = self._meanings.get(key, _Meaning())
            self._meanings[key] = _Meaning(meaning.edges, meaning.labels | {label}, meaning.gaps)
            self._longest = max(self._longest, len(key))

    def _put_edge(self, phrase: str, label: str) -> None:
        """The words as they are, and their stems; of phrases with the same stems the first decides."""
        words = words_of(phrase.removeprefix("^"))
        if len(words) == 1 and words[0] in FAINT:
            self._faint.setdefault(words[0], set()).add(label)
            return
        bare = tuple(word for word in words if word not in SMALL) or words
        forward = "by" in words or not phrase.startswith("^")
        for key, table in ((bare, self._exact_meanings), (_stems(bare), self._meanings)):
            if key:
                meaning = table.get(key, _Meaning())
                gaps = meaning.gaps | (SMALL & set(words))
                table[key] = _Meaning({label: forward, **meaning.edges}, meaning.labels, gaps)
                self._longest = max(self._longest, len(key))

    def read(self, words: Sequence[str], taken: Iterable[int] = ()) -> tuple[tuple[Cue, ...], tuple[int, ...]]:
        """Return the cues among the words of a question, without those in `taken`, and the words without meaning."""
        skip = frozenset(taken)
        free = [(at, stem_of(word)) for at, word in enumerate(words) if at not in skip and self._counts(word)]
        cues, unread, place = [], [], 0
        while place < len(free):
            length, meaning = self._longest_at(words, free, place, skip)
            if meaning is None:
                if free[place][1] and words[free[place][0]] not in SMALL:
                    unread.append(free[place][0])
                place += 1
                continue
            start, end = free[place][0], free[place + length - 1][0] + 1
            cues.append(_cue(meaning, start, end, tuple(words)))
            place += length
        return tuple(cues) or tuple(self._faintly(words, skip)), tuple(unread)

    def _faintly(self, words: Sequence[str], skip: frozenset[int]) -> Iterator[Cue]:
        """Return the edge that a question without other cues means by its prepositions."""
        for at, word in enumerate(words):
            if word in self._faint and at not in skip:
                yield Cue(at, at + 1, frozenset(self._faint[word]), faint=True)

    def _counts(self, word: str) -> bool:
        return word not in SMALL or (word,) in self._exact_meanings or (stem_of(word),) in self._meanings

    def _longest_at(
        self, words: Sequence[str], free: Sequence[tuple[int, str]], place: int, skip: frozenset[int]
    ) -> tuple[int, _Meaning | None]:
        """Return the longest run of free words from a place with a meaning, and that meaning; no name interrupts the
        run."""
        for length in range(min(self._longest, len(free) - place), 0, -1):
            run = free[place : place + length]
            meaning = self._of(words, run)
            if meaning is not None and _together(words, run, meaning.gaps, skip):
                return length, meaning
        return 1, None

    def _of(self, words: Sequence[str], run: Sequence[tuple[int, str]]) -> _Meaning | None:
        """Return the meaning of a run of free words: edges by its words before their stems, and the kind of its last
        word."""
        exact = self._exact_meanings.get(tuple(words[at] for at, _ in run))
        meaning = self._meanings.get(tuple(stem for _, stem in run))
        if exact is None and meaning is None:
            return None
        first = exact or meaning or _Meaning()
        head = self._meanings.get((run[-1][1],), _Meaning()).labels
        return _Meaning(first.edges, (meaning.labels if meaning else frozenset()) | head, first.gaps)


def _together(words: Sequence[str], run: Sequence[tuple[int, str]], gaps: frozenset[str], skip: frozenset[int]) -> bool:
    """Whether nothing else stands in a run."""
    inside = {at for at, _ in run}
    return all(at in inside or (at not in skip and words[at] in gaps) for at in range(run[0][0], run[-1][0]))


def _cue(meaning: _Meaning, start: int, end: int, words: tuple[str, ...]) -> Cue:
    """The cue that words are; `by` behind it, or "by which" before it, makes it passive."""
    ways = set(meaning.edges.values())
    forward = ways.pop() if len(ways) == 1 else None
    asked_by = any(word == "by" and other in ASKING for word, other in pairwise(words[:start]))
    if meaning.edges and forward is not False and (asked_by or words[end : end + 1] == ("by",)):
        forward = False
    return Cue(start, end, frozenset(meaning.edges), meaning.labels, forward)


def _stems(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(stem_of, words)))


def _split(label: str) -> str:
    """A label as words.

    >>> _split("DataAsset"), _split("involved_in")
    ('Data Asset', 'involved in')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", label.replace("_", " "))
