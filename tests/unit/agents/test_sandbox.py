"""The sandbox as it is: a real worker process, and all a model may do to it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from kag.agents.model.dspy_compat import CodeExecutionError, CodeInterpreterError, FinalOutput
from kag.agents.sandbox.sandbox import Execution, Limits, MontyInterpreter, sandbox_factory
from kag.core import workers
from kag.core.errors import BudgetExceeded, KagError, SandboxError

LIMITS = Limits(seconds=0.5, tool_seconds=5, memory=64 << 20, output=10_000)


@pytest.fixture
def sandbox() -> Iterator[MontyInterpreter]:
    interpreter = MontyInterpreter(limits=LIMITS)
    interpreter.output_fields = [{"name": "status"}, {"name": "notes"}]
    yield interpreter
    interpreter.shutdown()


def error_of(sandbox: MontyInterpreter, code: str) -> str:
    with pytest.raises(CodeExecutionError) as caught:
        sandbox.execute(code)
    return str(caught.value)


def test_processes_start_anew_once_there_is_a_sandbox(
    sandbox: MontyInterpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forked process lacks the threads of the sandbox's library, and waits for them forever."""
    monkeypatch.setattr(workers, "_may_fork", True)
    sandbox.execute("1")
    assert not workers.forks()


# what a step shows ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("print('a')\n1 + 1", "a\n2\n"),
        ("x = 1", None),
        ("x = 1;", None),
        ("None", None),
        ("print('only')", "only\n"),
        ("'ü', 1", "('ü', 1)\n"),
        ("x = 'é'; x", "'é'\n"),
        ("x = [1]\r\n(\r\n  x\r\n)", "[1]\n"),
        ("{'b', 'a'}", "{'b', 'a'}\n"),
        ("(y := 5)", "5\n"),
        ("*[1], 2", "(1, 2)\n"),
        ("[n for n in range(3)]  # odd", "[0, 1, 2]\n"),
        ("json.dumps({'a': math.floor(1.5)})", "'{\"a\": 1}'\n"),
        ("next(n for n in [7, 8])", "7\n"),
        ("g = (n for n in [7, 8])\nnext(g), next(g)", "(7, 8)\n"),
        ("next((n for n in []), 'none')", "'none'\n"),
        ("next(iter([1]))", "1\n"),
        ("callable(len), callable(lambda: 1), callable(str), callable(3)", "(True, True, True, False)\n"),
    ],
)
def test_output_is_what_a_console_shows(sandbox: MontyInterpreter, code: str, shown: str | None) -> None:
    assert sandbox.execute(code) == shown


def test_names_stay_from_step_to_step_also_after_an_error(sandbox: MontyInterpreter) -> None:
    sandbox.execute("def double(n):\n    return 2 * n\nx = 4")
    message = error_of(sandbox, "y = double(x)\nprint('so far', y)\ny['key']\nz = 1")
    assert message.splitlines() == [
        "TypeError: 'int' object is not subscriptable",
        "  line 3: y['key']",
        "Printed before the error:",
        "so far 8",
    ]
    assert sandbox.execute("y") == "8\n"


def test_an_error_names_the_lines_it_came_through(sandbox: MontyInterpreter) -> None:
    sandbox.execute("def inner(row):\n    return row['missing']")
    assert error_of(sandbox, "rows = [{}]\nfor row in rows:\n    inner(row)").splitlines() == [
        "KeyError: 'missing'",
        "  line 3: inner(row)",
        "  line 2 in inner: return row['missing']",
    ]


def test_syntax_errors_say_what_and_where(sandbox: MontyInterpreter) -> None:
    with pytest.raises(SyntaxError) as caught:
        sandbox.execute("x = 1\ny = = 2")
    assert str(caught.value) == "SyntaxError: Expected an expression\n  line 2: y = = 2"
    assert "yet support the 'del' statement" in error_of(sandbox, "x = [1]\ndel x[0]")
    assert sandbox.execute("1") == "1\n"


def test_huge_output_is_cut_in_the_middle_and_says_so() -> None:
    sandbox = MontyInterpreter(limits=Limits(output=LIMITS.output))
    shown = sandbox.execute("for n in range(30):\n    print('x' * 999_999)\nprint('the end')")
    assert len(shown) < LIMITS.output + 200
    assert shown.startswith("xxx")
    assert shown.endswith("the end\n\n[30000008 characters were printed; the middle is not shown]")
    sandbox.shutdown()


# inputs -----------------------------------------------------------------------------------------


def test_inputs_go_in_once_and_again_when_they_are_others(sandbox: MontyInterpreter) -> None:
    blocks = [{"id": "b1", "box": (1, 2)}]
    assert (
        sandbox.execute("blocks[0]['box'].append(3)\nblocks", {"blocks": blocks})
        == "[{'id': 'b1', 'box': [1, 2, 3]}]\n"
    )
    assert sandbox.execute("blocks[0]['box']", {"blocks": blocks}) == "[1, 2, 3]\n"
    assert sandbox.execute("blocks", {"blocks": []}) == "[]\n"


def test_inputs_that_cannot_go_in_are_said(sandbox: MontyInterpreter) -> None:
    with pytest.raises(SandboxError, match="inputs x cannot go into the sandbox: object is not a JSON type"):
        sandbox.execute("1", {"x": object()})


# tools ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    name: str
    tags: frozenset[str]


def test_tools_take_positions_and_names(sandbox: MontyInterpreter) -> None:
    def place(block: str, page: int = 1, *, exact: bool = False) -> list[object]:
        return [block, page, exact]

    sandbox.tools["place"] = place
    calls = "place('a'), place('b', 2), place(page=3, block='c'), place('d', exact=True)"
    assert sandbox.execute(calls) == "(['a', 1, False], ['b', 2, False], ['c', 3, False], ['d', 1, True])\n"
    assert sandbox.execute("f = place\n[f(n) for n in 'xy']") == "[['x', 1, False], ['y', 1, False]]\n"
    assert "place() missing 1 required positional argument: 'block'" in error_of(sandbox, "place()")
    assert "cannot suspend in this synchronous context" in error_of(sandbox, "list(map(place, 'xy'))")


def test_tool_results_are_plain_json_values(sandbox: MontyInterpreter) -> None:
    results = {
        "none": {"a": None, "b": [None]},
        "set": {"b", "a"},
        "tuple": (1, (2,)),
        "text": "\ud800 é",
        "big": 2**80,
    }
    sandbox.tools["get"] = lambda name: results[name]
    sandbox.tools["record"] = lambda: Record("n", frozenset({"y", "x"}))
    sandbox.tools["thing"] = object
    sandbox.tools["nothing"] = lambda: None
    assert sandbox.execute("r = get('none')\nr['a'] is None and r['b'][0] is None and nothing() is None") == "True\n"
    assert sandbox.execute("get('set'), get('tuple')") == "(['a', 'b'], [1, [2]])\n"
    assert sandbox.execute("get('text'), get('big') == 2 ** 80, record()") == (
        "('? é', True, {'name': 'n', 'tags': ['x', 'y']})\n"
    )
    assert error_of(sandbox, "thing()").startswith("TypeError: object is not a JSON type")
    assert error_of(sandbox, "get('other')") == "KeyError: 'other'\n  line 1: get('other')"


def test_a_tool_that_raises_can_be_caught(sandbox: MontyInterpreter) -> None:
    class Odd(KagError): ...

    def fail(kind: str) -> None:
        raise {"value": ValueError("bad"), "own": Odd("no such block", hint="Use b1."), "time": TimeoutError("slow")}[
            kind
        ]

    sandbox.tools["fail"] = fail
    assert sandbox.execute("try:\n    fail('value')\nexcept ValueError as e:\n    print(e)") == "bad\n"
    assert error_of(sandbox, "fail('own')").startswith("RuntimeError: Odd: no such block Use b1.\n  line 1")
    # A slow tool is not a step that breaks its limit: what the step has set stays.
    assert error_of(sandbox, "kept = 1\nfail('time')").startswith("OSError: TimeoutError: slow")
    assert sandbox.execute("kept") == "1\n"


def test_a_budget_ends_the_run_whatever_the_code_catches(sandbox: MontyInterpreter) -> None:
    steps: list[Execution] = []
    sandbox._on_step = steps.append

    def ask() -> str:
        raise BudgetExceeded("no money left", hint="Raise --max-usd.")

    sandbox.tools["ask"] = ask
    with pytest.raises(BudgetExceeded):
        sandbox.execute("try:\n    ask()\nexcept Exception:\n    print('never mind')")
    assert [(step.error, step.output) for step in steps] == [("no money left", "")]


# what tools may do, and what code may do to them ------------------------------------------------


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise SystemExit(1)

    __repr__ = __str__


class Numb(Exception):
    def __str__(self) -> str:
        return 5  # type: ignore[return-value]


class Cancelled(BaseException): ...


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SystemExit(3), "RuntimeError: SystemExit: 3"),
        (GeneratorExit("x"), "RuntimeError: GeneratorExit: x"),
        (Cancelled("x"), "RuntimeError: Cancelled: x"),
        (Unspeakable(), "RuntimeError: Unspeakable: it cannot say what is wrong"),
        (Numb(), "RuntimeError: Numb: it cannot say what is wrong"),
        (KeyError(Unspeakable()), "KeyError: 'it cannot say what is wrong'"),
        (ValueError("\ud800"), "ValueError: ?"),
    ],
    ids=["exit", "generator", "cancelled", "unspeakable", "numb", "key", "half a pair"],
)
def test_whatever_a_tool_raises_is_data(sandbox: MontyInterpreter, error: BaseException, told: str) -> None:
    def fail() -> None:
        raise error

    sandbox.tools["fail"] = fail
    sandbox.execute("x = 1")
    assert error_of(sandbox, "fail()").splitlines()[0] == told
    assert sandbox.execute("try:\n    fail()\nexcept Exception:\n    print('on', x)") == "on 1\n"


def test_long_errors_are_cut(sandbox: MontyInterpreter) -> None:
    def fail() -> None:
        raise ValueError("y" * (20 << 20))

    sandbox.tools["fail"] = fail
    for code in ("fail()", "raise ValueError('z' * 10 ** 7)", f"x = '{'a' * 50_000}' + 1", f"x = '{'a' * 50_000}"):
        with pytest.raises((CodeExecutionError, SyntaxError)) as caught:
            sandbox.execute(code)
        assert len(str(caught.value)) < 3_000


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: "x" * (9 << 20), "ValueError: a value of more than 8388608 characters does not cross"),
        (lambda: ["x"] * 10**6, "ValueError: a value of more than 8388608 characters does not cross"),
        (lambda: float("nan"), "ValueError: nan is not a JSON number"),
        (lambda: [float("-inf")], "ValueError: -inf is not a JSON number"),
        (lambda: 10**5000, "ValueError: a number of more than 4,200 digits does not cross the border"),
    ],
    ids=["a long text", "many values", "nan", "inf", "many digits"],
)
def test_results_that_do_not_cross_are_said(sandbox: MontyInterpreter, made: Callable[[], object], told: str) -> None:
    sandbox.tools["get"] = made
    sandbox.execute("x = 1")
    assert error_of(sandbox, "get()").startswith(told)
    assert sandbox.execute("x") == "1\n"


def test_values_in_themselves_and_deep_ones_do_not_cross(sandbox: MontyInterpreter) -> None:
    deep: list[object] = []
    ring: dict[str, object] = {}
    ring["ring"] = [ring, ring]
    for _ in range(20_000):
        deep = [deep]
    sandbox.tools.update(dig=lambda: deep, go_round=lambda: ring, take=lambda value: None)
    for code in ("dig()", "go_round()", "d = []\nfor _ in range(200): d = [d]\ntake(d)"):
        assert error_of(sandbox, code).startswith("ValueError: a value nested more than 100 deep (or in itself)")


def test_what_code_hands_to_a_tool_is_plain(sandbox: MontyInterpreter) -> None:
    taken: list[object] = []
    sandbox.tools["take"] = lambda *args, **more: taken.append((args, more))
    sandbox.execute("class P:\n    pass\ntake({2, 1}, (3,), key={1: None})")
    assert taken == [(([1, 2], [3]), {"key": {"1": None}})]
    for code in ("take(P())", "take(b'ab')", "take(1j)", "take(float('nan'))", "take(10 ** 5000)"):
        assert error_of(sandbox, code).startswith(("TypeError", "ValueError"))
    assert len(taken) == 1


def test_ctrl_c_in_a_tool_goes_through_and_the_session_lives(sandbox: MontyInterpreter) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    sandbox.tools["wait"] = interrupted
    sandbox.execute("x = 1")
    with pytest.raises(KeyboardInterrupt):
        sandbox.execute("x = 2\nwait()")
    assert sandbox.execute("x") == "1\n"


@pytest.mark.parametrize(
    "code",
    [
        *("__show__ = None", "def __show__(value):\n    while True: pass", "repr = str = print = None"),
        *("def print(*args):\n    raise SystemExit", "next = callable = json = 0"),
    ],
)
def test_the_last_value_is_shown_whatever_names_mean(sandbox: MontyInterpreter, code: str) -> None:
    assert sandbox.execute(f"{code}\n1 + 1") == "2\n"
    assert sandbox.execute("'a', None") == "('a', None)\n"


@pytest.mark.parametrize(
    "code",
    [
        *("ask = 3", "ask = ask()", "def ask():\n    pass", "import json as ask"),
        *("for ask in 'ab':\n    pass", "SUBMIT = 0", "ask, SUBMIT = 1, 2"),
        *("exec('ask = 3')", "ask = 3\nf'{b'3.12'}'"),
    ],
)
def test_a_tool_that_lost_its_name_has_it_again_in_the_next_step(sandbox: MontyInterpreter, code: str) -> None:
    sandbox.tools["ask"] = lambda: 7
    sandbox.execute(code)
    assert sandbox.execute("ask()") == "7\n"
    assert sandbox.execute("SUBMIT(ask(), 1)") == FinalOutput({"status": 7, "notes": 1})


@pytest.mark.parametrize("asked", ["count()", "nobody", "nobody()"])
def test_a_million_calls_in_one_step_are_stopped_and_undone(asked: str) -> None:
    sandbox = MontyInterpreter(limits=Limits(tool_calls=2_000))
    calls: list[int] = []
    sandbox.tools["count"] = lambda: calls.append(1)
    sandbox.execute("x = 1")
    code = f"x = 2\nfor n in range(10 ** 6):\n    try:\n        {asked}\n    except BaseException:\n        pass"
    message = error_of(sandbox, code)
    assert message == f"RuntimeError: the step called tools or looked up unknown names more than 2000 times. {UNDONE}"
    assert len(calls) <= 2_000
    assert sandbox.execute("count()\nx") == "1\n"
    sandbox.shutdown()


def test_a_step_that_is_too_long_is_said(sandbox: MontyInterpreter) -> None:
    assert error_of(sandbox, "x = 1\n" * 40_000).startswith("The step has 240000 characters, more than the 200000")
    assert sandbox.execute("1") == "1\n"


def test_a_gate_that_fails_refuses(sandbox: MontyInterpreter) -> None:
    def gate(fields: dict[str, object]) -> str | None:
        raise Unspeakable

    sandbox._gate = gate
    assert error_of(sandbox, "SUBMIT(1, 2)").startswith("RuntimeError: SUBMIT refused: Unspeakable: it cannot say")


# SUBMIT -----------------------------------------------------------------------------------------


def test_submit_by_position_and_by_name_ends_the_step(sandbox: MontyInterpreter) -> None:
    done = sandbox.execute("kept = 1\nSUBMIT('READY', notes={2, 1})\nkept = 2")
    assert done == FinalOutput({"status": "READY", "notes": [1, 2]})
    # dspy may still refuse the types: the session must live on, with the names set before SUBMIT.
    assert sandbox.execute("kept") == "1\n"


def test_submit_with_wrong_fields_is_said_inside(sandbox: MontyInterpreter) -> None:
    assert error_of(sandbox, "SUBMIT('READY')").startswith(
        "TypeError: SUBMIT(status, notes): missing a required argument"
    )
    assert error_of(sandbox, "SUBMIT(1, 2, 3)").startswith("TypeError: SUBMIT(status, notes): too many positional")
    assert error_of(sandbox, "SUBMIT(1, other=2)").startswith("TypeError: SUBMIT(status, notes): ")


def test_the_gate_refuses_inside_and_then_lets_through(sandbox: MontyInterpreter) -> None:
    seen: list[dict[str, object]] = []

    def gate(fields: dict[str, object]) -> str | None:
        seen.append(fields)
        return None if fields["status"] == "READY" else "call finalize_graph() first"

    sandbox._gate = gate
    assert error_of(sandbox, "x = 3\nSUBMIT('EARLY', None)") == (
        "RuntimeError: SUBMIT refused: call finalize_graph() first\n  line 2: SUBMIT('EARLY', None)"
    )
    assert (
        sandbox.execute("try:\n    SUBMIT('EARLY', None)\nexcept RuntimeError:\n    print('as it must')\nx")
        == "as it must\n3\n"
    )
    assert sandbox.execute("SUBMIT('READY', x)") == FinalOutput({"status": "READY", "notes": 3})
    assert [fields["status"] for fields in seen] == ["EARLY", "EARLY", "READY"]


def test_code_that_will_not_end_at_its_submit_is_ended(sandbox: MontyInterpreter) -> None:
    calls: list[int] = []
    sandbox.tools["count"] = lambda: calls.append(1)
    done = sandbox.execute("try:\n    SUBMIT(1, 2)\nexcept BaseException:\n    pass\nwhile True:\n    count()")
    assert done == FinalOutput({"status": 1, "notes": 2})
    assert calls == []
    assert sandbox.execute("1") == "1\n"


# limits -----------------------------------------------------------------------------------------

UNDONE = "The step was undone: its names are as before it. What its tool calls did stays."


@pytest.mark.parametrize(
    "code",
    [
        "x = 2\nwhile True:\n    pass",
        "x = 2\ntry:\n    while True:\n        pass\nexcept BaseException:\n    pass",
        "x = 2\nfor n in range(10 ** 12):\n    n * n",
        "x = 2\nsum(range(10 ** 12))",
    ],
)
def test_endless_loops_are_stopped_and_undone(sandbox: MontyInterpreter, code: str) -> None:
    sandbox.execute("x = 1")
    assert error_of(sandbox, code) == f"TimeoutError: the step ran longer than 0.5 s. {UNDONE}"
    assert sandbox.execute("x") == "1\n"


@pytest.mark.parametrize(
    "code",
    [
        "x = []\nwhile True:\n    x.append('a' * 1_000_000)",
        "x = 'a' * 10 ** 9",
        "x = 10 ** 10 ** 8",
        "x = [0] * 10 ** 9",
        "x = list(range(10 ** 9))",
        "x = 'a'.ljust(10 ** 9)",
        "print('a' * 10 ** 9)",
        "x = 'ab'.replace('a', 'b' * 10 ** 5).replace('b', 'c' * 10 ** 5)",
    ],
)
def test_memory_bombs_are_stopped_and_undone(sandbox: MontyInterpreter, code: str) -> None:
    sandbox.execute("x = 1")
    assert error_of(sandbox, code) == f"MemoryError: the session needs more than 64 MB. {UNDONE}"
    assert sandbox.execute("x") == "1\n"


def test_a_session_too_large_to_keep_is_undone(sandbox: MontyInterpreter) -> None:
    sandbox.execute("x = 1")
    assert error_of(sandbox, "x = 'a' * 55_000_000").startswith("MemoryError: the session needs more than 64 MB.")
    assert sandbox.execute("x") == "1\n"


def test_endless_tool_calls_are_stopped() -> None:
    sandbox = MontyInterpreter(limits=Limits(seconds=60, tool_seconds=0.2))
    sandbox.tools["wait"] = lambda: time.sleep(0.01)
    message = error_of(sandbox, "while True:\n    try:\n        wait()\n    except BaseException:\n        pass")
    assert message == f"TimeoutError: the tools of this step took longer than 0.2 s. {UNDONE}"
    sandbox.shutdown()


def test_a_slow_tool_does_not_cost_the_worker_its_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kag.agents.sandbox.worker.GRACE", 0.2)
    sandbox = MontyInterpreter(limits=Limits(seconds=0.1))
    sandbox.tools["wait"] = lambda: time.sleep(1)
    assert sandbox.execute("x = 1\nwait()\nx") == "1\n"
    sandbox.shutdown()


def test_recursion_and_slow_patterns(sandbox: MontyInterpreter) -> None:
    sandbox.execute("x = 1")
    assert error_of(sandbox, "def f(n):\n    return f(n + 1)\nf(0)").startswith(("RecursionError", "MemoryError"))
    assert sandbox.execute("re.match('(a+)+$', 'a' * 40 + 'b') is None") == "True\n"
    deep = "(" * 5000 + "1" + ")" * 5000
    with pytest.raises((SyntaxError, CodeExecutionError)):
        sandbox.execute(deep)
    assert sandbox.execute("x") == "1\n"


# what is denied ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "open('/tmp/kag-escape', 'w').write('x')",
        "from pathlib import Path\nPath('/etc/passwd').read_text()",
        "from pathlib import Path\nlist(Path('/').iterdir())",
        "import os\nos.environ['PATH']",
        "import os\nos.getenv('PATH')",
        "import os\nos.listdir('/')",
        "import os\nos.system('id')",
        "import subprocess",
        "import socket",
        "import urllib.request",
        "import ctypes",
        "import importlib",
        "import sys\nsys.modules",
        "import sys\nsys.exit(1)",
        "__import__('os').getcwd()",
        "eval(\"open('/etc/passwd').read()\")",
        'exec("import subprocess")',
        "compile('1', 'a', 'exec')",
        "globals()",
        "__builtins__",
        "().__class__.__bases__[0].__subclasses__()",
        "(lambda: 0).__globals__",
        "(lambda: 0).__code__",
        "getattr((), '__class__')",
        "'{0.__class__}'.format(())",
        "help.__globals__",
        "help.__closure__",
        "type('X', (object,), {})",
        "input()",
        "breakpoint()",
    ],
)
def test_escapes_are_denied_and_the_session_lives(sandbox: MontyInterpreter, code: str) -> None:
    sandbox.tools["help"] = lambda: "help"
    sandbox.execute("x = 1")
    assert error_of(sandbox, code)
    assert sandbox.execute("x") == "1\n"
    assert not os.path.exists("/tmp/kag-escape")


def test_clock_and_chance_are_the_same_in_each_run() -> None:
    seen = set()
    for _ in range(2):
        sandbox = MontyInterpreter()
        seen.add(
            sandbox.execute("import time, random, datetime\ntime.time(), random.random(), datetime.datetime.now()")
        )
        sandbox.shutdown()
    assert len(seen) == 1


# crashes ------------------------------------------------------------------------


def test_a_killed_worker_is_replaced_between_steps(sandbox: MontyInterpreter) -> None:
    sandbox.execute("x = [1]", {"given": [9]})
    first = sandbox.worker_pid
    assert first
    os.kill(first, signal.SIGKILL)
    assert error_of(sandbox, "x.append(2)") == f"The sandbox crashed in this step and was replaced. {UNDONE}"
    assert sandbox.execute("x + given") == "[1, 9]\n"
    assert sandbox.worker_pid != first


def test_a_worker_killed_in_a_tool_call_is_replaced(sandbox: MontyInterpreter) -> None:
    def kill() -> None:
        assert sandbox.worker_pid
        os.kill(sandbox.worker_pid, signal.SIGKILL)

    sandbox.tools["kill"] = kill
    sandbox.execute("x = 1")
    assert error_of(sandbox, "x = 2\nkill()\nx = 3").startswith("The sandbox crashed in this step and was replaced.")
    assert sandbox.execute("x") == "1\n"


def test_shutdown_twice_and_before_the_start() -> None:
    sandbox = MontyInterpreter()
    sandbox.shutdown()
    sandbox.execute("1")
    pid = sandbox.worker_pid
    sandbox.shutdown()
    sandbox.shutdown()
    assert sandbox.worker_pid is None
    assert pid
    assert not os.path.exists(f"/proc/{pid}") or "Z" in open(f"/proc/{pid}/stat").read().split()[2]  # noqa: SIM115


def test_deno_that_cannot_start_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "deno", None)
    with pytest.raises(SandboxError, match="deno sandbox cannot start") as caught:
        sandbox_factory("deno")
    assert "--sandbox monty" in caught.value.hint


def test_deno_where_it_can_start() -> None:
    ready: list[bool] = []
    steps: list[Execution] = []
    options = {"limits": Limits(seconds=2, tool_seconds=0), "on_step": steps.append}
    try:
        factory = sandbox_factory("deno", gate=lambda fields: None if ready else "not yet", **options)
    except SandboxError as error:
        pytest.skip(error.message)
    sandbox = factory()
    sandbox.tools["add"] = lambda a, b=1: {"sum": a + b}
    sandbox.output_fields = [{"name": "status"}]
    assert str(sandbox.execute("x = add(2)['sum']\nx")) == "3"
    with pytest.raises(CodeExecutionError, match="SUBMIT refused: not yet"):
        sandbox.execute("SUBMIT('a')")
    ready.append(True)
    assert sandbox.execute("SUBMIT('a')") == FinalOutput({"status": "a"})
    with pytest.raises(CodeInterpreterError):
        sandbox.execute("while True:\n    pass")
    assert [step.tool_calls for step in steps] == [1, 0, 0, 0]
    assert [bool(step.error) for step in steps] == [False, True, False, True]
    sandbox.shutdown()
