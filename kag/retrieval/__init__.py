"""Find the right chunks: seeds from text and vectors, neighbours from a graph, and what of them to keep."""
