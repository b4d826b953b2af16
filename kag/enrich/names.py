"""Person names at the start of a reference: who wrote it, and where the names end.

A list keeps one style of name throughout ("Boul PJ, Lehn J", "Boul, P. J., & Lehn, J.", "P. J. Boul
and J. Lehn", ...). So each style is read as far as it goes, and the one that reads most names wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

UPPER = "".join(char for char in map(chr, range(0x41, 0x530)) if char.isupper())
_LOWER = "".join(char for char in map(chr, range(0x61, 0x530)) if char.islower())
_UP = f"[{UPPER}]"
_LETTER = r"[^\W\d_]"
_PARTICLE = (
    r"(?:[Vv]an|[Vv]on|[Dd]er?|[Dd]en|[Dd]e[lns]?|[Dd]ella|[Dd][aiou]|[Dd]os|[Ll][ae]s?|[Tt]e[nr]|[Zz]ur?|[Ee]l|[Aa]l"
    r"|ibn|bin|a[fv]|'t|y|[Ss]t\.?)"
)
_WORD = rf"(?:[a-zA-Z]{{1,4}}[-'’`]?)?{_UP}(?:{_LETTER}|['’`](?={_LETTER})|[-‐‑](?={_LETTER}))*"
_BEFORE = rf"(?:(?:{_PARTICLE}\s|d['’]\s?){{1,3}})?"
_FAMILY = rf"(?P<family>{_BEFORE}{_WORD}(?:\s{_BEFORE}{_WORD}){{0,2}}?)"
_SUFFIX = r"(?:,?\s(?:Jr|Sr|II|III|IV|2nd|3rd)\b\.?)?"
_DOTTED = (
    rf"{_UP}(?:{_LETTER}{{1,2}})?\.(?:[\s.\-‐–]{{0,4}}(?:{_UP}|\b[a-z])\.){{0,4}}(?:[\s-]{{0,2}}\.{{1,3}}(?=,|\s|$))?"
)
_END = r"(?=\s*(?:[,.;:(\[“\"&…]|and\b|et\b|und\b|y\b|with\b|on behalf|for the|$|\d))"
_END_OR_TITLE = rf"(?:{_END}|(?=\s{_UP}{_LETTER}))"  # behind a point no other mark is needed: "Lee, S. Title"

_STYLES: dict[str, re.Pattern[str]] = {
    "inverted": re.compile(rf"{_FAMILY},\s?(?P<given>{_DOTTED}){_SUFFIX}{_END_OR_TITLE}"),
    "vancouver": re.compile(rf"{_FAMILY}\s(?P<given>{_UP}(?:-?{_UP}){{0,3}}){_SUFFIX}{_END}"),
    "spaced": re.compile(rf"{_FAMILY}\s(?P<given>{_DOTTED}){_SUFFIX}{_END_OR_TITLE}"),
    "direct": re.compile(rf"(?P<given>{_DOTTED})\s?{_FAMILY}{_SUFFIX}{_END}(?!\.\s?(?:{_UP}\w*\.|,))"),
    "inverted bare": re.compile(rf"{_FAMILY},\s?(?P<given>{_UP}(?:[\s-]?{_UP}){{0,2}}){_SUFFIX}{_END}"),
    "inverted full": re.compile(
        rf"(?P<family>{_BEFORE}{_WORD}),\s(?P<given>{_UP}[{_LOWER}]+(?:[-\s]{_UP}[{_LOWER}]+)?(?:\s{_UP}\.?){{0,3}}){_END}"
    ),
    "glued": re.compile(
        rf"(?P<family>{_BEFORE}{_UP}{_LETTER}+(?:[-'’]{_LETTER}+)*[{_LOWER}])(?P<given>{_UP}{{1,4}}){_SUFFIX}{_END}"
    ),
    "direct bare": re.compile(rf"(?P<given>{_UP}(?:-?{_UP}){{0,2}})\s{_FAMILY}{_SUFFIX}{_END}"),
    "full": re.compile(rf"(?P<given>{_UP}[{_LOWER}]+(?:-{_UP}[{_LOWER}]+)?(?:\s{_UP}\.?){{0,2}})\s{_FAMILY}{_END}"),
}  # fmt: skip
# Styles that other words look like too: read only when no other style fits, and never for one name alone.
_DOUBTFUL = frozenset({"inverted full", "inverted bare", "direct bare", "full"})
_LATER = {"inverted": "direct", "inverted full": "full"}  # only the first name of the list is inverted
_CLOSERS = frozenset((".", ":", "(", " "))
_ITEM = re.compile(r"(?P<family>[^,.;:()\d&]{2,80})(?=[,.;:]|\s\()")

_SEPARATOR = re.compile(
    r"\s*(?:,\s*&?\s*…\s*|,\s*\.\.\.\s*|,\s*(?:and|&|und|et)(?!\s+al)\s*|;\s*(?:(?:and|&)\s+)?|,\s+|,(?=\S)"
    r"|\s(?:and|&|und|et|y)(?!\s+al)\s+|\s?&\s?(?:…\s*)?|&\s*…\s*)"
)
_OTHERS = re.compile(r"[\s,;&]*(?:and\s+)?(?:\(?et\.?\s+al\b\.?\)?|and others\b|others\b|\bet\s+coll\b\.?|…)[.,]*")
_EDITORS = re.compile(r"[\s,]*\(?\b[Ee]d(?:itor)?s?\b\.?\)?[.,]?")
_ORGANISATION = re.compile(
    r"\b(?:consortium|collaborat\w+|group|committee|council|society|association|organi[sz]ation|project|institut\w+|network"
    r"|team|agency|department|ministry|office|commission|programme?|cent(?:er|re)|foundation|investigators|federation"
    r"|university|bureau|academy|union|board|service|registry|authority|conference|laborator(?:y|ies)|company|corporation)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Name:
    """One author; `given` is empty for a group."""

    family: str
    given: str = ""

    def __str__(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family


@dataclass(frozen=True, slots=True)
class Names:
    """The authors read from the start of a text; `end` is the place behind them, `more` says "et al."."""

    people: tuple[Name, ...]
    end: int
    style: str = ""
    more: bool = False


NOBODY = Names((), 0)


def read_names(text: str) -> Names:
    """The list of person names `text` starts with; `NOBODY` when it does not start with one.

    >>> [str(name) for name in read_names("Coffelt SB, de Visser KE. Title.").people]
    ['Coffelt, SB', 'de Visser, KE']
    """
    best = NOBODY
    for style, pattern in _STYLES.items():
        names = _read_style(text, style, pattern)
        if style in _DOUBTFUL and (len(best.people) > 0 or not _is_certain(text, names, style)):
            continue
        if len(names.people) > len(best.people):
            best = names
            if len(names.people) > 2 and (names.more or text[names.end : names.end + 1] in _CLOSERS):
                break  # a list read to its end
    return best if best.people else _group_first(text)


def is_organisation(text: str) -> bool:
    """True for words that name a body of people."""
    return bool(_ORGANISATION.search(text))


def _read_style(text: str, style: str, pattern: re.Pattern[str]) -> Names:
    people: list[Name] = []
    end = position = 0
    later = _STYLES.get(_LATER.get(style, ""), pattern)
    while found := pattern.match(text, position) or (_later_item(text, position, pattern, later) if people else None):
        people.append(Name(found["family"].strip(), _given(found.groupdict().get("given", ""))))
        end = found.end()
        separator = _SEPARATOR.match(text, end)
        if not separator:
            break
        position = separator.end()
    if not people:
        return NOBODY
    others = _OTHERS.match(text, end)
    end = others.end() if others else end
    editors = _EDITORS.match(text, end)
    return Names(tuple(people), editors.end() if editors else end, style, bool(others))


def _given(text: str) -> str:
    """Given names with blanks between dotted initials: "A.B." and "A. B. .." are "A. B."."""
    letters = re.findall(rf"-?{_LETTER}+\.?", re.sub(r"-\.?\s?\.?\s?(?=\w)", "-", text))
    return re.sub(r"\s-", "-", " ".join(letters)) if "." in text else text


def _later_item(text: str, position: int, pattern: re.Pattern[str], later: re.Pattern[str]) -> re.Match[str] | None:
    """A name behind the first one that is not in its style: "Adams, K. L., and B. Bossak", or a group."""
    return later.match(text, position) or _group_item(text, position, pattern)


def _group_item(text: str, position: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """A name in a list that is not in its style: a group, or one whose initials were lost, before another name."""
    item = _ITEM.match(text, position)
    if not item or is_organisation(item["family"]):
        return item
    separator = _SEPARATOR.match(text, item.end())
    words = len(item["family"].split())
    return item if separator and words <= 3 and pattern.match(text, separator.end()) else None


def _is_certain(text: str, names: Names, style: str) -> bool:
    """True for two names or more in a doubtful style, or one in inverted order with its year directly behind."""
    if len(names.people) > 1:
        return not is_organisation(text[: names.end])
    year_behind = re.match(r"[.,]?\s?\(?(?:1[89]|20)\d\d\b", text[names.end : names.end + 12])
    return bool(names.people and style.startswith("inverted") and year_behind)


def _group_first(text: str) -> Names:
    """A list that starts with a group: "1000 Genomes Project Consortium, Abecasis, G. R., ..."."""
    group, comma, _ = text[:200].partition(", ")
    if not comma or not is_organisation(group):
        return NOBODY
    start = len(group) + 2
    rest = next((names for style, pattern in _STYLES.items() if style not in _DOUBTFUL
                 and (names := _read_style(text[start:], style, pattern)).people), NOBODY)  # fmt: skip
    if not rest.people:
        return NOBODY
    return Names((Name(group), *rest.people), start + rest.end, rest.style, rest.more)
