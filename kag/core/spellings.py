"""`Spellings`: texts found in every encoding, and replaced.

Characters may be percent-encoded or escaped (JSON, Python, HTML), once or several times; the whole may be base64 or
hex; lines may be broken anywhere. A text is first searched for a trace of each form; patterns are made only for those
found.
"""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html.entities import codepoint2name
from urllib.parse import quote, unquote_to_bytes

PIECE = 16  # characters that are found by themselves, so that a long text is found also where it was cut off

_PERCENT = "%(?:25){0,3}"
_BACKSLASH = r"\\{1,8}"
_BLANK = "(?:20|0[9AaDd])"
_BREAK = rf"(?:\s|{_BACKSLASH}(?:[nrt]|u00{_BLANK}|x{_BLANK})){{0,40}}"
_GAP = rf"(?:\s|\+|{_PERCENT}{_BLANK}|\\{{1,8}}(?:[nrt]|u00{_BLANK}|x{_BLANK})|&#[xX]?\d{{1,8}};){{0,40}}"
_PERCENTS = re.compile("(?:%[0-9A-Fa-f]{2})+")
_CODES = re.compile(r"(?:\\{1,8}(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}))+")
_CODE = re.compile(r"\\+([xuU])([0-9A-Fa-f]+?)(?=\\|$)")
_ENTITIES = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z]{2,8});")
_BROKEN = re.compile(r"\\{1,8}[nrt]")
_RUNS = re.compile("[A-Za-z0-9]+")
_DEEPEST = 3  # layers of escapes
_SIGN_OF_64 = "[A-Za-z0-9+/_-]"


@dataclass(frozen=True, slots=True)
class Form:
    """An encoding of a secret: it is absent if none of its traces occurs; the pattern finds its start and end."""

    traces: tuple[str, ...]
    pattern: str


class Spellings:
    """Texts to be found in every form."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._forms = tuple(form for text in texts for piece in _pieces(text) for form in _forms(piece))

    def replaced(self, text: str, by: str) -> str:
        """`text` with each form replaced; the same object where there is none. Forms that touch are one."""
        if not self._forms:
            return text
        views, spans = _views(text), []
        for form in self._forms:
            if any(trace in view for trace in form.traces for view in views):
                spans += [match.span() for match in _compiled(form.pattern).finditer(text)]
        parts, at = [], 0
        for start, end in _joined(spans):
            parts += [text[at:start], by]
            at = end
        return "".join([*parts, text[at:]]) if parts else text


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches of a text in order, those that touch or overlap made one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# where a form may be --------------------------------------------------------------------------------------------------


def _views(text: str) -> tuple[str, ...]:
    """The text without what escaping and wrapping lines may have put in: each layer undone, in each order, and not."""
    layer, seen = {text: None}, {text: None}
    for _ in range(_DEEPEST):
        layer = {inner: None for outer in layer for inner in _undone(outer) if inner not in seen}
        seen |= layer
    views = {text: None} | {_bare(one): None for one in seen}
    return tuple(views | {_bare(_BROKEN.sub("", one)): None for one in seen if "\\" in one})


def _undone(text: str) -> Iterator[str]:
    """The text with one layer of one kind of escapes undone, for each kind that it may have."""
    if "&" in text:
        yield _ENTITIES.sub(lambda found: html.unescape(found[0]), text)
    if "%" in text:
        yield _PERCENTS.sub(lambda found: _read(unquote_to_bytes(found[0])), text)
    if "\\" in text:
        yield _CODES.sub(_decoded, text)


def _bare(text: str) -> str:
    return "".join(text.split()).replace("\\", "").replace("+", "")


def _decoded(match: re.Match[str]) -> str:
    """Decode a run of `\xe9`, `\u00e9`, `\ud83d\ude00` and similar escapes."""
    codes = [int(code, 16) for _, code in _CODE.findall(match[0])]
    if all(code < 256 for code in codes):
        return _read(bytes(codes))
    text = "".join(chr(code) for code in codes if code <= 0x10FFFF)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


# the forms ------------------------------------------------------------------------------------------------------------


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces of nearly the same length, none shorter than `PIECE` unless the text is."""
    count = max(1, len(text) // PIECE)
    for number in range(count):
        yield text[number * len(text) // count : (number + 1) * len(text) // count]


def _forms(text: str) -> Iterator[Form]:
    words = (_BREAK.join(map(_character, word)) for word in text.split())
    yield Form((_bare(text), text), _GAP.join(words))
    sources = {data for one in (text, quote(text, safe=""), *_quoted(text)) for data in _bytes_of(one)}
    for data in sorted(sources):
        yield from map(_in_base64, _cores(data))
        yield _in_hex(data)


def _quoted(text: str) -> Iterator[str]:
    """A text as JSON writes it."""
    for ascii_only in (False, True):
        yield json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _bytes_of(text: str) -> Iterator[bytes]:
    yield text.encode("utf-8", "surrogatepass")
    if not text.isascii():
        yield text.encode("latin-1", "ignore")


def _character(sign: str) -> str:
    """A pattern for one character in all its spellings."""
    code = ord(sign)
    data = sign.encode("utf-8", "surrogatepass")
    spellings = [re.escape(sign) if sign.isalnum() else rf"\\{{0,8}}{re.escape(sign)}"]
    spellings.append("".join(f"{_PERCENT}{_either(byte, 2)}" for byte in data))
    spellings.append(rf"{_BACKSLASH}U{_either(code, 8)}")
    if code < 256:
        spellings.append(rf"{_BACKSLASH}x{_either(code, 2)}")
        spellings.append(f"{_PERCENT}{_either(code, 2)}")
    if code < 0x10000:
        spellings.append(rf"{_BACKSLASH}u{_either(code, 4)}")
    else:
        pair = sign.encode("utf-16-be")
        halves = (int.from_bytes(pair[:2], "big"), int.from_bytes(pair[2:], "big"))
        spellings.append("".join(rf"{_BACKSLASH}u{_either(half, 4)}" for half in halves))
    if len(data) > 1:
        spellings.append("".join(rf"{_BACKSLASH}x{_either(byte, 2)}" for byte in data))
    named = codepoint2name.get(code, "apos" if sign == "'" else "")
    entity = "|".join([f"#0{{0,6}}{code}", f"#[xX]0{{0,6}}{_either(code, 1)}", *([named] if named else [])])
    spellings.append(f"&(?:amp;){{0,3}}(?:{entity});")
    return f"(?:{'|'.join(dict.fromkeys(spellings))})"


def _either(code: int, digits: int) -> str:
    """Hex digits of any case."""
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{code:0{digits}x}")


def _cores(data: bytes) -> Iterator[str]:
    """The signs of base64 that these bytes alone decide, at each of the three places that they may begin at."""
    for before in range(3):
        signs = b64encode(bytes(before) + data + bytes(2)).decode()
        yield signs[-(-8 * before // 6) : 8 * (before + len(data)) // 6]


def _in_base64(core: str) -> Form:
    """A core, and the sign on each side that it shares with its neighbours."""
    spelled = {"+": f"(?:{_character('+')}|-)", "/": f"(?:{_character('/')}|_)"}
    signs = _BREAK.join(spelled.get(sign, sign) for sign in core)
    padding = f"{_character('=')}{{0,2}}"
    trace = max(_RUNS.findall(core), key=len)
    return Form((trace,), f"{_SIGN_OF_64}?{signs}{_SIGN_OF_64}?{padding}")


def _in_hex(data: bytes) -> Form:
    """Pairs of digits of any case, with or without colons, dashes or blanks between."""
    digits = (data.hex(), data.hex(":"), data.hex("-"))
    pairs = rf"[:-]?{_BREAK}".join(_either(byte, 2) for byte in data)
    return Form((*digits, *(digit.upper() for digit in digits)), pairs)
