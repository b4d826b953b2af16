"""Options of OCR by a served model, and the prompt of each kind of model: values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from kag.agents.model.options import Spending

PromptName = Literal["deepseek", "olmocr", "markdown"]

KEYS = ("KAG_OCR_KEY", "OPENAI_API_KEY")
"""Environment variables of the server's key; the first that is set counts, also where it is set to nothing."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt of a kind of model. `scale` is pixels a point, `tokens` the first limit of a reply.

    `grounded` models tell a box for each block. `extra` goes into the request as it is.
    """

    words: str
    scale: float
    tokens: int
    grounded: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


PROMPTS: Mapping[PromptName, Prompt] = {
    "deepseek": Prompt(
        "<|grounding|>Convert the document to markdown.",
        scale=2.0,
        tokens=6000,  # with the picture's some 1,200 this stays inside of the model's 8,192
        grounded=True,
        # Tags are special tokens, which servers drop if not asked otherwise; the rest are the guards against circles
        # that the model is served with (vLLM), cells of tables excepted. Other servers pass over them.
        extra={
            "skip_special_tokens": False,
            "vllm_xargs": {"ngram_size": 30, "window_size": 90, "whitelist_token_ids": [128821, 128822]},
        },
    ),
    "olmocr": Prompt(
        "Attached is one page of a document. Return its plain text in the order in which a person reads it, as "
        "Markdown behind a YAML front matter (primary_language, is_rotation_valid, rotation_correction, is_table, "
        "is_diagram). Write equations as LaTeX and tables as HTML. Put each figure as "
        "![what it shows](page_left_top_width_height.png).",
        scale=1.5,  # A4 at 1263 pixels, near to the 1288 that the model was made for
        tokens=8000,
    ),
    "markdown": Prompt(
        "Write down what is printed on this page of a scientific paper, all of it and nothing else, in reading order "
        "(one column after the other), as Markdown: headings with #, tables as HTML, formulas as LaTeX. Leave out "
        "page numbers and running heads. Do not describe, shorten or correct; write [illegible] where you cannot read.",
        scale=2.0,
        tokens=8000,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrOptions(Spending):
    """The server and model that read a paper's pages, and the limits for one paper.

    `url` is the address in front of `/chat/completions`. `concurrency` pages are asked about at one time; `timeout`
    is in seconds without a byte from the server, `retries` counts repeated requests after rate limits, overload and
    lost connections, `tries` replies to one page. `language` is tesseract's, for pages that the model cannot read.
    `cache` is the file of what was read before; None is `.ocr.jsonl` beside the folder that is written. `password`
    opens the PDF.
    """

    url: str
    model: str
    prompt: PromptName = "deepseek"
    concurrency: int = 4
    timeout: float = 300.0
    retries: int = 4
    tries: int = 3
    language: str = "eng"
    cache: Path | None = None
    password: str = field(default="", repr=False)
