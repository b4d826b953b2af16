"""The simple filters of a question on a library: what each looks like in words, which it takes out of the text."""

from __future__ import annotations

import re

from kag.corpus.exact import terms
from kag.corpus.exact.condition import NOT_NAMES, Filter, Text, split_people
from kag.write.enrich.sections import title_types

_THING = r"(?P<thing>references?|works|sources|citations|entries|figures?|tables?|equations?|formulas?|sections?)\b"
_HAVE = (
    r"(?:that\s+|which\s+)?(?:have|has|having|with|contain(?:s|ing)?|includ(?:e|es|ing)|cit(?:e|es|ing)|lists?|list)"
)
_LACK = (
    r"(?:that\s+|which\s+)?(?:without|lack(?:s|ing)?|(?:do|does)(?:\s+not|n['’]t)\s+(?:have|contain|include)"
    r"|(?:have|has|having|with|contains?|includes?)\s+no)"
)
_CITED_BY = re.compile(
    rf"\b(?:(?:that|which)\s+)?(?:are|is|were|was)?\s*(?:cited|referenced|shared)\s+(?:by|in|among"
    rf"|between)\s+(?:the\s+)?{terms.BOUND.pattern}\s+"
    rf"(?:different\s+|distinct\s+|other\s+)?{terms.PAPERS}(?:\s+(?:in|of)\s+(?:the|this|our|my)\s+(?:corpus"
    rf"|library|collection))?",
    re.I,
)
_NONE_OF = re.compile(rf"\b{_LACK}\s+(?:any\s+|a\s+|a single\s+)?{_THING}", re.I)
_BOUNDED = re.compile(
    rf"\b{_HAVE}\s+{terms.BOUND.pattern}\s+(?:different\s+|printed\s+)?{_THING}(?:\s+or\s+(?P<later>more|fewer|less)\b)?",
    re.I,
)
_SOME = re.compile(rf"\b(?:have|has|having|with|contain(?:s|ing)?|includ(?:e|es"
    rf"|ing))\s+{_THING.replace('references?|works|sources|citations|entries|', '')}", re.I)  # fmt: skip
_ROLE_NAME = r"(?P<role>@q\d+|[a-z][a-z]*(?:\s+(?:and|of|&)?\s*[a-z]+){0,3}?)"
_SECTION = r"(?:sections?|parts?|headings?|chapters?)"
_ROLE = re.compile(
    rf"\b(?:(?P<not>{_LACK})|(?:that\s+|which\s+)?(?:have|has|having|with|contain(?:s|ing)?|includ(?:e|es"
    rf"|ing)))\s+(?:an?\s+|the\s+|any\s+|its\s+own\s+|"
    rf"(?=@))?(?:{_SECTION}\s+(?:of\s+type|of\s+the\s+type|called|titled|named|entitled|headed|on"
    rf"|typed(?:\s+as)?)\s+(?:an?\s+|the\s+)?{_ROLE_NAME}(?=\s*(?:[?.,;]|$| and\b| cite| in\b| that\b))"
    rf"|{_ROLE_NAME.replace('<role>', '<role2>')}\s+{_SECTION}\b|(?P<role3>abstracts?|appendi(?:x|ces)"
    rf"|conclusions?|introductions?|acknowledge?ments?|glossary|glossaries|discussions?)\b)",
    re.I,
)
_WITHIN = re.compile(
    rf"\b(?:in|within|inside|from)\s+(?:the\s+|their\s+|its\s+|any\s+|an?\s+)?(?P<role>@q\d+"
    rf"|[a-z]+(?:\s+(?:and\s+)?[a-z]+){{0,2}}?)\s+{_SECTION}\b"
    r"|\b(?:in|within)\s+(?:the\s+|their\s+|its\s+)?(?P<role2>abstracts?|introductions?|methods?|results"
    r"|discussions?|conclusions?|background|appendi(?:x|ces))\b",
    re.I,
)
_TYPED = re.compile(rf"\b(?P<role>[a-z]+(?:\s+and\s+[a-z]+)?)\s+(?={_SECTION}\b)", re.I)
_CAPTION = re.compile(
    r"\b(?:(?:whose|where the|with|having|in whose)\s+)?(?:an?\s+|the\s+|their\s+|its\s+)?(?:captions?"
    r"|legends?)\s+(?:that\s+)?(?:says?|mention(?:s|ing)?|contain(?:s|ing)?"
    r"|includ(?:e|es|ing)|has|have|with|names?|speaks? of|refers? to)\s+(?:the\s+(?:words?|phrase"
    r"|term)\s+)?(?P<a>@q\d+|[\w-]+(?:\s+[\w-]+){0,5})(?=\s*(?:[?.;]|$))"
    r"|\b(?:that\s+)?(?:mention(?:s|ing)?|with|contain(?:s|ing)?|includ(?:e|es|ing)|have|has|say"
    r"|says)\s+(?:the\s+(?:words?|phrase|term)\s+)?(?P<b>@q\d+|[\w-]+(?:\s+[\w-]+){0,5}?)\s+in\s+(?:the|their"
    r"|its|an?|any)\s+(?:captions?|legends?)\b"
    r"|\b(?:is|are|was|were)?\s*captioned\s+(?:with\s+)?(?P<c>@q\d+)",
    re.I,
)
_TITLED = re.compile(
    r"\b(?:whose\s+titles?|with\s+an?\s+titles?\s+that|with\s+titles\s+that)\s+(?:says?|mentions?|contains?"
    r"|includes?|has|have)\s+(?:the\s+(?:words?|phrase|term)\s+)?(?P<a>@q\d+|[\w-]+)(?=\s*(?:[?.,;]|$| and\b|"
    r" cite| are\b| were\b))"
    r"|\b(?:that\s+)?(?:mention(?:s|ing)?|with|contain(?:s|ing)?|includ(?:e|es|ing)|have|has"
    r"|having)\s+(?:the\s+(?:words?|phrase|term)\s+)?(?P<b>@q\d+|[\w-]+)\s+in\s+(?:the|their|its)\s+titles?\b",
    re.I,
)
_KEYWORD = re.compile(
    r"\b(?:have|has|having|with|list(?:s)?|us(?:e|es|ing)|give(?:s)?|contain(?:s)?)\s+(?:the\s+"
    r"|an?\s+)?keywords?\s+(?P<a>@q\d+|[\w-]+)"
    r"|\b(?:have|has|list|lists|use|uses|give|gives)\s+(?P<b>@q\d+)\s+(?:as\s+an?\s+|among\s+(?:their"
    r"|its)\s+)keywords?\b",
    re.I,
)
VENUE = re.compile(
    r"(?i:\b(?:(?:that|which)\s+)?(?:(?:was|were|is|are)\s+)?(?:published|printed|appeared|appearing"
    r"|appear)\s+in|\bin\s+(?=(?i:the\s+)?(?i:journal)\b)|\bfrom\s+(?=(?i:the\s+)?(?i:journal)\b))\s+"
    r"(?:(?i:the)\s+)?(?:(?i:journal)\s+)?(?P<a>@q\d+|(?!(?i:the|a|an|this|our|which"
    r"|what)\b)[A-Z][\w&.'’-]*(?:\s+(?:of|the|and|in|for|on|&|[A-Z][\w&.'’-]*))*)"
)  # fmt: skip
_OF_PAPER = rf"(?:the\s+)?(?:{terms.PAPERS}\s+)?(?:(?:called|titled|entitled|named|with the (?:title|id))\s+)?"
_PAPER = re.compile(
    r"(?<![\w@])(?:(?:both|in|of|from|within|by|does|do|did|has|have|for|and|between|is|are|shared by|cited by|cited"
    r" in|to)\s+)"
    rf"{{0,3}}{_OF_PAPER}(?<!\w)(?P<a>@p\d+)(?:['’]s?)?"
    rf"|\b(?:in|of|from|within|does|do|did|has|for|by)\s+{_OF_PAPER}(?P<b>@q\d+)(?:['’]s?)?",
    re.I,
)
_WROTE = "(?i:write|written|wrote|author|authored|co-?author(?:ed)?|publish(?:ed)?)"
_AUTHOR = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:\b(?:(?:that|which|who)\s+)?(?:(?:was|were|is|are|has|have|been)\s+)*(?P<first>first[-"
        rf" ])?(?:(?:co-?)?(?:written|authored|published)\s+)?by)\s+(?:(?i:the authors?)\s+)?{terms.PEOPLE}",
        rf"(?i:\b(?:did|does|do|has|have))\s+{terms.PEOPLE}\s+(?:(?i:ever)\s+)?{_WROTE}\b",
        rf"(?i:\b(?:with|having|list|lists|name|names|have|has))\s+{terms.PEOPLE}\s+(?i:as (?:an?|one of"
        rf" (?:the|its|their)) (?:co-?)?authors?|among (?:the|its|their) authors)\b",
        rf"(?i:\b(?:whose|where the) authors? (?:include|includes|are|is))\s+{terms.PEOPLE}",
        rf"{terms.PEOPLE}['’]s?\s+(?={terms.PAPERS}\b)",
    )
)


def times(text: Text) -> list[Filter] | None:
    match = text.take(terms.WHEN)
    return [Filter("year", "", *terms.years(match))] if match else []


def numbers(text: Text) -> list[Filter] | None:
    found: list[Filter] = []
    while match := text.take(_CITED_BY):
        found.append(Filter("having", "citing", *terms.bounds(match)))
    while match := text.take(_NONE_OF):
        found.append(Filter("having", _thing(match), 0, 0))
    while match := text.take(_BOUNDED):
        some = match["none"] and match["none"].lower() == "any"
        low, high = (1, terms.LATEST) if some else terms.bounds(match)
        later = (match["later"] or "").lower()
        low, high = (low, terms.LATEST) if later == "more" else (0, high) if later else (low, high)
        found.append(Filter("having", _thing(match), low, high))
    while match := text.take(_SOME):
        found.append(Filter("having", _thing(match), 1, terms.LATEST))
    return found


def _thing(match: re.Match[str]) -> str:
    named = terms.TARGET.search(match["thing"])
    return (named.lastgroup or "") if named else ""


def captions(text: Text) -> list[Filter] | None:
    return [Filter("caption", _said(match))] if (match := text.take(_CAPTION)) else []


def titles(text: Text) -> list[Filter] | None:
    found = [Filter("title", _said(match))] if (match := text.take(_TITLED)) else []
    return found + ([Filter("keyword", _said(match))] if (match := text.take(_KEYWORD)) else [])


def _said(match: re.Match[str]) -> str:
    return next(words for words in match.groups() if words)


def roles(text: Text) -> list[Filter] | None:
    found: list[Filter] = []
    for pattern in (_ROLE, _WITHIN, _TYPED):
        match = pattern.search(text.rest)
        role = (
            next((words for name, words in match.groupdict().items() if name != "not" and words), "") if match else ""
        )
        if match and (role.startswith("@") or title_types(role)):
            text.cut(match.start(), match.end())
            found.append(Filter("role", role, negated=bool(match.groupdict().get("not"))))
    return found


def papers(text: Text) -> list[Filter] | None:
    found: list[Filter] = []
    while match := text.take(_PAPER):
        found.append(Filter("paper", _said(match)))
    return found


def venues(text: Text) -> list[Filter] | None:
    match = text.take(VENUE)
    return [Filter("venue", match["a"])] if match else []


def people(text: Text) -> list[Filter] | None:
    for pattern in _AUTHOR:
        match = pattern.search(text.rest)
        if match and match["who"].split()[0] not in NOT_NAMES:
            text.cut(match.start(), match.end())
            first = bool(match.groupdict().get("first"))
            return [Filter("author", name, low=first) for name in split_people(match["who"])]
    return []
