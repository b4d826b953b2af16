"""Mentions of figures and tables, and the links they stand for: "Figs. 2b–d and 4", "Table S1", "S2 Fig"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rdflib import URIRef

from kag.enrich.mentions import HOSTS, add_mention
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CrossRef:
    """One call-out. `numbers` are the floats it names, ranges filled in; `panels` the parts of them ("A", "b–d").

    `text[start:end] == surface`.
    """

    kind: str
    numbers: tuple[str, ...]
    start: int
    end: int
    surface: str
    panels: tuple[str, ...] = ()


# No look-behind in front and no case folding: so the search can skip to the first letters.
_KEYWORD = re.compile(
    r"(?P<word>[Ff]ig(?:ure)?s?|FIG(?:URE)?S?|[Tt]ab(?:le)?s?|TAB(?:LE)?S?|[Ss]chemes?|SCHEMES?|[Ss]ch(?=\.)"
    r"|[Cc]harts?|[Pp]lates?|[Bb]ox(?:es)?)\.?[\s~]{0,2}(?:\\\(\s?)?(?=\(?(?:[A-Z]\.?\s?)?\d|[IVX]+\b)"
)
_KINDS = {"fi": "figure", "ta": "table", "sc": "scheme", "ch": "chart", "pl": "plate", "bo": "box"}
_BEFORE = re.compile(
    r"(?<!\w)(?:supplementa(?:ry|l)|supporting(?:\s+information)?|suppl\.?|(?P<extended>extended\s+data))\s+$", re.I
)
_PANEL = r"[A-Za-z]['′]?(?![A-Za-z\d])"
_PANEL_LIST = rf"{_PANEL}(?:(?:\s?,\s?(?:and\s)?|\s?[-–—]\s?|\s?(?:and|&)\s){_PANEL}){{0,11}}"
_ITEM = re.compile(
    r"(?P<number>(?:[A-Z]\.?\s?)?\d{1,3}(?!\d)(?:\.\d{1,2}(?!\d))?|[IVX]{1,5}(?![A-Za-z]))"
    rf"(?:(?P<panels>\s?\({_PANEL_LIST}\)|{_PANEL_LIST}|\s[A-Z](?:(?:\s?,\s?|[-–—])[A-Z])*(?=[),.;:\]]|\sand\s[A-Z\d]))"
    rf"|(?P<loose>\s(?:panels?\s){_PANEL_LIST}))?"
)
_SUPPLEMENT = re.compile(
    r"\s?(?:[—–]|--?)\s?(?P<what>(?:figure|fig\.?|table|video|source|animation)?\s?"
    r"(?:supplements?|data|code|video|figures?|files?)|videos?|animations?)\s+(?=\d)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s?(?:(?P<range>[–—‐−-]{1,2}|\bto\b|\bthrough\b)|,\s?(?:and|or|&)\s|,|;|/|\band\b|\bor\b|&|\bversus\b|\bvs\b\.?)\s?"
)
_ENDS = re.compile(r"\s?(?:[,;.:)\]/]|$|(?:and|or)\b|&|[–—-]\s?\d|\((?!\d))")
_TRAILING = re.compile(r"S(?<![\w.]S)(?P<number>\d{1,3})(?:[_.]\d+)*\s(?P<kind>Fig(?:ure)?|Table)s?\b")
_ELSEWHERE = re.compile(
    r"\s?(?:of|in|from)\s(?:refs?\b|references?\b|\[|[A-Z][\w’'-]+\s(?:et\sal|and\s[A-Z]|&|\(\d{4}))"
)
_LONGEST_RANGE = 30


def find_crossrefs(text: str) -> list[CrossRef]:
    """The call-outs of a text, in order, without those that name floats of other works.

    >>> [(c.kind, c.numbers, c.panels) for c in find_crossrefs("see Figs. 2b–d and 4 and Table S1")]
    [('figure', ('2', '4'), ('b–d',)), ('table', ('S1',), ())]
    """
    found: list[CrossRef] = []
    end = 0
    for keyword in _KEYWORD.finditer(text):
        if keyword.start() < end:
            continue
        crossref = _read(text, keyword)
        if crossref and not _ELSEWHERE.match(text, crossref.end):
            found.append(crossref)
            end = crossref.end
    for trailing in _TRAILING.finditer(text):
        kind = "table" if trailing["kind"] == "Table" else "figure"
        found.append(CrossRef(kind, (f"S{trailing['number']}",), *trailing.span(), trailing.group()))
    return sorted(found, key=lambda crossref: crossref.start)


def _read(text: str, keyword: re.Match[str]) -> CrossRef | None:
    """The call-out that starts at a keyword."""
    kind = _KINDS[keyword["word"][:2].casefold()]
    plural = keyword["word"][-1] in "sS"
    before = _BEFORE.search(text[max(0, keyword.start() - 30) : keyword.start()])
    start = keyword.start() - len(before.group() if before else "")
    if text[start - 1 : start].isalnum() or text[start - 1 : start] in ("_", "\\"):
        return None
    prefix = ("ED" if before["extended"] else "S") if before else ""
    bracket = text.startswith("(", keyword.end())
    item = _ITEM.match(text, keyword.end() + bracket)
    if not item:
        return None
    numbers: list[str] = []
    panels: list[str] = []
    end = item.end()
    while item:
        numbers.append(_number(item, prefix))
        panels += [part.strip(" ()") for part in (item["panels"] or item["loose"],) if part]
        end = item.end()
        if supplement := _SUPPLEMENT.match(text, end):
            return _supplement(text, start, kind, numbers, supplement)
        separator = _SEPARATOR.match(text, end)
        item = _ITEM.match(text, separator.end()) if separator else None
        if item and separator and not _goes_on(text, item, numbers[-1], plural=plural, ranged=bool(separator["range"])):
            item = None
        if item and separator and separator["range"]:
            numbers += _between(numbers[-1], _number(item, prefix))
    return CrossRef(kind, _distinct(numbers), start, end, text[start:end], tuple(panels))


def _number(item: re.Match[str], prefix: str) -> str:
    number = re.sub(r"(?<=[A-Za-z])\.?\s?(?=\d)", "", item["number"])
    return prefix + number if number[0].isdigit() else number.upper()


def _goes_on(text: str, item: re.Match[str], before: str, *, plural: bool, ranged: bool) -> bool:
    """True for a further number of the list, not for one that counts something else ("Fig. 3, 12 mice")."""
    if item["panels"] or (item["number"][0].isalpha() and before[0].isalpha()):
        return True
    if item["number"][0].isalpha() or re.match(r"\s?[%°]", text[item.end() : item.end() + 2]):
        return False
    if ranged and before.isdigit() and int(item["number"].split(".")[0]) <= int(before):
        return False
    return plural or bool(_ENDS.match(text, item.end()))


def _between(first: str, last: str) -> list[str]:
    """The numbers strictly between two, letters kept: "S1", "S4" gives "S2", "S3"."""
    low, high = re.fullmatch(r"(\D*)(\d+)", first), re.fullmatch(r"(\D*)(\d+)", last)
    if not low or not high or low[1] != high[1] or int(high[2]) - int(low[2]) > _LONGEST_RANGE:
        return []
    return [f"{low[1]}{n}" for n in range(int(low[2]) + 1, int(high[2]))]


def _supplement(text: str, start: int, kind: str, numbers: list[str], mark: re.Match[str]) -> CrossRef:
    """A supplement of a float: "Figure 3—figure supplements 1–2"; it names the supplements, not the float itself."""
    parent = numbers.pop()
    what = " ".join(mark["what"].casefold().replace("fig.", "figure").split())
    what = what[:-1] if what.endswith("s") and what not in ("data",) else what
    parts: list[str] = []
    item = _ITEM.match(text, mark.end())
    end = mark.end()
    while item:
        parts.append(item["number"])
        end = item.end()
        separator = _SEPARATOR.match(text, end)
        item = _ITEM.match(text, separator.end()) if separator else None
        if item and separator and not _goes_on(text, item, parts[-1], plural=mark["what"].endswith("s"),
                                               ranged=bool(separator["range"])):  # fmt: skip
            item = None
        if item and separator and separator["range"]:
            parts += _between(parts[-1], item["number"])
    names = [*numbers, *(f"{parent}—{what} {part}" for part in parts)]
    return CrossRef(kind, _distinct(names), start, end, text[start:end])


def _distinct(numbers: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(numbers))


def float_key(kind: str, number: str) -> tuple[str, str]:
    """Kind and number in the form in which two of the same float are equal."""
    return kind, re.sub(r"[\s—–-]+", "-", number.casefold().replace("supplements", "supplement"))


def apply(workspace: Workspace) -> int:
    """Link paragraphs, captions and footnotes to the figures and tables they name; returns the triples added."""
    floats = _floats(workspace)
    if not floats:
        return 0
    added = 0
    for host in workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table)):
        own = workspace.links(host, KAG.describes) if workspace.is_a(host, DEO.Caption) else []
        for crossref in find_crossrefs(workspace.text(host)):
            targets = [
                floats[key] for number in crossref.numbers if (key := float_key(crossref.kind, number)) in floats
            ]
            if not targets or (crossref.start < 3 and any(target in own for target in targets)):
                continue  # a caption's own label is its name, not a mention
            added += sum(workspace.add(host, KAG.refersTo, target) for target in targets)
            mention = (host, crossref.start, crossref.surface)
            added += add_mention(workspace, mention, KAG.CrossReference, KAG.refersTo, targets)
    return added


def _floats(workspace: Workspace) -> dict[tuple[str, str], URIRef]:
    """Figures and tables by the kind and number of their printed label; the first one wins."""
    floats: dict[tuple[str, str], URIRef] = {}
    for kind, cls in (("figure", DOCO.Figure), ("table", DOCO.Table)):
        for node in workspace.of_type(cls):
            labels = find_crossrefs(workspace.text(node, KAG.floatLabel))
            if labels:
                floats.setdefault(float_key(labels[0].kind, labels[0].numbers[0]), node)
            number = workspace.text(node, KAG.floatNumber)
            if number and (not labels or labels[0].kind == kind):
                floats.setdefault(float_key(kind, number), node)
    return floats
