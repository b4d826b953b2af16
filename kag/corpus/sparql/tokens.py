"""The tokens of a SPARQL 1.1 query, as its standard parts them: the longest that fits, whatever comes next.

A kind is the mark itself (`{`, `<=`, `()`), a keyword in capitals, `a`, or the name of a class in small letters:
iri, name and namespace (`ex:b` and `ex:`), variable, string, language, blank, integer, number and signed.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from kag.core.errors import QueryError


class Token(NamedTuple):
    """A token, and where it begins in the query."""

    kind: str
    text: str
    start: int


_HEX = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_FIRST = (  # PN_CHARS_BASE, and what else may follow in a name: the standard's ranges
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_WORD = _FIRST + "_0-9\u00b7\u0300-\u036f\u203f\u2040"
_LOCAL_ESCAPE = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_LOCAL = (
    rf"(?:[{_FIRST}_0-9:]|{_LOCAL_ESCAPE})"
    rf"(?:[{_WORD}:-]|{_LOCAL_ESCAPE}|\.++(?=[{_WORD}:-]|{_LOCAL_ESCAPE}))*+"
)
_GAP = r"(?:[ \t\r\n]++|\#[^\r\n]*+)"
_BLANKS = re.compile(f"{_GAP}*+", re.X)
_POWER = r"[eE][+-]?[0-9]++"

# No alternative gives back what it has read, so the time is linear. `name` reads as far as a prefix may go; where no
# colon follows, what it has read is parted by `_WITHOUT_NAMES`.
_OTHERS = rf"""
    (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]|{_HEX})*+>)
    |(?P<string>\"{{3}}(?:[^"\\]|\\[tbnrf"'\\]|{_HEX}|"(?!""))*+\"{{3}}|'{{3}}(?:[^'\\]|\\[tbnrf"'\\]|{_HEX}|'(?!''))*+'{{3}}
        |"(?!"")(?:[^"\\\r\n]|\\[tbnrf"'\\]|{_HEX})*+"|'(?!'')(?:[^'\\\r\n]|\\[tbnrf"'\\]|{_HEX})*+')
    |(?P<variable>[?$][{_FIRST}_0-9][{_WORD}]*+)
    |(?P<blank>_:[{_FIRST}_0-9](?:[{_WORD}-]|\.++(?=[{_WORD}-]))*+)
    |(?P<language>@[a-zA-Z]++(?:-[a-zA-Z0-9]++)*+)
    |(?P<signed>[+-](?:(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++){_POWER}|[0-9]*+\.[0-9]++|[0-9]++))
    |(?P<number>(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++){_POWER}|[0-9]*+\.[0-9]++)
    |(?P<integer>[0-9]++)
    |(?P<nil>\({_GAP}*+\)|\[{_GAP}*+\])
    |(?P<mark>\^\^|\|\||&&|!=|<=|>=|[{{}}()\[\];,.|/^!=<>*+?-])
    |(?P<end>\Z)"""
_KEYWORD = re.compile("[A-Za-z][A-Za-z0-9_]*+")
_NAMES = rf"(?P<name>[{_FIRST}][{_WORD}.-]*+(?:(?<!\.):(?P<local>{_LOCAL})?+)?+|:(?P<rest>{_LOCAL})?+)|"
_TOKEN = re.compile(f"{_GAP}*+(?:{_NAMES}{_OTHERS})", re.X)
_WITHOUT_NAMES = re.compile(rf"{_GAP}*+(?:(?P<word>{_KEYWORD.pattern})|{_OTHERS})", re.X)


def scan(query: str) -> list[Token]:
    """The tokens of a query without blanks and comments; raises `QueryError` at the first character that fits none."""
    found: list[Token] = []
    at, nameless = 0, 0  # before `nameless`, no prefix ends in a colon
    while match := (_WITHOUT_NAMES if at < nameless else _TOKEN).match(query, at):
        kind = match.lastgroup or ""
        if kind == "end":
            return found
        text, start, at = match[kind], match.start(kind), match.end()
        if kind in ("mark", "nil"):
            kind = text if kind == "mark" else text[0] + text[-1]
        elif kind == "word" or (kind == "name" and ":" not in text):
            if not _KEYWORD.fullmatch(text):
                at, nameless = start, at
                continue
            kind = text if text == "a" else text.upper()  # keywords are read in any case, but `a`
        elif kind == "name" and not (match["local"] or match["rest"]):
            kind = "namespace"
        found.append(Token(kind, text, start))
    blanks = _BLANKS.match(query, at)
    raise unreadable(query, blanks.end() if blanks else at)


def unreadable(query: str, at: int, expected: str = "") -> QueryError:
    """The error of a query that no rule reads on from one place, told by line and column."""
    line, column = query.count("\n", 0, at) + 1, at - query.rfind("\n", 0, at)
    rest = query[at : at + 20].partition("\n")[0].strip()
    where = f"line {line}, column {column}: {rest!r} cannot stand here" if rest else "the query ends too early"
    return QueryError(where + (f"; expected {expected}" if expected else ""), hint="Correct the query (SPARQL 1.1).")


_SIGNS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.S)


def unescaped(text: str) -> str:
    """What stands between the marks of a string or an IRI; raises `QueryError` on the number of no character."""

    def one(match: re.Match[str]) -> str:
        if match[3]:
            return _SIGNS[match[3]]
        number = int(match[1] or match[2], 16)
        if number > sys.maxunicode or 0xD800 <= number < 0xE000:
            raise QueryError(f"{match[0]} is no character", hint="Write the number of a Unicode character.")
        return chr(number)

    return _ESCAPE.sub(one, text) if "\\" in text else text
