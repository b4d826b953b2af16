"""`traced`: an agent's steps as OpenTelemetry spans, for who watches many runs. Off unless asked for.

    kag.build > kag.iteration > kag.op

On when OTEL_EXPORTER_OTLP_ENDPOINT is set and the packages of the extra `otel` are there. Spans carry names,
outcomes, error codes and counts; no text of the paper, of the model or of its code leaves through them, and no secret:
they are made from the lines of the trajectory, which holds none.

What other packages log while a model is at work goes to standard error: without secrets, an error in one line.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kag.agents.sandbox.marshalling import head_and_tail, words_of
from kag.core.secrets import hide_secrets

MAX_RECORD = 1_000  # characters

_make = logging.getLogRecordFactory()


def _record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    record = _make(*args, **kwargs)
    try:
        words = record.getMessage()
    except Exception:  # the arguments do not fit the message
        words = str(record.msg)
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        words = f"{words} ({type(error).__name__}: {words_of(error)})"
    record.msg, record.args = head_and_tail(" ".join(hide_secrets(words).split()), MAX_RECORD), ()
    record.exc_info = record.exc_text = record.stack_info = None
    return record


def hide_in_logs() -> None:
    """From now on, in this process."""
    logging.setLogRecordFactory(_record)


if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_COUNTS = ("tokens_in", "tokens_out", "cost_usd", "duration_ms", "tool_calls", "output_chars")

Write = Callable[[str], object]


@contextmanager
def traced(write: Write, *, builder: str, model: str, provider: TracerProvider | None = None) -> Iterator[Write]:
    """`write`, a sink of a `Trajectory`, as one that also makes spans; `write` itself when tracing is off.

    `provider` takes the place of the one that the environment asks for. Spans are sent before this ends.
    """
    own = provider or _provider()
    if own is None:
        yield write
        return
    hide_in_logs()  # who sends spans logs what a server answers
    tracer = own.get_tracer("kag")
    try:
        with tracer.start_as_current_span("kag.build", record_exception=False) as build:
            build.set_attributes({"kag.builder": builder, "kag.model": hide_secrets(model)})
            steps = _Steps(tracer, build)

            def both(line: str) -> None:
                write(line)
                steps.add(json.loads(line))

            yield both
            steps.end()
    finally:
        if provider is None:
            own.shutdown()  # sends what is left


class _Steps:
    """Turns steps into spans; an iteration lasts from the end of the one before, so it holds the model's time."""

    def __init__(self, tracer: Tracer, build: Span) -> None:
        self._tracer, self._build = tracer, build
        self._iteration: Span | None = None
        self._since = time.time_ns()

    def add(self, row: Mapping[str, Any]) -> None:
        kind, name = row["kind"], row["name"]
        if kind == "iteration" and name == "action":
            self.end()
            self._iteration = self._tracer.start_span("kag.iteration", start_time=self._since)
            self._iteration.set_attributes({"kag.iteration": row["iteration"], **_counts(row)})
        elif kind == "iteration" and self._iteration:
            self._iteration.set_attributes(_counts(row))
            _judge(self._iteration, row["ok"])
            self.end()
        elif kind == "tool":
            self._op(row)
        elif name == "stopped":
            self._build.set_attribute("kag.cause", row["cause"])
            _judge(self._build, False)

    def end(self) -> None:
        """End the iteration that is open, if one is."""
        if self._iteration:
            self._iteration.end()
            self._iteration, self._since = None, time.time_ns()

    def _op(self, row: Mapping[str, Any]) -> None:
        from opentelemetry.trace import set_span_in_context

        span = self._tracer.start_span("kag.op", context=set_span_in_context(self._iteration or self._build))
        span.set_attributes({"kag.op": row["name"], "kag.code": row.get("code", "")})
        _judge(span, row["ok"])
        span.end()


def _counts(row: Mapping[str, Any]) -> dict[str, int | float]:
    """The numbers of a step, and nothing else of it."""
    return {f"kag.{name}": row[name] for name in _COUNTS if isinstance(row.get(name), int | float)}


def _judge(span: Span, ok: bool) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attribute("kag.ok", ok)
    span.set_status(StatusCode.OK if ok else StatusCode.ERROR)


def _provider() -> TracerProvider | None:
    """The provider that sends to the endpoint of the environment; None without endpoint or packages."""
    if not os.environ.get(ENDPOINT):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return None
    provider = TracerProvider(resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "kag")}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
