"""Figures and tables: where they are on a page, and what is in them."""
