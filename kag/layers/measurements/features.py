"""The features of a sentence's tokens for the labellers of measurements, and the labellers themselves.

`QUANTITY` and `CONTEXT` describe words and their neighbours; `quantities` and `contexts` places. The labellers are two
conditional random fields that `scripts/benchmarks/train_measurements.py` trains.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.text.crf import EDGE, Crf, Look, Words, WordScores, read, read_card
from kag.text.quantities import Quantity
from kag.text.quantities.units import is_unit
from kag.text.search_text import SearchText, search_text

MOST_TOKENS = 300  # of a sentence; what stands behind them is not labelled
_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|\S")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`words[n]` is `form.text[starts[n]:ends[n]]`; `shift` is where the sentence begins in its passage."""

    form: SearchText
    shift: int
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The characters of the passage that the tokens from `first` to `last` (inclusive) are printed with."""
        start, end = self.form.span(self.starts[first], self.ends[last])
        return start + self.shift, end + self.shift

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The first token of a span of the passage and the one behind its last; equal where it has none.

        A token counts when its middle is inside.
        """
        first, last = (bisect_left(range(len(self.words)), 2 * at, key=self._twice_middle) for at in (start, end))
        return (first, last) if last > first else (0, 0)

    def _twice_middle(self, n: int) -> int:
        """Two times the middle of a token in the passage."""
        start, end = self.span(n, n)
        return start + end - 1


def sentence(text: str, start: int, end: int) -> Sentence:
    """The sentence `text[start:end]`.

    >>> sentence("Ice. Near 1.4Rp.", 5, 16).words
    ('Near', '1.4', 'Rp', '.')
    """
    form = search_text(text[start:end], fold_case=False)
    words, starts, ends = [], [], []
    for match in _TOKEN.finditer(form.text):
        words.append(match[0])
        starts.append(match.start())
        ends.append(match.end())
        if len(words) == MOST_TOKENS:
            break
    return Sentence(form, start, tuple(words), tuple(starts), tuple(ends))


LISTS = {
    name: frozenset(words.split())
    for name, words in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8")).items()
}
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SUFFIX = re.compile(
    r"(?:ing|ed|ly|tion|sion|ment|ness|ity|ance|ence|ism|ics|ure|age|al|ic|ous|ive|able|ible|ary|ful|less|est|er|or|ize"
    r"|ise|ate|ies|es|s)$"
)
_KINDS = (
    ("share", "% ‰ wt% vol% mol% ppm ppb ppt fold"),
    ("time", "s ms us ns min h d wk mo a"),
    ("length", "m cm mm um nm km Å bp kbp Mbp"),
    ("heat", "K °C °F"),
    ("mass", "g mg ug ng kg Da kDa"),
    ("volume", "L mL uL nL dL"),
    ("angle", "°"),
    ("energy", "eV keV MeV GeV J kJ W kW MW kcal"),
    ("pressure", "Pa kPa MPa GPa bar mbar ubar Torr atm mmHg"),
)
_KIND = {unit: kind for kind, units in _KINDS for unit in units.split()}


@dataclass(frozen=True, slots=True)
class TokenFeatures:
    """The features of the tokens of a sentence: `words` in one form, `forms` by their letters, coarse `classes`."""

    words: tuple[str, ...]
    forms: tuple[str, ...]
    classes: tuple[str, ...]


def token_features(sentence: Sentence) -> TokenFeatures:
    """The features of each token of a sentence by itself."""
    tokens = [_token(word) for word in sentence.words]
    return TokenFeatures(*zip(*tokens, strict=True)) if tokens else TokenFeatures((), (), ())


@lru_cache(maxsize=50_000)
def _token(word: str) -> tuple[str, str, str]:
    form, small = _form(word), word.casefold()
    listed = next((kind for kind, words in LISTS.items() if small in words), "")
    return form if word[0].isdigit() else small, form, listed or _kind(word, form)


def _own(word: str) -> list[str]:
    """The features of a word itself."""
    name, form, kind = _token(word)
    small = word.casefold()
    features = [f"w={name}", f"f={form}", f"c={kind}", *(f"l={one}" for one, words in LISTS.items() if small in words)]
    if word[0].isalpha():
        ending = _SUFFIX.search(small)
        features += [f"s={ending[0] if ending and len(small) > 4 else '-'}", f"s3={small[-3:]}", f"p4={small[:4]}"]
        features += ["unit"] if is_unit(word) else []
    return features


def _beside(word: str, by: int) -> tuple[str, ...]:
    """The features that a word gives the token at distance `by`: the farther, the fewer."""
    if word == EDGE:
        return (f"{by}none",) if abs(by) < 4 else ()
    name, form, kind = _token(word)
    if abs(by) > 3:
        return (f"{by}c={kind}",)
    return (f"{by}w={name}", f"{by}c={kind}", f"{by}f={form}")[: 3 if abs(by) < 3 else 2]


def _for_quantities(word: str) -> list[Sequence[str]]:
    return [(_beside(word, by) if by else _own(word) if word else ()) for by in QUANTITY.around]


def _for_contexts(word: str) -> list[Sequence[str]]:
    return [(_beside(word, by)[:2] if by else _own(word) if word else ()) for by in CONTEXT.around]


QUANTITY = Look(tuple(range(-5, 6)), _for_quantities)
CONTEXT = Look(tuple(range(-2, 3)), _for_contexts)


def _kind(word: str, form: str) -> str:
    """A coarse part of speech, where no list knows the word."""
    if word[0].isdigit():
        return "digit"
    if not word[0].isalpha():
        return f"mark{word}"
    if form in ("X", "XX", "XXX", "Mx"):
        return "name"
    small = word.casefold()
    for ending, kind in (("ly", "adverb"), ("ing", "ing"), ("ed", "ed")):
        if len(word) > 4 and small.endswith(ending):
            return kind
    return "Word" if word[0].isupper() else "word"


def _form(word: str) -> str:
    if word[0].isdigit():
        if _YEAR.fullmatch(word):
            return "year"
        return "decimal" if not word.isdigit() else f"{min(len(word), 5)}d"
    if not word[0].isalpha():
        return word
    if word.islower():
        return f"x{min(len(word), 4)}"
    if word.isupper():
        return "X" if len(word) == 1 else "XX" if len(word) < 4 else "XXX"
    return "Xx" if word[1:].islower() else "Mx"


def quantities(sentence: Sentence, tokens: TokenFeatures, ruled: Sequence[Quantity]) -> list[list[str]]:
    """The features of each token for finding quantities, in addition to those of words."""
    count = len(tokens.words)
    rules = _by_rules(sentence, ruled)
    each = "respectively" in tokens.words
    depth, result = 0, []
    for n in range(count):
        depth += tokens.words[n] in ("(", "[")
        row = [rules[n], f"r+1={rules[n + 1] if n + 1 < count else '$'}", f"in={min(depth, 1)}"]
        row.append(f"r-1={rules[n - 1] if n else '^'}")
        if each:
            row += ("each", f"each={tokens.words[n]}")
        row += _together(tokens, n)
        if n:
            row += _joint(sentence, tokens, n)
        if n + 1 < count:
            glued = sentence.starts[n + 1] == sentence.ends[n]
            row += (
                f"ng={glued}|{tokens.forms[n]}|{tokens.forms[n + 1]}",
                f"nw={tokens.classes[n]}|{tokens.words[n + 1]}",
            )
        depth = max(0, depth - (tokens.words[n] in (")", "]")))
        result.append(row)
    return result


def _together(tokens: TokenFeatures, n: int) -> list[str]:
    """Return features of the words around a token."""
    count, words, classes = len(tokens.words), tokens.words, tokens.classes
    row: list[str] = []
    if n > 1:
        row += (f"pp={words[n - 2]}|{words[n - 1]}", f"tp={classes[n - 2]}|{classes[n - 1]}|{classes[n]}")
    if n + 2 < count:
        row += (f"nn={words[n + 1]}|{words[n + 2]}", f"tn={classes[n]}|{classes[n + 1]}|{classes[n + 2]}")
    if 0 < n < count - 1:
        row.append(f"t={classes[n - 1]}|{classes[n]}|{classes[n + 1]}")
    return row


def _joint(sentence: Sentence, tokens: TokenFeatures, n: int) -> list[str]:
    """The features of a token and the one before it together."""
    glued = sentence.starts[n] == sentence.ends[n - 1]
    return [
        f"glued={glued}",
        f"pc={tokens.classes[n - 1]}|{tokens.classes[n]}",
        f"pw={tokens.words[n - 1]}|{tokens.words[n]}",
        f"gl={glued}|{tokens.forms[n - 1]}|{tokens.forms[n]}",
    ]


def _by_rules(sentence: Sentence, ruled: Sequence[Quantity]) -> list[str]:
    """For each token whether the rules read a quantity there, and whether its unit."""
    features = ["r=O"] * len(sentence.words)
    for quantity in ruled:
        first, last = sentence.within(quantity.start, quantity.end)
        kind = "u" if quantity.unit_iri else "v" if quantity.unit else "n"
        for n in range(first, last):
            features[n] = f"r={'B' if n == first else 'I'}{kind}"
    return features


@dataclass(frozen=True, slots=True)
class Target:
    """A quantity in its sentence: its tokens from `first` up to `last`, and a short name of its kind."""

    first: int
    last: int
    kind: str


def kind_of(value: Quantity, counted: bool) -> str:
    """A short name of what a unit measures."""
    unit = value.unit_canonical
    if counted or not value.unit:
        return "count" if counted else "bare"
    return _KIND.get(unit, "per" if "." in unit else "unit")


def contexts(tokens: TokenFeatures, targets: Sequence[Target], at: int) -> list[list[str]]:
    """The features of each token for finding what belongs to `targets[at]`, in addition to words and `classes`."""
    target, count = targets[at], len(tokens.words)
    numbers = _numbers(targets, target, count)
    before, before_class = (tokens.words[target.first - 1], tokens.classes[target.first - 1]) if target.first else "^^"
    behind, behind_class = (tokens.words[target.last], tokens.classes[target.last]) if target.last < count else "$$"
    turn = "one" if len(targets) == 1 else "first" if at == 0 else "last" if at == len(targets) - 1 else "mid"
    result = []
    for n, (far, side, between) in enumerate(_between(tokens, numbers, target)):
        kind, word, cls = target.kind, tokens.words[n], tokens.classes[n]
        near = f"{side}{min(far, 3)}"
        result.append([
            f"d={side}{far}", f"k={kind}", f"kw={kind}|{word}", f"kc={kind}|{cls}|{side}{min(far, 4)}",
            f"b={side}|{between}", f"dc={side}{min(far, 6)}|{cls}", f"x={side}|{between}|{cls}",
            f"Qb={before}|{near}", f"Qa={behind}|{near}", f"Qac={behind_class}|{side}{min(far, 5)}|{cls}",
            f"Qbc={before_class}|{side}{min(far, 5)}|{cls}", f"only={turn}|{side}", f"num={numbers[n]}",
        ])  # fmt: skip
    return result


def _numbers(targets: Sequence[Target], target: Target, count: int) -> list[str]:
    """For each token "Q" within the quantity, "q" within another, else nothing."""
    numbers = [""] * count
    for other in targets:
        for n in range(other.first, other.last):
            numbers[n] = "Q" if other is target else "q"
    return numbers


def _between(tokens: TokenFeatures, numbers: Sequence[str], target: Target) -> list[tuple[int, str, str]]:
    """For each token how far it is from a quantity, on which side, and what stands between."""
    count = len(tokens.words)
    result: list[tuple[int, str, str]] = [(0, "=", "")] * count
    for side, places in (("<", range(target.first - 1, -1, -1)), (">", range(target.last, count))):
        quantities, marks, verbs, links = 0, 0, 0, 0
        for far, n in enumerate(places, 1):
            step = far if far < 7 else 8 if far < 11 else 12 if far < 17 else 20
            result[n] = (step, side, f"{min(quantities, 2)}{min(marks, 2)}{min(verbs, 1)}{min(links, 2)}")
            kind, word = tokens.classes[n], tokens.words[n]
            quantities += numbers[n] == "q" and (n + 1 >= count or numbers[n + 1] != "q")
            marks += word in (",", ";", ":", "(", ")")
            verbs += kind in ("copula", "verb", "ed")
            links += kind in ("preposition", "conjunction")
    return result


def classes(tokens: TokenFeatures) -> list[list[str]]:
    """The features of each token by its class and its neighbours' together, for all quantities of its sentence."""
    count, kinds = len(tokens.words), tokens.classes
    result = []
    for n in range(count):
        row = [f"pc={kinds[n - 1]}|{kinds[n]}"] if n else []
        if 0 < n < count - 1:
            row.append(f"t={kinds[n - 1]}|{kinds[n]}|{kinds[n + 1]}")
        if n + 1 < count:
            row.append(f"nc={kinds[n]}|{kinds[n + 1]}")
        result.append(row)
    return result


FOLDER = Path(__file__).parent
QUANTITIES, CONTEXTS = "quantities", "contexts"
LOOKS = {QUANTITIES: QUANTITY, CONTEXTS: CONTEXT}
Features = Sequence[Sequence[str]]


class Labellers:
    """Both models by name."""

    def __init__(self, models: Mapping[str, Crf], version: str = "") -> None:
        self._models = models
        self._words = {name: WordScores(model, LOOKS[name]) for name, model in models.items()}
        self.rule = f"measurement labeller {version}".strip()

    def scores(self, name: str, sentences: Sequence[Words], features: Iterable[Features]) -> list[Any]:
        """The scores (tokens, labels) of sentences by their words and by the features of their tokens."""
        by_words = self._words[name].scored(sentences)
        return [one + self.of_features(name, more) for one, more in zip(by_words, features, strict=True)]

    def of_features(self, name: str, features: Features) -> Any:
        """The scores of the features of the tokens of one sentence."""
        return self._models[name].scores(features)

    def shares(self, name: str, scores: Sequence[Any]) -> list[list[dict[str, float]]]:
        """For each token of each sentence the marginal of each label, in [0, 1]."""
        model = self._models[name]
        marginals = model.marginals(scores)
        return [[dict(zip(model.labels, token, strict=True)) for token in marginal.tolist()] for marginal in marginals]


@lru_cache(maxsize=1)
def labellers(folder: Path = FOLDER) -> Labellers:
    """The labellers of a folder; raises `SourceError` where their files are missing, damaged or not of one training."""
    paths = {name: folder / f"{name}.crf" for name in (QUANTITIES, CONTEXTS)}
    models = {name: read(path) for name, path in paths.items()}
    versions = {str(read_card(path).get("version", "")) for path in paths.values()}
    if len(versions) > 1:
        hint = "Install kag again: its models of measurements are not whole."
        raise SourceError(f"{folder}: its models of measurements are not of one training", hint=hint)
    return Labellers(models, min(versions))
