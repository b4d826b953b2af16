"""Every name of dspy that is private or experimental, in one place, so that a new dspy is met here and nowhere else."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import dspy
from dspy.primitives.code_interpreter import CodeExecutionError, CodeInterpreterError, FinalOutput
from dspy.primitives.facade import HOST_TOKEN_VAR
from dspy.primitives.python_interpreter import PythonInterpreter
from dspy.primitives.repl_types import REPLEntry, REPLHistory
from pydantic import TypeAdapter, ValidationError

__all__ = [
    "HOST_TOKEN_VAR",
    "BriefAdapter",
    "BriefRLM",
    "CodeExecutionError",
    "CodeInterpreterError",
    "FastTool",
    "FinalOutput",
    "PythonInterpreter",
    "as_dspy_tools",
    "shortened",
]


class FastTool(dspy.Tool):  # type: ignore[misc]
    """A `dspy.Tool` whose argument check is built once: some microseconds a call instead of 2 ms.

    Arguments of wrong types come back as `{"ok": false, "error", "code": "bad_call", "hint"}`, as
    `kag.core.tool.guard` gives for wrong arguments; the function is then not called.
    """

    _checks: dict[str, TypeAdapter[Any]] = {}  # noqa: RUF012 - pydantic makes it private to each instance

    _refused: Callable[[str, Mapping[str, Any], Mapping[str, Any]], None] | None = None

    def __init__(
        self,
        func: Callable[..., Any],
        name: str,
        refused: Callable[[str, Mapping[str, Any], Mapping[str, Any]], None] | None = None,
    ) -> None:
        super().__init__(func, name=name)
        self._refused = refused
        self._checks = {name: TypeAdapter(kind) for name, kind in self.arg_types.items() if kind is not Any}

    def __call__(self, **given: Any) -> Any:
        for name, check in self._checks.items():
            if name in given:
                try:
                    given[name] = check.validate_python(given[name])
                except ValidationError as error:
                    wrong = error.errors(include_url=False)[0]
                    text = f"{name}: {wrong['msg']}, not {type(wrong['input']).__name__}"
                    hint = f"Call {self.name} as its description says."
                    result = {"ok": False, "error": text, "code": "bad_call", "hint": hint}
                    if self._refused:
                        self._refused(self.name, given, result)
                    return result
        return self.func(**given)


def as_dspy_tools(
    tools: Mapping[str, Callable[..., Any]],
    refused: Callable[[str, Mapping[str, Any], Mapping[str, Any]], None] | None = None,
) -> list[dspy.Tool]:
    """Functions as tools of an RLM, in the order given: same names, same parameters.

    The docstring becomes the description in the prompt, whole: dspy shows no return type, so the
    lines on what is returned must be in it. `refused` is called for calls that do not reach their function:
    name, arguments, result.
    """
    return [FastTool(function, name, refused) for name, function in tools.items()]


_BRIEF = """\
{task}

You act by Python code, step by step; names stay, and you see what a step printed. {rules}
Inputs are variables: {inputs}. Tools:
{tools}
- SUBMIT({outputs}) ends the work; it may stand in the step that does the last of it."""
_SHORT_RULES = (
    "No files, network, yield, del or class inheritance; json, re, math, collections and itertools are imported."
)


class BriefRLM(dspy.RLM):  # type: ignore[misc]
    """`dspy.RLM` whose prompt is ours: the task, the sandbox's rules, the tools; no sub-agents, no previews.

    `shown` are texts by input: what the prompt shows of it, whole. Of other inputs it shows the description alone.
    With `tool_help` the prompt has the first paragraph of each tool's description and a line of the sandbox's rules;
    a tool `help(name)` gives the rest.
    """

    def __init__(self, signature: Any, *, shown: Mapping[str, str], tool_help: bool = False, **options: Any) -> None:
        self._shown, self._tool_help = dict(shown), tool_help
        if tool_help:
            options["tools"] = [*options["tools"], FastTool(self._help, "help")]
        super().__init__(signature, **options)

    def _setup_facade(self, repl: Any, budget: Any, interpreter_factory: Any) -> str:
        return ""  # no `import dspy` in the sandbox

    def _help(self, name: str) -> str:
        """All about a tool: arguments and results; help("python"): what this Python lacks."""
        if name == "python":
            return str(self._initial_execution_instructions)
        tool = self._user_tools.get(name)
        known = ", ".join((*self._user_tools, "python"))
        return f"{_call_of(tool)}\n{' '.join(tool.desc.split())}" if tool else f"There is help on {known}."

    def _build_signatures(self) -> tuple[Any, Any]:
        _, extract = super()._build_signatures()
        self._initial_sub_agent_rules = ""
        text = _BRIEF.format(
            task=self.signature.instructions,
            rules=_SHORT_RULES if self._tool_help else self._initial_execution_instructions,
            inputs=", ".join(f"`{name}` ({field.json_schema_extra['desc']})" for name, field in self._given.items()),
            tools="\n".join(f"- {_call_of(tool)}: {self._described(tool)}" for tool in self._user_tools.values()),
            outputs=", ".join(self.signature.output_fields),
        )
        fields: dict[str, tuple[type, Any]] = {
            "variables_info": (str, dspy.InputField(desc="the inputs")),
            "repl_history": (REPLHistory, dspy.InputField(desc="the steps so far")),
            "iteration": (str, dspy.InputField(desc="this step, of how many")),
            "reasoning": (str, dspy.OutputField(desc="briefly: what you decide, and why")),
            "code": (str, dspy.OutputField(desc="```python ... ```")),
        }
        return dspy.Signature(fields, text), extract

    def _described(self, tool: Any) -> str:
        text = tool.desc.strip().partition("\n\n")[0] if self._tool_help else tool.desc
        return " ".join(text.split())

    @property
    def _given(self) -> Mapping[str, Any]:
        fields: Mapping[str, Any] = self.signature.input_fields
        return fields

    def _build_variables(self, **inputs: Any) -> list[Any]:
        return [_Shown(text) for name in inputs if (text := self._shown.get(name))]

    def _prepare_execution_tools(self, budget: Any = None) -> dict[str, Callable[..., Any]]:
        return {name: self._make_interpreter_tool(tool) for name, tool in self._user_tools.items()}


@dataclass(frozen=True, slots=True)
class _Shown:
    """An input as the prompt shows it, in the place of dspy's `REPLVariable`."""

    text: str

    def format(self) -> str:
        return self.text


class BriefAdapter(dspy.ChatAdapter):  # type: ignore[misc]
    """dspy's `ChatAdapter` in fewer words: the instructions, then the form of a reply; inputs are not indented.

    Replies are parsed as `ChatAdapter` parses them.
    """

    def format_system_message(self, signature: Any) -> str:
        fields = (
            f"[[ ## {name} ## ]]\n{field.json_schema_extra['desc']}" for name, field in signature.output_fields.items()
        )
        return "\n\n".join([f"{signature.instructions}\n\nReply in this form:", *fields, "[[ ## completed ## ]]"])

    def format_user_message_content(
        self, signature: Any, inputs: Any, prefix: str = "", suffix: str = "", main_request: bool = False
    ) -> str:
        names = [name for name in signature.input_fields if name in inputs]
        parts = [f"[[ ## {name} ## ]]\n{_words_of(inputs[name])}" for name in names]
        if main_request:
            parts.append(self.user_message_output_requirements(signature))
        return "\n\n".join(filter(None, (prefix, *parts, suffix))).strip()

    def user_message_output_requirements(self, signature: Any) -> str:
        return f"Reply with {', '.join(f'[[ ## {name} ## ]]' for name in (*signature.output_fields, 'completed'))}."


def _words_of(value: Any) -> str:
    """Return an input as it appears in a prompt: a text, several of them, or a value that formats itself."""
    if isinstance(value, list):
        return "\n\n".join(map(_words_of, value))
    return value if isinstance(value, str) else str(value.format())


def _call_of(tool: Any) -> str:
    """A tool's name with its parameters, an optional one with its default."""
    given = inspect.signature(tool.func).parameters.values()
    shown = (p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in given)
    return f"{tool.name}({', '.join(shown)})"


# ---- models: what engines.py and models.py need of dspy's private parts ----


def lm15_engine(api_keys: dict[str, str], base_urls: dict[str, str], seconds: float) -> Any:
    """DSPy's own provider engine: one attempt a call, no retry, no cache. `seconds` bounds each wait for data."""
    from dspy.clients.engines.lm15_engine import LM15Engine, timeouts_for
    from dspy.lm15 import RouterConfig

    config = RouterConfig(api_keys=api_keys or None, base_urls=base_urls or None, timeouts=timeouts_for(seconds))
    return LM15Engine(config)


@dataclass(frozen=True, slots=True)
class Route:
    """The provider behind a model's name, resolved without a network or a key.

    `needs_key` is true when one of `key_names` must be set; `keyless` marks servers of one's own;
    `versioned` that their address ends in `/v1`.
    """

    provider: str
    model: str
    key_names: tuple[str, ...]
    needs_key: bool
    keyless: bool
    versioned: bool


def model_route(model: str) -> Route:
    """The route of a model's name; raises lm15 errors when DSPy's own engine has none."""
    from dspy._vendor.lm15.registry import lookup
    from dspy.clients.engines.lm15_engine import LM15Engine
    from dspy.lm15 import RouterConfig

    found = LM15Engine(RouterConfig(env={})).resolve(model)
    entry = lookup(found.provider)
    names = tuple(entry.access.env_keys)
    keyless = found.placeholder_key is not None
    needs_key = bool(names) and not keyless and not entry.hosted and found.credential_policy == "key"
    versioned = entry.dialect in {"anthropic", "openai-chat"} and not entry.hosted
    return Route(found.provider, found.model, names, needs_key, keyless, versioned)


def litellm_engine(**options: Any) -> Any:
    """The engine for providers that DSPy reaches only through LiteLLM."""
    from dspy.clients.engines.litellm_engine import LiteLLMEngine

    return LiteLLMEngine(**options)


def litellm_provider(model: str) -> tuple[str | None, list[str]]:
    """The provider LiteLLM sees in a model's name (None: none) and the environment variables it misses."""
    from dspy.clients._litellm import get_litellm

    litellm = get_litellm(feature="kag")
    try:
        provider = str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return None, []
    return provider, list(litellm.validate_environment(model)["missing_keys"])


def request_json(request: Any) -> dict[str, Any]:
    """An lm15 request as JSON values."""
    from dspy._vendor.lm15.serde import request_to_dict

    values: dict[str, Any] = request_to_dict(request)
    return values


def response_json(response: Any) -> dict[str, Any]:
    """An lm15 response as JSON values; of the provider's own copy only what its price depends on."""
    from dspy._vendor.lm15.serde import response_to_dict

    values: dict[str, Any] = response_to_dict(response)
    tier = (response.provider_data or {}).get("service_tier")
    return values | {"provider_data": {"service_tier": tier}} if tier else values


def response_from_json(values: dict[str, Any]) -> Any:
    """The response that `response_json` wrote."""
    from dspy._vendor.lm15.serde import response_from_dict

    return response_from_dict(values)


def usd(response: Any, *, provider: str | None, model: str, request: Any) -> float | None:
    """Return the price of a reply by the bundled price list, in US dollars; None if the price is unknown."""
    from dspy.clients.costs import estimate_cost

    cost, _ = estimate_cost(response, provider=provider, requested_model=model, request=request)
    return None if cost is None else float(cost)


def token_counts(response: Any, provider: str | None) -> dict[str, Any]:
    """Usage in one form for all providers: `prompt_tokens` includes cached ones."""
    from dspy.clients.call_result import usage_dict

    counts: dict[str, Any] = usage_dict(response, provider)
    return counts


OLD_CODE, OLD_OUTPUT = 300, 300  # characters left of older steps
TAIL, NOTE = 400, 80  # characters shown of the end of a long output, and of the words between
_LEFT_OUT = "(left out here)"


def shortened(history: REPLHistory, limit: int, most_shown: int) -> REPLHistory:
    """A history that lost all but the beginnings of its steps, but the last, each time it passed `limit` characters.

    In between it only grows at its end, so that a provider's prompt cache can be read. An output of more than
    `most_shown` characters loses what stands before its end, with a line that says so.
    """
    entries: list[REPLEntry] = []
    size = 0
    for full in history.entries:
        output = bounded_output(full.output, most_shown)
        entry = REPLEntry(reasoning=full.reasoning, code=full.code, output=output)
        size += len(entry.code) + len(entry.output)
        if size > limit:
            entries = [_beginning(old) for old in entries]
            size = sum(len(old.code) + len(old.output) for old in [*entries, entry])
        entries.append(entry)
    return REPLHistory(entries=entries, max_output_chars=history.max_output_chars)


def bounded_output(text: str, limit: int) -> str:
    """An output within `limit` characters: whole lines from its start, what is missing, its last lines."""
    if len(text) <= limit:
        return text
    head = text[: max(0, limit - TAIL - NOTE)]
    head = head[: head.rfind("\n") + 1] or head
    tail = text[-TAIL:]
    tail = tail[tail.find("\n") + 1 :] or tail
    left = len(text) - len(head) - len(tail)
    return f"{head.rstrip()}\n[{left:,} characters are not shown here: print less in one step]\n{tail}"


def _beginning(entry: REPLEntry) -> REPLEntry:
    code, output = _cut(entry.code, OLD_CODE), _cut(entry.output, OLD_OUTPUT)
    return REPLEntry(reasoning=entry.reasoning, code=code, output=output)


def _cut(text: str, limit: int) -> str:
    """The beginning of a text; of code also the names it sets, because they are still there."""
    if len(text) <= limit or text.endswith(_LEFT_OUT):
        return text
    names = re.findall(r"^(?:def ([A-Za-z]\w*)|([A-Za-z]\w*) = )", text[limit:], re.M)
    known = f" that set {', '.join(dict.fromkeys(one or other for one, other in names))}" if names else ""
    return f"{text[:limit]}\n# ... {len(text) - limit} characters{known} {_LEFT_OUT}"
