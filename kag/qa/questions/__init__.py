"""Questions: the file they come in, and the one reader that says what a question asks for."""
