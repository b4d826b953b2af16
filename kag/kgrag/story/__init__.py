"""The story domain: who is where and has what, in which order, and what of it cannot be."""
