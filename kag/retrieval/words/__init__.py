"""Chunks by their words."""
