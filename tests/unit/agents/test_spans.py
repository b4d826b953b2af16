"""Spans of an agent's run: their tree, what they carry, and that the paper's text is not in them."""

from __future__ import annotations

import gzip
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from kag.agents.build.builders import STEPS, open_builder
from kag.agents.model.options import AgentOptions
from kag.agents.model.spans import ENDPOINT, traced
from kag.core.trajectory import Step, Trajectory
from kag.indexing.pipeline import index_document
from kag.sources.ocr.folder import read_document

pytest.importorskip("opentelemetry.sdk")
OPTIONS = AgentOptions("rlm", "offline", "asked for")


def spans_of(*steps: Step):
    """The spans that steps become, in the order in which they ended."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    lines: list[str] = []
    with traced(lines.append, builder="rlm", model="m", provider=provider) as write:
        trajectory = Trajectory(write)
        for step in steps:
            trajectory.append(step)
    assert "".join(lines) == trajectory.to_jsonl()
    return exporter.get_finished_spans()


def test_steps_become_a_tree_without_their_content() -> None:
    spans = spans_of(
        Step("iteration", "action", data={"iteration": 1, "reasoning": "SECRET", "code": "SECRET", "tokens_in": 7}),
        Step("tool", "op_skip_block", False, {"args": ["SECRET"], "error": "SECRET", "code": "unknown_block"}),
        Step("iteration", "outcome", False, {"iteration": 1, "output": "SECRET", "error": "SECRET", "duration_ms": 3}),
        Step("tool", "finalize_graph", data={"args": ["SECRET"]}),
        Step("iteration", "action", data={"iteration": 2, "reasoning": "", "code": ""}),
        Step("note", "stopped", False, {"cause": "budget", "error": "SECRET"}),
    )
    assert [span.name for span in spans] == ["kag.op", "kag.iteration", "kag.op", "kag.iteration", "kag.build"]
    refused, first, last, _, build = spans
    assert refused.parent.span_id == first.context.span_id
    assert first.parent.span_id == last.parent.span_id == build.context.span_id
    assert dict(refused.attributes) == {"kag.op": "op_skip_block", "kag.code": "unknown_block", "kag.ok": False}
    assert dict(first.attributes) == {"kag.iteration": 1, "kag.tokens_in": 7, "kag.duration_ms": 3, "kag.ok": False}
    assert build.attributes["kag.cause"] == "budget"
    assert first.start_time <= refused.start_time <= first.end_time
    assert "SECRET" not in "".join(span.to_json() for span in spans)


def index(paper: Path, work: Path):
    document = read_document(paper)
    with open_builder(OPTIONS, document, work) as builder:
        return index_document(document, builder)


def test_a_run_is_sent_to_the_endpoint_and_changes_nothing(paper: Path, tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    bodies: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            bodies.append(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)
            assert self.path == "/v1/traces"
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    silent = index(paper, tmp_path / "silent")
    server = HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{server.server_port}")
    try:
        told = index(paper, tmp_path / "told")
    finally:
        server.shutdown()
        server.server_close()
    assert told.files["knowledge_graph.ttl"] == silent.files["knowledge_graph.ttl"]
    spans = [
        span
        for body in bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    names = [span.name for span in spans]
    steps = [json.loads(line) for line in (tmp_path / "told" / STEPS).read_text().splitlines()]
    assert names.count("kag.build") == 1
    assert names.count("kag.iteration") == told.facts["iterations"] == 3
    assert names.count("kag.op") == sum(step["kind"] == "tool" for step in steps)
    assert b"Twelve sites" not in b"".join(bodies)
    assert b"find_noise" not in b"".join(bodies)


def test_without_an_endpoint_nothing_is_imported(monkeypatch) -> None:
    monkeypatch.delenv(ENDPOINT, raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    lines: list[str] = []
    with traced(lines.append, builder="rlm", model="m") as write:
        assert write == lines.append


def test_without_the_packages_an_endpoint_is_no_error(monkeypatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    lines: list[str] = []
    with traced(lines.append, builder="rlm", model="m") as write:
        write("x\n")
    assert lines == ["x\n"]
