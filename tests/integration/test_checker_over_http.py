"""A served fact-checking model over OpenAI's wire form, with what such a server may do wrong."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest

from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.read.judges import SYSTEM, ServedChecker, open_checker
from kag.agents.read.read_options import CheckerOptions
from kag.core.errors import BudgetExceeded, ModelError, SourceError
from kag.core.evidence import Context, Quote
from tests.integration.provider_servers import ProviderServer, Reply, openai, openai_error, serve

QUOTE = Quote("Lithium cells lost 31 % of their charge.", section=("2 Results",), after="Alkaline cells lost 48 %.")
CLAIM = "Lithium cells lost 31 %."


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith(("_KEY", "_API_BASE", "_BASE_URL")):
            monkeypatch.delenv(name)


def said(word: str, **chances: float) -> Reply:
    """A reply of one word, with the chances of the words that it might have been."""
    body = json.loads(openai(word).body)
    top = [{"token": name, "logprob": math.log(chance), "bytes": None} for name, chance in chances.items()]
    if top:
        first = {**next((one for one in top if one["token"] == word), top[0]), "top_logprobs": top}
        body["choices"][0]["logprobs"] = {"content": [first], "refusal": None}
    return Reply(json.dumps(body).encode())


def checker(server: ProviderServer, prompt: Path | None = None, **limits: Any) -> ServedChecker:
    options = CheckerOptions.read(f"{server.url}#minicheck-7b", prompt)
    return open_checker(options, Budget(Limits(**limits)), Ledger())


def asked(server: ProviderServer) -> dict[str, Any]:
    return json.loads(server.asked[-1].body)


def test_the_chance_of_yes_is_the_score() -> None:
    with serve(said("Yes", Yes=0.6, No=0.2, Maybe=0.2), said("No", No=0.9, Yes=0.1)) as server:
        one = checker(server)
        good, bad = (one.check(CLAIM, [QUOTE], Context()) for _ in range(2))
    assert (good.status, good.reasons) == ("supported", ())
    assert good.score == pytest.approx(0.75)
    assert (bad.status, bad.score) == ("undecided", pytest.approx(0.1))
    assert good.checker.startswith("served:minicheck-7b@127.0.0.1")


def test_the_request_is_a_document_and_a_claim() -> None:
    with serve(said("Yes", Yes=1.0)) as server:
        checker(server).check(CLAIM, [QUOTE], Context(question="?!", abbreviations={"Li": "no", "Lithium": "Li"}))
        body = asked(server)
    system, user = body["messages"]
    assert (system["role"], system["content"]) == ("system", SYSTEM)
    text = user["content"] if isinstance(user["content"], str) else user["content"][0]["text"]
    assert text.startswith("Document: (2 Results)\nLithium cells lost 31 %")
    assert text.endswith("Lithium is short for Li.\nClaim: Lithium cells lost 31 %.")
    assert body["logprobs"] is True
    assert body["top_logprobs"] >= 2
    assert (body["model"], body["temperature"]) == ("minicheck-7b", 0)
    assert "?!" not in json.dumps(body)


@pytest.mark.parametrize(
    ("text", "sent"), [("Say Yes or No of the claim.\n", "Say Yes or No of the claim."), ("", None)]
)
def test_the_models_own_words_or_none(tmp_path: Path, text: str, sent: str | None) -> None:
    (tmp_path / "prompt.txt").write_text(text)
    with serve(said("No")) as server:
        checker(server, tmp_path / "prompt.txt").check(CLAIM, [QUOTE], Context())
        roles = {message["role"]: message["content"] for message in asked(server)["messages"]}
    assert roles.get("system") == sent


@pytest.mark.parametrize(
    ("word", "status", "score"),
    [("Yes.", "supported", 1.0), (" no", "undecided", 0.0), ("42", "undecided", 0.5)],
)
def test_without_chances_the_word_counts(word: str, status: str, score: float) -> None:
    with serve(said(word)) as server:
        verdict = checker(server).check(CLAIM, [QUOTE], Context())
    assert (verdict.status, verdict.score) == (status, score)


def test_a_server_that_fails_and_a_limit_are_errors_by_name() -> None:
    with serve(openai_error(400, "invalid_request_error", "bad")) as server, pytest.raises(ModelError):
        checker(server).check(CLAIM, [QUOTE], Context())
    with serve(said("Yes")) as server, pytest.raises(BudgetExceeded):
        checker(server, calls=0).check(CLAIM, [QUOTE], Context())


@pytest.mark.parametrize("text", ["", "http://127.0.0.1:1/v1", "#model", "http://127.0.0.1:1/v1#"])
def test_a_checker_needs_an_address_and_a_name(text: str) -> None:
    with pytest.raises(ModelError) as error:
        CheckerOptions.read(text)
    assert "#bespoke-minicheck" in error.value.hint


def test_a_key_goes_nowhere_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAG_CHECKER_KEY", "sk-test-0123456789abcdef")
    with pytest.raises(ModelError, match="unencrypted"):
        open_checker(CheckerOptions.read("http://checks.example/v1#m"), Budget(), Ledger())


def test_a_prompt_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(SourceError, match=r"prompt\.txt"):
        open_checker(CheckerOptions.read("http://127.0.0.1:1/v1#m", tmp_path / "prompt.txt"), Budget(), Ledger())
