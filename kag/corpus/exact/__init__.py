"""Questions that the graphs of a library answer exactly: put as bounded SPARQL, answered with evidence.

`answer_by_schema` is the whole way by rules; `by_model` lets a model write the query, checked and repaired.
"""

from kag.corpus.exact.answer import answer_by_schema

__all__ = ["answer_by_schema"]
