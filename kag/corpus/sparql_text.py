"""Whether a query may be run at all: it reads, it stays inside the corpus, and it has a size."""

from __future__ import annotations

import re

from kag.errors import QueryError

LONGEST = 20_000
"""Characters that a query may have."""
READING = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")

# What of a query is no keyword (IRIs, comments, strings, variables), and the runs of letters that may be one. No
# alternative gives back what it has read, so the time is linear. Where this reads on to the end, as in a string that
# nothing closes, the grammar refuses the query.
_TOKEN = re.compile(
    r"""(?P<iri><[^<>"{}|^`\\\x00-\x20]*+>)
    |\#[^\r\n]*+
    |\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:\"{3})?|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?
    |"(?:[^"\\\r\n]|\\.)*+"?|'(?:[^'\\\r\n]|\\.)*+'?
    |[?$]\w++
    |(?P<run>[\w.-]++(?::[\w:%\\.-]*+)?|:[\w:%\\.-]*+)""",
    re.X | re.S,
)


def tokens(query: str) -> list[re.Match[str]]:
    """The IRIs (group `iri`, brackets and all), variables, strings, comments and runs of letters (`run`) of a query."""
    return list(_TOKEN.finditer(query))


def checked(query: str) -> tuple[str, ...]:
    """The graphs that a query names in FROM and FROM NAMED; raises `QueryError` on a query that must not run."""
    if len(query) > LONGEST:
        raise QueryError(f"the query has {len(query)} characters", hint=f"Ask with at most {LONGEST}.")
    found = tokens(query)
    runs = [match["run"].upper() for match in found if match["run"]]
    first = next((run for run in runs if run not in ("PREFIX", "BASE") and ":" not in run), "")
    if first not in READING:
        hint = "Queries only read: begin with SELECT, ASK, CONSTRUCT or DESCRIBE. `kag corpus add` and `remove` change."
        raise QueryError(f"{first[:40] or 'an empty text'} is no query", hint=hint)
    if any("SERVICE" in run for run in runs):  # also inside a run: no blank need stand behind a keyword
        hint = "Leave the SERVICE part out; write a name that has the word as an IRI in <>."
        raise QueryError("SERVICE is refused: nothing outside the corpus is asked", hint=hint)
    return _dataset(found)


def _dataset(tokens: list[re.Match[str]]) -> tuple[str, ...]:
    graphs: list[str] = []
    for at, match in enumerate(tokens):
        if (match["run"] or "").upper() == "FROM":
            rest = [token for token in tokens[at + 1 : at + 3] if (token["run"] or "").upper() != "NAMED"]
            if not rest or not rest[0]["iri"]:
                raise QueryError("FROM names no graph", hint="Write the graph's whole IRI: FROM <http://...>.")
            graphs.append(rest[0]["iri"][1:-1])
    return tuple(graphs)
