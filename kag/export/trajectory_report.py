"""A run's trajectory as Markdown that a person reads: what was done, in which order, what failed, what it cost.

The reader takes what it finds: a trajectory cut off by a killed process, steps of kinds it does not know, a run
without a summary. What came from the paper or a model is shown as text, never as Markdown or HTML of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kag.core.errors import RunError
from kag.core.trajectory import Phase, Row, error_class, find_phases, read_steps, violation_count
from kag.indexing.run import SUMMARY, TRAJECTORY
from kag.text.markdown import fenced, plain_text, quoted, table, unfenced


def report_of(path: Path) -> str:
    """The report of a run folder or of a `trajectory.jsonl`; raises `RunError` when there is none to read."""
    folder = path if path.is_dir() else path.parent
    file = path / TRAJECTORY if path.is_dir() else path
    try:
        text = file.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise RunError(
            f"{file} cannot be read: {error.strerror}", hint="Give a run folder, or a trajectory.jsonl."
        ) from error
    try:
        summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        summary = {}
    return trajectory_report(text, summary if isinstance(summary, dict) else {}, name=folder.resolve().name)


def trajectory_report(text: str, summary: Row, *, name: str = "run") -> str:
    """Markdown from the lines of a trajectory and the run's summary, which is empty when the run did not end."""
    steps, damaged = read_steps(text)
    phases = find_phases(steps)
    parts = [
        _header(steps, phases, summary, name, damaged),
        _timeline(phases),
        _review(steps),
        _changes(summary),
        _repairs(summary),
        _failures(steps),
        _tools(steps),
        *(_call(step) for step in steps if step.get("kind") == "call" or "complaints" in step),
        *(_iteration(phase) for phase in phases if phase.number is not None),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


# sections -------------------------------------------------------------------------------------


def _header(steps: Sequence[Row], phases: Sequence[Phase], summary: Row, name: str, damaged: int) -> str:
    builder, graph, whole = _map(summary, "builder"), _map(summary, "graph"), Phase("", steps=list(steps))
    asked = next((step for step in steps if step.get("name") == "asked"), {})
    calls, seen = len(whole.tools), _map(summary, "vision")
    failed = sum(not step.get("ok", True) for step in whole.tools)
    rows = [
        ("Question", asked.get("question", "")),
        ("Paper", asked.get("paper", "")),
        ("Asked", " ".join(str(asked[key]) for key in ("mode", "model") if asked.get(key))),
        (
            "Answered by",
            next((f"{s.get('mode')}: {s.get('why')}" for s in steps if s.get("name") in ("mode", "rung")), ""),
        ),
        ("Builder", " ".join(str(builder[key]) for key in ("name", "model") if builder.get(key))),
        ("Chosen because", builder.get("why", "")),
        ("Outcome", _answered(steps) if asked else _ending(steps, summary)),
        ("Submitted", _submitted(steps)),
        ("Graph finished by", _finisher(builder)),
        ("Graph", f"{graph['triples']} triples" if "triples" in graph else ""),
        ("Pages, blocks", f"{_map(summary, 'source').get('pages', '?')}, {_map(summary, 'source').get('blocks', '?')}"),
        ("Iterations", str(sum(phase.number is not None for phase in phases) or "")),
        ("Tool calls", f"{calls}, {failed} of them failed" if failed else str(calls)),
        ("Tokens", _tokens(whole)),
        ("Cost", f"{whole.total('cost_usd'):.4f} USD" if whole.total("cost_usd") else ""),
        ("Figures described", f"{seen.get('described')} of {seen.get('figures')}" if seen else ""),
        ("Refused", _refusals(steps)),
        ("Waited for the model", _seconds(whole.total("waited_ms")) if any("waited_ms" in s for s in steps) else ""),
        ("Time in code", _seconds(whole.total("duration_ms")) if any("duration_ms" in s for s in steps) else ""),
        ("Damaged lines", f"{damaged}, left out of this report" if damaged else ""),
    ]
    kept = [(title, str(value)) for title, value in rows if value and (summary or title != "Pages, blocks")]
    return f"# {plain_text(str(asked.get('id') or summary.get('paper') or name))}\n\n" + table(("", ""), kept)


def _ending(steps: Sequence[Row], summary: Row) -> str:
    stopped = _map(summary, "builder").get("stopped") or next(
        (step.get("error") for step in steps if step.get("name") == "stopped"), ""
    )
    finals = [step for step in steps if step.get("name") == "finalize_graph"]
    ready = bool(finals) and bool(finals[-1].get("ok", True))
    state = "conforms" if ready else "not finished" if finals else "finalize_graph was never called"
    if not summary:
        state += "; no summary.json, so the run was interrupted or is under way"
    return f"{state}; stopped: {stopped}" if stopped else state


def _submitted(steps: Sequence[Row]) -> str:
    """The answer that ended the run."""
    given = [step["submitted"] for step in steps if "submitted" in step]
    answer = given[-1].get("answer", "") if given and isinstance(given[-1], dict) else ""
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _finisher(builder: Row) -> str:
    """Return who finished the graph: the builder, or the one that completed it."""
    completed = _map(builder, "completed_by")
    if not completed:
        return str(builder.get("name", ""))
    return (
        f"{completed.get('name', '')} ({completed.get('kept', '?')} blocks kept, {completed.get('added', '?')} added)"
    )


def _refusals(steps: Sequence[Row]) -> str:
    """Count the refusals by sort: tool calls by class of error, SUBMITs, failed steps."""
    counts = Counter(error_class(step) for step in steps if step.get("kind") == "tool" and not step.get("ok", True))
    submits = sum(len(refused) for step in steps if isinstance(refused := step.get("submit_refused"), list))
    counts.update({"SUBMIT": submits} if submits else {})
    failed = sum(step.get("kind") == "iteration" and not step.get("ok", True) for step in steps)
    counts.update({"steps that raised": failed} if failed else {})
    return ", ".join(f"{kind} × {count}" for kind, count in counts.most_common())


def _answered(steps: Sequence[Row]) -> str:
    """Describe how a question ended; answers of rules need no step."""
    stopped = next((str(step.get("error")) for step in steps if step.get("name") == "stopped"), "")
    return f"stopped: {stopped}" if stopped else "answered"


def _timeline(phases: Sequence[Phase]) -> str:
    if not phases:
        return "## Timeline\n\nNo step was recorded."
    agent = any(phase.number is not None for phase in phases)
    head = ("", "what", "calls", "failed", "violations", *(("tokens", "USD", "time") if agent else ()))
    rows = []
    for number, phase in enumerate(phases, start=1):
        found = [count for step in phase.steps if (count := violation_count(step)) is not None]
        failed = sum(not step.get("ok", True) for step in phase.tools)
        row = [
            str(number),
            phase.title,
            str(len(phase.tools) or ""),
            str(failed or ""),
            str(found[-1]) if found else "",
        ]
        if agent:
            cost, spent = phase.total("cost_usd"), phase.total("duration_ms")
            row += [_tokens(phase), f"{cost:.4f}" if cost else "", _seconds(spent) if spent else ""]
        rows.append(tuple(row))
    return "## Timeline\n\n" + table(head, rows)


def _review(steps: Sequence[Row]) -> str:
    """The ambiguities of a review with the rules' choice, and the rows that the model answered."""
    listed = [row for step in steps if isinstance(rows := step.get("ambiguities"), list) for row in rows]
    answers = next((_map(step, "rows") for step in reversed(steps) if step.get("name") == "review"), {})
    rows = [
        (
            *(str(row.get(key, "")) for key in ("id", "question", "block", "why")),
            str(next(iter(row.get("answers") or ()), "")),
            str(answers.get(str(row.get("id")), "")),
        )
        for row in listed
        if isinstance(row, dict)
    ]
    head = ("", "question", "block", "why it is asked", "the rules' choice", "the model's answer")
    asked = {row[0] for row in rows}
    places = [(str(name), str(place)) for name, place in answers.items() if name not in asked]
    parts = ["## Ambiguities\n\n" + table(head, rows)] if rows else []
    parts += ["## Headings moved\n\n" + table(("heading", "to"), places)] if places else []
    return "\n\n".join(parts)


def _changes(summary: Row) -> str:
    """Describe the differences of the graph from the rules' graph."""
    listed = _map(summary, "builder").get("changes")
    rows = [
        tuple(str(row.get(key, "")) for key in ("block", "kind", "from", "to"))
        for row in (listed if isinstance(listed, list) else ())
        if isinstance(row, dict)
    ]
    return "## Changes against the baseline\n\n" + table(("block", "what", "from", "to"), rows) if rows else ""


def _repairs(summary: Row) -> str:
    """The repairs of the input."""
    rows = summary.get("repairs")
    given = [
        (
            f"page {row.get('page', '?')}, line {row.get('line', '?')}",
            str(row.get("problem", "")),
            str(row.get("action", "")),
        )
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
    ]
    return "## Repairs of the input\n\n" + table(("where", "problem", "what was done"), given) if given else ""


def _failures(steps: Sequence[Row]) -> str:
    failed = [
        step
        for step in steps  # what raised in an iteration is told there, and what stopped the run at the top
        if not step.get("ok", True)
        and step.get("kind") != "iteration"
        and step.get("name") not in ("finalize_graph", "stopped")
    ]
    counts = Counter((str(step.get("name", "")), error_class(step), str(step.get("error", ""))) for step in failed)
    rows = [(name, kind, str(count), words) for (name, kind, words), count in counts.most_common()]
    return "## Failures\n\n" + table(("where", "class", "times", "error"), rows) if rows else ""


def _tools(steps: Sequence[Row]) -> str:
    calls = [step for step in steps if step.get("kind") == "tool"]
    counts = Counter(str(step.get("name", "")) for step in calls)
    failed = Counter(str(step.get("name", "")) for step in calls if not step.get("ok", True))
    rows = [(name, str(count), str(failed[name] or "")) for name, count in counts.most_common()]
    return "## Tools\n\n" + table(("tool", "calls", "failed"), rows) if rows else ""


def _call(step: Row) -> str:
    """One model call outside the loop with its reply, or its error."""
    complaints = step.get("complaints")
    if isinstance(complaints, list):
        return "## Refused\n\n" + "\n".join(f"- {plain_text(str(complaint))}" for complaint in complaints)
    return f"## Call: {plain_text(str(step.get('name', '')))}\n\n" + fenced(str(step.get("reply", "")), "text")


def _iteration(phase: Phase) -> str:
    parts = [f"## Iteration {phase.number}"]
    if reasoning := phase.text("reasoning"):
        parts.append(quoted(reasoning))
    if code := phase.text("code"):
        parts.append(fenced(unfenced(code), "python"))
    counts = Counter(str(step.get("name", "")) + ("" if step.get("ok", True) else " (failed)") for step in phase.tools)
    if counts:
        parts.append("Tools: " + ", ".join(f"{plain_text(name)} × {count}" for name, count in counts.most_common()))
    if about := _blocks(phase):
        parts.append(about)
    if output := phase.text("output"):
        parts.append(fenced(output, "text"))
    if error := "; ".join(str(s["error"]) for s in phase.steps if s.get("error") and s.get("kind") == "iteration"):
        parts.append(f"**Failed:** {plain_text(error)}")
    if not any("output" in step for step in phase.steps):
        parts.append("**No outcome was recorded.**")
    refused = [
        str(refusal)
        for s in phase.steps
        if isinstance(refusals := s.get("submit_refused"), list)
        for refusal in refusals
    ]
    parts += [f"**{plain_text(fromkey)}**" for fromkey in dict.fromkeys(refused) if fromkey not in error]
    if any("submitted" in step for step in phase.steps):
        parts.append("**Submitted.**")
    return "\n\n".join(parts)


def _blocks(phase: Phase) -> str:
    """The blocks that a step is about."""
    step = next((step for step in phase.steps if isinstance(step.get("blocks"), list) and step.get("block_count")), {})
    names = [plain_text(str(name)) for name in step.get("blocks", ())]
    more = int(step.get("block_count", 0)) - len(names)
    return f"Blocks: {', '.join(names)}{f' and {more} more' if more > 0 else ''}" if names else ""


# figures --------------------------------------------------------------------------------------


def _map(row: Row, key: str) -> Row:
    value = row.get(key)
    return value if isinstance(value, dict) else {}


def _tokens(phase: Phase) -> str:
    given, taken = phase.total("tokens_in"), phase.total("tokens_out")
    return f"{given:.0f} in, {taken:.0f} out" if given or taken else ""


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 100 else f"{milliseconds:.0f} ms"
