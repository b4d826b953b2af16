"""Whether an answer holds: its quotes, spans and numbers on the page, its words in its quotes."""
