"""The bounded views: what an agent sees of a paper or a library, and how much at once."""
