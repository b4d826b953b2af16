"""Changes of an answer's evidence: quotes, places, and what a claim rests on."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from random import Random

from kag.core.evidence import text_hash
from kag.qa.checking.denial import denials, statement
from kag.qa.library import Library
from kag.text.plain import plain
from scripts.attacks.answer_parts import Change, Row, counting, evidence_of, pick


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


CHANGES: tuple[Change, ...] = (
    *map(_on_evidence, (_page, _boxes, _hash, _offsets, _letter_of_quote, _paper, _node, _scrap)),
    _quote_of_no_meaning, _cut_negation_off, _evidence_of_another_claim, _evidence_dropped, _evidence_twice,
)  # fmt: skip
