"""What is said of a query that cannot be run as it stands, and the schema of the graphs in a few lines."""

from __future__ import annotations

import pytest

from kag.corpus.exact.query_tool import LONGEST, describe, query_issues
from kag.corpus.sparql.query import reader
from kag.corpus.sparql.text import short
from kag.corpus.store import Corpus
from tests.unit.corpus.exact.small import runner


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT ?x WHERE { ?x a deo:Methods }", []),
        ("SELECT ?x WHERE { ?x a doe:Methods }", ["the prefix doe: is not declared"]),
        ("SELECT ?x ?y WHERE { ?x a deo:Methods }", ["?y is projected and nothing binds it"]),
        ("SELECT ?s WHERE { ?s a deo:Metods ; kag:odrer 1 }", ["kag:odrer is not a term", "deo:Metods is not a term"]),
        ("SELECT ?s { SERVICE <http://x/> { ?s ?p ?o } }", ["SERVICE is refused"]),
        ("SELECT ?s { ?s ?p 'WHERE { SERVICE <http://x/> {} }' }", []),
        ("DROP ALL", ["DROP is not a query"]),
    ],
)
def test_what_is_wrong_is_known_before_anything_runs(query: str, told: list[str]) -> None:
    issues = query_issues(query)
    assert len(issues) == len(told)
    assert all(issue.startswith(start) for issue, start in zip(issues, told, strict=True))


def test_what_the_schema_tells() -> None:
    title = "Ice on lakes and rivers in the far north"  # forty letters
    run = runner(
        ice=f'<> a fabio:ResearchPaper ; dcterms:title "{title}" . :a a deo:Methods , deo:Model . :s a doco:Section .',
        fog=f'<> a fabio:ResearchPaper ; prism:doi "abc" ; prism:keyword "{title}s" .',
    )
    lines = describe(run).splitlines()
    assert lines[1:4] == [
        "  fabio:ResearchPaper (2): a paper of the corpus; its IRI is also the name of its graph",
        "  doco:Section (1): a section; also typed by what it is (deo:Methods, deo:Results, doco:Abstract, ...)",
        "  others: deo:Methods deo:Model",
    ]
    assert f'  dcterms:title: paper, reference, as in "{title}"' in lines
    assert f'  prism:keyword: paper, as in "{title}…"' in lines
    assert '  prism:doi: paper, reference, as in "abc"' in lines, "a short one where there is no longer"
    assert "  kag:order: whatever is printed: reading order, integer (none here)" in lines
    assert len(describe(run)) < LONGEST == 3_500


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://purl.org/spar/deo/Methods", "deo:Methods"),
        ("http://la3d.local/kag#order", "kag:order"),
        ("http://x.example/a", "<http://x.example/a>"),
        ("http://la3d.local/kag/doc/ice", "<http://la3d.local/kag/doc/ice>"),
    ],
)
def test_an_iri_with_its_prefix(iri: str, name: str) -> None:
    assert short(iri) == name


def test_the_schema_is_short_and_has_numbers(corpus: Corpus) -> None:
    text = describe(reader(corpus.layout.root))
    assert len(text) <= LONGEST
    assert "deo:BibliographicReference (11)" in text
    assert "fabio:ResearchPaper (3)" in text
