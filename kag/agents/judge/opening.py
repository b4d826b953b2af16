"""`open_hearing`: who judges a model's claims, as the options say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from kag.agents.judge.claim_judge import Jury
from kag.agents.judge.options import CheckerOptions
from kag.agents.judge.served import open_checker
from kag.agents.model.budget import Budget
from kag.agents.model.calling import cause_of
from kag.agents.model.cassette import Cassette
from kag.agents.model.options import OFFLINE
from kag.agents.model.token_ledger import Ledger
from kag.agents.read.read_options import ReadOptions
from kag.core.trajectory import Step, Trajectory
from kag.core.verdict import Case, Checker, Hear, Verdict

if TYPE_CHECKING:
    import dspy


def open_hearing(
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
        return hearing(checker, trajectory)
    return Jury(lm, trajectory).hear if options.judge and options.lm != OFFLINE else None


def hearing(checker: Checker, trajectory: Trajectory) -> Hear:
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
        told = [[verdict.status, round(verdict.score, 4)] for verdict in found if verdict]
        trajectory.append(Step("note", "checker", data={"by": checker.name, "verdicts": told}))
        return found + [None] * (len(cases) - len(found))

    return hear
