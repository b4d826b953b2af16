"""The ingestion agent: a model reads a document piece by piece into a draft, and corrects what is reported wrong.

Each piece is asked about once; items that cannot be used are reported with their place and asked for again, for a few
rounds. What is still wrong then is rejected with its reason; a piece with no usable reply is a failure on record with
its reply, never an empty result. What rules have read before stays: a model adds to it, and takes nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kag.agents.ingest import prompts
from kag.agents.ingest.checking import Mended
from kag.agents.ingest.prompts import ReplySchema, Wrong, items_of, object_in, pairs_of, quoted_at
from kag.agents.ingest.rules import RUN
from kag.agents.ingest.values import ROUNDS, RULES, Document, Drafted, Failure, Rejected, Repair, slug
from kag.agents.model.engines import cause_of, put
from kag.core.errors import BadValue
from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.contributions import Contribution, Source
from kag.retrieval.property_graph.elements import Link, Node, as_record, checked_props
from kag.retrieval.property_graph.schema import Issue

if TYPE_CHECKING:
    import dspy

    from kag.agents.model.budget import Ledger

PIECE = 6000
"""Characters of a piece."""
MOST_KNOWN = 300
"""Nodes that a model is shown beside a piece."""


@dataclass(slots=True)
class _Work:
    """A draft in the making."""

    entries: list[Contribution]
    repairs: list[Repair] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)
    stopped: str = ""


class ModelReader:
    """A model that reads documents into drafts and corrects its drafts."""

    def __init__(self, lm: dspy.LM, ledger: Ledger, author: str, *, rounds: int = ROUNDS, piece: int = PIECE) -> None:
        self._lm, self._ledger, self._author = lm, ledger, author
        self._rounds, self._piece = rounds, piece
        self.finished = False

    def read(self, document: Document, domain: Domain, rules: Sequence[Contribution] = ()) -> Drafted:
        """The draft of a document; never raises for what a model or its provider can do."""
        work = _Work(list(rules))
        sheet = _Sheet(document, domain, self._author, work)
        for start, end in pieces(document.text, self._piece):
            if work.stopped:
                work.failures.append(Failure(start, end, work.stopped))
            else:
                self._piece_read(sheet, start, end)
        return Drafted(
            tuple(work.entries), tuple(work.repairs), tuple(work.rejected), (), tuple(work.failures), tuple(work.same),
            self._ledger.usage(),
        )  # fmt: skip

    def _ask(self, work: _Work, task: str, texts: Sequence[str]) -> tuple[str, str]:
        """A reply, or why there is none; where the next call would fail as well, nothing is asked from now on."""
        try:
            return str(put(self._lm, task, texts).text or ""), ""
        except Exception as error:  # whatever the provider did, it is on record
            cause, words = cause_of(error)
            slug_of = getattr(error, "slug", "")
            if slug_of not in ("refusal", "truncated", "empty", "context_length"):
                work.stopped = f"{cause}: {words}"
            return "", f"{cause}: {words}"

    def _piece_read(self, sheet: _Sheet, start: int, end: int) -> None:
        """Ask about one piece, and take what can be used."""
        work, text = sheet.work, sheet.document.text[start:end]
        task = prompts.domain_in_words(sheet.domain, sheet.events())
        texts = [prompts.known_in_words(sheet.known(start, end)), prompts.text_in_words(text)]
        reply, why = self._ask(work, task, texts)
        found = object_in(reply, "nodes", "edges") if reply else None
        if found is None and reply:
            texts = [
                *texts,
                f"You replied:\n{reply[:2000]}\n\nThat is no JSON object with nodes and edges. Reply again.",
            ]
            again, why = self._ask(work, task, texts)
            found, reply = (object_in(again, "nodes", "edges"), again) if again else (None, reply)
            if found is not None:
                work.repairs.append(Repair(1, "reply", self._author, "It was no JSON, and was given again."))
        if found is None:
            work.failures.append(Failure(start, end, why or "not a JSON object with nodes and edges", reply[:4000]))
            return
        wrong = sheet.take(found, start, end)
        for round in range(1, self._rounds + 1):
            if not wrong:
                break
            wrong = self._mended(sheet, (start, end), task, texts, wrong, round)
        work.rejected += [Rejected(one.item, "reply", one.why, self._author) for one in wrong]

    def _mended(
        self, sheet: _Sheet, span: tuple[int, int], task: str, texts: list[str], wrong: Sequence[Wrong], round: int
    ) -> list[Wrong]:
        """Ask for items again; what is still wrong."""
        waiting = _waiting(wrong)
        asked = [one for one in wrong if one not in waiting]
        problems = prompts.wrong_in_words([(one.path, one.item, one.why) for one in asked])
        reply, _ = self._ask(sheet.work, task, [*texts, problems])
        found = object_in(reply, "items") if reply else None
        items = found.get("items") if found else None
        if not isinstance(items, dict):
            return list(wrong)
        left = []
        for one in asked:
            if one.path not in items:
                left.append(one)
                continue
            again = items[one.path]
            still = [] if again is None else sheet.take_one(one.path, again, *span)
            left += still
            if not still:
                after = again if isinstance(again, dict) else None
                sheet.work.repairs.append(Repair(round, "reply", self._author, one.why, _record(one.item), after))
        return left + [again for one in waiting for again in sheet.take_one(one.path, one.item, *span)]

    def with_usage(self, drafted: Drafted) -> Drafted:
        """The draft with all that was spent on it; without failures its replies need not be kept."""
        self.finished = not drafted.failures
        return replace(drafted, usage=self._ledger.usage())

    def mender(self, document: Document, domain: Domain) -> _Mending:
        """The step that corrects the whole draft."""
        return _Mending(document, domain, self._author, lambda work, task, texts: self._ask(work, task, texts))


def _waiting(wrong: Sequence[Wrong]) -> list[Wrong]:
    """The edges that are wrong only because a node that they lead to is: they are tried again when that is mended."""
    nodes = [one.item for one in wrong if one.path.startswith("nodes") and isinstance(one.item, dict)]
    refs = {node.get("ref") for node in nodes if isinstance(node.get("ref"), str)}
    edges = [one for one in wrong if one.path.startswith("edges") and isinstance(one.item, dict)]
    return [edge for edge in edges if refs & {str(edge.item.get("from")), str(edge.item.get("to"))}]


def _record(item: Any) -> Mapping[str, Any]:
    return item if isinstance(item, dict) else {"item": item}


class _Sheet:
    """The draft of a document while a model reads it: ids and refs, and what is known."""

    def __init__(self, document: Document, domain: Domain, author: str, work: _Work) -> None:
        self.document, self.domain, self.work = document, domain, work
        self._author, self._schema = author, ReplySchema(domain)
        self._nodes: dict[str, Node] = {}
        for contribution in work.entries:
            if isinstance(contribution.element, Node):
                self._nodes.setdefault(contribution.element.id, contribution.element)
        self._refs: dict[str, str] = {}
        self._places = {
            _place(contribution.element, contribution.source): contribution.element.id
            for contribution in reversed(work.entries)
            if isinstance(contribution.element, Node)
        }
        self._links = {
            _triple(contribution.element): contribution.element
            for contribution in work.entries
            if isinstance(contribution.element, Link)
        }
        self._cited = {link.target for link in self._links.values() if document.form == RUN and link.label == "cites"}

    def events(self) -> int:
        """The number of known events; new events are counted from here."""
        return sum(node.label == "Event" for node in self._nodes.values())

    def known(self, start: int, end: int) -> list[dict[str, Any]]:
        """The nodes known so far: all but the events, and the papers that a paper's run cites, of other pieces."""
        here = {
            contribution.element.id for contribution in self.work.entries if start <= contribution.source.start < end
        }
        named = [node for node in self._nodes.values() if "aliases" in self.domain.names.get(node.label, ())]
        rest = [
            node
            for node in self._nodes.values()
            if node not in named and (node.id in here or ("told" not in node.props and node.id not in self._cited))
        ]
        shown = [*named, *rest][-MOST_KNOWN:]
        return [
            {"id": node.id, "label": node.label, "names": list(self.domain.names_of(node.label, node.props))}
            for node in shown
        ]

    def take(self, found: Mapping[str, Any], start: int, end: int) -> list[Wrong]:
        """Take what a reply gives; what cannot be used comes back."""
        self._refs = {}
        wrong = [one for path, item in items_of(found, "nodes") for one in self.take_one(path, item, start, end)]
        wrong += [one for path, item in items_of(found, "edges") for one in self.take_one(path, item, start, end)]
        known = [(a, b) for a, b in pairs_of(found, "same") if self._id(a) and self._id(b)]
        self.work.same += [(self._id(a), self._id(b)) for a, b in known if self._id(a) != self._id(b)]
        return wrong

    def take_one(self, path: str, item: Any, start: int, end: int) -> list[Wrong]:
        """Take one item; where it cannot be used, why."""
        try:
            (self._node if path.startswith("nodes") else self._edge)(item, start, end)
        except (ValueError, BadValue) as error:
            return [Wrong(path, item, str(error)[:400])]
        return []

    def _span(self, quote: str, start: int, end: int) -> Source:
        at = quoted_at(quote, self.document.text[start:end])
        if at is None:
            raise ValueError(f"quote: {quote[:120]!r} does not stand in the text. Copy the words that say it.")
        return Source.of(self.document.name, self.document.text, start + at[0], start + at[1])

    def _id(self, name: str) -> str:
        """The id of a node by its ref or id; "" where there is none."""
        return self._refs.get(name) or (name if name in self._nodes else "")

    def _node(self, item: Any, start: int, end: int) -> None:
        reply = self._schema.node(item)
        source = self._span(reply.quote, start, end)
        keys = self.domain.names.get(reply.label, ("name",))
        props = dict(checked_props({keys[0]: reply.name, **reply.props}))
        id = (
            self._same_node(reply)
            or self._same_place(reply, Node("", reply.label, props), source)
            or self._free(f"{self.document.name}/{reply.label.lower()}-{slug(reply.name)}")
        )
        node = self._nodes.setdefault(id, Node(id, reply.label, props))
        if reply.ref:
            self._refs[reply.ref] = id
        self._places.setdefault(_place(node, source), id)
        self.work.entries.append(Contribution(node, source, self._author))

    def _same_node(self, reply: Any) -> str:
        """Return the known node for a reply's node: same label and name, and not a namesake."""
        if reply.namesake or "aliases" not in self.domain.names.get(reply.label, ()):
            return ""
        wanted = reply.name.casefold()
        found = [
            node.id
            for node in self._nodes.values()
            if node.label == reply.label
            and wanted in [name.casefold() for name in self.domain.names_of(node.label, node.props)]
        ]
        return found[0] if len(found) == 1 else ""

    def _same_place(self, reply: Any, node: Node, source: Source) -> str:
        """Return the known node of that label and kind, without other names, at the same characters."""
        if reply.namesake or "aliases" in self.domain.names.get(reply.label, ()):
            return ""
        return self._places.get(_place(node, source), "")

    def _free(self, id: str) -> str:
        found, count = id, 1
        while found in self._nodes:
            count += 1
            found = f"{id}-{count}"
        return found

    def _edge(self, item: Any, start: int, end: int) -> None:
        reply = self._schema.edge(item)
        ends = self._id(reply.source), self._id(reply.target)
        for name, id in zip((reply.source, reply.target), ends, strict=True):
            if not id:
                raise ValueError(f"{name!r:.80} is not a ref of a node of this reply and no known id.")
        source = self._span(reply.quote, start, end)
        fresh = Link(f"{self.document.name}/m{len(self._links) + 1}", reply.label, *ends, checked_props(reply.props))
        link = self._links.setdefault(_triple(fresh), fresh)  # what is repeated is another place of it
        self.work.entries.append(Contribution(link, source, self._author))


def _place(node: Node, source: Source) -> tuple[str, str, int, int]:
    """By which a node without other names is known again."""
    return node.label, str(node.props.get("kind", "")), source.start, source.end


def _triple(link: Link) -> tuple[str, str, str, str]:
    """Return the key of an edge; a role is part of it."""
    return link.label, link.source, link.target, str(link.props.get("role", ""))


@dataclass(frozen=True, slots=True)
class _Mending:
    """A model that corrects its whole draft by the rules of the domain. It changes only its own entries."""

    document: Document
    domain: Domain
    author: str
    ask: Callable[[_Work, str, Sequence[str]], tuple[str, str]]

    def mend(self, entries: Sequence[Contribution], issues: Sequence[Issue], round: int) -> Mended | None:
        """Return the draft with the model's changes; None if it cannot be asked, or has nothing of its own to
        change."""
        mine = {
            contribution.element.id: contribution
            for contribution in entries
            if not contribution.author.startswith(RULES)
        }
        # where an edge may be all that is wrong, its ends are not asked about
        about = [id for issue in issues for id in ([e for e in issue.edges if e in mine] or issue.nodes)]
        own = {id: mine[id] for id in dict.fromkeys(about) if id in mine}
        if not own:
            return None
        work = _Work(list(entries))
        problems = [
            (id, as_record(contribution.element) | {"quote": self._quote(contribution)}, _why(id, issues))
            for id, contribution in own.items()
        ]
        reply, _ = self.ask(work, prompts.domain_in_words(self.domain), [prompts.wrong_in_words(problems)])
        found = object_in(reply, "items") if reply else None
        items = found.get("items") if found else None
        if not isinstance(items, dict):
            return None if work.stopped else Mended(tuple(entries))
        return self._changed(entries, own, {id: items[id] for id in own if id in items}, issues, round)

    def _quote(self, contribution: Contribution) -> str:
        return self.document.text[contribution.source.start : contribution.source.end][:300]

    def _changed(
        self, entries: Sequence[Contribution], own: Mapping[str, Contribution], items: Mapping[str, Any],
        issues: Sequence[Issue], round: int,
    ) -> Mended:  # fmt: skip
        repairs, rejected, fresh = list[Repair](), list[Rejected](), dict[str, Node | Link | None]()
        for id, item in items.items():
            before = as_record(own[id].element)
            try:
                fresh[id] = None if item is None else _element(own[id].element, item)
            except (ValueError, BadValue) as error:
                rejected.append(Rejected(item, "reply", f"no change of {id!r}: {error}"[:400], self.author))
                continue
            after = fresh[id]
            if after == own[id].element:
                continue  # it was asked about beside what is wrong, and is given again as it was
            record = as_record(after) if after is not None else None
            repairs.append(Repair(round, _rule(id, issues), self.author, _why(id, issues), before, record))
        contributions = []
        for contribution in entries:
            element = (
                fresh.get(contribution.element.id, contribution.element)
                if contribution.author == self.author
                else contribution.element
            )
            if element is not None:
                contributions.append(replace(contribution, element=element))
        return Mended(tuple(contributions), tuple(repairs), tuple(rejected))


def _why(id: str, issues: Sequence[Issue]) -> str:
    reasons = [f"{issue.rule}: {issue.message} {issue.fix}" for issue in issues if id in (*issue.nodes, *issue.edges)]
    return " ".join(dict.fromkeys(reasons))[:600]


def _rule(id: str, issues: Sequence[Issue]) -> str:
    return next((issue.rule for issue in issues if id in (*issue.nodes, *issue.edges)), "")


def _element(before: Node | Link, item: Any) -> Node | Link:
    """An element as a model gives it again: label, ends and properties may change, the id stays."""
    if not isinstance(item, dict):
        raise ValueError("it is not a JSON object")
    label = item.get("label", before.label)
    props = checked_props(item.get("props", dict(before.props)))
    if not isinstance(label, str) or not label:
        raise ValueError("its label is not a text")
    if isinstance(before, Node):
        return Node(before.id, label, props)
    ends = item.get("from", before.source), item.get("to", before.target)
    if not all(isinstance(end, str) and end for end in ends):
        raise ValueError("its ends are not ids")
    return Link(before.id, label, *ends, props)


def pieces(text: str, most: int = PIECE) -> list[tuple[int, int]]:
    """The characters of a text in pieces, cut at paragraphs where they can be, else at sentences or blanks.

    >>> pieces("one two.\\n\\nthree", 10)
    [(0, 10), (10, 15)]
    """
    found, at = [], 0
    while at < len(text):
        end = min(at + most, len(text))
        if end < len(text):
            cuts = (text.rfind(sign, at + 1, end) + len(sign) for sign in ("\n\n", "\n", ". ", " "))
            end = next((cut for cut in cuts if cut > at + most // 4), end)
        if text[at:end].strip():
            found.append((at, end))
        at = end
    return found
