"""How well the checker of claims tells those that are supported."""
