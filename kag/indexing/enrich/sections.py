"""Rhetorical types of sections, read off their titles.

A title says what its section does only when the whole of it is a known phrase ("Materials and
Methods"); a known word inside another phrase ("Discussion of earlier methods") says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rdflib import URIRef

from kag.core.types import Block
from kag.rdf.namespaces import DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace
from kag.text.dates import value_of
from kag.text.plain import plain
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
    """Return the types of the section with a title, sorted; none if the title says nothing about it.

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


def type_sections(workspace: Workspace) -> int:
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


# What a paragraph is besides running text, read off how it begins: run-in headings, lists, code, theorems ---

MAX_RUN_IN = 80  # characters
_MARKED = re.compile(
    r"\s*(\*{1,3}|_{1,3}|<(?:b|i|em|strong)>)(?=[^\s*_<])([^*_<\n]{2,80})(?:\*{1,3}|_{1,3}|</\w{1,6}>)"
)
_STOP = re.compile(r"\s*[.:]?\s*[—–]\s|\s*[.:]")
_DASHED = re.compile(r"([A-Z][^.:;!?\n—–]{2,60})[.:]\s?[—–-]{1,2}\s?(?=[A-Z])")
_LABEL = re.compile(r"([A-Z][A-Za-z]+(?:[ /]\w+){0,3})(?::|\.)\s+(?=[A-Z\d(])")
_LABELS = frozenset(
    {"objective", "objectives", "aim", "aims", "context", "design", "setting", "interpretation", "summary"}
)
_BULLET = re.compile(r"\s*(?:[•◦▪‣●○■□➢✓·]|[-*+–](?=\s))\s*\S")
_ITEM = re.compile(r"\s*\(?(\d{1,2}|[a-z]|[ivx]{2,4})[.)]\s+\S")
_INNER = re.compile(r"(?:\n[ \t]*(?:[•◦▪‣●○■□➢✓]|[-*+]\s|\(?(?:\d{1,2}|[a-z])[.)]\s)|\s[•◦▪‣●■]\s)")
_KINDS = (
    "theorem|lemma|proposition|corollary|definition|remark|example|conjecture|claim|assumption|hypothesis"
    "|axiom|algorithm"
)
_STATEMENT = re.compile(
    rf"[*_#\s]{{0,4}}(?P<kind>{_KINDS})s?\s+(?P<number>[A-Z]?\d{{1,2}}(?:\.\d{{1,3}}){{0,3}}[a-z]?|[A-Z](?:\.\d{{1,3}})?)"
    r"(?P<marked>[*_]{0,3})(?:\s*\([^()\n]{1,80}\))?(?P<stop>[*_]{0,3}\s*[.:—–])?",
    re.I,
)
_PROOF = re.compile(r"[*_#\s]{0,4}(?:Proof|PROOF)(?:\sof\s[^.:\n]{1,60})?[*_]{0,3}[.:]")
_OF_LABEL = {"code": "code", "code_txt": "code", "code_block": "code", "algorithm": "algorithm", "list": "list"}


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of a text ("theorem", "list item"; "" for running text), and the number of a statement."""

    name: str = ""
    number: str = ""


def run_in_heading(text: str) -> str:
    """The heading set apart at the beginning of a paragraph, without marks and stop; empty when there is none.

    >>> run_in_heading("**Participants.** We asked forty people.")
    'Participants'
    >>> run_in_heading("Methods: Forty people were asked.")
    'Methods'
    """
    marked = _MARKED.match(text)
    if marked:
        title, rest = plain(marked[2]).strip(), text[marked.end() :]
        stopped = title[-1:] in (".", ":") or _STOP.match(rest)
        return title.rstrip(" .:—–") if stopped and rest.strip(" .:\n") and _is_title(title) else ""
    dashed = _DASHED.match(text)
    if dashed:
        return dashed[1].strip() if len(dashed[1].split()) <= 8 else ""
    label = _LABEL.match(text[:MAX_RUN_IN])
    known = label and (label[1].lower() in _LABELS or title_types(label[1]))
    return label[1] if label and known else ""


def _is_title(title: str) -> bool:
    """Words, the first with a capital or digit before it: no emphasis inside a sentence."""
    return bool(re.match(r"[^a-z]", title) and re.search(r"[^\W\d_]{3}", title))


def text_kind(block: Block) -> Kind:
    """Return the kind of a text block by its label or its beginning; numbered items are found by `numbered_items`."""
    text = block.text
    if block.label in _OF_LABEL:
        found = _STATEMENT.match(text) if block.label == "algorithm" else None
        return Kind(_OF_LABEL[block.label], found["number"] if found else "")
    if text.startswith("```"):
        return Kind("code")
    if text.startswith("> "):
        return Kind("quotation")
    if _PROOF.match(text):
        return Kind("proof")
    statement = _STATEMENT.match(text)
    if statement and (statement["stop"] or statement["marked"]):
        return Kind(statement["kind"].lower(), statement["number"])
    if _BULLET.match(text):
        return Kind("list" if _INNER.search(text) else "list item")
    return Kind()


def numbered_items(texts: Sequence[str]) -> dict[int, Kind]:
    """Texts, by place, that are items of a numbered list: neighbours whose numbers follow each other."""
    found: dict[int, Kind] = {}
    before = ""
    for n, text in enumerate(texts):
        item = _ITEM.match(text)
        number = item[1] if item else ""
        if number and _follows(before, number):
            found[n - 1] = found[n] = Kind("list item")
        elif number in ("1", "a", "i") and _follows_inside(text, number):
            found[n] = Kind("list")
        before = number
    return found


def _follows(before: str, number: str) -> bool:
    if before.isdigit() and number.isdigit():
        return int(number) == int(before) + 1
    if before.islower() and value_of(number.upper()) == value_of(before.upper()) + 1 > 1:
        return True
    return len(before) == len(number) == 1 and before.isalpha() and ord(number) == ord(before) + 1


def _follows_inside(text: str, number: str) -> bool:
    """Whether the second item of a list is on a line of its own in the same text."""
    second = {"1": "2", "a": "b", "i": "ii"}[number]
    return bool(re.search(rf"\n[ \t]*\(?{second}[.)]\s", text))


def type_texts(workspace: Workspace) -> int:
    """Say of each paragraph what it is besides running text; returns the number of literals added."""
    nodes = workspace.of_type(DOCO.Paragraph)
    texts = [workspace.text(node) for node in nodes]
    listed = numbered_items(texts)
    added = 0
    for n, (node, text) in enumerate(zip(nodes, texts, strict=True)):
        blocks = workspace.source_blocks(node)
        whole = bool(blocks) and blocks[0].text == text
        kind = (text_kind(blocks[0]) if whole else Kind()) if n not in listed else listed[n]
        heading = run_in_heading(text) if not kind.name else ""
        values = ((KAG.textKind, kind.name), (KAG.statementNumber, kind.number), (KAG.runInHeading, heading))
        for property_, value in values:
            if value and not workspace.text(node, property_):
                workspace.state(node, property_, value)
                added += 1
    return added
