"""`ServedChecker`: a published fact-checking model behind a server that speaks OpenAI's wire form.

Such a model is shown a document and a claim and answers "Yes" or "No"; its score is the probability of "Yes" among
the two, from the first token's alternatives: so Bespoke-MiniCheck-7B is served by vLLM, Ollama or llama.cpp. The system
text that a model needs is given as a file, or left to the server. `open_judge` chooses who judges a model's claims.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.agents.model.budget import Budget, Ledger
from kag.agents.model.cassette import Cassette
from kag.agents.model.failures import cause_of
from kag.agents.model.models import Server, base_of, host_of, open_server
from kag.agents.model.options import OFFLINE
from kag.agents.read.claim_judge import Jury, passages
from kag.agents.read.read_options import KEYS, CheckerOptions, ReadOptions
from kag.core.errors import SourceError
from kag.core.files import read_regular
from kag.core.trajectory import Step, Trajectory
from kag.core.verdict import Case, Checker, Context, Hear, Quote, Status, Verdict

if TYPE_CHECKING:
    import dspy

SURE = 0.5  # probability of "Yes" from which a claim is supported, as these models are trained
LARGEST_PROMPT = 20_000  # bytes
_TOP = 8  # alternatives of the first token that are asked for
SYSTEM = (
    "You are given a document and a claim. Answer Yes if everything that the claim says is borne out by the document, "
    "and No otherwise. Answer with that one word."
)


class ServedChecker:
    """A served model as a checker. `check` raises what the engine raises: `ModelError`, `BudgetExceeded`."""

    def __init__(self, lm: dspy.LM, model: str, system: str = SYSTEM) -> None:
        self._lm, self._system = lm, system
        self.name = f"served:{model}"

    def check(self, claim: str, quotes: Sequence[Quote], context: Context) -> Verdict:
        """Supported or undecided, with the probability of "Yes" as the score: their "No" may be "not said", too."""
        short = [
            f"{name} is short for {long}." for name, long in sorted(context.abbreviations.items()) if name in claim
        ]
        response = self._asked(f"Document: {' '.join([*passages(quotes), *short])}\nClaim: {claim}")
        yes = yes_probability(response)
        if yes is None:
            return Verdict("undecided", 0.5, self.name, (f"the checker said {str(response.text)[:40]!r}",))
        status: Status = "supported" if yes >= SURE else "undecided"
        reasons = () if yes >= SURE else (f"the checker gives {yes:.2f} that the passages bear it",)
        return Verdict(status, yes, self.name, reasons, {"yes": yes})

    def close(self) -> None:
        """Let go of the connection."""
        self._lm.engine.close()

    def _asked(self, text: str) -> Any:
        from dspy.lm15 import Config, Message, Request

        config = Config(max_tokens=4, temperature=0.0, logprobs=_TOP)
        system = {"system": self._system} if self._system else {}
        return self._lm(Request(model=self._lm.model, messages=(Message.user(text),), config=config, **system))


def open_checker(
    options: CheckerOptions, budget: Budget, ledger: Ledger, cassette: Cassette | None = None
) -> ServedChecker:
    """The checker that the options name; nothing is sent before the first claim.

    Raises what `open_server` raises, and `SourceError` where the prompt cannot be read.
    """
    system = SYSTEM if options.prompt is None else _text_of(options.prompt)
    lm = open_server(Server(options.url, options.model, KEYS), budget, ledger, role="judge", cassette=cassette)
    return ServedChecker(lm, f"{options.model}@{host_of(base_of(options.url))}", system)


def _text_of(path: Path) -> str:
    try:
        return read_regular(path, LARGEST_PROMPT).decode().strip()
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is no text in UTF-8", hint="Give the checker's own system text.") from error


def yes_probability(response: Any) -> float | None:
    """The probability of "Yes" among "Yes" and "No" at the first token that may be either; None where neither stands.

    Without probabilities the word itself counts as 1 or 0.
    """
    for token in response.logprobs or ():
        mass = {"yes": 0.0, "no": 0.0}
        seen = {(one.token, one.logprob) for one in (token, *token.top)}
        for word, logprob in seen:
            name = word.strip().lower().rstrip(".")
            if name in mass:
                mass[name] += math.exp(logprob)
        if sum(mass.values()) > 0.0:
            return mass["yes"] / (mass["yes"] + mass["no"])
    reply = str(response.text or "").strip().lower()
    return 1.0 if reply.startswith("yes") else 0.0 if reply.startswith("no") else None


def open_judge(
    options: ReadOptions,
    lm: dspy.LM,
    budget: Budget,
    ledger: Ledger,
    trajectory: Trajectory,
    opened: ExitStack,
    cassette: Cassette | None = None,
) -> Hear | None:
    """The served checker that the options name, else the model that answers, else nobody: claims are not judged.

    Raises what `open_checker` raises.
    """
    if options.checker:
        checker = open_checker(CheckerOptions.read(options.checker, options.checker_prompt), budget, ledger, cassette)
        opened.callback(checker.close)
        return as_judge(checker, trajectory)
    return Jury(lm, trajectory).hear if options.judge and options.lm != OFFLINE else None


def as_judge(checker: Checker, trajectory: Trajectory) -> Hear:
    """A checker of one claim as one of several; where it fails it has nothing to say of that and the next claims."""

    def hear(cases: Sequence[Case]) -> list[Verdict | None]:
        found: list[Verdict | None] = []
        for case in cases:
            try:
                found.append(checker.check(*case))
            except Exception as error:  # whatever the server did: the claim is not judged
                cause, words = cause_of(error)
                trajectory.append(
                    Step("note", "checker", ok=False, data={"by": checker.name, "cause": cause, "error": words})
                )
                break
        verdicts = [[verdict.status, round(verdict.score, 4)] for verdict in found if verdict]
        trajectory.append(Step("note", "checker", data={"by": checker.name, "verdicts": verdicts}))
        return found + [None] * (len(cases) - len(found))

    return hear
