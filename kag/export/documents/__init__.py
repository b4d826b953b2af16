"""A paper written back, as documents of other formats."""
