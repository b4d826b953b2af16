"""The forms of questions: lists, counts, "which ... do", "where", "who", "when", yes or no, one property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kag.questions import amounts, cells, facts, nouns
from kag.questions.lexicon import lexicon
from kag.questions.links import CITED, FLOATS, Fact, Link, Objects, Sorted, Thing, narrowed, relation
from kag.questions.wish import MANY, Condition, Kind, Order, Place, Wish
from kag.questions.words import Read, Words, rule

Wishes = tuple[Wish, ...]
_BE = ("is", "are", "was", "were", "can", "be", "may")
_DO = ("do", "does", "did")
_HAVE = ("has", "have", "had")
_TIMED = frozenset({"received", "submitted", "accepted", "revised", "handed"})


@rule
def asked(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """What a whole part of a question asks, the more telling readings first."""
    yield from ((((wish,)), end) for wish, end in cells.cell(words, at))
    for read in (_front, _prefixed, _divided, _which, _late, _where, _often, _who, _when, _cites, _follows, _shown, _whether,
                 _compared, _listed):  # fmt: skip
        yield from read(words, at)


def _front(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """What the first page says beside title and authors: every word of the question belongs to asking for it."""
    said = {word.low for word in words.words[at:]} - {"?", "."}
    if any(word.mark for word in words.words[at:]) or words.many:
        return
    for name in dict.fromkeys(value for one in lexicon().entries.values() for _, table, value in one if table == "front"):
        keys = lexicon().words("front", name)
        if said & keys and said <= keys | lexicon().words("beside", name) | lexicon().words("beside", "all"):
            yield (Wish("paper", get=(name,)),), len(words.words)
            return


def _prefixed(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "Tell me how many ...", "Say where ...", "In section 2, which figures ...", "Reference 44: what is its title"."""
    for value, end in words.of("asking", at):
        if value in ("list", "count") and (words.of("asking", end) or words.low(end) in ("where", "who", "when")):
            yield from asked(words, end)
    for _, start in words.of("places", at)[:1]:
        for one, end in nouns.thing(words, start):
            if words.low(end) == "," and (one.named or one.own) and not one.each:
                for wishes, last in asked(words, end + 1):
                    found = [narrowed(wish, (Link("in", False, Objects((one,))),)) for wish in wishes]
                    if all(found) and not any(wish.place or wish.order for wish in wishes):
                        yield tuple(wish for wish in found if wish), last
    if words.says(("according", "to", "its", "caption"), at) or words.says(("according", "to", "the", "caption"), at):
        for wishes, end in asked(words, words.skip(at + 4, ",")):
            if all(wish.get == ("caption",) for wish in wishes):
                yield wishes, end


def _which(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "(In) which sections ...", "how many references ..."."""
    for start in dict.fromkeys((*(end for _, end in words.of("places", at)[:1]), at)):
        for value, end in words.of("asking", start):
            if value not in ("which", "count"):
                continue
            for wishes, last in _counted(words, end) if value == "count" else _kinds(words, end):
                for said, final in _tail(words, last):
                    for more, behind in facts.facts(words, final):
                        found = [narrowed(wish, (*said, *more)) for wish in wishes]
                        if all(found):
                            yield tuple(_told(wish) for wish in found if wish), behind
            if value == "which":
                yield from _property(words, end)


def _told(wish: Wish) -> Wish:
    """On which page a thing stands is a property of it."""
    if wish.kind == "page" and wish.ask == "list" and len(wish.where) == 1:
        one = wish.where[0]
        if isinstance(one, Condition) and one.relation == "holds" and one.of and not one.negated and not one.only:
            return replace(one.of, get=("pages" if one.of.kind in CITED else "page",))
    return wish


def _kinds(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """The kind behind "which"; "two" before it says how many are asked for."""
    if words.low(at + 1) == "or" and words.low(at).rstrip("s") == words.low(at + 2).rstrip("s"):
        at += 2  # "section or sections"
    start = words.skip(at + 1, "the", "these") if words.low(at) == "of" else at
    for many, end in amounts.number(words, start):
        for wish, last in nouns.noun(words, end):
            if not wish.place and many < 100:
                yield (replace(wish, place=Place(at=1, to=many)),), last
    yield from ((((wish,)), end) for wish, end in nouns.noun(words, start))


def _counted(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """Kinds to be counted, each by itself: "figures and tables", "figures and how many tables"."""
    for wish, end in nouns.noun(words, words.skip(at, "of", "the", "all", "every", "these")):
        one = replace(wish, ask="count")
        start = words.skip(end, ",")
        if words.low(start) == "and":
            behind = next((last for value, last in words.of("asking", start + 1) if value == "count"), start + 1)
            for more, last in _counted(words, behind):
                yield (one, *more), last
        yield (one,), end
    for _, end in words.of("list", words.skip(at, "the")):
        yield (Wish("reference", ask="count"),), end


@rule
def _tail(words: Words, at: int) -> Iterator[Read[tuple[Fact, ...]]]:
    """What is said of what is asked for, behind it; nothing at last ("are there", "are given")."""
    yield from facts.predicate(words, at)
    yield from facts.predicate(words, at + 2) if words.says(("'s", "text"), at) else ()
    if words.low(at) in _BE:
        for several, end in facts.objects(words, words.skip(at, *_BE)):
            yield from facts.inverted(words, end, several)
        for several, end in facts.objects(words, words.skip(at, *_BE)):
            yield (Link("hold", True, several),), words.skip(end, "part", "in", "on", "to", "of")
    if words.low(at) in (*_DO, "can"):
        for several, end in facts.objects(words, at + 1):
            yield from _done(words, end, several)
    for several, end in facts.objects(words, at + 1) if words.low(at) in _HAVE else ():
        yield (Link("have", False, several),), end
    if words.says(("can", "one", "find"), at) or words.says(("can", "you", "find"), at):
        yield from facts.pointing(words, at + 3)
    end = words.skip(at, "are", "is", "were", "was", "do", "does", "did", "exist", "found", "do", "has", "have")
    for verb, last in words.verbs(end, "ed"):
        if verb.meaning in ("hold", "put"):
            yield (), last
    yield (), end


def _done(words: Words, at: int, several: Objects) -> Iterator[Read[tuple[Fact, ...]]]:
    """A subject and its verb, said of the verb's object or, when the subject is the paper, of the place."""
    way, start = facts.auxiliaries(words, at)
    one = several.things[0]
    if words.low(start) == "have":
        end = start + 1
        for (only, direct, times), last in facts.adverbs(words, end):
            if not only and not times and not way.only:
                yield (Link("have", False, several, negated=way.negated, direct=direct),), words.skip(last, "in")
    for verb, end in words.verbs(start, "base"):
        link = Link(facts.meaning(verb), False, several, negated=way.negated, only=way.only, direct=way.direct)
        if verb.meaning == "stand":
            yield (replace(link, active=True),), words.skip(end, "in", "on", "to", "under")
        if verb.meaning in ("cite", "refer", "hold"):
            for found, last in facts.where(words, end, replace(link, objects=None), way) if one.own else ():
                if found.objects:
                    yield (found,), last
            yield from facts.active(words, start, way, ("base",)) if one.own else ()
            for (only, direct, times), last in facts.adverbs(words, end):
                yield (replace(link, only=link.only or only, direct=link.direct or direct, times=times),), last
        if verb.meaning == "compose":
            yield (link,), end


def _late(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "Reference 44 is cited in which sections?", "The Introduction cites which references?"."""
    for several, end in facts.objects(words, at):
        way, start = facts.auxiliaries(words, words.skip(end, ":", ","))
        if way.negated or way.only:
            continue
        forms = ("ed",) if way.be else ("base", "s", "past")
        for verb, last in words.verbs(start, *forms):
            verb = facts.HAVE if verb.meaning == "divide" else verb
            for (only, direct, times), behind in facts.adverbs(words, last):
                asking = next((e for _, e in words.of("places", behind)[:1]), behind)
                for value, head in words.of("asking", asking):
                    if only or value not in ("which", "count"):
                        continue
                    link = Link(facts.meaning(verb), (way.be and verb != facts.HAVE) or verb.meaning == "stand", several, times=times, direct=direct)
                    for wishes, final in _counted(words, head) if value == "count" else _kinds(words, head):
                        found = [narrowed(wish, (link,)) for wish in wishes]
                        if all(found):
                            yield tuple(wish for wish in found if wish), final


def _divided(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "How is section 2 divided?", "Into which parts is the paper divided?", "What does X consist of?"."""
    start = words.skip(at, "into", "in")
    ask, end = "list", start
    if words.says(("how", "many"), start) or words.low(start) in ("which", "what", "how"):
        ask = "count" if words.low(start + 1) == "many" else "list"
        end = start + 1 + (ask == "count")
    kind = [last for kind, last in words.of("kinds", end) if kind in ("section", "subsection")]
    top = words.of("deep", end)
    for last in [*kind, *([e for k, e in words.of("kinds", top[0][1]) if k == "section"] if top else []), end]:
        if end == at or (last == end and words.low(start) == "which") or not words.low(last) in (*_BE, *_DO):
            continue
        for one, behind in nouns.thing(words, last + 1):
            for verb, final in words.verbs(behind, "ed", "base"):
                if verb.meaning == "divide":
                    yield from _split(one, ask, words.skip(final, "into", "up", "of"))  # type: ignore[arg-type]


def _split(one: Thing, ask: str, end: int) -> Iterator[Read[Wishes]]:
    if one.own:
        yield (Wish("section", (Condition("depth", low=1, high=1),), ask=ask),), end  # type: ignore[arg-type]
    elif one.wish.kind == "section" and one.named:
        yield (Wish("section", (Condition("in", one.wish, direct=True),), ask=ask),), end  # type: ignore[arg-type]


@rule
def _properties(words: Words, at: int) -> Iterator[Read[tuple[str, ...]]]:
    """ "title", "the title and the DOI"."""
    for name, end in words.of("properties", words.skip(at, "the", "a", "all", "its", "their")):
        start = words.skip(end, ",")
        if words.low(start) == "and" or start > end:
            for more, last in _properties(words, words.skip(start, "and")):
                yield (name, *more), last
        yield (name,), end


def _property(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "In which year was reference 31 published?", "Which DOI does it have?", "Which journal published it?"."""
    for names, end in _properties(words, at):
        if names == ("number",):
            continue
        start = words.skip(end, *_BE, *_DO, *_HAVE)
        if start > end:
            for verb, last in words.verbs(start, "ed"):  # "is given for"
                behind = words.skip(last, "for", "of", "by", "in")
                if verb.meaning in ("hold", "put") and behind > last:
                    yield from ((_get(one, names), final) for one, final in nouns.thing(words, behind) if _tells(one, names))
            for one, last in nouns.thing(words, start):
                if not _tells(one, names):
                    continue
                way, verbal = facts.auxiliaries(words, last)
                if way.negated or way.only:
                    continue
                for verb, final in words.verbs(verbal, "ed", "base"):
                    if verb.meaning in ("publish", "hold", "put", "stand", "write"):
                        yield _get(one, names), words.skip(final, "in", "on", "under", "out")
                yield _get(one, names), words.skip(verbal, "in", "on", "from")
        for verb, last in words.verbs(end, "past"):
            if verb.meaning == "publish":
                yield from ((_get(one, names), final) for one, final in nouns.thing(words, last) if _tells(one, names))


def _tells(one: Thing, names: tuple[str, ...]) -> bool:
    """Whether a thing has these properties."""
    kind = "paper" if one.own else one.wish.kind
    known = {
        "reference": {"title", "year", "doi", "journal", "volume", "pages", "author", "number", "text", "page"},
        "section": {"title", "page", "number"}, "paper": {"title", "year", "doi", "journal", "author", "volume", "pages"},
        "row": {"title"}, "column": {"title", "unit"}, "author": {"title", "affiliation", "email"}, "keyword": {"title"},
        "journal": {"title"}, "paragraph": {"page", "text"},
    }  # fmt: skip
    known |= dict.fromkeys(("work",), known["reference"]) | dict.fromkeys(FLOATS, {"title", "caption", "page", "number"})
    return set(names) <= known.get(kind, set()) and (one.own or one.simple)


def _get(one: Thing, names: tuple[str, ...]) -> Wishes:
    """The properties of a thing; the title of a section is the section, that of a float its caption."""
    wish = Wish("paper") if one.own else one.wish
    told = tuple("caption" if name == "title" and wish.kind in FLOATS else name for name in names)
    if told == ("author",):
        return (_authors(one),)
    if told == ("title",) and wish.kind in ("section", "author", "keyword", "row", "column"):
        return (wish,)
    return (replace(wish, get=told),)


def _authors(one: Thing) -> Wish:
    own = one.own or (one.wish == Wish("paper"))
    return Wish("author", () if own else (Condition("in", one.wish),))


def _where(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "Where is reference 12 cited?", "Where is Figure 4 printed?", "Where was [31] published?"."""
    if words.low(at) not in ("where", "whereabouts"):
        return
    section = Wish("paper") if words.many else Wish("section")
    for said, end in _tail(words, at + 1):
        found = narrowed(section, said)
        if found and said:
            yield (found,), end
    for one, end in nouns.thing(words, at + 1):  # "say where it is cited"
        for said, last in facts.inverted(words, end, Objects((one,))):
            found = narrowed(section, said)
            if found:
                yield (found,), last
    for one, end in nouns.thing(words, words.skip(at + 1, *_BE, *_DO)):
        if one.wish.kind in CITED and not one.own:
            for verb, last in words.verbs(end, "ed", "base"):
                if verb.meaning == "publish":
                    yield (replace(one.wish, get=("journal",)),), last
        if one.wish.kind == "section":
            last = next((e for v, e in words.verbs(end, "ed", "base") if v.meaning in ("put", "stand", "hold")), end)
            yield (replace(one.wish, get=("page",)),), last


def _often(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "How often is reference 9 cited (in the Introduction)?", "How many times does section 2 cite it?"."""
    for value, end in words.of("asking", at):
        if value != "often":
            continue
        for one, last in nouns.thing(words, words.skip(end, *_BE)) if words.low(end) in _BE else ():
            way, start = facts.auxiliaries(words, last)
            for verb, behind in words.verbs(start, "ed"):
                if verb.meaning in ("cite", "refer") and not way.negated and not way.only:
                    for several, final in [*facts.placed(words, behind), (None, behind)]:
                        yield from _calls(one, several.things if several else (), final)
        for one, last in nouns.thing(words, end + 1) if words.low(end) in _DO else ():
            for verb, behind in words.verbs(last, "base"):
                for other, final in nouns.thing(words, behind) if verb.meaning in ("cite", "refer") else ():
                    yield from _calls(other, () if one.own else (one,), final)


def _calls(one: Thing, places: tuple[Thing, ...], end: int) -> Iterator[Read[Wishes]]:
    kind: Kind = one.wish.kind
    said = relation("cite", "mention", kind)
    if said and len(places) < 2 and one.simple and one.definite:
        where = tuple(Condition("in", place.wish) for place in places if not place.own)
        if all(place.simple or place.own for place in places):
            yield (Wish("mention", (Condition(said, one.wish), *where), ask="count"),), end


def _who(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "Who wrote reference 8?", "By whom is it?", in a library "Who cites ...?"."""
    if words.low(at) == "who":
        for verb, end in words.verbs(at + 1, "past"):
            if verb.meaning == "write":
                yield from ((((_authors(one),)), last) for one, last in nouns.thing(words, end) if _tells(one, ("author",)))
        if words.many:
            for said, end in facts.predicate(words, at + 1):
                found = narrowed(Wish("paper"), said)
                if found:
                    yield (found,), end
    if words.says(("by", "whom"), at):
        for one, end in nouns.thing(words, words.skip(at + 2, *_BE)):
            if _tells(one, ("author",)):
                yield (_authors(one),), next((last for verb, last in words.verbs(end, "ed") if verb.meaning == "write"), end)


def _when(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "When was reference 31 published?"."""
    if words.low(at) != "when" or words.low(at + 1) not in (*_BE, *_DO):
        return
    for one, end in nouns.thing(words, at + 2):
        for verb, last in words.verbs(end, "ed", "base"):
            if verb.meaning == "publish" and _tells(one, ("year",)):
                yield _get(one, ("year",)), last


def _cites(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "What does section 2 cite?", "What does section 2 consist of?"."""
    if words.low(at) == "what" and words.low(at + 1) in _DO:
        for several, end in facts.objects(words, at + 2):
            for verb, _ in words.verbs(end, "base"):
                kind: Kind = "work" if words.many else "reference"
                for said, last in _done(words, end, several) if verb.meaning == "cite" else ():
                    found = narrowed(Wish(kind), said)
                    if found:
                        yield (found,), last


def _follows(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "What comes after the Methods?"; "By which section is it followed?"."""
    if words.low(at) == "what":
        for said, end in facts.predicate(words, at + 1):
            one = said[0] if len(said) == 1 else None
            if isinstance(one, Sorted) and one.place.of:
                yield (Wish(one.place.of.kind, place=one.place),), end
    if words.says(("by", "which"), at) or words.says(("by", "what"), at):
        for wish, end in nouns.noun(words, at + 2):
            for one, last in nouns.thing(words, words.skip(end, *_BE)):
                for verb, final in words.verbs(last, "ed"):
                    if verb.meaning in ("follow", "precede"):
                        way = "after" if verb.meaning == "follow" else "before"
                        yield (replace(wish, place=Place(way, of=one.wish)),), final  # type: ignore[arg-type]


def _shown(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "What does Figure 4 show?", "What is plotted in Fig. 4?", "How is reference 3 titled?", "What does [3] stand for?"."""
    if words.low(at) not in ("what", "how", "which"):
        return
    start = words.skip(at + 1, "data", "information", "values")
    for one, end in _panels(words, start + 1) if words.low(start) in (*_DO, *_BE) else ():
        for verb, last in words.verbs(end, "base", "ed"):
            if verb.meaning in ("show", "hold", "put") and one.wish.kind in FLOATS and one.definite:
                yield _caption(one), last
        for phrase, name in ((("called",), "title"), (("titled",), "title"), (("entitled",), "title"), (("named",), "title"),
                             (("captioned",), "caption"), (("about",), "caption"), (("say",), "text"), (("tell",), "caption"),
                             (("stand", "for"), "text"), (("refer", "to"), "text"), (("point", "to"), "text")):  # fmt: skip
            if words.says(phrase, end) and not (name == "text" and words.low(at) == "how"):
                yield from _said(one, name, end + len(phrase))
        if words.low(at) == "what" and words.low(start) in ("is", "are"):
            yield from _said(one, "text", end)
    for one, end in _panels(words, start) if words.low(at) == "what" else ():
        for verb, last in words.verbs(end, "s", "base"):
            if verb.meaning in ("show", "hold") and one.wish.kind in FLOATS and one.definite:
                yield _caption(one), last
    behind = words.skip(start, "is", "are", "was", "were", "can", "be")
    if behind > start:
        verbs = [last for verb, last in words.verbs(behind, "ed") if verb.meaning in ("show", "hold", "put", "refer")]
        for last in [*verbs, behind + (words.low(behind) in ("seen", "about"))]:
            for one, end in _panels(words, words.skip(last, "in", "on", "by", "about")):
                if one.wish.kind in FLOATS and one.definite and words.low(last) in ("in", "on", "by"):
                    yield _caption(one), end
    for phrase in (("what", "is", "the", "subject", "of"), ("what", "is", "the", "topic", "of")):
        if words.says(phrase, at):
            yield from ((_caption(one), end) for one, end in _panels(words, at + 5) if one.wish.kind in FLOATS and one.definite)


def _panels(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A thing, or all panels of a figure, or what a caption says."""
    start = words.skip(at, "the", "its", "both", "two", "three", "four", "all")
    if words.low(start) in ("panels", "parts") and words.low(start + 1) == "of":
        yield from nouns.thing(words, start + 2)
    if words.mark(at) == "back" and words.low(at + 1) == "'s":
        end = words.skip(at + 2, "both", "two", "three", "four", "all")
        if words.low(end) == "panels":
            yield from ((one, end + 1) for one, last in nouns.thing(words, at) if last == at + 1)
    for names, end in _properties(words, at):
        if names == ("caption",) and words.low(end) == "of":
            yield from nouns.thing(words, end + 1)
    yield from nouns.thing(words, at)


def _caption(one: Thing) -> Wishes:
    return (replace(one.wish, get=("caption",)),)


def _said(one: Thing, name: str, end: int) -> Iterator[Read[Wishes]]:
    if one.wish.kind in FLOATS and one.definite:
        yield _caption(one), end
    elif (name == "text" and one.wish.kind in CITED and one.named) or (name == "title" and _tells(one, ("title",))):
        yield _get(one, (name,)), end


def _whether(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "Is reference 1 cited in the Introduction?", "Does section 2 cite it?", "Is there an appendix?"."""
    if words.low(at) not in (*_BE, *_DO, *_HAVE):
        return
    if words.low(at) in ("is", "are"):
        for _, end in words.of("list", words.skip(at + 1, "a", "the", "any")):
            yield (Wish("reference", ask="whether"),), end
    for one, end in nouns.thing(words, at + 1):
        if one.own:
            yield from _in_paper(words, end)
        elif words.low(at) in _BE:
            for said, last in facts.after_be(words, end):
                yield from _true(one, said, last)
        else:
            for said, last in facts.after_do(words, end):
                yield from _true(one, said, last)
        if words.low(at) in ("is", "are", "was", "were"):
            yield from _there(one, end)


def _true(one: Thing, said: tuple[Fact, ...], end: int) -> Iterator[Read[Wishes]]:
    found = narrowed(one.wish, said) if one.simple and one.definite else None
    if found:
        yield (replace(found, ask="whether"),), end


def _there(one: Thing, end: int) -> Iterator[Read[Wishes]]:
    """Whether there is such a thing, or so many."""
    if one.most or one.only or one.each or one.own:
        return
    if (one.low, one.high) == (1, MANY):
        yield (replace(one.wish, ask="whether"),), end
    elif not one.named:
        yield (Wish("paper", (Condition("holds", one.wish, None, one.low, one.high),), ask="whether"),), end


def _in_paper(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "... the paper have an appendix", "... they cite reference 2"."""
    way, start = facts.auxiliaries(words, at)
    if way.negated or way.only:
        return
    for verb, end in ((verb.meaning, end) for verb, end in words.verbs(start, "base")):
        for one, last in nouns.thing(words, end):
            if verb == "hold":
                yield from _there(one, last)
            if verb in ("cite", "refer") and one.definite:
                kind = "cited in" if one.wish.kind in CITED else "referred to in"
                found = narrowed(one.wish, (Condition(kind),))  # type: ignore[arg-type]
                if found or one.wish.kind in CITED | FLOATS:
                    wish = replace(one.wish, where=(*one.wish.where, Condition(kind)))  # type: ignore[arg-type]
                    yield (replace(wish, ask="whether"),), last


def _compared(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "Which is cited more often, reference 3 or reference 4?", "Which section cites more references, A or B?"."""
    if words.low(at) not in ("which", "what"):
        return
    start = next((end for _, end in words.of("kinds", at + 1)), at + 1)
    for often, less in ((("more", "often"), False), (("more", "frequently"), False), (("less", "often"), True)):
        end = words.skip(start, "is", "are", "was", "were")
        for verb, last in words.verbs(end, "ed"):
            if verb.meaning in ("cite", "refer") and words.says(often, last):
                yield from _among(words, last + 2, Order("cited in", Wish("mention"), descending=not less))
    for verb, end in words.verbs(start, "s", "base"):
        for sign in ("more", "fewer"):
            if words.low(end) == sign:
                for wish, last in nouns.noun(words, end + 1):
                    said = relation(facts.meaning(verb), "section", wish.kind)
                    if said:
                        yield from _among(words, last, Order(said, wish, descending=sign == "more"))


def _among(words: Words, at: int, order: Order) -> Iterator[Read[Wishes]]:
    for several, end in facts.objects(words, words.skip(at, ",", ":")):
        kinds = {one.wish.kind for one in several.things}
        if len(several.things) > 1 and several.either and len(kinds) == 1 and all(one.named for one in several.things):
            kind = kinds.pop()
            by = "referred to in" if order.by == "cited in" and kind not in CITED else order.by
            among = tuple(one.wish for one in several.things)
            yield (Wish(kind, order=replace(order, by=by), ask="compare", among=among),), end


def _listed(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "List the references", "What is the title of reference 31?", "Works cited in section 2"."""
    starts = [(value, end) for value, end in words.of("asking", at) if value in ("list", "count")]
    for value, lead in [*starts, ("", at)]:
        start = words.skip(lead, ":", "all", "every", "of") if value != "count" else lead
        if value == "count":
            yield from _counted(words, start)
            continue
        yield from _told_of(words, start)
        for one, end in nouns.thing(words, start):
            yield from _list_of(one, end, asked=bool(value))
            if words.low(end) == "'s":
                for wish, last in nouns.noun(words, end + 1):
                    found = wish if one.own else narrowed(wish, (Link("in", False, Objects((one,))),))
                    if found:
                        yield (found,), last
            if words.low(end) == "by" and not one.own:
                yield from (((replace(wish, get=names),), last) for names, last in _properties(words, end + 1)
                            for (wish,), _ in _list_of(one, end, asked=True) if not wish.get)  # fmt: skip
        yield from _elliptic(words, start)
        yield from _sizes(words, start)


def _sizes(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "the length of the reference list", "how long is the bibliography", "the figure and table counts"."""
    for value, end in words.of("size", at):
        start = words.skip(end, "is", "the") if value == "how" else words.skip(end, "the")
        for _, last in words.of("list", start):
            yield (Wish("reference", ask="count"),), last
    yield from ((((Wish("section", (Condition("depth", low=1, high=1),)),)), end) for _, end in words.of("outline", at))
    for wishes, end in _counted(words, words.skip(at, "the")):
        if words.low(end) in ("counts", "count"):
            yield wishes, end + 1


def _elliptic(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """ "the first 5", of what was asked before."""
    for one, end in nouns.places(words, words.skip(at, "the")) if words.back else ():
        wish = narrowed(replace(words.back[0], ask="list", get=()), (one,))
        if wish:
            yield (wish,), end
            if words.low(end) == "by":
                yield from (((replace(wish, get=names),), last) for names, last in _properties(words, end + 1))


def _told_of(words: Words, at: int) -> Iterator[Read[Wishes]]:
    """Properties of things: "the title of reference 31", "reference 31's DOI", "the title"."""
    for names, end in _properties(words, at):
        last = words.skip(end, "of", "for", "in", "from", "all", "every")
        if last > end:
            yield from ((_get(one, names), final) for one, final in nouns.thing(words, last) if _tells(one, names))
        if _tells(Thing(Wish("paper"), own=True), names) and not words.many:
            yield _get(Thing(Wish("paper"), own=True), names), end
    for one, end in nouns.thing(words, at):
        if words.low(end) == "'s":
            yield from ((_get(one, names), last) for names, last in _properties(words, end + 1) if _tells(one, names))


def _list_of(one: Thing, end: int, *, asked: bool) -> Iterator[Read[Wishes]]:
    if one.own or one.most or one.only or one.each or one.low < 1:
        return
    wish = one.wish
    if one.high < MANY:  # "list three references"
        if one.low == one.high and not wish.place and asked:
            yield (replace(wish, place=Place(at=1, to=one.high)),), end
    elif one.named and wish.kind in CITED and not any(isinstance(w, Condition) and w.relation == "author" for w in wish.where):
        if asked:
            yield (replace(wish, get=("text",)),), end
    elif wish.kind in FLOATS and asked and (one.named or (wish.place and wish.place.at == wish.place.to and not wish.order)):
        yield (replace(wish, get=("caption",)),), end
    elif one.low == 1 and (not one.named or wish.kind == "paper"):
        yield (wish,), end

