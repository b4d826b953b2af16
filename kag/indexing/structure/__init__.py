"""The baseline's eyes: what each block is, decided from labels, words and places, with no model.

Each module answers one question over plain `Block` values; `kag.indexing.build_plan` puts the answers together.
"""
