"""Queries to the graphs of a corpus: judged on their parse tree, run by a worker without a network."""
