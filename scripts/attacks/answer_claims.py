"""Changes of an answer's claims and of their evidence: counts, numbers, negations, letters, quotes, places."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from kag.core.evidence import text_hash
from kag.qa.library import Library
from kag.qa.paper import Node
from kag.qa.quote import denials, first_denial, statement
from kag.text.plain import plain

Row = dict[str, Any]
Change = Callable[[Row, Random, Library], bool]


def pick(row: Row, random: Random, *, counted: bool = True) -> tuple[Row, Row] | None:
    """A claim and a piece of its evidence; with `counted` false of a claim that counts nothing."""
    claims = [claim for claim in row["claims"] if counted or claim["count"] is None]
    claim = random.choice(claims) if claims else None
    return (claim, random.choice(claim["evidence"])) if claim else None


def counting(row: Row) -> Row | None:
    """The first claim that counts."""
    return next((claim for claim in row["claims"] if claim["count"] is not None), None)


def evidence_of(paper: str, node: Node, start: int, end: int) -> Row:
    """Evidence for some characters of a node, as in an answer file."""
    where = {"paper": paper, "node": node.iri, "page": node.page, "boxes": [list(box) for box in node.boxes]}
    return where | {"quote": node.text[start:end], "start": start, "end": end, "sha256": text_hash(node.text)}


def _count_propped_up(row: Row, random: Random, library: Library) -> bool:
    """One more thing is counted, in claim, count and value, with a piece of any text as its evidence."""
    claim = counting(row)
    if claim is None:
        return False
    paper = library[claim["evidence"][0]["paper"]]
    known = {one["node"] for one in claim["evidence"]}
    node = random.choice(
        [node for node in paper.of_kind("Paragraph") if (node.iri in known) == bool(random.randrange(2))] or [None]
    )
    noun = claim["text"].rstrip(".").rpartition(" ")[2]
    if node is None or len(node.text) < 20 or (noun.startswith("paragraph") and node.iri not in known):
        return False
    end = node.text.find(" ", 10)
    claim["evidence"].append(evidence_of(paper.id, node, 0, end))
    return _count_changed(row, claim, claim["count"] + 1) and not noun.startswith(("place", "time", "paper", "page"))


def _miscounted(row: Row, random: Random, library: Library) -> bool:
    """Another number in claim, count and value; more than the evidence, where some of it was dropped before.

    That there are no more than the evidence shows is nothing that evidence can prove.
    """
    claim = counting(row)
    if claim is None:
        return False
    by = random.choice((1, 10) if len(claim["evidence"]) < claim["count"] else (-1, 1, 10))
    return _count_changed(row, claim, max(0, claim["count"] + by))


def _count_changed(row: Row, claim: Row, number: int) -> bool:
    old = claim["count"]
    claim["text"] = re.sub(rf"\b{old}( \w+\.)$", rf"{number}\1", claim["text"])
    claim["count"] = number
    if row["value"] == old:
        row["value"] = number
    elif isinstance(row["value"], dict):
        row["value"] = {name: number if value == old else value for name, value in row["value"].items()}
    return number != old


def _uncounted(row: Row, random: Random, library: Library) -> bool:
    counting = [claim for claim in row["claims"] if claim["count"] is not None and isinstance(row["value"], int | dict)]
    for claim in counting:
        claim["count"] = None
    return bool(counting)


def _number_in_claim(row: Row, random: Random, library: Library) -> bool:
    picked = pick(row, random)
    found = list(re.finditer(r"\d+", picked[0]["text"])) if picked else []
    for match in found[-1:]:
        picked[0]["text"] = f"{picked[0]['text'][: match.start()]}98{match[0]}43{picked[0]['text'][match.end() :]}"  # type: ignore[index]
    return bool(found)


def _negation_added(row: Row, random: Random, library: Library) -> bool:
    picked = pick(row, random)
    if picked:
        before, _, after = picked[0]["text"].partition(" ")
        picked[0]["text"] = (
            f"{before} {'not ' * (1 + sum(denials(one['quote']) for one in picked[0]['evidence']))}{after}"
        )
    return bool(picked)


def _negation_lost(row: Row, random: Random, library: Library) -> bool:
    claims = [
        claim for claim in row["claims"] if denials(claim["text"]) and claim["count"] is None and row["value"] is None
    ]
    for claim in claims[:1]:
        at = first_denial(claim["text"])
        claim["text"] = claim["text"][:at] + claim["text"][at:].partition(" ")[2]
    return bool(claims)


def _letters_that_look_alike(row: Row, random: Random, library: Library) -> bool:
    picked = pick(row, random)
    for plain_letter, other in random.sample(
        (("a", "а"), ("e", "е"), ("o", "ο"), ("i", "і"), (" ", "\u200b "), (" ", " \u202e")), 6
    ):
        if picked and plain_letter in picked[0]["text"]:
            picked[0]["text"] = picked[0]["text"].replace(plain_letter, other, 1)
            return True
    return False


def _claim_dropped(row: Row, random: Random, library: Library) -> bool:
    """A claim that the value rests on dropped; how many of it there are is beside the items of a list."""
    claims = [claim for claim in row["claims"] if claim["count"] is None or not isinstance(row["value"], list)]
    if row["value"] is None or not claims:
        return False
    row["claims"].remove(random.choice(claims))
    return True


def _claim_twice(row: Row, random: Random, library: Library) -> bool:
    row["claims"] += row["claims"][:1]
    return bool(row["claims"])


def _claims_reordered(row: Row, random: Random, library: Library) -> bool:
    before = [claim["text"] for claim in row["claims"] if claim["count"] is None]
    row["claims"].reverse()
    after = [claim["text"] for claim in row["claims"] if claim["count"] is None]
    return isinstance(row["value"], list | dict) and before != after


def _item_of_claim_dropped(row: Row, random: Random, library: Library) -> bool:
    if not isinstance(row["value"], list) or len(row["claims"]) != 1:
        return False
    text = row["claims"][0]["text"]
    row["claims"][0]["text"] = re.sub(r"[;,] (?:(?![;,] ).)+\.$", ".", text)
    return bool(row["claims"][0]["text"] != text)


CLAIM_CHANGES: tuple[Change, ...] = (
    _count_propped_up, _miscounted, _uncounted, _number_in_claim, _negation_added, _negation_lost,
    _letters_that_look_alike, _claim_dropped, _claim_twice, _claims_reordered, _item_of_claim_dropped,
)  # fmt: skip


def _on_evidence(change: Callable[[Row, Random, Library], None]) -> Change:
    """The change of one piece of evidence as a change of an answer."""

    def done(row: Row, random: Random, library: Library) -> bool:
        picked = pick(row, random)
        before = deepcopy(picked)
        if picked:
            change(picked[1], random, library)
        return picked != before

    done.__name__ = change.__name__
    return done


def _page(one: Row, random: Random, library: Library) -> None:
    one["page"] += random.choice((-1, 1, 40))


def _boxes(one: Row, random: Random, library: Library) -> None:
    one["boxes"] = random.choice(([], one["boxes"][1:], [[side + 1 for side in box] for box in one["boxes"]]))


def _hash(one: Row, random: Random, library: Library) -> None:
    one["sha256"] = random.choice((text_hash(one["quote"] + "."), one["sha256"].upper() + "0", ""))


def _offsets(one: Row, random: Random, library: Library) -> None:
    by = random.choice((-2, -1, 1, 2, 10**6))
    one["start"], one["end"] = one["start"] + by, one["end"] + random.choice((0, by))


def _letter_of_quote(one: Row, random: Random, library: Library) -> None:
    at = random.randrange(len(one["quote"]))
    one["quote"] = one["quote"][:at] + random.choice("qzаѕ7") + one["quote"][at + 1 :]


def _paper(one: Row, random: Random, library: Library) -> None:
    one["paper"] = random.choice([name for name in (*library, "nobody", "") if name != one["paper"]])


def _node(one: Row, random: Random, library: Library) -> None:
    paper = library[one["paper"]] if one["paper"] in library else next(iter(library.values()))
    one["node"] = random.choice([node.iri for node in paper.nodes.values() if one["quote"] not in node.text])


def _scrap(one: Row, random: Random, library: Library) -> None:
    """A letter from inside a word, in place of the quote."""
    inside = [match.start() + 1 for match in re.finditer(r"[^\W\d_]{3}", one["quote"])]
    if inside:
        at = random.choice(inside)
        one.update(quote=one["quote"][at], start=one["start"] + at, end=one["start"] + at + 1)


def _quote_of_no_meaning(row: Row, random: Random, library: Library) -> bool:
    picked = pick(row, random, counted=False)
    found = re.search(r"\b(?:the|of|and|in|is)\b", picked[1]["quote"]) if picked else None
    if picked and found and found[0] != picked[1]["quote"]:
        one = picked[1]
        one.update(quote=found[0], end=one["start"] + found.end(), start=one["start"] + found.start())
    return bool(found)


def _cut_negation_off(row: Row, random: Random, library: Library) -> bool:
    """A quote, and a claim with its words, from behind the last "not" of a statement."""
    places = [
        (paper.id, node, match.end(), statement(node, match.start(), match.end())[1])
        for paper in library.values()
        for node in paper.of_kind("Paragraph")
        for match in re.finditer(r"\b(?:not|no|never|cannot|without) ", node.text)
    ]
    name, node, start, end = random.choice(places)
    quote = node.text[start:end]
    if not row["claims"] or row["value"] is not None or denials(quote) or len(quote) < 30:
        return False
    quoted = evidence_of(name, node, start, end)
    row["claims"] = [{"text": plain(quote), "evidence": [quoted], "count": None, "verdict": None}]
    row["papers"] = [name]
    return True


def _evidence_of_another_claim(row: Row, random: Random, library: Library) -> bool:
    """A claim that rests on the quotes of another one, which say nothing of it."""
    claims = [claim for claim in row["claims"] if claim["count"] is None and len(claim["text"]) > 30]
    if len(claims) < 2:
        return False
    one, other = random.sample(claims, 2)
    shared = set(re.findall(r"\w{4,}", one["text"].lower())) & set(re.findall(r"\w{4,}", other["text"].lower()))
    one["evidence"], other["evidence"] = other["evidence"], one["evidence"]
    return not shared


def _evidence_dropped(row: Row, random: Random, library: Library) -> bool:
    """One of the things that are counted without evidence."""
    claim = counting(row)
    if claim is None or len(claim["evidence"]) > claim["count"]:
        return False
    claim["evidence"].pop(random.randrange(len(claim["evidence"])))
    return True


def _evidence_twice(row: Row, random: Random, library: Library) -> bool:
    picked = pick(row, random)
    if picked:
        picked[0]["evidence"].append(picked[1])
    return bool(picked)


EVIDENCE_CHANGES: tuple[Change, ...] = (
    *map(_on_evidence, (_page, _boxes, _hash, _offsets, _letter_of_quote, _paper, _node, _scrap)),
    _quote_of_no_meaning, _cut_negation_off, _evidence_of_another_claim, _evidence_dropped, _evidence_twice,
)  # fmt: skip
