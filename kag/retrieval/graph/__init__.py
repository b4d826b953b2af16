"""The graph over chunks: links in the text, and similarity."""
