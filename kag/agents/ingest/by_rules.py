"""What rules read in a document: by its form and its domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kag.agents.ingest.finding import RUN
from kag.agents.ingest.papers import read_paper
from kag.agents.ingest.phrases import read_phrases
from kag.agents.ingest.stories import read_story
from kag.agents.ingest.structured import read_structured
from kag.agents.ingest.values import Document, Drafted
from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.contributions import Contribution

TEXT = "text"


@dataclass(frozen=True, slots=True)
class RuleReader:
    """Rules alone. `rules` is how the domain was named: one that comes with the project, or a TOML file."""

    rules: str

    def read(self, document: Document, domain: Domain, rules: Sequence[Contribution] = ()) -> Drafted:
        """The draft of a document; raises `SourceError` where its form is none that is known."""
        if document.form == RUN:
            return Drafted(read_paper(document, domain))
        if document.form != TEXT:
            return read_structured(document, domain, self.rules)
        story = domain.name == "story"
        return Drafted(read_story(document) if story else read_phrases(document, domain))
