"""Sentences that are whole: what a page end cut off from its other half, and nothing joins, is no sentence to quote."""

from __future__ import annotations

import re

from kag.read.passage_index import SearchIndex
from kag.text.sentences import sentences

_CUT = re.compile(
    r"(?:\b(?:the|an?|of|and|or|in|to|by|for|with|among|from|that|which|is|are|was|were|between|at|as|on|into|than|its"
    r"|their|our|these|this|not|no|be|been|has|have|had)|[^\W_]-|,)\s*$"
)
_RUNNING = re.compile(r"[a-zß-öø-ÿ]{2,}(?![\w-]*[A-Z\d])")


def whole_sentences(number: int, index: SearchIndex) -> tuple[tuple[int, int], ...]:
    """The spans of a passage's sentences but for a last that breaks off, and a first that goes on from a page before.

    A paragraph with its continuations is one passage, so that only what was not joined is left out.
    """
    passage = index.passages[number]
    spans = sentences(passage.text)
    if passage.kind != "paragraph" or not spans:
        return spans
    first = 1 if _goes_on(number, index) and _RUNNING.match(passage.text, spans[0][0]) else 0
    last = len(spans) - 1 if _CUT.search(passage.text[slice(*spans[-1])]) else len(spans)
    return spans[first:last]


def _goes_on(number: int, index: SearchIndex) -> bool:
    """Whether the paragraph before stands on another page and ends with no mark."""
    before = index.passages[number - 1] if number else None
    pages = index.passages[number].pages
    return (
        before is not None
        and before.kind == "paragraph"
        and before.pages[-1:] != pages[:1]
        and before.text.rstrip()[-1:].isalnum()
    )
