"""Names in prose: runs of words with a capital that the capital alone does not explain.

A capital at the beginning of a sentence says nothing: such a word is a name where it stands with a capital elsewhere
and never without, or where what stands beside it is said of persons only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.kgrag.story.prose.tokens import Token, titles, word_set

LINKS = frozenset({"of", "de", "du", "la", "le", "del", "della", "van", "von", "der", "den", "ten"})
LORDLY = frozenset(
    {"Duke", "Duchess", "King", "Queen", "Prince", "Princess", "Earl", "Count", "Countess", "Lord", "Lady", "Baron",
     "Bishop", "Archbishop", "Marquis", "Emperor", "Abbot", "Master", "Knight"}
)  # fmt: skip
NUMERALS = frozenset({"II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII", "XIII", "XIV", "XV", "XVI"})
ORDINALS = frozenset({"First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Great"})
NO_PARTS = frozenset({"I", "I'm", "I'll", "I've", "I'd", "O", "Oh", "A", "I.", "A."})
AUXILIARIES = frozenset({"had", "has", "was", "would", "could", "did", "might", "must", "should", "will", "who"})
MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Mention:
    """A name where it is printed: its words, its characters, and its tokens from `first` to before `after`."""

    words: tuple[str, ...]
    start: int
    end: int
    first: int
    after: int

    @property
    def name(self) -> str:
        """The words, joined as they are printed."""
        return " ".join(self.words).replace(" 's", "'s").replace(" ’s", "'s")


class Names:
    """The mentions of a text, and how its words stand elsewhere in it."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.low = Counter(token.text for token in tokens if token.text[:1].islower())
        self.inside = Counter(token.text for token in tokens if token.capital and not token.begins)
        self.mentions = tuple(self._mentions())

    def _mentions(self) -> Iterator[Mention]:
        at = 0
        while at < len(self.tokens):
            after = self._run(at)
            if after == at:
                at += 1
                continue
            first = self._trimmed(at, after)
            if first < after and self._is_name(first, after):
                shared = self._shared_title(first)
                if shared is not None:
                    yield self._mention(shared, shared + 1, (self.tokens[shared].text, *self._words(first + 1, after)))
                yield self._mention(first, after, self._words(first, after))
            at = after

    def _mention(self, first: int, after: int, words: tuple[str, ...]) -> Mention:
        return Mention(words, self.tokens[first].start, self.tokens[after - 1].end, first, after)

    def _words(self, first: int, after: int) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens[first:after])

    def _shared_title(self, first: int) -> int | None:
        """The title in front of `and Mrs. Smith`, as in Mr. and Mrs. Smith."""
        before = self.tokens[max(first - 2, 0) : first]
        if (
            len(before) == 2
            and before[1].text == "and"
            and before[0].text in titles()
            and self._text(first) in titles()
        ):
            return first - 2
        return None

    def _text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _run(self, at: int) -> int:
        """Where the run of words with a capital that begins at a token ends."""
        if not self._part(at):
            return at
        end = at + 1
        while end < len(self.tokens) and end - at < MOST_WORDS:
            if self._text(end) in NUMERALS:
                return end + 1
            if self._text(end) == "the" and self._is_epithet(end):
                return end + 2
            step = 1 if self._goes_on(at, end) else 2 * self._is_linked(at, end)
            if not step:
                break
            end += step
        return end

    def _is_epithet(self, the: int) -> bool:
        """Whether an article in a name leads to what somebody is called: Edward the Second, William the Conqueror."""
        given = word_set("names", "man") | word_set("names", "woman")
        return self._text(the + 1) in ORDINALS or (self._text(the - 1) in given and self._part(the + 1))

    def _is_linked(self, first: int, at: int) -> bool:
        """Whether a small word or possessive goes on with a name: Duke of York, Lincoln's Inn."""
        if self._text(at) in ("'s", "’s"):
            return self._text(at + 1) in word_set("places", "heads")
        return self._text(at) in LINKS and self._part(at + 1) and self._may_link(first, at)

    def _goes_on(self, first: int, at: int) -> bool:
        """Whether a word with a capital goes on with the name before it, from which only a blank divides it."""
        token = self.tokens[at]
        near = token.start - self.tokens[at - 1].end <= 1 and not token.begins
        fresh = token.text in titles() and titles()[token.text] != "any" and self._text(at - 1) not in titles()
        return near and self._part(at) and not fresh

    def _may_link(self, first: int, link: int) -> bool:
        """Whether a small word holds two parts of one name together: Duke of York, House of Lords, van der Berg."""
        if self._text(link) != "of":
            return True
        heads = word_set("places", "heads")
        return self._text(link - 1) in heads or self._text(first) in LORDLY or self._text(link - 1) in LORDLY

    def _part(self, at: int) -> bool:
        """Whether a token can be part of a name."""
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        if len(token.text) == 2 and token.text.endswith(".") and token.begins:
            return False  # a number of a list
        return token.capital and token.text not in NO_PARTS

    def _trimmed(self, first: int, after: int) -> int:
        """Where a run begins without the small words that only begin a sentence or praise."""
        small = word_set("other", "small")
        while first < after:
            token = self.tokens[first]
            alone = after - first == 1
            usual = self.low[token.text.lower()] > self.inside[token.text]
            lead = token.begins and (token.text in small or (usual and token.text not in titles()))
            if not (lead or (token.text in small and (alone or token.text not in word_set("places", "before")))):
                break
            first += 1
        return first

    def _is_name(self, first: int, after: int) -> bool:
        """Whether a run is a name and no beginning of a sentence."""
        token = self.tokens[first]
        if after - first > 1:
            return True
        if token.text in titles() or len(token.text) < 2:
            return False
        if not token.begins or self.inside[token.text]:
            return token.begins is False or self.low[token.text.lower()] <= self.inside[token.text]
        return not self.low[token.text.lower()] and self._told_of(first, after)

    def _told_of(self, first: int, after: int) -> bool:
        """Whether what stands beside a word is said of persons and of places only."""
        name, follows = self._text(first), self._text(after)
        if name in word_set("names", "man") | word_set("names", "woman") | word_set("places", "known"):
            return True
        if follows in ("'s", "’s") and self._text(after + 1) in word_set("speech", "owned"):
            return True
        if name.endswith(("ing", "ly", "ed")):
            return False
        acts = (word_set("speech", "acts") - AUXILIARIES) | word_set("speech", "verbs")
        return follows in acts
