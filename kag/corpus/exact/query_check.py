"""What is wrong with a query before it is run: its syntax, what it may not do, and terms that no graph has.

Each problem is an `Issue` with a way out: a query that a model wrote goes back to it with these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches

from kag.core.errors import QueryError
from kag.core.report import Issue
from kag.core.works import WORKS
from kag.corpus.exact.describe import short
from kag.corpus.exact.schema_query import KNOWN_PREFIXES
from kag.corpus.shared_works import GRAPH
from kag.corpus.sparql.columns import FORMS, item_name
from kag.corpus.sparql.grammar import Node, Tree
from kag.corpus.sparql.names import Names, declared_prefixes, used_prefixes
from kag.corpus.sparql.text import judged, syntax
from kag.rdf.namespaces import PAPERS

ROWS = 500
"""The LIMIT of a query that states none."""
_DATA = (PAPERS, WORKS, GRAPH)
_XSD = KNOWN_PREFIXES["xsd"]


def complete(query: str) -> str:
    """The query with the known prefixes that it uses and does not declare, and with a LIMIT where it has none.

    A text that is no query stays as it is.

    >>> print(complete("SELECT ?p WHERE { ?p a fabio:ResearchPaper }"))
    PREFIX fabio: <http://purl.org/spar/fabio/>
    SELECT ?p WHERE { ?p a fabio:ResearchPaper }
    LIMIT 500
    """
    try:
        tree = syntax(query)
    except QueryError:
        return query.strip()
    missing = sorted(used_prefixes(tree) - declared_prefixes(tree))
    head = "".join(f"PREFIX {name}: <{KNOWN_PREFIXES[name]}>\n" for name in missing if name in KNOWN_PREFIXES)
    modifier = next(number for number, node in enumerate(tree.nodes) if node.rule == "Modifier" and _whole(tree, node))
    if any(node.parent == modifier for node in tree.of("Limit")) or next(tree.of("AskQuery"), None):
        return head + query.strip()
    end = tree.end_of(tree.nodes[modifier].end)  # VALUES may stand behind it
    return head + f"{query[:end]}\nLIMIT {ROWS}{query[end:]}".strip()


def _whole(tree: Tree, node: Node) -> bool:
    """Whether a node is part of the query itself and not of one inside."""
    return tree.nodes[node.parent].rule in FORMS


def query_issues(query: str, known: Iterable[str]) -> tuple[Issue, ...]:
    """All that keeps a query from being run as it stands (`complete` it first); empty when nothing does.

    `known` are the IRIs of classes and properties. The query is read and not run.
    """
    try:
        tree = syntax(query)
        found = _prefix_issues(tree)
        reading = None if found else judged(tree)
    except QueryError as error:
        return (_issue("query", "refused", error.message, error.hint),)
    if reading is None:
        return tuple(found)
    return (*_term_issues(reading.iris, frozenset(known)), *_column_issues(tree))


def _prefix_issues(tree: Tree) -> list[Issue]:
    found = []
    for name, iri in Names(tree).declared.items():
        if name in KNOWN_PREFIXES and KNOWN_PREFIXES[name] != iri:
            found.append(
                _issue(f"{name}:", "prefix", f"{name}: is declared as <{iri}>", f"Declare <{KNOWN_PREFIXES[name]}>.")
            )
    for name in sorted(used_prefixes(tree) - declared_prefixes(tree)):
        near = get_close_matches(name, KNOWN_PREFIXES, 3, 0.5)
        known = " or ".join(near) or ", ".join(sorted(KNOWN_PREFIXES))
        found.append(_issue(f"{name}:", "prefix", f"the prefix {name}: is not known", f"Use {known}."))
    return found


def _term_issues(said: Iterable[str], known: frozenset[str]) -> list[Issue]:
    """Terms of vocabularies that no graph here uses, with the nearest that they do."""
    found = []
    for iri in sorted(set(said) - known):
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


def _column_issues(tree: Tree) -> list[Issue]:
    """Columns that nothing in the query binds: they stand only once, where they are projected."""
    said = Counter(token.text[1:] for token in tree.tokens if token.kind == "variable")
    items = [item for item in tree.of("SelectItem") if item.end - item.start == 1]
    names = [item_name(tree, item) for item in items if _whole(tree, tree.nodes[item.parent])]
    return [
        _issue(
            f"?{name}",
            "unbound",
            f"?{name} is projected and nothing binds it",
            "Bind it in the pattern or leave it out.",
        )
        for name in names
        if said[name] == 1
    ]


def _issue(focus: str, rule: str, message: str, fix: str) -> Issue:
    return Issue(focus, "", rule, f"{message}. {fix}")
