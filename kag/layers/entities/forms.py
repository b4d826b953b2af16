"""Names in a form in which ways of saying one thing meet: order, number, spelling, and words of one meaning.

"cancer of the colon", "colonic tumours" and "Colonic Neoplasms" have one form. Lists are written in these forms and
names brought to them before they are looked up, so that it does not matter whether a form is a word.
"""

from __future__ import annotations

import re
from functools import lru_cache

_ALIKE = {
    "neoplasm": "cancer tumor carcinoma malignancy",
    "kidney": "renal nephric",
    "liver": "hepatic",
    "heart": "cardiac",
    "lung": "pulmonary",
    "brain": "cerebral",
    "stomach": "gastric",
    "ovary": "ovarian",
    "colon": "colonic",
    "prostate": "prostatic",
    "bladder": "vesical",
    "skin": "cutaneous dermal",
    "bone": "osseous",
    "pancreas": "pancreatic",
    "breast": "mammary",
    "esophagus": "esophageal",
    "uterus": "uterine",
    "thyroid": "thyroidal",
    "bleeding": "hemorrhage",
    "disorder": "disease",
    "1": "i",
    "2": "ii",
    "3": "iii",
    "4": "iv",
}
_FORM = {said: form for form, some in _ALIKE.items() for said in some.split()}
_NAMED = re.compile("alpha|beta|gamma|delta|epsilon|kappa|zeta")
_UNITS = frozenset(("subunit", "chain", "isoform"))
_EMPTY = frozenset(("a", "an", "the", "of", "in", "and", "with", "to", "for", "by", "on", "s"))
_SPELT = ((re.compile("[ao]e"), "e"), (re.compile(r"(?<=\w\w)our$"), "or"), (re.compile("sulph"), "sulf"))
_SINGULAR = (
    (re.compile(r"(?<=\w\w\w)ies$"), "y"),
    (re.compile(r"(?<=\w\w)(sta|e|\w\w\wo)ses$"), r"\1sis"),
    (re.compile(r"(?<=\w\w)(?<=s|x|h)es$"), ""),
    (re.compile(r"(?<=\w\w)(?<![sui])s$"), ""),
)
_SHORT = 5  # letters of words and symbols that are spelt in one way
_DERIVED = (
    (re.compile(r"(?<=\w\w\w)(?:osis|otic)$"), "osis"),
    (re.compile(r"(?<=\w\w\w)(?:psy|ptic)$"), "psy"),
    (re.compile(r"(?<=\w\w\w)(?:ia|y|ic|ical|icity)$"), "y"),
    (re.compile(r"(?<=\w\w\w[st])(?:ive|ion)$"), "ion"),
)


@lru_cache(maxsize=65_536)
def plain(word: str) -> str:
    """A word of a key in the spelling, number and meaning in which names meet; no word of a language, often.

    >>> [plain(one) for one in ("tumours", "renal", "anaemia", "leukemic", "metastases", "ii", "stress")]
    ['neoplasm', 'kidney', 'anemy', 'leukemy', 'metastasis', '2', 'stress']
    """
    for pattern, to in _SINGULAR:
        if pattern.search(word):
            word = pattern.sub(to, word)
            break
    for pattern, to in _SPELT if len(word) > _SHORT else ():
        word = pattern.sub(to, word)
    word = _FORM.get(word, word)
    return next((ending.sub(to, word) for ending, to in _DERIVED if ending.search(word)), word)


def loose(key: str, kind: str = "disease") -> str:
    """The form of a key: its words plain, without those of grammar, and in the order of the alphabet.

    Words of chemicals keep their order, for "1,2-" is not "2,1-".

    >>> loose("cancer of the colon") == loose("colonic tumours") == loose("colonic neoplasms")
    True
    >>> loose("1 , 3 dichloro 2 butene", "chemical") == loose("1 , 2 dichloro 3 butene", "chemical")
    False
    """
    words = [plain(word) for word in key.split() if word not in _EMPTY]
    return " ".join(words if kind == "chemical" else sorted(set(words)))


def compact(key: str) -> str:
    """The form of a gene's key: without blanks, Greek letters by their first.

    >>> compact("tgf beta 1") == compact("tgf b 1") == compact("tgfb 1")
    True
    """
    joined = "".join(word for word in key.split() if word not in _UNITS)
    return _NAMED.sub(lambda letter: letter[0][0], joined)
