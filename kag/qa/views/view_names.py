"""What a reader calls things: nodes by IRI, `ex:name` or plain name, sections by title or number, floats by label."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cached_property

from kag.core.errors import BadValue, UnknownNode
from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.views.view_bounds import printable, text_of
from kag.qa.word_query import section_named
from kag.text.search_text import search_text

FLOATS = ("Figure", "Table")

_SECTION_WORD = re.compile(r"^\s*(?:(?:sub)*section|sect?\.|§)\s*", re.I)
_FLOAT_NAME = re.compile(r"\s*([A-Za-z]+)\.?\s*([A-Za-z]?\d{1,4}(?:[A-Za-z]|-s\d{1,2})?|[IVXLC]{1,7})\.?\s*")
_SUPPLEMENT = re.compile(r"(?<=\d)\s?[—–-]+\s?figure\s+supplement\s+(?=\d)", re.I)
_NUMBER_FIRST = re.compile(r"^[\d.)\s]++")
_LONGEST = 300  # characters of a name; a title has fewer


class Names:
    """The names of one paper. Every refusal is an `InvalidOperation` whose hint lists what there is."""

    def __init__(self, paper: PaperGraph) -> None:
        self._paper = paper

    def node(self, name: str) -> str:
        """The IRI of a node, section or the paper itself."""
        asked = text_of(name, "the node")
        iri = self._paper.resolve(asked)
        if iri is None:
            float_ = self._labelled(asked)
            iri = float_.iri if float_ else self._section(asked)
        if iri is None:
            raise self._unknown(asked)
        return iri

    def section(self, name: str) -> Section | None:
        """A section by name, number, title or type; None for the paper itself."""
        asked = text_of(name, "the section")
        iri = self._paper.resolve(asked) or self._section(asked)
        if iri == self._paper.document or not asked.strip():
            return None
        if iri is None:
            raise self._unknown(asked)
        if iri not in self._paper.sections:
            home = self._paper.section_of(iri)
            hint = f"It is in {home.name} ({home.title[:80]})." if home else "Ask g_node_detail about it."
            raise BadValue(f"{self._paper.name(iri)} is not a section", hint=hint)
        return self._paper.sections[iri]

    def float_(self, name: str, kinds: tuple[str, ...] = FLOATS) -> Node:
        """A figure or table by name or label ("Figure 3")."""
        asked = text_of(name, "the figure")
        iri = self._paper.resolve(asked)
        node = self._labelled(asked) if iri is None else self._paper.nodes.get(iri)
        if iri is None and node is None:
            raise self._unknown(asked)
        if node is None or node.kind not in kinds:
            known = [f"{one.name} {one.label}".strip() for one in self._paper.of_kind(*kinds)]
            raise BadValue(
                f"{printable(asked[:80])} is not a {' or '.join(kinds).lower()}", hint=_listed("It has", known)
            )
        return node

    def _labelled(self, asked: str) -> Node | None:
        match = _FLOAT_NAME.fullmatch(_SUPPLEMENT.sub("-s", asked[:_LONGEST]))
        return self._floats.get((match[1][:3].lower(), match[2].lower())) if match else None

    @cached_property
    def _floats(self) -> dict[tuple[str, str], Node]:
        """Figures and tables by the first letters of what they are called, and number."""
        found: dict[tuple[str, str], Node] = {}
        for node in self._paper.of_kind(*FLOATS):
            for word in (node.kind, node.label):
                if node.number and word:
                    found.setdefault((word[:3].lower(), node.number.lower()), node)
        return found

    def _section(self, asked: str) -> str | None:
        """A section by number, title, title without number, type, or words of its title: the first that fits one."""
        wanted = search_text(asked[:_LONGEST]).text.strip()
        bare = _SECTION_WORD.sub("", wanted).strip(" .")
        if not bare:
            return None
        ladder: tuple[Callable[[tuple[Section, str]], bool], ...] = (
            lambda one: one[0].number == bare,
            lambda one: one[1] == wanted,
            lambda one: _NUMBER_FIRST.sub("", one[1]) == bare,
            lambda one: bare in (role.lower() for role in one[0].types),
            lambda one: section_named(bare, (one[1],)),
        )
        for fits in ladder:
            found = [section for section, title in self._titles if fits((section, title))]
            if len(found) == 1:
                return found[0].iri
            if found:
                known = (f"{section.name} {section.title[:60]}" for section in found)
                raise BadValue(
                    f"{len(found)} sections are called {printable(asked[:80])!r}", hint=_listed("Choose", known)
                )
        return None

    @cached_property
    def _titles(self) -> list[tuple[Section, str]]:
        return [(one, search_text(one.title).text.strip()) for one in self._paper.sections.values()]

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._paper.name(iri) for iri in (*self._paper.nodes, *self._paper.sections))

    def _unknown(self, asked: str) -> UnknownNode:
        """The refusal of a name, with names like it: floats for a label, neighbours of a block, else sections."""
        name = printable(asked.strip()[:80])
        if _FLOAT_NAME.fullmatch(name):
            floats = (f"{node.name} {node.label}".strip() for node in self._paper.of_kind(*FLOATS))
            return UnknownNode(f"unknown node {name!r}", hint=_listed("Figures and tables", floats))
        local = name.rpartition("/")[2].removeprefix("ex:")
        if re.match(r"[a-z]+_", local):
            at = bisect_left(self._sorted, f"ex:{local}")
            return UnknownNode(f"unknown node {name!r}", hint=_listed("Near it", self._sorted[max(0, at - 2) : at + 3]))
        top = (f"{one.name} {one.title[:60]}" for one in self._paper.sections.values() if not one.parent)
        return UnknownNode(f"unknown node {name!r}", hint=_listed("Sections", top))


def _listed(words: str, names: Iterable[str]) -> str:
    """A hint that lists the first names."""
    known = [name[:100] for name in names]
    more = f", ... ({len(known)} in all)" if len(known) > 8 else ""
    return f"{words}: {', '.join(known[:8])}{more}." if known else "The paper has none."
