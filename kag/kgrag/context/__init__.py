"""What is given to whoever writes about a graph: a slice of it, passages beside it, and notes, within a budget."""
