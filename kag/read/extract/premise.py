"""What a question takes for granted and the paper says otherwise: a number with another one in its place."""

from __future__ import annotations

import re
from dataclasses import replace

from kag.read.checking.rules.words import words
from kag.read.extract.asking import Asked
from kag.read.extract.values import without_callouts
from kag.read.passage_index import SearchIndex
from kag.text.quantities import find_quantities

_LABEL = re.compile(
    r"\b(?:fig(?:ure)?s?|tables?|sections?|refs?|references?|eqs?|equations?|steps?|phases?|types?|grades?|stages?|days?|weeks?|"
    r"year|group|chapter|appendix|panel|version|class|level|top|first|last|between|age|aged|of|in|since|until|from|during)"
    r"\.?\s*[\[(]?\d[\d.,\-– ]*(?![\d%])", re.I)  # fmt: skip
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_GIVEN = re.compile(
    r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])(?P<percent>\s?%| per ?cent)?"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|hundred)\b(?= [a-z])",
    re.I,
)


def false_number(question: str, sentence: str) -> tuple[str, str]:
    """A number of a question that its answer does not print, and what that prints in its place, as far as it does; both
    empty where all is well.

    >>> false_number("Why did 80% leave wood?", "Dead wood was left by 21% and burnt by none.")
    ('80%', '21%')
    """
    bare = without_callouts(sentence)
    told = numbers(bare)
    asked = [match for match in _GIVEN.finditer(_LABEL.sub(" ", question)) if not _YEAR.fullmatch(match[0])]
    for match in asked:
        if numbers(match[0]) <= told:
            continue
        instead = _instead(question, match[0].strip(), bool(match["percent"]), bare)
        return match[0].strip(), instead
    return "", ""


def numbers(text: str) -> set[float]:
    """The numbers of a text as they are printed, in digits or words.

    >>> sorted(numbers("In 1,234 of two groups at 3.50 nM"))
    [2.0, 3.5, 1234.0]
    """
    return {word.printed for word in words(text) if word.is_number}


def without_strange_numbers(need: Asked, index: SearchIndex) -> Asked:
    """What is asked, without the numbers that the paper prints nowhere: the sentence with another one is looked for."""
    words = {word: weight for word, weight in need.words.items() if not word[0].isdigit() or index.forms(word)}
    return replace(need, words=words) if words else need


def without_given(need: Asked) -> Asked | None:
    """What is asked without the numbers that the question takes for granted: it asks why, or whether it is so, and for
    no number itself. None where it takes none."""
    sure = {kind.way if kind.way == "whether" else kind.name for kind in need.kinds}
    given = [
        match[0].strip(" %").lower()
        for match in _GIVEN.finditer(_LABEL.sub(" ", need.text))
        if not _YEAR.fullmatch(match[0])
    ]
    if not given or need.is_number or sure.isdisjoint(("why", "whether")):
        return None
    words = {word: weight for word, weight in need.words.items() if not any(one.split()[0] == word for one in given)}
    return replace(need, words=words, pairs=tuple(pair for pair in need.pairs if words.keys() >= set(pair)))


def _instead(question: str, number: str, percent: bool, sentence: str) -> str:
    """The first value of the sentence that is of the same kind as a number of the question."""
    if percent:
        found = re.search(r"(?<![\w.])\d+(?:\.\d+)?\s?(?:%|per ?cent)", sentence)
        return found[0] if found else ""
    asked = next((one for one in find_quantities(question) if number in one.surface), None)
    if asked and asked.unit_canonical:
        same = [one.surface for one in find_quantities(sentence) if one.unit_canonical == asked.unit_canonical]
        return same[0] if same else ""
    following = re.search(rf"{re.escape(number)}\s+(?:\w+\s+)?(?P<noun>[a-z]{{3,}})", question, re.I)
    if not following:
        return ""
    noun = following["noun"][:5]
    counted = re.search(rf"(?<![\w.,-])(?P<count>\d[\d,]*|[a-z]+)\s+(?:\w+\s+)?{re.escape(noun)}\w*", sentence, re.I)
    return counted["count"] if counted and numbers(counted["count"]) else ""
