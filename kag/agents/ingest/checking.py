"""The validation agent: what of a draft breaks the structure or the rules of its domain, what is mended, what is left.

First what needs no judgement is mended (a label's spelling, an edge the wrong way round, a number written as text).
Then the drafter is asked to correct the rest, for a few rounds. What breaks the structure after that is rejected with
its reason, and so is an edge of a model that breaks a rule. What a document itself says stays and is reported: a story
may contradict itself. Where a node has two of what it can have one of, both stay, and the later one is marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from kag.agents.ingest.values import ROUNDS, RULES, Drafted, Rejected, Repair
from kag.kgrag.domain import Domain
from kag.kgrag.files import story_issues
from kag.kgrag.rules import DeclaredRule
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, as_record
from kag.retrieval.property_graph.schema import ANY, Issue, StructureSchema
from kag.retrieval.property_graph.schema import RULES as STRUCTURE
from kag.retrieval.property_graph.snapshots import Element

MENDER = "rule:mend"
DOUBTED = "doubted"
"""The property of an edge that a rule speaks against and that is kept; its value is the rule."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A draft after a round of corrections, and the changes."""

    entries: tuple[Contribution, ...]
    repairs: tuple[Repair, ...] = ()
    rejected: tuple[Rejected, ...] = ()


class Mender(Protocol):
    """The drafter, asked for corrections."""

    def mend(self, entries: Sequence[Contribution], issues: Sequence[Issue], round: int) -> Mended | None:
        """Return the corrected draft; None if no model can be asked any more."""


def validated(domain: Domain, drafted: Drafted, mender: Mender | None = None, rounds: int = ROUNDS) -> Drafted:
    """A draft that keeps to the structure of its domain, with all that was changed, rejected and is still doubtful."""
    now = _mechanical(domain.schema, drafted.entries)
    entries, repairs, rejected = now.entries, [*drafted.repairs, *now.repairs], list(drafted.rejected)
    for round in range(1, rounds + 1):
        open_issues = [
            issue for issue in issues_of(domain, entries) if issue.severity == "error" and _of_model(issue, entries)
        ]
        mended = mender.mend(entries, open_issues, round) if mender and open_issues else None
        if mended is None:
            break
        again = _mechanical(domain.schema, mended.entries)
        entries, repairs = again.entries, [*repairs, *mended.repairs, *again.repairs]
        rejected = [*rejected, *mended.rejected]
    entries, more = _sound(domain, entries)
    entries = _marked(domain, entries)
    issues = _distinct([*drafted.issues, *issues_of(domain, entries)])
    return replace(drafted, entries=entries, repairs=tuple(repairs), rejected=(*rejected, *more), issues=issues)


def issues_of(domain: Domain, entries: Sequence[Contribution]) -> tuple[Issue, ...]:
    """Return the issues of the graph that a draft makes."""
    snapshot = snapshot_of(entries)
    found = domain.validate(snapshot).issues
    return (*found, *story_issues(domain, snapshot))


def snapshot_of(entries: Iterable[Contribution]) -> GraphSnapshot:
    """The elements of a draft, each once: of two with one id the first."""
    nodes: dict[str, Node] = {}
    edges: dict[str, Link] = {}
    for contribution in entries:
        if isinstance(contribution.element, Link):
            edges.setdefault(contribution.element.id, contribution.element)
        else:
            nodes.setdefault(contribution.element.id, contribution.element)
    return GraphSnapshot(tuple(nodes.values()), tuple(edges.values()))


def _of_model(issue: Issue, entries: Sequence[Contribution]) -> bool:
    """Whether an issue is about something that no rule has read."""
    about = {*issue.nodes, *issue.edges}
    return any(
        contribution.element.id in about and not contribution.author.startswith(RULES) for contribution in entries
    )


def _distinct(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Each issue once, in the words of the one that knows its line."""
    found: dict[Any, Issue] = {}
    for issue in issues:
        key = issue.rule, issue.nodes, issue.prop if issue.nodes else issue.edges
        if key not in found or (issue.line and not found[key].line):
            found[key] = issue
    return tuple(found.values())


# --- what needs no judgement -------------------------------------------------------------------------------------


def _mechanical(schema: StructureSchema, entries: Sequence[Contribution]) -> Mended:
    """Correct spellings of labels, directions of edges and numbers."""
    nodes = {_bare(label): label for label in schema.node_labels}
    edges = {_bare(label): label for label in schema.edge_labels}
    contributions, repairs = [], list[Repair]()
    labels: dict[str, str] = {}
    for contribution in entries:
        if isinstance(contribution.element, Node):
            labels.setdefault(
                contribution.element.id, nodes.get(_bare(contribution.element.label), contribution.element.label)
            )
    done: set[str] = set()
    for contribution in entries:
        element, rule = contribution.element, ""
        if isinstance(element, Link):
            element = replace(element, label=edges.get(_bare(element.label), element.label))
            rule = "unknown_label" if element != contribution.element else ""
            if _wrong_way(schema, element, labels):
                element, rule = replace(element, source=element.target, target=element.source), "wrong_direction"
        else:
            element = replace(element, label=labels[element.id], props=_typed(schema, element.props))
            rule = "unknown_label" if element.label != contribution.element.label else "wrong_type"
        if element != contribution.element and element.id not in done:
            done.add(element.id)
            message = f"{rule}: put right without asking."
            repairs.append(Repair(0, rule, MENDER, message, as_record(contribution.element), as_record(element)))
        contributions.append(replace(contribution, element=element))
    return Mended(tuple(contributions), tuple(repairs))


def _bare(label: str) -> str:
    return "".join(sign for sign in label.casefold() if sign.isalnum())


def _wrong_way(schema: StructureSchema, edge: Link, labels: Mapping[str, str]) -> bool:
    """Whether an edge may lead only the other way."""
    ends, allowed = (labels.get(edge.source, ""), labels.get(edge.target, "")), schema.ends(edge.label)
    fits = [all(want in (ANY, has) for want, has in zip(pair, ends, strict=True)) for pair in allowed]
    turned = [all(want in (ANY, has) for want, has in zip(pair, ends[::-1], strict=True)) for pair in allowed]
    return bool(allowed) and not any(fits) and any(turned)


def _typed(schema: StructureSchema, props: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties with numbers that were written as text."""
    found = dict(props)
    for key, kind in schema.types.items():
        value = found.get(key)
        if kind in ("number", "integer") and isinstance(value, str):
            try:
                found[key] = int(value) if kind == "integer" or value.strip().lstrip("+-").isdigit() else float(value)
            except ValueError:
                continue
        elif kind == "list" and isinstance(value, str):
            found[key] = [value]
    return found if found != dict(props) else props


# --- what is left ------------------------------------------------------------------------------------------------


def _sound(domain: Domain, entries: Sequence[Contribution]) -> tuple[tuple[Contribution, ...], tuple[Rejected, ...]]:
    """Split entries into those that follow the structure and those that do not, with the reasons."""
    contributions, rejected = list(entries), list[Rejected]()
    while True:
        bad = _bad(domain, contributions)
        if not bad:
            return tuple(contributions), tuple(rejected)
        first: dict[str, Contribution] = {}
        for contribution in contributions:
            if contribution.element.id in bad:
                first.setdefault(contribution.element.id, contribution)
        for id, contribution in first.items():
            issue = bad[id]
            rejected.append(
                Rejected(
                    as_record(contribution.element), issue.rule, f"{issue.message} {issue.fix}", contribution.author
                )
            )
        contributions = [contribution for contribution in contributions if contribution.element.id not in bad]


def _bad(domain: Domain, entries: Sequence[Contribution]) -> dict[str, Issue]:
    """The elements that cannot stay, each with why: edges before nodes, as an edge may be all that is wrong."""
    authors = {contribution.element.id: contribution.author for contribution in entries}
    one_only = {rule.name for rule in domain.rules if isinstance(rule, DeclaredRule) and rule.kind == "at_most_one"}
    found: dict[str, Issue] = {}
    for issue in domain.validate(snapshot_of(entries)).errors:
        model = [edge for edge in issue.edges if not authors.get(edge, RULES).startswith(RULES)]
        if issue.rule in STRUCTURE:
            about: Sequence[str] = issue.edges or issue.nodes
        else:
            about = [] if issue.rule in one_only else model[-1:]
        for id in about:
            if id in authors:
                found.setdefault(id, issue)
    return found


def _marked(domain: Domain, entries: Sequence[Contribution]) -> tuple[Contribution, ...]:
    """Return both of two edges of which a node can have one; the later one names the rule it breaks."""
    first: dict[tuple[str, str], str] = {}
    contributions = []
    for contribution in entries:
        element: Element = contribution.element
        if isinstance(element, Link) and element.label in domain.single:
            key = element.label, element.source
            if first.setdefault(key, element.target) != element.target:
                element = replace(element, props={**element.props, DOUBTED: "single"})
        contributions.append(replace(contribution, element=element))
    return tuple(contributions)
