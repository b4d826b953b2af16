"""A trajectory as Markdown: the same text for the same steps, whole or cut off, and nothing of a stranger's is markup.

`KAG_UPDATE_GOLDEN=1 pytest tests/unit/test_trajectory_report.py` writes the golden reports again.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kag.core.errors import RunError
from kag.core.trajectory import find_phases, read_steps
from kag.export.trajectory_report import report_of, trajectory_report
from kag.indexing.pipeline import index_paper
from kag.text.markdown import MAX_TEXT, fenced, plain_text, quoted, table, unfenced
from tests.papers import write_paper

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "trajectory"
LINES = (GOLDEN / "agent.jsonl").read_text(encoding="utf-8")
SUMMARY = json.loads((GOLDEN / "agent.json").read_text(encoding="utf-8"))
PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")


def agreed(name, report):
    path = GOLDEN / name
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        path.write_text(report, encoding="utf-8")
    assert report == path.read_text(encoding="utf-8")


def test_a_run_of_an_agent():
    agreed("agent.md", trajectory_report(LINES, SUMMARY))


def test_a_run_that_was_killed():
    cut = LINES[: LINES.index('"output": "Traceback')]
    agreed("killed.md", trajectory_report(cut, {}, name="river_20260101T000000Z"))


def test_a_run_of_the_baseline(tmp_path):
    indexed = index_paper(write_paper(tmp_path / "river_ocr"))
    summary = json.loads(indexed.files["summary.json"])
    report = trajectory_report(indexed.files["trajectory.jsonl"], summary)
    assert "| Outcome | conforms |" in report
    assert [phase.title for phase in find_phases(read_steps(indexed.files["trajectory.jsonl"])[0])] == [
        "leave blocks out",
        "write",
        "finalize",
    ]
    assert "## Iteration" not in report
    for name, calls in summary["operations"].items():
        assert f"| {name} | {calls} |" in report


def test_a_trajectory_cut_anywhere_gives_a_report():
    for end in range(0, len(LINES), 97):
        report = trajectory_report(LINES[:end], {})
        rest = LINES[:end].rpartition("\n")[2]
        whole = LINES[:end].count("\n") + (rest in LINES.splitlines())
        assert report.startswith("# run\n")
        assert ("Damaged lines" in report) == (rest not in ("", *LINES.splitlines()))
        assert len(read_steps(LINES[:end])[0]) == whole


def test_lines_that_are_no_steps_are_counted():
    steps, damaged = read_steps('{"kind": "tool"}\n[1]\nnull\n"x"\n{"kind\n\n' + "[" * 100_000 + "\n3\n")
    assert (len(steps), damaged) == (1, 6)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["kind", "name", "ok", "step", "args", "error", "violations", "iteration", "code", "output", "reasoning",
     "tokens_in", "duration_ms", "cost_usd", "cause", "submitted"]
)  # fmt: skip
STEPS = st.fixed_dictionaries({"kind": st.sampled_from(["tool", "iteration", "note", "other"])}).flatmap(
    lambda base: st.dictionaries(KEYS, ODD, max_size=8).map(lambda more: {**more, **base})
)


@given(st.lists(STEPS, max_size=8), st.dictionaries(st.sampled_from(["builder", "graph", "source", "repairs"]), ODD))
def test_steps_of_any_form_give_a_report(steps, summary):
    report = trajectory_report("".join(json.dumps(step) + "\n" for step in steps), summary)
    assert report.startswith("# run\n")
    assert report == trajectory_report("".join(json.dumps(step) + "\n" for step in steps), summary)


def test_an_iteration_holds_the_calls_made_inside_it():
    phases = find_phases(read_steps(LINES)[0])
    assert [(phase.title, phase.number, len(phase.tools)) for phase in phases] == [
        ("iteration 1", 1, 2),
        ("iteration 2", 2, 2),
        ("validate", None, 1),
        ("stopped", None, 0),
        ("leave blocks out", None, 1),
        ("finalize", None, 1),
    ]


def test_an_iteration_in_one_step():
    rows = [
        {"kind": "iteration", "name": "step", "reasoning": "r", "code": "c", "output": "o", "tokens_in": 3},
        {"kind": "tool", "name": "op_create_node", "ok": True},
        {"kind": "iteration", "name": "step", "code": "d", "output": "p", "tokens_in": 4},
    ]
    phases = find_phases(rows)
    assert [(phase.title, phase.number) for phase in phases] == [
        ("iteration 1", 1),
        ("write", None),
        ("iteration 2", 2),
    ]


# strangers' texts -----------------------------------------------------------------------------


@given(st.text(alphabet=st.sampled_from("ab `*_[]()<>#|~&!@:/.\\-+=1 \n\t\"'http")))
def test_a_paragraph_of_any_text_is_that_text(text):
    words = " ".join(text.split())
    tokens = PARSER.parse(plain_text(text))
    if words:
        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert {child.type for child in tokens[1].children} <= {"text", "text_special"}
        assert "".join(child.content for child in tokens[1].children) == words


@given(st.text(alphabet=st.sampled_from("ab|`\\*<\n")), st.text(alphabet=st.sampled_from("c|\\`_")))
def test_a_cell_stays_in_its_place(first, second):
    cells = [t for t in PARSER.parse(table(("x", "y"), [(first, second)])) if t.type == "inline"]
    assert [cell.content for cell in cells[:2]] == ["x", "y"]
    assert len(cells) == 4
    shown = ["".join(child.content for child in cell.children) for cell in cells[2:]]
    assert shown == [" ".join(first.split()), " ".join(second.split())]


@given(st.text(alphabet=st.sampled_from("a`~ \n")))
def test_a_fence_ends_where_the_text_does(text):
    tokens = PARSER.parse(fenced(text, "text"))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == text.strip("\n") + "\n"


@given(st.text(alphabet=st.sampled_from("a># -`*<[]()1.\n")))
def test_a_quotation_holds_no_markup(text):
    kinds = {token.type for token in PARSER.parse(quoted(text))}
    assert kinds <= {"blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close", "inline"}


@pytest.mark.parametrize(
    ("code", "bare"),
    [("```python\nx = 1\n```\n", "x = 1"), ("x = '```'", "x = '```'"), ("```", "```"), ("", ""), ("```\n```", "")],
)
def test_a_models_own_fence_is_taken_off(code, bare):
    assert unfenced(code) == bare


def test_what_moves_a_terminal_or_turns_a_text_is_not_passed_on():
    evil = "a\x1b[2Jb\u202ec\x00d\ud800"
    for text in (plain_text(evil), fenced(evil), quoted(evil)):
        assert not set(text) & set("\x1b\u202e\x00")
        text.encode("utf-8")


def test_long_texts_are_cut():
    assert len(fenced("x" * 10 * MAX_TEXT)) < MAX_TEXT + 100
    rows = table(("a",), [("y" * 1000,)] * 100)
    assert len(rows) < 40 * 300
    assert rows.endswith("... and 60 more")


# reading runs ---------------------------------------------------------------------------------


def test_a_folder_or_a_file(tmp_path):
    run = tmp_path / "river_20260101T000000Z"
    run.mkdir()
    with pytest.raises(RunError, match=r"trajectory\.jsonl cannot be read"):
        report_of(run)
    (run / "trajectory.jsonl").write_bytes(LINES.encode() + b'{"kind": "tool", "name": "\xff')
    killed = report_of(run)
    assert killed.startswith("# river_20260101T000000Z\n")
    assert "interrupted" in killed
    (run / "summary.json").write_text(json.dumps(SUMMARY))
    assert report_of(run).startswith("# river\\_\\*ice\\*\n")
    assert report_of(run / "trajectory.jsonl") == report_of(run)
    (run / "summary.json").write_text("[")
    assert report_of(run) == killed


def test_the_script(tmp_path):
    (tmp_path / "trajectory.jsonl").write_text(LINES, encoding="utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "dump_trajectory.py")]
    shown = subprocess.run([*command, str(tmp_path)], capture_output=True, encoding="utf-8", check=True)
    subprocess.run([*command, str(tmp_path), "--out", str(tmp_path / "r.md")], check=True)
    assert shown.stdout == (tmp_path / "r.md").read_text(encoding="utf-8") == report_of(tmp_path)
    wrong = [str(tmp_path), "--out", str(tmp_path / "r.md" / "y")]
    for arguments, message in (([str(tmp_path / "none")], "cannot be read"), (wrong, "r.md")):
        failed = subprocess.run([*command, *arguments], capture_output=True, encoding="utf-8")
        assert failed.returncode == 2
        assert message in failed.stderr
        assert failed.stderr.startswith("error: ")


def test_a_question_is_told_with_its_calls() -> None:
    steps = [
        {"kind": "note", "name": "asked", "id": "q1", "question": "What *is* ice?", "paper": "ice", "model": "m"},
        {"kind": "note", "name": "rung", "mode": "single", "why": "the paper fits"},
        {"kind": "call", "name": "read", "reply": "{} ```", "tokens_in": 7, "tokens_out": 3, "cost_usd": 0.5},
        {"kind": "note", "name": "refused", "complaints": ["claims[0] has no evidence"]},
    ]
    text = "".join(json.dumps({"step": n, "ok": True, **step}) + "\n" for n, step in enumerate(steps, start=1))
    report = trajectory_report(text, {}, name="trajectories")
    assert report.startswith("# q1\n")
    assert "| Question | What \\*is\\* ice? |" in report
    assert "| Answered by | single: the paper fits |" in report
    assert "| Outcome | answered |" in report
    assert "| Tokens | 7 in, 3 out |" in report
    assert "## Call: read\n\n````text\n{} ```\n````" in report
    assert "claims\\[0\\] has no evidence" in report
    assert "finalize" not in report


def lines_of(*steps: dict) -> str:
    return "".join(json.dumps({"step": n, "ok": True, **step}) + "\n" for n, step in enumerate(steps, start=1))


def test_a_review_is_listed_with_the_rules_choice_and_the_answer() -> None:
    rows = [
        {"id": "d1", "question": "continues", "block": "b_p002_0001", "answers": ["none", "b_p001_0009"], "why": "w"},
        {"id": "d2", "question": "entry", "block": "b_p003_0001", "answers": ["joined", "apart"], "why": "v"},
    ]
    answered = {"d1": "b_p001_0009", "h3": "h2", "h4": 2}
    text = lines_of(
        {"kind": "note", "name": "ambiguities", "ambiguities": rows},
        {"kind": "iteration", "name": "action", "iteration": 1, "code": "x", "waited_ms": 1500},
        {"kind": "note", "name": "review", "rows": answered, "blocks": ["b_p002_0001"]},
        {"kind": "iteration", "name": "outcome", "iteration": 1, "output": "", "submit_refused": ["SUBMIT refused: d1"],
         "submitted": {"answer": "One *paragraph* joined."}, "blocks": ["b_p002_0001"], "block_count": 3},
    )  # fmt: skip
    changed = [{"block": "b_p002_0001", "kind": "continues", "from": "", "to": "b_p001_0009"}]
    done = {"name": "review", "changes": changed, "completed_by": {"name": "baseline", "kept": 3, "added": 4}}
    report = trajectory_report(text, {"builder": done})
    assert "| d1 | continues | b_p002_0001 | w | none | b_p001_0009 |" in report
    assert "| d2 | entry | b_p003_0001 | v | joined |  |" in report
    assert "| h3 | h2 |" in report
    assert "| Submitted | One \\*paragraph\\* joined. |" in report
    assert "| Refused | SUBMIT × 1 |" in report
    assert "| Waited for the model | 1.5 s |" in report
    assert "| Graph finished by | baseline (3 blocks kept, 4 added) |" in report
    assert "## Changes against the baseline" in report
    assert report.count("SUBMIT refused: d1") == 1
    assert "Blocks: b_p002_0001 and 2 more" in report.replace("\\_", "_")


def test_an_error_is_printed_once() -> None:
    text = lines_of(
        {"kind": "iteration", "name": "action", "iteration": 1, "code": "1 / 0"},
        {"kind": "iteration", "name": "outcome", "ok": False, "output": "a", "error": "ZeroDivisionError: x"},
        {"kind": "note", "name": "stopped", "ok": False, "cause": "budget", "error": "the limit is reached"},
    )  # fmt: skip
    report = trajectory_report(text, {})
    assert report.count("ZeroDivisionError: x") == 1
    assert report.count("the limit is reached") == 1
    assert "steps that raised × 1" in report
