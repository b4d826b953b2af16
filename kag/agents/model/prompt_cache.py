"""A growing prompt cut where it grew, so that Anthropic's prompt cache holds all of it but the newest step.

DSPy's RLM sends one user text that repeats every earlier step. Anthropic finds a cached beginning only at the
border of a block, so each closed step becomes a block of its own, and the mark goes behind the last of them:

    system | variables, head | step 1 | ... | step N <- mark | iteration, instructions

The words the model reads are the same, in the same order.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dspy.lm15 import CacheConfig, Message, Request, TextPart

_HISTORY = "\n=== Step "
_STEP = re.compile(r"(?=\n=== Step \d+ ===\n)")
_HEAD = "[[ ## repl_history ## ]]"
_REST = "\n\n[[ ## iteration ## ]]"


def cache_closed_steps(request: Request) -> Request:
    """The request with its closed steps as marked blocks; any other request as it is."""
    *earlier, last = request.messages
    if last.role != "user" or len(last.parts) != 1 or not isinstance(last.parts[0], TextPart):
        return request
    text = last.parts[0].text
    head, rest = text.find(_HEAD), text.rfind(_REST)
    if head < 0 or rest < head or request.config.cache is None:
        return request
    head += len(_HEAD)
    steps = text[head:rest] if text.startswith(_HISTORY, head) else ""
    blocks = [text[:head], *(block for block in _STEP.split(steps) if block)]
    closed = Message.user([TextPart(block) for block in blocks])
    current = Message.user([TextPart(text[head + len(steps) :])])
    config = replace(request.config, cache=CacheConfig(prefix_until_index=len(earlier)))
    return replace(request, messages=(*earlier, closed, current), config=config)
