"""Hostile programs in the sandbox, alone and as an agent's steps: each ends as data, and the next step runs.

A program is a few pieces that each do harm (exit, recurse, fill memory, hand over what has no end, redefine helpers and
tools, call tools for ever), put into functions, loops, handlers and `__repr__`. Tools do harm too: they exit, raise
what cannot be printed, return what is too large, too deep or no JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.model.budget import Budget
from kag.agents.model.dspy_compat import CodeExecutionError, FinalOutput
from kag.agents.model.engines import Source
from kag.agents.model.models import model_over
from kag.agents.model.token_ledger import Ledger
from kag.agents.sandbox.factory import sandbox_factory
from kag.agents.sandbox.runner import run_agent
from kag.agents.sandbox.sandbox import Limits, MontyInterpreter
from kag.values.tool import Tool, guard
from kag.values.trajectory import Trajectory
from scripts.attacks.case import Case

KIND = "hostile programs in the sandbox"
CASES = 2_000
LIMITS = Limits(seconds=0.2, tool_seconds=0.4, memory=64 << 20, output=20_000, tool_calls=3_000)
LATE = 12.0  # seconds: the limits above, a new worker, and a machine that has other work
LONGEST = 30_000  # characters that one step may tell the model
RUN_OF = 10  # programs that are the steps of one agent

VALUES = [
    r"None",
    r"10 ** 5000",
    r"float('nan')",
    r"float('-inf')",
    r"'x' * (12 << 20)",
    r"'\ud800'",
    r"{'\udfff': '\ud800'}",
    r"[[[]]] * 9",
    r"range(10 ** 12)",
    r"(n for n in range(9))",
    r"lambda: 1",
    r"say",
    r"SUBMIT",
    r"Exception",
    r"b'ab'",
    r"1j",
    r"...",
    r"[0] * 10 ** 6",
    r"{n: n for n in range(10 ** 5)}",
    r"{(1, 2): {3}}",
    r"int",
    r"Odd()",
    r"[Odd()]",
    r"2 ** 200000",
    r"deep",
    r"ring",
    r"{'a': ring, 'b': deep}",
    r"'\x1b[2J\x00'",
    r"-0.0",
    r"True",
    r"''",
    r"'9' * 5000",
    r"print",
]
SINKS = [
    r"{v}",
    r"print({v})",
    r"say({v})",
    r"say(word={v})",
    r"give({v})",
    r"say(*[{v}] * 50)",
    r"say(**{{'a b': {v}, '': 1}})",
    r"SUBMIT({v})",
    r"SUBMIT(answer={v})",
    r"SUBMIT({v}, {v})",
    r"json.dumps({v})",
    r"str({v})",
    r"raise ValueError({v})",
    r"f'{{{v}}}'",
    r"repr({v})",
    r"hash({v})",
    r"kept = {v}",
    r"kept == {v}",
    r"{{'a': {v}}}",
    r"sorted([{v}] * 3)",
]
HARM = r"""
exits()
--
mute()
--
mumbles()
--
cancels()
--
hangs_up()
--
floods()
--
floods_list()
--
shouts()
--
digs()
--
circles()
--
yields()
--
poisons()
--
counts_far()
--
lies()
--
stops()
--
half_text()
--
say = 3
--
SUBMIT = None
--
import json as say
--
repr = 5
--
__show__ = None
--
next = callable = json = 0
--
x = 'a' * 10 ** 10
--
x = 10 ** 10 ** 8
--
while True: pass
--
while True: say(1)
--
for n in range(10 ** 6): say(n)
--
exec('exits()')
--
exec('say = SUBMIT = 3')
--
raise SystemExit(3)
--
raise BaseException
--
1 / 0
--
raise TimeoutError('x')
--
raise MemoryError('x')
--
raise KeyboardInterrupt
--
while True: print('again')
--
print('y' * 3 * 10 ** 6)
--
open('/etc/passwd').read()
--
eval('(' * 3000)
--
input()
--
list(map(say, 'ab'))
--
sorted('ba', key=say)
--
say(say(say(1)))
--
nonlocal x
--
deep == [deep]
--
'%s' % (ring,)
--
re.match('(a|a)*b', 'a' * 99)
--
give(locals())
--
say.__globals__
--
().__class__.__bases__
--
if 1:
--
def say(*a):
    return say(*a)
say()
--
def __show__(v):
    while True: pass
--
def f(n):
    return f(n + 1)
f(0)
--
f = lambda: f()
f()
--
x = []
while True: x.append(x)
--
while True:
    try: nobody()
    except BaseException: pass
--
while True:
    try: exits()
    except BaseException: pass
--
import os
os.environ
--
take = [say, give]
[t(1) for t in take]
--
async def a():
    await a()
await a()
--
class A:
    def __repr__(self):
        return 5
A()
--
class A:
    def __repr__(self):
        return self.__repr__()
A()
--
class A:
    def __repr__(self):
        exits()
print(A())
""".strip("\n").split("\n--\n")
HARM += ["\x00", "\ud800", "x = 1;" * 5000, "not " * 3000 + "1", f"x = '{'z' * 250_000}'"]
SETUP = """\
class Odd:
    pass
deep = []
for _ in range(5000):
    deep = [deep]
ring = {}
ring['ring'] = ring
kept = 41
"""
SHELLS = [
    *("{c}", "try:\n{i}\nexcept BaseException as error:\n    print(type(error), error)", "for _ in range(2):\n{i}"),
    *("def shell():\n{i}\nshell()", "try:\n{i}\nfinally:\n    say('at last')", "while True:\n{i}\n    break"),
    *("try:\n{i}\nexcept BaseException:\n    say(kept)\n    raise", "if kept:\n{i}\nkept"),
]


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Programs in one sandbox after the other, and now and then as the steps of an agent."""
    with_agent = [program(random) for _ in range(RUN_OF)]
    yield Case("an agent", agent(with_agent, work))
    sandbox = opened()
    for number in range(1, cases):
        code = program(random)
        failed = tried(sandbox, code)
        if failed or number % 40 == 0:
            sandbox.shutdown()
            sandbox = opened()
        yield Case(code[:300], failed)
        if number % 100 == 0:
            yield Case("an agent", agent([program(random) for _ in range(RUN_OF)], work))
    sandbox.shutdown()


def program(random: Random) -> str:
    """A step of one to three pieces."""
    return "\n".join(_shelled(random, _piece(random)) for _ in range(random.choice((1, 1, 2, 3))))


def _piece(random: Random) -> str:
    if random.random() < 0.5:
        return random.choice(HARM)
    return random.choice(SINKS).format(v=random.choice(VALUES))


def _shelled(random: Random, code: str) -> str:
    inside = "\n".join(f"    {line}" for line in code.split("\n"))
    return random.choice(SHELLS).replace("{c}", code).replace("{i}", inside)


# tools that do harm ---------------------------------------------------------------------------------------------------


class Mute(Exception):
    """Raises when it is asked what it says."""

    def __str__(self) -> str:
        raise SystemExit(4)

    __repr__ = __str__


class Mumble(Exception):
    """Says what is no text."""

    def __str__(self) -> str:
        return 5  # type: ignore[return-value]


class Lie(dict[str, Any]):
    """A dict that cannot be read."""

    def items(self) -> Any:
        raise SystemExit(5)


class Cancelled(BaseException):
    """As asyncio has it."""


def _raiser(error: BaseException) -> Callable[[], None]:
    def tool() -> None:
        raise error

    return tool


def _deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def _circle() -> dict[str, Any]:
    circle: dict[str, Any] = {}
    circle["circle"] = [circle, circle]
    return circle


def tools() -> dict[str, Callable[..., Any]]:
    """What the programs may call; `say` and `give` are sound."""
    return {
        "say": lambda one=None, two=None, **more: 2 + len(more),
        "give": lambda value=None: value,
        "exits": _raiser(SystemExit(3)),
        "mute": _raiser(Mute()),
        "mumbles": _raiser(Mumble()),
        "cancels": _raiser(Cancelled("now")),
        "hangs_up": _raiser(GeneratorExit()),
        "stops": _raiser(StopIteration(3)),
        "half_text": _raiser(KeyError("\ud800" * 9)),
        "shouts": _raiser(ValueError("y" * (9 << 20))),
        "floods": lambda: "x" * (270 << 20),
        "floods_list": lambda: ["x"] * 10**6,
        "digs": lambda: _deep(20_000),
        "circles": _circle,
        "yields": lambda: (n for n in range(9)),
        "poisons": lambda: [float("nan"), float("inf")],
        "counts_far": lambda: {"n": 10**5000},
        "lies": lambda: Lie(a=1),
    }


# what must hold -------------------------------------------------------------------------------------------------------


def opened() -> MontyInterpreter:
    """A sandbox with all tools in which `SETUP` has run."""
    sandbox = MontyInterpreter(limits=LIMITS)
    sandbox.tools.update(tools())
    sandbox.output_fields = [{"name": "answer"}]
    sandbox.execute(SETUP)
    return sandbox


def tried(sandbox: MontyInterpreter, code: str) -> str:
    """What is wrong with how a step ended, or with the session after it."""
    begun = time.monotonic()
    told = ""
    try:
        result = sandbox.execute(code)
        told = json.dumps(result.output, allow_nan=False) if isinstance(result, FinalOutput) else result or ""
    except (CodeExecutionError, SyntaxError) as error:
        told = str(error)
    except BaseException as error:
        return f"left by {type(error).__name__}"
    took = time.monotonic() - begun
    if took > LATE:
        return f"took {took:.1f} s"
    if len(told) > LONGEST and not told.startswith(("{", "[", '"')):
        return f"told {len(told)} characters"
    told.encode()
    return _usable(sandbox)


def _usable(sandbox: MontyInterpreter) -> str:
    try:
        if sandbox.execute("1 + 1") != "2\n":
            return "1 + 1 is something else afterwards"
        if sandbox.execute("say(1, 2), give('back')") != "(2, 'back')\n":
            return "tools do not answer afterwards"
        if sandbox.execute("SUBMIT('done')") != FinalOutput({"answer": "done"}):
            return "SUBMIT does not submit afterwards"
    except BaseException as error:
        return f"not usable afterwards: {type(error).__name__}"
    return ""


def agent(programs: list[str], work: Path) -> str:
    """What is wrong with a run of the real loop whose steps are these programs; its record is written as it goes."""
    engine = _Script([*programs, "SUBMIT('end')"])
    file = work / "trajectory.jsonl"
    ledger = Ledger()
    lm = model_over(Source("script/agent", lambda: engine, tariff="local"), budget=Budget(), ledger=ledger, retries=0)
    with file.open("w", encoding="utf-8") as sink:
        trajectory = Trajectory(sink.write)
        guarded = {name: guard(Tool(name, name, call), trajectory).call for name, call in tools().items()}
        try:
            finish = run_agent(
                dspy.Signature("question -> answer", "Answer."),
                {"question": "?"},
                guarded,
                lm,
                interpreters=lambda **given: sandbox_factory("monty", limits=LIMITS, **given),
                gate=lambda fields: None if fields["answer"] == "end" else "not yet",
                trajectory=trajectory,
                max_iters=len(programs) + 2,
                usage=ledger.summary,
            )
        except BaseException as error:
            return f"the run was left by {type(error).__name__}"
    if finish.cause:
        return f"the run ended by {finish.cause}: {finish.stopped[:200]}"
    return _on_record(file.read_text(encoding="utf-8"), trajectory.to_jsonl(), len(programs) + 1)


def _on_record(written: str, kept: str, steps: int) -> str:
    if written != kept:
        return "what was written as it happened is not what is kept"
    rows = [json.loads(line, parse_constant=_no_json) for line in written.split("\n") if line]
    outcomes = [row for row in rows if row["name"] == "outcome"]
    if len(outcomes) != steps:
        return f"{len(outcomes)} of {steps} steps are on record"
    return ""


def _no_json(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


class _Script:
    """An engine that answers with programs, in the form that dspy asks for."""

    def __init__(self, programs: list[str]) -> None:
        self._left = iter(programs)

    def complete(self, request: Request) -> Response:
        """The next program."""
        code = next(self._left)
        text = f"[[ ## reasoning ## ]]\nnext\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"
        usage = Usage(input_tokens=1, output_tokens=1, total_tokens=2)
        message = Message.assistant(TextPart(text))
        return Response(id=None, model="script", message=message, finish_reason="stop", usage=usage)

    def close(self) -> None:
        """Nothing is open."""
