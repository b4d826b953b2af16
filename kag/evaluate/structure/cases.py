"""Worst cases in words: what a graph misses or has wrong, with the text around it, a line each and bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib import Graph
from rdflib.term import Node

from kag.evaluate.structure.gold import Fact, Gold
from kag.evaluate.structure.runs import Paper
from kag.evaluate.structure.score import FIELDS, Built
from kag.rdf.namespaces import C4O, KAG

AROUND = 70  # characters shown on each side of a call-out
SHOWN = 140  # characters of any other text
EACH = 3  # facts of each sort told of a paper and metric


@dataclass(frozen=True, slots=True)
class Case:
    """A paper that loses much in a metric: how many facts are missing and wrong, and some of them in words."""

    metric: str
    paper: str
    missing: int
    wrong: int
    told: tuple[str, ...]


def worst_cases(papers: Sequence[Paper], metrics: Iterable[str], most: int) -> list[Case]:
    """For each metric up to `most` papers, those that lose the most facts first."""
    return [case for metric in metrics for case in _worst(papers, metric, most)]


def _worst(papers: Sequence[Paper], metric: str, most: int) -> Iterator[Case]:
    losing = [paper for paper in papers if metric in paper.compared and _lost(paper, metric)]
    for paper in sorted(losing, key=lambda paper: (-_lost(paper, metric), paper.name))[:most]:
        compared = paper.compared[metric]
        told = [
            f"{sort}: {_describe(paper, metric, fact, sort)}"
            for sort, facts in (("missing", compared.missing), ("wrong", compared.wrong))
            for fact in sorted(facts, key=str)[:EACH]
        ]
        yield Case(metric, paper.name, len(compared.missing), len(compared.wrong), tuple(told))


def _lost(paper: Paper, metric: str) -> int:
    return sum(paper.compared[metric].counts[1:])


def _describe(paper: Paper, metric: str, fact: Fact, sort: str) -> str:
    words = Words(paper.gold, paper.built or Built(Graph()))
    if metric in FIELDS:
        number, value = fact
        return f"[{number}] {value!r} of {words.of(f'[{number}]')}"
    return _TELL.get(metric, _blocks)(words, metric, fact, sort)


@dataclass(frozen=True, slots=True)
class Words:
    """The words behind blocks, paragraphs and reference numbers: the annotation's, else the graph's."""

    gold: Gold
    built: Built

    def of(self, name: str) -> str:
        """What is printed there, in quotes and bounded; the bare name when neither knows."""
        text = self.gold.words.get(name) or self.gold.words.get(self.gold.hosts.get(name, "")) or self._stated(name)
        return f"{name} {_quote(text, 0, SHOWN)}" if text else name

    def _stated(self, block: str) -> str:
        texts = (self.built.text(node, KAG.fullText) for node in self.built.nodes.get(block, ()))
        return next(filter(None, texts), "")

    def call_out(self, metric: str, fact: Fact, sort: str) -> str:
        """The passage a link is printed in, the call-out marked; its paragraph when no call-out is known."""
        span = self.gold.spans.get((metric, fact)) if sort == "missing" else self._mention(metric, fact)
        if span is None:
            return self.of(fact[0])
        text, start, end = span
        before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
        return f"{fact[0]} “{_folded(before)} »{_folded(text[start:end])}« {_folded(after)}”"

    def _mention(self, metric: str, fact: Fact) -> tuple[str, int, int] | None:
        """The first call-out in the graph that makes this link."""
        text = self.built.text
        blocks = [block for block, name in self.gold.hosts.items() if name == fact[0]] or [fact[0]]
        for node in (node for block in blocks for node in self.built.nodes.get(block, ())):
            for mention in sorted(self.built.graph.objects(node, KAG.hasMention), key=str):
                start, end = text(mention, KAG.startOffset), text(mention, KAG.endOffset)
                if start and end and fact[1:] in set(self._targets(metric, mention)):
                    return text(node, KAG.fullText), int(start), int(end)
        return None

    def _targets(self, metric: str, mention: Node) -> Iterator[Fact]:
        if metric == "citations":
            for reference in self.built.graph.objects(mention, C4O.denotes):
                yield (self.built.references.get(reference),)
            return
        for target in self.built.graph.objects(mention, KAG.refersTo):
            yield from (self.gold.floats[b] for b in self.built.blocks.get(target, ()) if b in self.gold.floats)


def _quote(text: str, start: int, end: int) -> str:
    text = _folded(text)
    return f"“{text[start:end]}…”" if len(text) > end else f"“{text[start:]}”"


def _folded(text: str) -> str:
    return " ".join(text.split())


def _blocks(words: Words, _metric: str, fact: Fact, _sort: str) -> str:
    return ", ".join(words.of(str(part)) for part in fact)


def _under(words: Words, _metric: str, fact: Fact, _sort: str) -> str:
    block, heading = fact
    return f"{words.of(block)} under {words.of(heading) if heading else 'no heading'}"


def _cites(words: Words, metric: str, fact: Fact, sort: str) -> str:
    return f"{words.call_out(metric, fact, sort)} -> {words.of(f'[{fact[1]}]')}"


def _refers(words: Words, metric: str, fact: Fact, sort: str) -> str:
    return f"{words.call_out(metric, fact, sort)} -> {fact[1]} {fact[2]}"


def _reference(words: Words, _metric: str, fact: Fact, _sort: str) -> str:
    return words.of(f"[{fact[0]}]")


_TELL: Mapping[str, Callable[[Words, str, Fact, str], str]] = {
    "heading_parent": _under,
    "membership": _under,
    "citations": _cites,
    "crossrefs": _refers,
    "references": _reference,
}
