"""The five views over many papers: each is told which paper to look at.

The views are those of one paper (`kag.qa.views.views`); a paper is read when it is first looked at, and
the papers that were looked at last stay open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from kag.core.errors import BadValue
from kag.core.tool import tool
from kag.qa.paper import PaperGraph
from kag.qa.views.view_bounds import printable, text_of
from kag.qa.views.view_overview import overview
from kag.qa.views.views import Views

MAX_OPEN = 8  # papers whose views are kept
NEAR = 5  # names in a hint

Function = TypeVar("Function", bound=Callable[..., Any])


def _of_one_paper(view: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a method the description of the view that it calls; its first argument names the paper."""

    def described(function: Function) -> Function:
        function.__doc__ = view.__doc__
        return function

    return described


class CorpusViews:
    """The five views and the overview over papers by id; nodes are named as in their paper ("ex:...")."""

    def __init__(self, papers: Mapping[str, PaperGraph]) -> None:
        self._papers = papers
        self._open: OrderedDict[str, Views] = OrderedDict()

    @tool
    def g_overview(self, paper: str) -> dict[str, Any]:
        """One paper at a glance: title, authors, year, counts, section tree, figures and tables.

        Returns {"ok": true, "paper", "title", "authors", "year", "doi", "counts", "sections": [{"node", "number",
        "title", "depth", "page", "items", "chars"}], "floats": [{"node", "label", "page", "caption"}]}.
        """
        return {"ok": True, **overview(self._papers[self.named(paper)])}

    @tool
    @_of_one_paper(Views.g_search)
    def g_search(self, paper: str, query: str, limit: int = 10, cursor: str = "") -> dict[str, Any]:
        return self._views(paper).g_search(query, limit, cursor)

    @tool
    @_of_one_paper(Views.g_node_detail)
    def g_node_detail(self, paper: str, node_iri: str, offset: int = 0) -> dict[str, Any]:
        return self._views(paper).g_node_detail(node_iri, offset)

    @tool
    @_of_one_paper(Views.g_section_content)
    def g_section_content(self, paper: str, section_iri: str, cursor: str = "") -> dict[str, Any]:
        return self._views(paper).g_section_content(section_iri, cursor)

    @tool
    @_of_one_paper(Views.g_figure_info)
    def g_figure_info(self, paper: str, figure_iri: str, offset: int = 0) -> dict[str, Any]:
        return self._views(paper).g_figure_info(figure_iri, offset)

    @tool
    @_of_one_paper(Views.g_node_refs)
    def g_node_refs(self, paper: str, node_iri: str, cursor: str = "") -> dict[str, Any]:
        return self._views(paper).g_node_refs(node_iri, cursor)

    def _views(self, paper: str) -> Views:
        name = self.named(paper)
        if name not in self._open:
            self._open[name] = Views(self._papers[name])
        self._open.move_to_end(name)
        while len(self._open) > MAX_OPEN:
            self._open.popitem(last=False)
        return self._open[name]

    def named(self, paper: str) -> str:
        """The id of a paper; raises `BadValue` with ids like it for one that is not there."""
        name = text_of(paper, "the paper").strip()
        if name in self._papers:
            return name
        near = get_close_matches(name[:200], self._papers, NEAR, 0.5) or sorted(self._papers)[:NEAR]
        hint = f"Take the id from a search result; papers here: {', '.join(near)}."
        raise BadValue(f"there is no paper {printable(name[:80])!r}", hint=hint)
