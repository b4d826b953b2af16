"""An engine that answers with a script, for runs of the real `dspy.RLM` loop without a model."""

from __future__ import annotations

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage


class ScriptedEngine:
    """Answers each call with the next step of code, in the format of dspy's ChatAdapter; keeps the requests."""

    def __init__(self, *steps: str) -> None:
        self.steps = list(steps)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Response:
        code = self.steps[len(self.requests)]
        self.requests.append(request)
        text = f"[[ ## reasoning ## ]]\nnext\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"
        usage = Usage(input_tokens=1, output_tokens=1, total_tokens=2)
        message = Message.assistant(TextPart(text))
        return Response(id=None, model="script", message=message, finish_reason="stop", usage=usage)

    def close(self) -> None: ...


def scripted_lm(*steps: str) -> dspy.LM:
    return dspy.LM("script/agent", engine=ScriptedEngine(*steps), cache=False)
