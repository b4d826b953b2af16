"""Workflows as people keep them: a reader a format."""
