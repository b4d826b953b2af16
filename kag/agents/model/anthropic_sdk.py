"""Claude through the `anthropic` SDK, as an engine behind the same budget, ledger and cassette as every model.

Optional: `anthropic/...` names reach the same models without the SDK. What the figure tools send is text and
pictures, and so is all that this engine takes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.build.vision import MAX_TOKENS
from kag.agents.model.engines import Source
from kag.core.env_file import load_env_file
from kag.core.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    import anthropic

_KEY = "ANTHROPIC_API_KEY"
_FINISH = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "refusal": "content_filter"}


def anthropic_sdk(model: str, *, api_base: str | None = None, timeout: float = 120.0) -> Source:
    """A Claude model by its bare name, for `model_over`; `api_base` without `/v1`, `timeout` in seconds.

    Raises `MissingExtra` without the SDK and `ModelError` without a key in the environment.
    """
    try:
        import anthropic
    except ImportError as error:
        hint = 'Install it with: pip install "kag-papers[anthropic]"'
        raise MissingExtra("the anthropic package is not installed", hint=hint) from error
    load_env_file()
    key = os.environ.get(_KEY, "").strip()
    if not key:
        raise ModelError(f"{model} needs a key", hint=f"set {_KEY} in the environment")

    def opened() -> SdkEngine:
        # The engine around this one waits and tries again, within the budget.
        return SdkEngine(anthropic.Anthropic(api_key=key, base_url=api_base, timeout=timeout, max_retries=0))

    return Source(f"anthropic/{model}", opened, provider="anthropic", listed=model)


class SdkEngine:
    """`complete` over an SDK client; the SDK's errors become those of DSPy."""

    def __init__(self, client: anthropic.Anthropic) -> None:
        self._client = client

    def complete(self, request: Request) -> Response:
        import anthropic

        given: dict[str, Any] = {"system": request.system} if isinstance(request.system, str) else {}
        if request.config.temperature is not None:
            given["temperature"] = request.config.temperature
        messages: Any = [{"role": m.role, "content": [_block(part) for part in m.parts]} for m in request.messages]
        try:
            reply = self._client.messages.create(
                model=request.model.removeprefix("anthropic/"),
                max_tokens=request.config.max_tokens or MAX_TOKENS,
                messages=messages,
                **given,
            )
        except anthropic.APIError as error:
            raise _as_dspy(error) from error
        return _response(reply)

    def close(self) -> None:
        self._client.close()


def _block(part: Any) -> dict[str, Any]:
    """A part of a message as the Messages API has it."""
    if part.type == "text":
        return {"type": "text", "text": part.text}
    if part.type == "image" and part.data:
        source = {"type": "base64", "media_type": part.media_type, "data": part.data}
        return {"type": "image", "source": source}
    raise ModelError(f"the anthropic SDK is not used for {part.type} parts", hint="name the model as anthropic/...")


def _response(reply: anthropic.types.Message) -> Response:
    text = "".join(block.text for block in reply.content if block.type == "text")
    finish: Any = _FINISH.get(reply.stop_reason or "", "stop")
    usage = Usage(
        input_tokens=reply.usage.input_tokens,
        output_tokens=reply.usage.output_tokens,
        cache_read_tokens=reply.usage.cache_read_input_tokens,
        cache_write_tokens=reply.usage.cache_creation_input_tokens,
    )
    return Response(
        id=reply.id, model=reply.model, message=Message.assistant([TextPart(text)]), finish_reason=finish, usage=usage
    )


def _as_dspy(error: anthropic.APIError) -> Any:
    """The error in DSPy's terms, by which the engine around decides whether to try again."""
    import anthropic

    if isinstance(error, anthropic.APITimeoutError):
        return dspy.LMTimeoutError(error.message)
    if not isinstance(error, anthropic.APIStatusError):
        return dspy.LMTransportError(error.message)
    status = error.status_code
    wait = error.response.headers.get("retry-after", "")
    seconds = float(wait) if wait.replace(".", "", 1).isdigit() else None
    if status == 429:
        return dspy.LMRateLimitError(error.message, status=status, retry_after=seconds)
    if status in (401, 403):
        return dspy.LMAuthError(error.message, status=status)
    if status >= 500:
        return dspy.LMServerError(error.message, status=status, retry_after=seconds)
    return dspy.LMInvalidRequestError(error.message, status=status)
