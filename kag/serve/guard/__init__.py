"""Guards before every request: identity, origin, and limits."""
