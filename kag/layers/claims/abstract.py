"""What each sentence of an abstract does: background, objective, method, result, other.

A conditional random field over the sentences in their order, trained on CSAbstruct by
`scripts/benchmarks/train_claims.py`: roles follow each other, and place tells much.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from kag.layers.claims.tokens import well_formed
from kag.layers.models.crf import read

FOLDER = Path(__file__).parent
MOST = 60  # sentences that are read together
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_CUES = tuple(
    (name, re.compile(pattern, re.I))
    for name, pattern in (
        (
            "aim",
            r"\b(?:aims?|goals?|objectives?|purpose|intend\w*|in order to|seeks? to"
            r"|we (?:investigate|study|examine|explore|address|consider|ask))\b",
        ),
        (
            "paper",
            r"\b(?:in this (?:paper|work|study|article|letter|report)|this (?:paper|article|work|study|thesis|report)"
            r"|the (?:present|current) (?:paper|study|work)|here,? we)\b",
        ),
        (
            "propose",
            r"\bwe (?:\w+ )?(?:propose|present|introduce|describe|develop\w*|design\w*|implement\w*|formulate|extend"
            r"|combine|use|apply|employ)\b",
        ),
        (
            "results",
            r"\b(?:results?|experiments?|findings|evaluation|simulations?) (?:\w+ ){0,3}"
            r"(?:shows?|indicates?|demonstrates?|suggests?|reveals?|confirms?)\b",
        ),
        ("show", r"\bwe (?:\w+ )?(?:show|find|found|demonstrate|observe|prove|conclude|achieve|obtain)\w*\b"),
        ("however", r"^(?:however|although|while|despite|unfortunately|nevertheless|yet|but|though)\b"),
        ("number", r"\d+(?:\.\d+)? ?%|\bp ?[<=]|\bn ?="),
        (
            "better",
            r"\b(?:outperform\w*|improv\w+|better|superior|significant\w*|accura\w+|state[- ]of[- ]the[- ]art"
            r"|effective\w*|efficien\w+)\b",
        ),
        (
            "need",
            r"\b(?:challeng\w+|difficult\w*|problem|important|crucial|necessary|need|lack|remains?|unclear"
            r"|little is known|recent\w*|increasing\w*|become|widely|traditional\w*)\b",
        ),
        ("past", r"\b(?:was|were)\b"),
        ("present", r"\b(?:is|are)\b"),
        ("perfect", r"\b(?:has|have) been\b"),
        ("we", r"\b(?:we|our)\b"),
        (
            "so",
            r"\b(?:conclu\w+|in summary|implications?|future (?:work|research)|thus|therefore"
            r"|these (?:results|findings)|overall)\b",
        ),
        (
            "print",
            r"©|copyright|all rights reserved|keywords|doi|e-?mail|received|article history|published|wiley|elsevier",
        ),
    )
)


def abstract_roles(sentences: Sequence[str]) -> list[tuple[str, float]]:
    """The role of each sentence of an abstract, with the model's probability."""
    if not sentences or len(sentences) > MOST:
        return [("other", 0.0)] * len(sentences)
    return read(FOLDER / "abstract_roles.crf").label(abstract_features(sentences))


def abstract_features(sentences: Sequence[str]) -> list[dict[str, float]]:
    """What the model sees of each sentence: its words, weighing as much together as its place does, and phrases."""
    return [_features(sentence, at, len(sentences)) for at, sentence in enumerate(sentences)]


@lru_cache(maxsize=256)
def _words(sentence: str) -> tuple[str, ...]:
    words = ["0" if word.isdigit() else word.lower() for word in _WORD.findall(well_formed(sentence))]
    found = {f"w={word}" for word in words if word.isalpha() or word in "0%?"}
    found |= {f"b={one} {two}" for one, two in pairwise(words)}
    found |= {f"s={word[:5]}" for word in words if len(word) > 5}
    found |= {f"f{at}={word}" for at, word in enumerate(words[:3])}
    return tuple(sorted(found))


def _features(sentence: str, at: int, of: int) -> dict[str, float]:
    words = _words(sentence)
    weight = 1 / max(1, len(words)) ** 0.5
    found = dict.fromkeys(words, weight)
    place = [f"from start {min(at, 6)}", f"from end {min(of - 1 - at, 4)}", f"eighth {8 * at // of}"]
    place += [f"{at} of {min(of, 12)}", f"long {min(8, len(sentence) // 30)}"]
    for name, pattern in _CUES:
        if pattern.search(sentence):
            place += [name, f"{name} quarter {4 * at // of}"]
    return found | dict.fromkeys(place, 1.0)
