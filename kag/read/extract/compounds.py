"""Compounds of a question in the form in which the paper prints them: "whistle-blower" as "whistleblower", "24 hours"
as "24" and "hours" where it prints "24 h"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kag.read.extract.asking import Asked
from kag.read.extract.unknown import is_printed
from kag.read.passage_index import SearchIndex
from kag.text.search_text import tokens


def settled(need: Asked, index: SearchIndex) -> Asked:
    """What is asked, a compound only whole where its parts are not printed, and only in parts where it is not: else
    one thing counts twice, once as a word that the paper lacks."""
    gone = set(_gone(need.text, index))
    words = {word: weight for word, weight in need.words.items() if word not in gone}
    if not gone or not words:
        return need
    return replace(
        need,
        words=words,
        pairs=tuple(pair for pair in need.pairs if gone.isdisjoint(pair)),
        counted=need.counted - gone or need.counted,
        focus=need.focus - gone or need.focus,
    )


def _gone(text: str, index: SearchIndex) -> Iterator[str]:
    found = tokens(text)
    for whole in found:
        parts = [one for one in found if one != whole and whole.start <= one.start and one.end <= whole.end]
        if len(parts) < 2:
            continue
        lacking = [one.text for one in parts if not is_printed(one.text, index)]
        if not index.forms(whole.text):
            yield from [whole.text] if not lacking else []
        else:
            yield from lacking
