"""`open_stages`: the steps of a retrieval plan done by a model, each checked, with the rules behind each.

Names in a text, other names of a name (seed of an entity expansion), other wordings of a question, what a chunk says
on a question, what a chunk is about (SAGE, arXiv:2602.16964, section 2.1), and queries. A reply that cannot be used is
asked for once more with what is wrong; then the rule stands in, and the trajectory says so. All calls share one
budget; when it or the provider fails for good, the rules do the rest.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from kag.agents.model.budget import Budget, Limits
from kag.agents.model.calling import cause_of, put
from kag.agents.model.cassette import Cassette
from kag.agents.model.failures import ModelFailure
from kag.agents.model.models import open_brief
from kag.agents.model.options import OFFLINE
from kag.agents.model.token_ledger import Ledger
from kag.agents.read.read_options import ReadOptions
from kag.agents.retrieve import stage_prompts as prompts
from kag.agents.retrieve import stage_replies as replies
from kag.agents.retrieve.stage_replies import Metadata, Unusable
from kag.core.errors import ModelError
from kag.core.trajectory import Step, Trajectory
from kag.retrieval.chunk import Chunk
from kag.retrieval.steps.stages import RULES, Stages

if TYPE_CHECKING:
    import dspy

ATTEMPTS = 2  # at a reply that can be used
MAX_TEXT = 8_000  # characters of a text that a model is given; rules read longer ones
MAX_REPLY = 1_500  # tokens
_OF_THIS_TEXT = frozenset(("refusal", "truncated", "empty", "context_length"))  # the next text may fare better

Value = TypeVar("Value")
Read = Callable[[str], Value]


@dataclass(frozen=True, slots=True)
class ModelStages:
    """What a model does in retrieval. `stages` are for a plan; `metadata` says what a text is about.

    `stopped()` says why the model is no longer asked ("" while it is), `usage()` what was taken.
    """

    stages: Stages
    metadata: Callable[[str], Metadata]
    stopped: Callable[[], str]
    usage: Callable[[], Mapping[str, float]]


@contextmanager
def open_stages(
    options: ReadOptions,
    cassette: Cassette | None = None,
    *,
    rules: Stages = RULES,
    verbatim: bool = True,
    trajectory: Trajectory | None = None,
) -> Iterator[ModelStages]:
    """The stages by the model that the options name, within their limits for all calls together.

    `rules` stand in for the model. With `verbatim` a note holds sentences of its chunk and nothing else; without, the
    model's words, marked as such. Raises what `open_model` raises, and `ModelError` for the offline policy.
    """
    if options.lm == OFFLINE:
        raise ModelError("the offline policy has no rules for retrieval", hint="Name no model: the rules do it all.")
    limits = Limits(options.max_usd, options.max_tokens, options.max_calls, options.max_seconds)
    ledger = Ledger()
    lm = open_brief(options.lm, MAX_REPLY, budget=Budget(limits), ledger=ledger, cassette=cassette)
    try:
        yield stages_over(lm, ledger, rules=rules, verbatim=verbatim, trajectory=trajectory)
    finally:
        lm.engine.close()


def stages_over(
    lm: dspy.LM,
    ledger: Ledger,
    *,
    rules: Stages = RULES,
    verbatim: bool = True,
    trajectory: Trajectory | None = None,
) -> ModelStages:
    """The stages by a model that is open; see `open_stages`."""
    asker = _Asker(lm, Trajectory() if trajectory is None else trajectory)

    def extract(text: str) -> Sequence[str]:
        read = partial(replies.names_in, text=text)
        return asker.ask("extract", prompts.EXTRACT_TASK, {"text": text}, read, lambda: rules.extract(text))

    def synonyms(name: str, most: int) -> Sequence[str]:
        read = partial(replies.other_names, name=name, most=most)
        rule = partial(rules.synonyms, name, most) if rules.synonyms else tuple
        return asker.ask("synonyms", prompts.SYNONYMS_TASK, {"name": name, "at_most": most}, read, rule)

    def variants(question: str) -> Sequence[str]:
        read = partial(replies.wordings, question=question)
        rule = partial(rules.variants, question)
        return asker.ask("variants", prompts.VARIANTS_TASK, {"question": question}, read, rule)

    def condense(question: str, text: str) -> str:
        task, read = (prompts.CONDENSE_TASK, replies.sentences_of) if verbatim else (prompts.NOTE_TASK, replies.note_on)
        given = {"question": question, "passage": text}
        rule = partial(rules.condense or _whole, question, text)
        return asker.ask("condense", task, given, partial(read, text=text), rule)

    def metadata(text: str) -> Metadata:
        read = partial(replies.metadata, text=text)
        rule = partial(_by_rule, rules, text)
        return asker.ask("metadata", prompts.METADATA_TASK, {"passage": text}, read, rule)

    stages = Stages(extract, synonyms, variants, condense)
    return ModelStages(stages, metadata, lambda: asker.stopped, ledger.usage)


def described(chunks: Iterable[Chunk], metadata: Callable[[str], Metadata], *, workers: int = 4) -> tuple[Chunk, ...]:
    """Chunks with the names that a model finds in them, and its topic and headline where they have none: what a graph
    is made of (`kag.retrieval.graph.edges.sage_graph`). Asked in threads; the chunks stay in their order.
    """
    given = tuple(chunks)
    with ThreadPoolExecutor(max_workers=workers) as threads:
        found = tuple(threads.map(lambda chunk: metadata(chunk.text), given))
    return tuple(
        replace(one, entities=told.entities, topic=one.topic or told.topic, title=one.title or told.title)
        for one, told in zip(given, found, strict=True)
    )


def _whole(question: str, text: str) -> str:
    return text


def _by_rule(rules: Stages, text: str) -> Metadata:
    return Metadata(entities=tuple(rules.extract(text)))


class _Asker:
    """Puts texts to a model until it fails for good. Threads may share it; steps stand in the order they ended."""

    def __init__(self, lm: dspy.LM, trajectory: Trajectory) -> None:
        self._lm, self._trajectory = lm, trajectory
        self._lock = threading.Lock()
        self.stopped = ""

    def ask(
        self, stage: str, task: str, given: Mapping[str, object], read: Read[Value], rule: Callable[[], Value]
    ) -> Value:
        """The value of a usable reply, else the rule's; never raises for what a model or its provider can do."""
        text = json.dumps(given, ensure_ascii=False)
        try:
            return self._asked(stage, task, text, read)
        except Unusable as problem:
            why = str(problem)
        except Exception as error:  # whatever the provider did, the rule stands in
            why = self._failed(error)
        self._note("rule_stood_in", False, stage=stage, why=why)
        return rule()

    def _asked(self, stage: str, task: str, text: str, read: Read[Value]) -> Value:
        if len(text) > MAX_TEXT:
            raise Unusable(f"the text has {len(text)} characters, a model is given {MAX_TEXT}")
        texts, problem = [text], ""
        for _ in range(ATTEMPTS):
            reply = self._reply(task, texts)
            try:
                value = read(reply)
            except Unusable as error:
                problem = str(error)
                texts = [
                    text,
                    f"You replied:\n{reply[:1000]}\n\nThat cannot be used: {problem}. Reply as you were told.",
                ]
            else:
                self._note(stage, True, reply=reply)
                return value
        raise Unusable(problem)

    def _reply(self, task: str, texts: Sequence[str]) -> str:
        if self.stopped:
            raise Unusable(self.stopped)
        return str(put(self._lm, task, texts).text or "")

    def _failed(self, error: Exception) -> str:
        """Why a call failed; from now on nothing is asked where the next call would fail as well."""
        if isinstance(error, Unusable):
            return str(error)
        cause, words = cause_of(error)
        if not (isinstance(error, ModelFailure) and error.slug in _OF_THIS_TEXT):
            self.stopped = self.stopped or f"{cause}: {words}"
        return f"{cause}: {words}"

    def _note(self, name: str, ok: bool, **data: Any) -> None:
        with self._lock:
            self._trajectory.append(Step("call" if ok else "note", name, ok=ok, data=data))
