"""Exact answers from one paper: a wish evaluated over its graph, and what comes out told with evidence."""
