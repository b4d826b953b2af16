"""How we walk: nodes and edges with labels and properties, and ways through them."""
