"""Claims that people told in other words than their evidence, each with quads (`scripts.checker.natural`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from kag.text.plain import plain
from scripts.checker.made import fits
from scripts.checker.natural import quads
from scripts.checker.pairs import STATES, Pair, nearest, shared
from scripts.checker.sources import abstracts, body, cited, conclusions, measured, papers, split

_WITH = ("The {p} of {e} was {q}.", "{e} had a {p} of {q}.", "For {e}, the {p} was {q}.")
_WITHOUT = ("{q} is reported for {e}.", "{e}: {q}.", "The figure given for {e} is {q}.")
_NEAR = 300  # characters between two quantities that may be taken for each other


class Teller:
    """Makes the pairs; `pool` are words that may stand in for others."""

    def __init__(
        self, folder: Path, tests: Path, opposite: Mapping[str, list[str]], pool: Sequence[str], random: Random
    ) -> None:
        self._folder, self._tests, self._random = folder, tests, random
        self._opposite, self._pool = opposite, pool

    def all(self) -> Iterator[Pair]:
        """Of titles, conclusions, abstracts, captions, headings, answers, and quantities with what they measure."""
        yield from self._of_abstracts()
        for gold in papers(self._folder, self._tests):
            yield from self._of_paper(gold)
        for doc, question, texts, ends, is_yes in conclusions(self._folder):
            for said in filter(fits, ends[:2]):
                yield from self._told(said, texts, "conclusion", doc, 0.4)
            yield Pair(
                " ".join(nearest(question, texts + ends, 3)), question, supported=is_yes, how="question", doc=doc
            )
        for said, own, others in cited(self._folder):
            if fits(said) and own:
                yield from self._told(said, own, "answer", "", 0.4, others)
        for doc, text, groups in measured(self._folder):
            yield from self._of_quantities(doc, text, groups)

    def judged(self, pairs: Sequence[Pair]) -> Iterator[Pair]:
        """Quads of pairs that people judged to be supported."""
        for pair in pairs:
            if pair.supported:
                yield from self._quads(pair.claim, pair.evidence, "judged", pair.doc, 5)

    def _quads(self, claim: str, evidence: str, how: str, doc: str, most: int) -> Iterator[Pair]:
        yield from quads(claim, evidence, how, doc, self._random, self._opposite, self._pool, most)

    def _told(
        self, claim: str, texts: Sequence[str], how: str, doc: str, least: float, others: Sequence[str] | None = None
    ) -> Iterator[Pair]:
        """A claim over the two or three sentences nearest to it, if they have `least` of its words, and its quads."""
        near = nearest(claim, texts, self._random.choice((2, 3)))
        if shared(claim, near) < least:
            return
        yield Pair(" ".join(near), claim, supported=True, how=how, doc=doc)
        yield from self._quads(claim, " ".join(near), how, doc, 4)
        rest = nearest(claim, others if others is not None else [one for one in texts if one not in near], 2)
        if rest and shared(claim, rest) < 0.5:
            yield Pair(" ".join(rest), claim, supported=False, how=f"{how} elsewhere", doc=doc)

    def _of_abstracts(self) -> Iterator[Pair]:
        for row in abstracts(self._folder):
            doc, texts, title = str(row["doc_id"]), row["abstract"], str(row["title"]).strip().rstrip(".") + "."
            if len(texts) < 3:
                continue
            head = title.split(": ")[0].rstrip(".") + "."
            title = head if ": " in title and STATES.search(head) else title
            if STATES.search(title) and "?" not in title:
                yield from self._told(title, texts, "title", doc, 0.4)
            last = texts[-1]
            if fits(last) and len(texts) > 4 and (last.upper().startswith("CONCL") or self._random.random() < 0.35):
                last = re.sub(r"^CONCLUSIONS? ?:? ?", "", last)
                yield from self._told(last[:1].upper() + last[1:], texts[:-1], "conclusion", doc, 0.5, ())

    def _of_paper(self, gold: dict[str, Any]) -> Iterator[Pair]:
        texts, doc = body(gold), gold["paper_id"]
        if len(texts) < 10:
            return
        for said in filter(fits, body(gold, abstract=True)):
            yield from self._told(said, texts, "abstract", doc, 0.45)
        for one in (*gold["figures"], *gold["sections"]):
            words = plain(one.get("title") or one.get("caption") or "").strip()
            said = split(words)[0].rstrip(".") + "." if words else ""
            if STATES.search(said) and 5 <= len(said.split()) <= 30:
                yield from self._told(said, texts, "heading", doc, 0.5)

    def _of_quantities(self, doc: str, text: str, groups: Sequence[dict[str, dict[str, Any]]]) -> Iterator[Pair]:
        random, ends = self._random, split(text)
        for one in groups:
            quantity, entity, prop = one["Quantity"], one["MeasuredEntity"], one.get("MeasuredProperty")
            form = random.choice(_WITH if prop else _WITHOUT)

            def say(q: str, e: str, form: str = form, prop: dict[str, Any] | None = prop) -> str:
                said = form.format(p=prop["text"] if prop else "", q=q, e=e)
                return said[:1].upper() + said[1:]

            right = say(quantity["text"], entity["text"])
            near = [
                other
                for other in groups
                if other["Quantity"]["text"] != quantity["text"]
                and abs(other["Quantity"]["start"] - quantity["start"]) < _NEAR
            ]
            if near:
                other = random.choice(near)
                spans = [quantity, entity, other["Quantity"], *([prop] if prop else [])]
                evidence = _around(ends, text, spans)
                yield Pair(evidence, right, supported=True, how="measured", doc=doc)
                yield Pair(
                    evidence,
                    say(other["Quantity"]["text"], entity["text"]),
                    supported=False,
                    how="measured exchanged",
                    doc=doc,
                )
            yield from self._quads(right, _around(ends, text, [quantity, entity]), "measured", doc, 1)


def _around(ends: Sequence[str], text: str, spans: Sequence[dict[str, Any]]) -> str:
    """The sentences of a text from the first span to the last."""
    first, last = min(span["start"] for span in spans), max(span["end"] for span in spans)
    found, at = [], 0
    for said in ends:
        at = text.index(said, at)
        if at < last and at + len(said) > first:
            found.append(said)
        at += len(said)
    return " ".join(found)
