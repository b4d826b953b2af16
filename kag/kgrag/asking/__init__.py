"""Questions to a graph: read as walks over its labels, answered by walking, with the ways as evidence."""
