"""dbt's `manifest.json`: models, seeds, snapshots and tests are tasks, their relations data, sources external data.

dbt writes no manifest that lacks what it names: one that does was cut afterwards, which is a warning.
"""

from __future__ import annotations

from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of

MAKES_NOTHING = ("test", "unit_test", "analysis", "operation", "sql_operation", "rpc", "exposure")


def is_dbt(value: Any) -> bool:
    """Whether a file looks like one."""
    about = lined(lined(value).get("metadata"))
    return isinstance(lined(value).get("nodes"), Lined) and "dbt_schema_version" in about


def read_dbt(value: Any, file: str) -> WorkflowFile:
    """The nodes of a project as tasks."""
    draft, nodes = Draft("dbt", file), lined(lined(value).get("nodes"))
    for key, source in lined(lined(value).get("sources")).items():
        about = lined(source)
        draft.add("data", key, about.line, name=_relation(about, key), external=True)
    for key, line in nodes.again:
        draft.twice(key, line)
    for key, node in nodes.items():
        about, kind = lined(node), text_of(lined(node).get("resource_type"))
        described = text_of(about.get("description")) or None
        task = draft.add(
            "task", key, about.line, name=text_of(about.get("name")) or key, runtime=kind, description=described
        )
        if kind not in MAKES_NOTHING and not _ephemeral(about):
            data = draft.add("data", f"relation:{key}", about.line, name=_relation(about, key), external=False)
            draft.link("produces", task, data)
    for key, node in nodes.items():
        _depends(draft, key, lined(node), nodes)
    return draft.done()


def _relation(about: Lined, key: str) -> str:
    name = text_of(about.get("alias") or about.get("identifier") or about.get("name")) or key
    schema = text_of(about.get("schema"))
    return f"{schema}.{name}" if schema else name


def _ephemeral(about: Lined) -> bool:
    """Whether a model is only a part of others' SQL."""
    return lined(about.get("config")).get("materialized") == "ephemeral"


def _depends(draft: Draft, key: str, about: Lined, nodes: Lined) -> None:
    """What a node reads: other nodes' relations, and sources."""
    task, wanted = f"task:{key}", lined(about.get("depends_on"))
    for one in listed(wanted.get("nodes")):
        other = text_of(one)
        if other in nodes:
            draft.link("depends_on", task, f"task:{other}")
            draft.link("consumes", task, f"data:relation:{other}")
        elif f"data:{other}" in draft:
            draft.link("consumes", task, f"data:{other}")
        elif other.partition(".")[0] not in ("metric", "semantic_model", "exposure", "saved_query"):
            draft.missing(task, other, wanted.lines["nodes"], warn=True)
