"""The tool by which an agent writes the whole graph from rows, and the comparison of its graph with the rules' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kag.rdf.workspace import Workspace
from kag.values.errors import BadValue
from kag.values.tool import error_data
from kag.values.trajectory import Step, Trajectory
from kag.write.baseline import begin_section, write_node
from kag.write.build_plan import Plan, plan_sections
from kag.write.changes import Change, changes, state_of_graph, state_of_plan
from kag.write.completion import clear
from kag.write.draft import draft_of, plan_of

Tools = Mapping[str, Callable[..., Any]]
MAX_REFUSED = 12


class DraftTools:
    """The rules' draft over one workspace, and what an agent makes of it; `tools` are those it is written through."""

    def __init__(self, workspace: Workspace, tools: Tools, trajectory: Trajectory) -> None:
        self._workspace, self._tools, self._trajectory = workspace, tools, trajectory
        self._plan = plan_sections(workspace.document)
        self.draft = draft_of(workspace.document, self._plan)

    def write_graph(self, draft: dict[str, Any]) -> dict[str, Any]:
        """Write the draft as the graph, in place of all that is there.

        Returns {"ok": true} or {"ok": false, "error", "hint", "refused": {row: why}}; other rows are written.
        """
        try:
            plan, refused = plan_of(draft, self.draft, self._workspace.document)
        except BadValue as wrong:
            return self._told(error_data(wrong))
        if len(self._workspace.graph) or self._workspace.skipped:
            clear(self._workspace, self._tools)
        refused |= self._write(plan)
        if not refused:
            return self._told({"ok": True})
        shown = dict(list(refused.items())[:MAX_REFUSED])
        error = f"{len(refused)} rows were refused"
        hint = "Mend these rows and call write_graph again."
        return self._told({"ok": False, "error": error, "code": "bad_value", "hint": hint, "refused": shown})

    def changes(self) -> list[Change]:
        """What the graph has otherwise than the rules' draft, in reading order."""
        return changes(state_of_plan(self._plan), state_of_graph(self._workspace), self._workspace.document)

    def _write(self, plan: Plan) -> dict[str, str]:
        """Write a plan; returns what was refused, by row."""
        tools, refused = self._tools, dict[str, str]()
        tools["op_assert_type"]("ex:document", "doco:Document")
        tools["op_assert_type"]("ex:document", "fabio:ResearchPaper")
        tools["op_set_single_literal"]("ex:document", "dcterms:identifier", self._workspace.document.paper_id)
        for skipped in plan.skipped.values():
            self._try(refused, skipped.block, tools["op_skip_block"], skipped.block, skipped.reason)
        names = [begin_section(section, tools) for section in plan.sections]
        parents = {section.parent for section in plan.sections}
        links: list[tuple[str, str, str]] = []
        for place, (name, section) in enumerate(zip(names, plan.sections, strict=True)):
            parent = "ex:document" if section.parent is None else names[section.parent]
            tools["op_add_iri_link"](parent, "kag:contains", name)
            for node in section.nodes:
                try:
                    links += write_node(node, name, tools)
                except AssertionError as error:  # a tool's refusal, with its hint
                    refused[node.name] = str(error)
            if section.heading and not section.nodes and place not in parents:
                tools["op_add_iri_link"](name, "kag:contains", f"ex:{section.heading.block.id}")
        for link in links:
            self._try(refused, link[0].removeprefix("ex:"), tools["op_add_iri_link"], *link)
        return refused

    @staticmethod
    def _try(refused: dict[str, str], row: str, call: Callable[..., Any], *given: str) -> None:
        result = call(*given)
        if not result["ok"]:
            refused[row] = f"{result['error']} ({result['hint']})"

    def _told(self, result: dict[str, Any]) -> dict[str, Any]:
        """Note the call, without the draft, which is the whole paper."""
        told: dict[str, Any] = {"args": []}
        told |= {key: result[key] for key in ("error", "code", "refused") if key in result}
        self._trajectory.append(Step("tool", "write_graph", result["ok"], told))
        return result
