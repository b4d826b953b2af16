"""The tokens and the grammar of SPARQL 1.1 queries, and the parse tree of a query.

The rules are those of the W3C's recommendation, section 19.8, which one token of foresight decides (LL(1)): the parser
is a loop over a table and a stack, linear in time, and no nesting is too deep for it. A token's kind is the mark itself
(`{`, `<=`, `()`), a keyword in capitals, `a`, or the name of a class in small letters: iri, name and namespace (`ex:b`
and `ex:`), variable, string, language, blank, integer, number and signed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

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
    """The error of a query that no rule reads on from one place, with line and column."""
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
            raise QueryError(f"{match[0]} is not a character", hint="Write the number of a Unicode character.")
        return chr(number)

    return _ESCAPE.sub(one, text) if "\\" in text else text


# What is no keyword or mark in quotes is a rule or a class of tokens. Rules with a capital are kept as nodes.
GRAMMAR = """
query = Prologue (SelectQuery | ConstructQuery | DescribeQuery | AskQuery)
Prologue = (Base | Prefix)*
Base = 'BASE' iri
Prefix = 'PREFIX' namespace iri
SelectQuery = SelectClause Dataset* Where Modifier Values?
SubSelect = SelectClause Where Modifier Values?
SelectClause = 'SELECT' ('DISTINCT' | 'REDUCED')? (SelectItem+ | '*')
SelectItem = variable | '(' Expression 'AS' variable ')'
ConstructQuery = 'CONSTRUCT' (Template Dataset* Where | Dataset* 'WHERE' Template) Modifier Values?
DescribeQuery = 'DESCRIBE' (varOrIri+ | '*') Dataset* Where? Modifier Values?
AskQuery = 'ASK' Dataset* Where Modifier Values?
Dataset = 'FROM' 'NAMED'? anIri
Where = 'WHERE'? group
Modifier = ('GROUP' 'BY' groupBy+)? ('HAVING' constraint+)? ('ORDER' 'BY' orderBy+)? (Limit Offset? | Offset Limit?)?
groupBy = builtIn | functionCall | '(' Expression ('AS' variable)? ')' | variable
orderBy = ('ASC' | 'DESC') bracketted | constraint | variable
Limit = 'LIMIT' integer
Offset = 'OFFSET' integer
Values = 'VALUES' dataBlock

group = '{' (SubSelect | triplesBlock? (part '.'? triplesBlock?)*) '}'
triplesBlock = Triples ('.' triplesBlock?)?
part = group ('UNION' group)* | 'OPTIONAL' group | Minus | 'GRAPH' varOrIri group | Service | Filter | Bind | Values
Minus = 'MINUS' group
Service = 'SERVICE' 'SILENT'? varOrIri group
Filter = 'FILTER' constraint
Bind = 'BIND' '(' Expression 'AS' variable ')'
dataBlock = variable '{' dataValue* '}' | ('()' | '(' variable+ ')') '{' ('()' | '(' dataValue+ ')')* '}'
dataValue = anIri | literal | Signed | 'UNDEF'
constraint = bracketted | builtIn | functionCall
functionCall = anIri arguments
arguments = '()' | '(' 'DISTINCT'? Expression (',' Expression)* ')'
expressions = '()' | '(' Expression (',' Expression)* ')'

Template = '{' templateTriples? '}'
templateTriples = sameSubject ('.' templateTriples?)?
sameSubject = varOrTerm properties | node properties?
properties = (varOrIri | 'a') objects (';' ((varOrIri | 'a') objects)?)*
objects = object (',' object)*
object = varOrTerm | node
node = '(' object+ ')' | '[' properties ']'
Triples = varOrTerm pathProperties | pathNode pathProperties?
pathProperties = (path | variable) pathObjects (';' ((path | variable) pathObjects)?)*
pathObjects = pathObject (',' pathObject)*
pathObject = varOrTerm | pathNode
pathNode = '(' pathObject+ ')' | '[' pathProperties ']'
path = pathSequence ('|' pathSequence)*
pathSequence = pathStep ('/' pathStep)*
pathStep = '^'? pathPrimary ('?' | '*' | '+')?
pathPrimary = anIri | 'a' | '!' pathNegated | '(' path ')'
pathNegated = pathOne | '()' | '(' pathOne ('|' pathOne)* ')'
pathOne = '^'? (anIri | 'a')
varOrTerm = variable | anIri | literal | Signed | blank | '[]' | '()'
varOrIri = variable | anIri

Expression = conjunction ('||' conjunction)*
conjunction = relation ('&&' relation)*
relation = sum (('=' | '!=' | '<' | '>' | '<=' | '>=') sum | 'NOT'? 'IN' expressions)?
sum = product (('+' | '-') product | signed (('*' | '/') unary)*)*
product = unary (('*' | '/') unary)*
unary = ('!' | '+' | '-')? primary
primary = bracketted | builtIn | anIri arguments? | literal | signed | variable
bracketted = '(' Expression ')'
builtIn = aggregate | oneArgument '(' Expression ')' | twoArguments '(' Expression ',' Expression ')'
    | ('RAND' | 'NOW' | 'UUID' | 'STRUUID') '()' | 'BNODE' ('()' | '(' Expression ')') | 'BOUND' '(' variable ')'
    | ('CONCAT' | 'COALESCE') expressions | 'IF' '(' Expression ',' Expression ',' Expression ')'
    | ('REGEX' | 'SUBSTR') '(' Expression ',' Expression (',' Expression)? ')'
    | 'REPLACE' '(' Expression ',' Expression ',' Expression (',' Expression)? ')' | 'NOT'? 'EXISTS' group
oneArgument = 'STR' | 'LANG' | 'DATATYPE' | 'IRI' | 'URI' | 'ABS' | 'CEIL' | 'FLOOR' | 'ROUND' | 'STRLEN' | 'UCASE'
    | 'LCASE' | 'ENCODE_FOR_URI' | 'YEAR' | 'MONTH' | 'DAY' | 'HOURS' | 'MINUTES' | 'SECONDS' | 'TIMEZONE' | 'TZ'
    | 'MD5' | 'SHA1' | 'SHA256' | 'SHA384' | 'SHA512' | 'ISIRI' | 'ISURI' | 'ISBLANK' | 'ISLITERAL' | 'ISNUMERIC'
twoArguments = 'LANGMATCHES' | 'CONTAINS' | 'STRSTARTS' | 'STRENDS' | 'STRBEFORE' | 'STRAFTER' | 'STRLANG' | 'STRDT'
    | 'SAMETERM'
aggregate = 'COUNT' '(' 'DISTINCT'? ('*' | Expression) ')'
    | ('SUM' | 'MIN' | 'MAX' | 'AVG' | 'SAMPLE') '(' 'DISTINCT'? Expression ')'
    | 'GROUP_CONCAT' '(' 'DISTINCT'? Expression (';' 'SEPARATOR' '=' string)? ')'
literal = string (language | '^^' anIri)? | integer | number | 'TRUE' | 'FALSE'
Signed = signed
anIri = iri | name | namespace
"""
Production = tuple[str, ...]
_FORESEEN = 6  # kinds of tokens that an error names at most


@dataclass(frozen=True, slots=True)
class Node:
    """What a rule read: the tokens from `start` up to `end`; `parent` is the number of the node around it, or -1."""

    rule: str
    start: int
    parent: int
    end: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A query as the grammar reads it; the nodes stand in the order in which they begin, outer ones first."""

    query: str
    tokens: tuple[Token, ...]
    nodes: tuple[Node, ...]

    def of(self, *rules: str) -> Iterator[Node]:
        """All nodes of some rules."""
        return (node for node in self.nodes if node.rule in rules)

    def text(self, node: Node) -> str:
        """The part of the query that a node read; empty where it read nothing."""
        if node.start == node.end:
            return ""
        return self.query[self.tokens[node.start].start : self.end_of(node.end)]

    def end_of(self, token: int) -> int:
        """Where in the query the token before this one ends."""
        last = self.tokens[token - 1]
        return last.start + len(last.text)


def parse(query: str) -> Tree:
    """The parse tree of a query; raises `QueryError` on a text that is none."""
    rows, tokens = table(), scan(query)
    kept = _kept()
    kinds = [*(token.kind for token in tokens), "end"]
    nodes: list[tuple[str, int, int]] = []
    ends: list[int] = []
    stack: list[Any] = ["query"]  # rules and kinds of tokens to read, and the numbers of nodes that end
    skipped: list[Mapping[str, Production]] = []  # what could have stood before the next token
    at, parent = 0, -1
    while stack:
        symbol = stack.pop()
        row = rows.get(symbol)
        if row is None:
            if symbol == kinds[at]:
                at += 1
                skipped.clear()
            elif isinstance(symbol, int):
                ends[symbol], parent = at, nodes[symbol][2]
            else:
                raise _unexpected(query, tokens, at, [*skipped, {symbol: ()}])
            continue
        production = row.get(kinds[at])
        if production is None:
            skipped.append(row)
            production = row.get("")
            if production is None:
                raise _unexpected(query, tokens, at, skipped)
        if symbol in kept:
            stack.append(len(nodes))
            nodes.append((symbol, at, parent))
            ends.append(at)
            parent = len(nodes) - 1
        stack += production
    if at < len(tokens):
        raise _unexpected(query, tokens, at, skipped)
    return Tree(query, tuple(tokens), tuple(Node(*node, end) for node, end in zip(nodes, ends, strict=True)))


def _unexpected(
    query: str, tokens: Sequence[Token], at: int, skipped: Iterable[Mapping[str, Production]]
) -> QueryError:
    names = sorted({kind for row in skipped for kind in row if kind})
    expected = " or ".join(names) if len(names) <= _FORESEEN else ""
    return unreadable(query, tokens[at].start if at < len(tokens) else len(query), expected)


@cache
def table() -> Mapping[str, Mapping[str, Production]]:
    """For each rule, by the kind of the next token, what it becomes, last part first; "" is for all other tokens.

    Parts in brackets are rules of their own, which have names that begin with a tilde.
    """
    rules: dict[str, list[Production]] = {}
    for line in re.sub(r"\n +", " ", GRAMMAR).strip().splitlines():
        if line:
            name, _, body = line.partition(" = ")
            rules[name] = _alternatives(re.findall(r"'[^']+'|\w+|[()|?*+]", body)[::-1], rules)
    firsts = _firsts(rules)
    found: dict[str, dict[str, Production]] = {name: {} for name in rules}
    for name, choices in rules.items():
        for choice in choices:
            for kind in _begin(choice, firsts):
                if found[name].setdefault(kind, choice[::-1]) != choice[::-1]:
                    raise ValueError(f"{kind!r} does not decide what {name} is")
    return found


@cache
def _kept() -> frozenset[str]:
    return frozenset(rule for rule in table() if rule[0].isupper())


def _alternatives(words: list[str], rules: dict[str, list[Production]]) -> list[Production]:
    """The choices up to the next closing bracket; `words` is read from its end."""
    choices: list[list[str]] = [[]]
    while words and (word := words.pop()) != ")":
        if word == "|":
            choices.append([])
            continue
        symbol = _rule(_alternatives(words, rules), rules) if word == "(" else word.strip("'")
        if words and words[-1] in ("?", "*", "+"):
            mark = words.pop()
            more = f"~{len(rules)}"
            if mark == "?":
                symbol = _rule([(symbol,), ()], rules)
            else:
                rules[more] = [(symbol, more), ()]
                choices[-1] += [symbol] if mark == "+" else []
                symbol = more
        choices[-1].append(symbol)
    return [tuple(choice) for choice in choices]


def _rule(choices: list[Production], rules: dict[str, list[Production]]) -> str:
    name = f"~{len(rules)}"
    rules[name] = choices
    return name


def _firsts(rules: Mapping[str, Sequence[Production]]) -> dict[str, set[str]]:
    """The kinds of tokens that each rule may begin with, and "" where it may be empty."""
    firsts: dict[str, set[str]] = {name: set() for name in rules}
    before = -1
    while before != (before := sum(map(len, firsts.values()))):
        for name, choices in rules.items():
            firsts[name] |= {kind for choice in choices for kind in _begin(choice, firsts)}
    return firsts


def _begin(choice: Production, firsts: Mapping[str, set[str]]) -> set[str]:
    found = set[str]()
    for symbol in choice:
        kinds = firsts.get(symbol, {symbol})
        found |= kinds - {""}
        if "" not in kinds:
            return found
    return found | {""}
