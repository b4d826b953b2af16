"""Commands that query graphs."""
