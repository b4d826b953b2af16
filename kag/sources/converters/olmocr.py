"""`read_olmocr`: olmOCR's JSON lines: a text a paper, and where in it each page begins. It tells no places."""

from __future__ import annotations

from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import parse_object, shown
from kag.sources.draft import Parsed
from kag.sources.flow import Flow
from kag.sources.loading import decode, digest, fitting, load
from kag.sources.markdown import add_markdown
from kag.sources.reading import Reading
from kag.sources.sheets import numbers_of

_SHAPE = {"text": str, "attributes?": {"pdf_page_numbers?": [[int]]}}


def read_olmocr(path: Path, reading: Reading) -> Parsed:
    """The one paper of a file; raises `SourceError`, also where it holds several."""
    source = load(path)
    lines = [line for line in decode(source).split("\n") if line.strip()]
    if len(lines) != 1:
        hint = "Put each line into a file of its own: `split -l 1 --additional-suffix=.jsonl FILE paper_`."
        raise SourceError(f"{shown(path)} holds {len(lines)} papers in one file", hint=hint)
    try:
        row = fitting(path, parse_object(lines[0]), _SHAPE)
    except ValueError as error:
        hint = "Run olmOCR again: the file was cut off or changed."
        raise SourceError(f"{shown(path)} is not valid JSON: {error}", hint=hint) from error
    flow = Flow.of(path)
    text = row["text"]
    at = 0
    for span in row.get("attributes", {}).get("pdf_page_numbers", ()):
        if len(numbers_of(span)) == 3 and span[1] > at:
            add_markdown(flow, max(span[2], 1), text[at : span[1]])
            at = span[1]
    if text[at:].strip():
        add_markdown(flow, flow.drafts[-1].page if flow.drafts else 1, text[at:])
    return flow.parsed("olmocr", digest([b"olmocr", source.data]))
