"""`read_question`: the queries of a question, in order; none unless every one of its words says its part.

A question has parts ("What does Figure 2 show, and which sections mention it?"); a part may point back to what the part
before names or asks for. What cannot be read whole is not read: its words are told, and another rung has the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kag.qa.questions.links import FLOATS, is_named
from kag.qa.questions.naming import UNNUMBERED
from kag.qa.questions.nouns import thing
from kag.qa.questions.papers import KnownPaper, printed_names
from kag.qa.questions.question_grammar import asked
from kag.qa.questions.structured_query import AnyOf, Condition, Query
from kag.qa.questions.words import LONGEST, Word, Words, lexicon, match_form, split

CHARACTERS = 2_000  # of a question that is read
_PER = (Word("in", "in"), Word("each", "each"))
_PUBLISHED = (Word("was", "was"), Word("it", "it"), Word("published", "published"))
_CITED = (Word("is", "is"), Word("it", "it"), Word("cited", "cited"))
_END = frozenset({"?", ".", ";", "!"})
_PRINTED = FLOATS | {"section", "subsection", "reference", "author", "page", "journal", "keyword"}
_PLACES = "in|under|within|below|after|before|between|follows|follow|precedes|precede"
_TELLING = ("is", "author", "first author", "venue")  # conditions that only an entry of the list fits
_PLURAL = frozenset({"they", "them", "their", "these", "those"})
_SINGULAR = frozenset({"it", "its", "this"})


@dataclass(frozen=True, slots=True)
class Known:
    """Names that a question may use as they are: section titles of the one paper, or the papers of the library.

    `many` is whether a library is asked.
    """

    titles: tuple[str, ...] = ()
    papers: tuple[KnownPaper, ...] = ()
    many: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question asks for, part by part, or nothing and the words that are left over.

    `of_print` is whether a question that is not read is on the paper as a printed thing, which no sentence answers.
    """

    queries: tuple[Query, ...] = ()
    unspent: tuple[str, ...] = ()
    of_print: bool = False


NOTHING = Known()


def read_question(text: str, known: Known = NOTHING) -> Reading:
    """The queries of a question.

    >>> [(query.kind, query.ask) for query in read_question("How many sections cite reference 7?").queries]
    [('section', 'count')]
    >>> read_question("Why do rivers freeze?").queries
    ()
    """
    if len(text) > CHARACTERS:
        return Reading(unspent=("",))
    text = unicodedata.normalize("NFC", text)
    words = split(text, _names(text, known))
    if len(words) > LONGEST:
        return Reading(unspent=tuple(word.text for word in words))
    queries: list[Query] = []
    last: tuple[Query, ...] = ()
    for part in _parts(words):
        if not _bare(part, known.many):
            continue  # "Please."
        found = _read(part, last, known.many)
        if not found:
            return Reading(unspent=_left(part), of_print=_of_print(words))
        last = found
        queries += [query for query in found if query not in queries and not _is_repeated(query, queries)]
    return Reading(tuple(queries)) if queries else Reading(unspent=tuple(word.text for word in words))


def _is_repeated(query: Query, before: list[Query]) -> bool:
    """Whether "list them by number" repeats the question: lists are always printed with numbers."""
    return query.get == ("number",) and replace(query, get=()) in before


def _names(text: str, known: Known) -> Iterator[Word]:
    for named_paper in printed_names(text, known.papers):
        yield Word(named_paper.paper, "", "paper", named_paper.start, named_paper.end)
    for title in known.titles:
        if len(title) <= 300 and title.casefold() in text.casefold() and (" " in title or _is_title(title, text)):
            for match in re.finditer(rf"(?<![\w-]){re.escape(title)}(?![\w-])", text, re.I):
                yield Word(title, "", "title", *match.span())


def _is_title(word: str, text: str) -> bool:
    """Whether one word is a section's title where it stands: behind a word of place, with a capital.

    Elsewhere it may be what the paper is about ("Which sections mention Menthol?").
    """
    return word[:1].isupper() and bool(re.search(rf"\b(?:{_PLACES}) (?:the )?{re.escape(word)}\b", text))


def _parts(words: list[Word]) -> list[list[Word]]:
    """The questions in a question; a piece that asks nothing is the beginning of what follows it."""
    parts: list[list[Word]] = [[]]
    for at, word in enumerate(words):
        if (word.low in _END and not word.mark and (word.low != "." or not _abbreviated(words, at))) or (
            word.low in ("and", ",") and not word.mark and _begins(words, at + 1) and _asks(parts[-1])
        ):
            parts.append([])
        elif word.low != "." or word.mark:
            parts[-1].append(word)
    for part in parts:
        while part and part[0].low in ("and", ",") and not part[0].mark:
            part.pop(0)
    return [part for part in parts if any(word.mark or word.low.isalnum() for word in part)]


def _abbreviated(words: list[Word], at: int) -> bool:
    """Whether a stop belongs to the word before it: "al.", "Plant Physiol. Biochem."."""
    if at == 0 or words[at - 1].low in ("al", "no", "fig", "eq", "ref", "vs"):
        return at > 0
    names = [word.text[:1].isupper() and not word.mark for word in words[at - 1 : at + 2 : 2]]
    return names == [True, True] and not _asks(words[at + 1 : at + 2]) and words[at + 1].low != "i"


def _begins(words: list[Word], at: int) -> bool:
    """Whether a new question begins here, behind a comma or "and"."""
    if at < len(words) and words[at].low == "and":
        at += 1
    low = [word.low for word in words[at : at + 3]] + [""] * 3
    if low[0] in ("what", "where", "who", "when", "how"):
        return low[:2] != ["how", "many"] or True
    if low[0] == "which":
        return low[1] not in ("is", "are", "was", "were", "cite", "cites")
    if low[0] in ("in", "on", "by"):
        return low[1] in ("which", "what", "whom")
    return (
        low[0] in ("list", "name", "give", "tell", "show", "state", "say", "is", "are", "does", "do")
        and words[at - 1].low != "or"
    )


def _asks(part: list[Word]) -> bool:
    """Whether a piece is a question so far: "In Table 1" is not."""
    if len(part) == 3 and part[0].low in ("in", "on") and part[1].low in ("which", "what"):
        return False  # "In what year and in which journal did ..."
    words = Words(tuple(part))
    return any(words.of("asking", at) or word.low in lexicon().rows["sets", "asking"] for at, word in enumerate(part))


def _read(part: list[Word], before: tuple[Query, ...], many: bool) -> tuple[Query, ...]:
    """The queries of one part; it may point back to those of the part before."""
    plain = _spread(_bare(part, many), many)
    colon = next((at for at, word in enumerate(plain) if word.low == ":"), 0)
    if colon:  # "Reference 44: which sections cite it?"
        lead = Words(tuple(plain[:colon]), many)
        named = [one.query for one, end in thing(lead, 0) if end == colon and one.named]
        if named:
            plain, before = plain[colon + 1 :], (named[0],)
    # "For reference 44, give its title and year"
    if len(plain) > 1 and plain[0].low == "for" and not plain[1].mark and not before:
        lead = Words(tuple(plain), many)
        for one, end in thing(lead, 1):
            if one.named and lead.low(end) == ",":
                plain, before = plain[end + 1 :], (one.query,)
                break
    cut = _completed(plain, before)
    for words in (*_pointing(plain, before, many), *_pointing(cut, before, many), Words(tuple(plain), many)):
        for queries, end in asked(words, 0):
            if end == len(words.words) and (many or words.back or _is_of_list(part, queries)):
                return queries
    return ()


def _completed(part: list[Word], before: tuple[Query, ...]) -> list[Word]:
    """ "And in what journal?", "and how often?" with the verb that is left out; nothing for a part that is whole."""
    if not before or len(part) > 4:
        return []
    often = bool(part) and (part[-1].low == "times" or part[-1].low == "often")
    if often or ([word.low for word in part] == ["where"] and before[0].kind == "mention"):
        return [*part, *_CITED]
    return [*part, *_PUBLISHED] if len(part) > 1 else []


def _spread(part: list[Word], many: bool) -> list[Word]:
    """ "For each section, how many figures does it have": with "each section" for the pronoun, or else at the end."""
    plain = [word for one in part for word in ((one,) if one.low != "per" or one.mark else _PER)]
    words = Words(tuple(plain), many)
    for _, start in match_form(words, 0, "for|in|of"):
        for (_,), end in match_form(words, start, "each|every <noun>"):
            rest = plain[words.skip(end, ",") :]
            each = [_PER[1], *plain[start + 1 : end]]
            put = [word for one in rest for word in (each if one.low in ("it", "they") and not one.mark else (one,))]
            if _asks(rest):
                return put if len(put) > len(rest) else [*rest, _PER[0], *each]
    return plain


def _is_of_list(part: list[Word], queries: tuple[Query, ...]) -> bool:
    """Whether works asked for are those cited: "how many studies were included" asks of the text."""
    for query in queries:
        if query.kind == "paper" and not query.get and query.ask in ("list", "count"):
            return False
        linked = any(isinstance(one, AnyOf) or one.of or one.relation in _TELLING for one in query.where)
        linked = linked or bool(query.among) or (query.order is not None and query.order.by == "cited in")
        if (
            query.kind == "reference"
            and not linked
            and not any(word.low in lexicon().rows["sets", "listed"] for word in part)
        ):
            return False
    return True


def _bare(part: Iterable[Word], many: bool) -> list[Word]:
    """Return the words without filler, and without "of this paper"."""
    words = Words(tuple(word for word in part), many)
    found: list[Word] = []
    at = 0
    while at < len(words.words):
        end = _nothing(words, at) if many else max(_nothing(words, at), _self(words, at))
        if end == at:
            found.append(words.words[at])
            end = at + 1
        at = end
    while found and found[-1].low in (",", ":"):
        found.pop()
    return found


def _nothing(words: Words, at: int) -> int:
    glue = [end for value, end in words.of("glue", at) if value == "glue"]
    deep = [end for value, end in words.of("deep", at) if value == "deep"]
    library = [end for value, end in words.of("glue", at) if value == "library"] if words.many else []
    end = max([*glue, *deep, *library], default=at)
    return words.skip(end, ",") if at == 0 else end


def _self(words: Words, at: int) -> int:
    """Return the place behind "in this paper", "of the whole article"; the place itself without such a phrase."""
    if words.low(at) not in ("of", "in", "within", "throughout", "across", "for", "by", "from"):
        return at
    end = words.skip(at + 1, "the", "this")
    if end == at + 1:
        return at
    while any(value == "adjective" for value, _ in words.of("self", end)):
        end += 1
    noun = any(value == "noun" for value, _ in words.of("self", end)) and words.low(end) not in ("authors", "author")
    return (
        words.skip(end + 1, "itself")
        if noun and words.low(end + 1) not in lexicon().rows["sets", "behind_paper"] and words.low(end + 1) != "'s"
        else at
    )


def _pointing(part: list[Word], before: tuple[Query, ...], many: bool) -> Iterator[Words]:
    """The part with what its pronouns point back to, likeliest first."""
    if not before or not part:
        return
    asked_for = [replace(query, ask="list", get=()) for query in before]
    things = [thing for query in before for thing in _things(query)]
    for singular in (True, False):
        targets = [*things, *asked_for] if singular else [*asked_for, *things]
        for target in targets:
            words = _pointed(part, target, singular)
            if words:
                yield Words(tuple(words), many, (target,))
    if part[0].low in ("and", "what") or Words(tuple(part)).of("asking", 0):
        yield Words(tuple(part), many, tuple(asked_for))


def _things(query: Query) -> list[Query]:
    """What a query names: itself where it is a thing named, or those its conditions are of; the last first."""
    queries = [replace(query, ask="list", get=())] if is_named(query) else []
    for one in reversed(query.where):
        for condition in one.conditions if isinstance(one, AnyOf) else (one,):
            if isinstance(condition, Condition) and condition.of and is_named(condition.of):
                queries.append(condition.of)
    return queries


def _pointed(part: list[Word], target: Query, singular: bool) -> list[Word] | None:
    """The words with a mark for each pronoun; None where there is none of this number."""
    pronouns = _SINGULAR if singular else _PLURAL
    words: list[Word] = []
    hit = False
    at = 0
    while at < len(part):
        low = part[at].low
        if low in pronouns and not part[at].mark:
            words.append(Word("0", "", "back"))
            words += [Word("'s", "'s")] if low in ("its", "their") else []
            hit = True
        elif low in ("the", "this", "that") and at + 1 < len(part) and _is_kind(part[at + 1].low, target, part, at + 2):
            words.append(Word("0", "", "back"))
            hit, at = True, at + 1
        else:
            words.append(part[at])
        at += 1
    return words if hit else None


def _is_kind(low: str, target: Query, part: list[Word], behind: int) -> bool:
    """ "the figure" alone, where a figure was named."""
    kinds = {kind for kind, _ in Words((Word(low, low),)).of("kinds", 0)}
    kinds |= {"reference"} & kinds or ({"reference", "work"} if kinds & {"work", "paper"} else set())
    return target.kind in kinds and (behind >= len(part) or part[behind].low in lexicon().rows["sets", "behind_kind"])


def _left(part: list[Word]) -> tuple[str, ...]:
    """The words of a part that no table knows; all of them where each is known and only their order is not."""
    words = Words(tuple(part))
    unknown = tuple(word.text for at, word in enumerate(part) if not word.mark and not _known(words, at))
    return unknown or tuple(word.text for word in part)


def _known(words: Words, at: int) -> bool:
    low = words.low(at)
    return bool(low in lexicon().single or re.fullmatch(r"[\d\W]+", low))


def _of_print(words: list[Word]) -> bool:
    """Whether all words are those in which printed things are asked for, and a printed thing is among them."""
    known = Words(tuple(words))
    plain = [at for at, word in enumerate(words) if not word.mark]
    printed = any(
        known.of("list", at) or known.low(at) == "abstract" or (kind in _PRINTED and known.low(at) not in UNNUMBERED)
        for at in plain
        for kind, _ in [*known.of("kinds", at), *known.of("plurals", at), ("", at)]
    )
    return printed and all(_known(known, at) for at in plain)
