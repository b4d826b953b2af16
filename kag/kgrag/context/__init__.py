"""Context for writing about a graph: a slice of it, passages and notes, within a budget."""
