"""How questions name things: by number, label, title, role, identifier, or by words of what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.questions.lexicon import lexicon
from kag.questions.links import Thing, named
from kag.questions.wish import AnyOf, Condition, Kind, Name, Wish
from kag.questions.words import Read, Words, rule

TOPIC = 16  # words of a subject
NAMES = 10  # words of the names in a label
_JOINTS = (",", "and", "&", "or")
_NUMBERS = {
    "figure": re.compile(r"#?(?:(?:S|[A-H]\.?)?\d{1,3}(?:\.\d{1,3})*[A-Za-z]?|[IVXL]{1,6}|[A-H])"),
    "section": re.compile(r"§?\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}|[A-H](?:\.\d{1,2})*"),
    "reference": re.compile(r"#?(?!1[5-9]\d\d|20\d\d)\d{1,4}"),
}
_FOR = {"table": "figure", "formula": "figure", "subsection": "section"}
_RANGE = re.compile(r"(?P<low>\d{1,4})[-–—](?P<high>\d{1,4})")
_NTH = re.compile(r"(\d{1,4})(?:st|nd|rd|th)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.?", re.I)
_PARTICLES = frozenset("de la van von der den del du da dos das di le el ten ter af al zu zur et of for the".split())
_ELSE = {"scheme": "Scheme", "chart": "Chart", "plate": "Plate", "box": "Box", "algorithm": "Algorithm"}
_CALLED = (
    ("titled",), ("entitled",), ("called",), ("named",), ("headed",), ("with", "the", "title"), ("of", "the", "title"),
    ("of", "type"), ("of", "the", "type"), ("under", "the", "heading"),
)  # fmt: skip
_ABOUT = (
    ("on",), ("about",), ("concerning",), ("describing",), ("introducing",), ("dealing", "with"), ("covering",),
    ("that", "describes"), ("that", "describe"), ("that", "introduced"), ("that", "introduces"), 
    ("that", "reports"), ("that", "deals", "with"), ("that", "reported"), ("reporting",), ("which", "describes"),
    ("showing",), ("that", "shows"), ("depicting",), ("comparing",), ("listing",), ("giving",),
)  # fmt: skip
_STOP = frozenset(
    "is are was were be been does do did has have had cite cites cited citing that which who what where when only not never "
    "neither nor without besides except more fewer once twice both either other others ? . ; :".split()
)


@rule
def numbered(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "Figure S1 and 2", "sections 2.1 to 2.3", "reference 7", "refs 3-5", "[7]", "the 12th reference"."""
    if words.mark(at) == "bracket":
        for one in _bracketed(words.text(at)):
            yield Thing(Wish("reference", one)), at + 1
    match = _NTH.fullmatch(words.low(at))
    if match:
        yield from ((Thing(named("reference", match[1], "number")), end) for kind, end in words.of("kinds", at + 1)
                    if kind in ("reference", "work"))  # fmt: skip
    for kind, end in [*words.of("kinds", at), *words.of("list", at)]:
        singular: Kind = "reference" if kind in ("work", "paper", "reference") else kind if kind != "subsection" else "section"  # type: ignore[assignment]
        start = words.skip(end, "no", "number", "numbered", "nr", "#", "(", "§", "item", "entry", "nos", "numbers")
        if kind == "paper" or (words.low(at) in ("part", "parts", "place", "places", "citations")):
            continue
        if words.mark(start) == "bracket" and singular == "reference":
            yield from ((Thing(Wish(singular, one)), start + 1) for one in _bracketed(words.text(start)))
        for where, last in _list_of_numbers(words, start, _FOR.get(singular, singular)):
            where = _floats(where, words.low(at))
            yield Thing(Wish(singular, where)), words.skip(last, ")")
    if words.low(at) == "§":
        for where, last in _list_of_numbers(words, at + 1, "section"):
            yield Thing(Wish("section", where)), last


def _floats(where: tuple[Condition | AnyOf, ...], word: str) -> tuple[Condition | AnyOf, ...]:
    """Floats that are no figure by name keep their name in the label."""
    kind = _ELSE.get(word.removesuffix("s"))
    one = where[0]
    if kind is None or not isinstance(one, Condition) or one.name is None:
        return where
    return (Condition("is", name=Name(f"{kind} {one.name.text}", "label")),)


def _bracketed(text: str) -> Iterator[tuple[Condition | AnyOf, ...]]:
    yield _where([_number(part) for part in re.split(r"\s?,\s?", text)])


def _number(text: str) -> Condition:
    match = _RANGE.fullmatch(text.replace(" ", ""))
    if match:
        return Condition("number", low=int(match["low"]), high=int(match["high"]))
    return Condition("is", name=Name(text.lstrip("#§").rstrip("."), "number"))


def _where(found: list[Condition]) -> tuple[Condition | AnyOf, ...]:
    return (found[0],) if len(found) == 1 else (AnyOf(tuple(found)),)


def _list_of_numbers(words: Words, at: int, kind: str) -> Iterator[Read[tuple[Condition | AnyOf, ...]]]:
    """One number or several, as many as there are first."""
    pattern = _NUMBERS.get(kind)
    found: list[tuple[Condition, int]] = []
    while pattern and len(found) < NAMES:
        one = _one_number(words, at, pattern)
        if one is None:
            break
        found.append(one)
        at = words.skip(one[1], *_JOINTS)
        if at == one[1]:
            break
        at = next((end for name, end in words.of("kinds", at) if _FOR.get(name, name) == kind), at)
    for number in range(len(found), 0, -1):
        yield _where([one for one, _ in found[:number]]), found[number - 1][1]


def _one_number(words: Words, at: int, pattern: re.Pattern[str]) -> tuple[Condition, int] | None:
    text = words.text(at).rstrip(".")
    if words.mark(at) or (text == "I" and words.low(at + 1) not in ("", ")", "?")):
        return None
    if _RANGE.fullmatch(text):
        return _number(text), at + 1
    if not pattern.fullmatch(text):
        return None
    low, high = text, words.text(at + 2)
    if words.low(at + 1) in ("to", "through", "–", "-") and low.isdigit() and high.isdigit():
        return Condition("number", low=int(low), high=int(high)), at + 3
    return _number(text), at + 1


@rule
def labelled(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "Kay et al. (2009a)", "Okafor and Lind 2011", "the work cited as Kay, 2009"."""
    start = words.skip(at, "the", "a", "an")
    for kind, end in words.of("kinds", start):
        if kind in ("work", "paper", "reference"):
            end = words.skip(end, "that", "which", "is", "are", "was", "by", "of", "from")
            end = words.skip(end, "cited", "referenced", "quoted", "labelled", "labeled", "abbreviated", "as", "by")
            start = max(start, end)
    if start > at and words.mark(start) == "quote" and words.low(start - 1) == "as":
        yield Thing(named("reference", words.text(start), "label")), start + 1
    for names, end in _people(words, start):
        year = words.skip(end, ",", "(", "in", "from")
        if _YEAR.fullmatch(words.text(year)) and words.low(start) not in _months():
            text = " ".join(names)
            last = words.skip(year + 1, ")")
            yield Thing(_label(words, text, words.text(year))), last
        elif words.low(year) == "in" and words.low(year + 1) == "press":
            yield Thing(named("reference", f"{' '.join(names)} in press", "label")), year + 2
    for people, end in authors(words, start):
        if words.low(end - 1) in ("al", "colleagues", "co-workers", "coworkers", "others"):
            yield Thing(Wish("work" if words.many else "reference", people)), end


def _label(words: Words, names: str, year: str) -> Wish:
    """A label is looked up as a whole in one paper; in a library it says who wrote the work and when."""
    if not words.many:
        return named("reference", f"{names} {year}", "label")
    people = split_people(names)
    number = int(re.sub(r"\D", "", year) or 0)
    said = [Condition("author" if place else "first author", name=Name(one, "label")) for place, one in enumerate(people)]
    return Wish("work", (*said, Condition("year", low=number, high=number)))


def split_people(names: str) -> list[str]:
    """The persons of "Kay, Lee and Poe et al."."""
    bare = re.sub(r"\bet al\b\.?|\band (?:colleagues|co-?workers|others)$", "", names)
    parts = re.split(r"\s*(?:,|\band\b|&)\s*", bare)
    return [part.strip() for part in parts if len(part.strip(" .")) > 1] or [names]


def _months() -> frozenset[str]:
    return frozenset(" ".join(p) for one in lexicon().entries.values() for p, table, _ in one if table == "months")


def _people(words: Words, at: int) -> Iterator[Read[list[str]]]:
    """Words that may be names of people: capitals, particles between them, "and", "et al."; the most first."""
    found: list[tuple[list[str], int]] = []
    said: list[str] = []
    end = at
    while end < at + NAMES and not words.mark(end):
        text, low = words.text(end), words.low(end)
        if text[:1].isupper() and not text.isdigit() and (end == at or low not in ("which", "what", "how")):
            said.append(text)
            found.append((list(said), end + 1))
        elif low == "al" and words.low(end - 1) == "et":
            said.append("al.")
            found.append((list(said), end + 1))
            end = words.skip(end + 1, ".") - 1
        elif low in ("colleagues", "co-workers", "coworkers", "others") and words.low(end - 1) == "and":
            said.append(text)
            found.append((list(said), end + 1))
        elif low == "," and said:
            said[-1] += ","
        elif low in _PARTICLES or (low in ("and", "&") and said):
            said.append(text)
        else:
            break
        end += 1
    yield from reversed(found)


@rule
def authors(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "Kay and Lee", "van den Berg", "Kay et al." as authors of something, each of them."""
    if words.low(at) in ("the", "of", "for", "et"):
        return
    for names, end in _people(words, at):
        text = " ".join(names)
        if names[-1].lower() not in _PARTICLES:
            yield tuple(Condition("author", name=Name(one, "label")) for one in split_people(text)), end


@rule
def quoted(words: Words, at: int) -> Iterator[Read[Thing]]:
    """A phrase in quotation marks, a DOI, a paper by its id, a title of a section: alone, or behind what it is."""
    start = words.skip(at, "the", "an", "a")
    for kind, end in [*words.of("kinds", start), ("", start)]:
        known = kind or ""
        for phrase in (*_CALLED, ("with",), ()):
            if words.says(phrase, end):
                last = words.skip(end + len(phrase), "the", "doi", ",", "with", "id", ":")
                yield from _marked(words, last, known)
    if words.mark(start) in ("quote", "title"):
        for kind, end in words.of("kinds", start + 1):
            if kind in ("section", "subsection"):
                yield Thing(named("section", words.text(start), "title")), end


def _marked(words: Words, at: int, kind: str) -> Iterator[Read[Thing]]:
    mark, text = words.mark(at), words.text(at)
    work: Kind = "work" if words.many else "reference"
    if mark == "paper":
        yield Thing(named("paper", text, "id")), at + 1
    elif mark == "doi" and kind in ("", "work", "reference", "paper"):
        yield Thing(named(work, text, "doi")), at + 1
    elif mark == "title" and kind in ("", "section", "subsection"):
        yield Thing(named("section", text, "title")), at + 1
    elif mark == "quote":
        kinds = {"": (work, "section") if work == "work" else ("section", work), "subsection": ("section",), "paper": (work,), "work": (work,)}.get(kind, (kind,))
        for one in kinds:
            if one in ("section", "reference", "work", "figure", "table", "journal", "row", "column", "keyword"):
                way = "words" if one in ("figure", "table") or (kind and one == "reference") else "title"
                yield Thing(named(one, text, way)), at + 1  # type: ignore[arg-type]


@rule
def worded(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "the river ice section", "the description of river ice": a section by words, none of which is of the lexicon."""
    if words.low(at) != "the":
        return
    if words.low(at + 1) in ("description", "discussion", "account", "treatment") and words.low(at + 2) == "of":
        for name, end in topic(words, at + 3):
            yield Thing(Wish("section", (Condition("is", name=name),))), end
    end = at + 1
    while end < at + 8 and words.low(end) and words.low(end).isalpha() and words.low(end) not in lexicon().single:
        end += 1
    for kind, last in words.of("kinds", end) if end > at + 1 else ():
        if kind in ("section", "subsection"):
            text = " ".join(word.text for word in words.words[at + 1 : end])
            yield Thing(named("section", text, "words")), last


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


@rule
def topic(words: Words, at: int) -> Iterator[Read[Name]]:
    """Words for what something is about, fewest first; none that says how things hang together."""
    if words.mark(at) == "quote":
        yield Name(words.text(at), "words"), at + 1
    start = words.skip(at, "the", "a", "an")
    if any(words.of(table, start) for table in ("numbers", "bounds", "amounts", "negations", "behind")):
        return
    for end in range(at + 1, min(at + TOPIC, len(words.words)) + 1):
        word = words.words[end - 1]
        if word.mark or word.low in _STOP or _is_number(words, end - 1) or (word.low == "," and end == at + 1):
            return
        if end > start and word.low not in ("the", "a", "of", "in", "on", "and", "for", ",", "with", "to", "(", "by", "from"):
            text = " ".join(one.text for one in words.words[start:end]).replace(" ,", ",")
            yield Name(text, "words"), end


def _is_number(words: Words, at: int) -> bool:
    """Whether "reference 7" or the like stands here."""
    return any(end > at + 1 for _, end in numbered(words, at))


@rule
def about(words: Words, at: int) -> Iterator[Read[Condition]]:
    """ "on river ice", "about frozen gauges", "titled ..." behind a kind."""
    for phrase in (*_ABOUT, *_CALLED):
        if words.says(phrase, at):
            for name, end in topic(words, at + len(phrase)):
                yield Condition("is", name=name), end
