"""Denials: "not" reaches to the end of its clause, "without" to the end of its phrase; none is added, and none lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from kag.read.checking.rules.derived import leaves_over
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.lexicon import lexicon, stem
from kag.read.checking.rules.parts import Part, Sides
from kag.read.checking.rules.reach import BOUNDS, REACH, Denial, clause_of, denials_of, is_denied, is_near
from kag.read.checking.rules.words import Word, has_near

UNTURNED = frozenset(
    (
        "season",
        "sex",
        "time",
        "place",
        "depth",
        "heat",
        "age",
        "order",
        "start",
        "level",
        "size",
        "speed",
        "flow",
        "open",
    )
)
"""Scales whose words no "not" turns into their opposite."""
_DENYING = frozenset(
    ("presence", "need", "success", "ability", "sufficiency", "known", "significance", "dependence", "same")
)
_PREFIXES = ("un", "non", "in", "im", "ir", "dis", "ill")
_MOST = ("most", "least", "best", "worst")
_EST = 4  # letters of what is no superlative: "test"
_SHORT = 2  # letters of what is no word behind a prefix
_VERBAL = frozenset(("not", "never", "cannot"))  # that deny what is done
_LISTING = frozenset((",", ";", "but", "and"))
_SURE = 0.75  # share of a claim's words that its quotes have where they surely say the opposite
_BEFORE = 3  # words shown before a denial
_SHOWN = 11


def negation_findings(sides: Sides) -> Iterator[Finding]:
    """Denials of the claim that the evidence has not, and of the evidence that the claim has not."""
    yield from _added(sides)
    yield from _lost(sides)


def _added(sides: Sides) -> Iterator[Finding]:
    negative = any(_is_negative(part.all, sides.claim) for part in sides.quoted)
    own = (tuple(word for word in part.words if not sides.told([word])) for part in sides.quoted)
    if not negative and any(has_near(words, lexicon().near["denial"]) for words in own):  # what both say denies nothing
        return
    quoted = [word for part in sides.quoted for word in part.words]
    for denial in denials_of(sides.claim):
        focus = [sides.claim[index] for index in denial.focus]
        known = [word for word in focus if word.stem in sides.known]
        if not known or any(_by_scale([word], quoted) for word in sides.claim[denial.start : denial.end]):
            continue
        if is_highest(sides.claim, denial, quoted) or leaves_over(
            sides, sides.claim[slice(*clause_of(sides.claim, denial))]
        ):
            continue
        if _is_covered(sides, known):
            continue  # what the quotes do not speak of they do not affirm; of a scale `directions` speaks
        if not negative or (_is_affirmed(sides, known[0]) and not _shared_denial(sides)):
            shown = " ".join(word.text for word in focus)
            reason = f"the claim has a negation that its quotes have not: {shown!r}"
            yield Finding("negation", reason, contradicts=_is_sure(sides, focus))


def _is_sure(sides: Sides, focus: Sequence[Word]) -> bool:
    """Whether a denial is surely of what the quotes affirm: they are no table, and have nearly all of the claim."""
    named = bool(focus) and focus[0].stem in sides.known
    whole = sides.known | sides.told(word for part in sides.quoted for word in part.lead)
    return (
        named and len(whole & sides.said) >= _SURE * len(sides.said) and not all(part.is_cell for part in sides.quoted)
    )


def is_highest(text: Sequence[Word], denial: Denial, other: Sequence[Word]) -> bool:
    """Whether a denial is of a greater one, where the other side names the greatest: "none was longer"."""
    reach = text[denial.start : denial.end]
    greater = any(word.text.lower() in BOUNDS or (word.text.endswith("er") and word.carries) for word in reach)
    return greater and any(w.text.lower() in _MOST or (w.text.endswith("est") and len(w.text) > _EST) for w in other)


def _is_covered(sides: Sides, known: list[Word]) -> bool:
    """Whether a clause of the quotes that denies something speaks of these words."""
    if is_left_out(sides):
        return True
    wanted = {word.stem for word in known}
    claimed = sum(sides.claim[denial.at].text.lower() != "nor" for denial in denials_of(sides.claim))
    if claimed > sum(len(denials_of(part.all)) for part in sides.quoted):
        return False
    return any(
        denial.end > len(part.lead)
        and wanted <= sides.told(_spoken_of(part.all, denial))
        and not wanted & sides.told(part.all[denial.end :])
        for part in sides.quoted
        for denial in denials_of(part.all)
    )


def _spoken_of(text: tuple[Word, ...], denial: Denial) -> list[Word]:
    """The words of a denial's clause before it, and those that it reaches behind it."""
    start, end = clause_of(text, denial)
    return [word for at, word in enumerate(text[start:end], start) if at < denial.start or is_near(text, denial, at)]


def is_left_out(sides: Sides) -> bool:
    """Whether the claim denies of something what the quotes deny of it in few words: "but not in brain"."""
    denied = _denied_about(sides)
    for part in sides.quoted:
        for denial in denials_of(part.all):
            start = _left_out_from(part.all, denial)
            if start is not None:
                span = part.all[start : denial.end]
                others = (word for other in sides.quoted if other is not part for word in other.all)
                rest = sides.told((*part.all[:start], *part.all[denial.end :], *others))
                if (sides.told(span) - rest) & denied:
                    return True
    return False


def _left_out_from(text: tuple[Word, ...], denial: Denial) -> int | None:
    """Where begins what a denial leaves out: "..., but not B", "..., and B not at all"; None where it has a verb."""
    if denial.at and text[denial.at - 1].text.lower() in ("but", "and", ","):
        return denial.at
    none = denial.whole and not denial.focus  # "B had none"
    if none or [word.text.lower() for word in text[denial.at : denial.at + 3]] == ["not", "at", "all"]:
        found = (at + 1 for at in range(denial.at - 1, -1, -1) if text[at].text.lower() in _LISTING)
        return next(found, 0 if none else None)
    return None


def _is_affirmed(sides: Sides, word: Word) -> bool:
    """Whether the quotes say a word of the claim, and never deny it."""
    told = [
        is_denied(part.all, at + len(part.lead)) or _is_prefixed(other, {word.stem})
        for part in sides.quoted
        for at, other in enumerate(part.words)
        if word.stem in sides.same.get(other.stem, ())
    ]
    return bool(told) and not any(told)


def _shared_denial(sides: Sides) -> bool:
    """Whether the quotes deny anything that the claim speaks of."""
    return any(
        sides.told(part.words[index] for index in denial.focus if index < len(part.words)) & sides.said
        for part in sides.quoted
        for denial in denials_of(part.words)
    )


def _lost(sides: Sides) -> Iterator[Finding]:
    quoted = [word for part in sides.quoted for word in part.words]
    if (
        _has_negative_word(sides.claim, quoted)
        or has_near([word for word in sides.claim if word.stem not in sides.known], lexicon().near["denial"])
        or _denies_more(sides)
    ):
        return
    affirmed = {
        word
        for part in sides.quoted
        for word in sides.told(w for at, w in enumerate(part.words) if not is_denied(part.all, at + len(part.lead)))
    }
    denied = {sides.claim[index].stem for denial in denials_of(sides.claim) for index in denial.focus}
    for part in sides.quoted:
        for denial in denials_of(part.all):
            focus = _focus(part, denial)
            if not focus and denial.whole and _is_subject(sides, part, denial):
                yield Finding("negation", "the quotes deny it of what the claim says it of", contradicts=False)
            every = denial.whole or part.all[denial.at].text.lower() == "neither"
            if (sides.told(focus if every else focus[:1]) or sides.told(focus)) & denied:
                continue
            verbal = part.all[denial.at].text.lower() in _VERBAL or part.all[denial.at].text.endswith("n't")
            lost = sides.told(_done(focus) if verbal else focus) & sides.said - affirmed
            if _is_beside(sides, part, denial) or is_left_out(sides):
                continue
            if denial.whole and _has_opposite(part.all[denial.start : denial.end], sides.claim):
                continue
            if lost and not _by_scale(focus, sides.claim):
                shown = " ".join(word.text for word in part.all[max(0, denial.at - _BEFORE) : denial.end][:_SHOWN])
                reason = f"the quotes have a negation that the claim has not: {shown.replace(' ,', ',')!r}"
                yield Finding("negation", reason, contradicts=True)


def _is_subject(sides: Sides, part: Part, denial: Denial) -> bool:
    """Whether the claim begins with what a quote has none of: "B had none"."""
    start = _left_out_from(part.all, denial)
    others = (word for other in sides.quoted if other is not part for word in other.all)
    span = part.all[start : denial.at] if start is not None else ()
    own = sides.told(span) - sides.told((*part.all[:start], *part.all[denial.end :], *others))
    first = next((word.stem for word in sides.claim if word.carries), "")
    return first in own and not denials_of(sides.claim)


def _denied_about(sides: Sides) -> frozenset[str]:
    """The claim's words in those of its clauses that deny something."""
    inside = (sides.claim[slice(*clause_of(sides.claim, denial))] for denial in denials_of(sides.claim))
    return frozenset(word.stem for text in inside for word in text)


def _done(focus: list[Word]) -> list[Word]:
    """What is said not to be done or so: the first word that is denied, and no word of degree."""
    return [word for word in focus if not word.text.endswith("ly")][:1] or focus


def _is_beside(sides: Sides, part: Part, denial: Denial) -> bool:
    """Whether the claim is mostly about what the quote says beside the clause of a denial."""
    start, end = clause_of(part.all, denial)
    inside = sides.told(part.all[start:end]) & sides.said
    outside = sides.told((*part.all[:start], *part.all[end:])) & sides.said
    return len(outside - inside) > len(inside)


def _denies_more(sides: Sides) -> bool:
    """Whether the claim denies what the quotes do not deny by a word: it may say the same in its own way."""
    quoted = {
        word for part in sides.quoted for denial in denials_of(part.all) for word in sides.told(_focus(part, denial))
    }
    return any(
        not any(sides.claim[index].stem in quoted for index in denial.focus) for denial in denials_of(sides.claim)
    )


def _focus(part: Part, denial: Denial) -> list[Word]:
    """What a denial is about; of one before the quote the first words that it reaches in it."""
    if denial.at >= len(part.lead):
        return [part.all[index] for index in denial.focus]
    inside = [word for word in part.all[len(part.lead) : denial.end] if word.carries]
    return inside[:REACH]


def _is_negative(text: tuple[Word, ...], other: Iterable[Word]) -> bool:
    """Whether anything in a text denies, be it by its meaning, or by first letters that the other side has not."""
    return bool(denials_of(text)) or _has_negative_word(text, other)


def _has_negative_word(text: tuple[Word, ...], other: Iterable[Word]) -> bool:
    known = {word.stem for word in other}
    return any(_is_prefixed(word, known) or _side(text, at) < 0 for at, word in enumerate(text))


def _is_prefixed(word: Word, known: Set[str]) -> bool:
    low = word.text.lower()
    if low.endswith("less") and stem(low.removesuffix("less")) in known:
        return True
    rests = [low.removeprefix(prefix) for prefix in _PREFIXES if low.startswith(prefix)]
    return any(len(rest) > _SHORT and stem(rest) in known for rest in rests)


def _side(text: tuple[Word, ...], at: int) -> int:
    """-1 for a word that says that something is not there, not needed, not able, not the same, or the like."""
    sides = lexicon().opposites.get((text[at].stem,), ())
    return -1 if any(scale in _DENYING and side < 0 for scale, side in sides) else 1


def _by_scale(focus: Iterable[Word], other: Iterable[Word]) -> bool:
    """Whether what is denied stands on a scale that the other side speaks of: opposites are compared elsewhere."""
    table = lexicon().opposites
    first = next(iter(focus), None)
    sides = dict(table.get((first.stem,), ())) if first else {}
    return any(
        scale in sides and (scale not in UNTURNED or side != sides[scale])
        for word in other
        for scale, side in table.get((word.stem,), ())
    )


def _has_opposite(text: Iterable[Word], other: Iterable[Word]) -> bool:
    """Whether a word of a text has its opposite in another one."""
    table = lexicon().opposites
    known = {(scale, -side) for word in other for scale, side in table.get((word.stem,), ())}
    return any(known & set(table.get((word.stem,), ())) for word in text)
