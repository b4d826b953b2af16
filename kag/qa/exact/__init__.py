"""Answers without a model: what a question asks for, read off its words, and looked up in the graph."""
