"""The command line: one module a command; where stories meet people."""
