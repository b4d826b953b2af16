"""Plain texts of any domain by its phrases: `Metformin treats diabetes` where the domain says what `treats` links.

A sentence is read where a phrase of an edge stands between two names. A name is a run of words that begins with a
capital or holds a digit, or, behind `the gene`, the word there; of which label it is, says such a word, else the edge.
Where both leave it open, nothing is drafted: it is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.agents.ingest.values import Document, Draft
from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.schema import ANY
from kag.text.sentences import sentences

AUTHOR = "rule:phrases"
_NAME = r"[A-Z0-9][\w'’/+-]*(?: (?:of |de |van )?[A-Z0-9][\w'’/+-]*){0,5}|[a-z]+\d[\w-]*"
_DENIAL = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot|may|might|could|whether|if)\b|n't\b", re.IGNORECASE)
_ARTICLE = frozenset(
    {"The", "A", "An", "This", "That", "These", "Those", "It", "He", "She", "They", "We", "In", "On", "At"}
)


def read_phrases(document: Document, domain: Domain) -> tuple[Contribution, ...]:
    """The draft of a text."""
    draft, known = Draft(document, AUTHOR), dict[tuple[str, str], str]()
    for begin, end in sentences(document.text):
        sentence = document.text[begin:end]
        if _DENIAL.search(sentence):
            continue
        for label, ends in _links(domain, sentence):
            ids = []
            for kind, name, at in ends:
                span = begin + at, begin + at + len(name)
                key = kind, name.casefold()
                if key in known:
                    draft.again(known[key], span)
                else:
                    key_name = next(iter(domain.names.get(kind, ("name",))))
                    known[key] = draft.node(kind, name, span, {key_name: name})
                ids.append(known[key])
            draft.edge(label, ids[0], ids[1], (begin, end))
    return draft.said


def _links(domain: Domain, sentence: str) -> Iterator[tuple[str, list[tuple[str, str, int]]]]:
    """The edges that a sentence says, each with label, name and place of both ends."""
    kinds = {label.casefold(): label for label in domain.schema.node_labels}
    words = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True)) or "(?!)"
    for label, phrases in domain.phrases.items():
        for phrase in phrases:
            said = re.escape(phrase.removeprefix("^"))
            form = rf"(?:\b(?P<k1>{words})\s+)?(?P<n1>{_NAME})(?:\s+(?P<k2>{words}))?\s+{said}\s+"
            form += (
                rf"(?:the\s+|a\s+)?(?:(?P<k3>{words})\s+)?(?P<n2>{_NAME}|[a-z][\w-]+)(?:\s+(?P<k4>{words}))?(?=\W|\Z)"
            )
            for match in re.finditer(form, sentence):
                first = (kinds.get(match["k1"] or match["k2"] or "", ""), match["n1"], match.start("n1"))
                second = (kinds.get(match["k3"] or match["k4"] or "", ""), match["n2"], match.start("n2"))
                ends = (second, first) if phrase.startswith("^") else (first, second)
                typed = _typed(domain, label, ends)
                if typed and not {match["n1"], match["n2"]} & _ARTICLE:
                    yield label, typed


def _typed(
    domain: Domain, label: str, ends: tuple[tuple[str, str, int], tuple[str, str, int]]
) -> list[tuple[str, str, int]]:
    """The ends with their labels, where words and the edge leave one choice; else nothing."""
    fits = [
        (s, t)
        for s, t in domain.schema.ends(label)
        if ANY not in (s, t) and ends[0][0] in ("", s) and ends[1][0] in ("", t)
    ]
    if len(fits) != 1:
        return []
    return [(kind, name, at) for kind, (_, name, at) in zip(fits[0], ends, strict=True)]
