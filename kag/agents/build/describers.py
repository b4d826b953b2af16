"""`open_describer`: the vision model that was asked for, ready to describe a finished graph's figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.agents.build.vision import Vision, lm_describe
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.cassette import Cassette
from kag.agents.model.models import open_model
from kag.agents.model.options import AgentOptions
from kag.core.errors import ModelError
from kag.indexing.pipeline import Describer
from kag.indexing.tools.descriptions import describe_figures
from kag.rdf.workspace import Workspace
from kag.sources.pictures import picture_path

if TYPE_CHECKING:
    import dspy

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
