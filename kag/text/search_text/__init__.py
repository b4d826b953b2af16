"""Searching without stumbling over how a paper was set: the form of a text, and the words in it."""

from kag.text.search_text.form import SearchText, search_text
from kag.text.search_text.words import Token, stem_of, stems, tokens

__all__ = ["SearchText", "Token", "search_text", "stem_of", "stems", "tokens"]
