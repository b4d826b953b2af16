"""Scoring of document graphs against annotations of papers."""
