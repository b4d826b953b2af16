"""Pages that ask: search with facets, questions, answers with the way there, SPARQL."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kag.core.errors import KagError
from kag.core.evidence import Answer, read_answer
from kag.qa.checking.verify import checked
from kag.qa.modes import MODES
from kag.retrieval.faceted import DEEP
from kag.retrieval.facets import FACETS, HEADINGS, chosen
from kag.retrieval.presets import PRESETS
from kag.serve.pages.examples import EXAMPLES
from kag.serve.pages.library import Names, Query, first, number
from kag.serve.papers.asking import Asked, answers, ask, kept_answer, kept_steps, tables_of
from kag.serve.papers.search import FoundPlaces, Wanted, find
from kag.serve.problems import as_refusal
from kag.serve.service import Service

NAMES = 200  # papers that are offered by name
SHOWN = 100  # answers on the page
REACH = {"k": 100, "k_prime": 100, "hops": 3}  # numbers of a search, with the largest of each
AT_ONCE = 8  # values of a facet that are seen without a click


def search_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """What is found, and the facets by which there is less of it."""
    words, start, count = first(query, "query"), number(query, "from", DEEP), service.settings.hits
    values: dict[str, Any] = {"query": words, "chosen": {}, "found": None, "start": start, "problem": None}
    values |= {"count": count, "headings": HEADINGS, "plans": PRESETS, "reach": dict[str, str]()}
    try:
        reach = {name: number(query, name, most) for name, most in REACH.items()}
        plan = first(query, "plan")
        values["reach"] = {name: str(value) for name, value in {"plan": plan, **reach}.items() if value}
        picked = chosen((name, value) for name in FACETS for value in query.get(name, []) if value.strip())
        values["chosen"] = picked
        if not words.strip():
            return values
        wanted = Wanted(words, plan, picked, k=reach["k"], k_prime=reach["k_prime"], hops=reach["hops"])
        found = find(service.reader, wanted, service.settings, start, count)
        return {**values, "found": found, "chosen": found.chosen, "facets": _shown(found)}
    except KagError as error:
        return {**values, "problem": as_refusal(error, service.home.root)}


def _shown(found: FoundPlaces) -> list[tuple[str, list[tuple[str, int]], list[tuple[str, int]]]]:
    """Facets that can be chosen, each with the values that are seen at once (all that are chosen), and the others."""
    rows = []
    for name, counts in found.facets.items():
        picked = found.chosen.get(name, ())
        first = [row for number, row in enumerate(counts.items()) if number < AT_ONCE or row[0] in picked]
        if counts:
            rows.append((name, first, [row for row in counts.items() if row not in first]))
    return rows


def ask_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """A question, and its answer by the rules: a model is asked only by the button, which needs a script."""
    question, paper = first(query, "question"), first(query, "paper")
    values: dict[str, Any] = {"question": question, "asked_paper": paper, "answer": None, "problem": None}
    values |= {"papers": service.reader.state.papers[:NAMES], "settings": service.settings, "modes": MODES}
    if question.strip():
        try:
            answer, _ = ask(service.reader, Asked(question, paper, "exact"))
            values |= {"answer": answer, "claims": claims_of(service, answer)}
        except KagError as error:
            values["problem"] = as_refusal(error, service.home.root)
    return values


def claims_of(service: Service, answer: Answer) -> list[dict[str, Any]]:
    """The claims with their verdicts, each quote with the address of its place."""
    library = service.reader.state.library
    found = checked(answer, library)
    broken = {issue.focus.partition("]")[0] + "]" for issue in found.report.issues if ".evidence[" in issue.focus}
    titles = {one.id: one.title for one in service.reader.state.papers}
    return [
        {
            "claim": claim,
            "quoted": f"claims[{number}]" not in broken,
            "verdict": verdict,
            "tables": tables_of(claim, library),
            "evidence": [
                {
                    "one": one,
                    "title": titles.get(one.paper, ""),
                    "address": f"/papers/{one.paper}#{one.node.rpartition('/')[2]}" if one.paper in titles else "",
                }
                for one in claim.evidence
            ],
        }
        for number, (claim, verdict) in enumerate(zip(answer.claims, found.verdicts, strict=True))
    ]


def answers_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Answers that were kept, with what each took."""
    paths = answers(service.home)
    rows = []
    for path in paths[:SHOWN]:
        try:
            rows.append((path.stem, read_answer(path)[0]))
        except KagError:
            continue
    return {"rows": rows, "more": max(0, len(paths) - SHOWN)}


def answer_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """An answer, and how it came about."""
    answer = kept_answer(service.home, names["answer"])
    steps = [
        (step, json.dumps(_rest(step), ensure_ascii=False)[:2000]) for step in kept_steps(service.home, names["answer"])
    ]
    return {"answer": answer, "claims": claims_of(service, answer), "steps": steps, "name": names["answer"]}


def _rest(step: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name not in ("step", "kind", "name", "ok")}


def sparql_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """A query and its rows."""
    text = first(query, "query")
    values: dict[str, Any] = {"query": text or EXAMPLES[0][1], "examples": EXAMPLES, "table": None, "problem": None}
    if text.strip():
        try:
            values["table"] = service.sparql(text)
        except KagError as error:
            values["problem"] = as_refusal(error, service.home.root)
    return values
