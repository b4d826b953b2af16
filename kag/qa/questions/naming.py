"""Names in questions: by number, label, title, role, identifier, or by topic words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.qa.questions.links import Thing, named
from kag.qa.questions.structured_query import AnyOf, Condition, Kind, Name, Query
from kag.qa.questions.words import Read, Words, called, lexicon, match_form, rule

TOPIC = 16  # words of a subject
TITLE = 6  # words of a title before "section" or "figure"
NAMES = 10  # words of the names in a label
_JOINTS = (",", "and", "&", "or")
_NUMBERS = {
    "figure": re.compile(r"#?(?:(?:S|[A-H]\.?)?\d{1,3}(?:\.\d{1,3})*(?:[A-Za-z]|-s\d{1,2})?|[IVXL]{1,6}|[A-H])"),
    "section": re.compile(r"§?\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}(?:\.[A-H\d])?|[A-H](?:\.\d{1,2})*"),
    "reference": re.compile(r"#?(?!1[5-9]\d\d|20\d\d)\d{1,4}"),
}
_NUMBERED: dict[str, Kind] = {
    "section": "section", "subsection": "section", "figure": "figure", "table": "table", "formula": "formula",
    "reference": "reference", "work": "reference", "page": "page",
}  # fmt: skip
UNNUMBERED = ("part", "parts", "place", "places", "citations")
_FOR = {"table": "figure", "formula": "figure", "subsection": "section"}
_QUOTED: dict[str, tuple[Kind, ...]] = {
    "section": ("section",), "subsection": ("section",), "figure": ("figure",), "table": ("table",),
    "journal": ("journal",), "row": ("row",), "column": ("column",), "keyword": ("keyword",),
}  # fmt: skip
_TITLED: dict[str, Kind] = {
    "section": "section", "subsection": "section", "part": "section", "passage": "section",
    "figure": "figure", "table": "table",
}  # fmt: skip
_OF_LIST = "of|in|from the references"
_RANGE = re.compile(r"(?P<low>\d{1,4})[-–—](?P<high>\d{1,4})")
_DOTTED = re.compile(r"\d{1,2}(?:\.\d{1,2})+")  # "cited in 2.5": only sections have such numbers
_BEFORE_NUMBER = ("in", "of", "under", "below", "beneath", "within", "inside")
_ELSE = {"scheme": "Scheme", "chart": "Chart", "plate": "Plate", "box": "Box", "algorithm": "Algorithm"}


@rule
def numbered(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "Figure S1 and 2", "sections 2.1 to 2.3", "reference 7", "refs 3-5", "[7]"."""
    if words.mark(at) == "bracket":
        for one in _bracketed(words.text(at)):
            yield Thing(Query("reference", one)), at + 1
    for kind, end in [*words.of("kinds", at), *words.of("list", at)]:
        singular = _NUMBERED.get(kind)
        if singular is None or words.low(at) in UNNUMBERED:
            continue
        start = words.skip(end, "no", "number", "numbered", "nr", "#", "(", "§", "item", "entry", "nos", "numbers")
        if words.mark(start) == "bracket" and singular == "reference":
            yield from ((Thing(Query(singular, one)), start + 1) for one in _bracketed(words.text(start)))
        for where, last in _list_of_numbers(words, start, singular):
            where = _floats(where, words.low(at))
            last = words.skip(last, ")")
            if singular == "reference":  # "item 21 of the references"
                yield from ((Thing(Query(singular, where)), rest) for _, rest in match_form(words, last, _OF_LIST))
            yield Thing(Query(singular, where)), last
    bare = at > 0 and words.low(at - 1) in _BEFORE_NUMBER and _DOTTED.fullmatch(words.text(at).rstrip("."))
    if words.low(at) == "§" or bare:
        for where, last in _list_of_numbers(words, at + (not bare), "section"):
            yield Thing(Query("section", where)), last


def _floats(where: tuple[Condition | AnyOf, ...], word: str) -> tuple[Condition | AnyOf, ...]:
    """Return floats with their name in the label, unless they are figures by name."""
    kind = _ELSE.get(word.removesuffix("s"))
    one = where[0]
    if kind is None or not isinstance(one, Condition) or one.name is None:
        return where
    return (Condition("is", name=Name(f"{kind} {one.name.text}", "label")),)


def _bracketed(text: str) -> Iterator[tuple[Condition | AnyOf, ...]]:
    if text[0].isalpha():  # "[Lam94]"
        yield (Condition("is", name=Name(f"[{text}]", "label")),)
        return
    yield _where([_number(part) for part in re.split(r"\s?,\s?", text)])


def _number(text: str) -> Condition:
    match = _RANGE.fullmatch(text.replace(" ", ""))
    if match:
        return Condition("number", low=int(match["low"]), high=int(match["high"]))
    return Condition("is", name=Name(text.lstrip("#§").rstrip("."), "number"))


def _where(conditions: list[Condition]) -> tuple[Condition | AnyOf, ...]:
    return (conditions[0],) if len(conditions) == 1 else (AnyOf(tuple(conditions)),)


def _list_of_numbers(words: Words, at: int, kind: str) -> Iterator[Read[tuple[Condition | AnyOf, ...]]]:
    """One number or several, as many as there are first."""
    pattern = _NUMBERS.get(_FOR.get(kind, kind))
    found: list[tuple[Condition, int]] = []
    while pattern and len(found) < NAMES:
        one = _one_number(words, at, pattern)
        if one is None:
            break
        found.append(one)
        at = words.skip(one[1], *_JOINTS)
        if at == one[1]:
            break
        at = next((end for name, end in words.of("kinds", at) if _NUMBERED.get(name) == kind), at)
    for number in range(len(found), 0, -1):
        yield _where([condition for condition, _ in found[:number]]), found[number - 1][1]


def _one_number(words: Words, at: int, pattern: re.Pattern[str]) -> tuple[Condition, int] | None:
    text = words.text(at).rstrip(".")
    if words.mark(at) or (text == "I" and words.low(at + 1) not in ("", ")", ",", "?")):
        return None
    if _RANGE.fullmatch(text):
        return _number(text), at + 1
    if not pattern.fullmatch(text):
        return None
    low, high = text, words.text(at + 2)
    if words.low(at + 1) in ("to", "through", "–", "-") and low.isdigit() and high.isdigit():
        return Condition("number", low=int(low), high=int(high)), at + 3
    return _number(text), at + 1


@called("quoted")
@rule
def quoted(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A phrase in quotation marks, a DOI, a paper by its id, a title of a section: alone, or behind what it is."""
    for form in ("THE* {kinds} {naming.called} the? doi|id|,|:*", "THE* {kinds} with? the? doi|id|,|:*"):
        for (kind,), end in match_form(words, at, form):
            yield from _marked(words, end, kind)
    yield from ((thing, end) for _, start in match_form(words, at, "THE*") for thing, end in _marked(words, start, ""))
    start = words.skip(at, "the", "an", "a")
    if words.mark(start) in ("quote", "title"):
        for (kind,), end in match_form(words, start + 1, "{kinds}"):
            if kind in ("section", "subsection"):
                yield Thing(named("section", words.text(start), "title")), end


def _marked(words: Words, at: int, kind: str) -> Iterator[Read[Thing]]:
    mark, text = words.mark(at), words.text(at)
    work: Kind = "work" if words.many else "reference"
    either: tuple[Kind, ...] = (work, "section") if words.many else ("section", work)
    kinds = _QUOTED.get(kind, either if not kind else (work,) if kind in ("work", "paper", "reference") else ())
    if mark == "paper":
        yield Thing(named("paper", text, "id")), at + 1
    elif mark == "doi" and work in kinds:
        yield Thing(named(work, text, "doi")), at + 1
    elif mark == "title" and "section" in kinds:
        yield Thing(named("section", text, "title")), at + 1
    for one in kinds if mark == "quote" else ():
        way = "words" if one in ("figure", "table") or (kind and one == "reference") else "title"
        yield Thing(named(one, text, way)), at + 1


@rule
def treated(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "the description of river ice": a section by words."""
    if words.low(at) == "the" and words.low(at + 1) in ("description", "discussion") and words.low(at + 2) == "of":
        for name, end in topic(words, at + 3):
            yield Thing(Query("section", (Condition("is", name=name),))), end


@rule
def before_kind(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "the Statistics section", "the flow chart figure": by words before what it is."""
    if words.low(at) != "the" or words.low(at + 1) in lexicon().single:  # "the last figure" is no title
        return
    for name, end in topic(words, at + 1):
        kind = _TITLED.get(words.low(end))
        if kind and end <= at + TITLE and not numbered(words, end):
            yield Thing(Query(kind, (Condition("is", name=name),))), end + 1


@rule
def played(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A usual part of a paper, written as a title is: "the methods", "Methods", "methods section"."""
    start = words.skip(at, "the", "its", "their", "an", "a", "any")
    if words.low(start) == "section":
        start = words.skip(start + 1, "called", "titled", "on", "the")
    for _, end in words.of("roles", start):
        text = " ".join(word.text for word in words.words[start:end])
        sections = [last for kind, last in words.of("kinds", end) if kind in ("section", "subsection")]
        letter = words.text(end) if re.fullmatch(r"[A-H\d]", words.text(end)) and words.low(start) == "appendix" else ""
        name = named("section", f"{text} {letter}".strip(), "role")
        for last in sections:
            yield Thing(name), last
        if start > at or text[:1].isupper():
            yield Thing(name), end + bool(letter)


@called("topic")
@rule
def topic(words: Words, at: int) -> Iterator[Read[Name]]:
    """Read the words of a topic, fewest first; none that state a relation."""
    start = words.skip(at, "the", "a", "an")
    if any(words.of(table, start) for table in ("numbers", "bounds", "amounts", "negations", "behind")):
        return
    for end in range(at + 1, min(at + TOPIC, len(words.words)) + 1):
        word = words.words[end - 1]
        if word.mark or words.is_of("naming", "stop", end - 1) or (word.low == "," and end == at + 1):
            return
        if any(last > end for _, last in numbered(words, end - 1)):
            return  # "reference 7" is a thing of its own
        if any(words.low(last)[:1].isdigit() for _, last in words.of("bounds", end - 1)):
            return  # "a value above 2.5" is a condition on what is printed, no title
        if end > start and word.low not in {",", *lexicon().rows["sets", "small"]}:
            text = " ".join(one.text for one in words.words[start:end]).replace(" ,", ",")
            yield Name(text, "words"), end


@rule
def about(words: Words, at: int) -> Iterator[Read[Condition]]:
    """ "on river ice", "about frozen gauges", "titled ..." behind a kind."""
    for (name,), end in [
        *match_form(words, at, "{naming.about} <topic>"),
        *match_form(words, at, "{naming.called} <topic>"),
    ]:
        yield Condition("is", name=name), end


LABEL_WORDS = 10  # words of the names in a label, or of a journal's
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.?", re.I)
_OTHERS = ("al", "colleagues", "co-workers", "coworkers", "others")
_WORKS = ("work", "paper", "reference")
_SMALL = ("of", "the", "and", "for", "in", "on", "&")


@rule
def labelled(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "Kay et al. (2009a)", "Okafor and Lind 2011", "the work cited as Kay, 2009"."""
    work = (
        "the|a|an? {kinds} that|which|is|are|was* cited|referenced|quoted|labelled|labeled|abbreviated* as|by|of|from?"
    )
    starts = {end for (kind,), end in match_form(words, at, work) if kind in _WORKS}
    start = max((*starts, words.skip(at, "the", "a", "an")))
    definite = words.low(start - 1) == "the"
    for (names, year), end in dated_people(words, start):
        thing = Thing(_label(words, names, year))
        yield from ((thing, last) for kind, last in words.of("kinds", end) if kind in _WORKS and definite)
        yield thing, end
    for names, end in _people(words, start) if not words.many else ():
        thing = Thing(named("reference", names, "label"))
        if definite:  # "the Kay paper", "the Kay paper on ice"
            works = [last for kind, last in words.of("kinds", end) if kind in _WORKS]
            yield from _on_topic(words, names, works[0]) if works else ()
            yield from ((thing, last) for last in works)
        elif (
            words.low(at - 1) in ("is", "was")
            and not any(map(str.isdigit, names))
            and any(verb.meaning == "cite" for verb, _ in words.verbs(end, "ed"))
        ):
            yield thing, end  # "Is Kay cited?"


def _on_topic(words: Words, names: str, at: int) -> Iterator[Read[Thing]]:
    """A work by its first author and words of its title."""
    author = Condition("first author", name=Name(split_people(names)[0], "label"))
    for (name,), end in match_form(words, at, "{naming.about} <topic>"):
        yield Thing(Query("reference", (author, Condition("title", name=name)))), end


@rule
def dated_people(words: Words, at: int) -> Iterator[Read[tuple[str, str]]]:
    """Names with a year: "Kay et al. (2009a)", "Okafor and Lind 2011"."""
    for names, end in _people(words, at) if not words.of("months", at) else ():
        year = words.skip(end, ",", "(", *(("in", "from", "'s") if words.many else ()))
        if _YEAR.fullmatch(words.text(year)):
            yield (names, words.text(year)), words.skip(year + 1, ")")


def _label(words: Words, names: str, year: str) -> Query:
    """Return a label as a whole name in one paper; in a library as author and year of a work."""
    if not words.many:
        return named("reference", f"{names} {year}", "label")
    number = int(re.sub(r"\D", "", year) or 0)
    first, *more = (Name(one, "label") for one in split_people(names))
    wrote = (Condition("first author", name=first), *(Condition("author", name=one) for one in more))
    return Query("work", (*wrote, Condition("year", low=number, high=number)))


def split_people(names: str) -> list[str]:
    """The persons of "Kay, Lee and Poe et al."."""
    bare = re.sub(r"\bet al\b\.?|\band (?:colleagues|co-?workers|others)$", "", names)
    parts = re.split(r"\s*(?:,|\band\b|&)\s*", bare)
    return [part.strip() for part in parts if len(part.strip(" .")) > 1] or [names]


def _people(words: Words, at: int) -> Iterator[Read[str]]:
    """Words that may be names of people: capitals, particles between them, "and", "et al."; the most first."""
    found: list[tuple[str, int]] = []
    names, end = "", at
    while end < at + LABEL_WORDS and not words.mark(end):
        text, low = words.text(end), words.low(end)
        capital = text[:1].isupper() and low not in ("which", "what", "how")
        if (
            not capital
            and low != ","
            and low not in (*_OTHERS, "and", "&")
            and not words.is_of("naming", "particles", end)
        ):
            break
        if low in (",", "and", "&", *_OTHERS) and not names:
            break
        names += text if low == "," else f" {'al.' if low == 'al' else text}"
        end += 1
        if capital or low in _OTHERS:
            found.append((names.strip(), end))
    yield from reversed(found)


@called("authors")
@rule
def authors(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "Kay and Lee", "van den Berg", "Kay et al." as authors of something, each of them."""
    if words.low(at) not in ("the", "of", "for", "et"):
        for names, end in _people(words, at):
            yield tuple(Condition("author", name=Name(one, "label")) for one in split_people(names)), end


@rule
def venue(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "in Nature", "in the journal Ice and Snow", the longest name first."""
    if words.low(at) not in ("in", "from"):
        return
    start = words.skip(at + 1, "the")
    journal = end = start + (words.text(start) in ("journal", "periodical", "magazine"))
    names: list[Read[tuple[Condition, ...]]] = []
    while end < journal + LABEL_WORDS and not words.mark(end):
        capital = words.text(end)[:1].isupper()
        if not capital and (end == journal or words.low(end) not in _SMALL):
            break
        end += 1
        if capital and (journal > start or not words.of("roles", journal)):
            name = " ".join(word.text for word in words.words[journal:end])
            names.append(((Condition("venue", name=Name(name)),), end))
    yield from reversed(names)
