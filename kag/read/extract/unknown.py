"""Things that a question names and the paper has no word for: what is not there has no answer.

A word that is printed in no form may be another word for what is printed, mostly a verb or an adjective. A noun is so
less often, and the very thing that is asked for hardly ever: "which bees live here" of a paper on lakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kag.read.extract.asking import Asked, weight_of
from kag.read.extract.kin import kin_of
from kag.read.extract.kinds import kinds
from kag.read.extract.roots import relatives
from kag.read.passage_index import SearchIndex
from kag.text.quantities import find_quantities

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[?,;:.](?=\s|$)")
_ASKS = frozenset(("which", "what", "many"))
_BEFORE_WORDS = "the a an this that these those of in on at for from with between among under within into"
_VERB_WORDS = "is are was were did does do has have had can could will would should may might"
# what papers are made of, whether they print its name or not
_PAPER_WORDS = """abstract appendix caption chapter diagram equation equations expression figure figures footnote
    formula formulae formulas graph group groups heading image line list panel paragraph picture plot reference section
    sentence supplement table tables text title word words factor factors variable variables parameter parameters
    aspect aspects feature features characteristic characteristics thing things quantity value values amount level
    kind kinds reason reasons way ways"""
_BEFORE, _VERBS, _OF_PAPERS = (frozenset(words.split()) for words in (_BEFORE_WORDS, _VERB_WORDS, _PAPER_WORDS))
_OF = frozenset(("of", "", "and", "or"))  # what follows a noun: "" is the end, or a mark
_INSTANCE = re.compile(  # a name inside of a sentence, a number, words quoted, a list
    r"(?<=[\w,(] )[A-Z][\w.]+|\d|[“\"]|, [\w-]+(?: [\w-]+)?,? (?:and|or) |[a-z][A-Z]|: "
    r"|\b(?:such as|including|namely|called|known as)\b|\be\.g\."
)
_LETTERS = 4  # of the shortest noun
_SAME = 5  # letters that two words from one root begin with, at least
_SHARE = 0.7  # of a word's letters are its root


@dataclass(frozen=True, slots=True)
class _Run:
    """Words that tell something, side by side, with the word before them and the one behind ("" for the end)."""

    before: str
    words: tuple[str, ...]
    behind: str


def strange(need: Asked, index: SearchIndex) -> tuple[str, ...]:
    """The nouns of a question that a paper prints nowhere, as far as its wording tells nouns from other words.

    A word by which the kind of answer is asked for is not strange ("at what temperature" wants degrees), nor one with
    the root of a printed word.
    """
    runs = list(_runs(need.text))
    nouns = dict.fromkeys((*_asked_for(runs), *_nouns(runs), *_names(need.text)))
    return tuple(word for word in nouns if not _is_known(word.lower(), need, index))


def absent(need: Asked, index: SearchIndex) -> float:
    """The share of a question's words, by weight, that are nowhere in the paper, and no others for the same."""
    whole = sum(need.content.values()) or 1.0
    missing = (weight for word, weight in need.content.items() if not is_printed(word, index))
    return sum(missing) / whole


def is_printed(word: str, index: SearchIndex) -> bool:
    """Whether a paper prints a word in any form, or another for the same."""
    return bool(index.forms(word) or relatives(word, index)) or any(index.forms(one) for one in kin_of(word))


def names_none(need: Asked, sentence: str) -> bool:
    """Whether several things are asked for ("which models did they use") and a sentence has no name, number or list.

    >>> from kag.read.extract.asking import asked
    >>> need = asked("Which models did they use?")
    >>> names_none(need, "The models did better than the strong ones."), names_none(need, "We used models of Weir.")
    (True, False)
    """
    several = any(run.before in ("which", "what") and re.search(r"[^s]s$", run.words[-1]) for run in _runs(need.text))
    own = "|".join(re.escape(word) for word in need.words)
    return several and not _INSTANCE.search(re.sub(rf"\b(?:{own})\b", "-", sentence, flags=re.I))


def _runs(text: str) -> Iterator[_Run]:
    before, held = "", list[str]()
    for match in (*_WORD.finditer(text), None):
        word = match[0] if match else ""
        if word and word[0].isalnum() and weight_of(word.lower()) == 1:
            held.append(word)
            continue
        behind = word.lower() if word[:1].isalnum() else ""
        if held:
            yield _Run(before, tuple(held), behind)
        before, held = behind, []


def _asked_for(runs: Iterable[_Run]) -> Iterator[str]:
    """The first word behind "which" ("what" may have a verb there), and the last one where no verb can be: "which
    motor protein is"."""
    for run in runs:
        if run.before in _ASKS:
            helped = run.behind in _VERBS or run.behind == "of"
            yield from run.words[:1] if helped or run.before != "what" else ()
            yield from run.words[-1:] if helped else ()


def _nouns(runs: Iterable[_Run]) -> Iterator[str]:
    """The last words of phrases behind an article or a preposition."""
    for run in runs:
        if run.before == "that" and len(run.words) == 1 and run.words[0].endswith("s"):
            continue  # a verb: "the index that belongs to moss"
        if run.before in _BEFORE and (len(run.words) == 1 or (len(run.words) == 2 and run.behind in _OF)):
            yield run.words[-1]


def _names(text: str) -> Iterator[str]:
    """Words with a capital letter that do not begin the question."""
    return (match[0] for match in re.finditer(r"(?<=[\w,] )[A-Z][a-z]{3,}\b", text))


def _is_known(word: str, need: Asked, index: SearchIndex) -> bool:
    """Whether a paper prints a word, another for it or one with its root, or the word asks for the kind of answer."""
    if len(word) < _LETTERS or not word.isascii() or not word.isalpha() or word.endswith(("ed", "ing")):
        return True
    if is_printed(word, index) or _has_root(word, index):
        return True
    return word in _OF_PAPERS or _measures(word) or any(kind.words.fullmatch(word) for kind in need.kinds)


def _has_root(word: str, index: SearchIndex) -> bool:
    """Whether a word is printed that begins as this one does: "nesters" and "nesting"."""
    root = word[: max(_SAME, round(_SHARE * len(word)))]
    return len(word) > _SAME and any(True for _ in index.printed(_SAME, 99, root))


def _measures(word: str) -> bool:
    """Whether a word is a unit, or money: the paper may print its sign."""
    found = find_quantities(f"5 {word}")
    money = next(kind for kind in kinds() if kind.name == "cost")
    return any(one.unit_canonical for one in found) or bool(money.has and money.has.fullmatch(word))
