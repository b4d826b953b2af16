"""One entity a paper for all its mentions: spellings, numbers and abbreviations of a name put together."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kag.layers.entities.abbreviations import Pair
from kag.layers.entities.lexicon import key, read_lexicon
from kag.layers.entities.listed import words
from kag.layers.entities.patterns import Spot, standing
from kag.layers.values import Entity, Identifier, Mention, Passage

Known = tuple[str, tuple[Mention, ...], tuple[Identifier, ...]]  # kind, mentions, identifiers
Spots = Sequence[Sequence[Spot]]  # of each passage
Pairs = Sequence[Sequence[Pair]]
Sure = tuple[str, float]  # a kind, how sure
_RULE = "abbreviation"
_EXPANDED, _UNNAMED = 0.9, 0.6
_VERBATIM = frozenset({"accession", "grant", "variant"})  # kinds whose letters count as they are
_BROKEN = re.compile(
    r"[.;:!?]\s+[A-Z]|\n|[\\{}$^]|(?:^|\s)(?:of|the|and|or|in|with|for|to|by|at|&)$|^\W+$|^(?:Fig|Figs|Table|Eq)\b"
)
_NUMBERED = re.compile(r"\d|delet|insert|duplicat|repeat|fusion", re.IGNORECASE)
_SERIAL = re.compile(r"\d{4}-\d{3}[\dX]")  # numbers of journals and of people
_PLURAL = re.compile(r"(?<=[a-z]{3})(?:(?<=s|x|h)es|(?<![su])s)\b")


def singular(form: str) -> str:
    """A key without the endings of plurals.

    >>> singular("solid oxide fuel cells"), singular("mass"), singular("bus"), singular("meshes")
    ('solid oxide fuel cell', 'mass', 'bus', 'mesh')
    """
    return _PLURAL.sub("", form)


def long_forms(passages: Sequence[Passage], pairs: Pairs) -> dict[str, str]:
    """Return the long forms of a paper's abbreviations: the most certain of several definitions, else the first."""
    best: dict[str, tuple[float, str]] = {}
    for passage, some in zip(passages, pairs, strict=True):
        for pair in some:
            short, long = passage.text[slice(*pair.short)], passage.text[slice(*pair.long)]
            if short not in best or pair.score > best[short][0] + 0.2:
                best[short] = (pair.score, " ".join(long.split()))
    return {short: long for short, (_, long) in best.items()}


def abbreviated(passages: Sequence[Passage], spots: Spots, pairs: Pairs, means: Mapping[str, str]) -> list[list[Spot]]:
    """The spots with all uses of short forms among them, each of the kind that its long form has in the paper."""
    kinds = _kinds(passages, spots, pairs, means)
    shorts = sorted(means, key=lambda short: (-len(short), short))
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, shorts))})(?!\w)") if shorts else None
    found = []
    for passage, some, defined in zip(passages, spots, pairs, strict=True):
        more = []
        for pair in defined:
            kind = kinds[passage.text[slice(*pair.short)]]
            more.append(Spot(*pair.long, *kind, _RULE))
        for match in pattern.finditer(passage.text) if pattern else ():
            more.append(Spot(*match.span(), *kinds[match[0]], _RULE))
        found.append(standing([*some, *more]))
    return found


def _kinds(passages: Sequence[Passage], spots: Spots, pairs: Pairs, means: Mapping[str, str]) -> dict[str, Sure]:
    """Return the kind of each short form, with confidence: from its long forms, else from lists."""
    votes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for passage, some, defined in zip(passages, spots, pairs, strict=True):
        for pair in defined:
            half = (pair.long[0] + pair.long[1]) // 2
            for spot in some:
                if spot.end == pair.long[1] and spot.start <= half:
                    votes[passage.text[slice(*pair.short)]][spot.kind] += spot.score
    kinds: dict[str, Sure] = {}
    for short, long in means.items():
        counts = votes.get(short) or {kind: 1.0 for kind in _listed(long)}
        best = max(counts, key=lambda kind: (counts[kind], kind), default="")
        kinds[short] = (best, _EXPANDED) if best else ("term", _UNNAMED)
    return kinds


def _listed(long: str) -> Sequence[str]:
    """The kind of a long form by a list of names, else by its last word."""
    known = [one.kind for one in read_lexicon("mesh").look_up(key(long))]
    by_head = words().heads.get(long.split()[-1].lower(), "")
    return known[:1] or ([by_head] if by_head in ("method", "task", "metric") else [])


def gathered(
    passages: Sequence[Passage], spots: Spots, means: Mapping[str, str]
) -> list[tuple[str, tuple[Mention, ...]]]:
    """Kind and mentions of each entity, in the order of their first mentions; a name has one kind in a paper."""
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for passage, some in zip(passages, spots, strict=True):
        for spot in some:
            text = passage.text[spot.start : spot.end]
            mention = Mention(passage.node, spot.start, spot.end, text, spot.kind, round(spot.score, 3), spot.rule)
            mentions[_name(text, spot.kind, means)].append(mention)
    found = []
    for together in mentions.values():
        votes: dict[str, float] = defaultdict(float)
        for one in together:
            votes[one.kind] += one.score
        kind = max(votes, key=lambda name: (votes[name], name))
        found.append((kind, tuple(_of_kind(one, kind) for one in together)))
    return found


def sound(name: str, kind: str) -> bool:
    """Whether a model's span can be a name: no end of a sentence in it, brackets that close, a variant with a number.

    >>> [sound(*one) for one in (("p53", "gene"), ("C. At 50", "variant"), ("t}{T", "gene"), ("a factor of", "gene"))]
    [True, False, False, False]
    """
    if any(name.count(one) != name.count(other) for one, other in ("()", "[]", "{}")) or _BROKEN.search(name):
        return False
    return kind != "variant" or bool(_NUMBERED.search(name) and not _SERIAL.search(name))


def _of_kind(mention: Mention, kind: str) -> Mention:
    return (
        mention
        if mention.kind == kind
        else Mention(mention.node, mention.start, mention.end, mention.text, kind, mention.score, mention.rule)
    )


def _name(text: str, kind: str, means: Mapping[str, str]) -> str:
    """The name under which mentions of a thing meet."""
    if kind in _VERBATIM:
        return text
    name = means.get(text) or (means.get(text[:-1]) if text.endswith("s") else None) or text
    return singular(key(name)) or text


def merged(found: Sequence[Known], places: Mapping[str, int]) -> list[Known]:
    """Things that have one identifier under two names are one thing; `places` numbers the passages."""
    together: dict[tuple[str, str], Known] = {}
    for n, (kind, mentions, identifiers) in enumerate(found):
        sure = [identifier.iri for identifier in identifiers if identifier.match == "exact"]
        name = (kind, sure[0] if sure else f"{n}")
        if name in together:
            mentions = tuple(sorted((*together[name][1], *mentions), key=lambda one: (places[one.node], one.start)))
        together[name] = (kind, mentions, identifiers)
    return list(together.values())


def entity(kind: str, mentions: tuple[Mention, ...], identifiers: tuple[Identifier, ...]) -> Entity:
    """An entity of its mentions; its name is the longest that is not in capitals."""
    counts = Counter(" ".join(mention.text.split()) for mention in mentions)
    name = max(counts, key=lambda one: (" " in one or not one.isupper(), len(one), counts[one], one))
    return Entity(name, kind, mentions, tuple(sorted(counts.keys() - {name})), identifiers)


def surest(candidates: Iterable[tuple[Identifier, ...]]) -> tuple[Identifier, ...]:
    """Of what the names of an entity gave, the identifiers of the surest name."""
    return max(candidates, key=lambda some: some[0].score if some else 0.0, default=())
