"""The second opinion: pySHACL, slow and independent, against which the compiled engine is held.

It runs in tests, and wherever a published graph is to be certified by another engine than the one it was
built with. Its results come out as the same issues. Two faults of it are known: Python's `$` (put right below)
and the inverse of a sequence, which it walks forwards (so no shape of ours has one).
"""

from __future__ import annotations

import re

from rdflib import BNode, Graph, Literal
from rdflib.namespace import SH, XSD
from rdflib.term import Node

from kag.core.report import Issue, Report
from kag.rdf.ntriples import term
from kag.rdf.paths import render

_FINAL_DOLLAR = re.compile(r"(?<!\\)((?:\\\\)*)\$\Z")


def referee(data: Graph, shapes: Graph) -> Report:
    """The report of pySHACL on a graph: no inference, SHACL Core and SPARQL constraints only."""
    from pyshacl import validate  # slow to import, and not part of building a graph

    rules = _strict_patterns(shapes)
    _, results, _ = validate(
        _canonical(data), shacl_graph=rules, inference="none", advanced=False, meta_shacl=False, inplace=True
    )
    if not isinstance(results, Graph):
        raise results  # pySHACL hands back the error that stopped it
    # results of nested shapes hang on these by sh:detail and are not ours to report
    return Report.of(_issue(results, result) for result in results.objects(None, SH.result))


def _issue(results: Graph, result: Node) -> Issue:
    path = results.value(result, SH.resultPath)
    messages = sorted(str(message) for message in results.objects(result, SH.resultMessage))
    return Issue(
        focus=_text(results.value(result, SH.focusNode)),
        path="" if path is None else render(results, path),
        component=_local(results.value(result, SH.sourceConstraintComponent)),
        message=" ".join(messages),
        value=_text(results.value(result, SH.value)),
        severity=_local(results.value(result, SH.resultSeverity)),
    )


def _text(node: Node | None) -> str:
    if node is None:
        return ""
    return "_:" if isinstance(node, BNode) else term(node)


def _local(node: Node | None) -> str:
    return str(node).rpartition("#")[2]


def _strict_patterns(shapes: Graph) -> Graph:
    """Write a final `$` as `\\Z`: in Python `$` also matches before a last newline, in XPath it does not."""
    rules = Graph(bind_namespaces="none")
    for subject, predicate, value in shapes:
        text = _FINAL_DOLLAR.sub(r"\1\\Z", str(value)) if predicate == SH.pattern else str(value)
        rules.add((subject, predicate, value if text == str(value) else Literal(text)))
    return rules


def _canonical(data: Graph) -> Graph:
    """The data with each literal in its one RDF 1.1 form: rdflib tells `"a"` from `"a"^^xsd:string`."""
    graph = Graph(bind_namespaces="none")
    for subject, predicate, value in data:
        graph.add((subject, predicate, _canonical_literal(value) if isinstance(value, Literal) else value))
    return graph


def _canonical_literal(literal: Literal) -> Literal:
    if literal.language:
        return Literal(str(literal), lang=literal.language.lower())
    return Literal(str(literal)) if literal.datatype == XSD.string else literal
