"""A page's picture becomes its text: asked again where the reply went in circles or broke off, and cleaned."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Literal

from kag.agents.build.vision import Describe
from kag.agents.model.failures import ModelFailure
from kag.agents.ocr.loops import repeats
from kag.agents.ocr.options import Prompt
from kag.core.errors import ModelError
from kag.sources.ocr.page_markdown import FRONT_MATTER
from kag.sources.pictures import Picture

if TYPE_CHECKING:
    import dspy

Fault = Literal["", "circles", "cut", "empty"]

WARMER = 0.3  # added to the temperature after each reply in circles: the same words would lead there again
_SAID: dict[Fault, str] = {
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
        said = " and ".join(dict.fromkeys(_SAID[fault] for fault in faults))
        raise Unusable(f"{lm.model}: the model {said}{times}", part)

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
