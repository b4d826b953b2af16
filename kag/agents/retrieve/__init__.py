"""Stages of retrieval that ask a model."""
