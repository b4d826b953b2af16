"""Replies to one question that do not come from ranked sentences alone: by the kind of answer that it asks for.

`reply` tries the ways of the question's kinds in their order; the first that finds anything answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from kag.rdf.namespaces import PRISM
from kag.read.checking.denial import denials
from kag.read.exact.facts import Found, stating
from kag.read.extract.asking import Asked, asked, own_words
from kag.read.extract.cells import line_value, near_cell
from kag.read.extract.citing import citing, without_asking
from kag.read.extract.claims import claims_of, sentence_claim
from kag.read.extract.compounds import settled
from kag.read.extract.expand import expand
from kag.read.extract.kinds import Kind
from kag.read.extract.parts import Told, overview, part, section
from kag.read.extract.ranking import Scored, rank
from kag.read.extract.whether import is_hedged, share, verdict
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.quote import beginning, evidence
from kag.text.search_text import tokens
from kag.values.evidence import Claim

CELL, COLUMN = 0.95, 0.95  # how sure of a cell, and of a column's extreme, that the whole question names
EXPANDED, CAPTION = 0.97, 0.97
OUTRIGHT = 0.85  # of a sentence that says yes or no to all words of a question
_AFFIRMED = 4  # the power of the share of its words, for a yes
_CITED = 0.9  # of the sentence's own confidence, for the entries that it cites
FLOAT = re.compile(  # a float as a question or a sentence names it
    r"\b(?P<kind>fig(?:ure)?|table|scheme|chart)s?\.?\s?(?P<number>[a-z]?\d{1,3})(?P<panel>\s?\(?[a-h]\)?)?(?!\w)", re.I
)
_LETTERS = re.compile(r"\b[Ww]hat (?:is|are) [A-Z]{2,6}s?\b\W*$")  # what letters mean is most of what they are
_TABLED = frozenset(
    {"number", "percent", "energy", "cost", "age", "degrees", "weighs", "lasts", "define", "extreme", "person", ""}
)  # kinds of answer that a cell may give
_NO_CELL = frozenset({"whether", "how", "why", "date", "place", "cite"})  # asked for with others, no cell answers


def reply(question: str, around: str, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """What a question comes to by its kind; None where sentences are to be ranked. `around` is the whole question."""
    need = settled(asked(question, around), index)
    for kind in need.kinds:
        way = _expand if kind.name == "define" and _LETTERS.search(question) else _WAYS.get(kind.way)
        found = way(question, kind, need, paper, index) if way else None
        if found is not None:
            return found
    if need.kind in _TABLED and _NO_CELL.isdisjoint(kind.name for kind in need.kinds):
        cell = near_cell(pointed(question, around), paper)
        return _surer(cell, CELL) if cell else None
    return None


def pointed(question: str, around: str) -> str:
    """A part of a question with the names of the whole in the place of its pronouns."""
    names = re.findall(r"(?<=[\w,] )[A-Z][\w-]+", around)
    if question == around or not names or not re.search(r"\b(?:it|its|they|their|them|there)\b", question):
        return question
    return re.sub(r"\b(?:it|its|they|their|them|there)\b", " ".join(dict.fromkeys(names)), question)


def _part(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    return _said(_PLACES[kind.way](question, kind, index), need, paper, index)


def _said(told: tuple[Told, ...], need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """Sentences as claims; the first says yes or no where that is asked for."""
    claims: list[Claim] = []
    for one in told:
        claims += list(claims_of(Scored(one.number, one.start, one.end, 0.0, 0.0), one.sure, paper, index))[:1]
    if not claims:
        return None
    if any(kind.way == "whether" for kind in need.kinds):
        answer = "no" if _denies(claims[0].text) else "yes"
        return Found((_answering(claims[0], answer), *claims[1:]), answer)
    return Found(tuple(claims))


def _denies(text: str) -> bool:
    return bool(re.search(r"\b(?:not|no|none|never|without|nor)\b", text)) and not re.search(
        r"without (?:restriction|undue)", text
    )


def _answering(claim: Claim, answer: str) -> Claim:
    return replace(claim, text=f"{claim.text.rstrip(' .?!')}: {answer}.")


def _whether(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """Yes or no by the best sentence that can tell; None where none of the best can."""
    ranked = rank(need, index)
    near = (one for one in ranked[:_LOOKED_AT] if one.score >= _NEAR * ranked[0].score and one.cover >= _COVERED)
    said = [(one, answer) for one in near if (answer := _verdict(question, one, index))]
    if not said:
        return None
    one, answer = max(said, key=lambda pair: round(pair[0].cover, 1))  # of equals the first
    claim = sentence_claim(one, 0.0, paper, index)
    held = share(question, claim.text)  # what is only near is sooner affirmed than denied
    sure = OUTRIGHT * (held**_AFFIRMED if answer == "yes" else held) * (_HEDGED if is_hedged(claim.text) else 1.0)
    return Found((_answering(replace(claim, confidence=round(sure, 2)), answer),), answer)


def _verdict(question: str, one: Scored, index: SearchIndex) -> str:
    passage = index.passages[one.number]
    return verdict(question, passage.text[one.start : one.end]) if passage.kind != "table" else ""


def _cite(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """The sentence that says it, and the entries that it cites."""
    need = replace(need, words=without_asking(need, kind), kinds=(), counted=frozenset())
    ranked = rank(need, index) if need.words else ()
    one, entries = citing(ranked[:_LOOKED_AT], paper, index)
    if one is None:
        return None
    sure = round(CELL * one.cover, 2)  # as of a cell: by the share of what is to be cited for that it has
    told = [
        Claim(" ".join(paper.nodes[iri].plain.split()), (evidence(paper, iri),), round(_CITED * sure, 2))
        for iri in entries
    ]
    return Found((sentence_claim(one, sure, paper, index), *told))


def _expand(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    found = expand(question, kind, index)
    if found is None:
        return None
    claim = sentence_claim(Scored(found.number, found.start, found.end, 0.0, 0.0), EXPANDED, paper, index)
    return Found((claim,), found.words if found.words in claim.text else None)


def _extreme(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    if any(one.way == "whether" for one in need.kinds):
        return None
    cell = near_cell(question, paper)
    column = line_value(question, paper)
    if cell and (column is None or cell[1] >= column[1]):
        return _surer(cell, CELL)
    return _surer(column, COLUMN) if column else None


def _surer(found: tuple[Found, float], most: float) -> Found:
    """What a table says, as sure as the share of the question that it explains."""
    told, share = found
    claims = tuple(replace(claim, confidence=round(most * share, 2)) for claim in told.claims)
    return Found(claims, told.value)


def _figure(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """The caption of a float that a question names by number, and nothing else."""
    named = FLOAT.search(question)
    rest = [word for word in own_words(FLOAT.sub(" ", question), kind) if len(word) > 1]
    if named and denials(question):  # what it does not show no caption says
        return Found(searches=("captions",))
    if not named or rest:
        return None
    wanted = "Table" if named["kind"].lower().startswith("tab") else "Figure"
    hits = [node for node in paper.of_kind(wanted) if node.number.lower() == named["number"].lower()]
    caption = paper.caption_of(hits[0].iri) if len(hits) == 1 else None
    if caption is None:
        return None
    told = " ".join(caption.plain.split())
    return Found(
        (Claim(told, (evidence(paper, caption.iri),), CAPTION),), FLOAT.sub("", told, count=1).lstrip(" .:") or None
    )


_OF_DOI = frozenset(["doi", "digital", "object", "identifier", "publication", "manuscript", "whats", "please"])


def _doi(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """The paper's own DOI where a page prints it outside of entries and statements on data; None where the question
    names something else whose DOI may be meant."""
    own = {token.text for token in tokens(paper.title)} | _OF_DOI
    if any(weight == 1 and word not in own for word, weight in need.words.items()):
        return None
    stated = paper.graph.value(paper.document, str(PRISM.doi))
    for node in paper.nodes.values():
        if node.kind != "BibliographicReference" and stated:
            at = node.text.find(stated)
            if at >= 0:
                place = evidence(paper, node.iri, at, at + len(stated))
                return stating(f"The DOI of the paper is {stated}.", stated, [place, beginning(paper, node.iri)])
    return Found(searches=("DOI on the paper's own pages",))


def _dated(question: str, kind: Kind, need: Asked, paper: PaperGraph, index: SearchIndex) -> Found | None:
    """The notice on the first pages that tells when the paper came out."""
    for iri, node in list(paper.nodes.items())[:_FRONT]:
        match = _PUBLISHED.search(node.text) if len(node.text) < _NOTICE else None
        if match:
            return stating(node.plain, match["when"], [evidence(paper, iri)], confidence=0.85)
    return Found(searches=("date of publication on the first pages",))


_LOOKED_AT = 6  # sentences
_NEAR, _COVERED = 0.75, 0.55  # of the best score, and of the question, for a sentence that says yes or no
_HEDGED = 0.7  # of its confidence is left to what may be so
_FRONT, _NOTICE = 80, 600
_PUBLISHED = re.compile(
    r"(?:\bpublished\b(?: online)?[^\d]{0,40}|©\s?(?:copyright )?)(?P<when>\d{1,2}\.? [A-Z]\w+,? \d{4}"
    r"|[A-Z]\w+ \d{1,2}, \d{4}|(?:19|20)\d\d)",
    re.I,
)
_PLACES: dict[str, Callable[[str, Kind, SearchIndex], tuple[Told, ...]]] = {
    "part": part,
    "overview": overview,
    "section": section,
}
_Way = Callable[[str, Kind, Asked, PaperGraph, SearchIndex], Found | None]
_WAYS: dict[str, _Way] = {
    **dict.fromkeys(_PLACES, _part), "whether": _whether, "cite": _cite, "expand": _expand, "extreme": _extreme,
    "figure": _figure, "doi": _doi, "dated": _dated,
}  # fmt: skip
