"""Who says what: speeches by their signs, and the speaker by what stands beside them.

A tag decides (`said Anna`, `he replied`); then a speech that goes on after a tag, an act beside a speech (`Anna
smiled. "Yes."`), and turns: of two who talk the other one speaks. A pronoun is the last one named of its kind in what
is told, never in what is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from kag.kgrag.story.prose.tokens import END, Token, word_set

By = Literal["tag", "same", "act", "turn", ""]
NARRATOR = "I"
SUBJECTS = {"he": "man", "she": "woman", "I": "I"}
ARTICLES = frozenset({"the", "a", "an", "my", "his", "her", "their", "our", "this", "that", "another", "one"})
FOND = frozenset({"little", "old", "young", "poor", "good", "dear", "honest", "big"})
FAR = 300  # tokens back to whom a pronoun may mean
NEAR = 0.8  # what a name is worth a sentence further back
LONGEST_TAG = 14
"""Tokens beside a speech in which its speaker is looked for."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is named or spoken of, at tokens from `first` to before `after`; `whose` is man, woman or ""."""

    who: str
    first: int
    after: int
    whose: str = ""
    named: bool = True


@dataclass(frozen=True, slots=True)
class Speech:
    """What is said: characters from `start` to before `end`, tokens from `first` to before `after`, and who says it.

    `place` is the character at which the speaker is named, if not by `by` alone.
    """

    start: int
    end: int
    first: int
    after: int
    speaker: str = ""
    by: By = ""
    place: int = -1


def speeches_of(tokens: Sequence[Token]) -> tuple[Speech, ...]:
    """The speeches of a text, nobody's as yet. One that is never closed ends where the next one opens."""
    opening, closing = _signs(tokens)
    found: list[Speech] = []
    start = -1
    for at, token in enumerate(tokens):
        if start < 0 and token.text in opening and _opens(tokens, at):
            start = at
        elif start >= 0 and token.text in closing and _closes(tokens, at):
            found.append(Speech(tokens[start].start, token.end, start, at + 1))
            start = -1
        elif start >= 0 and opening != closing and token.text in opening and _opens(tokens, at):
            found.append(Speech(tokens[start].start, tokens[at - 1].end, start, at))
            start = at
    return tuple(found)


def _signs(tokens: Sequence[Token]) -> tuple[str, str]:
    """The signs by which speeches are marked in a text: those that it has most of."""
    count = {sign: sum(token.text == sign for token in tokens) for sign in ('"', "“", "‘", "'")}
    if count["“"]:
        return "“", "”"
    if count['"']:
        return '"', '"'
    return ("‘", "’") if count["‘"] else ("'", "'")


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether a sign can open a speech: a word begins right behind it, or it stands free."""
    if at + 1 >= len(tokens):
        return False
    goes_on = at > 0 and tokens[at - 1].text in (",", ";", ":", "--", "—")
    return tokens[at].text != "'" or tokens[at + 1].text[:1].isupper() or goes_on


def _closes(tokens: Sequence[Token], at: int) -> bool:
    """Whether a sign can close a speech; an apostrophe does so only after a mark."""
    return tokens[at].text not in ("'", "’") or (at > 0 and not tokens[at - 1].text[-1:].isalnum())


def attributed(tokens: Sequence[Token], speeches: Sequence[Speech], people: Sequence[Person]) -> tuple[Speech, ...]:
    """The speeches with their speakers, as far as the text tells."""
    return _Attribution(tokens, people, speeches).done()


class Resolver:
    """Who stands at a place of a text: somebody named, whom a pronoun means, or `the old man`."""

    def __init__(self, tokens: Sequence[Token], people: Sequence[Person], speeches: Sequence[Speech]) -> None:
        self._tokens = tokens
        self.at: Mapping[int, Person] = {at: one for one in people for at in range(one.first, one.after)}
        self.said = frozenset(at for one in speeches for at in range(one.first, one.after))
        self._told = self._counted()

    def _counted(self) -> list[int]:
        """The number of each token's sentence where only what is told counts: a long speech takes nobody far away."""
        found, count, last = list[int](), 0, -1
        for at, token in enumerate(self._tokens):
            if at not in self.said and token.sentence != last:
                count, last = count + 1, token.sentence
            found.append(count)
        return found

    def word(self, at: int) -> str:
        """The word at a place, "" where there is none."""
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def who(self, at: int, but: frozenset[str] = frozenset()) -> Person | None:
        """Who stands at a token of what is told."""
        if at >= len(self._tokens) or at in self.said:
            return None
        if at in self.at:
            return self.at[at]
        word = self.word(at)
        if word == "I":
            return Person(NARRATOR, at, at + 1)
        return self.last(at, SUBJECTS[word.lower()], but) if word.lower() in SUBJECTS else None

    def called(self, at: int, but: frozenset[str] = frozenset()) -> Person | None:
        """Who stands at a token or a few words behind an article there."""
        found = self.who(at, but)
        if found is None and at not in self.said and self.word(at) in FOND and at + 1 not in self.said:
            return self.at.get(at + 1)
        if found is None and at not in self.said and self.word(at).lower() in ARTICLES:
            near = takewhile(lambda one: one not in self.said and self.word(one) not in MARKS, range(at + 1, at + 7))
            return next((self.at[one] for one in near if one in self.at and not self.owns(self.at[one])), None)
        return found

    def last(self, before: int, whose: str, but: frozenset[str] = frozenset()) -> Person | None:
        """The one of a kind whom a pronoun means: near, leading a sentence, and by name rather than not."""
        best, most, here = None, 0.0, self._told[before]
        for at in range(before - 1, max(before - FAR, -1), -1):
            one = self.at.get(at)
            if at in self.said or one is None or one.whose not in (whose, "") or one.who in but:
                continue
            near = NEAR ** (here - self._told[at])
            worth = near * (1.0 + self.leads(one) + one.named + (one.whose == whose))
            if worth > most:
                best, most = one, worth
        return best

    def leads(self, one: Person) -> bool:
        """Whether somebody stands where a subject does: behind no preposition, owning nothing."""
        return self.word(one.first - 1).lower() not in OBJECT_OF and not self.owns(one)

    def owns(self, one: Person) -> bool:
        """Whether a possessive follows."""
        return self.word(one.after) in ("'s", "’s")


def _called_by() -> frozenset[str]:
    """Words for persons, by which somebody may be called: `Boy, take up that basket!`"""
    return word_set("people", "men") | word_set("people", "women") | word_set("people", "any")


class _Attribution:
    """The speeches in order, and who has spoken so far."""

    def __init__(self, tokens: Sequence[Token], people: Sequence[Person], speeches: Sequence[Speech]) -> None:
        self._tokens, self._people = tokens, people
        self._at = Resolver(tokens, people, speeches)
        self._called = [self._called_out(one) for one in speeches]
        self._found = list(speeches)
        self._by: list[Person | None] = [None] * len(speeches)

    def done(self) -> tuple[Speech, ...]:
        """Tags first, for all; then what is told beside a speech, then turns, from the known ones on, both ways."""
        everyone = range(len(self._found))
        self._settle(everyone, self._tag, "tag")
        self._settle(everyone, self._goes_on, "same")
        self._settle(everyone, self._act, "act")
        self._settle(everyone, self._act_behind, "act")
        for _ in range(2):
            self._settle(reversed(everyone), self._turn_before, "turn")
            self._settle(everyone, self._turn_after, "turn")
        self._settle(everyone, self._other, "turn")
        return tuple(self._found)

    def _settle(self, numbers: Iterable[int], found: Callable[[int], Person | None], by: By) -> None:
        """Let one way of telling speak for all speeches that are nobody's as yet."""
        for number in numbers:
            who = None if self._by[number] else found(number)
            if who is not None and (by in ("tag", "same") or who.who not in self._called[number]):
                self._by[number] = who
                place = self._tokens[who.first].start
                self._found[number] = replace(self._found[number], speaker=who.who, by=by, place=place)

    def _called_out(self, speech: Speech) -> frozenset[str]:
        """Those to whom a speech is spoken: named in it between marks. Nobody calls out to oneself."""
        near = [one for one in self._people if one.named and speech.first < one.first < speech.after - 1]
        nouns = range(speech.first + 1, speech.after - 1)
        found = [(one.who, one.first, one.after) for one in near]
        found += [(f"the {word}", at, at + 1) for at in nouns if (word := self._at.word(at).lower()) in _called_by()]
        return frozenset(who for who, at, after in found if {self._at.word(at - 1), self._at.word(after)} <= MARKS)

    # --- tags --------------------------------------------------------------------------------------------------------

    def _tag(self, number: int) -> Person | None:
        """The speaker whom a tag after or before a speech names."""
        speech, but = self._found[number], self._called[number]
        return self._tag_after(speech, but) or self._tag_before(speech, but)

    def _tag_after(self, speech: Speech, but: frozenset[str]) -> Person | None:
        if self._is_over(speech):
            return None
        for at in range(speech.after, min(speech.after + LONGEST_TAG, len(self._tokens))):
            word = self._at.word(at)
            if at in self._at.said or word in END or word == ";":
                return None
            if word in word_set("speech", "verbs") or self._sounds(speech, at):
                return self._subject(speech.after, at, but) or self._at.called(at + 1, but)
        return None

    def _sounds(self, speech: Speech, at: int) -> bool:
        """Whether a word that is no known verb of speech stands where one does: `bellowed Anna`, `Anna intimated`."""
        if not self._at.word(at).endswith("ed") or self._mark(speech) not in TAGGED:
            return False
        if at == speech.after:
            return self._at.called(at + 1) is not None
        one = self._at.at.get(at - 1)
        return (one.first if one else at - 1) == speech.after and self._at.who(at - 1) is not None

    def _mark(self, speech: Speech) -> str:
        """The last mark of a speech, before the sign that closes it if one does."""
        last = self._at.word(speech.after - 1)
        return last if last in END or last == "," else self._at.word(speech.after - 2)

    def _is_over(self, speech: Speech) -> bool:
        """Whether a speech has ended with its sentence, so that what comes behind is no tag of it."""
        mark = self._mark(speech)
        follows = self._at.word(speech.after)
        if mark == "." or not follows:
            return True
        fresh = follows[:1].isupper() and follows != "I" and speech.after not in self._at.at
        return mark in ("!", "?", "...") and fresh

    def _tag_before(self, speech: Speech, but: frozenset[str]) -> Person | None:
        """The speaker in `Anna said, "..."`: the subject of a verb of speech in the sentence that leads to it."""
        if self._at.word(speech.first - 1) not in (",", ":", "--", "—"):
            return None
        begin = self._clause(speech.first - 1)
        for at in range(speech.first - 1, max(begin, speech.first - LONGEST_TAG) - 1, -1):
            if self._at.word(at) in word_set("speech", "verbs"):
                return self._subject(begin, at, but) or self._at.called(at + 1, but)
        return None

    def _clause(self, at: int) -> int:
        """Where what is told before a token begins: at the end of a sentence or of a speech."""
        while at > 0 and at - 1 not in self._at.said and self._at.word(at - 1) not in END:
            at -= 1
        return at

    def _subject(self, begin: int, verb: int, but: frozenset[str]) -> Person | None:
        """The last one named between a place and a verb who can act there, else anybody named there."""
        found = [(at, one) for at in range(verb - 1, begin - 1, -1) if (one := self._at.who(at, but))]
        acting = (one for at, one in found if at not in self._at.at or self._at.leads(one))
        return next(acting, found[0][1] if found else None)

    # --- what is around ----------------------------------------------------------------------------------------------

    def _between(self, number: int) -> list[str]:
        """The words between the speech before and this one."""
        before = self._found[number - 1].after if number else 0
        return [token.text for token in self._tokens[before : self._found[number].first]]

    def _goes_on(self, number: int) -> Person | None:
        """The speaker before, where only a tag lies between two speeches."""
        between = self._between(number) if number else []
        if not between or len(between) > LONGEST_TAG or self._found[number - 1].by not in ("tag", "same"):
            return None
        tagged = self._tag_after(self._found[number - 1], frozenset()) is not None
        on = between[-1] in (",", ";", "--", "—", ":")
        over = sum(word in END for word in between) == 1 and not self._is_answer(number)
        return self._by[number - 1] if tagged and (on or over) and not self._new_paragraph(number) else None

    def _is_answer(self, number: int) -> bool:
        """Whether a speech behind a tag that ends its sentence is another one's: he who was told of is called in it, it
        answers a question, or he speaks right after it."""
        before, who = self._found[number - 1], self._by[number - 1]
        if who is None or who.who in self._called[number]:
            return True
        asked = self._mark(before) == "?" and self._at.word(self._found[number].first + 1) in ANSWERS
        again = number + 1 < len(self._found) and not self._between(number + 1) and self._found[number + 1].by == "tag"
        after = self._by[number + 1] if again else None
        return asked or (after is not None and after.who == who.who)

    def _new_paragraph(self, number: int) -> bool:
        """Whether a speech begins a paragraph, where the text has paragraphs at all."""
        return self._tokens[self._found[number].first].fresh

    def _act(self, number: int) -> Person | None:
        """Who does something in the sentence right before a speech, or right behind one in its paragraph."""
        speech = self._found[number]
        begin = self._found[number - 1].after if number else max(speech.first - 60, 0)
        if speech.first - begin < 2 or self._at.word(speech.first - 1) not in END or self._new_paragraph(number):
            return None
        last = self._tokens[speech.first - 1].sentence
        own = [at for at in range(begin, speech.first) if self._tokens[at].sentence == last]
        return next((one for one in (self._acting(at, self._called[number]) for at in own) if one), None)

    def _act_behind(self, number: int) -> Person | None:
        """Who does something in the sentence right behind a speech, where it leads it."""
        at = self._found[number].after
        if at >= len(self._tokens) or at in self._at.said or self._tokens[at].fresh:
            return None
        one = self._at.at.get(at)
        return (
            one
            if one is not None and one.named and self._at.leads(one) and self._at.word(one.after).endswith("ed")
            else None
        )

    def _acting(self, at: int, but: frozenset[str]) -> Person | None:
        one = self._at.at.get(at)
        if one is not None and (not self._at.leads(one) or one.who in but):
            return None
        return self._at.who(at, but)

    def _near(self, number: int) -> bool:
        """Whether a speech answers the one before: nothing but a tag, or nothing at all, is told between."""
        return 0 < number < len(self._found) and len(self._between(number)) <= LONGEST_TAG

    def _turn_after(self, number: int) -> Person | None:
        """The one who spoke last but one, where two talk: what is told comes before."""
        if not self._near(number) or number < 2 or not self._near(number - 1):
            return None
        return self._differing(self._step(number, -1), self._by[number - 1])

    def _turn_before(self, number: int) -> Person | None:
        """The one who speaks next but one, where two talk: what is told comes behind."""
        if not self._near(number + 1) or not self._near(number + 2):
            return None
        return self._differing(self._step(number, 1), self._by[number + 1])

    def _step(self, number: int, way: int) -> Person | None:
        """The speaker beyond the one beside a speech, who may have said several speeches."""
        beside, at = self._by[number + way], number + 2 * way
        while 0 <= at < len(self._found) and abs(at - number) < 6:
            one = self._by[at]
            if one is None or beside is None or one.who != beside.who:
                return one
            at += way
        return None

    def _differing(self, one: Person | None, other: Person | None) -> Person | None:
        return one if one is not None and (other is None or one.who != other.who) else None

    def _other(self, number: int) -> Person | None:
        """Somebody who was spoken to just before, else one who speaks nearby; not the one who spoke just before."""
        beside = (n for n in (number - 1, number + 1) if 0 <= n < len(self._by) and self._near(max(n, number)))
        out = {one.who for n in beside if (one := self._by[n])} | self._called[number]
        answering = self._called[number - 1] if number and self._near(number) else frozenset[str]()
        named = (one for one in reversed(self._people) if one.first < self._found[number].first)
        asked = next((one for one in named if one.who in answering - out), None)
        near = (self._by[n] for step in range(1, 7) for n in (number - step, number + step) if 0 <= n < len(self._by))
        return asked or next((one for one in near if one is not None and one.who not in out), None)


MARKS = frozenset({",", ".", "!", "?", ";", "...", "--", "—", '"', "“", "”", "‘", "’", "'"})
ANSWERS = frozenset(
    {"Yes", "No", "Yea", "Nay", "Ay", "Aye", "Never", "Certainly", "Nothing", "Nobody", "Not", "Indeed"}
)
TAGGED = frozenset({",", "!", "?", "--", "—"})
OBJECT_OF = frozenset(
    {"to", "of", "with", "at", "by", "for", "from", "upon", "on", "in", "about", "against", "behind", "beside", "after",
     "before", "toward", "towards", "near", "like", "than", "between", "over", "into", "beneath", "round", "around"}
)  # fmt: skip
