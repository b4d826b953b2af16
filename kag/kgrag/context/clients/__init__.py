"""Where passages are kept and found by meaning, each behind the same few calls, and each for one project only."""
