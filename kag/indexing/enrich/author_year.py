"""Author-year call-outs: "(Smith et al., 2010a; Jones and Lee 2011)", "Smith et al. (2010)".

Each year in a text is compared with the references of that year: one is cited when the words before
the year end with its authors. So nothing can be linked that is not in the list.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kag.indexing.references.parser import Reference


@dataclass(frozen=True, slots=True)
class Named:
    """A call-out by name and year; `references` are positions in the list given."""

    references: tuple[int, ...]
    start: int
    end: int


_YEAR = re.compile(
    r"(?P<year>1[5-9]\d\d|20\d\d|n\.\s?d\.|in press|forthcoming)"
    r"(?P<suffix>-?[a-z](?:\s?(?:,|–|-|and|&)\s?[a-z]\b){0,9})?(?![\w–-]|\.\d)"
)
_PART_OF_WORD = re.compile(r"[\w.–-]")  # before a year; a look-behind in its pattern would slow the search
_AGAIN = re.compile(r"^(?:,?\s?pp?\.\s?[\d–-]{1,12})?\)?\s?(?:[,;]|,?\s?and|&)\s*\(?$")
_WORDS = re.compile(r"[^\W_]+(?:['’`][^\W_]+)?|&|(?<=[^\W\d_])\s?/\s?(?=[^\W\d_])")
_REACH = 160  # characters before a year in which its authors can stand
_MOST_WORDS = 24
_COMPANY = "others colleagus coworkers co-workers collaborators coauthors co-authors associates"  # folded as names are
_OTHERS = (
    ("et", "al"),
    ("et", "coll"),
    ("etal",),
    ("and", "al"),
    *(("and", *who.split("-")) for who in _COMPANY.split()),
)
_Forms = tuple[tuple[bool, tuple[str, ...]], ...]
_PARTICLES = re.compile(r"^(?:[a-z]{1,5}['’]?\s){1,3}")
_SHORT = re.compile(r"[(\[]([A-Z][\w&/-]{1,14})[)\]]")
_DATED = re.compile(
    r"(?P<names>(?:[^()]|\([A-Z][\w&/-]{1,14}\)){2,160}?)[\s.,]*"
    r"\((?:(?P<year>1[5-9]\d\d|20\d\d)|n\.\s?d\.|in press|forthcoming)-?(?P<letter>[a-z])?\)"
)
_MOST_PRINTED = 10
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i", "þ": "th", "ð": "d"})
_AFTER_ET = frozenset({"al", "coll"})  # any other "et" is French for "and"
_UNDATED = frozenset({"n.d.", "in press", "forthcoming"})


class AuthorYearIndex:
    """References by year, each with the word sequences that its authors can be cited by."""

    def __init__(self, references: Sequence[Reference], printed: Sequence[str] = ()) -> None:
        """`printed` are the words of the references, which help where no authors or no year were read."""
        # by year, and by the words that name their authors: position, suffix, and whether it is a proper form
        self._by_year: dict[str, dict[tuple[str, ...], list[tuple[int, str, bool]]]] = {}
        for position, reference in enumerate(references):
            forms, year, suffix = _forms(reference), reference.year, reference.suffix
            if printed and not (reference.year and any(name.given for name in reference.authors)):
                more, printed_year, letter = _printed_forms(printed[position])
                forms, year, suffix = forms + more, year or printed_year, suffix or letter
            named = self._by_year.setdefault(year, {}) if forms else {}
            for proper, form in forms:
                named.setdefault(form, []).append((position, suffix, proper))

    def find(self, text: str) -> list[Named]:
        """The call-outs of a text, in order."""
        found: list[Named] = []
        bound, names = 0, (0, 0)
        for year in _YEAR.finditer(text):
            if _PART_OF_WORD.match(text, max(0, year.start() - 1)) and year.start():
                continue
            again = bool(bound and _AGAIN.match(text[bound : year.start()]))  # "Smith 2009, 2010": the same authors
            if not again:
                names = (max(bound, year.start() - _REACH), year.start())
            cited = self._cited(text, names, year)
            if cited:
                found.append(Named(cited[0], year.start() if again else cited[1], year.end()))
            bound = year.end()
        return found

    def _cited(self, text: str, names: tuple[int, int], year: re.Match[str]) -> tuple[tuple[int, ...], int] | None:
        """References whose authors the words at the span `names` end with, and where those words start."""
        candidates = self._by_year.get("" if year["year"] in _UNDATED else year["year"])
        if not candidates:
            return None
        words, places = _last_words(text, *names)
        length, same = _longest_end(words, candidates)
        chosen = _by_suffix(same, year["suffix"] or "") if same else ()
        return (chosen, places[-length]) if chosen else None


def _by_suffix(same: list[tuple[int, str]], printed: str) -> tuple[int, ...]:
    """Of references with the same authors and year, the ones whose letter is printed; all letters differ."""
    letters = re.findall(r"(?<![a-z])[a-z](?![a-z])", printed)
    if len(letters) == 2 and re.search("[–-](?=.)", printed[1:]):
        letters = [chr(code) for code in range(ord(letters[0]), ord(letters[1]) + 1)]
    if letters:
        chosen = tuple(position for letter in letters for position, suffix in same if suffix == letter)
        return chosen or (tuple(position for position, _ in same) if len(same) == 1 else ())
    bare = [position for position, suffix in same if not suffix]
    if len(same) == 1:
        return (same[0][0],)
    return (bare[0],) if len(bare) == 1 else ()


def _forms(reference: Reference) -> _Forms:
    """Word sequences by which the authors can be named in a text.

    "et al." is proper for three authors or more; of two it is said by mistake, and yields to a better fit.
    """
    families = [_folded(name.family) for name in reference.authors]
    if not families or not families[0]:
        return ()
    first = families[0]
    several = len(families) > 2 or reference.more_authors
    forms = [(several, (*first, *others)) for others in _OTHERS]
    if len(families) == 1 and not several:
        forms.append((True, first))
        forms += _group_forms(reference.authors[0].family)
    if len(families) == 2 and not several:
        forms.append((True, (*first, "and", *families[1])))
    if len(families) > 2:
        forms.append((True, (*(word for family in families[:-1] for word in family), "and", *families[-1])))
        forms.append((True, (*first, *families[1], "et", "al")))
        tied = [
            (*families[0], *(word for family in families[1:count] for word in ("and", *family))) for count in (2, 3)
        ]
        forms += [(True, (*names, "et", "al")) for names in tied]  # "Pond/Reed/Sand et al."
        forms.append((True, (*first, *(word for family in families[1:] for word in ("and", *family)))))
    bare = _folded(_PARTICLES.sub("", reference.authors[0].family))
    if bare and bare != first:
        forms += [(proper, (*bare, *form[len(first) :])) for proper, form in forms if form[: len(first)] == first]
    return tuple(forms)


def _group_forms(name: str) -> list[tuple[bool, tuple[str, ...]]]:
    """Names of a body: without its short form in brackets, by that, by its initials, by both."""
    short = _SHORT.search(name)
    full = _folded(_SHORT.sub(" ", name))
    initials = "".join(word[0] for word in re.findall(r"[^\W\d_]+", _SHORT.sub(" ", name)) if word[0].isupper())
    if len(full) < 2 or len(initials) < 2:
        return []
    acronym = short[1] if short else initials
    return [(True, full), (True, _folded(acronym)), (True, (*full, *_folded(acronym)))]


def _printed_forms(text: str) -> tuple[_Forms, str, str]:
    """Return the printed forms of a reference: the words before its year, that year and its letter."""
    dated = _DATED.match(text)
    words = _folded(dated["names"]) if dated else ()
    if not dated or not 0 < len(words) <= _MOST_PRINTED:
        return (), "", ""
    first = _folded(dated["names"].partition(",")[0])
    forms = [(True, words), *((False, (*first, *others)) for others in _OTHERS if first)]
    if "," not in dated["names"]:
        forms += _group_forms(dated["names"])
    return tuple(forms), dated["year"] or "", dated["letter"] or ""


def _folded(text: str) -> tuple[str, ...]:
    """Words in lower case without accents; single letters (initials) left out."""
    return tuple(word for word, _ in _split(text) if len(word) > 1)


def _last_words(text: str, start: int, end: int) -> tuple[list[str], list[int]]:
    pairs = [(word, start + place) for word, place in _split(text[start:end]) if len(word) > 1][-_MOST_WORDS:]
    return [word for word, _ in pairs], [place for _, place in pairs]


def _split(text: str) -> list[tuple[str, int]]:
    """Words in lower case without accents and possessive s, each with its place; "Mueller" is "Müller", "Muller"."""
    words = []
    for match in _WORDS.finditer(text):
        word = match.group().removesuffix("'s").removesuffix("’s").casefold()
        if not word.isascii():
            word = unicodedata.normalize("NFKD", word.translate(_LETTERS))
        if not word.isalnum() or not word.isascii():
            word = "".join(char for char in word if char.isalnum()) or "and"
        if "e" in word:
            word = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
        words.append(("and" if word == "und" else word, match.start()))
    return [("and" if word == "et" and words[n + 1 : n + 2] and words[n + 1][0] not in _AFTER_ET else word, place)
            for n, (word, place) in enumerate(words)]  # fmt: skip


def _longest_end(
    words: list[str], named: Mapping[tuple[str, ...], Sequence[tuple[int, str, bool]]]
) -> tuple[int, list[tuple[int, str]]]:
    """Return how many of the last words form a name, and the position and suffix of each reference they name.

    A proper form goes before any other, then the longer one; 0 for none.
    """
    best: tuple[bool, int] = (False, 0)
    for length in range(1, len(words) + 1):
        fitting = named.get(tuple(words[-length:]), ())
        if fitting:
            best = max(best, (any(proper for _, _, proper in fitting), length))
    fitting = named.get(tuple(words[-best[1] :]), ()) if best[1] else ()
    return best[1], list(dict.fromkeys((position, suffix) for position, suffix, proper in fitting if proper == best[0]))
