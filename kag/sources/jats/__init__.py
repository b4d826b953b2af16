"""A publisher's XML (JATS, NLM): what the paper's own mark-up says is not guessed again."""
