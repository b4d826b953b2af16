"""Names in fiction: tokens, and runs of capitalised words that are more than the beginning of a sentence."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kag.text.words import FUNCTION_WORDS

_SHORT = r"(?:Mr|Mrs|Ms|Dr|St|Mme|Mlle|Capt|Col|Gen|Lieut|Rev|Prof|Hon|Messrs|Esq|Jr|Sr|M)\.(?!\.)"
_TOKEN = re.compile(
    rf"{_SHORT}|[A-Z]\.(?=\s*[A-Z])|['’]s\b|\d+(?:[.,]\d+)+|\w+(?:['’-](?!s\b)\w+)*|\.\.\.|--+|—|[^\w\s]"
)
_BREAK = re.compile(r"\n[ \t]*\n")
END = frozenset({".", "!", "?", "...", ":"})
OPEN = frozenset({"“", "”", '"', "‘", "``", "(", "[", "_", "*", "—", "--", "―", "–"})
POSSESSIVE = frozenset({"'s", "’s"})
LINKS = frozenset({"of", "de", "du", "la", "le", "del", "della", "van", "von", "der", "den", "ten"})
LORDLY = frozenset(
    {"Duke", "Duchess", "King", "Queen", "Prince", "Princess", "Earl", "Count", "Countess", "Lord", "Lady", "Baron",
     "Bishop", "Archbishop", "Marquis", "Emperor", "Abbot", "Master", "Knight"}
)  # fmt: skip
NO_PARTS = frozenset({"I", "I'm", "I'll", "I've", "I'd", "O", "Oh", "A", "I.", "A."})
MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign with its characters. `begins`: any word has a capital here."""

    text: str
    start: int
    end: int
    begins: bool

    @property
    def capital(self) -> bool:
        """Whether it is a word with a capital that is not written in capitals throughout."""
        first = self.text[:1]
        return first.isupper() and (len(self.text) == 1 or not self.text.isupper() or self.text[1:2] == ".")


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order."""
    tokens: list[Token] = []
    breaks = [match.start() for match in _BREAK.finditer(text)]
    begins, at = True, 0
    for match in _TOKEN.finditer(text):
        while at < len(breaks) and breaks[at] < match.start():
            at, begins = at + 1, True
        word = match[0]
        tokens.append(Token(word, match.start(), match.end(), begins))
        if word in END or word in OPEN:
            begins = True
        elif word[0].isalnum():
            begins = False
    return tuple(tokens)


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads((files("kag.kgrag") / "given" / "prose_words.toml").read_text(encoding="utf-8"))


@cache
def word_set(part: str, key: str) -> frozenset[str]:
    """Return one list of the word file as a set."""
    return frozenset(_words()[part][key])


@cache
def titles() -> Mapping[str, str]:
    """Map titles to the gender they imply: man, woman or any."""
    return {title: gender for gender, words in _words()["titles"].items() for title in words}


@cache
def given_names() -> Mapping[str, str]:
    """Map given names to man or woman."""
    return {name: gender for gender, names in reversed(_words()["names"].items()) for name in names}


@dataclass(frozen=True, slots=True)
class Mention:
    """A printed name: its words, its characters, and its tokens from `first` to before `after`."""

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
    """The mentions of names in a text, and how often its words are printed in lower case and within sentences."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.low = Counter(token.text for token in tokens if token.text[:1].islower())
        self.inside = Counter(token.text for token in tokens if token.capital and not token.begins)
        self.mentions = tuple(self._mentions())

    def _mentions(self) -> Iterator[Mention]:
        at = 0
        while at < len(self.tokens):
            after = self._run(at)
            first = self._trimmed(at, after)
            if first < after and self._is_name(first, after):
                words = tuple(token.text for token in self.tokens[first:after])
                yield Mention(words, self.tokens[first].start, self.tokens[after - 1].end, first, after)
            at = max(after, at + 1)

    def _text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _run(self, at: int) -> int:
        """Return where the run of capitalised words that begins at a token ends."""
        if not self._is_part(at):
            return at
        end = at + 1
        while end < len(self.tokens) and end - at < MOST_WORDS:
            step = 1 if self._continues(end) else 2 * self._is_linked(at, end)
            if not step:
                break
            end += step
        return end

    def _is_linked(self, first: int, at: int) -> bool:
        """Whether a small word or possessive continues a name: Duke of York, Lincoln's Inn."""
        if self._text(at) in POSSESSIVE:
            return self._text(at + 1) in word_set("places", "heads")
        return self._text(at) in LINKS and self._is_part(at + 1) and self._may_link(first, at)

    def _may_link(self, first: int, link: int) -> bool:
        """Whether a small word holds two parts of one name together: Duke of York, House of Lords, van der Berg."""
        if self._text(link) != "of":
            return True
        heads = word_set("places", "heads")
        return self._text(link - 1) in heads or self._text(first) in LORDLY or self._text(link - 1) in LORDLY

    def _continues(self, at: int) -> bool:
        """Whether a capitalised word continues the name before it; only a blank stands between them."""
        token = self.tokens[at]
        near = token.start - self.tokens[at - 1].end <= 1 and not token.begins
        new_title = token.text in titles() and titles()[token.text] != "any" and self._text(at - 1) not in titles()
        return near and self._is_part(at) and not new_title

    def _is_part(self, at: int) -> bool:
        """Whether a token can be part of a name."""
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        list_label = len(token.text) == 2 and token.text.endswith(".") and token.begins
        return token.capital and token.text not in NO_PARTS and not list_label

    def _trimmed(self, first: int, after: int) -> int:
        """Return where a run begins without capitalised words that only begin a sentence."""
        while first < after:
            token = self.tokens[first]
            word = token.text.lower()
            usual = word in FUNCTION_WORDS or self.low[word] > self.inside[token.text]
            if not (token.begins and usual and token.text not in titles()):
                break
            first += 1
        return first

    def _is_name(self, first: int, after: int) -> bool:
        """Whether a run is a name and not the beginning of a sentence."""
        token = self.tokens[first]
        if after - first > 1:
            return True
        if token.text in titles() or len(token.text) < 2:
            return False
        low = self.low[token.text.lower()]
        if not token.begins or self.inside[token.text]:
            return not token.begins or low <= self.inside[token.text]
        return not low and (token.text in given_names() or token.text in word_set("places", "known"))
