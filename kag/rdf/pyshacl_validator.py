"""pySHACL, the slow reference engine that the compiled one is compared with; results are the same `Issue`s.

Two of its faults are known: Python's `$` (corrected below), and the inverse of a sequence, which no shape of ours has.
"""

from __future__ import annotations

import re

from rdflib import BNode, Graph, Literal
from rdflib.collection import Collection
from rdflib.namespace import RDF, SH, XSD
from rdflib.term import Node

from kag.core.report import Issue, Report
from kag.rdf.ntriples import term

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
        path="" if path is None else path_text(results, path),
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
    """Return the data with each literal in its RDF 1.1 form: rdflib distinguishes `"a"` from `"a"^^xsd:string`."""
    graph = Graph(bind_namespaces="none")
    for subject, predicate, value in data:
        graph.add((subject, predicate, _canonical_literal(value) if isinstance(value, Literal) else value))
    return graph


def _canonical_literal(literal: Literal) -> Literal:
    if literal.language:
        return Literal(str(literal), lang=literal.language.lower())
    return Literal(str(literal)) if literal.datatype == XSD.string else literal


def path_text(shapes: Graph, path: Node) -> str:
    """A path in SPARQL syntax with full IRIs, brackets around every compound: `(^<p>)+`, `(<p>/<q>)`."""
    if (path, RDF.first, None) in shapes:
        return "(" + "/".join(path_text(shapes, part) for part in Collection(shapes, path)) + ")"
    for kind, mark in ((SH.zeroOrMorePath, "*"), (SH.oneOrMorePath, "+"), (SH.zeroOrOnePath, "?")):
        inner = shapes.value(path, kind)
        if inner is not None:
            return f"({path_text(shapes, inner)}){mark}"
    inverse, alternatives = shapes.value(path, SH.inversePath), shapes.value(path, SH.alternativePath)
    if inverse is not None:
        return "^" + path_text(shapes, inverse)
    if alternatives is not None:
        return "(" + "|".join(path_text(shapes, part) for part in Collection(shapes, alternatives)) + ")"
    return term(path)
