"""Questions answered over the providers' wire formats: every reply a server can give ends in a labelled answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.agents.read.answerer import MOST_TOKENS
from kag.cli.main import cli
from kag.core.errors import ModelError
from kag.core.evidence import Answer, read_answer
from kag.qa.answer_folder import question_name
from kag.qa.checking.verify import verify
from kag.qa.library import open_library
from tests.integration.provider_servers import (
    Asked,
    ProviderServer,
    Reply,
    anthropic,
    anthropic_error,
    openai,
    serve,
)
from tests.unit.agents.readings import FALSE, TRUE, action, batteries, claims
from tests.unit.agents.shelves import ICE, shelf

BUNDLED = Path(__file__).resolve().parent.parent.parent / "test_data"
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "requests"
CLAUDE, GPT = "anthropic/claude-sonnet-4-5", "openai/gpt-4o"
ASKED = "How much charge did the cells lose?"
SEARCH = action('print(g_search("lithium charge")["total"])')
SUBMIT = action(f"SUBMIT(answer=json.loads({claims(TRUE)!r}))")
REWORDED = ("Of their charge, the cells lost 31 %.", *TRUE[1:])  # not the words of its quote: a judge is asked
CLAIM = action(f"SUBMIT(answer=json.loads({claims(REWORDED)!r}))")
KEY = "sk-secret-of-the-test"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batteries")
    batteries(folder)
    return folder / "runs"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("KAG_LM", raising=False)


def qa(
    runs: Path, out: Path, server: ProviderServer | None, *more: str, lm: str = CLAUDE, asked: str = ASKED
) -> Result:
    """The command, its model at the server's address."""
    if server:
        for name, path in (("ANTHROPIC_BASE_URL", ""), ("OPENAI_BASE_URL", "/v1")):
            os.environ[name] = server.url + path
    arguments = ["qa", "--graph-dir", str(runs), "--out-dir", str(out), "--question", asked, "--lm", lm, *more]
    arguments += [] if "--judge" in more or "--checker" in more else ["--no-judge"]
    result = CliRunner().invoke(cli, arguments)
    for path in out.rglob("*.*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()
    return result


def answered(runs: Path, out: Path) -> Answer:
    """The answer, which verifies whatever the model met."""
    (path,) = (out / "answers").glob("*.json")
    answer, shown = read_answer(path)
    assert verify(answer, open_library(runs), shown).issues == ()
    return answer


@pytest.mark.parametrize(("lm", "say"), [(CLAUDE, anthropic), (GPT, openai)])
def test_the_agent_answers_over_the_wire(runs: Path, tmp_path: Path, lm: str, say: object) -> None:
    with serve(say(SEARCH), say(SUBMIT)) as server:  # type: ignore[operator]
        result = qa(runs, tmp_path, server, lm=lm)
    assert result.exit_code == 0, result.output
    answer = answered(runs, tmp_path)
    assert (answer.mode, answer.label, answer.stopped) == ("agent", lm, "")
    assert (answer.searches, answer.usage["calls"]) == ((ASKED, "lithium charge"), 2)
    assert [claim.text for claim in answer.claims] == [TRUE[0]]
    assert answer.usage["usd"] > 0
    steps = [json.loads(line) for line in next((tmp_path / "trajectories").glob("*.jsonl")).read_text().splitlines()]
    names = ["asked", "mode", "opening", "action", "g_search", "outcome", "action", "outcome"]
    assert [step["name"] for step in steps] == names
    assert "ex:b_p001_0006" in steps[2]["nodes"]
    assert steps[4]["nodes"], "which nodes a step has shown"
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["totals"]["supported"] == 1
    assert summary["questions"][0]["tokens_in"] == answer.usage["tokens_in"] == 20
    assert "Lithium cells lost 31" in (tmp_path / "answers.md").read_text(encoding="utf-8")
    if lm == CLAUDE:
        check_golden("qa_agent_first_request.json", server.asked[0])


@pytest.mark.parametrize(
    ("name", "mode"), [("auto", "agent"), ("single", "agent"), ("extractive", "exact"), ("agent", "agent")]
)
def test_a_former_mode_is_taken_with_a_note(runs: Path, tmp_path: Path, name: str, mode: str) -> None:
    with serve(anthropic(SUBMIT)) as server:
        result = qa(runs, tmp_path, server, "--mode", name)
    assert result.exit_code == 0, result.output
    assert len(server.asked) == (mode == "agent")
    assert (f"the mode {name} is now called {mode}" in result.output) == (name != mode)


def test_an_exact_answer_asks_no_model(runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(SUBMIT)) as server:
        assert qa(runs, tmp_path, server, asked="How many figures are there?").exit_code == 0
    assert server.asked == []
    assert answered(runs, tmp_path).value == 1


def test_a_question_without_a_paper_is_put_to_all_of_them(tmp_path: Path) -> None:
    shelf(tmp_path)
    asked = "How much charge did lithium cells lose under ice?"
    submit = action(f"SUBMIT({{'claims': [{{'text': {ICE[0]!r}, 'evidence': [{{'paper': 'ice', 'node': {ICE[1]!r}, "
                    f"'quote': {ICE[2]!r}}}]}}]}})")  # fmt: skip
    with serve(anthropic(submit)) as server:
        assert qa(tmp_path / "runs", tmp_path / "out", server, asked=asked).exit_code == 0
        os.environ["ANTHROPIC_BASE_URL"] = server.url
        told = CliRunner().invoke(cli, ["ask", asked, str(tmp_path / "runs"), "--lm", CLAUDE, "--no-judge"])
    assert "lithium cells lost 8 %" in told.output.lower()
    answer = answered(tmp_path / "runs", tmp_path / "out")
    assert (answer.mode, answer.papers) == ("agent", ("ice",))
    first, second = (json.loads(request.body) for request in server.asked)
    assert first == second, "the commands ask the same"
    assert "[ice ex:b_p001_0003 p1" in json.dumps(first)


def verdict_on(*facts: tuple[str, str, str]) -> str:
    rows = [dict(zip(("fact", "verdict", "words"), fact, strict=True)) for fact in facts]
    return json.dumps({"claims": [{"claim": 0, "facts": rows}]})


def test_the_model_judges_its_claims_by_question_and_quotes(runs: Path, tmp_path: Path) -> None:
    good = verdict_on(("31 % were lost", "supported", "Lithium cells lost 31 % of their charge"))
    with serve(anthropic(CLAIM), anthropic(good)) as server:
        qa(runs, tmp_path, server, "--judge")
    answer = answered(runs, tmp_path)
    assert [claim.verdict.checker for claim in answer.claims if claim.verdict] == [f"judge:{CLAUDE}"]
    body = json.loads(server.asked[1].body)
    assert ASKED in json.dumps(body)
    assert "Lithium cells lost 31 %" in json.dumps(body, ensure_ascii=False)
    check_golden("qa_judge_request.json", server.asked[1])


def test_what_the_judge_denies_is_left_out_and_the_judge_is_not_asked_twice(runs: Path, tmp_path: Path) -> None:
    bad = verdict_on(("of their charge", "contradicted", "Lithium cells lost 31 % of their charge"))
    with serve(*map(anthropic, (CLAIM, bad, CLAIM, CLAIM))) as server:
        qa(runs, tmp_path, server, "--judge")
    assert len(server.asked) == 4
    assert "is not what the paper says" in server.asked[2].body.decode()
    assert answered(runs, tmp_path).stopped.startswith("no claim of the model holds")


def test_a_served_checker_judges_instead(runs: Path, tmp_path: Path) -> None:
    with serve(openai("Yes")) as checker, serve(anthropic(CLAIM)) as server:
        qa(runs, tmp_path, server, "--checker", f"{checker.url}#minicheck")
    (claim,) = answered(runs, tmp_path).claims
    assert claim.verdict is not None
    assert claim.verdict.checker.startswith("served:minicheck@127.0.0.1")
    assert (len(server.asked), len(checker.asked)) == (1, 1)


def test_a_claim_is_not_judged_by_a_checker_that_is_down(runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(CLAIM)) as server:
        qa(
            runs,
            tmp_path,
            server,
            "--checker",
            "http://127.0.0.1:9/v1#minicheck",
            "--max-seconds",
            "6",
        )
    (claim,) = answered(runs, tmp_path).claims
    assert claim.verdict is None
    (path,) = (tmp_path / "trajectories").glob("*.jsonl")
    steps = [json.loads(line) for line in path.read_text().splitlines()]
    assert [step["ok"] for step in steps if step["name"] == "checker"] == [False, True]


@pytest.mark.parametrize("more", [("--checker", "nowhere"), ("--checker-prompt", "x.txt")])
def test_a_checker_that_is_none_is_told_at_once(runs: Path, tmp_path: Path, more: tuple[str, str]) -> None:
    result = qa(runs, tmp_path, None, *more)
    assert isinstance(result.exception, ModelError)
    assert "URL#MODEL" in result.exception.hint or "#bespoke-minicheck" in result.exception.hint


def test_what_never_changes_comes_first_and_can_be_cached(runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(SEARCH), anthropic(SUBMIT), anthropic(SUBMIT)) as server:
        qa(runs, tmp_path, server)
        qa(runs, tmp_path / "other", server, asked="What else did they lose?")
    first, second, other = (json.loads(asked.body) for asked in server.asked)
    assert first["system"] == second["system"] == other["system"]
    assert "cache_control" in json.dumps(first["system"])
    opening = [body["messages"][0]["content"] for body in (first, second)]
    texts = [[{**part, "cache_control": None} for part in parts] for parts in opening]
    assert texts[1][: len(texts[0])] == texts[0], "a later step only adds to what was sent"
    assert "cache_control" in json.dumps(opening[1][-1])
    outlines = [body["messages"][0]["content"][0]["text"].partition("over time.")[:2] for body in (first, other)]
    assert "Floats: Fig. 1" in outlines[0][0]
    assert outlines[0] == outlines[1], "the paper's outline is the same for all questions"


def check_golden(name: str, asked: Asked) -> None:
    """A request, prompt included; KAG_UPDATE_GOLDEN=1 writes it anew."""
    text = json.dumps(json.loads(asked.body), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        (GOLDEN / name).write_text(text, encoding="utf-8")
    assert text == (GOLDEN / name).read_text(encoding="utf-8")


FAULTS = {
    "refusal": anthropic("", stop="refusal"),
    "cut in the middle": anthropic(SUBMIT[:60], stop="max_tokens"),
    "lies": anthropic(action(f"SUBMIT(answer=json.loads({claims(FALSE)!r}))")),
    "wrong key": anthropic_error(401, "authentication_error", "invalid x-api-key"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_goes_wrong_ends_in_the_answer_without_a_model(runs: Path, tmp_path: Path, name: str) -> None:
    with serve(FAULTS[name]) as server:
        result = qa(runs, tmp_path, server)
    answer = answered(runs, tmp_path)
    assert (answer.mode, bool(answer.stopped)) == ("passages", True)
    assert CLAUDE in answer.label
    assert "was stopped" in answer.label
    assert result.exit_code == (0 if name in ("lies", "cut in the middle") else 3), result.output


def test_exit_code_3_is_for_no_answer_at_all_as_asked(runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(SUBMIT), FAULTS["wrong key"]) as server:
        result = qa(runs, tmp_path, server, "--question", "And the alkaline cells?")
    assert result.exit_code == 0, result.output
    assert "1 claims (agent)" in result.output
    assert "the model was stopped" in result.output


def test_no_key_is_told_before_anything_is_asked(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    result = qa(runs, tmp_path, None)
    assert "ANTHROPIC_API_KEY" in result.exception.hint  # type: ignore[union-attr]
    assert not (tmp_path / "answers").exists()


def test_a_recording_replays_to_the_same_bytes(runs: Path, tmp_path: Path) -> None:
    tape = str(tmp_path / "calls.jsonl")
    with serve(anthropic(SEARCH), anthropic(SUBMIT)) as server:
        assert qa(runs, tmp_path / "first", server, "--record", tape).exit_code == 0
    again = qa(runs, tmp_path / "again", None, "--replay", tape)
    assert again.exit_code == 0, again.output
    for name in (f"answers/{question_name(ASKED)}.json", "answers.md", "summary.json"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    missing = qa(runs, tmp_path / "other", None, "--replay", tape, asked="What else?")
    assert missing.exit_code == 3
    assert "not recorded" in answered(runs, tmp_path / "other").stopped


class Counting(ProviderServer):
    """Says the same for ever, and reports 4 characters of the request as a token."""

    text = ""

    def next_reply(self, asked: Asked) -> Reply:
        with self.lock:
            self.asked.append(asked)
        return anthropic(self.text, usage={"input_tokens": len(asked.body) // 4, "output_tokens": len(self.text) // 4})


@pytest.mark.parametrize("limit", [None, 9_000])
def test_a_question_never_costs_more_than_its_limit(runs: Path, tmp_path: Path, limit: int | None) -> None:
    limits = ("--max-tokens", str(limit)) if limit else ()
    with serve(anthropic("")) as server:
        server.__class__ = Counting
        server.text = action("print(g_search('charge')) # " + "x" * (2_000 if limit else 20_000))
        qa(runs, tmp_path, server, *limits, asked="Why do the colours of buoys matter to gulls?")
    answer = answered(runs, tmp_path)
    spent = answer.usage["tokens_in"] + answer.usage["tokens_out"]
    assert answer.usage["calls"] == len(server.asked) >= 1
    assert 0 < spent <= (limit or MOST_TOKENS)


def test_what_was_answered_is_not_asked_again(runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(SUBMIT)) as server:
        first = qa(runs, tmp_path, server)
        again = qa(runs, tmp_path, server)
        assert (first.exit_code, again.exit_code, len(server.asked)) == (0, 0, 1)
        assert "kept" in again.output
        qa(runs, tmp_path, server, "--force")
        assert len(server.asked) == 2
        qa(runs, tmp_path, server, asked="What was lost?")
        assert len(server.asked) == 3


def test_a_stopped_question_goes_on_from_its_replies(runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(SEARCH), FAULTS["wrong key"]) as server:
        assert qa(runs, tmp_path, server).exit_code == 3
    with serve(anthropic(SUBMIT)) as server:
        assert qa(runs, tmp_path, server).exit_code == 0
    assert len(server.asked) == 1, "the search was replayed"
    assert [claim.text for claim in answered(runs, tmp_path).claims] == [TRUE[0]]
    assert not (tmp_path / ".work").exists()


def test_a_killed_command_goes_on_where_it_was(runs: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.json"
    questions.write_text(json.dumps([{"id": f"q{n}", "question": f"{ASKED} ({n})"} for n in (1, 2)]), encoding="utf-8")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "kag", "qa", "--graph-dir", str(runs), "--questions", str(questions)]
    command += ["--out-dir", str(out), "--lm", CLAUDE]
    stuck = anthropic(SUBMIT)
    with serve(anthropic(SEARCH), anthropic(SUBMIT), anthropic(SEARCH), replace(stuck, delay=60)) as server:
        here = {**os.environ, "ANTHROPIC_BASE_URL": server.url}
        with subprocess.Popen(command, env=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while len(server.asked) < 4 and time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.05)
            process.kill()
    assert len(server.asked) == 4
    first = (out / "answers" / "q1.json").read_bytes()
    assert not (out / "answers" / "q2.json").exists()
    assert not list(out.rglob(".*.json.*"))
    with serve(anthropic(SUBMIT)) as server:
        done = subprocess.run(
            command, env={**os.environ, "ANTHROPIC_BASE_URL": server.url}, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    assert len(server.asked) == 1, "q1 is kept, the search for q2 is replayed"
    assert (out / "answers" / "q1.json").read_bytes() == first
    answer, _ = read_answer(out / "answers" / "q2.json")
    assert [claim.text for claim in answer.claims] == [TRUE[0]]
    assert json.loads((out / "summary.json").read_text())["totals"]["questions"] == 2


def test_the_agent_can_ask_about_a_picture_but_not_quote_what_it_hears(bundled_runs: Path, tmp_path: Path) -> None:
    said = "Two curves fall, the blue one faster."
    name = "zirconium_tracers"
    figure = open_library(bundled_runs)[name].of_kind("Figure")[0].name
    look = action(f'print(ask_figure({figure!r}, "What falls?"))')
    lie = action(f"SUBMIT(answer=json.loads({claims(('Two curves fall.', figure, said))!r}))")
    none = action('g_search("curves"); SUBMIT(answer={"not_found": True})')
    more = ("--vision", "anthropic/claude-haiku-4-5", "--paper", name, "--ocr-dir", str(BUNDLED))
    with serve(*map(anthropic, (look, said, lie, none))) as server:
        result = qa(bundled_runs, tmp_path, server, *more)
    assert result.exit_code == 0, result.output
    assert '"image"' in json.dumps(json.loads(server.asked[1].body))
    assert said in server.asked[2].body.decode()
    answer = answered(bundled_runs, tmp_path)
    assert (answer.mode, answer.claims, answer.searches) == ("agent", (), (ASKED, "curves"))
    assert answer.usage["calls"] == 4
