"""The grammar of SPARQL 1.1 queries, and the parse tree of a query.

The rules are those of the W3C's recommendation, section 19.8, which one token of foresight decides (LL(1)). So the
parser is a loop over a table and a stack: linear in time, and no nesting is too deep for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kag.core.errors import QueryError
from kag.corpus.sparql.tokens import Token, scan, unreadable

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
