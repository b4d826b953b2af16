"""The property graph: nodes and edges with labels and properties, and paths through them."""
