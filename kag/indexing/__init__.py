"""The write story: a document becomes a graph that validates; read `story.py` first."""
