"""Commands that build graphs of papers and check them; `kag index` is in `kag/cli/main.py`."""
