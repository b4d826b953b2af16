"""Vision models: a picture and a prompt in, words out; and the memory that asks about no picture twice.

`Describe` is all that a vision model has to be; `lm_describe` makes one of any `dspy.LM` that takes pictures
(`kag.agents.model.models.open_model`). `Vision` adds model and time, and keeps replies in a JSONL file by the hash of
picture, prompt and model, so that a paper indexed again costs nothing and gives the same bytes.

`open_describer` opens the vision model that was asked for, ready to describe the figures of a finished graph.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.agents.model.budget import Budget, Cassette, Ledger, Limits
from kag.agents.model.models import open_model
from kag.agents.model.options import AgentOptions
from kag.core.errors import KagError, ModelError
from kag.core.files import append_line, read_regular
from kag.core.secrets import hide_secrets
from kag.indexing.pipeline import Describer
from kag.indexing.tools.descriptions import Answer, describe_figures
from kag.rdf.workspace import Workspace
from kag.sources.pictures import Picture, picture_path

if TYPE_CHECKING:
    import dspy

Describe = Callable[[Picture, str], str]

MAX_TOKENS = 800  # of a reply, where the model does not say; descriptions have at most 150 words
MAX_MESSAGE = 300  # characters of an error that are passed on


class Vision:
    """One vision model with its memory. Threads may share it; `ask` is what the figure tools take.

    `cache` is a JSONL file, made when needed; without one nothing is remembered. `now` is the clock.
    """

    def __init__(
        self,
        model: str,
        describe: Describe,
        cache: Path | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.model = model
        self._describe = describe
        self._cache = cache
        self._now = now
        self._lock = threading.Lock()
        self._known = _read_cache(cache) if cache else {}

    def ask(self, picture: Picture, prompt: str) -> Answer:
        """Return the model's description of a picture; raises `ModelError` for every failure of the provider."""
        prompt_hash = f"sha256:{hashlib.sha256(prompt.encode()).hexdigest()}"
        key = hashlib.sha256("\n".join((picture.sha256, prompt_hash, self.model)).encode()).hexdigest()
        with self._lock:
            known = self._known.get(key)
        if known:
            return Answer(known["text"], self.model, prompt_hash, known["time"], cached=True)
        try:
            text = hide_secrets(self._describe(picture, prompt))
        except KagError:
            raise
        except Exception as error:  # a stranger's engine may raise anything; it must not cost the other figures
            message = hide_secrets(f"{type(error).__name__}: {error}")[:MAX_MESSAGE]
            raise ModelError(f"{self.model}: {message}", hint="What was described before is remembered.") from error
        answer = Answer(text, self.model, prompt_hash, self._now().astimezone(UTC).isoformat(timespec="seconds"))
        if text.strip():
            self._remember(key, picture, answer)
        return answer

    def _remember(self, key: str, picture: Picture, answer: Answer) -> None:
        row = {
            "key": key,
            "model": self.model,
            "image": picture.sha256,
            "prompt": answer.prompt_hash,
            "time": answer.time,
            "text": answer.text,
        }
        with self._lock:
            self._known[key] = row
            if self._cache:
                append_line(self._cache, json.dumps(row, ensure_ascii=False))


def _read_cache(path: Path) -> dict[str, dict[str, str]]:
    """Read cached descriptions by key. Unreadable lines are skipped and asked again."""
    try:
        lines = read_regular(path).decode("utf-8", errors="replace").split("\n")
    except OSError:
        return {}
    known: dict[str, dict[str, str]] = {}
    for line in lines:
        try:
            row = json.loads(line)
            time = datetime.fromisoformat(row["time"]).astimezone(UTC).isoformat(timespec="seconds")
            known[str(row["key"])] = {"text": str(row["text"]), "time": time}
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return known


def lm_describe(lm: dspy.LM) -> Describe:
    """Ask through a `dspy.LM`; its engine meters, limits and records the calls. A reply cut short is an error."""
    from dspy.lm15 import Config, ImagePart, Message, Request, TextPart

    config = Config(max_tokens=lm.kwargs.get("max_tokens") or MAX_TOKENS, temperature=lm.kwargs.get("temperature"))

    def describe(picture: Picture, prompt: str) -> str:
        image = ImagePart(data=base64.b64encode(picture.data).decode("ascii"), media_type=picture.media_type)
        response = lm(Request(model=lm.model, messages=(Message.user([image, TextPart(prompt)]),), config=config))
        if response.finish_reason == "length":
            raise ModelError(f"{lm.model}: the reply was cut off", hint="Allow longer replies (max_tokens).")
        return str(response.text or "")

    return describe


CACHE = ".vision.jsonl"  # beside the runs: what was asked about a picture once is not asked again


@contextmanager
def open_describer(options: AgentOptions, folder: Path, figures: Path | None, out_dir: Path) -> Iterator[Describer]:
    """A describer for one paper's figures, within the limits of the options.

    A model that cannot be opened (no key, no such name) costs the descriptions only: the describer then returns
    {"asked", "stopped"} with the reason.
    """
    ledger = Ledger()
    try:
        lm = open_vision(options.vision, Budget(Limits(usd=options.max_usd, tokens=options.max_tokens)), ledger)
    except ModelError as error:
        stopped = {"asked": options.vision, "stopped": f"{error.message}: {error.hint}"}
        yield lambda _: stopped
        return
    vision = Vision(options.vision, lm_describe(lm), out_dir / CACHE)

    def describe(workspace: Workspace) -> dict[str, Any]:
        counts = describe_figures(workspace, partial(picture_path, folder=folder, figures=figures), vision.ask)
        return {"asked": options.vision, **counts, "usage": ledger.summary()}

    with closing(lm.engine):
        yield describe


def open_vision(spec: str, budget: Budget, ledger: Ledger, cassette: Cassette | None = None) -> dspy.LM:
    """A model that sees, by its name; raises what `open_model` raises."""
    return open_model(spec, budget=budget, ledger=ledger, cassette=cassette, role="vision")
