"""Improve an agent's instructions on annotated papers.

    python -m scripts.benchmarks.optimize_agent PAPERS... --lm MODEL

PAPERS are folders of OCR pages with a gold.json, or folders of such folders. The metric is the structure score of
the built graph, 0 to 1. With --lm offline there is nothing to improve: rules follow no instructions.

Only our own text changes, the task in `kag/agents/build/prompts.py`. DSPy's optimizers see it as the one component of
a program that indexes a paper; the rules of the loop and the tools' descriptions are put around it for each trial and
are never part of it. A text is tried once on each paper, so its score is a fact and costs once.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import dspy
from dspy.teleprompt.gepa import InstructionProposer
from rdflib import Graph

from kag import __version__
from kag.agents.build.builders import review_builder, rlm_builder
from kag.agents.build.prompts import INDEX_TASK, REVIEW_TASK
from kag.agents.model.budget import Budget, Cassette, Ledger, Limits
from kag.agents.model.models import open_model
from kag.agents.model.options import MAX_ITERS, OFFLINE, POLICY
from kag.agents.sandbox.marshalling import head_and_tail
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.cli.ending import run as run_command
from kag.cli.terminal import say
from kag.core.errors import ModelError, NotConforming, RunError, SourceError
from kag.core.files import write_output
from kag.core.trajectory import Step, Trajectory
from kag.evaluate.structure.gold import read_gold
from kag.evaluate.structure.score import Comparison, agreement, structure_score
from kag.indexing.pipeline import Builder, index_document
from kag.sources.survey import read_paper

TASKS: Mapping[str, str] = {"rlm": INDEX_TASK, "review": REVIEW_TASK}

MAX_TASK = 16_000  # characters of a text that is proposed
MAX_WORK = 6_000  # characters of a run that the reflecting model sees
SHOWN = 4  # facts and refusals of each kind in the feedback
WISHES = """\
The text is the task of an agent that writes Python in a sandbox and acts through tools. Tools, fields, classes
and properties exist as the text names them and no others do: keep these names. State rules that hold for any
scientific paper; never mention block ids, titles or numbers of the papers in the examples."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One text on one paper: the score (0 to 1), why it is no better, the steps, and what kept it from the end."""

    score: float
    feedback: str
    work: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions with the mean scores, over the papers `scored_on`, of the text before and of this one."""

    model: str
    builder: str
    method: str
    scored_on: tuple[str, ...]
    instructions: str
    score_before: float
    score_after: float
    stopped: str = ""


class Trials:
    """Texts tried on papers, each pair once. `builder(task, trajectory)` makes the agent with that text."""

    def __init__(self, builder: Callable[[str, Trajectory], Builder]) -> None:
        self._builder = builder
        self._known: dict[tuple[str, Path], Trial] = {}
        self.stopped = ""  # why no more can be tried

    def run(self, task: str, paper: Path) -> Trial:
        """The trial of a text on a paper; raises `SourceError` when the paper or its gold.json cannot be read."""
        key = inspect.cleandoc(task), paper
        if key not in self._known:
            self._known[key] = self._run(*key)
        return self._known[key]

    def score(self, task: str, papers: Sequence[Path]) -> float:
        """The mean score over the papers."""
        return sum(self.run(task, paper).score for paper in papers) / len(papers)

    def best(self, papers: Sequence[Path]) -> str:
        """The best of the texts that were tried on all these papers; the earliest of equals."""
        texts = [t for t in dict.fromkeys(t for t, _ in self._known) if all((t, p) in self._known for p in papers)]
        return max(texts, key=lambda text: self.score(text, papers))

    def _run(self, task: str, paper: Path) -> Trial:
        gold, document, trajectory = read_gold(paper), read_paper(paper), Trajectory()
        try:
            indexed = index_document(document, self._builder(task, trajectory))
        except NotConforming as error:
            return _trial(trajectory, {}, "shapes", f"{error.message}: {error.hint}")
        cause = str(indexed.facts.get("cause", ""))
        if cause:  # what the rules have completed is no merit of the text
            if cause == "budget":
                self.stopped = str(indexed.facts["stopped"])
            return _trial(trajectory, {}, cause, str(indexed.facts["stopped"]))
        graph = Graph().parse(data=indexed.files["knowledge_graph.ttl"], format="turtle")
        return _trial(trajectory, agreement(graph, gold))


def _trial(steps: Trajectory, kinds: Mapping[str, Comparison], cause: str = "", stopped: str = "") -> Trial:
    """A run as a trial, with its feedback in words."""
    score = structure_score(kinds)
    said = [f"Stopped ({cause}): {stopped}. A run that does not finish scores 0."] if cause else []
    said.append(f"Structure score {score:.4f} of 1.")
    for name, kind in kinds.items():
        rows = (("missing", kind.missing), ("wrong", kind.wrong))
        told = [f"{len(facts)} {what}, as {sorted(facts, key=str)[:SHOWN]}" for what, facts in rows if facts]
        said.append(f"{name}: F1 {kind.f1:.4f}" + "".join(f"; {one}" for one in told))
    refused = Counter(f"{step.name}: {step.data['error']}" for step in steps if step.kind == "tool" and not step.ok)
    said += [f"{times} x refused: {error}" for error, times in refused.most_common(SHOWN)]
    return Trial(score, "\n".join(said), _work(steps), cause)


def _iterations(steps: Iterable[Step], name: str) -> dict[int, Mapping[str, Any]]:
    return {s.data["iteration"]: s.data for s in steps if (s.kind, s.name) == ("iteration", name)}


def _work(steps: Trajectory) -> str:
    """The iterations as the reflecting model sees them."""
    done = _iterations(steps, "outcome")
    rows = [
        f"# Step {n}: {action['reasoning']}\n{action['code']}\n# Output:\n{done.get(n, {}).get('output', '')}"
        for n, action in _iterations(steps, "action").items()
    ]
    return head_and_tail("\n\n".join(rows), MAX_WORK)


class Student(dspy.Module):  # type: ignore[misc]
    """A program whose only component is the task; running it tries the task on a paper."""

    def __init__(self, task: str, trials: Trials) -> None:
        super().__init__()
        self.task = dspy.Predict(dspy.Signature("paper -> work", task))
        self.tried = _shared(trials)

    def forward(self, paper: str) -> Any:
        trial = self.tried(self.task.signature.instructions, Path(paper))
        if dspy.settings.trace is not None:  # stands for the component, which is never called by itself
            dspy.settings.trace.append((self.task, {"paper": Path(paper).name}, dspy.Prediction(work=trial.work)))
        return dspy.Prediction(trial=trial)


def _shared(trials: Trials) -> Callable[[str, Path], Trial]:
    """`trials.run` as a function, which the copies that DSPy makes of a program share."""

    def tried(task: str, paper: Path) -> Trial:
        return trials.run(task, paper)

    return tried


def optimize(
    trials: Trials,
    lm: Any,
    *,
    builder: str,
    train: Sequence[Path],
    valid: Sequence[Path],
    reflection_lm: Any = None,
    runs: int = 30,
) -> Instructions:
    """The best instructions found within `runs` trials (repeated ones count), those of `prompts.py` if none is better.

    `train` are the papers whose failures are looked at, `valid` those that decide. GEPA asks `reflection_lm`
    (`lm` without one) for new texts. `stopped` of the result says what ended the search early. Raises `ModelError`
    when the agent never finishes.
    """
    task = inspect.cleandoc(TASKS[builder])
    before = trials.score(task, valid)
    failed = [trials.run(task, paper) for paper in valid]
    if all(trial.cause in ("budget", "model", "sandbox") for trial in failed):
        raise ModelError(failed[0].feedback.splitlines()[0], hint="Make it index one of the papers first.")
    stopped, used = "", "gepa"
    if lm.model == POLICY:
        used = "none: rules follow no instructions"
    else:
        try:
            with contextlib.redirect_stdout(sys.stderr):  # DSPy prints its progress
                _gepa(Student(task, trials), train, valid, reflection_lm or lm, runs, lambda: bool(trials.stopped))
        except Exception as error:  # whatever ended the search, what it has found is kept
            stopped = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    best = trials.best(valid)
    names = tuple(paper.name for paper in valid)
    scores = round(before, 4), round(trials.score(best, valid), 4)
    return Instructions(lm.model, builder, used, names, best, *scores, stopped or trials.stopped)


def _examples(papers: Iterable[Path]) -> list[Any]:
    return [dspy.Example(paper=str(paper)).with_inputs("paper") for paper in papers]


def _gepa(
    student: Student, train: Sequence[Path], valid: Sequence[Path], lm: Any, runs: int, over: Callable[[], bool]
) -> None:
    """Search with GEPA; what it tries is remembered by the trials."""

    def metric(_gold: Any, found: Any, _trace: Any = None, _name: Any = None, _part: Any = None) -> Any:
        return dspy.Prediction(score=found.trial.score, feedback=found.trial.feedback)

    dspy.GEPA(
        metric=metric,
        max_metric_calls=runs,
        reflection_minibatch_size=min(3, len(train)),
        reflection_lm=lm,
        instruction_proposer=InstructionProposer(additional_instructions=WISHES, max_chars=MAX_TASK),
        use_merge=False,  # there is one component
        num_threads=1,
        seed=0,
        gepa_kwargs={"stop_callbacks": [lambda _state: over()]},
    ).compile(student, trainset=_examples(train), valset=_examples(valid))


def save_instructions(found: Instructions, path: Path) -> None:
    """Write instructions as JSON."""
    row = {"kag_version": __version__, **asdict(found)}
    write_output(path, json.dumps(row, indent=2, ensure_ascii=False) + "\n")


def load_instructions(path: Path, builder: str) -> str:
    """The text that `save_instructions` wrote for this builder; raises `RunError` when there is none."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        made_for, text = row["builder"], row["instructions"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path}: no instructions: {error}", hint="Write them with optimize_agent.py.") from error
    if made_for != builder or not isinstance(text, str) or not text.strip():
        raise RunError(f"{path}: no instructions for the {builder} builder", hint=f"They are for {made_for}.")
    return text


def trials_of(
    make: Callable[..., Builder], lm: Any, ledger: Ledger, *, interpreters: Callable[..., Any], max_iters: int
) -> Trials:
    """Trials with `rlm_builder` or `review_builder`, one model and one ledger for all of them."""

    def builder(task: str, trajectory: Trajectory) -> Builder:
        return make(lm, ledger, interpreters=interpreters, max_iters=max_iters, trajectory=trajectory, task=task)

    return Trials(builder)


FOLDER = click.Path(path_type=Path)


def annotated(paths: Sequence[Path]) -> list[Path]:
    """The folders among the paths, or right below them, that hold a gold.json; raises `SourceError` without any."""
    found = [
        folder for path in paths for folder in (path, *sorted(path.glob("*/"))) if (folder / "gold.json").is_file()
    ]
    if paths and not found:
        raise SourceError(f"no gold.json in {', '.join(map(str, paths))}", hint="Give annotated papers.")
    return list(dict.fromkeys(found))


def open_models(lm: str, reflection_lm: str | None, record: Path | None, **limits: Any) -> tuple[Any, Any, Any]:
    """The model that indexes and the one that reflects, over one budget, ledger and record."""

    stack: dict[str, Any] = {
        "budget": Budget(Limits(usd=limits["max_usd"], tokens=limits["max_tokens"])),
        "ledger": Ledger(),
        "cassette": Cassette(record, "auto") if record else None,
    }
    main_lm = open_model(lm, **stack)
    return main_lm, open_model(reflection_lm or lm, role="sub", **stack) if lm != OFFLINE else main_lm, stack["ledger"]


def work(papers: list[Path], valid: list[Path], builder: str, evaluate: Path | None, **options: Any) -> None:
    """Search and write what was found, or score what was found before."""

    text = load_instructions(evaluate, builder) if evaluate else ""
    runs = options.pop("runs")
    interpreters = partial(sandbox_factory, options.pop("sandbox"))
    max_iters, out = options.pop("max_iters"), options.pop("out")
    lm, thinker, ledger = open_models(**options)
    make = review_builder if builder == "review" else rlm_builder
    with closing(lm.engine), closing(thinker.engine):
        trials = trials_of(make, lm, ledger, interpreters=interpreters, max_iters=max_iters)
        if evaluate:
            show_scores(trials, text, papers, lm.model)
            return
        found = optimize(trials, lm, builder=builder, train=papers, valid=valid, reflection_lm=thinker, runs=runs)
    save_instructions(found, out)
    totals = ledger.summary()
    say(f"{found.model}, {found.method}: {found.score_before:.4f} -> {found.score_after:.4f}")
    say(f"{totals['calls']} calls, {totals['tokens_in'] + totals['tokens_out']} tokens, {totals['usd']:.4f} USD")
    say(out)
    if found.stopped:
        raise ModelError(f"stopped early: {found.stopped}", hint=f"What was found until then is in {out}.")


def show_scores(trials: Any, text: str, papers: list[Path], model: str) -> None:
    for paper in papers:
        trial = trials.run(text, paper)
        say(f"{paper.name}: {trial.score:.4f}{f' ({trial.cause})' if trial.cause else ''}")
    say(f"{model}: structure score {trials.score(text, papers):.4f} on {len(papers)} papers")


@click.command(help=__doc__)
@click.argument("papers", nargs=-1, required=True, type=FOLDER)
@click.option("--valid", multiple=True, type=FOLDER, help="Papers that decide which text is best.  [default: PAPERS]")
@click.option("--builder", type=click.Choice(["rlm", "review"]), default="rlm", show_default=True, help="Whose task.")
@click.option("--lm", envvar="KAG_LM", required=True, help="Model that indexes; offline for none. Or set KAG_LM.")
@click.option("--reflection-lm", help="Model that writes new texts.  [default: that of --lm]")
@click.option("--runs", type=click.IntRange(1), default=30, show_default=True, help="Papers to index at most.")
@click.option("--evaluate", type=FOLDER, help="Only score the instructions in this file.")
@click.option("--sandbox", type=click.Choice(["monty", "deno"]), default="monty", show_default=True)
@click.option("--max-iters", type=click.IntRange(1), default=MAX_ITERS, show_default=True, help="Steps for each paper.")
@click.option("--max-usd", type=click.FloatRange(0), help="Stop at this cost, for all papers together.")
@click.option("--max-tokens", type=click.IntRange(0), help="Stop at so many tokens, for all papers together.")
@click.option("--record", type=FOLDER, help="Keep the replies in this file; given again, the search goes on from them.")
@click.option("--out", type=FOLDER, default=Path("instructions.json"), show_default=True, help="File to write.")
def main(papers: Sequence[Path], valid: Sequence[Path], **options: Any) -> None:
    given = annotated(papers)
    work(given, annotated(valid) or given, **options)


if __name__ == "__main__":
    run_command(main, name="optimize_agent.py")
