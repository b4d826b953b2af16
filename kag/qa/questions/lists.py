"""Several things named in a row: "A and B", "either A or B", "A but not B", with the prepositions before them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kag.qa.questions import nouns
from kag.qa.questions.links import Link, Objects, Thing
from kag.qa.questions.structured_query import AnyOf, Condition
from kag.qa.questions.words import Read, Words, called, rule, said


@called("placed")
@rule
def placed(words: Words, at: int) -> Iterator[Read[Objects]]:
    """Things behind prepositions of place: "in both A and B", "neither in A nor in B"."""
    for lead in ("neither", "either", "both", ""):
        for (several,), end in said(words, at, f"{lead} {{places.in}} <objects>"):
            if lead == "neither":
                yield Objects((), without=several.things), end
            elif not lead or (several.either == (lead == "either") and len(several.things) > 1):
                yield several, end


def in_section(words: Words, at: int, link: Link) -> Iterator[Read[Link]]:
    """ "cite reference 3 in the Introduction": in a library, of papers, where in them."""
    yield link, at
    if words.many and link.verb in ("cite", "refer"):
        for several, end in placed(words, words.skip(at, "somewhere")):
            one = several.things[0] if len(several.things) == 1 and not several.without else None
            if one and one.simple and one.wish.kind == "section":
                yield replace(link, section=one.wish), end


@called("objects")
@rule
def objects(words: Words, at: int) -> Iterator[Read[Objects]]:
    """One thing or several: "A and B", "either A or B", "A but not B"."""
    lead = words.low(at) if words.low(at) in ("both", "either") else ""
    for chain, end in _chain(words, at + bool(lead)):
        joints = {joint for _, joint in chain[1:]} - {","}
        things = tuple(one for one, joint in chain if joint != "not")
        without = tuple(one for one, joint in chain if joint == "not")
        mixed = (
            {"and", "or"} <= joints or (len(chain) > 1 and not joints) or ("not" in joints and chain[-1][1] != "not")
        )
        alone = joints and any(one.each or one.own for one in things)
        if not mixed and not alone and (not lead or {"both": "and", "either": "or"}[lead] in joints):
            yield Objects(things, "or" in joints, without), end


@called("chain")
@rule
def _chain(words: Words, at: int) -> Iterator[Read[tuple[tuple[Thing, str], ...]]]:
    """Things with the word before each; the preposition may be said again."""
    for one, end in nouns.thing(words, at):
        first = _apart(words, at, end, one)
        for joint, form in _JOINTS:
            for (more,), last in [
                *said(words, end, f"{form} {{places.in}} <chain>"),
                *said(words, end, f"{form} <chain>"),
            ]:
                yield (*first, (more[0][0], joint), *more[1:]), last
        yield first, end


def _apart(words: Words, at: int, end: int, one: Thing) -> tuple[tuple[Thing, str], ...]:
    """ "Sections 2 and 3" as two things, which "sections 2 or 3" are not."""
    numbers = one.wish.where[0] if len(one.wish.where) == 1 else None
    said_of = {words.low(place) for place in range(at, end)}
    if not isinstance(numbers, AnyOf) or not said_of & {"and", "&"} or "or" in said_of:
        return ((one, ""),)
    parts = tuple(replace(one, wish=replace(one.wish, where=(number,))) for number in numbers.conditions)
    return ((parts[0], ""), *((part, "and") for part in parts[1:]))


_JOINTS = (("not", ",? but|and? not"), ("and", ",? and also?"), ("and", "as well as"), ("and", ",? but also"),
           ("or", ",? or|nor"), (",", ","))  # fmt: skip


@called("except")
@rule
def excepted(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "other than the Introduction"."""
    for several, end in objects(words, at):
        if all(one.named and one.simple for one in several.things) and not several.without:
            yield tuple(_not(one) for one in several.things), end


def _not(one: Thing) -> Condition:
    only = one.wish.where[0] if len(one.wish.where) == 1 else None
    named = isinstance(only, Condition) and only.relation == "is"
    return (
        replace(only, negated=True)
        if named and isinstance(only, Condition)
        else Condition("is", one.wish, negated=True)
    )
