"""Words of one root that English stems keep apart: "purification" and "purified", "stability" and "stable".

Only endings by which a verb or an adjective becomes a noun are taken off; the paper's own words tell what there is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kag.read.passage_index import SearchIndex

_LEAST, _SURE = 4, 5  # letters of a root, and of one that a short ending leaves
_LONGER = 9  # letters that the longest ending adds
_ENDINGS = tuple(
    (re.compile(rf"(?:{pattern})$"), put, least)
    for pattern, put, least in (
        (r"if(?:ications?|iers?|ied|ies|ying|y)", "if", _LEAST),
        (r"pl(?:ications?|ied|ies|ying|y)", "pl", 3),
        (r"i[sz](?:ations?|ed|es|ing|ers?|e)", "iz", _LEAST),
        (r"uc(?:tions?|ed|es|ing|ers?|e)", "uc", _LEAST),
        (r"b(?:ility|ilities|le|ly)", "bl", _LEAST),
        (r"ments?|[ae]nces?|ities|ity|ings?|ed", "", _LEAST),
        (r"ures?|ions?|[eo]rs?|es?|ly|ness", "", _SURE),
    )
)


def relatives(word: str, index: SearchIndex) -> tuple[str, ...]:
    """The printed words of a word's root, where no word of its stem is printed."""
    root = root_of(word)
    if not root or index.forms(word):
        return ()
    near = index.printed(len(root), len(root) + _LONGER, root[:-1])
    return tuple(one for one in near if root_of(one) == root)


@lru_cache(maxsize=65536)
def root_of(word: str) -> str:
    """What a word has in common with others of its root; "" for one that is too short, or no plain word.

    >>> root_of("purification"), root_of("purified"), root_of("stability"), root_of("stable"), root_of("lake")
    ('purif', 'purif', 'stabl', 'stabl', '')
    """
    if not (word.isascii() and word.isalpha()):
        return ""
    for ending, put, least in _ENDINGS:
        root = ending.sub(put, word)
        if root != word and len(root) >= least:
            return root
    return word if len(word) >= _SURE else ""
