"""Changes of what an answer's claims say: counts, numbers, negations, letters, which claims there are."""

from __future__ import annotations

import re
from random import Random

from kag.qa.checking.denial import denials, first_denial
from kag.qa.library import Library
from scripts.attacks.answer_parts import Change, Row, counting, evidence_of, pick


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


CHANGES: tuple[Change, ...] = (
    _count_propped_up, _miscounted, _uncounted, _number_in_claim, _negation_added, _negation_lost,
    _letters_that_look_alike, _claim_dropped, _claim_twice, _claims_reordered, _item_of_claim_dropped,
)  # fmt: skip
