"""What is wrong with a query before it is run: its syntax, what it may not do, and terms that no graph has.

Each problem is an `Issue` with a way out: a query that a model wrote goes back to it with these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import pairwise

from kag.corpus.sparql import names_of
from kag.corpus.sparql_text import checked, tokens
from kag.corpus.works import GRAPH
from kag.errors import QueryError
from kag.rdf.namespaces import PAPERS
from kag.report import Issue
from kag.schema_search.describe import short
from kag.schema_search.query import KNOWN_PREFIXES
from kag.works import WORKS

ROWS = 500
"""The LIMIT of a query that states none."""
_DATA = (PAPERS, WORKS, GRAPH)
_XSD = KNOWN_PREFIXES["xsd"]


def complete(query: str) -> str:
    """The query with the known prefixes that it uses and does not declare, and with a LIMIT where it has none.

    >>> print(complete("SELECT ?p WHERE { ?p a fabio:ResearchPaper }"))
    PREFIX fabio: <http://purl.org/spar/fabio/>
    SELECT ?p WHERE { ?p a fabio:ResearchPaper }
    LIMIT 500
    """
    runs = [match["run"] for match in tokens(query) if match["run"]]
    declared = {before[1][:-1] for before in pairwise(runs) if before[0].upper() == "PREFIX"}
    used = {run.partition(":")[0] for run in runs if ":" in run} - declared
    head = "".join(f"PREFIX {name}: <{KNOWN_PREFIXES[name]}>\n" for name in sorted(used) if name in KNOWN_PREFIXES)
    limited = _depth_zero_limit(query) or not any(run.upper() in ("SELECT", "CONSTRUCT", "DESCRIBE") for run in runs)
    return head + query.strip() + ("" if limited else f"\nLIMIT {ROWS}")


def _depth_zero_limit(query: str) -> bool:
    """Whether the query itself, and not only a part of it, has a LIMIT: it stands behind the last brace."""
    ends = [match.end() for match in tokens(query) if match["run"] and match["run"].upper() == "LIMIT"]
    return bool(ends) and "}" not in query[ends[-1] :]


def query_issues(
    query: str, known: Iterable[str], names: Callable[[str], tuple[str, ...]] = names_of
) -> tuple[Issue, ...]:
    """All that keeps a query from being run as it stands (`complete` it first); empty when nothing does.

    `known` are the IRIs of classes and properties; `names` parses without running and gives the columns.
    """
    try:
        checked(query)
    except QueryError as error:
        return (_issue("query", "refused", error.message, error.hint),)
    found = _prefix_issues(query)
    if found:
        return tuple(found)
    try:
        columns = names(query)
    except QueryError as error:
        return (_issue("query", "syntax", error.message, error.hint),)
    return (*_term_issues(query, frozenset(known)), *_column_issues(query, columns))


def _prefix_issues(query: str) -> list[Issue]:
    found = []
    for name, iri in _declared(query).items():
        if name in KNOWN_PREFIXES and KNOWN_PREFIXES[name] != iri:
            found.append(
                _issue(f"{name}:", "prefix", f"{name}: is declared as <{iri}>", f"Declare <{KNOWN_PREFIXES[name]}>.")
            )
    used = {match["run"].partition(":")[0] for match in tokens(query) if match["run"] and ":" in match["run"]}
    for name in sorted(used - set(_declared(query)) - {"_"}):
        near = get_close_matches(name, KNOWN_PREFIXES, 3, 0.5)
        known = " or ".join(near) or ", ".join(sorted(KNOWN_PREFIXES))
        found.append(_issue(f"{name}:", "prefix", f"the prefix {name}: is not known", f"Use {known}."))
    return found


def _declared(query: str) -> dict[str, str]:
    found = list(tokens(query))
    return {
        found[at + 1]["run"].removesuffix(":"): found[at + 2]["iri"][1:-1]
        for at, match in enumerate(found[:-2])
        if (match["run"] or "").upper() == "PREFIX" and found[at + 1]["run"] and found[at + 2]["iri"]
    }


def _term_issues(query: str, known: frozenset[str]) -> list[Issue]:
    """Terms of vocabularies that no graph here uses, with the nearest that they do."""
    declared = _declared(query)
    said = {match["iri"][1:-1] for match in tokens(query) if match["iri"]} - set(declared.values())
    for match in tokens(query):
        name, colon, rest = (match["run"] or "").partition(":")
        if colon and rest and name in declared:
            said.add(declared[name] + rest)
    found = []
    for iri in sorted(said - known):
        if not iri.startswith(_DATA) and not iri.startswith(_XSD):
            names = {short(one): one for one in sorted(known)}
            near = get_close_matches(short(iri), names, 3, 0.6) or get_close_matches(
                _local(iri), [_local(one) for one in sorted(known)], 3, 0.6
            )
            hint = f"Did you mean {' or '.join(near)}?" if near else "Use the terms of the schema."
            found.append(_issue(short(iri), "unknown_term", f"{short(iri)} is no term of these graphs", hint))
    return found


def _local(iri: str) -> str:
    return re.split(r"[/#]", iri)[-1]


def _column_issues(query: str, columns: Iterable[str]) -> list[Issue]:
    """Columns that nothing in the query binds: they stand only once, where they are projected."""
    found = tokens(query)
    variables = [match[0][1:] for match in found if match[0][:1] in "?$"]
    named = {after[0][1:] for before, after in pairwise(found) if (before["run"] or "").upper() == "AS"}
    return [
        _issue(
            f"?{name}",
            "unbound",
            f"?{name} is projected and nothing binds it",
            "Bind it in the pattern or leave it out.",
        )
        for name in columns
        if variables.count(name) == 1 and name not in named and "*" not in query.partition("{")[0]
    ]


def _issue(focus: str, rule: str, message: str, fix: str) -> Issue:
    return Issue(focus, "", rule, f"{message}. {fix}")
