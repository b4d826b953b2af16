"""Sentences that are whole: what a page end cut off from its other half, and nothing joins, is no sentence to quote."""

from __future__ import annotations

import re

from kag.read.passage_index import SearchIndex
from kag.text.sentences import sentences

_CUT = re.compile(
    r"(?:\b(?:the|an?|of|and|or|in|to|by|for|with|among|from|that|which|is|are|was|were|between|at|as|on|into|than|its"
    r"|their|our|these|this|not|no|be|been|has|have|had)|[^\W_]-|,)\s*$"
)
_LEAST = 3  # words of a sentence
_KEYS = re.compile(r"\W*(?:key ?words?|subject areas?|abbreviations|DOI)\b\W", re.I)
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


def is_statement(text: str, kind: str) -> bool:
    """Whether a sentence of a passage of that kind says something itself: no heading that runs into its paragraph, no
    question, no line of key words, none that only leads to what follows it.

    >>> is_statement("Conclusions.", "paragraph"), is_statement("In three cities we ask:", "paragraph")
    (False, False)
    """
    if kind not in ("paragraph", "footnote"):
        return True
    return len(text.split()) >= _LEAST and text.rstrip(" *_")[-1:] not in (":", "?") and not _KEYS.match(text)


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
