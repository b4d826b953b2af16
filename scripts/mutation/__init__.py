"""Small faults put into the rules, one at a time, to see whether a test tells: `scripts/mutate`."""
