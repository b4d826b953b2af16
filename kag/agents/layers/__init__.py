"""Agents over layers: what a model adds to entities and claims, or writes of them, through the same tools."""
