"""Words to lines: text on one baseline without a gap of a column or a table cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median

from kag.sources.pdf.file.content import Font, PageContent, Rect, Word
from kag.sources.pdf.text.titles import is_standard

FAR = 1.3
"""Gap in type sizes from which two words on a baseline are two lines: a gutter, or a table's columns."""
NEAR = 0.75
"""The same for pieces that the file does not set one after the other."""
_SCRIPT_SIZE = 0.86  # a raised or lowered word is set smaller than this share of its line
_SCRIPT_SHIFT = 0.1  # and its baseline is off by more than this share of the line's size
_JOINS = 0.65  # how far it may be off
_MARKER = re.compile(r"\d{1,3}|[\[(]\d{1,3}[\])]|\d{1,3}[.)]|[a-zA-Z][.)]|[•◦▪‣●○■□►▸➢✓]")
_MARKER_GAP = 4.0  # type sizes
_COUNT = 4  # bare numbers below each other that are those of a list
_WIDEST = 2.9  # type sizes between two baselines of one text: typescripts are set double-spaced
_INITIAL = 1.8  # how much larger an initial is than the text that it begins
_SPACED = 4  # letters of a line that is set letter by letter
_WORDS = ("A", "I", "O")  # initials that may be words
_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class Line:
    """Words in order from left to right, with the rectangle they fill in points."""

    words: tuple[Word, ...]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.words)

    @cached_property
    def rect(self) -> Rect:
        words = self.words
        return Rect(
            min(word.x0 for word in words),
            min(word.y0 for word in words),
            max(word.x1 for word in words),
            max(word.y1 for word in words),
        )

    @cached_property
    def main(self) -> Word:
        """The word that sets the line's size and baseline: of the size most of its width is set in."""
        widths: Counter[float] = Counter()
        for word in self.words:
            widths[round(word.size, 1)] += word.x1 - word.x0 + 0.01  # type: ignore[assignment]
        size = max(widths, key=lambda key: (widths[key] * key, key))
        return next(word for word in self.words if round(word.size, 1) == size)

    @cached_property
    def size(self) -> float:
        return self.main.size

    @cached_property
    def base(self) -> float:
        return self.main.base

    @cached_property
    def text(self) -> str:
        """Return the words separated by blanks, in order."""
        return "".join((" " if word.spaced and n else "") + word.text for n, word in enumerate(self.words))

    @cached_property
    def font(self) -> Font:
        """The typeface that most of its width is set in."""
        widths: Counter[Font] = Counter()
        for word in self.words:
            widths[word.font] += word.x1 - word.x0 + 0.01  # type: ignore[assignment]
        return max(widths, key=lambda key: (widths[key], key))

    @cached_property
    def bold(self) -> bool:
        """Whether all words of it are bold; single letters may be signs of mathematics."""
        return self.font.bold and all(word.font.bold for word in self._worded)

    @cached_property
    def italic(self) -> bool:
        """Whether all words of it are slanted; single letters may be signs of mathematics."""
        return self.font.italic and all(word.font.italic for word in self._worded)

    @cached_property
    def _worded(self) -> tuple[Word, ...]:
        """The words of letters that follow each other; those with any letter where there are none."""
        found = tuple(word for word in self.words if _LETTERS.search(word.text))
        return found or tuple(word for word in self.words if any(map(str.isalpha, word.text)))


def spacing(lines: Sequence[Line], size: float) -> float:
    """The usual distance of baselines below each other, in type sizes, among lines of a size; 1.2 without any."""
    own = sorted((line for line in lines if abs(line.size - size) < 0.3), key=lambda line: line.base)
    steps: Counter[float] = Counter()
    for one, two in pairwise(own):
        step = round((two.base - one.base) / size, 1)
        if 0.8 < step < _WIDEST and one.rect.x0 < two.rect.x1 and two.rect.x0 < one.rect.x1:
            steps[step] += 1
    return min(steps, key=lambda step: (-steps[step], step), default=1.2)


def shift_of(word: Word, line: Line) -> int:
    """1 for a word raised over the line's baseline, -1 for a lowered one, else 0."""
    if word.size > _SCRIPT_SIZE * line.size:
        return 0
    off = line.base - word.base
    return 0 if abs(off) < _SCRIPT_SHIFT * line.size else 1 if off > 0 else -1


def with_drop_caps(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages with each large initial put before the word that it begins."""
    return [replace(page, words=tuple(_with_drop_caps(page.words))) for page in pages]


def _with_drop_caps(words: Sequence[Word]) -> Iterable[Word]:
    """An initial is a letter much larger than the lines to the right of it, and stands on the last of these."""
    merged: dict[Word, Word | None] = {}
    known: set[str] = set()
    for cap in words:
        if len(cap.text) != 1 or not cap.text.isupper():
            continue
        beside = [word for word in words if _is_beside(cap, word)]
        lines = {round(word.base) for word in beside}
        if len(lines) < 2 or max(lines) < cap.base - 0.5 * beside[0].size:
            continue
        first = min(beside, key=lambda word: (word.base, word.x0))
        known = known or {word.text.casefold() for word in words}
        alone = cap.text in _WORDS and (cap.text + first.text).casefold() not in known
        merged[cap] = None
        merged[first] = first._replace(text=f"{cap.text} {first.text}" if alone else cap.text + first.text, edges=())
    return [whole for word in words if (whole := merged.get(word, word))] if merged else words


def _is_beside(cap: Word, word: Word) -> bool:
    """Whether a word begins a line beside a letter much larger than it."""
    near = cap.size > _INITIAL * word.size and 0 < word.x0 - cap.x1 < 0.5 * cap.size
    return near and cap.y0 - 0.5 * word.size < word.y0 and word.base < cap.base + 0.3 * word.size


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Return lines in the file's order; close pieces on one baseline are one line, wherever the file has them."""
    pieces: list[list[Word]] = []
    for word in words:
        if pieces and _follows(pieces[-1], word):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return [_closed_up(line) for line in _with_markers(_joined(_once([Line(tuple(piece)) for piece in pieces])))]


def _closed_up(line: Line) -> Line:
    """A line whose letters are set apart ("A B S T R A C T") with the words that wider blanks leave.

    Where all blanks are alike it is one word, if that is the title of a standard part.
    """
    words = line.words
    letters = sum(len(word.text) for word in words)
    alike = len({(word.size, word.font) for word in words}) == 1 and all(word.text.isalpha() for word in words)
    if len(words) < _SPACED or letters > (1.5 if line.text.isupper() else 1.3) * len(words) or not alike:
        return line
    gaps = [two.x0 - one.x1 for one, two in pairwise(words)]
    wide = max(1.6 * median(gaps), median(gaps) + 0.15 * line.size)
    groups: list[list[Word]] = [[words[0]]]
    for word, gap in zip(words[1:], gaps, strict=True):
        if gap > wide:
            groups.append([])
        groups[-1].append(word)
    closed = Line(tuple(_one_word(group) for group in groups))
    return closed if len(groups) > 1 or is_standard(closed.text) else line


def _one_word(letters: Sequence[Word]) -> Word:
    edges = tuple(edge for letter in letters for edge in letter.edges)
    text = "".join(letter.text for letter in letters)
    return letters[0]._replace(text=text, x1=letters[-1].x1, edges=edges if len(edges) == len(text) else ())


def _with_markers(lines: list[Line]) -> list[Line]:
    """Join numbers and bullets of lists with the line behind them, however far."""
    markers = [line for line in lines if len(line.text) <= 6 and _MARKER.fullmatch(line.text)]
    bare = [line for line in markers if line.text.isdigit()]
    markers = [line for line in markers if line not in bare] + _counting(bare)
    behind: dict[Line, Line] = {}
    for marker in markers:
        beside = [
            line
            for line in lines
            if line is not marker
            and abs(line.base - marker.base) < 0.25 * max(line.size, marker.size)
            and -0.5 < line.rect.x0 - marker.rect.x1 < _MARKER_GAP * line.size
        ]
        if beside:
            behind[marker] = min(beside, key=lambda line: line.rect.x0)
    joined = {line: Line((*marker.words, *line.words)) for marker, line in behind.items()}
    return [joined.get(line, line) for line in lines if line not in behind]


def _counting(lines: Sequence[Line]) -> list[Line]:
    """Bare numbers that count below each other, right or left aligned: 7, 8, 9, 10."""
    found: set[Line] = set()
    ordered = sorted(lines, key=lambda line: line.rect.y0)
    for line in ordered:
        chain = [line]
        for other in ordered:
            aligned = abs(other.rect.x1 - line.rect.x1) < 3 or abs(other.rect.x0 - line.rect.x0) < 3
            if aligned and other.rect.y0 > chain[-1].rect.y1 and int(other.text) == int(chain[-1].text) + 1:
                chain.append(other)
        if len(chain) >= _COUNT:
            found |= set(chain)
    return [line for line in lines if line in found]


def _once(lines: list[Line]) -> list[Line]:
    """Without what is printed a second time on the same place: some files set bold type so."""
    seen: dict[str, list[Rect]] = {}
    found = []
    for line in lines:
        before = seen.setdefault(line.text, [])
        if not any(abs(r.x0 - line.rect.x0) < 4 and abs(r.y0 - line.rect.y0) < 4 for r in before):
            found.append(line)
        before.append(line.rect)
    return found


def _follows(piece: Sequence[Word], word: Word) -> bool:
    last = piece[-1]
    gap = word.x0 - last.x1
    if last.base == word.base and last.size == word.size and -0.5 * word.size < gap < FAR * word.size:
        return True  # as most words of a text do
    size = max(last.size, word.size, max(one.size for one in piece[-4:]))
    return _on_line(last, word, piece) and -0.5 * size < gap < FAR * size


def _on_line(last: Word, word: Word, piece: Sequence[Word]) -> bool:
    """Whether a word is on the line of the words before it, possibly raised or lowered."""
    off = min(abs(word.base - one.base) / max(word.size, one.size) for one in (last, piece[0], piece[-2:][0]))
    if off < 0.12:
        return True
    small = min(word.size, last.size) < _SCRIPT_SIZE * max(word.size, last.size, piece[0].size)
    return small and off < _JOINS


def _joined(lines: list[Line]) -> list[Line]:
    """Lines that touch on one baseline put together, at the place of the first."""
    order = sorted(range(len(lines)), key=lambda n: lines[n].rect.y0)
    owner = list(range(len(lines)))
    for at, n in enumerate(order):
        for m in order[at + 1 :]:
            if lines[m].rect.y0 > lines[n].rect.y1:
                break
            if _touch(lines[n], lines[m]):
                a, b = _root(owner, n), _root(owner, m)
                owner[max(a, b)] = min(a, b)
    groups: dict[int, list[Line]] = {}
    for n, line in enumerate(lines):
        groups.setdefault(_root(owner, n), []).append(line)
    return [
        group[0] if len(group) == 1 else Line(tuple(sorted((w for line in group for w in line.words), key=_left)))
        for group in groups.values()
    ]


def _left(word: Word) -> float:
    return word.x0


def _root(owner: list[int], n: int) -> int:
    while owner[n] != n:
        n = owner[n]
    return n


def _touch(one: Line, other: Line) -> bool:
    left, right = sorted((one, other), key=lambda line: line.rect.x0)
    size = max(one.size, other.size)
    gap = right.rect.x0 - left.rect.x1
    if not -0.5 * size < gap < NEAR * size:
        return False
    off = abs(one.base - other.base)
    if off < 0.12 * size:
        return True
    return min(one.size, other.size) < _SCRIPT_SIZE * size and off < _JOINS * size and gap < 0.3 * size
