"""Questions that the graphs of a library answer exactly: put as bounded SPARQL, answered with evidence.

`answer_by_schema` reads the question and puts the query; an agent writes queries of its own (`QueryTools`).
"""

from kag.corpus.exact.answer import answer_by_schema

__all__ = ["answer_by_schema"]
