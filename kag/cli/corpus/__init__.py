"""`kag corpus` and its commands."""
