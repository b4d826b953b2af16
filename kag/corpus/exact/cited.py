"""What a question says is cited: works by title, DOI, author and year, journal; one, several, either, none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.corpus.exact import terms
from kag.corpus.exact.condition import NOT_NAMES, Filter, Text, split_people
from kag.corpus.exact.filters import VENUE, papers, people, times, venues

VERBS = 6  # of citing, that a question may have
_ANY = r"(?i:(?:(?:any|some|an?|the|at least one|one|several|other)\s+)*)"
_WORK = rf"(?i:{terms.WORKS}|anything|something)"
_NAMED = re.compile(
    rf"(?i:the\s+|an?\s+)?(?:{_WORK}\s+)?(?i:(?:called|titled|entitled|named|with the title|with (?:the )?doi"
    rf"|doi)\s+)?(?P<mark>@[qdp]\d+)"
)
_LABEL = re.compile(
    rf"(?i:the\s+)?(?:{_WORK}\s+)?(?i:by\s+)?{terms.PEOPLE}(?:['’]s)?,?\s*(?i:(?:from|in"
    rf"|of)\s+)?[(\[]?(?P<year>{terms.YEAR})(?P<letter>[a-z])?[)\]]?(?:\s+{_WORK})?(?![\w-])"
)
_BY = re.compile(
    rf"{_ANY}(?:{_WORK}\s+)?(?i:(?:that|which)\s+(?:was|were|is|are)\s+)?(?i:(?P<first>first[-"
    rf" ])?(?:co-?)?(?:written|authored|published)\s+)?(?i:by|of|from)\s+{terms.PEOPLE}"
)
_DATED = re.compile(rf"{_ANY}{_WORK}\s+(?={terms.WHEN.pattern})".replace("?P<", "?P<x_"), re.I)
_INVENUE = re.compile(
    rf"{_ANY}{_WORK}\s+(?=(?i:published|printed|that appeared|which appeared|from the journal|in the journal))"
)
_JOINT = re.compile(
    r"\s*(?:,\s*(?:and\s+|or\s+)?|(?:and|or|as well as|together with|along with|but"
    r" not)\s+)(?:also\s+)?(?:cites?\s+)?",
    re.I,
)
_CITING = re.compile(
    r"\b(?:(?:that|which|who)\s+)?(?P<not>(?:(?:do|does|did)\s*(?:not|n['’]t)|don['’]t|doesn['’]t|never"
    r"|without)\s+)?(?:both\s+|ever\s+|also\s+)?"
    r"(?:cit(?:e|es|ed|ing)|(?<=that )references?|(?<=which )references?"
    r"|refer(?:s|red|ring)?\s+to|reference[sd]?(?=\s+(?:@|any\s|an?\s|the\s|some\s"
    r"|both\s))|referencing|draws?\s+on|rel(?:y|ies)\s+on|lists?(?=\s+@))\s+(?:both\s+|either\s+)?",
    re.I,
)
_PASSIVE = (
    re.compile(
        r"\b(?:is|are|was|were|has|have|been)\s+(?P<obj>[^?]{3,400}?)\s+(?:been\s+)?(?:cited|referenced"
        r"|quoted)\b(?:\s+(?:by|in)\b)?",
        re.I,
    ),
    re.compile(
        r"\b(?:in which|where|that|by which)\s+(?P<obj>[^?]{3,400}?)\s+(?:is|are|was|were|gets?)\s+(?:cited"
        r"|referenced|quoted)\b",
        re.I,
    ),
    re.compile(
        r"^\s*(?P<obj>[^?]{3,400}?)\s+(?:is|are|was|were)\s+(?:cited|referenced|quoted)\s+(?:by"
        r"|in)\s+(?=which|how many|what)",
        re.I,
    ),
    re.compile(
        r"\b(?:have|has|list|lists|with|having|include|includes)\s+(?P<obj>@[qdp]\d+|[^?@]{3,300}?)\s+(?:in"
        r"|among)\s+(?:their|its|the)\s+(?:reference lists?|bibliograph(?:y|ies)|references|lists? of references)\b",
        re.I,
    ),
    re.compile(
        r"\bwhose\s+(?:reference lists?|bibliograph(?:y|ies)|references)\s+(?:contains?|includes?|lists?"
        r"|names?|has|have)\s+(?P<obj>[^?]{3,400}?)(?=\s*(?:[?.]|$))",
        re.I,
    ),
)
_TOGETHER = re.compile(
    r"\b(?:most\s+)?(?:often\s+|frequently\s+|commonly\s+)?(?:co-?cited|cited\s+(?:together|alongside|along"
    r"|jointly|in the same papers?))\s+(?:with|as|and)?\s*", re.I)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Objects:
    """Works named one after the other: each with its filters; `end` is where they end in the text."""

    works: tuple[tuple[Filter, ...], ...]
    end: int
    either: bool = False
    without: int = -1


def companions(text: Text) -> list[Filter] | None:
    match = _TOGETHER.search(text.rest)
    if not match:
        return []
    objects = _objects(text.rest, match.end()) or _phrase(text.rest, match.end())
    if objects is None:
        return None
    text.cut(match.start(), objects.end)
    return [Filter("with", inside=(one,)) for one in objects.works]


def cites(text: Text) -> list[Filter] | None:
    found: list[Filter] = []
    start = 0
    for _ in range(VERBS):
        match = _CITING.search(text.rest, start)
        if match is None:
            break
        objects = _objects(text.rest, match.end())
        if objects is None and not _says_more(text.rest[match.end() :]):
            if match["not"]:
                return None
            start = match.end() - 1
            continue
        objects = objects or _phrase(text.rest, match.end())
        if objects is None:
            return None
        text.cut(match.start(), objects.end)
        found += _as_filters(objects, negated=bool(match["not"]))
    return found


def _says_more(rest: str) -> bool:
    """Whether words that are no glue, and no other filter's, follow a verb of citing."""
    text = Text(rest)
    for read in (papers, people, venues, times):
        read(text)
    text.take(terms.TARGET)
    return not text.is_spent()


def _as_filters(objects: _Objects, *, negated: bool = False) -> list[Filter]:
    if objects.either and not negated:
        return [Filter("cites", inside=objects.works, either=True)]
    return [
        Filter("cites", inside=(one,), negated=negated or 0 <= objects.without <= number)
        for number, one in enumerate(objects.works)
    ]


def passive(text: Text) -> list[Filter] | None:
    for pattern in _PASSIVE:
        match = pattern.search(text.rest)
        if not match:
            continue
        said = match["obj"]
        objects = _objects(f"{said} ", 0)
        whole = objects is not None and not said[objects.end :].strip()
        if not whole and not _says_more(said):
            continue
        objects = objects if whole else _phrase(said, 0)
        if objects is None:
            return None
        text.cut(match.start(), match.end())
        return _as_filters(objects)
    return []


def _phrase(text: str, start: int) -> _Objects | None:
    """All that follows, as the title or the author of a work."""
    words = text[start:].strip(" ?.!;:")
    words = re.sub(rf"^(?:the\s+)?(?:{terms.WORKS}\s+)?(?:called|titled|entitled|named)\s+", "", words, flags=re.I)
    return (
        None if "@" in words or not re.search(r"\w{2}", words) else _Objects(((Filter("phrase", words),),), len(text))
    )


def _objects(text: str, start: int) -> _Objects | None:
    """The works named from `start` on; None when what stands there is no name of one."""
    works: list[tuple[Filter, ...]] = []
    end, either, without, after = start, False, -1, start
    while item := _item(text, after):
        works.append(item[0])
        end = item[1]
        joint = _JOINT.match(text, end)
        if not joint:
            break
        after = joint.end()
        either = either or "or" in joint[0].lower().split()
        without = len(works) if "not" in joint[0].lower() and without < 0 else without
    return _Objects(tuple(works), end, either, without) if works else None


def _item(text: str, start: int) -> tuple[tuple[Filter, ...], int] | None:
    """One work or kind of work as filters, and where its words end."""
    if match := _NAMED.match(text, start):
        return (Filter("mark", match["mark"]),), match.end()
    if (match := _LABEL.match(text, start)) and match["who"].split()[0] not in NOT_NAMES:
        people = split_people(match["who"])
        named = [Filter("author", name, low=number == 0) for number, name in enumerate(people)]
        return (*named, Filter("year", "", int(match["year"]), int(match["year"]))), match.end()
    if (match := _BY.match(text, start)) and match["who"].split()[0] not in NOT_NAMES:
        named = [Filter("author", name, low=bool(match["first"])) for name in split_people(match["who"])]
        when = re.compile(rf"\s*{terms.WHEN.pattern}", re.I).match(text, match.end())
        dated = (Filter("year", "", *terms.years(when)),) if when else ()
        return (*named, *dated), (when or match).end()
    if match := _DATED.match(text, start):
        when = terms.WHEN.match(text, match.end())
        return ((Filter("year", "", *terms.years(when)),), when.end()) if when else None
    if match := _INVENUE.match(text, start):
        venue = VENUE.search(text, match.end())
        return ((Filter("venue", venue["a"]),), venue.end()) if venue else None
    return None
