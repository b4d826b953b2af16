"""Citations of each text, decided by the evidence of the whole paper.

A paper cites in one style: each style is read everywhere, and the one that reaches most of the reference list is taken.
Styles are numbers (bracketed, in parentheses, raised), author and year, and labels such as "[Smith10]".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib import URIRef

from kag.indexing.enrich.author_year import AuthorYearIndex
from kag.indexing.enrich.bibliography import (
    entry_number,
    entry_tails,
    in_order,
    list_length,
    lists_of,
    nearest_lists,
    of_each,
    read_references,
)
from kag.indexing.enrich.endnotes import without_notes
from kag.indexing.enrich.mentions import HOSTS, Seam, add_crossref, add_mention, find_seams, is_settled
from kag.indexing.enrich.numeric_citations import Mark, flat_marks, numeric_marks
from kag.indexing.references.parser import Reference
from kag.rdf.namespaces import C4O, CITO, DEO, DOCO
from kag.rdf.workspace import Workspace

_CITES, _POINTER, _DENOTES = CITO.cites, C4O.InTextReferencePointer, C4O.denotes
STYLES = ("bracket", "superscript", "paren", "author-year", "label", "flat")  # the earlier wins a tie
_DECIDED = 0.6  # of the list cited by numbers beyond doubt: names need not be looked for
_OTHERWISE = 0.15  # of the list cited in another style is proof enough that numbers in the text do not cite
_NAMED = 0.5  # of what numbers reach, by names and years, is enough where the list has no numbers
_COVERED = 0.7  # of the list must be cited beyond doubt before doubtful call-outs to the rest are believed
Entry = tuple[URIRef, int, str, Reference]  # node, number, words and fields of a reference


@dataclass(frozen=True, slots=True)
class Citation:
    """A call-out in text number `host`; `numbers` are those of the references it cites."""

    host: int
    numbers: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citations:
    """All call-outs of a paper in the style it uses; `style` is empty when it cites nothing."""

    style: str
    found: tuple[Citation, ...]


def find_citations(
    texts: Sequence[str],
    references: Mapping[int, Reference],
    printed: Mapping[int, str] | None = None,
    seams: Sequence[Seam] = (),
) -> Citations:
    """Find the call-outs in a paper's texts to the references of its list (number -> fields, and words `printed`).

    The style is the one whose call-outs reach most different references; on equal reach the earlier of bracket,
    superscript, paren, author-year, label. Numbers that lost their raising (flat) are read only in a paper that
    uses no other style. A call-out cut in two at one of the `seams` is found in both texts, with all it cites in both.
    """
    if not references:
        return Citations("", ())
    read = [*texts, *(seam.text for seam in seams)]
    by_style = _numeric(read, references)
    bare = _is_bare(printed or {})
    if bare or max((_reach(by_style[name]) for name in STYLES), default=0) < _DECIDED * len(references):
        by_style["author-year"] = _named(read, references, printed or {})
        by_style["label"] = _labelled(read, printed or {})
    if max(_reach(by_style[name]) for name in STYLES) < _OTHERWISE * len(references):
        by_style["flat"] = _known(flat_marks(texts, max(references)), references)
    style = max(STYLES, key=lambda name: _reach(by_style[name]))
    if bare and _reach(by_style["author-year"]) >= _NAMED * _reach(by_style[style]):
        style = "author-year"
    citations = by_style[style]
    if not citations:
        return Citations("", ())
    if style not in ("author-year", "label"):
        citations = (
            citations
            + apart(by_style["worded"], citations)
            + _believed(by_style[f"doubtful {style}"], citations, len(references))
        )
    citations = _sewn(citations, len(texts), seams)
    return Citations(style, tuple(sorted(citations, key=lambda citation: (citation.host, citation.start))))


def _is_bare(printed: Mapping[int, str]) -> bool:
    """Whether the list's entries are printed without numbers: then raised numbers in the text may well be powers."""
    return bool(printed) and sum(entry_number(words) is not None for words in printed.values()) * 2 < len(printed)


def _numeric(texts: Sequence[str], references: Mapping[int, Reference]) -> defaultdict[str, list[Citation]]:
    """The numeric call-outs by style; doubtful ones apart."""
    marks: defaultdict[str, list[tuple[int, Mark]]] = defaultdict(list)
    limit = max(references)
    for host, text in enumerate(texts):
        for mark in numeric_marks(text, limit):
            marks[f"doubtful {mark.style}" if mark.doubtful else mark.style].append((host, mark))
    return defaultdict(list, {style: _known(found, references) for style, found in marks.items()})


def _known(marks: Iterable[tuple[int, Mark]], references: Mapping[int, Reference]) -> list[Citation]:
    """Marks as citations of the references that there are."""
    known = ((host, mark, tuple(number for number in mark.numbers if number in references)) for host, mark in marks)
    return [Citation(host, numbers, mark.start, mark.end) for host, mark, numbers in known if numbers]


def _named(texts: Sequence[str], references: Mapping[int, Reference], printed: Mapping[int, str]) -> list[Citation]:
    """The call-outs by name and year."""
    numbers = list(references)
    index = AuthorYearIndex(list(references.values()), [printed[number] for number in numbers] if printed else ())
    return [
        Citation(host, tuple(numbers[position] for position in named.references), named.start, named.end)
        for host, text in enumerate(texts)
        for named in index.find(text)
    ]


def _labelled(texts: Sequence[str], printed: Mapping[int, str]) -> list[Citation]:
    """The call-outs by the labels that entries are printed with."""
    labels = read_labels(printed)
    if not labels:
        return []
    return [Citation(host, *found) for host, text in enumerate(texts) for found in labelled(text, labels)]


def _sewn(citations: Sequence[Citation], texts: int, seams: Sequence[Seam]) -> list[Citation]:
    """The citations with those of seams put where they belong; what one half seemed to be alone is left out."""
    cut: list[Citation] = []
    for citation in citations:
        if citation.host >= texts:
            seam = seams[citation.host - texts]
            if parts := seam.parts(citation.start, citation.end):
                cut += [Citation(host, citation.numbers, *part) for host, part in
                        zip((seam.earlier, seam.later), parts, strict=True)]  # fmt: skip
    return apart((citation for citation in citations if citation.host < texts), cut) + cut


def apart(others: Iterable[Citation], citations: Iterable[Citation]) -> list[Citation]:
    """Those of the other citations that touch none of those found: "ref. 3" in "(ref. 3)" is one call-out."""
    starts: defaultdict[int, list[int]] = defaultdict(list)
    ends: defaultdict[int, list[int]] = defaultdict(list)  # for each start, how far it and those before it reach
    for it in sorted(citations, key=lambda it: it.start):
        starts[it.host].append(it.start)
        ends[it.host].append(max(it.end, ends[it.host][-1] if ends[it.host] else 0))

    def touches(citation: Citation) -> bool:
        before = bisect_left(starts.get(citation.host, ()), citation.end)
        return before > 0 and ends[citation.host][before - 1] > citation.start

    return [citation for citation in others if not touches(citation)]


def _believed(doubtful: Iterable[Citation], certain: Sequence[Citation], listed: int) -> list[Citation]:
    """Doubtful call-outs to references that nothing else cites: an entry is listed because it is cited."""
    cited = {number for citation in certain for number in citation.numbers}
    if len(cited) < _COVERED * listed:
        return []
    return [citation for citation in doubtful if not cited.intersection(citation.numbers)]


def _reach(citations: Sequence[Citation]) -> int:
    return len({number for citation in citations for number in citation.numbers})


def link_citations(workspace: Workspace) -> int:
    """Link paragraphs, captions, notes and tables to the references they cite; returns the triples added."""
    listed = read_references(workspace)
    lists = [listed[part] for part in lists_of([number for _, number, _, _ in listed])]
    tails = {tail for node, _, _, _ in listed for tail in entry_tails(workspace, node)}
    hosts = [host for host in workspace.of_type(*HOSTS) if host not in tails]
    nearest = nearest_lists(workspace, hosts, [entries[-1][0] for entries in lists])
    return sum(
        _linked(workspace, [hosts[place] for place in places], [lists[own], *lists[:own], *lists[own + 1 :]])
        for own, places in (of_each(nearest).items() if lists else ())
    )


def _linked(workspace: Workspace, hosts: Sequence[URIRef], lists: Sequence[Sequence[Entry]]) -> int:
    """Link the hosts to the list that their call-outs reach most of, the first of those that they reach alike."""
    texts = [without_notes(workspace, host) for host in hosts]
    seams = find_seams(workspace, hosts, texts)
    citations, nodes = _most_cited(texts, lists, seams)
    added = 0
    for citation in citations:
        host, surface = hosts[citation.host], texts[citation.host][citation.start : citation.end]
        targets = [nodes[number] for number in citation.numbers]
        mention = (host, citation.start, surface)
        if is_settled(workspace, mention, targets):
            continue
        added += sum(workspace.add(host, _CITES, target) for target in targets)
        added += add_mention(workspace, mention, _POINTER, _DENOTES, targets)
    return added


def _most_cited(
    texts: Sequence[str], lists: Sequence[Sequence[Entry]], seams: Sequence[Seam]
) -> tuple[Sequence[Citation], dict[int, URIRef]]:
    """The call-outs to the list that they reach most of, and its references by number.

    A list is not read for that has no more entries than are reached of another: a book has many lists.
    """
    citations, best, most = list[Citation](), dict[int, URIRef](), -1
    for entries in lists:
        nodes = {number: node for node, number, _, _ in reversed(entries)}
        if len(nodes) > most and _reach(read := _from_list(texts, entries, seams)) > most:
            citations, best, most = list(read), nodes, _reach(read)
    return citations, best


def _from_list(texts: Sequence[str], entries: Sequence[Entry], seams: Sequence[Seam]) -> Sequence[Citation]:
    references = {number: fields for _, number, _, fields in reversed(entries)}
    printed = {number: words for _, number, words, _ in reversed(entries)}
    return find_citations(texts, dict(sorted(references.items())), printed, seams).found


_ENTRY = re.compile(r"\s*\[(?=[^\W\d_])([^\[\]]{2,40}\d)([a-z]?)\]")
_CALL_OUT = re.compile(r"\[(?=[^\W\d_])([^\[\]]{2,400})\]")
_SEPARATOR = re.compile(r"\s?[,;]\s?")
_WHERE = re.compile(r"(?:pp?\.|[A-Z§]).{0,20}")  # in the work: a page, a theorem
_MARKUP = re.compile(r"\\[()]|[\s{}^]")


def read_labels(entries: Mapping[int, str]) -> dict[str, int]:
    """Label to number of the entries that are printed with one."""
    return {_key(found[1] + found[2]): number for number, text in entries.items() if (found := _ENTRY.match(text))}


def labelled(text: str, labels: Mapping[str, int]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Numbers, start and end of each call-out of a text all of whose labels are in the list."""
    for match in _CALL_OUT.finditer(text):
        parts = _SEPARATOR.split(match[1])
        numbers = [labels.get(_key(part), 0) for part in parts]
        while len(numbers) > 1 and not numbers[-1] and _WHERE.fullmatch(parts[len(numbers) - 1]):
            numbers.pop()
        if all(numbers):
            yield tuple(dict.fromkeys(numbers)), *match.span()


def _key(label: str) -> str:
    """A label without blanks and marks of raising: "[BES⁺80]" in the list is "[BES+80]" in the text."""
    return _MARKUP.sub("", unicodedata.normalize("NFKC", label))


# Citation call-outs of a paper whose reference list was not found ----------------------------

_LONGEST = 999  # entries; larger numbers are years
_FEWEST = {"bracket": 2, "superscript": 4, "paren": 5, "author-year": 3, "flat": 8}  # entries that prove a style
_IN_ORDER = 0.7  # of the numbers in round brackets must be cited in order, which other numbers are not

_WORD = r"[^\W\d_a-z][^\W\d_]*(?:\s?[´¨`’']\s?[^\W\d_]+|-\s?[^\W\d_]+){0,3}"  # "Kamin ´ski": accents come apart
_NAME = rf"(?:(?:van|von|de[nrlt]?|della|di|da|du|la|le|el|al|ter?|zu[rm]?)\s){{0,3}}{_WORD}"
_YEAR = r"(?:(?:1[6-9]|20)\d\d|n\.\s?d\.|in press|forthcoming)"
_YEARS = rf"{_YEAR}(?:[a-z]\b)?(?:,\s?(?:(?:1[6-9]|20)\d\d)?[a-z]?\b){{0,6}}(?![\w–-])"
_NAME_AND_YEAR = re.compile(
    rf"(?<![\w-]){_NAME}(?:(?P<more>,?\s(?:et\sal\b\.?,?|and\s(?:colleagues|co-?workers|others)))"
    rf"|(?P<two>(?:,\s{_NAME}){{0,6}},?\s(?:and|&)\s{_NAME}(?:\set\sal\.?)?))?(?:['’]s)?,?\s\(?(?P<years>{_YEARS})"
)
_NOT_A_NAME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept?|Oct|Nov|Dec|In|Since|From|Until|During|Before|After|By|Between|Of|The|Spring|Summer|Autumn|Fall|Winter"
    r"|Version|Release|Windows|Office|Excel|Access|Copyright|Year|Figure|Fig|Table|Section|Early|Late|Mid|And|To|On|At"
    r"|Directive|Act|Law|Regulation|Committee|University|Inc|Ltd|Corp|Corporation|Software|Edition|Statistics)$"
)


def link_unlisted(workspace: Workspace) -> int:
    """Keep the call-outs of a paper of which no list was found, as cross-references to a "reference".

    They lead nowhere, but what is printed is not lost. Returns the triples added.
    """
    if workspace.of_type(DEO.BibliographicReference):
        return 0
    hosts = workspace.of_type(*(cls for cls in HOSTS if cls != DOCO.Table))
    texts = [workspace.text(host) for host in hosts]
    added = 0
    for citation in find_unlisted(texts).found:
        host, surface = hosts[citation.host], texts[citation.host][citation.start : citation.end]
        added += add_crossref(workspace, (host, citation.start, surface), "reference", ())
    return added


def find_unlisted(texts: Sequence[str]) -> Citations:
    """The call-outs of a paper's texts without its list; `numbers` are those printed, none for author and year.

    The style is the one that cites most different entries, and has enough of them to be no coincidence.
    """
    by_style: dict[str, list[Citation]] = {style: [] for style in _FEWEST}
    worded: list[tuple[int, Mark]] = []
    marks: dict[str, list[tuple[int, Mark]]] = {style: [] for style in _FEWEST}
    for host, text in enumerate(texts):
        for mark in numeric_marks(text, _LONGEST):
            (worded if mark.style == "worded" else marks[mark.style]).append((host, mark))
    for style, placed in marks.items():
        by_style[style] = _counted(style, placed)
    by_style["author-year"] = _by_name_and_year(texts)
    by_style["flat"] = _citations(flat_marks(texts, _LONGEST))
    reach = {style: _unlisted_reach(texts, citations) for style, citations in by_style.items()}
    style = max(_FEWEST, key=lambda name: reach[name] if reach[name] >= _FEWEST[name] else -1)
    if reach[style] < _FEWEST[style]:
        return Citations("", ())
    numbers = {number for citation in by_style[style] for number in citation.numbers}
    named = _citations([(host, mark) for host, mark in worded if numbers.issuperset(mark.numbers)])
    by_style[style] += apart(named, by_style[style])
    return Citations(style, tuple(sorted(by_style[style], key=lambda citation: (citation.host, citation.start))))


def _counted(style: str, placed: list[tuple[int, Mark]]) -> list[Citation]:
    """Return the numeric citations of a style within the list they count."""
    certain = [mark.numbers for _, mark in placed if not mark.doubtful]
    length = list_length(number for numbers in certain for number in numbers)
    within = [numbers for numbers in certain if max(numbers) <= length]
    if style == "paren" and in_order(within) < _IN_ORDER:
        return []
    cited = {number for numbers in within for number in numbers}
    kept = [(host, mark) for host, mark in placed if max(mark.numbers) <= length]
    return _citations([(host, mark) for host, mark in kept if not (mark.doubtful and cited.intersection(mark.numbers))])


def _citations(placed: list[tuple[int, Mark]]) -> list[Citation]:
    return [Citation(host, mark.numbers, mark.start, mark.end) for host, mark in placed]


def _by_name_and_year(texts: Sequence[str]) -> list[Citation]:
    citations: list[Citation] = []
    proofs: set[str] = set()
    for host, text in enumerate(texts):
        for named in _NAME_AND_YEAR.finditer(text):
            if named["more"] or named["two"]:
                proofs.add(_folded(named.group()))
            elif _NOT_A_NAME.match(named.group().split()[0].rstrip(",")):
                continue
            citations.append(Citation(host, (), *named.span()))
    return citations if len(proofs) >= _FEWEST["author-year"] else []


def _unlisted_reach(texts: Sequence[str], citations: Sequence[Citation]) -> int:
    numbers = {number for citation in citations for number in citation.numbers}
    return len(numbers) or len({_folded(texts[cited.host][cited.start : cited.end]) for cited in citations})


def _folded(surface: str) -> str:
    return " ".join(re.findall(r"\w+", surface))
