"""The whole agent over a provider's wire format: each reply a server can give ends in success or a labelled stop."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path

import pytest

from kag.agents.build.build_options import ModelMaking
from kag.indexing.audit import audit
from kag.indexing.batch import Job, Outcome, run_job
from kag.indexing.run import load_run
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee
from tests.integration.provider_servers import anthropic, anthropic_error, openai, serve
from tests.unit.agents.test_outline import paper as outline_paper

REQUESTS = Path(__file__).resolve().parent.parent / "golden" / "requests"
GOLDEN = REQUESTS / "rlm_first_request.json"
MODEL = ModelMaking("rlm", "anthropic/claude-sonnet-4-5", "a test")


@pytest.fixture
def replies(paper: Path, tmp_path: Path) -> list[str]:
    """What the offline policy answers for this paper, step by step: a server can say the same."""
    record = tmp_path / "calls.jsonl"
    outcome = run_job(Job(paper, "ice", tmp_path / "policy", options=ModelMaking("rlm", "offline", "", record=record)))
    assert outcome.state == "indexed"
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return ["".join(part["text"] for part in row["response"]["message"]["parts"]) for row in rows]


def built(paper: Path, out: Path, url: str, monkeypatch: pytest.MonkeyPatch, options: ModelMaking = MODEL) -> Outcome:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-of-the-test")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    return run_job(Job(paper, "ice", out, options=options))


def whole(outcome: Outcome) -> dict:
    """The summary of a run that is whole, whatever its agent met: conformant, conserved, without the key."""
    assert outcome.state == "indexed", outcome.message
    assert outcome.run
    run = load_run(outcome.run)
    assert referee(run.graph, load_shapes(DOC)).issues == ()
    assert audit(run).issues == ()
    assert all(b"sk-secret-of-the-test" not in path.read_bytes() for path in outcome.run.iterdir())
    assert (outcome.run / "trajectory.jsonl").stat().st_size > 0
    return dict(run.summary)


def test_the_agent_builds_over_the_wire(
    paper: Path, tmp_path: Path, replies: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first_busy = [
        anthropic_error(429, "rate_limit_error", "slow down", retry_after="0"),
        anthropic_error(529, "overloaded_error", "overloaded", retry_after="0"),
    ]
    with serve(*first_busy, *map(anthropic, replies)) as server:
        outcome = built(paper, tmp_path / "wire", server.url, monkeypatch)
    summary = whole(outcome)
    assert "stopped" not in summary["builder"]
    assert summary["builder"]["model"] == "anthropic/claude-sonnet-4-5"
    assert summary["builder"]["usage"]["calls"] == len(replies)
    (policy,) = (tmp_path / "policy").glob("ice_*")
    assert (policy / "knowledge_graph.ttl").read_bytes() == (outcome.run / "knowledge_graph.ttl").read_bytes()
    check_golden(server.asked[-len(replies)].body)


def check_golden(body: bytes, golden: Path = GOLDEN) -> None:
    """A request, prompt included; KAG_UPDATE_GOLDEN=1 writes it anew."""
    text = json.dumps(json.loads(body), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


FORMS = {
    "anthropic": ("anthropic/claude-sonnet-4-5", anthropic, ("rlm_second_request.json", "review_request.json")),
    "openai": ("openai/gpt-4o", openai, ("rlm_second_request_openai.json", "review_request_openai.json")),
}


@pytest.mark.parametrize("form", FORMS)
def test_what_never_changes_is_one_prefix_of_every_request(
    form: str, paper: Path, tmp_path: Path, replies: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, said, (second, review) = FORMS[form]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
    with serve(*map(said, replies)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        options = ModelMaking("rlm", model, "a test")
        whole(built(paper, tmp_path / "rlm", server.url, monkeypatch, options))
    bodies = [json.loads(asked.body) for asked in server.asked]
    check_golden(server.asked[1].body, REQUESTS / second)
    systems, users = zip(*map(texts, bodies), strict=True)
    assert len(set(systems)) == 1, "the task, the rules and the tools are the same at each step"
    for earlier, later in pairwise(users):
        assert later.startswith(earlier[: earlier.index("[[ ## repl_history ## ]]")]), (
            "and so is what is shown of the paper"
        )
    assert users[2].startswith(users[1][: users[1].index("\n\n[[ ## iteration ## ]]")]), "steps are only added"

    ambiguous = outline_paper(tmp_path)
    with serve(said("[[ ## reasoning ## ]]\nx\n\n[[ ## code ## ]]\n```python\nSUBMIT({})\n```")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        whole(built(ambiguous, tmp_path / "review", server.url, monkeypatch, ModelMaking("review", model, "a test")))
    check_golden(server.asked[0].body, REQUESTS / review)
    assert len(server.asked) == 1


def texts(body: dict) -> tuple[str, str]:
    """The words of the system prompt and of the user, blocks put together, in the form of either provider."""

    def words(content: object) -> str:
        return content if isinstance(content, str) else "".join(part["text"] for part in content)  # type: ignore[attr-defined]

    system = words(body["system"]) if "system" in body else words(body["messages"][0]["content"])
    return system, "".join(words(message["content"]) for message in body["messages"] if message["role"] == "user")


STOPS = {
    "refusal": anthropic("", stop="refusal"),
    "no code at all": anthropic("I would rather talk about the weather."),
    "wrong key": anthropic_error(401, "authentication_error", "invalid x-api-key"),
}


@pytest.mark.parametrize(("name", "at"), [("refusal", 0), ("no code at all", 2), ("wrong key", 2)])
def test_what_goes_wrong_ends_in_a_labelled_whole_run(
    name: str, at: int, paper: Path, tmp_path: Path, replies: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(*map(anthropic, replies[:at]), STOPS[name]) as server:
        outcome = built(paper, tmp_path / "wire", server.url, monkeypatch)
    builder = whole(outcome)["builder"]
    assert builder["stopped"]
    assert builder["completed_by"]["name"] == "baseline"
    assert outcome.message
    assert "sk-secret" not in outcome.message
    assert outcome.exit_code == (0 if builder["cause"] in ("iterations", "budget") else 3)
