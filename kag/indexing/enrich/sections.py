"""Rhetorical types of sections, read off their titles.

A title says what its section does only when the whole of it is a known phrase ("Materials and
Methods"); a known word inside another phrase ("Discussion of earlier methods") says nothing.
"""

from __future__ import annotations

import re

from rdflib import URIRef

from kag.rdf.namespaces import DEO, DOCO, RDF
from kag.rdf.workspace import Workspace
from kag.text.section_titles import UNSPACED, bare, phrases_of_types

_VOCABULARIES = {"doco": DOCO, "deo": DEO}
_TYPES: dict[str, tuple[URIRef, ...]] = {}
for _name, _phrases in phrases_of_types().items():
    _prefix, _, _local = _name.partition(":")
    for _phrase in _phrases:
        _TYPES[_phrase] = (*_TYPES.get(_phrase, ()), _VOCABULARIES[_prefix][_local])
_FILLERS = frozenset(
    {
        "summary",
        "statistic",
        "technique",
        "implementation",
        "limitation",
        "implication",
        "ethic",
        "note",
        "recommendation",
        "application",
        "statistical analysis",
        "analysis",
        "experiment",
        "declaration",
    }
)

_NUMBER = re.compile(
    rf"(?:\d{{1,3}}(?:\.\d{{1,3}})*|[一二三四五六七八九十]{{1,3}}[、.])\s*(?={UNSPACED})"
    r"|(?:(?:section|chapter|part)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}|[a-h])\s*[.):]\s*|\d{1,3}(?:\.\d{1,3})*\s+"
)
_APPENDIX = re.compile(
    r"(?:appendix|annexe?|appendices|anhang)(?:\s+(?:[a-z]|\d{1,2}|[ivx]{1,5}))?(?:\s*[.:\-–—]\s*.*)?"
)
_LIST_OF_PART = re.compile(
    r"references?\s+(?:(?:cited|used|mentioned)\s+)?(?:for|in|of|to)\s+(?:the\s+)?(?P<of>.+)|(?P<part>.+?)(?:\s*[:–—-])?\s+references"
)
_SPACED = re.compile(r"(?:\b\w ){3,}\w\b")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_JOINT = re.compile(r"\s*(?:/|,|;|&|\b(?:and|und|et|y)\b)\s*")
_WORD = re.compile(r"[^\W_]+")
_SPELLINGS = {"acknowledgement": "acknowledgment", "supplemental": "supplementary", "modelling": "modeling"}


def title_types(title: str) -> tuple[URIRef, ...]:
    """Types of the section under a title, sorted; none when the title says nothing about it.

    >>> [str(t).rpartition("/")[2] for t in title_types("2. MATERIALS AND METHODS")]
    ['Materials', 'Methods']
    """
    text = _normal(title)
    whole = _TYPES_BY_KEY.get(_key(text))
    if whole:
        return tuple(sorted(whole))
    if _APPENDIX.fullmatch(text):
        return (DOCO.Appendix,)
    listed = _LIST_OF_PART.fullmatch(text)
    if listed and title_types(listed["of"] or listed["part"]):
        return (DOCO.Bibliography,)
    return _joint_types(_JOINT.split(text)) or (_joint_types(text.split("and")) if " " not in text else ())


def is_reference_heading(title: str) -> bool:
    """True for the title of a list of references."""
    return DOCO.Bibliography in title_types(title)


def apply(workspace: Workspace) -> int:
    """Type the sections by their titles; returns the number of types added."""
    return sum(
        workspace.add(section, RDF.type, kind)
        for section in workspace.of_type(DOCO.Section)
        for kind in title_types(workspace.title_of(section))
    )


def _joint_types(parts: list[str]) -> tuple[URIRef, ...]:
    """Types of a title joined from known phrases; none when any part is unknown or all are fillers."""
    keys = [_key(part) for part in parts]
    known = [_TYPES_BY_KEY.get(key) for key in keys]
    if not all(types or key in _FILLERS for types, key in zip(known, keys, strict=True)):
        return ()
    return tuple(sorted({kind for types in known if types for kind in types}))


def _normal(title: str) -> str:
    """The title folded to lower case, without number, letter spacing, closing parenthesis and accents."""
    text = bare(title).strip()
    text = _SPACED.sub(lambda found: found.group().replace(" ", ""), text)
    text = text.replace("’", "'").replace("'s", "").replace("s'", "s")
    number = _NUMBER.match(text)
    if number and number.end() < len(text):
        text = text[number.end() :]
    return _PARENTHESIS.sub("", text).strip(" .:;–—-*#_")


def _key(text: str) -> str:
    """Words in the singular and one spelling, so that variants of a phrase are equal."""
    return " ".join(_SPELLINGS.get(word, word) for word in map(_singular, _WORD.findall(text)))


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_TYPES_BY_KEY = {_key(phrase): types for phrase, types in _TYPES.items()}
# letter-spaced titles lose the blanks between their words as well
_TYPES_BY_KEY |= {key.replace(" ", ""): types for key, types in _TYPES_BY_KEY.items()}
