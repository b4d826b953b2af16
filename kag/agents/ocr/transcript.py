"""OCR by a served model: options, prompts, and the text of a page's picture.

The model is asked again where its reply repeats itself or broke off. Small vision models repeat themselves until their
reply is full. Tables and lists repeat, too: what has few letters, or few rounds, is left alone. Figures are cut from
the page's picture where the reply places them.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kag.agents.build.vision import Describe
from kag.agents.model.engines import ModelFailure
from kag.agents.model.options import Spending
from kag.core.errors import ModelError
from kag.core.types import Box
from kag.sources.labels import PICTURES
from kag.sources.ocr.page_markdown import FRONT_MATTER
from kag.sources.ocr.tags import split_page
from kag.sources.pictures import Picture

if TYPE_CHECKING:
    import dspy


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


MAX_CUTS = 99  # of a page
_PLACED = re.compile(r"!\[[^\[\]\n]*\]\([^()\s]*?page_(\d{1,5})_(\d{1,5})_(\d{1,5})_(\d{1,5})\.(?:png|jpe?g)\)")


@dataclass(frozen=True, slots=True)
class Cut:
    """A figure: its place among the page's pictures, from 1, and its boxes."""

    page: int
    place: int
    boxes: tuple[Box, ...]

    @property
    def name(self) -> str:
        """The file's name, as OCR folders have it."""
        return f"fig_page{self.page:03d}_{self.place:02d}.png"

    @property
    def whole(self) -> Box:
        """Return the smallest box that contains all boxes."""
        return Box(
            min(box.x0 for box in self.boxes),
            min(box.y0 for box in self.boxes),
            max(box.x1 for box in self.boxes),
            max(box.y1 for box in self.boxes),
        )


def cuts_of(text: str, page: int, size: tuple[int, int]) -> tuple[Cut, ...]:
    """The figures of a page that have a box, from its tags, or from `![](page_left_top_width_height.png)` in pixels.

    `size` is that of the picture the model saw.
    """
    segments, _ = split_page(text, page)
    boxed = [segment.boxes for segment in segments if segment.label in PICTURES]
    found: Sequence[tuple[Box, ...]] = boxed or list(_placed(text, size))
    return tuple(Cut(page, place, boxes) for place, boxes in enumerate(found[:MAX_CUTS], start=1) if boxes)


def _placed(text: str, size: tuple[int, int]) -> Iterator[tuple[Box, ...]]:
    width, height = size
    for match in _PLACED.finditer(text):
        left, top, wide, high = map(int, match.groups())
        if left < width and top < height and wide and high:
            right, bottom = min(left + wide, width), min(top + high, height)
            yield (Box(left * 1000 // width, top * 1000 // height, right * 1000 // width, bottom * 1000 // height),)
        else:
            yield ()


_BOXES = re.compile(
    r"<\|det\|>[^<]{0,4000}<\|/det\|>|\[\[[\d\s,.]*+(?:\]\s*+,\s*+\[[\d\s,.]*+)*+\]\]"
)  # a circle's boxes may wander
_TOKEN = re.compile(r"<[^<>\n]{0,200}>|\w{1,40}|[^\w\s]")
_LETTERS = re.compile(r"[^\W\d_]")
_GRAM = 8  # tokens that have to be the same before a round is taken for one
_PHRASE = 20  # letters of a round that says something; cells such as "n.s." have fewer
_LONG = 40  # tokens of a round that no table has as a row
_ROUNDS, _LONG_ROUNDS, _BARE_ROUNDS = 16, 5, 100
_BARE = 400  # tokens in a row that say next to nothing: blank cells, zeros, leaders


def repeats(text: str) -> bool:
    """Whether a run of words repeats itself, ignoring tags and boxes.

    >>> repeats("Sensors fail often under ice. " * 17), repeats("<td>0</td>" * 60), repeats("<td>0</td>" * 500)
    (True, False, True)
    """
    tokens = ["<>" if token[0] == "<" and len(token) > 1 else token for token in _TOKEN.findall(_BOXES.sub("", text))]
    seen: dict[tuple[str, ...], int] = {}
    period = run = 0
    for at in range(len(tokens) - _GRAM + 1):
        gram = tuple(tokens[at : at + _GRAM])
        back = at - seen.get(gram, at)
        period, run = back, run + 1 if back == period else 1
        seen[gram] = at
        if back and _is_circle(tokens[at - back : at], run + _GRAM - 1 + back):
            return True
    return False


def _is_circle(unit: list[str], length: int) -> bool:
    """Whether this many tokens in a row, all of them rounds of `unit`, are more than a paper would print."""
    rounds = length // len(unit)
    if rounds < _LONG_ROUNDS:
        return False
    if sum(len(_LETTERS.findall(token)) for token in unit) < _PHRASE:
        return rounds >= _BARE_ROUNDS and length >= _BARE
    return rounds >= (_LONG_ROUNDS if len(unit) >= _LONG else _ROUNDS)


Fault = Literal["", "circles", "cut", "empty"]

WARMER = 0.3  # added to the temperature after each reply in circles: the same words would lead there again
_FAULTS: dict[Fault, str] = {
    "circles": "repeated itself",
    "cut": "broke off before the end of the page",
    "empty": "gave no words",
}
_OF_ENGINE: dict[str, Fault] = {"empty": "empty", "truncated": "cut"}

_SPECIAL = re.compile(r"<[｜|](?:end|begin)[▁_ ]of[▁_ ]sentence[｜|]>|<\|(?:im_end|endoftext)\|>")
_FENCE = re.compile(r"```(?:markdown|md)?[ \t]*\n(.*?)\n?```[ \t]*", re.S)
_BARE_TAG = re.compile(r"^([a-z_]{1,40})(\[\[[\d,. \[\]]{7,4000}\]\])[ \t]*$", re.M)


class Unusable(ModelError):
    """None of a model's replies to a page can be used; `part` is the last one as far as it goes."""

    code = "unusable_reply"

    def __init__(self, message: str, part: str) -> None:
        super().__init__(message, hint="The page is read in another way; another model or prompt may read it.")
        self.part = part


def transcribe(lm: dspy.LM, prompt: Prompt, tries: int) -> Describe:
    """Ask for a page's text until a reply can be used, at most `tries` times.

    After a reply in circles the model is asked at a higher temperature, after one cut short with no limit but the
    server's. Raises `Unusable`, and what the engine raises.
    """

    def ask(picture: Picture, words: str) -> str:
        temperature, limit = 0.0, prompt.tokens
        faults: list[Fault] = []
        part = ""
        for _ in range(max(1, tries)):
            text, fault = _reply(lm, prompt, picture, words, temperature, limit)
            if not fault:
                return text
            faults.append(fault)
            part = text or part
            if fault == "cut":
                limit = 0
            else:
                temperature = round(temperature + WARMER, 1)
        times = f" {len(faults)} times" if len(set(faults)) == 1 and len(faults) > 1 else ""
        fault_text = " and ".join(dict.fromkeys(_FAULTS[fault] for fault in faults))
        raise Unusable(f"{lm.model}: the model {fault_text}{times}", part)

    return ask


def _reply(
    lm: dspy.LM, prompt: Prompt, picture: Picture, words: str, temperature: float, limit: int
) -> tuple[str, Fault]:
    """One reply and what is wrong with it; `limit` 0 is the server's own."""
    import dspy
    from dspy.lm15 import Config, ImagePart, Message, Request, TextPart

    image = ImagePart(data=base64.b64encode(picture.data).decode("ascii"), media_type=picture.media_type)
    extra = dict(prompt.extra) or None
    config = Config(max_tokens=limit or None, temperature=temperature, extensions=extra)
    request = Request(model=lm.model, messages=(Message.user([image, TextPart(words)]),), config=config)
    try:
        with dspy.context(disable_history=True):  # DSPy would keep the pictures of all pages
            response = lm(request)
    except ModelFailure as error:
        fault = _OF_ENGINE.get(error.slug)
        if fault is None:
            raise
        return "", fault
    text = cleaned(str(response.text or ""))
    if repeats(text):
        return text, "circles"
    if response.finish_reason == "length":
        return text, "cut"
    return text, "" if text else "empty"


def cleaned(text: str) -> str:
    """A reply without what is not of the page: special tokens, a fence around it, front matter.

    Where a server dropped the marks of DeepSeek-OCR's tags, they are put back.

    >>> cleaned("```markdown\\n# Ice\\n```<|im_end|>"), cleaned("sub_title[[1, 2, 3, 4]]\\n## Ice")
    ('# Ice', '<|ref|>sub_title<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\\n## Ice')
    """
    text = _SPECIAL.sub("", text).strip()
    fenced = _FENCE.fullmatch(text)
    text = fenced[1] if fenced else text
    front = FRONT_MATTER.match(text)
    text = text[front.end() :] if front else text
    if "<|ref|>" not in text:
        text = _BARE_TAG.sub(r"<|ref|>\1<|/ref|><|det|>\2<|/det|>", text)
    return text.strip()
