"""Facts added to a finished document graph without a model: one pass a file, each done twice is done once.

`kag.indexing.enrich.passes` runs them.
"""
