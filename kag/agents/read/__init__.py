"""Agents that answer questions at a desk of bounded views."""
