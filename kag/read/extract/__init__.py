"""Answers by passages of the text, where a question asks what the paper says."""
