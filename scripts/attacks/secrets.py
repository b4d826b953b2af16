"""Secrets of all shapes, in all spellings, through all that kag writes and shows: no form of them may come out.

Each case puts a secret into the environment and lets a model, its provider, a server or a user say it: in a reply, in
code that an agent runs, in an error, in a question, in a wrong option, in an address. Then everything that was written
or printed is decoded in all ways that are known, over and over, and looked through. Words that stand in the environment
as if they were keys have to be left alone.
"""

from __future__ import annotations

import base64
import contextlib
import html
import io
import json
import os
import re
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import ClassVar
from unittest.mock import patch
from urllib.parse import quote, quote_plus, unquote_to_bytes

from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.cli.main import main
from scripts.attacks.case import Case

KIND = "secrets in all spellings"
CASES = 200
PAPER = Path(__file__).parents[2] / "test_data" / "urban_pollinators"
ENGINE = f"{__name__}:Speaker"
WORDS = {"DECOY_API_KEY": "anthropic", "DECOY_TOKEN": "development", "DECOY_SECRET": "20260101"}
NAMES = ["OPENAI_API_KEY", "X_TOKEN", "MY_SECRET_2", "DB_PASSWORD", "SERVICE_CREDENTIALS", "KEY_OF_X", "GITHUB_PAT"]
MOST = 32  # characters of a secret, or a few more, that may be left where it was cut off
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[:-]?){8,}")
_ROUNDS = 4


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Each channel in turn, with another secret in another spelling each time."""
    run = _printed("index", str(PAPER), "--out-dir", str(work / "runs"))[0].strip()
    channels = cycle(CHANNELS)
    for number in range(cases):
        name, secret = random.choice(NAMES), _secret(random)
        spelling = random.choice(sorted(SPELLINGS))
        channel = next(channels)
        folder = work / str(number)
        folder.mkdir()
        with patch.dict(os.environ, {name: secret, **WORDS}):
            told = channel(Path(run), folder, secret, SPELLINGS[spelling](secret, random))
        written = [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
        case = f"{channel.__name__[1:]}, {spelling}, {secret!r}"
        yield Case(case, _found(secret, [told, *written]))


# shapes and spellings -------------------------------------------------------------------------------------------------


def _some(random: Random, signs: str, length: int) -> str:
    return "".join(random.choice(signs) for _ in range(length))


def _secret(random: Random) -> str:
    shape = random.randrange(6)
    if shape == 0:
        return f"sk-proj-{_some(random, LETTERS + '-_', random.randint(20, 160))}"
    if shape == 1:
        return _some(random, "0123456789abcdef", 32)
    if shape == 2:
        return base64.b64encode(random.randbytes(random.randint(12, 48))).decode()
    if shape == 3:
        return "1" + _some(random, LETTERS + "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", random.randint(9, 30))
    if shape == 4:
        return "ä" + _some(random, LETTERS + "äöüßéñ漢字🙂 ", random.randint(9, 30)).strip() + "9"
    return ".".join(base64.urlsafe_b64encode(random.randbytes(n)).decode().rstrip("=") for n in (18, 60, 24))


def _some_escaped(secret: str, random: Random) -> str:
    """Each character as it is or escaped in one way."""
    ways: list[Callable[[str], str]] = [
        str,
        lambda sign: "".join(f"%{byte:02x}" for byte in sign.encode()),
        lambda sign: json.dumps(sign)[1:-1] if not sign.isascii() else f"\\u{ord(sign):04x}",
        lambda sign: f"&#{ord(sign)};",
    ]
    return "".join(random.choice(ways)(sign) for sign in secret)


def _inside_base64(secret: str, random: Random) -> str:
    way = random.choice((base64.b64encode, base64.urlsafe_b64encode))
    text = way(
        random.randbytes(random.randint(0, 7)) + secret.encode() + random.randbytes(random.randint(0, 7))
    ).decode()
    return text if random.random() < 0.5 else text.rstrip("=")


SPELLINGS: dict[str, Callable[[str, Random], str]] = {
    "as it is": lambda secret, _: secret,
    "percent": lambda secret, _: quote(secret, safe=""),
    "percent, lower case": lambda secret, _: re.sub("%..", lambda code: code[0].lower(), quote(secret, safe="")),
    "percent, twice": lambda secret, _: quote(quote(secret, safe=""), safe=""),
    "percent, all": lambda secret, _: "".join(f"%{byte:02X}" for byte in secret.encode()),
    "form": lambda secret, _: quote_plus(secret),
    "JSON": lambda secret, _: json.dumps(secret),
    "JSON, not ASCII": lambda secret, _: json.dumps(secret, ensure_ascii=False).replace("/", "\\/"),
    "JSON in JSON": lambda secret, _: json.dumps(json.dumps({"key": secret})),
    "repr": lambda secret, _: repr(secret),
    "repr of bytes": lambda secret, _: repr(secret.encode()),
    "HTML": lambda secret, _: html.escape(secret),
    "HTML, all": lambda secret, _: "".join(f"&#x{ord(sign):X};" for sign in secret),
    "mixed": _some_escaped,
    "hex": lambda secret, random: random.choice((str.lower, str.upper))(secret.encode().hex(random.choice(" :-"))),
    "hex, plain": lambda secret, _: secret.encode().hex(),
    "base64": lambda secret, _: base64.b64encode(secret.encode()).decode(),
    "base64, inside": _inside_base64,
    "base64, lines": lambda secret, _: base64.encodebytes(b"user:" + secret.encode() * 2).decode(),
    "base64, percent": lambda secret, random: quote(_inside_base64(secret, random), safe=""),
    "basic": lambda secret, _: "Basic " + base64.b64encode(f"user:{secret}".encode()).decode(),
    "wrapped": lambda secret, random: "\n    ".join(re.findall(f".{{1,{random.randint(3, 20)}}}", secret)),
}


# channels -------------------------------------------------------------------------------------------------------------


class Speaker:
    """An engine that says what `replies` holds, the last one again and again; an exception is raised."""

    replies: ClassVar[list[str | Exception]] = []

    def __init__(self) -> None:
        self._asked = 0

    def complete(self, request: Request) -> Response:
        """The next reply."""
        said = self.replies[min(self._asked, len(self.replies) - 1)]
        self._asked += 1
        if isinstance(said, Exception):
            raise said
        usage = Usage(input_tokens=1, output_tokens=1, total_tokens=2)
        message = Message.assistant(TextPart(said))
        return Response(id=None, model="speaker", message=message, finish_reason="stop", usage=usage)

    def close(self) -> None:
        """Nothing is open."""


def _step(code: str, reasoning: str = "next") -> str:
    return f"[[ ## reasoning ## ]]\n{reasoning}\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"


def _asked(run: Path, folder: Path, question: str, *replies: str | Exception) -> str:
    with patch.object(Speaker, "replies", list(replies)):
        return "".join(
            _printed(
                *("qa", "--graph-dir", str(run), "--question", question, "--lm", ENGINE, "--mode", "agent"),
                *("--max-iters", "4", "--out-dir", str(folder / "qa"), "--record", str(folder / "calls.jsonl")),
            )
        )


def _code(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """The agent prints it, gives it to a tool, raises it and submits it."""
    said = repr(spelled)
    claim = f"{{'claims': [{{'text': {said}, 'evidence': [{{'node': {said}, 'quote': {said}}}]}}]}}"
    return _asked(
        run,
        folder,
        "How many sites?",
        _step(f"print({said})\ng_search({said})\nraise ValueError({said})", spelled),
        _step(f"g_node_detail({said})"),
        _step(f"SUBMIT(answer={claim})"),
    )


def _error(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """The provider repeats it in an error."""
    return _asked(run, folder, "How many sites?", RuntimeError(f"401: {'no such key ' * 15}{spelled} refused"))


def _reply(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """The model says it in a reply that has no form."""
    return _asked(run, folder, "How many sites?", f"I was given {spelled}, and say anthropic, development, 20260101.")


def _question(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """The user asks with it."""
    return _asked(
        run, folder, f"Why is {spelled} refused?", _step(f"print({spelled!r})\nSUBMIT(answer={{'not_found': True}})")
    )


def _wrong_option(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """The user mistypes a command with it, or names a folder or file by it."""
    tape = ("--paper-seconds", "0", "--paper-mb", "0", "--lm", ENGINE, "--out-dir", str(folder / "runs"), "--replay")
    name = spelled.replace("\0", "").replace("/", "_")
    told = [
        _printed("qa", "--max-usd", spelled),
        _printed("index", f"/nowhere/{name}"),
        _printed("index", str(PAPER), *tape, str(folder / name)),
    ]
    return "".join(map("".join, told))


def _address(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """An option gives an address that carries it; nobody else knows it."""
    told = ""
    carried = quote(secret, safe="")
    with patch.dict(os.environ):
        for name in [name for name, value in os.environ.items() if value == secret]:
            del os.environ[name]
        _printed("corpus", "add", str(run), "--corpus", str(folder / "corpus"))
        for address in (f"http://user:{carried}@127.0.0.1:9/v1#m", f"http://127.0.0.1:9/v1?api_key={carried}#m"):
            arguments = ("corpus", "index", "--corpus", str(folder / "corpus"), "--embeddings", address)
            with patch("time.sleep"):
                told += "".join(_printed(*arguments))
    return told


def _build(run: Path, folder: Path, secret: str, spelled: str) -> str:
    """An agent builds a graph with it, and is stopped."""
    said = repr(spelled)
    code = (
        f"op_set_single_literal('ex:document', 'dcterms:title', {said})\nop_skip_block({said}, {said})\nprint({said})"
    )
    with patch.object(Speaker, "replies", [_step(code), RuntimeError(spelled)]):
        here = ("--workers", "1", "--paper-seconds", "0", "--paper-mb", "0")  # where the engine's replies are
        arguments = ("--lm", ENGINE, "--builder", "rlm", "--out-dir", str(folder), "--max-iters", "3", *here)
        return "".join(_printed("index", str(PAPER), *arguments))


CHANNELS = [
    *(_code, _error, _reply, _question, _wrong_option, _code, _error, _address),
    *(_code, _error, _reply, _question, _wrong_option, _code, _error, _build),
]


def _printed(*arguments: str) -> tuple[str, str]:
    """What a command writes to standard output and standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
        main(arguments)
    for stream in (out, err):
        stream.flush()
    return tuple(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[return-value,attr-defined]


# looking through ------------------------------------------------------------------------------------------------------


def _found(secret: str, texts: list[str]) -> str:
    """Where a form of the secret is, or a word that was hidden for no reason."""
    bare = _bare(secret)
    parts = [bare[at : at + MOST] for at in range(0, max(1, len(bare) - MOST + 1), 8)]
    for text in texts:
        if any(part in form for form in map(_bare, _decoded(text)) for part in parts):
            return "a form of it is in what was written or shown"
    together = "\n".join(texts)
    if "I was given" in together and not all(word in together for word in ("anthropic", "development", "20260101")):
        return "a word was taken for a secret"
    return ""


def _bare(text: str) -> str:
    return "".join(text.replace("+", " ").split())


def _decoded(text: str) -> Iterator[str]:
    """The text in all readings of its escapes, one in another too, and what it holds in base64 and hex."""
    forms, seen, runs = {text}, {text}, set()
    for _ in range(_ROUNDS):
        forms = {inner for form in forms for inner in _undone(form)} - seen
        seen |= forms
    for form in seen:
        yield form
        joined = re.sub(r"\\+[nrt]|\s+", "", form)
        runs.update(_HEX.findall(joined), _BASE64.findall(form), _BASE64.findall(joined))
    for run in runs:
        yield from _read(run)


def _undone(text: str) -> Iterator[str]:
    if "%" in text:
        yield unquote_to_bytes(text).decode("utf-8", "replace")
    if "&" in text:
        yield html.unescape(text)
    if "\\" in text:
        yield _unescaped(text)


def _read(run: str) -> Iterator[str]:
    with contextlib.suppress(ValueError):
        yield bytes.fromhex(re.sub("[:-]", "", run)).decode("utf-8", "replace")
    signs = run.replace("-", "+").replace("_", "/").replace(":", "")
    for start in range(4):
        part = signs[start:]
        part = part[: len(part) // 4 * 4 if len(part) % 4 == 1 else len(part)]
        yield base64.b64decode(part + "=" * (-len(part) % 4)).decode("utf-8", "replace")


def _unescaped(text: str) -> str:
    text = re.sub(r"(?:\\x[0-9a-fA-F]{2})+", lambda run: _bytes_read(run[0]), text)
    text = re.sub(r"(?:\\u[0-9a-fA-F]{4})+", lambda run: json.loads(f'"{run[0]}"'), text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return re.sub(r"\\([\"'/\\])", r"\1", text)


def _bytes_read(run: str) -> str:
    return bytes.fromhex(run.replace("\\x", "")).decode("utf-8", "replace")
