"""One question over many papers: which papers it is about, what their passages say, and what they cite for it."""
