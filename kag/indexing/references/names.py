"""Person names at the start of a reference: who wrote it, and where the names end.

A list keeps one style of name throughout ("Boul PJ, Lehn J", "Boul, P. J., & Lehn, J.", "P. J. Boul
and J. Lehn", ...). So each style is read as far as it goes, and the one that reads most names wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

UPPER = "".join(char for char in map(chr, range(0x41, 0x530)) if char.isupper())
LOWER = "".join(char for char in map(chr, range(0x61, 0x530)) if char.islower())
_UP = f"[{UPPER}]"
_LETTER = r"[^\W\d_]"
_PARTICLE = (
    r"(?:[Vv]an|[Vv]on|[Dd]er?|[Dd]en|[Dd]e[lns]?|[Dd]ella|[Dd][aiou]|[Dd]os|[Ll][ae]s?|[Tt]e[nr]|[Zz]ur?|[Ee]l|[Aa]l"
    r"|[Zz]um|[Tt]er|[Bb]en|ibn|bin|a[fv]|['’‘]t|y|[Ss]t\.?)"
)
_WORD = rf"(?:[a-zA-Z]{{1,4}}[-'’`]?)?{_UP}(?:{_LETTER}|['’`](?={_LETTER})|[-‐‑](?={_LETTER}))*"
_BEFORE = rf"(?:(?:{_PARTICLE}\s|d['’]\s?){{1,3}})?"
_FAMILY = rf"(?P<family>{_BEFORE}{_WORD}(?:\s{_BEFORE}{_WORD}){{0,2}}?)"
_FIRST = rf"{_UP}[{LOWER}]+(?:[-‐]{_LETTER}[{LOWER}]+)?"
_SUFFIX = r"(?:,?\s(?P<suffix>(?:Jr|Sr|II|III|IV|2nd|3rd)\b\.?))?"
_DOTTED = (
    rf"(?!(?:Vol|Nos?|Eds?|Int|Rev|Inc|Ltd|Ser)\b){_UP}(?:{_LETTER}{{1,2}})?\."
    rf"(?:[\s.\-‐–]{{0,4}}(?:{_UP}{_LETTER}?|\b[a-z])\.){{0,4}}(?:[\s-]{{0,2}}\.{{1,3}}(?=,|\s|$))?"
)
_END = r"(?=\s*(?:[,.;:(\[“\"‘'&…/]|and\b|et\b|und\b|y\b|with\b|on behalf|for the|$|\d))"
_END_OR_TITLE = rf"(?:{_END}|(?=\s{_UP}(?:{_LETTER}|\s)))"  # behind a point no other mark is needed: "Lee, S. Title"

_STYLES: dict[str, re.Pattern[str]] = {
    "inverted": re.compile(rf"{_FAMILY},\s?(?P<given>{_DOTTED}){_SUFFIX}{_END_OR_TITLE}"),
    "vancouver": re.compile(rf"{_FAMILY}\s(?P<given>{_UP}(?:[-\s]?{_UP}){{0,3}}){_SUFFIX}{_END}"),
    "spaced": re.compile(rf"{_FAMILY}\s(?P<given>{_DOTTED}){_SUFFIX}{_END_OR_TITLE}"),
    "direct": re.compile(
        rf"(?P<given>{_DOTTED})\s?(?!{_UP}\s?\.){_FAMILY}{_SUFFIX}{_END}"
        rf"(?:(?<={_UP}{_UP})|(?!\.\s?(?:{_UP}\w*\.|,)))"
    ),
    "inverted bare": re.compile(rf"{_FAMILY},\s?(?P<given>{_UP}(?:[\s-]?{_UP}){{0,2}}){_SUFFIX}{_END}"),
    "inverted full": re.compile(
        rf"(?P<family>{_BEFORE}{_WORD}),\s(?P<given>{_UP}[{LOWER}]+(?:[-\s]{_UP}[{LOWER}]+)?(?:\s{_UP}\.?){{0,3}}){_END}"
    ),
    "glued": re.compile(
        rf"(?P<family>{_BEFORE}{_UP}{_LETTER}*(?:[-'’]{_LETTER}+)*[{LOWER}])(?P<given>{_UP}{{1,4}}){_SUFFIX}{_END}"
    ),
    "direct bare": re.compile(rf"(?P<given>{_UP}(?:-?{_UP}){{0,2}})\s{_FAMILY}{_SUFFIX}{_END}"),
    "full": re.compile(
        rf"(?:(?P<given>{_FIRST}(?:\s{_FIRST}){{0,2}}(?:\s{_UP}\.?(?:\s?-?{_UP}\.)?){{1,2}})\s(?!{_UP}(?![\w'’])){_FAMILY}"
        rf"|(?P<given2>{_FIRST}(?:\s(?!{_PARTICLE}\s){_FIRST}){{0,2}}?)\s(?P<family2>{_BEFORE}(?!{_UP}(?![\w'’])){_WORD})){_SUFFIX}{_END}"
    ),
}  # fmt: skip
# Styles that other words look like too: read only when no other style fits, and never for one name alone.
_DOUBTFUL = frozenset({"inverted full", "inverted bare", "direct bare", "full"})
_LATER = {"inverted": "direct", "inverted full": "full"}  # only the first name of the list is inverted
_CLOSERS = frozenset((".", ":", "(", " "))
_ITEM = re.compile(r"(?P<family>[^,.;:()\d&'‘\"“`][^,.;:()\d&\"“]{1,80})(?=[,.;:]|\s\()")

_SEPARATOR = re.compile(
    r"\s*(?:,\s*&?\s*…\s*|,\s*\.\.\.\s*|,\s*(?:and|AND|&|und|et)(?!\s+al)\s*|;\s*(?:(?:and|&)\s+)?|,\s+|,(?=\S)"
    r"|\s(?:and|AND|&|und|et|y)(?!\s+al)\s+|\s?/\s?(?=[^\W\d_a-z])|\s[–—]\s(?=[A-Z]\.)|\s?&\s?(?:…\s*)?|&\s*…\s*)"
)
_OTHERS = re.compile(r"[\s,;&.]{0,6}(?:and\s+)?(?:\(?et\.?\s+al\b\.?\)?|and others\b|others\b|\bet\s+coll\b\.?|…)[.,]*")
_EDITORS = re.compile(r"[\s,]*\(?\b(?:[Ee]d(?:itor)?s?|Hg|Hrsg)\b\.?\)?[.,]?")
_ORGANISATION = re.compile(
    r"\b(?:consortium|collaborat\w+|group|committee|council|society|association|organi[sz]ation|project|institut\w+|network"
    r"|team|agency|department|ministry|office|commission|programme?|cent(?:er|re)s?|foundation|investigators|federation"
    r"|university|bureau|academy|union|board|service|registry|authority|conference|laborator(?:y|ies)|company|corporation)\b",
    re.IGNORECASE,
)


_DATED_SENTENCE = re.compile(rf"\.\s(?:1[89]|20)\d\d[a-z]?\.\s[{UPPER}]")  # "Hao Li. 2020. Title"
_TITLE_SENTENCE = re.compile(rf"\.\s[{UPPER}]\S*(?:\s[\w'’-]+){{0,3}}\s[{LOWER}]{{4}}")
_VOLUME = re.compile(r"\s\d{1,3}\s?(?:,\s?\w?\d|\(\d)")
_A_WORD = re.compile(r"[^\W\d_]{2}|[⺀-鿿가-힣]")
_NO_FIRST_NAME = re.compile(  # what begins with these, or has a lone letter behind a point, is no list of names
    r"^(?:The|An?|On|In|United|National|World|International|New|Northern|Southern)\b|\.\s[A-Z]\b(?!\.)|\b(?:Il|La|Le|Das|Die)\b"
)
_MARKS_BEHIND = 2  # characters that may stand behind the last name of a list
_LONGEST_BODY = 250  # characters, with the start of the title behind it
_TITLE = re.compile(rf"[{UPPER}]\S*(?:\s[\w-]+){{0,3}}\s[{LOWER}]{{4}}")  # words in lower case soon follow
_NO_BODY = re.compile(r"\d\b|[“\"]|: |,\s['‘]")
_COLLABORATION = re.compile(
    r"\s{0,3}(?P<name>[^,.:;()\d\"“]{0,60}\d?[^,.:;()\d\"“]{0,20}\b[Cc]ollab(?:oration|ration|\.)?s?)(?=\s?[,.:;(]|$)"
)
_ONE_AND_OTHERS = re.compile(
    rf"(?P<family>{_BEFORE}{_WORD}(?:[\s-]{_WORD})?)(?:,?\s(?P<given>{_UP}{{1,3}}|{_UP}[{LOWER}]))?,?\s(?=et\.?\s?al\b)"
)
_SINGLE = re.compile(  # one person alone, before a title in quotation marks or in running words
    rf"(?!(?:The|An?|On|In|Of|For|New|Journal|Annals|Acta|Nature|Science|Current|International|American|European|Advances|Clinical"
    rf"|Applied|Molecular|Physical|United|National|World|Proceedings|Handbook)\b)"
    rf"(?P<given>{_UP}(?:[{LOWER}]{{2,12}}|\.?)(?:\s{_UP}\.?)?)\s(?P<family>(?:{_PARTICLE}\s){{0,2}}{_UP}[{LOWER}]{{2,14}})(?=,\s?[\"“‘'A-Z]|\.\s[\"“‘'A-Z]|\s[\"“])"
)
_RUNNING = re.compile(rf"[\"“‘]|(?<=\s)'(?=\w)|(?:[\w-]+\s){{2}}(?:[{LOWER}]{{2,}}\s)")
_HAN = "[\u3005\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u3040-\u30ff]"
_EASTERN = re.compile(rf"{_HAN}{{1,6}}(?:\s{_HAN}{{1,3}})?(?=\s*[,，、.．;；(（·․]|\s\d{{4}}|\s等)")
_EASTERN_SEPARATOR = re.compile(r"\s*[,，、;；·․.]\s*")


@dataclass(frozen=True, slots=True)
class Name:
    """One author; `given` is empty for a group, and holds a suffix behind a comma: "G. M., Jr"."""

    family: str
    given: str = ""

    def __str__(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family


@dataclass(frozen=True, slots=True)
class Names:
    """The authors at the start of a text; `end` is the place behind them, `more` is true for "et al."."""

    people: tuple[Name, ...]
    end: int
    style: str = ""
    more: bool = False


NOBODY = Names((), 0)


def read_people(text: str) -> Names:
    """The names of a text that is known to name authors and nothing else; `NOBODY` where no style reads all of it.

    >>> [str(name) for name in read_people("Hao Li").people], read_people("World Health Organization").people
    (['Li, Hao'], ())
    """
    names = read_names(text)
    if len(text) - names.end <= _MARKS_BEHIND or is_organisation(text) or _NO_FIRST_NAME.search(text):
        return names
    others = (_read_style(text, style, pattern) for style, pattern in _STYLES.items())
    whole = [found for found in others if found.people and len(text) - found.end <= _MARKS_BEHIND]
    return max(whole, key=lambda found: len(found.people), default=names)


@lru_cache(512)  # what is labelled as names is read more than once
def read_names(text: str) -> Names:
    """The list of person names `text` starts with; `NOBODY` when it does not start with one.

    >>> [str(name) for name in read_names("Coffelt SB, de Visser KE. Title.").people]
    ['Coffelt, SB', 'de Visser, KE']
    """
    body = _COLLABORATION.match(text) if "ollab" in text else None
    if body:
        return _with_body(text, body)
    best = NOBODY
    for style, pattern in _STYLES.items():
        if style in _DOUBTFUL and len(best.people) > 1:
            continue
        names = _read_style(text, style, pattern)
        if style == "full" and _is_person_before_title(text, names) and len(names.people) >= len(best.people):
            return names
        if style in _DOUBTFUL and (not _is_certain(text, names, style) or (best.people and names.end <= best.end)):
            continue
        if best.people and style == "full" and any(_is_phrase(person.family) for person in names.people):
            continue
        if (len(names.people), names.end - 1) > (len(best.people), best.end):
            best = names
            if len(names.people) > 2 and (names.more or text[names.end : names.end + 1] in _CLOSERS):
                break  # a list read to its end
    return best if best.people else _other_names(text)  # nothing that is a list of two persons or more


def group_name(text: str) -> Names:
    """Return a corporate author: the text before a year in brackets, or an organisation's name before the title."""
    dated = re.match(r"(?P<name>[^()\"“,]{2,150}?)[\s.,]*(?=\((?:1[5-9]\d\d|20\d\d|n\.d\.))", text)
    if dated and not re.search(r"[.?!][\"”’')\]]*\s+\S|\d$", dated["name"]) and len(dated["name"].split()) < 12:
        return Names((Name(dated["name"].rstrip(" .,")),), dated.end(), "group")
    first, point, rest = text.partition(". ")
    if point and len(first) < 250 and is_organisation(first) and _A_WORD.search(rest) and not _NO_BODY.search(first):
        return Names((Name(first),), len(first), "group")
    piece, comma, title = text[:_LONGEST_BODY].partition(", ")
    if comma and is_organisation(piece) and not _NO_BODY.search(piece) and _is_named(piece) and _TITLE.match(title):
        return Names((Name(piece),), len(piece), "group")
    return NOBODY


def _with_body(text: str, body: re.Match[str]) -> Names:
    """A collaboration, and the persons that are named behind it."""
    group = Name(body["name"].strip())
    separator = re.match(r"\s?[,(:]\s?", text[body.end() :])
    start = body.end() + separator.end() if separator else body.end()
    rest = read_names(text[start:]) if separator else NOBODY
    if not rest.people:
        return Names((group,), body.end(), "group")
    closed = start + rest.end + (1 if text[start + rest.end : start + rest.end + 1] == ")" else 0)
    return Names((group, *rest.people), closed, rest.style, rest.more)


def _other_names(text: str) -> Names:
    """Names that no list of persons shows: of East Asian scripts, one family name with "et al.", a group first."""
    if found := _EASTERN.match(text):
        return _read_eastern(text, found)
    single = _SINGLE.match(text)
    if single and not is_organisation(single["family"]) and _RUNNING.search(text, single.end(), single.end() + 120):
        return Names((Name(single["family"], single["given"]),), single.end(), "full")
    one = _ONE_AND_OTHERS.match(text)
    if one:
        others = _OTHERS.match(text, one.end())
        return Names((Name(one["family"], one["given"] or ""),), others.end() if others else one.end(), "others", True)
    return _group_first(text)


def _read_eastern(text: str, found: re.Match[str] | None) -> Names:
    people: list[Name] = []
    end = 0
    while found:
        people.append(Name(found.group()))
        end = found.end()
        separator = _EASTERN_SEPARATOR.match(text, end)
        if not separator or (separator.group().strip() == "." and separator.group() != "."):
            break
        found = _EASTERN.match(text, separator.end())
    return Names(tuple(people), end, "eastern", text[end : end + 3].strip(" ,，").startswith("等"))


def is_organisation(text: str) -> bool:
    """True for words that name a body of people."""
    return bool(_ORGANISATION.search(text))


def _read_style(text: str, style: str, pattern: re.Pattern[str]) -> Names:
    people: list[Name] = []
    end = position = before = 0
    later = _STYLES.get(_LATER.get(style, ""), pattern)
    while found := pattern.match(text, position) or (_later_item(text, position, pattern, later) if people else None):
        parts = {name.rstrip("2"): part for name, part in found.groupdict().items() if part}
        given = ", ".join(filter(None, (_given(parts.get("given", "")), parts.get("suffix", "").rstrip("."))))
        people.append(Name(parts["family"].strip(), given))
        before, end = end, found.end()
        separator = _SEPARATOR.match(text, end)
        if not separator:
            break
        position = separator.end()
    if not people:
        return NOBODY
    if len(people) > 1 and _VOLUME.match(text, end):
        people.pop()  # "J. Rivers 3, 1 (2001)" is a journal
        return Names(tuple(people), before, style)
    others = _OTHERS.match(text, end)
    end = others.end() if others else end
    editors = _EDITORS.match(text, end)
    return Names(tuple(people), editors.end() if editors else end, style, bool(others))


def _given(text: str) -> str:
    """Given names with blanks between dotted initials: "A.B." and "A. B. .." are "A. B."."""
    if "." not in text:
        return text
    letters = re.findall(rf"-?{_LETTER}+\.?", re.sub(r"-\.?\s?\.?\s?(?=\w)", "-", text))
    return re.sub(r"\s-", "-", " ".join(letters))


def _later_item(text: str, position: int, pattern: re.Pattern[str], later: re.Pattern[str]) -> re.Match[str] | None:
    """A name behind the first one that is not in its style: "Adams, K. L., and B. Bossak", or a group."""
    last = _STYLES["full"] if text[max(0, position - 4) : position].endswith(("and ", "& ")) else later
    full = _STYLES["full"].match(text, position)
    behind = _SEPARATOR.match(text, full.end()) if full else None
    if full and behind and pattern.match(text, behind.end()):
        return full
    direct = _STYLES["direct"].match(text, position) if later is _STYLES["full"] else last.match(text, position)
    return direct or later.match(text, position) or _group_item(text, position, pattern)


def _group_item(text: str, position: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """A name in a list that is not in its style: a group, or one whose initials were lost, before another name."""
    item = _ITEM.match(text, position)
    if item and is_organisation(item["family"]) and _is_named(item["family"]):
        return item
    if not item:
        return None
    separator = _SEPARATOR.match(text, item.end())
    words = len(item["family"].split())
    return item if separator and words <= 3 and pattern.match(text, separator.end()) else None


def _is_person_before_title(text: str, names: Names) -> bool:
    """Whether names in full are followed by a year and a title ("Hao Li. 2020. On"), or by a title after an initial.

    "Anna B. Berg. Loads of streams" could be "Anna B." with a title of one word; the words behind it tell.
    """
    if _DATED_SENTENCE.match(text, names.end):
        return bool(names.people)
    if len(names.people) != 1 or not _TITLE_SENTENCE.match(text, names.end):
        return False
    (person,) = names.people
    return bool(re.search(rf"\s{_UP}\b", person.given)) or len(person.family) == 2


def _is_phrase(family: str) -> bool:
    """Whether words cannot be a family name after a name in another style."""
    return family.isupper() or len(re.sub(rf"(?<!\S){_PARTICLE}\s", "", family).split()) > 2


def _is_named(words: str) -> bool:
    """True for words in the way of a body's name: capitals, but for the last word and those that join."""
    return not any(word[:1].islower() and len(word) > 3 for word in words.split()[:-1])


def _is_certain(text: str, names: Names, style: str) -> bool:
    """True for two names or more in a doubtful style, or one in inverted order with its year directly behind."""
    if len(names.people) > 1:
        return not is_organisation(text[: names.end])
    if names.people and names.more:
        return True
    year_behind = re.match(r"[.,]?\s?\(?(?:1[89]|20)\d\d[a-z]?\b", text[names.end : names.end + 12])
    if names.people and style == "full" and not is_organisation(text[: names.end]):
        initial = re.search(rf"\s{_UP}\b|-{_LETTER}", names.people[0].given)
        dated = re.match(r",?\s?\(?(?:1[89]|20)\d\d[a-z]?\b", text[names.end : names.end + 12])
        return bool(dated and initial) or _is_person_before_title(text, names)
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
