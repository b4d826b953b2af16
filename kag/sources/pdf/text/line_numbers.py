"""Line numbers in the margins of manuscripts: recognised by their count, and left out of the text.

They stand in strips of their own, beside the text or between its columns, and count down the page by ones or by fives
(or twos, or tens). A page alone proves little, since tables and lists count, too: most pages of the paper must have
such numbers, and most of these go on where others stopped, or begin again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from kag.sources.pdf.file.content import PageContent, Word

_LEAST = {1: 5, 5: 3, 2: 4, 10: 3}  # how many numbers there are on a page at least, by the step in which they count
_LONE = 10  # and in a paper of one page
_ALIGNED = 2.0  # points by which edges below each other may differ
_DIGITS = 5
_PAGES = 0.5  # share of the pages with text that have such numbers
_IN_STRIP = 0.3  # and that have them in one strip: left and right pages may have them on other sides
_GO_ON = 0.5  # share of the pages' numbers that go on where others stopped, or begin again
_STRAY = 0.5  # other words of the paper in a strip, for each number in it


@dataclass(frozen=True)
class _Chain:
    """Numbers below each other on a page that count by one step."""

    page: int
    step: int
    words: tuple[Word, ...]

    @property
    def first(self) -> int:
        return int(self.words[0].text)

    @property
    def next(self) -> int:
        return int(self.words[-1].text) + self.step

    @cached_property
    def x0(self) -> float:
        return min(word.x0 for word in self.words)

    @cached_property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    def is_beside(self, chain: _Chain) -> bool:
        """Whether two numbers are in one strip; numbers with fewer digits are narrower."""
        return min(abs(self.x1 - chain.x1), abs(self.x0 - chain.x0)) < 2 * _ALIGNED


def without_line_numbers(pages: Sequence[PageContent]) -> tuple[list[PageContent], dict[int, list[tuple[Word, ...]]]]:
    """The pages without the numbers of their lines, and these by page, each strip from top to bottom."""
    found = {page.number: list(_chains(page)) for page in pages}
    text = sum(1 for page in pages if page.words)
    strips = [strip for strip in _strips([chain for chains in found.values() for chain in chains])
              if len({chain.page for chain in strip}) >= _IN_STRIP * text]  # fmt: skip
    strips = [strip for strip in strips if _goes_on(strip, strips) and _is_free(strip, pages)]
    if len({chain.page for strip in strips for chain in strip}) < max(_PAGES * text, 1):
        return list(pages), {}
    if text == 1 and max(len(chain.words) for strip in strips for chain in strip) < _LONE:
        return list(pages), {}
    ends = _ends(strips)
    taken: dict[int, list[tuple[Word, ...]]] = {}
    for page in pages:
        for strip in strips:
            own = [chain.words for chain in strip if chain.page == page.number] or [_rest(page, strip, ends)]
            taken.setdefault(page.number, []).extend(words for words in own if words)
    return [_without(page, taken[page.number]) for page in pages], {page: own for page, own in taken.items() if own}


def _without(page: PageContent, taken: Sequence[Sequence[Word]]) -> PageContent:
    known = {id(word) for words in taken for word in words}
    return replace(page, words=tuple(word for word in page.words if id(word) not in known)) if known else page


def _chains(page: PageContent) -> Iterator[_Chain]:
    """The numbers of a page that count down it, with one edge below each other; the longest first."""
    bare = [word for word in page.words if _is_number(word)]
    edges: tuple[Callable[[Word], float], ...] = (lambda word: word.x1, lambda word: word.x0)
    made = [chain for edge in edges for group in _aligned(bare, edge) for chain in _counting(page.number, group)]
    taken: set[int] = set()
    for chain in sorted(made, key=lambda chain: -len(chain.words)):
        own = set(map(id, chain.words))
        if not own & taken:
            taken |= own
            yield chain


def _is_number(word: Word) -> bool:
    return len(word.text) <= _DIGITS and word.text.isascii() and word.text.isdecimal()


def _aligned(words: Sequence[Word], edge: Callable[[Word], float]) -> Iterator[list[Word]]:
    """Words with one edge below each other, from top to bottom."""
    group: list[Word] = []
    for word in sorted(words, key=edge):
        if group and edge(word) - edge(group[-1]) > _ALIGNED:
            yield sorted(group, key=_base)
            group = []
        group.append(word)
    if group:
        yield sorted(group, key=_base)


def _base(word: Word) -> float:
    return word.base


def _counting(page: int, words: Sequence[Word]) -> Iterator[_Chain]:
    """Rows of numbers in which each is a step above the one before, the longest first, if they are long enough."""
    if len(words) < min(_LEAST.values()):
        return
    best: _Chain | None = None
    for step, least in _LEAST.items():
        rows: dict[int, tuple[Word, ...]] = {}  # by the number that comes next
        for word in words:
            number = int(word.text)
            before = rows.get(number, ())
            if before and word.base - before[-1].base < 0.5 * word.size:
                continue
            row = (*before, word)
            if len(row) > len(rows.get(number + step, ())):
                rows[number + step] = row
        longest = max(rows.values(), key=len)
        if len(longest) >= least and (best is None or len(longest) > len(best.words)):
            best = _Chain(page, step, longest)
    if best:
        yield best
        yield from _counting(page, [word for word in words if word not in best.words])


def _strips(chains: Sequence[_Chain]) -> list[list[_Chain]]:
    """The chains of all pages, those in one strip together."""
    strips: list[list[_Chain]] = []
    for chain in sorted(chains, key=lambda chain: (chain.x1, chain.page)):
        own = next((strip for strip in strips if any(chain.is_beside(other) for other in strip[-8:])), None)
        if own is None:
            strips.append([chain])
        else:
            own.append(chain)
    return strips


def _ends(strips: Sequence[Sequence[_Chain]]) -> Set[int]:
    """The numbers that come next behind those of a page."""
    return {chain.next for strip in strips for chain in strip}


def _goes_on(strip: Sequence[_Chain], strips: Sequence[Sequence[_Chain]]) -> bool:
    """Whether most numbers of a strip go on where others stopped, or begin again."""
    ends = _ends(strips)
    return sum(_begins(chain.first, chain.step, ends) for chain in strip) >= _GO_ON * len(strip)


def _begins(first: int, step: int, ends: Set[int]) -> bool:
    return first <= step or first in ends


def _is_free(strip: Sequence[_Chain], pages: Sequence[PageContent]) -> bool:
    """Whether hardly another word of the paper is in a strip."""
    x0, x1 = min(chain.x0 for chain in strip), max(chain.x1 for chain in strip)
    own = {id(word) for chain in strip for word in chain.words}
    stray = sum(1 for page in pages for word in page.words if word.x0 < x1 and word.x1 > x0 and id(word) not in own)
    return stray <= _STRAY * len(own)


def _rest(page: PageContent, strip: Sequence[_Chain], ends: Set[int]) -> tuple[Word, ...]:
    """The few numbers of a page that has not enough for a chain: they go on, or begin again, in a strip."""
    like = strip[0]
    known = {(round(word.size, 1), word.font) for word in like.words}
    words = [
        word
        for word in page.words
        if _is_number(word)
        and (round(word.size, 1), word.font) in known
        and any(min(abs(word.x1 - one.x1), abs(word.x0 - one.x0)) < _ALIGNED for chain in strip for one in chain.words)
    ]
    row: list[Word] = []
    for word in sorted(words, key=_base):
        number = int(word.text)
        if _begins(number, like.step, ends) if not row else number == int(row[-1].text) + like.step:
            row.append(word)
    return tuple(row)
