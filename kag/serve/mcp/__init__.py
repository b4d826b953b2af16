"""Papers as tools for agents: one registry, and a Model Context Protocol server over it."""
