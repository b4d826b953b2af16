"""Agents that build a graph, decide its doubts, and describe its figures."""
