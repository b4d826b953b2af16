"""Commands that make graphs of papers and prove them: beside `kag index`, which is in `kag/cli/main.py`."""
