"""Engines that hold words, vectors and edges of an index, instead of its own files."""
