"""Forms under which a name that is in no list may be known: what they lead to is close, never exact."""

from __future__ import annotations

import re
from collections.abc import Iterator

GENERAL = frozenset(
    f"mesh:{number}"
    for number in (
        *("D004194", "D013577", "D000013", "D003643", "D010641", "D014947", "D009336"),  # "disease", "death", "injury"
        *("D004364", "D000143", "D006728", "D002823", "D010446", "D011506"),  # "drug", "acid", "hormone", "protein"
        *("D012964", "D011188", "D000085", "D005650", "D009930"),  # "sodium", "acetate"
    )
)
"""Headings so wide that the last word of a name says nothing by leading there."""
_SIGNS = frozenset(
    ("dysfunction", "impairment", "damage", "toxicity", "lesion", "abnormality", "abnormalities", "complication",
     "defect", "deficit", "symptom", "problem", "deterioration", "event", "disturbance", "toxicities")
)  # fmt: skip
_BRACKETS = re.compile(r" ?\( [^()]* \)")
_IN_BRACKETS = re.compile(r"^.*?\( ([^()]*) \)")
_FAMILY = ("1", "alpha", "a", "1 a", "alpha 1")  # what the first one of a family has behind the family's name
_SHORTEST = 2  # letters of what may be a family
_LETTERS = frozenset(("alpha", "beta", "gamma", "delta", "epsilon", "a", "b", "c", "g"))


def near_diseases(form: str) -> Iterator[str]:
    """The disease that a sign of it speaks of, from the key of a name.

    >>> [*near_diseases("cardiac dysfunction")][0], [*near_diseases("hiv infected")][0]
    ('cardiac disease', 'hiv infection')
    """
    *before, last = form.split() or [""]
    if last in _SIGNS or last.removesuffix("s") in _SIGNS:
        yield " ".join([*before, "disease"])
    if last.endswith("ed"):
        yield f"{form[:-2]}ion"
        yield form[:-1]
    if form:
        yield f"{form} disease"


def near_genes(form: str) -> Iterator[str]:
    """The gene that a name with a short form in brackets, of an isoform, of a receptor or of a family means.

    >>> [*near_genes("toll like receptor ( tlr ) 4")][:2], "epo r" in near_genes("epo receptor")
    (['toll like receptor 4', 'tlr 4'], True)
    >>> "nrg 1" in near_genes("nrg 1 beta"), "tubulin alpha" in near_genes("alpha tubulin")
    (True, True)
    """
    if "(" in form:
        yield _BRACKETS.sub("", form)
        yield _IN_BRACKETS.sub(r"\1", form)
    first, *others = form.split() or [""]
    if others and first in _LETTERS:
        yield " ".join([*others, first])
    if others and others[-1] == "receptor":
        yield from (f"{form.removesuffix('receptor')}{ending}" for ending in ("r", "r 1", "r a"))
    if len(others) > 1 and others[-1] in _LETTERS:
        yield " ".join([first, *others[:-1]])
    if len(form) > _SHORTEST and form not in _LETTERS:
        yield from (f"{form} {ending}" for ending in _FAMILY)
