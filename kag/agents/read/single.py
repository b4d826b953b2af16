"""`ask_whole`: the whole paper in one call, and two calls more at most to repair claims that do not hold.

The paper comes before the question, so that a provider's prompt cache serves all questions on one paper; its
reference list comes behind it, whole or short. The repair does not send the paper again, only what stands near the
refused claims.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kag.agents.model.calling import cause_of, json_in, put
from kag.agents.model.token_ledger import Ledger
from kag.agents.read.claims import FORM, Judged, judge
from kag.agents.read.read_prompts import REPAIR_TASK, WHOLE_TASK
from kag.questions.file import Question
from kag.read.paper import Node, PaperGraph
from kag.read.story import Reading, note
from kag.read.whole import entry_text, is_on_entries, whole_text
from kag.values.trajectory import Step, Trajectory
from kag.values.verdict import Hear

if TYPE_CHECKING:
    import dspy

REPAIRS = 2  # calls at most
MAX_REPAIR = 10_000  # characters of the repair's prompt
MAX_NODE = 1_500  # characters of one node in it


def ask_whole(
    lm: dspy.LM,
    question: Question,
    paper: PaperGraph,
    trajectory: Trajectory,
    ledger: Ledger,
    hear: Hear | None = None,
) -> Reading:
    """Put a question and the whole paper to `lm`; never raises for what a model or its provider can do.

    The reference list is given whole where the question may be about it, else the first words of each entry. The
    searches of the reading say what was read.
    """
    whole = is_on_entries(question.text)
    text, entries = whole_text(paper), entry_text(paper, whole=whole)
    given = [text, f"References{'' if whole else ', their first words'}:\n{entries}", _asked(question)]
    try:
        reply = _call(lm, WHOLE_TASK, given if entries else [text, given[-1]], trajectory, ledger, "read")
    except Exception as error:  # whatever the provider did, the rules' answer stands in
        return _stopped(error, trajectory)
    judged = judge(draft_of(reply), {paper.id: paper}, question.text, hear)
    for _ in range(REPAIRS):
        if not judged.complaints:
            break
        note(trajectory, "refused", complaints=list(judged.complaints))
        try:
            reply = _call(
                lm, REPAIR_TASK, [_repair_prompt(question, paper, reply, judged)], trajectory, ledger, "repair"
            )
        except Exception as error:
            cause, words = cause_of(error)
            note(trajectory, "no_repair", cause=cause, error=words)
            break
        again = judge(draft_of(reply), {paper.id: paper}, question.text, hear)
        judged = again if len(again.claims) >= len(judged.claims) else judged
    read = f"the whole paper was read: {len(paper.nodes)} nodes, {len(text) + len(entries)} characters"
    return settled(judged, (read if whole or not entries else f"{read}, of its references the first words",))


def settled(judged: Judged, searches: tuple[str, ...]) -> Reading:
    """A last verdict as a reading; without any claim that holds the model has not answered."""
    if judged.claims or (judged.not_found and searches):
        return Reading(judged.claims, judged.dropped, searches)
    why = "; ".join(judged.complaints)[:300] or "it says that nothing is said, and has looked for nothing"
    return Reading(dropped=judged.dropped, cause="unverified", stopped=f"no claim of the model holds: {why}")


def draft_of(reply: str) -> Any:
    """The first JSON object in a reply that looks like an answer; the reply itself when there is none."""
    return next((found for found in json_in(reply, "{") if found.keys() & {"claims", "not_found"}), reply)


def _repair_prompt(question: Question, paper: PaperGraph, reply: str, judged: Judged) -> str:
    draft = draft_of(reply)
    names = _named(draft)
    nodes = _with_neighbours(paper, [iri for name in names if (iri := paper.resolve(name)) in paper.nodes and iri])
    passages = [f"[{node.name} p{node.page}] {node.plain[:MAX_NODE]}" for node in dict.fromkeys(nodes)]
    complaints = "\n".join(f"- {one}" for one in judged.complaints)
    kept = json.dumps(draft, ensure_ascii=False) if isinstance(draft, dict) else f"no JSON object; give {FORM}"
    parts = (f"{_asked(question)}", f"Your answer:\n{kept[:3_000]}", f"What is wrong:\n{complaints[:3_000]}")
    return "\n\n".join((*parts, "Passages:\n" + "\n".join(passages)))[:MAX_REPAIR]


def _with_neighbours(paper: PaperGraph, iris: Sequence[str]) -> list[Node]:
    """The nodes themselves, and behind them all those printed right before and after one."""
    order = list(paper.nodes)
    places = [order.index(iri) for iri in dict.fromkeys(iris)]
    beside = [at + step for at in places for step in (-1, 1) if 0 <= at + step < len(order)]
    return [paper.nodes[order[at]] for at in dict.fromkeys([*places, *beside])]


def _named(draft: Any) -> list[str]:
    """The nodes that a draft names, in order."""
    claims = draft.get("claims") if isinstance(draft, dict) else None
    rows = [row for row in claims if isinstance(row, dict)] if isinstance(claims, list) else []
    given = [one for row in rows if isinstance(row.get("evidence"), list) for one in row["evidence"]]
    return list(
        dict.fromkeys(one["node"] for one in given if isinstance(one, dict) and isinstance(one.get("node"), str))
    )


def _asked(question: Question) -> str:
    return f"Question: {question.text}"


def _call(lm: dspy.LM, task: str, texts: list[str], trajectory: Trajectory, ledger: Ledger, name: str) -> str:
    """One call, on record."""
    before = ledger.summary()
    response = put(lm, task, texts)
    now, reply = ledger.summary(), str(response.text or "")
    spent = {key: now[key] - before[key] for key in ("tokens_in", "tokens_out")}
    data = {"reply": reply, "finish": response.finish_reason, **spent, "cost_usd": round(now["usd"] - before["usd"], 9)}
    trajectory.append(Step("call", name, data=data))
    return reply


def _stopped(error: Exception, trajectory: Trajectory) -> Reading:
    cause, words = cause_of(error)
    trajectory.append(Step("note", "stopped", ok=False, data={"cause": cause, "error": words}))
    return Reading(cause=cause, stopped=words)
