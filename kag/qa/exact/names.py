"""From what a question calls a thing to what the paper has: nothing, one, or several are told apart.

Who names a thing by number or label means one that has to be there: `Absent` says that it is not. A name in other
words may only be put otherwise: then nothing is said at all, `Undecided`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kag.qa.exact import resolve
from kag.qa.exact.facts import heading
from kag.qa.exact.labels import called, distinct, key, numbered
from kag.qa.exact.things import FLOATS, Thing, Things
from kag.qa.paper import Node
from kag.qa.questions.structured_query import Name
from kag.rdf.namespaces import PRISM

UNSURE = 0.5  # confidence where a name fits several things
LIKELY = 0.7  # where a caption has most of the words, and no other has


class Undecided(Exception):
    """A wish that has no sure meaning for this paper."""


class Absent(Exception):
    """Something named is not in the paper; the message says what was looked for."""


@dataclass(frozen=True, slots=True)
class Named:
    """The things of a name, and how sure it is that these are meant."""

    things: tuple[Thing, ...]
    sure: float = 1.0


def named(things: Things, kind: str, name: Name) -> Named:
    """What a name means among the things of a kind; raises `Absent` or `Undecided`."""
    if name.way == "id":
        iri = things.paper.resolve(name.text)
        found = tuple(one for one in things.all(kind) if one.iri == iri)
        return Named(found) if found else _absent(f"{kind} {name.text}")
    reader = _READERS.get(kind)
    if reader is None:
        return _by_words(things, kind, name)
    return reader(things, kind, name)


def _absent(searched: str) -> Named:
    raise Absent(searched)


def _section(things: Things, kind: str, name: Name) -> Named:
    found = [one for one in resolve.sections(things.paper, name) if heading(things.paper, one)]
    if not found:
        raise Undecided(name.text)
    return Named(tuple(Thing("section", one.iri) for one in found), 1.0 if len(found) == 1 else UNSURE)


def _float(things: Things, kind: str, name: Name) -> Named:
    kinds = FLOATS if kind == "float" else (kind,)
    nodes = [node for one in kinds for node in resolve.floats(things.paper, one, name)]
    sub = "equation" if kind == "formula" else resolve.word_of(kind, name)
    several = len({node.number for node in nodes}) > 1 or len(distinct(things.paper, (n.iri for n in nodes))) > 1
    if not nodes and name.way in ("number", "label"):
        raise Absent(f"{sub} {name.text.split()[-1]}")
    if not nodes or (several and name.way != "number"):
        raise Undecided(name.text)
    firsts = {called(things.paper, node): node for node in reversed(nodes)}
    exact = f"{sub} {name.text.split()[-1]}".casefold() if name.way in ("number", "label") else ""
    chosen = [node for word, node in firsts.items() if word.casefold() == exact] or list(firsts.values())
    kept = sorted((Thing(_kind(node), node.iri) for node in chosen), key=things.order)
    return Named(tuple(kept), 1.0 if len(kept) == 1 else UNSURE)


def _kind(node: Node) -> str:
    return {"Table": "table", "Formula": "formula"}.get(node.kind, "figure")


def _reference(things: Things, kind: str, name: Name) -> Named:
    if name.way == "doi":
        wanted = name.text.casefold()
        entries = [
            node for node in things.entries if things.paper.graph.value(node.iri, str(PRISM.doi)).casefold() == wanted
        ]
    else:
        entries = list(resolve.works(things.paper, name))
    if not entries and name.way in ("number", "label", "doi"):
        raise Absent(f"reference {name.text}")
    if len(entries) != 1:
        raise Undecided(name.text)
    sure = 1.0 if name.way != "number" or numbered(things.paper) else UNSURE
    return Named((Thing("reference", entries[0].iri),), sure)


def _page(things: Things, kind: str, name: Name) -> Named:
    found = tuple(one for one in things.all("page") if str(one.part[0]) == name.text)
    return Named(found) if found else _absent(f"page {name.text}")


def _paper(things: Things, kind: str, name: Name) -> Named:
    alike = key(name.text) in (key(things.paper.title), key(things.paper.id))
    return Named(things.all("paper")) if alike else _absent(f"paper {name.text}")


def _by_words(things: Things, kind: str, name: Name) -> Named:
    """A thing that is no more than its words: a keyword, a journal, an author of the paper."""
    wanted = key(name.text)
    found = tuple(one for one in things.all(kind) if one.words and key(one.words) == wanted)
    return Named(found) if found else _absent(f"{kind} {name.text}")


_READERS: dict[str, Callable[[Things, str, Name], Named]] = {
    "section": _section,
    **dict.fromkeys((*FLOATS, "float"), _float),
    "reference": _reference,
    "work": _reference,
    "page": _page,
    "paper": _paper,
}
