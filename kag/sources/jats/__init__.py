"""Publishers' XML (JATS, NLM): the paper's own mark-up is not guessed again."""
