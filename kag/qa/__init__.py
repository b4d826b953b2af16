"""The read story: a published graph is searched and quoted, questions are answered; read `story.py` first."""
