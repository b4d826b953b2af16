"""What happens in prose: who goes where, takes, drops or gives what, and what brings what about, by rules over verbs.

Only what is told counts, not what is said. What happened before what was told last ("had gone", "years ago") is marked:
the order of telling is not that of happening. A sentence of which nothing is understood becomes no event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from kag.domains.story.prose.cast import Cast
from kag.domains.story.prose.speech import SUBJECTS, Person, Resolver
from kag.domains.story.prose.tokens import Token, word_set, words
from kag.domains.story.reader import verbs_of

REACH = 6
"""Tokens between a subject and its verb."""
LONGEST = 90
"""Tokens of a sentence that is read."""
DENIED = frozenset(
    {"not", "never", "no", "nor", "would", "could", "should", "might", "must", "may", "can", "will", "if", "to"}
)
PARTICLES = frozenset(
    {"back", "off", "away", "up", "down", "over", "straight", "quickly", "slowly", "home", "out", "again"}
)
DETERMINERS = frozenset({"the", "a", "an", "his", "her", "their", "its", "my", "our", "your", "this", "that", "some"})
STOPS = frozenset(
    {"and", "but", "or", "that", "which", "who", "when", "where", "while", "as", "because", "so", "for", "with",
     "from", "to", "at", "in", "on", "of", "by", "into", "upon", "under", "over", "through", "without", "before",
     "after", "until", "till", "if", "then", "than", "was", "were", "had", "is", "did", "it", "he", "she", "they",
     "him", "her", "them", "i", "again", "there", "here", "away", "back", "up", "down", "out", "off", "once",
     "too", "home", "one", "way", "place"}
)  # fmt: skip
BEFORE = re.compile(r"\b(?:years? (?:ago|before)|long ago|the (?:day|night|week|year) before|earlier)\b", re.I)
THEREFORE = re.compile(
    r"\W*(?:so|therefore|thus|hence|consequently|as a result|because of (?:this|that)|for this reason)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that is told: characters from `start` to before `end`, what kind, who, what, where.

    `before` is above 0 where it happened before what was told last; `causes` is the number of another happening.
    """

    number: int
    start: int
    end: int
    kind: str = ""
    actor: str = ""
    thing: str = ""
    place: str = ""
    receiver: str = ""
    before: int = 0
    causes: int | None = None


@cache
def _kinds() -> Mapping[str, str]:
    """The kind of each verb that is one word."""
    kinds = ("move", "take", "drop", "give")
    had = {verb: kind for kind in kinds for verb in words()["had"][kind]}
    return had | {verb: kind for kind in kinds for verb in verbs_of(kind) if " " not in verb}


@cache
def _only_had() -> frozenset[str]:
    """Verbs that tell something only behind `had`: gone, taken."""
    told = {verb for kind in ("move", "take", "drop", "give") for verb in verbs_of(kind)}
    return frozenset(verb for verbs in words()["had"].values() for verb in verbs) - told


def happenings_of(cast: Cast) -> tuple[Happening, ...]:
    """The happenings of a text in the order of telling."""
    found: list[Happening] = []
    who = Resolver(cast.tokens, cast.people, cast.speeches)
    sentences = list(_sentences(cast.tokens))
    read = {number: tuple(_events(cast, who, span)) for number, span in enumerate(sentences)}
    for number in range(len(sentences)):
        early = 0
        for one in read[number]:
            early = early + 1 if one.before else 0
            found.append(replace(one, number=len(found), before=early))
    return _with_causes(cast, sentences, found)


def _sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The tokens of each sentence, from its first word to before the next one."""
    begin = 0
    for at in range(1, len(tokens) + 1):
        if at == len(tokens) or tokens[at].sentence != tokens[begin].sentence:
            first = next((one for one in range(begin, at) if tokens[one].text[0].isalnum()), at)
            if first < at:
                yield first, at
            begin = at


def _events(cast: Cast, who: Resolver, sentence: tuple[int, int]) -> Iterator[Happening]:
    """The events of a sentence: each verb of a known kind that has somebody for a subject."""
    begin, end = sentence
    if end - begin > LONGEST:
        return
    last: Person | None = None
    early = bool(BEFORE.search(cast.text, cast.tokens[begin].start, cast.tokens[end - 1].end))
    for at in range(begin, end):
        if at in who.said:
            last = None
            continue
        kind = _kinds().get(cast.tokens[at].text)
        if kind is None or (cast.tokens[at].text in _only_had() and not _had(cast, at)):
            continue
        subject = _subject(cast, who, begin, at) or (last if _follows_on(cast, at) else None)
        if subject is None or _denied(cast, begin, at):
            continue
        last = subject
        for one in (*_beside(cast, who, subject, begin), subject):
            yield from _event(cast, who, (begin, end), at, kind, one, early or _had(cast, at))


def _subject(cast: Cast, who: Resolver, begin: int, verb: int) -> Person | None:
    """Who stands shortly before a verb, with no other verb or break between."""
    for at in range(verb - 1, max(begin, verb - REACH) - 1, -1):
        word = cast.tokens[at].text
        if at in who.said or word in (",", ";", ":", "and", "but", "that", "which", "--", "—"):
            return None
        if at in who.at:
            one = who.at[at]
            return one if who.leads(one) else None
        if word.lower() in SUBJECTS or word == "I":
            return who.who(at)
        if word.endswith(("ed", "ing")) or _kinds().get(word):
            return None
    return None


def _beside(cast: Cast, who: Resolver, subject: Person, begin: int) -> Iterator[Person]:
    """Who acts together with a subject: Hans in `Hans and Grete went`."""
    at = subject.first - 1
    if at > begin and cast.tokens[at].text == "and" and at - 1 in who.at:
        yield who.at[at - 1]


def _follows_on(cast: Cast, verb: int) -> bool:
    """Whether a verb goes on with the subject of the one before: `took the lamp and went`."""
    words = [cast.tokens[at].text for at in range(max(verb - 3, 0), verb)]
    return bool(words) and (words[-1] in ("and", "then") or (words[-1] == "," and len(words) > 1))


def _denied(cast: Cast, begin: int, verb: int) -> bool:
    return any(cast.tokens[at].text.lower() in DENIED for at in range(max(begin, verb - 3), verb)) or any(
        cast.tokens[at].text.lower().endswith(("n't", "n’t")) for at in range(max(begin, verb - 3), verb)
    )


def _had(cast: Cast, verb: int) -> bool:
    return any(cast.tokens[at].text in ("had", "'d") for at in range(max(verb - 2, 0), verb))


def _event(
    cast: Cast, who: Resolver, sentence: tuple[int, int], verb: int, kind: str, subject: Person, early: bool
) -> Iterator[Happening]:
    """The event of a verb, where what it needs is there: a place to go to, a thing to have."""
    begin, end = sentence
    span = cast.tokens[begin].start, cast.tokens[end - 1].end
    one = Happening(0, *span, kind, actor=subject.who, before=int(early))
    after = verb + 1
    while after < end and cast.tokens[after].text in PARTICLES:
        after += 1
    if kind == "move":
        place = _place(cast, who, after, end)
        if place:
            yield replace(one, place=place)
        return
    receiver = ""
    if kind == "give" and after < end:
        person = who.who(after) or _object(cast, who, after)
        if person:
            receiver, after = person.who, max(after + 1, who.at[after].after if after in who.at else after + 1)
    thing, stop = _thing(cast, who, after, end)
    if kind == "give" and thing and not receiver and stop + 1 < end and cast.tokens[stop].text == "to":
        person = who.called(stop + 1)
        receiver = person.who if person else ""
    if thing and (kind != "give" or receiver):
        yield replace(one, thing=thing, receiver=receiver)


def _object(cast: Cast, who: Resolver, at: int) -> Person | None:
    """Whom `him` or `her` means after a verb: the last one of that kind who is not the subject."""
    word = cast.tokens[at].text
    follows = cast.tokens[at + 1].text if at + 1 < len(cast.tokens) else ""
    if word in ("him", "her") and (word == "him" or follows.lower() in DETERMINERS):
        return who.last(at, "man" if word == "him" else "woman")
    return who.at.get(at)


def _place(cast: Cast, who: Resolver, at: int, end: int) -> str:
    """The place behind `to`, `into`, `towards`, `for`: a name, or a noun with an article."""
    for near in range(at, min(at + 3, end - 1)):
        if cast.tokens[near].text in ("to", "into", "towards", "toward", "for", "inside", "through"):
            named = cast.named.get(near + 1)
            if named is not None:
                return named.name if cast.kinds[named.name] == "place" else ""
            return "" if near + 1 in who.at else _noun(cast, who, near + 1, end)[0]
    return ""


def _thing(cast: Cast, who: Resolver, at: int, end: int) -> tuple[str, int]:
    return _noun(cast, who, at, end)


def _noun(cast: Cast, who: Resolver, at: int, end: int) -> tuple[str, int]:
    """A noun with an article or owner, and the token behind it; "" where there is none, or it is a person."""
    if at >= end or cast.tokens[at].text.lower() not in DETERMINERS:
        return "", at
    words: list[str] = []
    near = at + 1
    while near < end and len(words) < 4:
        word = cast.tokens[near].text
        if near in who.at or word.lower() in STOPS or not word[0].isalpha() or word.endswith("ly"):
            break
        words.append(word)
        near += 1
    return (" ".join(words) if words and near not in who.at else ""), near


def _with_causes(cast: Cast, sentences: Sequence[tuple[int, int]], found: Sequence[Happening]) -> tuple[Happening, ...]:
    """The happenings with what they cause, where a sentence begins with `so`, `therefore`, `as a result`."""
    by_start: dict[int, list[Happening]] = {}
    for one in found:
        by_start.setdefault(one.start, []).append(one)
    done = {one.number: one for one in found}
    fresh = len(found)
    for number in range(1, len(sentences)):
        (begin, end), (first, after) = sentences[number - 1], sentences[number]
        text = cast.text[cast.tokens[first].start : cast.tokens[after - 1].end]
        if not THEREFORE.match(text):
            continue
        pair: list[Happening] = []
        for span in ((begin, end), (first, after)):
            start, stop = cast.tokens[span[0]].start, cast.tokens[span[1] - 1].end
            known = by_start.get(start)
            if not known:
                known = [Happening(fresh, start, stop)]
                done[fresh] = known[0]
                by_start[start] = known
                fresh += 1
            pair.append(known[-1])
        cause, effect = pair
        done[cause.number] = replace(done[cause.number], causes=effect.number)
    return tuple(sorted(done.values(), key=lambda one: (one.start, one.number)))


def triggers_of(cast: Cast) -> tuple[Token, ...]:
    """The words that say that something happens: verbs in the past, told, not denied, and no lasting state."""
    said = {at for one in cast.speeches for at in range(one.first, one.after)}
    past = (word_set("speech", "verbs") | word_set("speech", "past") | set(_kinds())) - word_set("speech", "lasting")
    return tuple(token for at, token in enumerate(cast.tokens) if at not in said and _happens(cast.tokens, at, past))


def _happens(tokens: Sequence[Token], at: int, past: frozenset[str] | set[str]) -> bool:
    word, before = tokens[at].text, [one.text.lower() for one in tokens[max(at - 2, 0) : at]]
    if word.endswith("ing") and len(word) > 5 and word.islower():
        return bool(before) and before[-1] == ","
    regular = word.endswith("ed") and len(word) > 4 and word.islower() and word not in word_set("speech", "lasting")
    if not regular and (word not in past or word.endswith("s")):
        return False
    if any(one in DENIED or one.endswith(("n't", "n’t")) for one in before):
        return False
    return not before or (before[-1] not in DETERMINERS and before[-1] not in ("of", "very", "so", "more", "most"))
