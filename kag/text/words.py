"""The words of a text for an index: compounds whole and in parts, numbers with their units, English stems.

`TNF-α`, `TNFα` and `TNF alpha` share the words "tnf" and "alpha", the first two also "tnfalpha"; `5 mg` gives
"5", "mg" and "5mg". Every word knows the characters of the text it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from snowballstemmer import stemmer

from kag.text.search_text import SearchText, search_text


class Token(NamedTuple):
    """A word as it is indexed; `text[start:end]` of the text it was found in prints it."""

    text: str
    start: int
    end: int


_NUMBER = r"\d++(?:\.\d++)*+(?:e[+-]?\d++(?![^\W_])| x 10\^?-?\d++|\^-?\d++)?+"
_CHUNK = r"(?:\d++(?:\.\d++)*+[^\W_]*+|[^\W_]++)"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})(?![^\W_]|-[^\W\d_])(?P<percent>[ ]?%)?"
    rf"|°c|(?:{_CHUNK})(?:(?:-(?!\d)|(?<!\d)-){_CHUNK}){{0,5}}+"
)
_CHUNKS = re.compile(r"[^-]+")
_DIGITS_FIRST = re.compile(r"(\d++(?:\.\d++)*+)[^\W\d_]+")
_GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "kappa", "lambda", "sigma", "omega", "theta")
_UNIT_WORDS = """
    kg g mg ug ng pg km m cm mm um nm pm l dl ml ul nl mol mmol umol nmol pmol h hr min s ms us d k °c ev kev mev gev
    v mv kv ma w mw kw hz khz mhz ghz j kj kcal cal pa kpa mpa gpa bar n bq kbq mbq gbq ci mci uci da kda t mt ppm
    ppb gy sv db u iu wt vol rpm years year months month weeks week days day hours hour minutes
"""
_UNITS = frozenset(_UNIT_WORDS.split())
_LONGEST_STEMMED = 40


def tokens(text: str, *, stem: bool = False, wholes: bool = True) -> list[Token]:
    """The words of a text in order, in the form of `search_text`.

    With `wholes` a compound comes first as one word (its hyphens left out), then in its parts, and a number
    with a unit also as one word behind the two; without it there are only parts, so that a phrase is a run
    of neighbours. With `stem` words of letters are cut to their English stem (Snowball).

    >>> [token.text for token in tokens("TNF-α at 5 mg")]
    ['tnfalpha', 'tnf', 'alpha', 'at', '5', 'mg', '5mg']
    """
    found = search_text(text)
    place = _placer(found)
    return [
        Token(stem_of(word) if stem else word, *place(start, end)) for word, start, end in _spans(found.text, wholes)
    ]


def stems(text: str) -> list[str]:
    """Return only the words of `tokens(text, stem=True)`: faster without positions.

    >>> stems("TNF-α was measured")
    ['tnfalpha', 'tnf', 'alpha', 'was', 'measur']
    """
    return [stem_of(word) for word, _, _ in _spans(search_text(text).text, wholes=True)]


def _spans(form: str, wholes: bool) -> Iterator[tuple[str, int, int]]:
    """The words of a text that is in the form of `search_text`, and where in it they begin and end."""
    number: re.Match[str] | None = None
    for match in _TOKEN.finditer(form):
        word, (start, end) = match[0], match.span()
        if match.lastindex:
            number = match
            yield from _number(match, wholes)
            continue
        if word.isalpha() and not word.endswith(_GREEK):
            yield word, start, end
        else:
            yield from _compound(word, start, wholes)
        if number:
            if wholes and form[number.end() : start] == " " and word in _UNITS:
                yield number[0] + word, number.start(), end
            number = None


def _placer(found: SearchText) -> Callable[[int, int], tuple[int, int]]:
    """Spans of the form to spans of the source; quick where asked in order and within one run."""
    starts, origins, ends = found.starts, found.origins, found.ends
    borders = (*starts[1:], len(found.text))
    run, last = 0, len(starts) - 1

    def place(start: int, end: int) -> tuple[int, int]:
        nonlocal run
        if start < starts[run]:
            return found.span(start, end)
        while run < last and starts[run + 1] <= start:
            run += 1
        first = starts[run]
        if end <= borders[run] and borders[run] - first == ends[run] - origins[run]:
            shift = origins[run] - first
            return start + shift, end + shift
        return found.span(start, end)

    return place


def _number(match: re.Match[str], wholes: bool) -> Iterator[tuple[str, int, int]]:
    yield match["number"], match.start(), match.end("number")
    if match["percent"] and wholes:
        yield match["number"] + "%", match.start(), match.end()


def _compound(word: str, start: int, wholes: bool) -> Iterator[tuple[str, int, int]]:
    chunks = [(chunk[0], start + chunk.start()) for chunk in _CHUNKS.finditer(word)]
    if wholes and len(chunks) > 1:
        yield word.replace("-", ""), start, start + len(word)
    for chunk, at in chunks:
        cut = _cut(chunk)
        if wholes or not cut:
            yield chunk, at, at + len(chunk)
        if cut:
            yield chunk[:cut], at, at + cut
            yield chunk[cut:], at + cut, at + len(chunk)


def _cut(chunk: str) -> int:
    """Return the position at which a word splits: behind its first digits (`89zr`), before the name of a Greek letter
    (`tnfalpha`)."""
    if chunk.isalpha():
        name = next((name for name in _GREEK if chunk.endswith(name)), chunk)
        return len(chunk) - len(name)
    digits = _DIGITS_FIRST.fullmatch(chunk)
    return digits.end(1) if digits else 0


@lru_cache(maxsize=1)
def _english() -> Any:
    return stemmer("english")


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The English stem of a word in the form of `search_text`; a number or a compound is its own."""
    if len(word) < 4 or len(word) > _LONGEST_STEMMED or not (word.isalpha() and word.isascii()):
        return word
    return str(_english().stemWord(word))


_FUNCTION_WORDS = """
    a an the this that these those there here it its they their them themselves he she his her him we our us you
    your i my me mine of in on at to for from by with and or but as than then so if while into over under between
    among during about per via within without upon onto through after before since until against around along is are
    was were be been being am has have had having do does did done doing can could may might will would shall should
    must what which who whom whose when where why how much many not no nor also any some all each every both such
    more most less least other another very only just even still yet et al s t re ve ll d m vs versus pls plz please
    tell give gave up out off whether come comes came get gets got either neither across ok okay sure hi hello hey
    thanks thank btw eg ie actually exactly really basically quickly simply maybe perhaps kind sort bit lot lots
    stuff thing things something anything somebody anyone one ones want wanted need let lets like
"""
_GENERAL_WORDS = """
    study studies paper papers article articles author authors research use used uses using show shows shown report
    reported reports find finds found describe describes described given main different important type types kinds
    role example examples term name called result results purpose reason reasons way ways following mention
    mentioned discuss discussed according happen happened known based consider considered conclude concluded
    conclusion cause causes caused effect effects see seen think say says said state stated number numbers count
    total overall value values amount amounts mean means work works look know explain compare compared
"""
FUNCTION_WORDS, GENERAL_WORDS = frozenset(_FUNCTION_WORDS.split()), frozenset(_GENERAL_WORDS.split())


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """Return the topic words of a text, in order, each once, as `search_text` folds them.

    >>> content_words("How does the RNN compare vs. the CNN, pls?")
    ('rnn', 'cnn')
    """
    words = dict.fromkeys(token.text for token in tokens(text, wholes=False))
    return tuple(word for word in words if word not in FUNCTION_WORDS and word not in GENERAL_WORDS)
