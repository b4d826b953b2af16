"""Questions answered from what papers say: entities, measurements and claims of their layers."""
