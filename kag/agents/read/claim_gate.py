"""The gate before SUBMIT: claims whose quotes are printed get through; a refusal says what to repair."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kag.agents.read.claims import Judged, judge
from kag.core.errors import KagError
from kag.core.evidence import Claim, Dropped
from kag.core.verdict import Case, Hear, Verdict
from kag.qa.paper import PaperGraph
from kag.qa.passages import JOIN
from kag.qa.pipeline import Reading
from kag.qa.quote import find_quote

MAX_REFUSALS = 2  # after which what holds is taken and the rest is dropped
MAX_REFUSAL = 2_000  # characters of a refusal
LEAST_QUOTE = 12  # characters of a quote that is looked for in other nodes than the one it names
DRAFT = "an earlier draft of the model"  # why a claim was left out that was submitted in other words later
LOOK_FIRST = "search before you say that the paper does not say it: call a search tool with several different words"

_ELLIPSIS = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")


class ClaimGate:
    """Refuses SUBMIT while claims do not hold, at most `MAX_REFUSALS` times; keeps what held at last.

    `searches` are the agent's own searches so far, `hear` is a judge; neither is asked twice about the same claim.
    """

    def __init__(
        self,
        papers: Mapping[str, PaperGraph],
        question: str,
        searches: Callable[[], tuple[str, ...]],
        hear: Hear | None = None,
    ) -> None:
        self._papers, self._question, self._searches = papers, question, searches
        self._hear = hear and remembering(hear)
        self.refused = 0
        self.judged = Judged()
        self.reason: Claim | None = None
        self._left: list[Dropped] = []

    def refusal(self, fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        draft = fields.get("answer")
        self.reason = None
        self.judged = self._judge(draft)
        complaints = self.judged.complaints
        if self.judged.not_found:
            complaints = tuple(self._not_found(draft))
        if not complaints or (self.refused >= MAX_REFUSALS and isinstance(draft, dict)):
            return None
        self.refused += 1
        self._left += self.judged.dropped
        return "; ".join(complaints)[:MAX_REFUSAL]

    def reading(self, opening: str) -> Reading:
        """The last verdict as a reading; what was refused on the way and is in no claim counts as dropped.

        Its searches are `opening`, which was made for the agent, and the agent's own. Without any claim that holds, or
        a search of its own before "not found", the model has not answered.
        """
        searches = self._searches()
        final = {one.text for one in self.judged.claims} | {one.text for one in self.judged.dropped}
        left = {one.text: Dropped(one.text, f"{DRAFT}: {one.why}") for one in self._left if one.text not in final}
        dropped = (*self.judged.dropped, *left.values())
        if self.judged.claims or (self.judged.not_found and searches):
            return Reading(self.judged.claims, dropped, (opening, *searches), reason=self.reason)
        why = "; ".join(self.judged.complaints)[:300] or "it says that nothing is said, and has looked for nothing"
        return Reading(dropped=dropped, cause="unverified", stopped=f"no claim of the model holds: {why}")

    def _judge(self, draft: object) -> Judged:
        return judge(on_nodes(draft, self._papers), self._papers, self._question, self._hear)

    def _not_found(self, draft: Any) -> Iterator[str]:
        """What is wrong with "not found": no search, or a reason that its quote does not give."""
        if not self._searches():
            yield LOOK_FIRST
        reason = draft.get("reason")
        if not isinstance(reason, Mapping):
            return
        evidence = {name: reason[name] for name in ("paper", "node", "quote") if name in reason}
        judged = self._judge({"claims": [{"text": reason.get("text"), "evidence": [evidence]}]})
        self.reason = judged.claims[0] if judged.claims else None
        for complaint in judged.complaints:
            yield complaint.replace("claims[0]", "the reason", 1)


def remembering(hear: Hear) -> Hear:
    """A judge that is not asked again about a claim with the same quotes."""
    known: dict[tuple[str, tuple[str, ...]], Verdict | None] = {}

    def key(case: Case) -> tuple[str, tuple[str, ...]]:
        claim, quotes, _ = case
        return claim, tuple(quote.text for quote in quotes)

    def remember(cases: Sequence[Case]) -> list[Verdict | None]:
        new = {key(case): case for case in cases if known.get(key(case)) is None}
        known.update(zip(new, hear(tuple(new.values())) if new else (), strict=True))
        return [known[key(case)] for case in cases]

    return remember


def on_nodes(draft: object, papers: Mapping[str, PaperGraph]) -> object:
    """A draft whose quotes name the nodes that print them, where that is plain.

    A quote over a page break becomes one for each node, one with "..." inside one for each part; a quote that a single
    other node of the paper prints gets that node's name. Everything else stays as it is, for the gate to refuse.
    """
    if not isinstance(draft, dict) or not isinstance(draft.get("claims"), list):
        return draft
    return {**draft, "claims": [_claim(row, papers) for row in draft["claims"]]}


def _claim(row: Any, papers: Mapping[str, PaperGraph]) -> Any:
    if not isinstance(row, dict) or not isinstance(row.get("evidence"), list):
        return row
    return {**row, "evidence": [piece for one in row["evidence"] for piece in _pieces(one, papers)]}


def _pieces(row: Any, papers: Mapping[str, PaperGraph]) -> list[Any]:
    """A piece of evidence as one or more that name the right nodes."""
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("node", "quote")):
        return [row]
    paper = _paper(row, papers)
    if paper is None:
        return [row]
    iri, quote = paper.resolve(row["node"]) or "", row["quote"]
    if _prints(paper, iri, quote):
        return [row]
    parts = [part for part in _ELLIPSIS.split(quote) if part.strip()]
    if len(parts) > 1 and all(_prints(paper, iri, part) for part in parts):
        return [{**row, "quote": part} for part in parts]
    joined = _over_nodes(paper, iri, quote)
    if joined:
        return [{**row, "node": paper.name(node), "quote": part} for node, part in joined]
    elsewhere = [node.name for node in paper.nodes.values() if _prints(paper, node.iri, quote)]
    return [{**row, "node": elsewhere[0]} if len(elsewhere) == 1 and len(quote.strip()) > LEAST_QUOTE else row]


def _paper(row: Mapping[str, Any], papers: Mapping[str, PaperGraph]) -> PaperGraph | None:
    name = row.get("paper") or (next(iter(papers)) if len(papers) == 1 else None)
    try:
        return papers.get(name) if isinstance(name, str) else None
    except KagError:  # a damaged paper is told where evidence is looked up
        return None


def _prints(paper: PaperGraph, iri: str, quote: str) -> bool:
    node = paper.nodes.get(iri)
    return node is not None and find_quote(node.text, quote) is not None


def _over_nodes(paper: PaperGraph, iri: str, quote: str) -> list[tuple[str, str]]:
    """The parts of a quote that runs through a node and those that continue it."""
    chain = [paper.nodes[part] for part in paper.chain_of(iri)]
    span = find_quote(JOIN.join(node.text for node in chain), quote) if len(chain) > 1 else None
    if span is None:
        return []
    found, at = [], 0
    for node in chain:
        start, end = max(span[0] - at, 0), min(span[1] - at, len(node.text))
        if start < end and node.text[start:end].strip():
            found.append((node.iri, node.text[start:end].strip()))
        at += len(node.text) + len(JOIN)
    return found
