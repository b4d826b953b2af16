"""Domains: the elements of stories, sciences and workflows, and their contradictions."""
