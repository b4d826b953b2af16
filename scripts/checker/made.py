"""Pairs that are made of a text: sentences told otherwise, turned wrong, or put beside what does not bear them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from kag.read.checking.meaning import content_words
from scripts.checker.alter import names_of, renamed
from scripts.checker.pairs import Pair, nearest, shared
from scripts.checker.reword import told_otherwise
from scripts.checker.wrong import changes

_DEFINED = re.compile(r"\b((?:[\w-]+ ){1,6})\(([A-Z][A-Za-z0-9-]{1,7})\)")
_WORD = re.compile(r"[a-z]{5,}")
SHORTEST, LONGEST = 7, 36  # words of a sentence that is made use of
NEAR = 0.8  # of a claim's words that a text may have and yet be taken not to bear it


def fits(text: str) -> bool:
    """Whether a sentence is whole and of middling length."""
    return SHORTEST <= len(text.split()) <= LONGEST and text[:1].isupper() and text.rstrip().endswith(".")


class Maker:
    """Makes pairs of texts; one random source, so that the same texts give the same pairs."""

    def __init__(self, alike: Mapping[str, list[str]], opposite: Mapping[str, list[str]], random: Random) -> None:
        """`alike` and `opposite`: words that may stand for one, and those that deny it."""
        self._alike, self._opposite, self._random = alike, opposite, random

    def of(self, texts: Sequence[str], doc: str, most: int) -> Iterator[Pair]:
        """Pairs of up to `most` sentences of a text."""
        random = self._random
        short = abbreviations(" ".join(texts))
        nouns = [word for word, count in Counter(_WORD.findall(" ".join(texts))).most_common(80) if count > 1]
        fit = [at for at, text in enumerate(texts) if fits(text)]
        for at in sorted(random.sample(fit, min(most, len(fit)))):
            before, after = random.randint(0, 1), random.randint(0, 1)
            near = list(texts[max(0, at - before) : at + 1 + after])
            others = [text for text in texts if text not in near]
            yield from self._of_one(texts[at], near, others, nouns, doc, short)

    def _of_one(
        self, text: str, near: list[str], others: list[str], nouns: list[str], doc: str, short: dict[str, str]
    ) -> Iterator[Pair]:
        random = self._random
        claim, state = self._told(text, short)
        evidence = " ".join(near)
        for wrong, how in self._wrong(text, nouns, near, others):
            said, _ = self._told(wrong, short, state)
            if said == claim or _is_known(said, claim, evidence):
                continue
            other = evidence.replace(text, wrong)
            yield Pair(evidence, claim, supported=True, how="sentence", doc=doc)
            yield Pair(other, said, supported=True, how="other sentence", doc=doc)
            yield Pair(evidence, said, supported=False, how=how, doc=doc)
            yield Pair(other, claim, supported=False, how=f"other {how}", doc=doc)
            break
        if others and random.random() < 0.25:
            known = " ".join(nearest(claim, others, 2))
            if shared(claim, [known]) < NEAR:
                yield Pair(known, claim, supported=False, how="elsewhere", doc=doc)
                yield Pair(evidence, claim, supported=True, how="sentence", doc=doc)
        if random.random() < 0.12 and len(others) > 1 and fits(other := random.choice(others)):
            more, _ = self._told(other, short)
            both = f"{claim.rstrip('.')}, and {more[:1].lower() if not more[:2].isupper() else more[:1]}{more[1:]}"
            yield Pair(f"{evidence} {other}", both, supported=True, how="two", doc=doc)
            yield Pair(random.choice([evidence, other]), both, supported=False, how="one of two", doc=doc)

    def _told(self, text: str, short: dict[str, str], state: int = -1) -> tuple[str, int]:
        """A sentence told otherwise, and what chance began with: two sentences that differ in a word are told alike."""
        state = self._random.randrange(1 << 30) if state < 0 else state
        return told_otherwise(text, Random(state), self._alike, short), state

    def _wrong(self, text: str, nouns: list[str], near: list[str], others: list[str]) -> Iterator[tuple[str, str]]:
        random = self._random
        names = names_of(" ".join([*near, *others[:20]]))
        ways = changes(self._opposite, nouns, others, random)
        for way in (*ways[:8], None, *ways[8:]):
            said = renamed(text, random, names) if way is None else way(text, random)
            if said and said != text:
                yield said, way.__name__ if way else "renamed"


def _is_known(said: str, claim: str, evidence: str) -> bool:
    """Whether the word put in stands in the evidence and the one taken out does not: it may be true."""
    new, old = content_words(said) - content_words(claim), content_words(claim) - content_words(said)
    known = content_words(evidence)
    return bool(new) and new <= known and not old & known


def met(table: Mapping[str, list[str]], common: set[str]) -> dict[str, list[str]]:
    """The words that such texts have, with those others that they have, lest a claim be told as nobody would."""
    kept = {word: [other for other in others if other in common] for word, others in table.items() if word in common}
    return {word: others for word, others in kept.items() if others}


def abbreviations(text: str) -> dict[str, str]:
    """Short forms that a text introduces, each with its long form, and the other way round."""
    found: dict[str, str] = {}
    for match in _DEFINED.finditer(text):
        words, short = match[1].split(), match[2]
        letters = [char.lower() for char in short if char.isalpha()]
        for count in range(1, len(words) + 1):
            if count == len(letters) and [word[0].lower() for word in words[-count:]] == letters:
                long = " ".join(words[-count:])
                found[short], found[long] = long, short
    return found
