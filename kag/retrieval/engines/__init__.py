"""Engines of others that hold words, vectors and edges of an index, in place of files of its own."""
