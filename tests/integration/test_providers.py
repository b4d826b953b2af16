"""Real requests over real sockets: every answer a provider can give ends in a reply or in a labelled error.

The bodies and headers of requests are compared byte for byte with `tests/golden/requests/`; after a wanted change
run these tests with `KAG_UPDATE_GOLDEN=1` and read the difference.
"""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path
from typing import Any

import dspy
import pytest
from dspy.lm15 import CacheConfig, Config, ImagePart, Message, Request, TextPart

from kag.agents.model.budget import Budget, Cassette, Ledger, Limits
from kag.agents.model.models import open_model
from kag.core.errors import BudgetExceeded, ModelError
from tests.integration.provider_servers import (
    Asked,
    ProviderServer,
    Reply,
    anthropic,
    anthropic_error,
    openai,
    openai_error,
    serve,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "requests"
CLAUDE, GPT, LOCAL = "anthropic/claude-sonnet-4-5", "openai/gpt-4o", "hosted_vllm/qwen3"
KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


class Run:
    """A model at a local server, its ledger, and a clock that sleeping moves."""

    def __init__(self, spec: str, server: ProviderServer, limits: Limits | None = None, **options: Any) -> None:
        self.slept: list[float] = []
        self.ledger = Ledger()
        self.budget = Budget(limits, clock=lambda: sum(self.slept), sleep=self.slept.append)
        self.lm = open_model(spec, budget=self.budget, ledger=self.ledger, api_base=server.url, **options)

    def fails(self, text: str = "hello") -> ModelError:
        with pytest.raises(ModelError) as error:
            self.lm(text)
        assert KEY not in f"{error.value} {error.value.hint} {self.ledger.rows}"
        assert error.value.exit_code == 3
        return error.value


# ---- success, and what it costs ----


@pytest.mark.parametrize(
    ("spec", "reply", "tokens", "usd"),
    [
        (
            CLAUDE,
            anthropic(
                "ice",
                usage={
                    "input_tokens": 1000,
                    "cache_read_input_tokens": 5000,
                    "cache_creation_input_tokens": 300,
                    "output_tokens": 200,
                },
            ),
            (6300, 200, 5000, 300),
            0.008625,  # (1000 * 3 + 5000 * 0.3 + 300 * 3.75 + 200 * 15) / 10**6
        ),
        (
            GPT,
            openai(
                "ice",
                usage={
                    "prompt_tokens": 6000,
                    "completion_tokens": 200,
                    "total_tokens": 6200,
                    "prompt_tokens_details": {"cached_tokens": 5000},
                },
            ),
            (6000, 200, 5000, 0),
            0.01075,  # (1000 * 2.5 + 5000 * 1.25 + 200 * 10) / 10**6
        ),
        (LOCAL, openai("ice"), (10, 5, 0, 0), 0.0),
        ("ollama_chat/llama3.1:8b", openai("ice"), (10, 5, 0, 0), 0.0),
    ],
)
def test_a_reply_is_counted_and_priced(spec: str, reply: Reply, tokens: tuple[int, ...], usd: float) -> None:
    with serve(reply) as server:
        run = Run(spec, server)
        assert run.lm("hello") == ["ice"]
    (row,) = run.ledger.rows
    assert (row.tokens_in, row.tokens_out, row.cache_read, row.cache_write) == tokens
    assert row.usd == usd
    assert row.priced == (True if usd else "local")
    assert (row.measured, row.attempts, row.finish, row.error) == (True, 1, "stop", "")
    assert run.budget.spent() == {"usd": usd, "tokens": tokens[0] + tokens[1], "calls": 1}


@pytest.mark.parametrize(
    ("spec", "reply"),
    [(CLAUDE, anthropic("The ice is", stop="max_tokens")), (GPT, openai("The ice is", finish="length"))],
)
def test_a_reply_that_was_cut_off_is_a_reply_and_the_ledger_says_so(spec: str, reply: Reply) -> None:
    with serve(reply) as server:
        run = Run(spec, server)
        assert run.lm("hello") == ["The ice is"]
    assert run.ledger.rows[0].finish == "length"


# ---- what passes ----


@pytest.mark.parametrize(
    ("spec", "replies", "waits"),
    [
        (CLAUDE, [anthropic_error(429, "rate_limit_error", "slow down", retry_after="7"), anthropic("ice")], [7.0]),
        (GPT, [openai_error(429, "rate_limit_exceeded", "slow down", retry_after="3"), openai("ice")], [3.0]),
        (
            CLAUDE,
            [
                anthropic_error(529, "overloaded_error", "overloaded"),
                anthropic_error(500, "api_error", "fault"),
                anthropic_error(503, "api_error", "fault"),
                anthropic("ice"),
            ],
            [1.0, 2.0, 4.0],
        ),
        (GPT, [Reply(b"<html>bad gateway</html>", status=502, content_type="text/html"), openai("ice")], [1.0]),
        (CLAUDE, [Reply(anthropic("ice").body, cut=40), anthropic("ice")], [1.0]),
        (GPT, [Reply(openai("ice").body, cut=0), openai("ice")], [1.0]),
    ],
)
def test_what_passes_is_tried_again_and_counted_once(spec: str, replies: list[Reply], waits: list[float]) -> None:
    with serve(*replies) as server:
        run = Run(spec, server)
        assert run.lm("hello") == ["ice"]
    assert run.slept == waits
    assert len({asked.body for asked in server.asked}) == 1, "the same request each time"
    (row,) = run.ledger.rows
    assert (row.attempts, row.tokens_in) == (len(replies), 10)


def test_a_slow_server_is_given_up_and_tried_again() -> None:
    with serve(Reply(anthropic("late").body, delay=1.5), anthropic("ice")) as server:
        run = Run(CLAUDE, server, timeout=0.2)
        started = time.monotonic()
        assert run.lm("hello") == ["ice"]
        assert time.monotonic() - started < 1.4
    assert run.ledger.rows[0].attempts == 2


# ---- what does not pass ----

FAILURES = [
    (CLAUDE, anthropic_error(401, "authentication_error", f"invalid x-api-key {KEY}"), "auth", 1, "check the key"),
    (GPT, openai_error(401, "invalid_api_key", f"Incorrect API key: {KEY}"), "auth", 1, "check the key"),
    (
        CLAUDE,
        anthropic_error(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        "context_length",
        1,
        "larger context window",
    ),
    (
        GPT,
        openai_error(400, "context_length_exceeded", "maximum context length is 128000 tokens"),
        "context_length",
        1,
        "larger context window",
    ),
    (
        CLAUDE,
        anthropic_error(400, "invalid_request_error", "max_tokens: 99999 > 8192"),
        "invalid_request",
        1,
        "options",
    ),
    (GPT, openai_error(404, "model_not_found", "no such model"), "unsupported_model", 1, "name"),
    (GPT, openai_error(429, "insufficient_quota", "You exceeded your current quota"), "billing", 1, "credit"),
    (CLAUDE, anthropic_error(429, "rate_limit_error", "slow down", retry_after="1"), "rate_limit", 5, "wait"),
    (CLAUDE, anthropic_error(429, "rate_limit_error", "come back", retry_after="3600"), "rate_limit", 1, "wait"),
    (CLAUDE, anthropic_error(529, "overloaded_error", "overloaded"), "server", 5, "later"),
    (CLAUDE, Reply(b"{not json"), "provider", 1, "proxy"),
    (GPT, Reply(b"<html>welcome</html>", content_type="text/html"), "provider", 1, "proxy"),
    (CLAUDE, Reply(b"[]"), "unexpected", 1, "format"),
    (CLAUDE, Reply(anthropic("ice").body, cut=40), "transport", 5, "network"),
    (GPT, Reply(openai("ice").body, cut=40), "transport", 5, "network"),
]


@pytest.mark.parametrize(("spec", "reply", "slug", "attempts", "hint"), FAILURES)
def test_what_does_not_pass_is_labelled(spec: str, reply: Reply, slug: str, attempts: int, hint: str) -> None:
    with serve(reply) as server:
        run = Run(spec, server)
        error = run.fails()
    assert hint in error.hint
    assert len(server.asked) == attempts
    (row,) = run.ledger.rows
    assert (row.error, row.attempts, row.usd) == (slug, attempts, 0.0)
    assert run.budget.spent() == {"usd": 0.0, "tokens": 0, "calls": 1}


@pytest.mark.parametrize(
    ("spec", "reply", "message"),
    [
        (CLAUDE, anthropic("", stop="refusal"), "refuses"),
        (CLAUDE, anthropic("I will not", stop="refusal"), "refuses: I will not"),
        (GPT, openai(None, refusal="I cannot help"), "refuses: I cannot help"),
        (GPT, openai("", finish="content_filter"), "refuses"),
        (CLAUDE, anthropic("", stop="max_tokens"), "cut off before its first word"),
        (GPT, openai(""), "reply is empty"),
    ],
)
def test_a_reply_that_says_nothing_is_labelled_and_paid(spec: str, reply: Reply, message: str) -> None:
    with serve(reply) as server:
        run = Run(spec, server)
        assert message in str(run.fails())
    assert len(server.asked) == 1
    (row,) = run.ledger.rows
    assert row.usd
    assert run.budget.spent()["usd"] == row.usd


def test_a_server_that_is_not_there_is_labelled() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = ProviderServer(f"http://127.0.0.1:{free.getsockname()[1]}", [])
    run = Run(LOCAL, server)
    assert "network" in run.fails().hint
    assert run.slept == [1.0, 2.0, 4.0, 8.0]


def test_dspy_neither_wraps_nor_repeats_a_failure() -> None:
    with serve(anthropic_error(401, "authentication_error", "no")) as server:
        run = Run(CLAUDE, server)
        with dspy.context(lm=run.lm), pytest.raises(ModelError, match="auth: no"):
            dspy.Predict("question -> answer")(question="?")
    assert len(server.asked) == 1


def test_address_and_key_of_a_local_server_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(openai("ice")) as server:
        monkeypatch.setenv("HOSTED_VLLM_API_BASE", server.url)
        monkeypatch.setenv("HOSTED_VLLM_API_KEY", KEY)
        ledger = Ledger()
        assert open_model(LOCAL, budget=Budget(), ledger=ledger)("hello") == ["ice"]
    (asked,) = server.asked
    assert (asked.path, asked.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert [(row.usd, row.priced) for row in ledger.rows] == [(None, False)], "with a key it may cost something"


def test_a_provider_that_only_litellm_reaches_goes_through_the_same_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    with serve(openai("ice"), openai_error(401, "invalid_api_key", f"Incorrect API key: {KEY}")) as server:
        run = Run("mistral/mistral-large-latest", server)
        assert run.lm("hello") == ["ice"]
        assert "[secret]" in str(run.fails())
    first, second = run.ledger.rows
    assert (first.tokens_in, first.tokens_out, first.priced) == (10, 5, True)
    assert (second.error, second.attempts) == ("auth", 1), "a wrong key is not tried again"
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


# ---- limits ----


def test_the_run_does_not_wait_longer_than_it_may_take() -> None:
    with serve(anthropic_error(429, "rate_limit_error", "slow down", retry_after="90")) as server:
        run = Run(CLAUDE, server, Limits(seconds=60))
        assert isinstance(run.fails(), BudgetExceeded)
    assert run.slept == []


# ---- recording and replay ----


def three_calls(run: Run) -> list[Any]:
    questions = [Request(model=CLAUDE, messages=(Message.user(text),)) for text in ("one", "two", "three")]
    return [run.lm(question) for question in questions]


def test_a_recorded_run_is_replayed_with_the_server_down_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calls.jsonl"
    usage = {"input_tokens": 1000, "cache_read_input_tokens": 500, "output_tokens": 200}
    with serve(*(anthropic(text, usage=usage) for text in ("eins", "zwei", "drei"))) as server:
        live = Run(CLAUDE, server, cassette=Cassette(path, "record"))
        recorded = three_calls(live)
    assert KEY not in path.read_text("utf-8")
    before = path.read_bytes()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    replay = Run(CLAUDE, server, cassette=Cassette(path))
    assert three_calls(replay) == recorded
    assert [response.text for response in recorded] == ["eins", "zwei", "drei"]
    assert (len(server.asked), path.read_bytes()) == (3, before)
    paid, saved = live.ledger.summary(), replay.ledger.summary()
    assert (saved["usd"], saved["usd_replayed"], saved["replayed"]) == (0.0, paid["usd"], 3)
    assert replay.budget.spent() == live.budget.spent(), "limits stop a replay where they stopped the run"


# ---- requests, byte for byte ----


class Count(dspy.Signature):
    """Count the letters of a word."""

    word: str = dspy.InputField()
    letters: int = dspy.OutputField()


REPLY = "[[ ## letters ## ]]\n3\n\n[[ ## completed ## ]]"
STEPS = (
    "[[ ## variables_info ## ]]\nVariable: `blocks`\n\n[[ ## repl_history ## ]]\n=== Step 1 ===\nCode:\n```python\n"
    "print(1)\n```\nOutput (2 chars):\n1\n\n=== Step 2 ===\nCode:\n```python\nprint(2)\n```\nOutput (2 chars):\n2\n\n\n"
    "[[ ## iteration ## ]]\n3/9\n\nRespond."
)
PICTURE = ImagePart(data="iVBORw0KGgo=", media_type="image/png")


def ask_signature(lm: dspy.LM) -> None:
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        assert dspy.Predict(Count)(word="ice").letters == 3


def ask_steps(lm: dspy.LM) -> None:
    config = Config(cache=CacheConfig(), max_tokens=4000, temperature=0.0)
    lm(Request(model=lm.model, system="Rules.", messages=(Message.user(STEPS),), config=config))


def ask_picture(lm: dspy.LM) -> None:
    lm(Request(model=lm.model, messages=(Message.user([PICTURE, TextPart("What is it?")]),)))


CASES = {
    "anthropic_signature": (CLAUDE, anthropic(REPLY), ask_signature, {}),
    "anthropic_steps": (CLAUDE, anthropic(REPLY), ask_steps, {}),
    "anthropic_picture": (CLAUDE, anthropic("ice"), ask_picture, {}),
    "openai_signature": (GPT, openai(REPLY), ask_signature, {}),
    "openai_steps": (GPT, openai(REPLY), ask_steps, {}),
    "openai_picture": (GPT, openai("ice"), ask_picture, {}),
    "openai_reasoning_signature": ("openai/gpt-5", openai(REPLY), ask_signature, {"max_tokens": 16000}),
    "ollama_signature": ("ollama_chat/llama3.1:8b", openai(REPLY), ask_signature, {"temperature": 0.2}),
    "vllm_signature": (LOCAL, openai(REPLY), ask_signature, {}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_request_is_what_it_was(name: str) -> None:
    spec, reply, ask, options = CASES[name]
    with serve(reply) as server:
        ask(Run(spec, server, **options).lm)
    (asked,) = server.asked
    path = GOLDEN / f"{name}.http"
    text = printed(asked)
    assert KEY not in text
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def printed(asked: Asked) -> str:
    """The request as it went over the wire, on lines: what changes from machine to machine and secrets left out."""
    kept = {name: text.replace(KEY, "<key>") for name, text in asked.headers.items() if name != "host"}
    lines = [f"{asked.method} {asked.path}", *(f"{name}: {kept[name]}" for name in sorted(kept))]
    assert json.dumps(json.loads(asked.body), ensure_ascii=False, separators=(",", ":")).encode() == asked.body
    return "\n".join(lines) + "\n\n" + asked.body.decode() + "\n"
