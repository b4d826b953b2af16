"""The write side: a document becomes a graph that validates; read `pipeline.py` first."""
