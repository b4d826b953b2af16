"""Links from texts to the figures, tables, formulas and sections they name; what the paper lacks stays a call-out.

Formulas get the numbers printed with them first, so that "Eq. (3)" can be linked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from rdflib import URIRef

from kag.core.types import Block
from kag.indexing.enrich.crossref_finder import CrossRef, find_crossrefs
from kag.indexing.enrich.mentions import HOSTS, Seam, add_crossref, find_seams, is_settled, is_taken
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.sources.labels import FORMULAS

_NAMED_FIRST = re.compile(r"\s?[.:|]\s+(?=[A-Z(])")
_FLOATS = (("figure", DOCO.Figure), ("table", DOCO.Table))
_REFERS, _CROSS = KAG.refersTo, KAG.CrossReference
_HEADED = re.compile(
    r"\s*(?P<kind>appendix|anhang|annexe?|box|algorithm)\s+(?P<number>[A-Z]\b|S?\d{1,2}\b|[IVX]+\b)", re.IGNORECASE
)
_APPENDIX = dict.fromkeys(("anhang", "annex", "annexe"), "appendix")
_NUMBER_FIRST = re.compile(r"^(?:(?:[A-Z]\.?)?\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.)\s+")
_TITLE_WORDS = 8  # longer titles are not repeated in a text
_NO_TITLES = frozenset({"abstract", "references", "bibliography", "keywords"})
_POINTS = re.compile(
    r"(?:\b(?:[Ss]ee(?:\salso)?|[Uu]nder|[Ss]ections?|(?:described|given|detailed|found|discussed|shown) in)\s"
    r"(?:the\s|our\s)?(?:[Ss]ections?\s)?|(?P<loose>\(|[,;]\s|\band\s))[\"“‘'(*]{0,2}$"
)
# Titles of the usual parts: one of each row names the part, whichever of them it is headed by.
_USUAL = (
    ("materials and methods", "material and methods", "methods and materials", "methods", "method", "online methods",
     "patients and methods", "experimental procedures", "experimental section", "star methods"),
    ("results", "results and discussion"), ("discussion", "results and discussion"), ("introduction",),
    ("conclusion", "conclusions"), ("supplementary information", "supporting information"),
)  # fmt: skip
_USUAL_TITLES = frozenset(title for row in _USUAL for title in row)
_MAY_BE_TITLE = re.compile(r"[\s\"“‘'(*](?=(?P<first>[A-Z]))")
Targets = Mapping[tuple[str, str], URIRef]


def target_key(kind: str, number: str) -> tuple[str, str]:
    """Kind and number in the form in which two that name the same are equal."""
    number = re.sub(r"[\s—–-]+", "-", number.casefold().replace("supplements", "supplement"))
    return kind, re.sub(r"(?<=[a-z])\.(?=\d)", "", number)


def link_crossrefs(workspace: Workspace) -> int:
    """Keep each call-out of paragraphs, captions and notes, and link it where the paper has what it names.

    Returns the triples added.
    """
    targets = _targets(workspace)
    titles = _titles(workspace)
    hosts = workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table))
    texts = [workspace.text(host) for host in hosts]
    added, numbered = 0, set[tuple[URIRef, int]]()
    for position, crossref in _found(texts, find_seams(workspace, hosts, texts)):
        numbered.add((hosts[position], crossref.start))
        added += _link(workspace, hosts[position], crossref, _named(crossref, targets))
    lengths = _lengths(titles)
    for host, text in zip(hosts, texts, strict=True):
        for crossref in _by_title(text, titles, lengths):
            if (host, crossref.start) not in numbered:  # a box may be titled "Box 1"
                added += _link(workspace, host, crossref, [titles[crossref.numbers[0]]])
    return added


def _found(texts: Sequence[str], seams: Sequence[Seam]) -> Iterator[tuple[int, CrossRef]]:
    """The call-outs of each text with the text's place; those cut in two at a seam are found in both texts."""
    cut: defaultdict[int, list[CrossRef]] = defaultdict(list)
    for seam in seams:
        for crossref in find_crossrefs(seam.text):
            if parts := seam.parts(crossref.start, crossref.end):
                for host, (start, end) in zip((seam.earlier, seam.later), parts, strict=True):
                    part = replace(crossref, start=start, end=end, surface=texts[host][start:end])
                    cut[host].append(part)
                    yield host, part
    for host, text in enumerate(texts):
        for crossref in find_crossrefs(text):
            if not any(crossref.start < half.end and half.start < crossref.end for half in cut.get(host, ())):
                yield host, crossref


def _named(crossref: CrossRef, targets: Targets) -> list[URIRef]:
    """The nodes a call-out names; a formula's letter may belong to its number ("Eq. (1a)")."""
    if crossref.kind == "equation" and crossref.panels:
        whole = target_key("equation", crossref.numbers[-1] + crossref.panels[-1])
        if whole in targets:
            return [targets[whole]]
    keys = [target_key(crossref.kind, number) for number in crossref.numbers]
    return list(dict.fromkeys(targets[key] for key in keys if key in targets))


def _link(workspace: Workspace, host: URIRef, crossref: CrossRef, targets: Sequence[URIRef]) -> int:
    """Add a call-out and what it leads to; a label that a caption, or what reads as one, begins with is a name."""
    if crossref.start < 3 and names_itself(workspace.text(host), crossref):
        return 0
    if crossref.start < 3 and workspace.is_a(host, DEO.Caption):
        own = workspace.links(host, KAG.describes)
        if not targets or any(target in own for target in targets):
            return 0
    place = (host, crossref.start, crossref.surface)
    if is_settled(workspace, place, targets):
        return 0
    added = sum(workspace.add(host, _REFERS, target) for target in targets)
    if is_taken(workspace, place, _CROSS):
        return added
    return added + add_crossref(workspace, place, crossref.kind, targets, crossref.panels)


def names_itself(text: str, crossref: CrossRef) -> bool:
    """Whether a text is about the float that it begins with: "Table 1: Answers of the students"."""
    float_ = crossref.kind in ("figure", "table", "scheme", "chart", "plate", "box")
    return float_ and bool(_NAMED_FIRST.match(text, crossref.end)) and len(crossref.numbers) == 1


def _targets(workspace: Workspace) -> dict[tuple[str, str], URIRef]:
    """Figures, tables, formulas, sections, boxes and appendices by kind and printed number; the first one wins."""
    targets: dict[tuple[str, str], URIRef] = {}
    for kind, cls in _FLOATS:
        for node in workspace.of_type(cls):
            labels = find_crossrefs(workspace.text(node, KAG.floatLabel))
            number = workspace.text(node, KAG.floatNumber)
            if labels:
                targets.setdefault(target_key(labels[0].kind, labels[0].numbers[0]), node)
            if number and (not labels or (labels[0].kind == kind and not labels[0].numbers[0].endswith(f"—{number}"))):
                targets.setdefault(target_key(kind, number), node)
    for kind, cls, named in (("equation", DOCO.Formula, KAG.floatNumber), ("section", DOCO.Section, KAG.sectionNumber)):
        for node in workspace.of_type(cls):
            if number := workspace.text(node, named).rstrip("."):
                targets.setdefault(target_key(kind, number), node)
            if kind == "section" and (headed := _HEADED.match(workspace.title_of(node))):
                word = headed["kind"].casefold()
                targets.setdefault(target_key(_APPENDIX.get(word, word), headed["number"]), node)
    for number, node in _appendices(workspace):
        targets.setdefault(target_key("appendix", number), node)
    return targets


def _appendices(workspace: Workspace) -> Iterator[tuple[str, URIRef]]:
    """Sections with a letter behind the last one with an Arabic number: "B More graphs" is Appendix B."""
    sections = [(workspace.text(node, KAG.sectionNumber).rstrip("."), node) for node in workspace.of_type(DOCO.Section)]
    last = max((n for n, (number, _) in enumerate(sections) if number[:1].isdigit()), default=len(sections))
    if all(number != "I" for number, _ in sections):
        yield from (section for section in sections[last + 1 :] if section[0][:1].isalpha())


def _titles(workspace: Workspace) -> dict[str, URIRef]:
    """Sections by their titles, as far as a text may name them so; titles that several sections have are left out."""
    titles: dict[str, list[URIRef]] = {}
    for section in workspace.of_type(DOCO.Section):
        title = _NUMBER_FIRST.sub("", workspace.title_of(section)).strip(" .:")
        if title[:1].isupper() and len(title.split()) <= _TITLE_WORDS and title.casefold() not in _NO_TITLES:
            titles.setdefault(title.casefold(), []).append(section)
    known = {title: sections[0] for title, sections in titles.items() if len(sections) == 1}
    for row in _USUAL:
        headed = {known[title] for title in row if title in known}
        if len(headed) == 1:
            known |= dict.fromkeys((title for title in row if title not in titles), headed.pop())
    return known


def _by_title(text: str, titles: Mapping[str, URIRef], lengths: Mapping[str, Sequence[int]]) -> Iterator[CrossRef]:
    """Call-outs by title, printed with a capital: "see Materials and Methods", "in the Results section"."""
    end = 0
    for match in _MAY_BE_TITLE.finditer(text):
        start = match.end()
        title = _title_at(text, start, titles, lengths.get(match["first"], ())) if match.start() >= end else ""
        if not title:
            continue
        end = start + len(title)
        lead = _POINTS.search(text[max(0, start - 24) : start])
        if text.startswith(" section", end) or (lead and (not lead["loose"] or title in _USUAL_TITLES)):
            yield CrossRef("section", (title,), start, end, text[start:end])


def _title_at(text: str, start: int, titles: Mapping[str, URIRef], lengths: Sequence[int]) -> str:
    """The longest title that is printed at a place, as whole words; empty when none is."""
    for length in lengths:
        printed = text[start : start + length]
        title = printed.casefold()
        if title in titles and len(title) == len(printed) and not text[start + length : start + length + 1].isalnum():
            return title
    return ""


def _lengths(titles: Iterable[str]) -> dict[str, list[int]]:
    """The lengths that titles have by the capital they begin with, the longest first."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for title in titles:
        found[title[:1].upper()].add(len(title))
    return {first: sorted(lengths, reverse=True) for first, lengths in found.items()}


# Call-outs without a number, to the only figure or table of a short paper: "(Figure)", "as the Table shows" ---

_KINDS = (
    ("table", DOCO.Table, "Table|Tabelle|Tabla|Tabela"),
    ("figure", DOCO.Figure, "Figure|Fig\\.?|Figura|Abbildung"),
)
_BEFORE = r"(?<![\w-])(?:(?<=[(;]\s)|(?<=[(;])|(?<=[a-z,;]\s))"  # a bracket, or a word in small letters
_BEHIND = r"(?=\s?[).,;:]|\s+(?!of\b)[a-z]|,?\s?(?:[A-Ha-h]\b|panels?\b)|\s*$)(?!\s?\(?[A-Z]?\d)"
_PANELS = r"(?:,?\s?(?:panels?\s)?(?P<panel>[A-H](?:(?:\s?[,–-]\s?|\sand\s)[A-H])*)\b)?"


def link_lone_floats(workspace: Workspace) -> int:
    """Link texts to the figure or table that they call out without a number; returns the triples added."""
    added = 0
    for kind, cls, words in _KINDS:
        target = _only(workspace, cls, words)
        if not target:
            continue
        named = re.compile(rf"{_BEFORE}(?:{words})(?!\w){_BEHIND}{_PANELS}")
        for host in workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table)):
            if workspace.is_a(host, DEO.Caption):
                continue
            for match in named.finditer(workspace.text(host)):
                panels = filter(None, [match["panel"]])
                added += add_crossref(workspace, (host, match.start(), match.group()), kind, [target], [*panels])
    return added


def _only(workspace: Workspace, cls: URIRef, words: str) -> URIRef | None:
    """The float whose caption names its kind without a number; None where others have captions, but supplements."""
    captioned = {
        float_: workspace.text(caption)
        for caption in workspace.of_type(DEO.Caption)
        for float_ in workspace.links(caption, KAG.describes)
        if workspace.is_a(float_, cls)
    }
    own = [float_ for float_ in captioned if not re.match(r"S|ED", workspace.text(float_, KAG.floatNumber))]
    alone = len(own) == 1 and not workspace.text(own[0], KAG.floatNumber)
    return own[0] if alone and re.match(rf"\W{{0,4}}(?:{words})\s?[.:|]", captioned[own[0]]) else None


_NAME = r"[A-Za-z]{0,2}\.?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?['′]{0,2}|[ivx]{1,5}|[A-Z]"
_TAG = re.compile(rf"\\tag\*?\s*\{{\s*(?:\(\s*)?({_NAME})\s*(?:\)\s*)?\}}")
_WRAPPED = rf"(?:\\(?:text|mathrm|textrm|rm|mbox)\s*)?\{{?\s*[(\[]\s*({_NAME})\s*[)\]]\s*\}}?"
_AT_END = re.compile(
    rf"(?:\\q?quad|\\hfill|\\hspace\*?\{{[^{{}}]{{1,12}}\}}|\\c?l?dots|[.…]{{3}}|\\\]|\$\$|~){_WRAPPED}\s*(?:\\\]|\$\$)?$"
)
_BEHIND_BLANK = re.compile(r"\s\((?P<number>\d{1,3})\)[.,;]?$")
_STEP = 10  # between the numbers of formulas of which some are not read
_ALONE = re.compile(rf"^[(\[]\s*({_NAME})\s*[)\]]$")
_END = 80  # characters behind which a number cannot begin


def formula_number(text: str) -> str:
    r"""The number printed with a formula, empty when there is none; the first where several lines have one.

    A number stands in a tag, or apart from the formula at its end: brackets behind a product or a function
    are a part of it.

    >>> formula_number(r"\[ a = b \quad (3) \]")
    '3'
    >>> formula_number(r"\[ a = f(3) \]")
    ''
    """
    tag = _TAG.search(text)
    if tag:
        return tag[1]
    end = re.sub(r"\s+", "", text[-_END:])
    match = _AT_END.search(end)
    return match[1] if match else ""


def is_formula_number(text: str) -> bool:
    """Whether a text is only a number in brackets, as printed next to a formula."""
    return bool(_ALONE.match(text.strip()))


def number_formulas(workspace: Workspace) -> int:
    """Give each formula the number printed with it; returns how many have one."""
    formulas = workspace.of_type(DOCO.Formula)
    texts = [workspace.text(formula) for formula in formulas]
    printed = [formula_number(text) for text in texts]
    counted = printed if any(printed) else _counted(texts)
    numbered = 0
    for formula, number in zip(formulas, counted, strict=True):
        if number and not workspace.text(formula, KAG.floatNumber):
            workspace.state(formula, KAG.floatNumber, number)
            numbered += 1
    return numbered


def _counted(texts: Sequence[str]) -> list[str]:
    """Numbers in brackets behind a blank at the ends of formulas, if they count these: 1, 2, 4, ...

    Such a number may be an argument of a function, unless it is part of a count.
    """
    ends = [match["number"] if (match := _BEHIND_BLANK.search(text)) else "" for text in texts]
    values = [int(number) for number in ends if number]
    steps = [after - before for before, after in pairwise([0, *values])]
    counted = values == [1] or (len(values) > 1 and all(1 <= step <= _STEP for step in steps))
    return ends if counted else [""] * len(texts)


# Formulas whose number OCR took for a text of its own ----------------------------------------


def numbers_beside(blocks: Sequence[Block]) -> dict[str, Block]:
    """The block with the number of each formula, by the formula's id; `blocks` are in reading order.

    Such a block holds nothing but a number in brackets, and stands on a line with the formula.
    """
    found: dict[str, Block] = {}
    taken: set[str] = set()
    for pair in pairwise(blocks):
        for formula, number in (pair, pair[::-1]):
            free = formula.id not in found and number.id not in taken
            if free and _is_beside(formula, number):
                found[formula.id] = number
                taken.add(number.id)
    return found


def _is_beside(formula: Block, number: Block) -> bool:
    if (
        formula.label not in FORMULAS
        or number.label != "text"
        or not is_formula_number(number.plain)
        or formula_number(formula.text)
    ):
        return False
    if formula.page != number.page or not formula.boxes or not number.boxes:
        return False
    one, other = formula.boxes[0], number.boxes[0]
    return min(one.y1, other.y1) > max(one.y0, other.y0)
