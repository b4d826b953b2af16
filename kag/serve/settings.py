"""Settings that people change on a page: of retrieval, with their ranges, and of models. Keys are never among them.

The four of expansion are those of entity search (`kag.retrieval.steps.seed.EntityOptions`): how far to walk, from
how few names on to look for other names, how many of these, and whether vectors rank what was found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from kag.core.errors import BadValue
from kag.core.files import read_object, write_whole
from kag.qa.modes import MODES, mode_named
from kag.retrieval.presets import PRESETS
from kag.serve.home import Home

RANGES: Mapping[str, tuple[int, int]] = {
    "graph_expansion_hops": (1, 3),
    "graph_min_entities_threshold": (5, 20),
    "graph_max_synonyms_per_entity": (1, 5),
    "hits": (1, 100),
    "k_prime": (0, 100),
    "max_calls": (1, 1000),
}
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,119}")


@dataclass(frozen=True, slots=True)
class Settings:
    """Defaults of searches and questions; raises `BadValue` for values out of range.

    `plan` is how to search ("": the best that the index allows), `hits` how many are shown, `k_prime` how many expanded
    hits stand behind so many seeds (0: both compete, and all hits can be paged through). `model` is who is asked
    beside the rules ("" for nobody; its key is in the environment of the server), `mode` how, `max_usd` and
    `max_calls` what one question may take.
    """

    plan: str = ""
    hits: int = 10
    k_prime: int = 0
    graph_expansion_hops: int = 1
    graph_min_entities_threshold: int = 10
    graph_max_synonyms_per_entity: int = 3
    graph_semantic_reranking_enabled: bool = True
    model: str = ""
    mode: str = "agent"
    max_usd: float = 0.5
    max_calls: int = 40

    def __post_init__(self) -> None:
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise BadValue(f"{name} is {str(value)[:40]}", hint=f"Give a whole number from {least} to {most}.")
        if self.plan not in ("", *PRESETS):
            raise BadValue(f"unknown plan {self.plan[:40]!r}", hint=f"Use one of {', '.join(PRESETS)}, or none.")
        if self.mode not in MODES:
            raise BadValue(f"unknown mode {self.mode[:40]!r}", hint=f"Use one of {', '.join(MODES)}.")
        if self.model and not _MODEL.fullmatch(self.model):
            raise BadValue("this is not a name of a model", hint="Name it as in anthropic/claude-sonnet-4-5.")
        if not isinstance(self.max_usd, int | float) or not 0 <= self.max_usd <= 100:
            raise BadValue(f"max_usd is {str(self.max_usd)[:40]}", hint="Give US dollars from 0 to 100.")
        if not isinstance(self.graph_semantic_reranking_enabled, bool):
            raise BadValue("graph_semantic_reranking_enabled is true or false", hint="Give one of them.")


@dataclass(frozen=True, slots=True)
class StartedWith:
    """One setting that the server was started with: its command ("": all that have it), and its origin."""

    command: str
    key: str
    value: str
    origin: str


def settings_from(row: Mapping[str, Any], before: Settings) -> Settings:
    """Settings with some of them changed; raises `BadValue` for one that there is not."""
    known = {field.name for field in fields(Settings)}
    if unknown := sorted(set(row) - known):
        raise BadValue(f"unknown setting {unknown[0][:40]!r}", hint=f"There are {', '.join(sorted(known))}.")
    if not all(isinstance(row.get(name, ""), str) for name in ("plan", "model", "mode")):
        raise BadValue("plan, model and mode are words", hint="Give them as text.")
    if "mode" in row:
        row = {**row, "mode": mode_named(row["mode"], model=True)}
    return Settings(**{**asdict(before), **row})


def read_settings(home: Home) -> Settings:
    """The settings that were kept; the usual ones where there are none or the file is damaged."""
    try:
        return settings_from(read_object(home.settings, 100_000), Settings())
    except (OSError, ValueError, BadValue):
        return Settings()


def write_settings(home: Home, settings: Settings) -> None:
    """Keep settings."""
    write_whole(home.settings, json.dumps(asdict(settings), indent=2) + "\n")
