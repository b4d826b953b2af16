"""`ModelMaking`: options as who builds and who describes, for a batch; an agent's packages wait until one does."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.agents.model.options import AgentOptions, BuilderName, choose_builder
from kag.indexing.batch import Rules

if TYPE_CHECKING:
    from kag.core.types import Document
    from kag.indexing.pipeline import Builder, Describer


@dataclass(frozen=True, slots=True)
class ModelMaking(AgentOptions):
    """Options for building and describing papers (`kag.indexing.batch.Making`)."""

    def open_builder(self, document: Document, work: Path, *, afresh: bool) -> AbstractContextManager[Builder]:
        """Open the builder; raises what `open_model` raises."""
        if self.builder == "baseline":
            return Rules(self.why).open_builder(document, work, afresh=afresh)
        from kag.agents.build.builders import open_builder

        return open_builder(self, document, work, afresh=afresh)

    def open_describer(
        self, source: Path, figures: Path | None, out_dir: Path
    ) -> AbstractContextManager[Describer | None]:
        """Open the describer of figures, or None."""
        if not self.vision:
            return Rules().open_describer(source, figures, out_dir)
        from kag.agents.build.vision import open_describer

        return open_describer(self, source, figures, out_dir)


def making(builder: BuilderName | None, lm: str | None, **given: Any) -> ModelMaking:
    """The chosen builder and the figure describer; raises `ModelError` as `choose_builder` does."""
    chosen, why = choose_builder(builder, lm)
    return ModelMaking(chosen, lm or "", why, **given)
