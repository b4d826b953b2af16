"""`Words`: a question as words, with what is quoted or named whole in it as one word each; rules and forms read these.

A rule takes the words and a place and gives what it reads there with the place behind it, every way there is. Its
results are kept, so that no place is read twice by the same rule; their number is bounded, and so is the words'.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from importlib.resources import files
from typing import Any, TypeVar

from kag.qa.questions.structured_query import Query

LONGEST = 80  # words of a question that is read; a quoted phrase is one
WAYS = 24  # in which a rule is read at one place
T = TypeVar("T")
Read = tuple[T, int]
"""What is read, and the place behind it."""

_WHOLE = re.compile(
    r"\"(?P<a>[^\"]{1,400})\"|“(?P<b>[^“”]{1,400})”|«(?P<c>[^«»]{1,400})»|(?<!\w)‘(?P<d>[^‘’]{1,400})’(?!\w)"
    r"|(?<![\w'])'(?P<e>[^']{2,400})'(?!\w)|`(?P<f>[^`]{1,400})`"
    r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|\bdoi:?\s*)?\b(?P<doi>10\.\d{4,9}/[^\s\"<>?,;]*[^\s\"<>?,;.)\]])"
    r"|\[(?P<bracket>\d{1,4}(?:\s?[,–-]\s?\d{1,4})*|[^\W\d_][\w+.]{0,12}\d\d[a-z]?)\]",
    re.I,
)
_TOKEN = re.compile(
    r"n\.\s?d\.|\bal\.|'s(?!\w)|(?:[^\W\d_]\.){1,4}(?=\s[^\W\d_])|\w(?:[\w'’+]|[.\-–—](?=\w))*|[,:()#§&;/]|[.?!](?=\s|$)",
    re.I,
)
_SPLIT = (
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|could)n['’]t\b", re.I), r"\1 not"),
    (re.compile(r"\b(what|who|where|how|when|it|that)['’]s\b", re.I), r"\1 is"),
    (re.compile(r"\b(they|we|you)['’](re|ve)\b", re.I), r"\1 are"),
    (re.compile(r"\b(i|you)['’]d\b", re.I), r"\1 would"),
    (re.compile(r"\bcan(?:no|['’])t\b", re.I), "can not"),
    (re.compile(r"\(s\)"), "s"),
    (re.compile(r"(?<=\w)['’]s\b"), " 's "),
    (re.compile(r"(?<=s)['’](?=\s)"), " 's "),
    (re.compile(r"(?<=\d)\s?[—–-]+\s?figure\s+supplement\s+(?=\d)", re.I), "-s"),
    (re.compile(r"\b(figs?|eqs?|refs?|nos?|tabs?)\.", re.I), r"\1 "),
    (re.compile(r"\b(fig(?:ure)?|table|section|equation|ref(?:erence)?)-(?=\d)", re.I), r"\1 "),
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written and in lower case, and its characters in the question; `mark` is its kind if it is not a plain
    word: quote, doi, bracket, title (of a section), paper (of a library, `text` is its id)."""

    text: str
    low: str
    mark: str = ""
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Words:
    """The words of one part of a question, and what rules have read in them. `many` is whether a library is asked;
    `back` are the queries that words with the mark "back" stand for, by number."""

    words: tuple[Word, ...]
    many: bool = False
    back: tuple[Query, ...] = ()
    memo: dict[tuple[str, int], list[Any]] = field(default_factory=dict)

    def low(self, at: int) -> str:
        return self.words[at].low if 0 <= at < len(self.words) and not self.words[at].mark else ""

    def text(self, at: int) -> str:
        return self.words[at].text if 0 <= at < len(self.words) else ""

    def mark(self, at: int) -> str:
        return self.words[at].mark if 0 <= at < len(self.words) else ""

    def of(self, table: str, at: int) -> list[Read[str]]:
        """Return the longest phrase of a lexicon table that begins here."""
        return [
            (value, at + len(phrase))
            for phrase, name, value in lexicon().entries.get(self.low(at), ())
            if name == table and self.says(phrase, at)
        ]

    def is_of(self, table: str, row: str, at: int) -> bool:
        """Whether a phrase of a row of a table begins here."""
        return any(value == row for value, _ in self.of(table, at))

    def verbs(self, at: int, *forms: str) -> list[Read[Verb]]:
        """The verbs here in one of these forms, with the words that go with them; the longest first."""
        found: list[Read[Verb]] = []
        for phrase, verb in lexicon().verbs.get(self.low(at), ()):
            if verb.form in forms and self.says(phrase, at):
                end = at + len(phrase)
                found += [(verb, end + 1)] if self.low(end) in verb.behind else []
                found.append((verb, end))
        return found

    def is_plural(self, at: int) -> bool:
        """Whether the word here has the form of a plural: "figures", not "analysis"."""
        return self.low(at).endswith("s") and not self.low(at).endswith(("ss", "is", "us"))

    def says(self, phrase: tuple[str, ...], at: int) -> bool:
        return all(self.low(at + number) == word for number, word in enumerate(phrase))

    def says_later(self, word: str, at: int) -> bool:
        return any(one.low == word and not one.mark for one in self.words[at:])

    def skip(self, at: int, *words: str) -> int:
        """Return the place behind these words, as many as follow each other here."""
        while self.low(at) in words:
            at += 1
        return at


Rule = Callable[[Words, int], Iterable[Read[T]]]


def rule(read: Rule[T]) -> Callable[[Words, int], list[Read[T]]]:
    """A rule whose results are kept, without doubles."""

    @wraps(read)
    def kept(words: Words, at: int) -> list[Read[T]]:
        key = (f"{read.__module__}.{read.__name__}", at)
        if key not in words.memo:
            words.memo[key] = []
            found: list[Read[T]] = []
            for one in read(words, at):
                if one not in found:
                    found.append(one)
                if len(found) >= WAYS:
                    break
            words.memo[key] = found
        return words.memo[key]

    return kept


def quotes(question: str) -> Iterator[tuple[int, int]]:
    """The characters between quotation marks."""
    for match in _WHOLE.finditer(question):
        if match.lastgroup not in ("doi", "bracket"):
            yield match.span(match.lastgroup or 0)


def split(question: str, names: Iterable[Word] = ()) -> list[Word]:
    """The words of a question in Unicode's composed form (NFC); `names` are what is named whole in it, the longest of
    those that overlap counts. What is quoted is one word, and the name itself where a paper's name is quoted.

    >>> [word.text for word in split('Which sections cite "On ice" or [7]?')]
    ['Which', 'sections', 'cite', 'On ice', 'or', '7', '?']
    """
    known = list(names)
    papers = {(word.start, word.end): word for word in known if word.mark == "paper"}
    whole = [_whole(match, papers) for match in _WHOLE.finditer(question)]
    chosen: list[Word] = []
    for word in sorted((*whole, *known), key=lambda one: (one.start - one.end, one.start)):
        if not any(word.start < other.end and other.start < word.end for other in chosen):
            chosen.append(word)
    words: list[Word] = []
    done = 0
    for word in sorted(chosen, key=lambda one: one.start):
        words += [*_plain(question, done, word.start), word]
        done = word.end
    return [*words, *_plain(question, done, len(question))]


def _whole(match: re.Match[str], papers: Mapping[tuple[int, int], Word]) -> Word:
    """Return a quotation, a DOI or numbers in brackets as one token."""
    name = match.lastgroup or ""
    paper = papers.get(match.span(name))
    if paper:
        return replace(paper, start=match.start(), end=match.end())
    if name in ("doi", "bracket"):
        return Word(match[name], "", name, *match.span())
    return Word(match[name].strip().rstrip(".,;"), "", "quote", *match.span())


def _plain(question: str, start: int, end: int) -> Iterator[Word]:
    """The words between two places, contractions written out."""
    text, places = question[start:end], list(range(start, end))
    for pattern, form in _SPLIT:
        text, places = _written_out(pattern, form, text, places)
    for match in _TOKEN.finditer(text):
        first, last = match.span()
        yield Word(match[0], match[0].lower().rstrip(".") or ".", "", places[first], places[last - 1] + 1)


def _written_out(pattern: re.Pattern[str], form: str, text: str, places: list[int]) -> tuple[str, list[int]]:
    """Return a text with its matches replaced, and the original position of each character."""
    made, kept, done = "", list[int](), 0
    for match in pattern.finditer(text):
        new, (start, end) = match.expand(form), match.span()
        made += text[done:start] + new
        kept += places[done:start] + [places[min(start + at, end - 1)] for at in range(len(new))]
        done = end
    return made + text[done:], kept + places[done:]


SETS = {
    "BE": "is|are|was|were|can|be|may",
    "DO": "do|does|did",
    "HAVE": "has|have|had",
    "THE": "the|a|an|all|of|any|these",
    "FOR": "of|for|in|from|on|by|to",
    "ASKS": "what|which|how",
}
RULES: dict[str, Callable[[Words, int], list[Read[Any]]]] = {}
"""Rules by the name that forms call them by."""


def called(name: str) -> Callable[[Callable[[Words, int], list[Read[Any]]]], Callable[[Words, int], list[Read[Any]]]]:
    """Give a rule its name in forms."""

    def keep(read: Callable[[Words, int], list[Read[Any]]]) -> Callable[[Words, int], list[Read[Any]]]:
        RULES[name] = read
        return read

    return keep


def match_form(words: Words, at: int, form: str) -> Iterator[Read[tuple[Any, ...]]]:
    """Return every way in which a form matches here, with its value."""
    yield from _match_elements(words, at, _elements(form))


@lru_cache(maxsize=1024)
def _elements(form: str) -> tuple[str, ...]:
    return tuple(form.split())


def _match_elements(words: Words, at: int, elements: tuple[str, ...]) -> Iterator[Read[tuple[Any, ...]]]:
    if not elements:
        yield (), at
        return
    element, rest = elements[0], elements[1:]
    bare = element.rstrip("?*")
    for handed, end in _one(words, at, bare):
        again = elements if element.endswith("*") and not handed else rest
        for more, last in _match_elements(words, end, again):
            yield (*handed, *more), last
        if element.endswith("*"):
            return
    if element != bare:
        for more, last in _match_elements(words, at, rest):
            yield (*((None,) if bare[0] == "<" else ()), *more), last


def _one(words: Words, at: int, element: str) -> Iterator[Read[tuple[Any, ...]]]:
    name = element[1:-1]
    if element[0] == "{":
        table, _, value = name.partition(".")
        for found, end in words.of(table, at):
            if not value or found == value:
                yield (() if value else (found,)), end
    elif element[0] == "<" and name.partition(":")[0].split(",")[0] in FORMS:
        forms, _, meanings = name.partition(":")
        for verb, end in words.verbs(at, *forms.split(",")):
            if verb.meaning in meanings.split(","):
                yield (verb,), end
    elif element[0] == "<":
        yield from (((one,), end) for one, end in RULES[name](words, at))
    elif words.low(at) in SETS.get(element, element).split("|"):
        yield (), at + 1


Phrase = tuple[str, ...]
FORMS = ("base", "s", "past", "ed", "ing")


@dataclass(frozen=True, slots=True)
class Verb:
    """A form of a verb: `meaning` is its row of the table, `behind` the words that may follow it."""

    meaning: str
    form: str
    behind: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The phrases of the tables.

    `entries` has them by their first word, each with its table and row, longest first; `verbs` has all forms of verbs
    in the same way; `single` is every word of them but of the topics, `rows` the words by table and row.
    """

    entries: Mapping[str, tuple[tuple[Phrase, str, str], ...]]
    verbs: Mapping[str, tuple[tuple[Phrase, Verb], ...]]
    single: frozenset[str]
    rows: Mapping[tuple[str, str], frozenset[str]]

    def values(self, table: str) -> tuple[str, ...]:
        """The rows of a table, in order."""
        return tuple(row for name, row in self.rows if name == table)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The tables, read once."""
    text = files("kag.qa.questions").joinpath("lexicon.toml").read_text(encoding="utf-8")
    tables: dict[str, dict[str, str]] = tomllib.loads(text)
    irregular = {base: tuple(_listed(forms)) for base, forms in tables.pop("irregular").items()}
    verbs: dict[str, list[tuple[Phrase, Verb]]] = {}
    for meaning, row in tables.pop("verbs").items():
        for phrase, verb in _verbs(meaning, row, irregular):
            verbs.setdefault(phrase[0], []).append((phrase, verb))
    entries: dict[str, list[tuple[Phrase, str, str]]] = {}
    for name, table in tables.items():
        for value, row in table.items():
            for listed_words in _listed(row):
                for one in _numbers(listed_words) if name in ("kinds", "properties") else (listed_words,):
                    words = tuple(one.lower().split())
                    entries.setdefault(words[0], []).append((words, name, value))
    rows: dict[tuple[str, str], frozenset[str]] = {}
    for words, name, value in (entry for known in entries.values() for entry in known):
        rows[name, value] = rows.get((name, value), frozenset()) | frozenset(words)
    return Lexicon(
        {first: tuple(sorted(found, key=lambda one: -len(one[0]))) for first, found in entries.items()},
        {first: tuple(sorted(found, key=lambda one: -len(one[0]))) for first, found in verbs.items()},
        frozenset(word for known in entries.values() for words, name, _ in known if name != "topics" for word in words)
        | frozenset(word for forms in verbs.values() for words, _ in forms for word in words),
        rows,
    )


def _listed(row: str) -> list[str]:
    return [" ".join(words.split()) for words in row.split(",") if words.strip()]


def _numbers(noun: str) -> tuple[str, str]:
    """A noun in the singular and in the plural.

    >>> _numbers("bibliography entry")
    ('bibliography entry', 'bibliography entries')
    """
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun, f"{noun[:-1]}ies"
    return noun, f"{noun}s"


def _verbs(meaning: str, row: str, irregular: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[Phrase, Verb]]:
    for words in _listed(row):
        bare_form, _, behind = words.partition(" -")
        base, *rest = bare_form.split()
        for form, inflected in zip(FORMS, (base, *(irregular.get(base) or _inflected(base))), strict=True):
            yield (inflected, *rest), Verb(meaning, form, tuple(behind.split()))


def _inflected(base: str) -> tuple[str, str, str, str]:
    """The third person, the past, the participle and the -ing form of a regular verb.

    >>> _inflected("cite"), _inflected("rely")
    (('cites', 'cited', 'cited', 'citing'), ('relies', 'relied', 'relied', 'relying'))
    """
    if base.endswith("e"):
        return f"{base}s", f"{base}d", f"{base}d", f"{base[:-1]}ing"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base[:-1]}ied", f"{base}ing"
    third = f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"
    return third, f"{base}ed", f"{base}ed", f"{base}ing"
