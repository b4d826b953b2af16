"""Features of a token: attributes of the word and its neighbours, and of the lists that contain it.

Attributes of a word depend on nothing but the word and its distance, so a paper's distinct words are scored once
(`kag.layers.entities.trained`). What else is known of a place (names of lists, an abbreviation's long form, pairs of
words) comes as `Extra`: for each token a list of attributes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from kag.layers.entities.lexicon import Lexicon, Tokens, key, tokens
from kag.layers.entities.patterns import is_formula

AROUND = (-2, -1, 0, 1, 2)
Extra = Sequence[Sequence[str]]
Expanded = Mapping[str, Mapping[tuple[str, ...], Sequence[str]]]  # by the first word of a short form
Lists = Sequence[tuple[str, Lexicon]]  # each with the mark of its attributes
_RUNS = re.compile(r"(.)\1+")
_ONE = r"\1"
_APART = re.compile(r"[-–/:|+]")
_SYMBOLIC = re.compile(r"\w*[A-Z]\w*[A-Z0-9]|\w*[a-z]\w*\d|\w*\d\w*[a-zA-Z]|\w+[A-Z]")


def shape(word: str) -> str:
    """A word's letters and digits by class.

    >>> shape("BRCA1"), shape("mRNA"), shape("Δ9")
    ('XXXX0', 'xXXX', 'X0')
    """
    return "".join("0" if c.isdigit() else "X" if c.isupper() else "x" if c.isalpha() else c for c in word)


@lru_cache(maxsize=65_536)
def of_word(word: str) -> tuple[tuple[str, ...], ...]:
    """The attributes that a word gives to the token at each distance of `AROUND` before it (so -2: two before)."""
    low = word.lower()
    full = shape(word)
    short = _RUNS.sub(r"\1", full)
    near = (f"w={low}", f"s={short}", f"e={low[-3:]}", f"b={low[:3]}")
    own = [f"w={low}", f"s={short}", f"S={full[:8]}", f"n={re.sub('[0-9]', '0', low)}"]
    own += [f"b{n}={low[:n]}" for n in (1, 2, 3, 4) if len(low) > n]
    own += [f"e{n}={low[-n:]}" for n in (2, 3, 4, 5) if len(low) > n]
    own.append(f"l={min(len(word), 6)}")
    return (
        (f"-2|w={low}", f"-2|s={short}"),
        tuple(f"-1|{one}" for one in near),
        tuple(own),
        tuple(f"+1|{one}" for one in near),
        (f"+2|w={low}", f"+2|s={short}"),
    )


def extra(row: Tokens, lists: Lists, expanded: Expanded) -> list[list[str]]:
    """Return the features of each token's place: bigrams, names of lists, expansions of the paper's abbreviations."""
    found: list[list[str]] = [[] for _ in row.words]
    low = [word.lower() for word in row.words]
    for n in range(1, len(low)):
        found[n].append(f"p={low[n - 1]}|{low[n]}")
        found[n - 1].append(f"q={low[n - 1]}|{low[n]}")
    _runs(found, row)
    for mark, names in lists:
        for start, end, meanings in names.find(row):
            _mark(found, row, start, end, {f"{mark}{meaning.kind}" for meaning in meanings})
    _expand(found, row, expanded)
    return found


def wide(row: Tokens) -> list[list[str]]:
    """More of each token's place, for texts of formulas: words farther off, brackets, whether blanks stand beside."""
    low = [word.lower() for word in row.words]
    found: list[list[str]] = []
    depth = 0
    for n, word in enumerate(row.words):
        depth += word == "("
        before = n > 0 and row.starts[n] == row.ends[n - 1]
        behind = n + 1 < len(low) and row.starts[n + 1] == row.ends[n]
        features = [f"in={min(depth, 1)}", f"gl={before:d}{behind:d}"]
        features += [f"{by:+}|w={low[n + by]}" for by in (-3, 3) if 0 <= n + by < len(low)]
        if 0 < n < len(low) - 1:
            features.append(f"pn={low[n - 1]}|{low[n + 1]}")
        found.append(features)
        depth = max(0, depth - (word == ")"))
    return found


def _runs(found: list[list[str]], row: Tokens) -> None:
    """Say of tokens that stand in a run without blanks what the run looks like, and where in it they stand."""
    first = 0
    for n in range(1, len(row.words) + 1):
        if n < len(row.words) and row.starts[n] == row.ends[n - 1]:
            continue
        if n - first > 1:
            for at, feature in enumerate(of_run(row.text[row.starts[first] : row.ends[n - 1]])):
                for place in range(first, n):
                    found[place].append(feature if at else f"{feature}{min(place - first, 3)}")
            for place in range(first + 1, n):
                found[place].append("glued")
        elif is_formula(row.words[first]):
            found[first].append("formula")
        first = n


@lru_cache(maxsize=65_536)
def of_run(run: str) -> tuple[str, ...]:
    """Return the shape of a run of tokens without blanks."""
    bare = run.strip(".,;:()[]")
    inner = bare.replace("(", "").replace(")", "")
    found = [f"R={bare.lower()}:", f"Rs={_RUNS.sub(_ONE, shape(bare))[:12]}"]
    if any(is_formula(one) for one in (bare, inner, *_APART.split(bare))):
        found.append("formula")
    return tuple(found)


def _mark(found: list[list[str]], row: Tokens, start: int, end: int, kinds: set[str]) -> None:
    symbolic = "^" if any(_SYMBOLIC.fullmatch(row.words[n]) for n in range(start, end)) else ""
    for kind in sorted(kinds):
        feature = f"{kind}{symbolic}{min(end - start, 3)}"
        for n in range(start, end):
            found[n].append(f"{'B' if n == start else 'I'}:{feature}")
        if start:
            found[start - 1].append(f"+:{feature}")
        if end < len(found):
            found[end].append(f"-:{feature}")


def expansions(means: Mapping[str, str], lists: Lists) -> Expanded:
    """Features of each use of a short form: how its long form ends, and in which lists the long form is."""
    found: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for short, long in means.items():
        last = long.split()[-1].lower()
        kinds = sorted({one.kind for _, names in lists for one in names.look_up(key(long))})
        features = [f"A={last}", f"A3={last[-3:]}", f"A5={last[-5:]}", "A", *(f"AL={kind}" for kind in kinds)]
        if form := tokens(short).words:
            found.setdefault(form[0], {})[form] = features
    return found


def _expand(found: list[list[str]], row: Tokens, expanded: Expanded) -> None:
    for n, word in enumerate(row.words):
        for form, features in expanded[word].items() if word in expanded else ():
            if row.words[n : n + len(form)] == form:
                for at in range(n, n + len(form)):
                    found[at] += features
