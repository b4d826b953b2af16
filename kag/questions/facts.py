"""What is said of a thing: relative clauses, participles, prepositions, predicates, with their negations and adverbs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kag.questions import amounts, naming, nouns
from kag.questions.lexicon import Verb
from kag.questions.links import Fact, Link, Objects, Shows, Sorted, Thing
from kag.questions.wish import AnyOf, Condition, Name, Order, Place
from kag.questions.words import Read, Words, rule

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "gets", "get", "got"})
_DO = frozenset({"do", "does", "did", "can", "could", "may"})
_HAS = frozenset({"has", "have", "had"})
_JOINTS = ("and", "but", ",", "also", "that", "which", "are", "is", "were", "was")
_TOGETHER = (
    ("together", "with"), ("along", "with"), ("jointly", "with"), ("alongside",), ("side", "by", "side", "with"),
    ("with",), ("in", "the", "same", "papers", "as"),
)  # fmt: skip
_OFTEN = {
    ("most", "often"): 1, ("most", "frequently"): 1, ("the", "most"): 1, ("most",): 1, ("the", "most", "often"): 1,
    ("more", "than", "any", "other"): 1, ("more", "often", "than", "any", "other"): 1, ("least", "often"): -1,
    ("the", "least"): -1, ("least", "frequently"): -1, ("most", "commonly"): 1, ("the", "most", "times"): 1,
}  # fmt: skip
_SAYS = frozenset("mention mentions mentioning contain contains containing say says include includes has have names".split())
HAVE = Verb("have", "base")
_KNOWN = {"title", "year", "doi", "journal", "volume", "pages", "caption", "number"}


@dataclass(frozen=True, slots=True)
class _Way:
    """How a verb is meant: the words beside it."""

    negated: bool = False
    only: bool = False
    direct: bool = False
    be: bool = False
    do: bool = False


PLAIN = _Way()


@rule
def facts(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """All that stands behind a kind, the most first; nothing at last."""
    for one, end in fact(words, at):
        for more, last in facts(words, words.skip(end, ",")):
            if more:
                yield (*one, *more), last
        for joint in ("and", "but"):
            if words.low(end) == joint:
                for more, last in facts(words, end + 1):
                    if more:
                        yield (*one, *more), last
        yield one, end
    yield (), at


@rule
def fact(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """One thing that is said behind a kind."""
    if words.low(at) in ("that", "which", "who"):
        yield from predicate(words, at + 1)
        yield from _object_clause(words, at + 1)
    if words.low(at) == "where" or (words.low(at + 1) == "which" and words.of("places", at)):
        yield from _place_clause(words, at + (1 if words.low(at) == "where" else 2))
    if words.low(at) == "whose":
        yield from predicate(words, at + 2) if words.low(at + 1) == "text" else ()
        yield from _saying(words, at + 1, "whose")
    yield from _object_clause(words, at)
    yield from _participle(words, at)
    yield from _plain(words, at)
    yield from ((((one,), end)) for one, end in naming.about(words, at))


@rule
def predicate(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """What a verb with its auxiliaries says of its subject, and further verbs joined to it."""
    for one, end in _one_predicate(words, at):
        for joint in ("and", "but"):
            start = words.skip(end, ",")
            if words.low(start) == joint:
                for more, last in predicate(words, words.skip(start + 1, "that", "which", "also")):
                    yield (*one, *more), last
        yield one, end


def _one_predicate(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    way, start = auxiliaries(words, at)
    if way.be:
        yield from _passive(words, start, way)
        for one, end in _plain(words, start):
            yield from _turned(one, way, end)
        for order, end in nouns.superlative(words, start):
            if not way.negated:
                yield (Sorted(order, Place(level=True)),), end
        yield from _next(words, start, way)
    else:
        yield from active(words, start, way, ("base",) if way.do else ("base", "s", "past"))


def auxiliaries(words: Words, at: int) -> Read[_Way]:
    """The auxiliaries and adverbs before a verb."""
    way = _Way()
    while True:
        low = words.low(at)
        if low in _BE:
            way = replace(way, be=True)
        elif low in _DO or (low in _HAS and (words.low(at + 1) in ("been", "not", "never") or words.verbs(at + 1, "ed"))):
            way = replace(way, do=True)
        elif low in ("not", "never"):
            way = replace(way, negated=not way.negated)
        elif low == "only":
            way = replace(way, only=True)
        elif low in ("directly", "immediately"):
            way = replace(way, direct=True)
        elif low not in ("also", "both", "explicitly", "itself"):
            return way, at
        at += 1


@rule
def after_be(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """What is said behind a subject whose "is" stands before it."""
    way, start = auxiliaries(words, at)
    way = replace(way, be=True)
    yield from _passive(words, start, way)
    for one, end in _plain(words, start):
        yield from _turned(one, way, end)


@rule
def after_do(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """What is said behind a subject whose "does" or "has" stands before it."""
    way, start = auxiliaries(words, at)
    yield from active(words, start, way, ("base",))
    if not words.verbs(start, "base"):  # "has section 2 a figure"
        yield from _have(words, start, way)


def _turned(said: tuple[Fact, ...], way: _Way, end: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """Facts under a negation: one can be turned, of several nobody knows which is meant."""
    if not way.negated and not way.only:
        yield said, end
    elif len(said) == 1 and isinstance(one := said[0], Condition) and not way.only:
        yield (replace(one, negated=not one.negated),), end
    elif len(said) == 1 and isinstance(one := said[0], Link):
        yield (replace(one, negated=one.negated != way.negated, only=one.only or way.only),), end


def _participle(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "cited in ...", "citing ...", "not cited in ...", "only cited in ..."."""
    way, start = auxiliaries(words, at)
    if way.be or way.do:
        return
    yield from _passive(words, start, way)
    yield from active(words, start, way, ("ing",))


def meaning(verb: Verb) -> str:
    return {"put": "hold", "stand": "hold"}.get(verb.meaning, verb.meaning)


@rule
def adverbs(words: Words, at: int) -> Iterator[Read[tuple[bool, bool, amounts.Bounds | None]]]:
    """Behind a verb: "only", "directly", how many times; whatever there is."""
    only = direct = False
    times: amounts.Bounds | None = None
    while True:
        found = amounts.times(words, at) if times is None else []
        if found:
            times, at = found[0]
        elif words.says((",", "not", "below", "it"), at):
            direct, at = True, at + 4
        elif words.low(at) == "only":
            only, at = True, at + 1
        elif words.low(at) in ("directly", "immediately"):
            direct, at = True, at + 1
        elif words.says(("not", "below", "it"), at):
            direct, at = True, at + 3
        elif words.low(at) in ("either", "both") or (words.low(at) == "," and words.low(at + 1) in ("not", "only", "but")):
            break
        else:
            break
    yield (only, direct, times), at


def _passive(words: Words, at: int, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    for verb, end in words.verbs(at, "ed"):
        if verb.meaning in ("publish", "write"):
            yield from _published(words, end, way)
        elif verb.meaning == "join" or verb.meaning in ("cite", "refer"):
            yield from _together(words, end, way)
        if verb.meaning in ("cite", "refer", "hold", "put"):
            for said, last in where(words, end, Link(meaning(verb), False, negated=way.negated), way):
                yield (said,), last
            yield from _most(words, end, verb, way)


def where(words: Words, at: int, link: Link, way: _Way) -> Iterator[Read[Link]]:
    """The places or doers behind a passive verb, with how often and whether only."""
    for (only, direct, times), end in adverbs(words, at):
        only, direct = only or way.only, direct or way.direct
        for several, last in placed(words, end):
            found = replace(link, objects=several, times=times, only=only, direct=direct)
            for (later, below, often), rest in adverbs(words, last):
                if often is None or times is None:
                    yield replace(found, times=often or times, only=only or later, direct=direct or below), rest
        if link.verb in ("cite", "refer"):
            once = times is not None and only
            yield replace(link, times=times, only=only and not once, direct=direct), end


def _most(words: Words, at: int, verb: Verb, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "cited most often", "cited in the most sections"."""
    for phrase, sign in _OFTEN.items():
        if words.says(phrase, at) and not way.negated and not way.only and verb.meaning in ("cite", "refer"):
            yield (Sorted(Order("cited in", descending=sign > 0), Place(level=True)),), at + len(phrase)


def _together(words: Words, at: int, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "cited together with reference 2"."""
    for phrase in _TOGETHER:
        if words.says(phrase, at):
            for several, end in objects(words, at + len(phrase)):
                if not several.without and not way.only and all(one.low == 1 for one in several.things):
                    said = tuple(Condition("beside", one.wish, negated=way.negated) for one in several.things)
                    if len(said) == 1 or not way.negated:
                        yield ((AnyOf(said),) if several.either else said), end


def _published(words: Words, at: int, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "published in 2009", "published in Nature by Kay"."""
    for one, end in [*_by(words, at), *_venue(words, at), *((((y,)), e) for y, e in amounts.dated(words, at))]:
        for more, last in _published(words, end, way) if not way.negated and not way.only else ():
            yield (*one, *more), last
        yield from _turned(one, way, end)


def _by(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    start = at + 1 if words.low(at) in ("by", "of", "from") else len(words.words)
    for people, end in naming.authors(words, start):
        yield people, end
    if words.low(at) == "by" and words.mark(at + 1) == "quote":
        yield (Condition("author", name=Name(words.text(at + 1), "label")),), at + 2


def _venue(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "in Nature", "in the journal Ice and Snow"."""
    if words.low(at) not in ("in", "from"):
        return
    start = words.skip(at + 1, "the")
    journal = words.skip(start, "journal", "periodical", "magazine")
    if words.mark(journal) == "quote" and (journal > start or start == at + 1):
        yield (Condition("venue", name=Name(words.text(journal))),), journal + 1
    text: list[str] = []
    end = journal
    while end < journal + naming.NAMES and not words.mark(end):
        word = words.words[end] if end < len(words.words) else None
        if word is None or not (word.text[:1].isupper() or (text and word.low in ("of", "the", "and", "for", "in", "on", "&"))):
            break
        text.append(word.text)
        end += 1
        if word.text[:1].isupper() and not (words.of("roles", journal) and journal == start):
            yield (Condition("venue", name=Name(" ".join(text))),), end


def active(words: Words, at: int, way: _Way, forms: tuple[str, ...]) -> Iterator[Read[tuple[Fact, ...]]]:
    for verb, end in words.verbs(at, *forms):
        if verb.meaning in ("cite", "refer", "hold"):
            yield from _acting(words, end, verb, way)
        if verb.meaning in ("hold", "lack"):
            yield from _have(words, end, replace(way, negated=way.negated != (verb.meaning == "lack")))
        if verb.meaning == "hold" and not way.negated and not way.only:
            yield from (((Shows(name),), last) for name, last in naming.topic(words, end))
        if verb.meaning == "stand":
            link = Link("hold", False, negated=way.negated)
            yield from (((said,), last) for said, last in where(words, end, link, way) if said.objects)
        if verb.meaning in ("follow", "precede") and not way.negated and not way.only:
            for one, last in nouns.thing(words, end):
                yield _beside(one, verb.meaning == "follow", last)
        if verb.meaning == "show" and not way.negated and not way.only:
            yield from (((Shows(name),), last) for name, last in naming.topic(words, end))
        if verb.meaning == "publish":
            yield from _published(words, end, way)
        if verb.meaning == "compose" and not way.only:
            yield from (((Link("have", False, several, negated=way.negated),), last) for several, last in objects(words, end))


def _call_outs(words: Words, at: int) -> int:
    """The place behind "a citation of", "references to", "text that points to": what has these points itself."""
    start = words.skip(at, "a", "the", "any")
    if words.low(start) in ("citation", "citations", "reference", "references", "call-outs", "pointer", "pointers"):
        return words.skip(start + 1, "of", "to") if words.low(start + 1) in ("of", "to") else at
    return at


def pointing(words: Words, at: int, way: _Way = PLAIN) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "contain a reference to Figure 6", "have text that points to it"."""
    end = _call_outs(words, at)
    for several, last in objects(words, end) if end > at else ():
        yield (Link("cite", True, several, negated=way.negated, only=way.only),), last
    start = words.skip(at, "a", "running")
    if words.low(start) in ("text", "passages") and words.low(start + 1) in ("that", "which") and not way.negated and not way.only:
        yield from predicate(words, start + 2)


def _beside(one: Thing, after: bool, end: int) -> Read[tuple[Fact, ...]]:
    return (Sorted(None, Place("after" if after else "before", of=one.wish)),), end


def _acting(words: Words, at: int, verb: Verb, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    link = Link(meaning(verb), True, negated=way.negated)
    for (only, direct, times), end in adverbs(words, at):
        for several, last in objects(words, end):
            found = replace(link, objects=several, only=only or way.only, direct=direct or way.direct, times=times)
            for (later, below, often), rest in adverbs(words, last):
                if times is None or often is None:
                    yield (replace(found, times=often or times, only=found.only or later, direct=found.direct or below),), rest


def _have(words: Words, at: int, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "have a DOI", "have more than two subsections", "has the most text"."""
    for several, end in objects(words, at):
        yield (Link("have", True, several, negated=way.negated, only=way.only),), end
    for said, end in _properties(words, at):
        yield from _turned(said, way, end)
    for sign, end in words.of("amounts", at):
        if words.low(end) in ("text", "words", "pages", "paragraphs") and not way.negated:
            yield (Sorted(Order("length", descending=sign == "+"), Place(level=True)),), end + 1
    yield from pointing(words, at, way)
    if not way.negated and not way.only:
        yield from _saying(words, at, "")


def _properties(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "a DOI", "no title", "a DOI and a year"."""
    none = next((one for one in words.of("negations", at) if one[0] == "no"), None)
    start = none[1] if none else words.skip(at, "a", "an", "any", "the", "its", "their")
    for name, end in words.of("properties", start):
        if name in _KNOWN:
            yield (Condition("has", name=Name(name), negated=bool(none)),), end
            if words.low(end) == "and":
                yield from (((Condition("has", name=Name(name), negated=bool(none)), *more), last)
                            for more, last in _properties(words, end + 1))  # fmt: skip


def _saying(words: Words, at: int, lead: str) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "whose title mentions ice", "a caption that says frost", "frost in its title", "the keyword frost"."""
    start = words.skip(at, "a", "an", "the", "its", "their")
    for name, end in words.of("properties", start):
        if name in ("title", "caption"):
            said = words.skip(end, "that", "which")
            if words.low(said) in _SAYS or words.says(("with",), said):
                behind = words.skip(said + 1, "the", "word", "words", "phrase", "term")
                yield from (((Condition("title", name=text),), last) for text, last in naming.topic(words, behind))
    for kind, end in words.of("kinds", start):
        if kind == "keyword" and words.text(end):
            yield (Condition("keyword", name=Name(words.text(end))),), end + 1
    behind = words.skip(at, "the", "word", "words", "phrase", "term")
    for text, end in naming.topic(words, behind):
        last = words.skip(end, "in", "its", "the", "their", "a", "an", "as", "among")
        if last > end:
            for name, final in [*words.of("properties", last), *words.of("kinds", last)]:
                if name in ("title", "caption", "keyword"):
                    yield (Condition("keyword" if name == "keyword" else "title", name=text),), final
    if lead == "whose" and words.of("list", start):
        for verb, end in words.verbs(words.of("list", start)[0][1], "s", "base"):
            if verb.meaning == "hold":
                yield from (((Link("cite", True, several),), last) for several, last in objects(words, end))


@rule
def _plain(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """Prepositions: of a year, by a person, in a place, with and without something, after and before, other than."""
    yield from ((((one,)), end) for one, end in amounts.dated(words, at))
    start = at + (words.low(at) == "only")
    for _, end in words.of("places", start):
        for said, last in placed(words, start):
            for (later, direct, times), rest in adverbs(words, last):
                if times is None:
                    yield (Link("in", False, said, only=start > at or later, direct=direct),), rest
        break
    yield from _by(words, at)
    yield from _venue(words, at)
    if words.low(at) in ("with", "having"):
        yield from _have(words, at + 1, _Way())
    for value, end in words.of("negations", at):
        if value == "without":
            yield from _have(words, end, _Way(negated=True))
        if value == "except":
            yield from _except(words, end)
    yield from _next(words, at, _Way())
    if words.says(("together",), at) or words.says(("along",), at):
        yield from _together(words, at, _Way())
    if words.low(at) in ("directly", "immediately"):
        for several, end in placed(words, at + 1):
            yield (Link("in", False, several, direct=True),), end


def _except(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "other than the Introduction"."""
    for several, end in objects(words, at):
        things = several.things
        if all(one.named and one.low == 1 for one in things) and not several.without:
            yield tuple(_not(one) for one in things), end


def _not(one: Thing) -> Condition:
    where = one.wish.where[0] if len(one.wish.where) == 1 else None
    if isinstance(where, Condition) and where.relation == "is":
        return replace(where, negated=True)
    return Condition("is", one.wish, negated=True)


def _next(words: Words, at: int, way: _Way) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "after section 2", "directly before the Methods", "following reference 3"."""
    start = words.skip(at, "right", "directly", "immediately", "just", "next", "printed")
    if words.low(start) in ("after", "behind", "following", "before", "preceding") and not way.negated:
        for one, end in nouns.thing(words, start + 1):
            yield _beside(one, words.low(start) in ("after", "behind", "following"), end)


def placed(words: Words, at: int) -> Iterator[Read[Objects]]:
    """Things behind prepositions of place."""
    lead = words.skip(at, "both", "either", "neither")
    for _, end in words.of("places", lead):
        for several, last in objects(words, end):
            if words.low(at) == "neither":
                yield Objects((), without=several.things), last
            else:
                yield replace(several, either=several.either or words.low(at) == "either"), last


@rule
def objects(words: Words, at: int) -> Iterator[Read[Objects]]:
    """One thing or several: "A and B", "either A or B", "A but not B"."""
    lead = words.low(at) if words.low(at) in ("both", "either") else ""
    for chain, end in _chain(words, at + bool(lead)):
        joints = {joint for _, joint in chain[1:]} - {","}
        things = tuple(one for one, joint in chain if joint != "not")
        without = tuple(one for one, joint in chain if joint == "not")
        if {"and", "or"} <= joints or (lead == "both" and "and" not in joints) or (lead == "either" and "or" not in joints):
            continue
        if "not" in joints and chain[-1][1] != "not" or (joints and any(one.each or one.own for one in things)):
            continue
        if len(chain) > 1 and not joints:
            continue
        yield Objects(things, "or" in joints, without), end


@rule
def _chain(words: Words, at: int) -> Iterator[Read[tuple[tuple[Thing, str], ...]]]:
    for one, end in nouns.thing(words, at):
        for joint, start in _joints(words, end):
            for more, last in _chain(words, start):
                yield ((one, ""), (more[0][0], joint), *more[1:]), last
        yield ((one, ""),), end


def _joints(words: Words, at: int) -> Iterator[Read[str]]:
    """The word between two things, with the preposition that may be said again."""
    start = words.skip(at, ",")
    found = [(",", start)] if start > at else []
    for phrase, joint in (
        (("but", "not"), "not"), (("and", "not"), "not"), (("not",), "not"), (("and",), "and"), (("or",), "or"),
        (("as", "well", "as"), "and"), (("and", "also"), "and"), (("nor",), "or"), (("but", "also"), "and"),
    ):  # fmt: skip
        if words.says(phrase, start):
            found.insert(0, (joint, start + len(phrase)))
    for joint, end in found:
        for _, last in words.of("places", end):
            yield joint, last
            break
        yield joint, end


def _object_clause(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "references the Introduction cites": a subject and an active verb without its object."""
    for one, end in nouns.thing(words, at):
        way, start = auxiliaries(words, end)
        if way.be:
            yield from (((Link("have", False, Objects((one,))),), words.skip(last, "into", "of", "up"))
                        for verb, last in words.verbs(start, "ed") if verb.meaning == "divide")  # fmt: skip
            continue
        for verb, last in words.verbs(start, "base", "s", "past"):
            if verb.meaning in ("cite", "refer", "hold") and not one.most:
                link = Link(meaning(verb), False, Objects((one,)), negated=way.negated, only=way.only, direct=way.direct)
                for (only, direct, times), rest in adverbs(words, last):
                    yield (replace(link, times=times, only=link.only or only, direct=link.direct or direct),), rest


def _place_clause(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """ "sections in which reference 3 is cited", "where the authors cite it"."""
    for several, end in objects(words, at):
        yield from inverted(words, end, several)


def inverted(words: Words, at: int, several: Objects) -> Iterator[Read[tuple[Fact, ...]]]:
    """A passive verb behind its subject, said of the place where it happens."""
    way, start = auxiliaries(words, at)
    for verb, end in words.verbs(start, "ed"):
        if verb.meaning in ("cite", "refer", "hold", "put"):
            link = Link(meaning(verb), True, several, negated=way.negated, direct=way.direct)
            for (only, direct, times), last in adverbs(words, words.skip(end, "in", "on", "by", "to")):
                if not (only or way.only):
                    yield (replace(link, times=times, direct=link.direct or direct),), last
        if verb.meaning == "divide" and not way.negated:
            yield (Link("have", False, several),), words.skip(end, "into", "of", "up")
    if several.things and several.things[0].own:
        yield from active(words, start, way, ("base", "s", "past"))
