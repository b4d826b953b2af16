"""`Home`: a corpus and what a server keeps next to it, in the folder `serve/` of the corpus; and its settings.

jobs/<id>/         a job: job.json, events.jsonl, the input, what became of it
sources/<paper>/   what a paper was indexed from, so that it can be indexed again and its pages shown
pages/<paper>/     pictures of its pages
corrections/       what people put right in the parse, a file a paper
answers/           answers that were asked for here, with their trajectories
settings.json      of retrieval and of models; keys are never among them

A server that only reads keeps jobs, answers and settings in a folder of its own, and writes nothing to the corpus.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from kag.core.errors import BadValue, UnknownNode
from kag.core.files import read_object, write_whole
from kag.corpus import catalogue, graphs
from kag.corpus.layout import Layout, file_errors, is_paper
from kag.corpus.transaction import open_writer, settle
from kag.qa.modes import MODES, mode_named
from kag.retrieval.presets import PRESETS


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of a corpus as a server uses it; paths of papers are made of checked ids alone."""

    root: Path
    own: Path | None = None

    @property
    def folder(self) -> Path:
        return self.root / "serve"

    @property
    def kept(self) -> Path:
        """Return the folder of the server's own files, outside the corpus."""
        return self.own or self.folder

    @property
    def jobs(self) -> Path:
        return self.kept / "jobs"

    @property
    def answers(self) -> Path:
        return self.kept / "answers"

    @property
    def settings(self) -> Path:
        return self.kept / "settings.json"

    def source(self, paper: str) -> Path:
        """The folder with what a paper was made from."""
        return self.folder / "sources" / checked_id(paper)

    def pages(self, paper: str) -> Path:
        """The folder with the pictures of a paper's pages."""
        return self.folder / "pages" / checked_id(paper)

    def corrections(self, paper: str) -> Path:
        """Return the file of a paper's corrections."""
        return self.folder / "corrections" / f"{checked_id(paper)}.jsonl"


def checked_id(paper: str) -> str:
    """A paper's id; raises `UnknownNode` for words that no paper can be called by, such as `../x`."""
    if not is_paper(paper):
        raise UnknownNode(f"there is no paper {paper[:80]!r}", hint="Use an id from the list of papers.")
    return paper


def open_home(root: Path, own: Path | None = None) -> Home:
    """The home at a path: a corpus, or a new or empty folder, which becomes one.

    With a folder of its `own` the server only reads, and nothing becomes a corpus. Raises `CorpusError`.
    """
    layout = Layout(root)
    if own is None and not layout.tables.is_file():
        with open_writer(root, create=True) as writer:
            with catalogue.open_tables(layout.tables, write=True):
                pass
            graphs.publish(writer.store, layout)
    layout.require()
    settle(root)
    home = Home(root, own)
    if home.folder.is_symlink():
        raise BadValue(f"{home.folder} is a symbolic link, and is not followed", hint="Delete it.")
    with file_errors(home.kept):
        for folder in (home.jobs, home.answers, home.kept / "corrections"):
            folder.mkdir(parents=True, exist_ok=True)
    return home


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
