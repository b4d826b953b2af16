"""The graph over chunks: what stands in the text, and what is alike."""
