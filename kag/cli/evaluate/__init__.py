"""`kag evaluate` and its commands."""
