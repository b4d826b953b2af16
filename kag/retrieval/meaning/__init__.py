"""Chunks by their vectors, and where vectors come from."""
