"""The command line: one file a command; where stories meet people."""
