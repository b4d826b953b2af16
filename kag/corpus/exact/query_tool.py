"""SPARQL as an agent asks it: checked before it runs, read-only, bounded in time, and told in small pages."""

from __future__ import annotations

from typing import Any

from kag.core.errors import BadValue, QueryError
from kag.core.tool import tool
from kag.corpus.exact.describe import describe, known_terms
from kag.corpus.exact.query_check import complete, query_issues
from kag.corpus.exact.schema_query import Run
from kag.corpus.sparql.query import Term
from kag.qa.views.view_bounds import paged, printable, text_of
from kag.rdf.namespaces import PAPERS

LONGEST = 4_000  # characters of a query
_VALUE = 300  # characters of a value


class QueryTools:
    """The actions over the graphs of a corpus; `run` puts an agent's query to it, bounded
    (`kag.corpus.sparql.query.ask`), `own` those that describe the graphs."""

    def __init__(self, run: Run, own: Run) -> None:
        self._run, self._own = run, own

    @tool
    def graph_schema(self) -> dict[str, Any]:
        """Classes and properties of the papers' graphs, with counts and examples.

        Returns {"ok": true, "schema": text}.
        """
        return {"ok": True, "schema": describe(self._own)}

    @tool
    def query_graph(self, sparql: str, cursor: str = "") -> dict[str, Any]:
        """A SPARQL query over all graphs, for counts, lists and who cites whom; see graph_schema first.

        SPARQL 1.1, read-only, no SERVICE, no FROM. Put patterns on one paper inside GRAPH ?paper { ... }. The usual
        prefixes need no declaration.
        Returns {"ok": true, "columns", "total": rows, "items": [{column: value; a node as "smith2020/ex:b_p001_0004",
        paper and node in one}], "ended": the limit that cut the rows short or "", "cursor"}.
        """
        asked = printable(text_of(sparql, "sparql").strip())
        if not asked or len(asked) > LONGEST:
            raise BadValue("a query is needed", hint=f"Give SPARQL in 1 to {LONGEST} characters.")
        query = complete(asked)
        issues = query_issues(query, known_terms())
        if issues:
            raise BadValue("; ".join(issue.message for issue in issues[:5]), hint="graph_schema tells what there is.")
        try:
            table = self._run(query)
        except QueryError as error:
            raise BadValue(error.message, hint=error.hint) from error

        def row(number: int) -> dict[str, Any]:
            return {name: _told(term) for name, term in zip(table.names, table.rows[number], strict=True) if term}

        head = {"columns": list(table.names), "ended": table.ended}
        return paged(("query_graph", query), head, range(len(table.rows)), row, text_of(cursor, "cursor"))


def _told(term: Term) -> str:
    """A value in short: nodes of papers by paper and name."""
    value = term["value"]
    paper, slash, name = value.removeprefix(PAPERS).partition("/")
    if term["type"] == "uri" and value.startswith(PAPERS) and slash:
        return f"{paper}/ex:{name}"
    return value[:_VALUE]
