"""Works across papers: who cites whom in the corpus, and which two names mean one work.

A work with a DOI has one name everywhere. A work without one is the same as one with a DOI when title, year and first
author agree and only one DOI of the corpus has them; where two have, nobody can tell, and nothing is merged.
The result depends on the mentions alone, not on the order in which papers came.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from kag.corpus import catalogue
from kag.corpus.catalogue import damaged
from kag.corpus.layout import is_iri
from kag.corpus.submission import Submission
from kag.rdf.namespaces import CITO

GRAPH = "http://la3d.local/kag/corpus/works"
"""Name of the graph that holds what is derived here."""

_SAME = "<http://www.w3.org/2002/07/owl#sameAs>"
_CITES = f"<{CITO.cites}>"

_IDENTIFY = """
UPDATE mention SET same=coalesce(
    (SELECT min(work) FROM mention WHERE title=?1 AND doi GROUP BY title HAVING count(DISTINCT work)=1), work)
WHERE title=?1 AND NOT doi
"""
_CITATIONS = """
SELECT DISTINCT c.iri, d.iri FROM mention b JOIN mention a ON a.same=b.same
JOIN paper c ON c.id=a.paper JOIN paper d ON d.id=b.paper
WHERE b.own AND NOT a.own AND a.paper<>b.paper
"""
_REFERENCES = """
SELECT DISTINCT a.paper, a.node, b.paper FROM mention b JOIN mention a ON a.same=b.same
WHERE b.own AND NOT a.own AND a.paper<>b.paper
"""
_MERGED = "SELECT DISTINCT work, same FROM mention WHERE work<>same"


def enter(rows: sqlite3.Connection, gone: Iterable[str], papers: Iterable[Submission]) -> None:
    """Take papers out of the tables and put others in; only works with a title of theirs are looked at again."""
    entered = tuple(papers)
    changed = {*gone, *(paper.paper_id for paper in entered)}
    titles = _titles(rows, changed)
    for name in changed:
        catalogue.drop(rows, name)
    for paper in entered:
        catalogue.put(rows, paper)
    rows.executemany(_IDENTIFY, [(title,) for title in titles | _titles(rows, changed)])


def _titles(rows: sqlite3.Connection, papers: Iterable[str]) -> set[str]:
    query = "SELECT title FROM mention WHERE paper=? AND title<>''"
    return {title for paper in papers for (title,) in rows.execute(query, (paper,))}


def citations(rows: sqlite3.Connection) -> list[tuple[str, str]]:
    """Pairs of papers (IRIs) of the corpus of which the first cites the second, sorted."""
    return sorted(rows.execute(_CITATIONS))


def references(rows: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return the citations, sorted: citing paper (id), node of its reference, cited paper (id)."""
    return sorted(rows.execute(_REFERENCES))


def first_authors(rows: sqlite3.Connection) -> list[tuple[str, str]]:
    """Papers (ids) and the family names of their first authors, small letters only; those that are known."""
    found = rows.execute("SELECT paper, title FROM mention WHERE own AND title<>'' ORDER BY paper")
    return [(paper, str(title).rpartition("|")[2]) for paper, title in found]


def derived(rows: sqlite3.Connection) -> tuple[str, ...]:
    """The works graph as sorted lines of N-Triples: citations between papers, and names that mean one work.

    Raises `CorpusError` where the tables hold names that are none.
    """
    pairs = [(citing, _CITES, work) for citing, work in citations(rows)]
    pairs += [(name, _SAME, work) for name, work in rows.execute(_MERGED)]
    strange = next((name for one, _, other in pairs for name in (one, other) if not is_iri(name)), None)
    if strange is not None:
        raise damaged(f"{str(strange)[:80]!r} is no name of a work")
    return tuple(sorted({f"<{one}> {link} <{other}>" for one, link, other in pairs}))
