"""A paper's graph in the forms that other programs of graphs take."""
