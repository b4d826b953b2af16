"""Workflows: each format by a small file of its own, each fault by one that is planted, order, lineage, schedules."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from kag.core.errors import KagError, SourceError
from kag.kgrag.files import FORMATS, check_workflow, parse_workflow
from kag.kgrag.workflow.facade import WorkflowGraph
from kag.kgrag.yaml_with_positions import parse_marked

GITHUB = """\
name: CI
on:
  schedule: [{cron: "0 6 * * 1"}]
  push:
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/upload-artifact@v4
      with: {name: wheel}
    - uses: actions/upload-artifact@v4
      with: {name: "log-${{ matrix.os }}"}
  test:
    name: Tests
    needs: build
    if: github.ref == 'refs/heads/main'
    steps:
    - uses: actions/download-artifact@v4
      with: {name: wheel}
    - uses: actions/download-artifact@v4
      with: {name: other, run-id: 7}
"""
GALAXY = {
    "a_galaxy_workflow": "true",
    "steps": {
        "0": {"id": 0, "type": "data_input", "label": "reads", "outputs": []},
        "1": {"id": 1, "type": "tool", "name": "trim", "tool_id": "t", "outputs": [{"name": "out"}],
              "input_connections": {"in": {"id": 0, "output_name": "output"}}},
        "2": {"id": 2, "type": "subworkflow", "name": "map", "when": "$(inputs.when)", "outputs": [],
              "input_connections": {"in": [{"id": 1, "output_name": "out"}]}},
        "3": {"id": 3, "type": "tool", "name": "plot", "outputs": [],
              "input_connections": {"in": {"id": 2, "output_name": "bam"}}},
    },
}  # fmt: skip
CWL = """\
cwlVersion: v1.2
class: Workflow
inputs: {reads: File, "n": int}
steps:
  trim:
    run: trim.cwl
    in: {fastq: reads, count: {source: "n"}}
    out: [trimmed]
  map:
    run: map.cwl
    when: $(inputs.n > 1)
    in:
    - {id: fastq, source: [trim/trimmed]}
    out: [{id: bam}]
"""
WFFORMAT = {
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {"id": "a", "name": "A", "children": ["b"], "parents": [], "inputFiles": ["x"], "outputFiles": ["y"]},
                {"id": "b", "name": "B", "children": [], "parents": ["a"], "inputFiles": ["y"], "outputFiles": []},
            ],
            "files": [{"id": "x", "sizeInBytes": 2_000_000}, {"id": "y"}],
        },
        "execution": {"tasks": [{"id": "a", "runtimeInSeconds": 3.5}]},
    },
}
DBT = {
    "metadata": {"dbt_schema_version": "v12"},
    "sources": {"source.p.raw": {"name": "raw", "schema": "s"}},
    "nodes": {
        "model.p.one": {
            "name": "one",
            "resource_type": "model",
            "schema": "m",
            "depends_on": {"nodes": ["source.p.raw"]},
        },
        "test.p.two": {"name": "two", "resource_type": "test", "depends_on": {"nodes": ["model.p.one"]}},
    },
}
EVENTS = [
    {"eventType": "START", "run": {"facets": {"parent": {"job": {"namespace": "n", "name": "all"}}}},
     "job": {"namespace": "n", "name": "load"}, "inputs": [{"namespace": "d", "name": "raw"}], "outputs": []},
    {"eventType": "COMPLETE", "run": {}, "job": {"namespace": "n", "name": "load"}, "inputs": [],
     "outputs": [{"namespace": "d", "name": "clean"}]},
]  # fmt: skip
CRATE = {
    "@context": "https://w3id.org/ro/crate/1.1/context",
    "@graph": [
        {
            "@id": "#run",
            "@type": "CreateAction",
            "name": "Run",
            "object": {"@id": "in.csv"},
            "result": [{"@id": "out.csv"}],
        },
        {"@id": "#again", "@type": "CreateAction", "name": "Again", "object": [], "result": {"@id": "out.csv"}},
        {"@id": "out.csv", "@type": "File", "name": "Results"},
    ],
}
FILES: dict[str, Any] = {
    "github_actions": GITHUB, "galaxy": GALAXY, "cwl": CWL, "wfformat": WFFORMAT, "dbt": DBT, "openlineage": EVENTS,
    "wfrun_rocrate": CRATE,
}  # fmt: skip
EDGES = {
    "github_actions": {
        "build produces artifact:wheel", "test depends_on build", "if:test enables test", 
        "test consumes artifact:wheel",
        "test consumes artifact:other", "schedule:0 triggers build",
    },
    "galaxy": {
        "1 produces 1/out", "1 consumes input:0", "2 depends_on 1", "2 consumes 1/out", "when:2 enables 2",
        "3 depends_on 2", "2 produces 2/bam", "3 consumes 2/bam",
    },
    "cwl": {
        "trim consumes reads", "trim consumes n", "trim produces trim/trimmed", "map depends_on trim",
        "map consumes trim/trimmed", "map produces map/bam", "when:map enables map",
    },
    "wfformat": {"b depends_on a", "a consumes x", "a produces y", "b consumes y"},
    "dbt": {
        "model.p.one produces relation:model.p.one", "model.p.one consumes source.p.raw",
        "test.p.two depends_on model.p.one", "test.p.two consumes relation:model.p.one",
    },
    "openlineage": {"n:load consumes d:raw", "n:load produces d:clean", "n:load part_of n:all"},
    "wfrun_rocrate": {"#run consumes in.csv", "#run produces out.csv", "#again produces out.csv"},
}  # fmt: skip


def as_text(native: Any) -> str:
    return native if isinstance(native, str) else json.dumps(native, indent=1)


def bare(name: str) -> str:
    return name.partition(":")[2]


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_is_told_and_read(form: str) -> None:
    read = parse_workflow(as_text(FILES[form]), "w")
    assert read.format == form
    assert {f"{bare(e.source)} {e.label} {bare(e.target)}" for e in read.snapshot.edges} == EDGES[form]
    checked = check_workflow(read)
    assert checked.ok
    assert [issue.rule for issue in checked.warnings] == (["two_producers"] if form == "wfrun_rocrate" else [])
    assert all(read.lines[node.id] for node in read.snapshot.nodes)


def faults(native: Any) -> list[tuple[str, tuple[str, ...], int]]:
    checked = check_workflow(parse_workflow(as_text(native), "w.yml"))
    assert all(issue.file == "w.yml" for issue in checked.issues)
    return [(issue.rule, tuple(bare(node) for node in issue.nodes), issue.line) for issue in checked.errors]


def changed(native: Any, change: Callable[[Any], Any]) -> Any:
    copy = json.loads(json.dumps(native))
    change(copy)
    return copy


TEST_JOB = "  test:\n    name: Tests\n    needs: build\n"


@pytest.mark.parametrize(
    ("native", "found"),
    [
        (GITHUB.replace("needs: build", "needs: [build, lint]"), ("dangling_dependency", ("test", "lint"), 15)),
        (GITHUB.replace("needs: build", "needs: test"), ("self_dependency", ("test",), 13)),
        (GITHUB.replace("0 6 * * 1", "0 25 * * 1"), ("invalid_cron", ("schedule:0",), 3)),
        (GITHUB + "  build:\n    runs-on: x\n", ("duplicate_id", ("build",), 22)),
        (GITHUB.replace("{name: wheel}\n    - uses: actions/d", "{name: wheels}\n    - uses: actions/d"),
         ("missing_producer", ("artifact:wheels", "test"), 18)),
        (GITHUB.replace("build:\n", "build:\n    needs: test\n"), ("cycle", ("build", "test"), 6)),
        (CWL.replace("trim/trimmed]", "trim/lost]"), ("missing_producer", ("trim/lost", "map"), 13)),
        (CWL.replace("trim/trimmed]", "cut/trimmed]"), ("dangling_dependency", ("map", "cut"), 13)),
        (CWL.replace("fastq: reads", "fastq: read"), ("missing_producer", ("read", "trim"), 7)),
        (CWL + "  map:\n    run: x\n    in: {}\n    out: []\n", ("duplicate_id", ("map",), 15)),
    ],
)  # fmt: skip
def test_faults_in_yaml_have_their_line(native: str, found: tuple[str, tuple[str, ...], int]) -> None:
    assert found in faults(native)
    assert len(faults(native)) == 1


def first(galaxy: Any) -> Any:
    return galaxy["steps"]["2"]["input_connections"]["in"][0]


def tasks(native: Any) -> Any:
    return native["workflow"]["specification"]["tasks"]


@pytest.mark.parametrize(
    ("form", "change", "rule", "nodes"),
    [
        ("galaxy", lambda g: first(g).update(id=9), "dangling_dependency", ("2", "9")),
        ("galaxy", lambda g: first(g).update(output_name="no"), "missing_producer",
         ("1/no", "2")),
        ("galaxy", lambda g: g["steps"]["3"].update(id=2), "duplicate_id", ("2",)),
        ("galaxy", lambda g: g["steps"]["1"]["input_connections"].update(x={"id": 3, "output_name": "o"}), "cycle",
         ("1", "2", "3")),
        ("wfformat", lambda w: tasks(w)[1]["parents"].append("z"), "dangling_dependency", ("b", "z")),
        ("wfformat", lambda w: tasks(w)[0]["children"].clear(), "one_sided_link", ("b", "a")),
        ("wfformat", lambda w: tasks(w)[0]["inputFiles"].append("q"), "undeclared_data", ("q", "a")),
        ("wfformat", lambda w: tasks(w)[1].update(id="a"), "duplicate_id", ("a",)),
        ("dbt", lambda d: d["nodes"]["model.p.one"]["depends_on"]["nodes"].append("test.p.two"), "cycle",
         ("model.p.one", "test.p.two")),
    ],
)  # fmt: skip
def test_faults_in_json(form: str, change: Callable[[Any], Any], rule: str, nodes: tuple[str, ...]) -> None:
    found = faults(changed(FILES[form], change))
    assert (rule, set(nodes)) in [(one[0], set(one[1])) for one in found]
    assert all(line > 0 for _, _, line in found)


def test_a_parent_that_hands_nothing_over_is_a_warning() -> None:
    native = changed(WFFORMAT, lambda w: tasks(w)[1].update(inputFiles=["x"]))
    checked = check_workflow(parse_workflow(json.dumps(native), "w"))
    assert checked.ok
    assert [issue.rule for issue in checked.warnings] == ["missing_producer"]


def test_keys_that_are_there_twice_are_seen_in_json() -> None:
    text = '{"a_galaxy_workflow": "true",\n"steps": {"0": {"id": 0, "type": "tool"},\n"0": {"id": 0, "type": "tool"}}}'
    assert ("duplicate_id", ("0",), 3) in faults(text)


def test_events_a_line_are_one_workflow() -> None:
    text = "\n".join(json.dumps(event) for event in EVENTS)
    assert parse_workflow(text).snapshot == parse_workflow(json.dumps(EVENTS)).snapshot


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(12)
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a",
        "a: [",
        "a: *b",
        "a: &a [*a]",
        BOMB,
        "[" * 50_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "".join(" " * n + "a:\n" for n in range(500)),
        '{"a": NaN}',
        '{"a": ' + "9" * 10_000 + "}",
        "a: \x00",
        "!!python/object/apply:os.system ['true']",
        "jobs:\n  ? " + "x" * 5000 + "\n  : {}\non: push",
        '{"a_galaxy_workflow": "true", "steps": {"' + "x" * 5000 + '": {}}}',
    ],
)
def test_hostile_files_are_refused_in_words(text: str) -> None:
    with pytest.raises(KagError) as caught:
        parse_workflow(text, "bad.yml")
    assert caught.value.hint


def test_errors_name_file_and_line() -> None:
    with pytest.raises(SourceError, match=r"bad\.yml:2: no YAML"):
        parse_workflow("a: 1\nb: *c", "bad.yml")


@pytest.mark.parametrize(
    "text",
    ["jobs: {a: null, b: [1], c: {needs: {x: 1}, steps: 3, if: [1]}}\non: 1", "jobs: {a: {steps: [3, null]}}\nname: 3"],
)
def test_anything_may_stand_anywhere(text: str) -> None:
    assert parse_workflow(text).format == "github_actions"


def test_yaml_words_are_those_of_1_2() -> None:
    value = parse_marked("on: yes\nno: 012\na: 1\nb: 1.5\nc: ~\nd: 'true'\ne: true\nf: 0x1F\ng: 1_000\nh: !!str 5\n")
    assert dict(value) == {
        "on": "yes", "no": "012", "a": 1, "b": 1.5, "c": None, "d": "true", "e": True, "f": "0x1F", "g": "1_000",
        "h": "5",
    }  # fmt: skip


@pytest.fixture
def flow() -> WorkflowGraph:
    """fetch -> (sort, count) -> plot, with data and a schedule."""
    flow = WorkflowGraph()
    for name in ("fetch", "sort", "count", "plot"):
        flow.add_task(name, id=name)
    for task, need in (("sort", "fetch"), ("count", "fetch"), ("plot", "sort"), ("plot", "count")):
        flow.add_dependency(task, need)
    flow.add_data_asset("raw", id="raw", external=True)
    flow.add_data_asset("sorted", id="sorted", size_mb=1.5)
    flow.add_data_asset("picture", id="picture", format="png")
    flow.add_consumed_data("sort", "raw")
    flow.add_produced_data("sort", "sorted")
    flow.add_consumed_data("plot", "sorted")
    flow.add_produced_data("plot", "picture")
    flow.add_trigger(flow.add_schedule(cron="0 6 * * *"), "fetch")
    flow.add_condition_link(flow.add_condition("size > 0"), "plot")
    return flow


def test_a_workflow_in_its_own_words(flow: WorkflowGraph) -> None:
    assert flow.validate().issues == ()
    assert flow.get_execution_order() == ("fetch", "sort", "count", "plot")
    assert flow.get_task_dependencies("plot") == ("sort", "count")
    assert flow.get_upstream_tasks("plot") == ("sort", "count", "fetch")
    assert flow.get_downstream_tasks("fetch") == ("sort", "count", "plot")
    lineage = flow.get_data_lineage("sorted")
    assert (lineage.producers, lineage.consumers) == (("sort",), ("plot",))
    assert set(flow.expand_seeds(["sort"])) >= {"fetch", "plot", "raw", "sorted"}


def test_what_a_circle_keeps_from_running(flow: WorkflowGraph) -> None:
    flow.add_dependency("sort", "plot")
    assert flow.get_execution_order() == ("fetch", "count")
    (issue,) = flow.validate_dag().errors
    assert (issue.rule, set(issue.nodes)) == ("cycle", {"sort", "plot"})


def test_data_needs_one_that_makes_it(flow: WorkflowGraph) -> None:
    flow.graph.delete_edge(flow.graph.find_edges("produces", source="sort")[0])
    flow.add_produced_data("count", "picture")
    assert [(i.rule, i.nodes[0]) for i in flow.validate_data_flow().errors] == [
        ("two_producers", "picture"),
        ("missing_producer", "sorted"),
    ]


def test_a_draft_is_checked_against_the_workflow(flow: WorkflowGraph) -> None:
    verdicts = flow.check_consistency("Plot depends on sort. Fetch depends on plot. Sort reads raw.")
    assert [verdict.answer for verdict in verdicts] == ["supported", "contradicted", "supported"]
    assert verdicts[1].rule == "cycle"
