"""Which engine a name opens, what is wrong with a name that opens none, and the stack around any engine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import dspy
import pytest
from dspy.lm15 import CacheConfig, Config, Message, Request, Response, TextPart, Usage

from kag.agents.model.budget import Budget, Cassette, Ledger, Limits
from kag.agents.model.engines import ModelFailure, Source, as_model_error
from kag.agents.model.models import cache_closed_steps, model_over, open_model
from kag.core.errors import BudgetExceeded, KagError, ModelError

OWN = '''
from dspy.lm15 import Message, Response, TextPart, Usage

class Echo:
    """Says the last words of the prompt, in capitals."""
    provider = "anthropic"

    def complete(self, request):
        text = request.messages[-1].text.upper()
        usage = Usage(input_tokens=1000, output_tokens=100)
        model = "claude-sonnet-4-5"
        message = Message.assistant([TextPart(text)])
        return Response(id=None, model=model, message=message, finish_reason="stop", usage=usage)

class Rules(Echo):
    priced = "policy"

def nothing():
    return object()

number = 5
'''


class Echo:
    """An engine that repeats the prompt and reports `usage`; `gate` holds it until it is opened."""

    def __init__(self, usage: Usage | None = None) -> None:
        self.usage, self.asked, self.closed = usage or Usage(), 0, 0

    def complete(self, request: Request) -> Response:
        self.asked += 1
        message = Message.assistant([TextPart(request.messages[-1].text or "")])
        return Response(id=None, model="echo", message=message, finish_reason="stop", usage=self.usage)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_engine.py").write_text(OWN, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_engine", raising=False)


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL")):
            monkeypatch.delenv(name)


@pytest.mark.usefixtures("own")
def test_an_engine_of_ones_own_goes_through_the_same_stack(tmp_path: Path) -> None:
    ledger, cassette = Ledger(), Cassette(tmp_path / "calls.jsonl", "record")
    lm = open_model("own_engine:Echo", budget=Budget(), ledger=ledger, cassette=cassette, role="sub")
    assert lm("hello") == ["HELLO"]
    (row,) = ledger.rows
    assert (row.role, row.model, row.tokens_in, row.tokens_out) == ("sub", "own_engine:Echo", 1000, 100)
    replay = Cassette(tmp_path / "calls.jsonl")
    assert open_model("own_engine:Echo", budget=Budget(), ledger=ledger, cassette=replay)("hello") == ["HELLO"]
    assert [row.replayed for row in ledger.rows] == [False, True]


@pytest.mark.usefixtures("own")
def test_rules_are_never_priced_as_a_model() -> None:
    ledger = Ledger()
    open_model("own_engine:Rules", budget=Budget(Limits(usd=0.0001)), ledger=ledger)("hello")
    assert [(row.usd, row.priced) for row in ledger.rows] == [(0.0, "policy")]


@pytest.mark.usefixtures("own", "no_keys")
@pytest.mark.parametrize(
    ("spec", "message", "hint"),
    [
        ("anthropic/claude-sonnet-4-5", "needs a key", "ANTHROPIC_API_KEY"),
        ("openai/gpt-4o", "needs a key", "OPENAI_API_KEY"),
        ("nonsense", "no provider is known", "anthropic/"),
        ("nobody/model", "no provider is known", "package.module:factory"),
        ("mistral/mistral-large-latest", "needs a key", "MISTRAL_API_KEY"),
        ("no_such_module:factory", "cannot be loaded", "no_such_module"),
        ("own_engine:missing", "cannot be loaded", "missing"),
        ("own_engine:number", "is not a factory", "function or class"),
    ],
)
def test_a_name_that_opens_nothing_is_a_clear_error(spec: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError, match=message) as error:
        open_model(spec, budget=Budget(), ledger=Ledger())
    assert hint in error.value.hint


@pytest.mark.usefixtures("own", "no_keys")
def test_wrong_options_are_clear_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    stack = {"budget": Budget(), "ledger": Ledger()}
    with pytest.raises(ModelError, match="key was given as an option"):
        open_model("openai/gpt-4o", api_key="sk-1", **stack)
    with pytest.raises(ModelError, match="not an address of a server"):
        open_model("openai/gpt-4o", api_base="localhost", **stack)
    with pytest.raises(ModelError, match=r"temperature=1\.0"):
        open_model("openai/gpt-5", temperature=0.3, **stack)
    with pytest.raises(ModelError, match="makes no engine"):
        open_model("own_engine:nothing", **stack)("hello")


@pytest.mark.usefixtures("no_keys")
def test_a_model_is_opened_without_litellm_and_without_a_call() -> None:
    program = (
        "import os, sys; os.environ['ANTHROPIC_API_KEY'] = 'sk-test-0123456789'\n"
        "from kag.agents.model.models import open_model\n"
        "from kag.agents.model.budget import Budget\n"
        "from kag.agents.model.budget import Ledger\n"
        "for name in ('anthropic/claude-sonnet-4-5', 'ollama_chat/llama3.1:8b', 'hosted_vllm/qwen3'):\n"
        "    open_model(name, budget=Budget(), ledger=Ledger())\n"
        "print('litellm.main' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("limits", [Limits(usd=0.02), Limits(tokens=2400), Limits(calls=2)])
def test_a_budget_stops_before_the_third_call_and_dspy_hands_it_on(limits: Limits) -> None:
    engine, ledger = Echo(Usage(input_tokens=1000, output_tokens=400)), Ledger()
    source = Source("echo", lambda: engine, provider="anthropic", listed="claude-sonnet-4-5")  # 0.009 USD a call
    lm = model_over(source, budget=Budget(limits), ledger=ledger)
    program = dspy.Predict("question -> answer")
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        lm("one")
        lm("two")
        with pytest.raises(BudgetExceeded) as stop:
            program(question="x" * 4000)
    assert (stop.value.code, engine.asked, len(ledger.rows)) == ("budget", 2, 2)


def test_a_limit_in_dollars_needs_a_price() -> None:
    source = Source("echo", Echo, provider=None)
    with pytest.raises(BudgetExceeded, match="no price is known for echo"):
        model_over(source, budget=Budget(Limits(usd=1)), ledger=Ledger())("hello")
    assert model_over(source, budget=Budget(Limits(usd=1, tokens=1000)), ledger=Ledger())("hello") == ["hello"]


def test_tokens_that_are_not_reported_are_reckoned_and_marked() -> None:
    ledger, budget = Ledger(), Budget()
    model_over(Source("echo", Echo), budget=budget, ledger=ledger)("x" * 4000)
    (row,) = ledger.rows
    assert not row.measured
    assert 1000 <= row.tokens_in <= 1050
    assert row.tokens_out == 1000
    assert (row.usd, row.priced) == (None, False)
    assert budget.spent()["tokens"] == row.tokens_in + row.tokens_out


def test_threads_share_one_engine_ledger_and_budget() -> None:
    opened: list[Echo] = []

    def make() -> Echo:
        opened.append(Echo(Usage(input_tokens=1, output_tokens=1)))
        return opened[-1]

    ledger, budget = Ledger(), Budget(Limits(calls=40))
    lm = model_over(Source("echo", make, tariff="local"), budget=budget, ledger=ledger)
    stopped = []

    def work() -> None:
        for _ in range(10):
            try:
                lm("hello")
            except BudgetExceeded:
                stopped.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(opened), len(ledger.rows), len(stopped)) == (1, 40, 20)
    assert budget.spent() == {"usd": 0.0, "tokens": 80, "calls": 40}
    lm.engine.close()
    assert opened[0].closed == 1


def test_a_fault_in_an_engine_is_labelled_and_not_repeated() -> None:
    class Broken(Echo):
        def complete(self, request: Request) -> Response:
            self.asked += 1
            raise ZeroDivisionError("oops")

    engine, ledger = Broken(), Ledger()
    with pytest.raises(ModelError, match="ZeroDivisionError: oops"):
        model_over(Source("broken", lambda: engine), budget=Budget(), ledger=ledger)("hello")
    assert engine.asked == 1
    assert [row.error for row in ledger.rows] == ["unexpected"]


def test_an_unreadable_reply_becomes_a_model_error() -> None:
    lm = model_over(Source("echo", Echo), budget=Budget(), ledger=Ledger())
    adapter = dspy.ChatAdapter(use_json_adapter_fallback=False)
    with dspy.context(lm=lm, adapter=adapter), pytest.raises(dspy.AdapterParseError) as raised:
        dspy.Predict("question -> answer, other")(question="?")
    error = as_model_error(raised.value, "echo")
    assert isinstance(error, ModelFailure)
    assert error.slug == "unreadable"
    assert len(str(error)) < 400
    assert isinstance(error, KagError)


def repl_request(steps: int) -> Request:
    history = "\n".join(
        f"=== Step {n} ===\nCode:\n```python\nprint({n})\n```\nOutput (2 chars):\n{n}\n" for n in steps_of(steps)
    )
    text = (
        "[[ ## variables_info ## ]]\nVariable: `text`\n\n[[ ## repl_history ## ]]\n"
        f"{history or 'You have not interacted with the REPL environment yet.'}\n\n"
        f"[[ ## iteration ## ]]\n{steps + 1}/9\n\nRespond."
    )
    return Request(model="m", system="rules", messages=(Message.user(text),), config=Config(cache=CacheConfig()))


def steps_of(count: int) -> range:
    return range(1, count + 1)


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_closed_steps_become_blocks_that_stay_the_same_as_the_prompt_grows(steps: int) -> None:
    asked, grown = (cache_closed_steps(repl_request(count)) for count in (steps, steps + 1))
    closed, current = asked.messages
    assert closed.parts == grown.messages[0].parts[: steps + 1], "what was cached is found again"
    assert asked.config.cache == CacheConfig(prefix_until_index=0)
    words = "".join(part.text for message in asked.messages for part in message.parts)
    assert words == repl_request(steps).messages[0].text
    assert current.text.endswith("Respond.")


def test_other_prompts_are_left_alone() -> None:
    plain = Request(model="m", messages=(Message.user("What is ice?"),), config=Config(cache=CacheConfig()))
    assert cache_closed_steps(plain) is plain
