"""How far "not" and "may" reach: cues and the words they rule.

A cue rules from itself to an end that a conditional random field finds, or from its subject on ("the gene is not
expressed"), as BioScope marks it (Vincze et al. 2008). The models (`negation_scopes`, `hedge_scopes`) were trained on
it by `scripts/benchmarks/train_claims.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kag.layers.claims.cues import KINDS, Cue, find_cues
from kag.layers.claims.scope_features import scope_features
from kag.layers.claims.tokens import Token
from kag.layers.models.crf import read
from kag.layers.values import Mention, Scope

FOLDER = Path(__file__).parent
RULE = "scopes 1"
LONGEST = 4000  # characters of a sentence that is read


def find_scopes(sentence: str, node: str = "", start: int = 0) -> tuple[Scope, ...]:
    """The cues of a sentence with their scopes, in order; the sentence begins at `start` of its passage.

    >>> [(scope.kind, scope.cue.text) for scope in find_scopes("This may not be the cause.")]
    [('hedge', 'may'), ('negation', 'not')]
    """
    if len(sentence) > LONGEST:
        return ()
    found = []
    for kind in KINDS:
        row, cues = find_cues(sentence, kind)
        for cue in cues:
            first, last = scope_of(row, cue, kind)
            words = sentence[cue.start : cue.end]
            mention = Mention(node, start + cue.start, start + cue.end, words, kind, cue.score, RULE)
            found.append(Scope(kind, mention, start + first, start + last))
    return tuple(sorted(found, key=lambda scope: (scope.cue.start, scope.kind)))


def scope_of(row: Sequence[Token], cue: Cue, kind: str) -> tuple[int, int]:
    """The characters that a cue rules, itself among them; the stop of the sentence is not."""
    model = read(FOLDER / f"{kind}_scopes.crf")
    labels = model.best(model.scores(scope_features(row, cue.first, cue.last)))
    inside = [at for at, label in enumerate(labels) if model.labels[label] in "SI"]
    first = min([*inside, cue.first])
    last = max([*inside, cue.last - 1])
    while last >= cue.last and row[last].text in ".;":
        last -= 1
    return min(row[first].start, cue.start), max(row[last].end, cue.end)


def scope_labels(row: Sequence[Token], start: int, end: int) -> list[str]:
    """What the model is taught for a scope: before it B, its first token S, then I, the first after it E, then A."""
    inside = [at for at, token in enumerate(row) if token.end > start and token.start < end]
    first, last = inside[0], inside[-1]
    return [
        "B" if at < first else "S" if at == first else "I" if at <= last else "E" if at == last + 1 else "A"
        for at in range(len(row))
    ]
