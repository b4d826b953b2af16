"""Commands that hand papers on: to other programs, to stores, to people."""
