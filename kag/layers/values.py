"""Values of the layers: passages in; mentions, entities, measurements, relations and claims out.

Offsets count characters of the passage's text, which is the clean text of one document node; `text[start:end]` is
always the words that a value names. `score` is the confidence that a value is right, in [0, 1]; `rule` names the rule
or the model (with its version) that made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kag.core.display import OneLine
from kag.text.quantities.parsing import Quantity


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of one document node, whole sentences in the order of the paper.

    `node` is its IRI (any unique name where a text has no graph); `kind` one of "title", "abstract", "paragraph",
    "caption", "footnote"; `section` the local name of its section's class ("Methods"), empty when it has none;
    `place` the share of the paper's running text that stands before it, in [0, 1].
    """

    node: str
    text: str
    kind: str = "paragraph"
    section: str = ""
    place: float = 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Mention(OneLine):
    """A mention in a passage; `kind` is a name of the layers' vocabulary ("chemical", "gene", "method", ...)."""

    shown: ClassVar[tuple[str, ...]] = ("text", "kind", "node")

    node: str
    start: int
    end: int
    text: str
    kind: str
    score: float
    rule: str


@dataclass(frozen=True, slots=True, repr=False)
class Identifier(OneLine):
    """The same thing elsewhere: `iri` with `match` "exact" or "close" (SKOS)."""

    iri: str
    match: str
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class Entity(OneLine):
    """One thing of one paper with all its mentions in order; `name` is its longest clear name, `aliases` the others."""

    shown: ClassVar[tuple[str, ...]] = ("name", "kind", "mentions", "identifiers")

    name: str
    kind: str
    mentions: tuple[Mention, ...]
    aliases: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Measurement(OneLine):
    """A quantity, what was measured of what, and under which conditions.

    `mention` covers all words of the quantity; `value` is its reading. A count has its noun as `counted`. In a table
    the passage is a cell and property, entity and conditions are header cells.
    """

    shown: ClassVar[tuple[str, ...]] = ("mention.text", "measured.text", "entity.text", "counted")

    mention: Mention
    value: Quantity
    measured: Mention | None = None
    entity: Mention | None = None
    conditions: tuple[Mention, ...] = ()
    counted: str = ""
    score: float = 1.0


@dataclass(frozen=True, slots=True, repr=False)
class Relation(OneLine):
    """A relation `kind` between two mentions of one or two passages."""

    shown: ClassVar[tuple[str, ...]] = ("kind", "head.text", "tail.text")

    kind: str
    head: Mention
    tail: Mention
    score: float
    rule: str


@dataclass(frozen=True, slots=True)
class Scope:
    """A cue ("not", "may") and the words it rules; `kind` is "negation" or "hedge"."""

    kind: str
    cue: Mention
    start: int
    end: int


@dataclass(frozen=True, slots=True, repr=False)
class Claim(OneLine):
    """A sentence that states something.

    `role` is one of `kag.rdf.profile.ROLES`; `polarity` "positive" or "negative"; `certainty` "certain" or
    "hedged"; `direction` "more", "less", "equal" or empty. `support` are the document nodes (figures, tables,
    call-outs, citations) that the sentence names for it.
    """

    shown: ClassVar[tuple[str, ...]] = ("sentence.text", "role", "polarity", "certainty")

    sentence: Mention
    role: str
    polarity: str = "positive"
    certainty: str = "certain"
    direction: str = ""
    scopes: tuple[Scope, ...] = ()
    about: tuple[Mention, ...] = ()
    support: tuple[str, ...] = ()
    score: float = 1.0


@dataclass(frozen=True, slots=True, repr=False)
class Citation(OneLine):
    """Why a sentence cites: `cited` are nodes of the reference list, `intent` the local name of a CiTO property."""

    shown: ClassVar[tuple[str, ...]] = ("sentence.text", "intent", "cited")

    sentence: Mention
    cited: tuple[str, ...]
    intent: str


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found in one paper."""

    entities: tuple[Entity, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    relations: tuple[Relation, ...] = ()
    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
