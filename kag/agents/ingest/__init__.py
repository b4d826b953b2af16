"""Documents become a graph: drafts with their characters in the source, checks, joins, an index."""
