"""What a question on the text asks for: the words to look for, the kind of answer, and where such answers stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, takewhile

from kag.read.extract.kinds import Kind, asked_kinds
from kag.text.search_text import search_text, tokens

GLUE, WEAK = 0.1, 0.3  # weights of words that hold a question together, and of words that fit any paper

_GLUE_WORDS = """
    a an the this that these those there here it its they their them he she his her we our us you your i my me of in
    on at to for from by with and or but as than then so if while into over under between among during about per via
    within without upon onto through is are was were be been being has have had do does did can could may might will
    would shall should must what which who whom whose when where why how much many not no nor also any some all each
    both such more most other very only just et al s t please tell give up out off whether come comes came get gets got
    either neither across
"""
_WEAK_WORDS = """
    study studies paper article authors author research use used using show shows shown report reported find found
    describe described given main different important type types kind kinds role example examples term name called
    does result results purpose reason way ways following mentioned discussed according happen happened known based
    considered conclude concluded concludes conclusion conclusions cause causes caused effect effects see seen think
    say said state stated number numbers count longest shortest highest lowest largest smallest greatest biggest
    maximum minimum total overall altogether whole entire value values amount amounts quantity
"""
# words that ask of any paper what could be asked of the next one as well, in their plain form
_OF_ANY_WORDS = """algorithm analysis annotate annotated annotation annotator application approach architecture author
    baseline benchmark best better big case category challenge classification classifier collect collected compare
    compared comparison component corpora corpus criteria data dataset design develop developed different domain employ
    employed evaluate evaluated evaluation experiment experimental feature first framework good group human information
    input introduce introduced kind label language large layer learn learning level loss measure measured
    method methodology metric model modeling much network neural new novel obtain obtained outcome output parameter
    participant patient people perform performance performed platform previous prior problem procedure process propose
    proposed quality question related sample sampled score sentence set setting similar size source specific state
    strong subject system task technique term test tested testing text tool train trained training treatment treated
    variable word work"""
_OF_ANY = frozenset(_OF_ANY_WORDS.split())
_NUMBERED = frozenset(
    {"number", "percent", "energy", "cost", "age", "degrees", "weighs", "lasts"}
)  # kinds that a number answers
_GLUE, _WEAK = frozenset(_GLUE_WORDS.split()), frozenset(_WEAK_WORDS.split())
_PART = re.compile(
    r"(?<=[?;])\s+|,?\s+and\s+(?=(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|can)\b)",
    re.I,
)
_FOCUS = re.compile(
    r"\b(?:what|which|how (?:many|much)|who|whose)(?: (?:is|was|are|were|did|does|do))?(?: the| an?)? (?P<what>.+?)"
    r"(?= (?:of|in|on|at|for|to|from|by|with|between|among|during|per|is|are|was|were|did|does|do|has|have"
    r"|had|can|could)\b|\W*$)"
)
_FIRST = re.compile(  # "yield of the dye"
    r"(?P<what>.+?) (?:of|in|on|at|for|from|by|with|between|among|during|per)\b"
)
_COUNTED = re.compile(r"\b(?:how many|number of)\s(?P<what>(?:\S++\s?){1,4})")
_HOW = re.compile(
    r"\bhow (?P<much>long|often|soon|far|old|large|big|high|great|strong)\b"
)  # how much of what is asked, which no answer repeats
_TERM = re.compile(
    r"(?:what (?:is|are|was|were)(?: meant by)?|what do(?:es)?|define|who (?:is|are)) (?:an? |the )?[\"']?"
    r"(?P<term>[^\s?\"',]+(?: [^\s?\"',]+){0,2}?)[\"']?(?: (?:mean|stand for|denote|refer to|do))?[ ?.]*"
    r"|how (?:is|are|was|were) (?:an? |the )?(?P<defined>[^\s?\"',]+(?: [^\s?\"',]+){0,2}?) defined\b.*"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """`words` are looked for, each with its weight above 0 and up to 1; `pairs` stand side by side in the question.

    `text` is the question, `term` what a definition is asked of, in small letters; `counted` are the words for what is
    counted ("how many ..."), `head` the last of them; `kinds` are the kinds of answer, the more telling first;
    `places` are section types and titles, in small letters, where answers of this kind are likely; `focus` are the
    words for the very thing that is asked for.
    """

    text: str
    words: dict[str, float]
    pairs: tuple[tuple[str, str], ...]
    term: str = ""
    counted: frozenset[str] = frozenset()
    head: str = ""
    kinds: tuple[Kind, ...] = ()
    places: frozenset[str] = frozenset()
    focus: frozenset[str] = frozenset()

    @property
    def content(self) -> dict[str, float]:
        """The words that are no glue; all of them where there are no others."""
        return {word: weight for word, weight in self.words.items() if weight > GLUE} or self.words

    @property
    def needed(self) -> Kind | None:
        """The kind that tells what a sentence must have in it, if any does."""
        ways = ("sentence",) if self.counted else ("sentence", "extreme")  # "the total number of ..." is a count
        return next((kind for kind in self.kinds if kind.way in ways and kind.has), None)

    @property
    def kind(self) -> str:
        """The name of the kind that is needed, "" for none."""
        return self.needed.name if self.needed else ""

    @property
    def is_number(self) -> bool:
        """Whether a number is asked for."""
        return self.kind in _NUMBERED


def parts_of(question: str) -> tuple[str, ...]:
    """The questions that stand in one, in order.

    >>> parts_of("What is TNT, and who made it?")
    ('What is TNT', 'who made it?')
    """
    found = (part.strip() for part in _PART.split(question))
    return tuple(part for part in found if any(weight_of(word) == 1 for word in _texts(part))) or (question,)


def asked(question: str, around: str = "") -> Asked:
    """Read a question by its words alone. `around` is the question it is a part of: its other words count little."""
    form = " ".join(search_text(question).text.split())
    words = _texts(question)
    weights = {word: min(weight_of(word), WEAK) for word in _texts(around)}
    weights |= {word: weight_of(word) for word in words}
    weights |= {match["much"]: WEAK for match in _HOW.finditer(form) if match["much"] in words}
    telling = [word for word in words if weights[word] > GLUE]
    term, counted = _TERM.fullmatch(form), _COUNTED.search(form)
    kinds, focus = tuple(asked_kinds(question)), _FOCUS.search(form) or _FIRST.match(form)
    phrase = _texts(counted["what"]) if counted else []
    return Asked(
        text=question,
        words=weights,
        pairs=tuple((one, two) for one, two in pairwise(telling) if one != two),
        term=(term["term"] or term["defined"]).rstrip(".") if term else "",
        counted=frozenset(word for word in phrase if weight_of(word) == 1),
        head=_head(phrase),
        focus=frozenset(word for word in _texts(focus["what"] if focus else form) if weight_of(word) == 1),
        kinds=kinds,
        places=_union(kind.places | kind.beside for kind in kinds),
    )


def _head(phrase: Iterable[str]) -> str:
    """The last word of a phrase before one that holds it together: of "bee species were found" it is "species"."""
    told = list(takewhile(lambda word: weight_of(word) > GLUE, phrase))
    return next((word for word in reversed(told) if weight_of(word) == 1), "")


def is_of_kind(question: str) -> bool:
    """Whether a question asks for a part of the paper, or what a section says, rather than for printed things."""
    return any(kind.way in ("part", "overview", "section", "figure", "doi", "dated") for kind in asked_kinds(question))


def own_words(question: str, kind: Kind) -> list[str]:
    """The words of a question that say something beside asking for a kind."""
    words = (token.text for token in tokens(question, wholes=False))
    return [word for word in words if weight_of(word) == 1 and not kind.words.fullmatch(word)]


def weight_of(word: str) -> float:
    """What a word of a question weighs, whatever the paper."""
    return GLUE if word in _GLUE else WEAK if word in _WEAK else 1.0


def is_of_any(word: str) -> bool:
    """Whether a word asks of any paper what could be asked of the next one as well."""
    return word in _OF_ANY or word.removesuffix("s") in _OF_ANY


def _texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(name for names in sets for name in names)
